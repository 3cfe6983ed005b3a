// Mates by checks alone: depth-first proof-number search (df-pn, Nagai 2002) for games in which each side has one royal
// piece.
//
// The attacker, who is to move at the root, makes only moves that give check; the defender makes any legal move. Rules
// about drops and mates need no code here, because only legal moves are tried. A position on the path that comes again,
// or with less in the attacker's hand, counts as a failure of the attacker. Proofs never depend on the path; disproofs
// may. Each is kept with the positions it rests on, and holds on every path that has them.
//
// The plies that a mate takes are bounded by every proof and disproof on the way. A search of a limited number of plies
// needs no care about repetition: the shortest mate never comes back to a position. So, once there is a proof, one that
// is two plies shorter is looked for until there is none.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "mate_table.hpp"
#include "position.hpp"
#include "proof_numbers.hpp"

namespace komadai {

enum class Verdict : int { UNKNOWN, MATE, NO_MATE };

struct MateLimits {
    uint64_t nodes = UINT64_MAX;
    double seconds = 0;    // 0: no limit
    bool shortest = true;  // look for the shortest mate as well
};

struct MateReport {
    Verdict verdict = Verdict::UNKNOWN;
    MoveList line;          // of a mate: to its end
    bool shortest = false;  // the line is as long as the mate against best play by both sides
    uint64_t nodes = 0;
    double seconds = 0;
};

constexpr size_t LONGEST = 2000;  // plies of a line

// A search looks at its limits, and asks whether to stop, each time so many nodes have passed.
constexpr uint64_t LOOK = 255, POLL = (1 << 15) - 1;

// The position of a search for a mate by checks, and its limits.
template <int W>
class CheckSearch {
 protected:
    struct Stopped {};

    CheckSearch(const Position<W>& position, const std::atomic<bool>& stop, std::function<void()> poll)
        : position_(position), attacker_(position.side_to_move()), stop_(stop), poll_(std::move(poll)) {}

    void begin(const MateLimits& limits) {
        start_ = std::chrono::steady_clock::now();
        limits_ = limits;
        last_keys_ = position_.keys_before_repetition();
    }
    // Counts a node, and looks at the limits now and then.
    void visit() {
        if (nodes_ >= limits_.nodes) throw Stopped{};
        ++nodes_;
        if ((nodes_ & LOOK) == 0 &&
            (stop_.load(std::memory_order_relaxed) || (limits_.seconds > 0 && elapsed() >= limits_.seconds)))
            throw Stopped{};
        if ((nodes_ & POLL) == 0) poll_();
    }
    // True if the position would end the game by repetition.
    [[nodiscard]] bool repeats() const { return std::ranges::find(last_keys_, position_.key()) != last_keys_.end(); }
    [[nodiscard]] bool attacks() const { return position_.side_to_move() == attacker_; }
    // Appends the moves to be tried.
    void list_moves(MoveList& moves) { attacks() ? position_.legal_checks(moves) : position_.legal_moves(moves); }
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    Position<W> position_;
    const Side attacker_;
    MateLimits limits_;
    uint64_t nodes_ = 0;
    std::vector<uint64_t> last_keys_;  // positions that end the game by repetition if they occur once more

 private:
    const std::atomic<bool>& stop_;
    std::function<void()> poll_;
    std::chrono::steady_clock::time_point start_;
};

template <int W>
class MateSearch : CheckSearch<W> {
 public:
    // `poll` is called now and then; it may throw to abort. Each run clears the table.
    MateSearch(const Position<W>& position, MateTable& table, const std::atomic<bool>& stop, std::function<void()> poll)
        : CheckSearch<W>(position, stop, std::move(poll)), table_(table) {}

    // Searches until the position is proved or disproved, or a limit is reached. In games of compound moves or without
    // one royal piece a side the verdict is UNKNOWN. The shortest mate is looked for within the same limits, and for no
    // more than some times the nodes of the proof.
    MateReport run(const MateLimits& limits);

 private:
    using CheckSearch<W>::position_, CheckSearch<W>::attacker_, CheckSearch<W>::limits_, CheckSearch<W>::nodes_,
        CheckSearch<W>::last_keys_, CheckSearch<W>::visit, CheckSearch<W>::repeats, CheckSearch<W>::attacks,
        CheckSearch<W>::list_moves;
    using typename CheckSearch<W>::Stopped;

    static constexpr uint16_t NOTHING = 0xFFFF;          // that a disproof rests on
    static constexpr uint16_t ANY = INFINITE_PLIES - 1;  // plies, for a mate of any length

    struct Numbers {
        uint32_t pn = 1, dn = 1;  // of a mate within the plies asked for
        uint16_t least = 0, most = INFINITE_PLIES;
        uint16_t since = NOTHING, until = 0;  // of a disproof: it rests on these plies of the path
        MateTable::Hands hands{};             // of a settled position: with which it is settled in the same way
    };
    // Where the table keeps a position.
    struct Place {
        uint64_t board;
        MateTable::Hands hands;
    };
    struct Bounds {
        uint16_t least = 0, most = 0;
    };
    struct Child {
        Move move;
        Numbers numbers;
        int after = -1;                  // tried only when that child is settled
        bool seen = false;               // its numbers are known
        bool fresh = true;               // it was not searched yet
        bool old = false;                // it was searched nearer to the root
        uint32_t first = 0, listed = 0;  // which of the replies are its own, and how many; 0: they are not kept
    };
    struct Ply {
        MoveList moves, replies;  // to the moves that led to new positions
        std::vector<Child> children;
    };
    // A position on the path.
    struct Step {
        Place place;
        uint64_t key;
        uint64_t passed;  // the keys of the path up to it, combined
    };

    // `plies`: those that the mate may take. `listed`: the moves, if they have been listed.
    Numbers search(size_t ply, uint16_t plies, uint32_t most_pn, uint32_t most_dn, std::span<const Move> listed = {},
                   bool fresh = false);
    Ply& expand(size_t ply, uint16_t plies, std::span<const Move> listed = {});
    void arrange(Ply& here) const;
    [[nodiscard]] bool deferred(const Ply& here, const Child& child) const;
    void look_at(Child& child, size_t ply, uint16_t plies, MoveList& replies);
    [[nodiscard]] BestChild choose(const Ply& here) const;
    [[nodiscard]] Numbers numbers(const Ply& here, const BestChild& best) const;
    [[nodiscard]] Numbers numbers(const Ply& here) const { return numbers(here, choose(here)); }
    void look(Child& child, size_t ply, uint16_t plies, MoveList& list);
    [[nodiscard]] bool comes_again(const Place& place, Numbers& numbers) const;
    [[nodiscard]] bool loops(Numbers& numbers) const;
    [[nodiscard]] Numbers estimate(size_t ply, MoveList& list);
    static bool settle(Numbers& numbers, uint16_t plies);
    static uint16_t fewer(uint16_t plies) { return uint16_t(plies - (plies != ANY)); }
    [[nodiscard]] MateTable::Hands hands_of(const Ply& here, const Numbers& numbers);
    [[nodiscard]] bool settled(const Numbers& numbers) const {
        return counts_ && (!numbers.pn || (!numbers.dn && numbers.since == NOTHING));
    }
    void keep(size_t ply, uint16_t plies, const Place& place, const Numbers& numbers, uint64_t work);
    uint16_t follow(size_t ply, uint16_t most, MoveList& moves);
    void shorten(MateReport& report);
    void enter(const Place& place);
    void leave();
    // The keys of so many positions of the path, combined.
    [[nodiscard]] uint64_t passed(size_t positions) const { return positions ? path_[positions - 1].passed : 0; }
    template <class Found>
    [[nodiscard]] bool any_on_path(uint64_t board, Found found) const;
    [[nodiscard]] static size_t next_slot(size_t slot) { return (slot + 1) % SLOTS; }
    [[nodiscard]] Place here() const;
    [[nodiscard]] bool hands_compare() const;
    [[nodiscard]] Ply& at(size_t ply);

    MateTable& table_;
    std::optional<HandCounts> counts_;  // none: hands are part of the key
    uint64_t high_ = 0;                 // their free bits
    std::deque<Ply> plies_;             // a deque keeps references valid
    bool cut_ = false;                  // a line was too long to follow
    // So many nodes on the path rest on numbers from nearer to the root, less the new positions searched since.
    unsigned raised_ = 0;
    std::vector<Step> path_;
    static constexpr size_t SLOTS = 4096;
    std::vector<uint16_t> slots_ = std::vector<uint16_t>(SLOTS);  // steps of the path and one, by board; 0: none
};

KOMADAI_EXTERN_EACH_SIZE(class MateSearch)

}  // namespace komadai
