// Many games played at once, for agents that learn: a step of all of them is one call, split among threads. What comes
// out is the same for any number of threads, since every game has random numbers of its own, made by counting.
#pragma once

#include <memory>
#include <string>

#include "any_position.hpp"
#include "crew.hpp"
#include "encoding.hpp"

namespace komadai {

// When a game that is over begins anew: with the next step, in the same step, or only when it is asked for, until when
// it stays as it is. Actions for a game that is over are ignored. Named as in Gymnasium.
enum class Autoreset : int { NEXT_STEP, SAME_STEP, DISABLED };

// Arrays by game that a call fills. Those of a game's last position are filled where it ended, by SAME_STEP alone.
struct StepArrays {
    uint8_t *observations, *masks;
    float* rewards;  // for the side that has just acted
    uint8_t *terminated, *truncated;
    int8_t *to_play, *winners, *discounts;
    uint8_t* results;
    int32_t *plies, *legal_counts;  // declarations are not counted
    uint8_t *final_observations = nullptr, *final_masks = nullptr;
    int8_t* final_to_play = nullptr;
    int32_t *final_plies = nullptr, *final_legal_counts = nullptr;
};

// What ended a game: an End, the cap on its plies, or a declaration. RESULTS of src/komadai/lab/rl/vec_env.py has the
// words.
constexpr uint8_t CAPPED = uint8_t(End::GOAL) + 1, DECLARED = CAPPED + 1;

// What a declaration by the side to move would be, as Batch::allow() is told.
constexpr int8_t NO_DECLARATION = -2;  // else the winner, -1 for a draw

constexpr int MAX_GAMES = 1 << 20;  // of a batch

class Batch {
 public:
    struct Settings {
        int games, threads, max_plies;
        Autoreset autoreset;
        uint64_t seed;
    };
    // An action that cannot be taken: nothing has changed. `code`: 0 it is not among the legal ones, 1 a turn is under
    // way.
    struct Refusal {
        int game = -1, code = 0;
        int64_t action = 0;
    };

    Batch() = default;
    virtual ~Batch() = default;
    Batch& operator=(const Batch&) = delete;
    [[nodiscard]] virtual std::unique_ptr<Batch> clone() const = 0;

    // Begins the games anew that `which` marks, at starts of their own or at that of the variant; with a seed from
    // their first episode on. Returns the number of a start where the game is over, or -1; then nothing has changed.
    [[nodiscard]] virtual int reset(const uint8_t* which, const std::vector<const AnyPosition*>& starts,
                                    std::optional<uint64_t> seed) = 0;
    // Writes the present state of all games. There are no rewards.
    virtual void look(const StepArrays& out) = 0;
    // Says of every game what a declaration would be now: the rules of declarations are those of the caller. What was
    // said holds until the game goes on. Games that are over, and turns under way, are passed over.
    virtual void allow(const int8_t* declarations) = 0;
    // Takes an action in every game, or where `turns` is set the move of that number in its list, -1 for a declaration.
    virtual Refusal step(const int32_t* actions, bool turns, const StepArrays& out) = 0;
    // For each game one of the actions that are legal, or 0 where it is over.
    virtual void random_actions(int32_t* actions) = 0;
    // How many legal moves each game has, -1 within a turn; then their two words, one game after the other.
    virtual void count_turns(int64_t* counts) = 0;
    virtual void list_turns(uint64_t* words) = 0;
    [[nodiscard]] virtual AnyPosition position(int game) const = 0;
    [[nodiscard]] virtual ActionList taken(int game) const = 0;
    // The whole state as words, and its opposite. load() throws std::invalid_argument, and nothing changes, if the
    // words are none of a batch with these rules, this encoding and so many games.
    [[nodiscard]] virtual std::vector<uint64_t> save() const = 0;
    virtual void load(const std::vector<uint64_t>& words) = 0;

 protected:
    Batch(const Batch&) = default;
};

// An encoding of any board size.
template <int W>
using SharedEncoding = std::shared_ptr<const Encoding<W>>;
using AnyEncoding = OfAnySize<SharedEncoding>;

template <int W>
struct Environments {
    [[nodiscard]] static std::unique_ptr<Batch> make(std::shared_ptr<const Encoding<W>> encoding,
                                                     const Position<W>& start, const Batch::Settings& settings);
    // The turn in one position in which some actions have been taken; writes its observation unless `planes` is null.
    // Throws std::invalid_argument if one of the actions cannot be taken, or makes the move.
    [[nodiscard]] static Turn<W> look(const Encoding<W>& encoding, const Position<W>& position, const ActionList& taken,
                                      uint8_t* planes);
};

KOMADAI_EXTERN_EACH_SIZE(struct Environments)

}  // namespace komadai
