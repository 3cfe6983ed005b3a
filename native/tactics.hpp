// What a single move does at once: what it captures and what that wins, and whether it gives check. Two policies, one
// for games whose moves are one landing each and one for compound moves, tell the search what differs between them.
#pragma once

#include <optional>

#include "search.hpp"
#include "search_numbers.hpp"

namespace komadai {

// Of the moves of a position, which must be there when it is asked.
template <int W>
class Tactics {
 public:
    Tactics(const Evaluation<W>& evaluation, const std::optional<Position<W>>& position)
        : evaluation_(evaluation), position_(position) {}

    [[nodiscard]] const Evaluation<W>& evaluation() const { return evaluation_; }
    [[nodiscard]] const Position<W>& position() const { return *position_; }
    // True if the move captures a piece that the opponent's survival may depend on.
    [[nodiscard]] bool captures_critical(Move move) const;

 protected:
    const Evaluation<W>& evaluation_;
    const std::optional<Position<W>>& position_;
};

// Moves of one landing.
template <int W>
class RoyalGame : public Tactics<W> {
 public:
    static constexpr const SearchNumbers& NUMBERS = ROYAL_NUMBERS;
    static constexpr bool EXCHANGES = true;  // there is static exchange evaluation
    static constexpr bool CAPTURE_HISTORY = true;
    static constexpr bool SINGULAR_EXTENSIONS = true;
    static constexpr bool STALEMATES = true;    // quiescence looks for them where few pieces are left
    static constexpr bool QUIET_CHECKS = true;  // quiescence begins with drops that give check, too
    static constexpr int QUIESCENCE_PLIES = MAX_PLY;
    static constexpr size_t QUIESCENCE_MOVES = SIZE_MAX;  // captures a ply
    static constexpr int MORE_LATE_MOVES = 0;
    static constexpr uint64_t NODES_A_LOOK = 256;  // after which the limits are looked at; a power of two

    using Tactics<W>::Tactics;

    // But for goals, the game is lost by captures alone, which are always tried.
    [[nodiscard]] constexpr bool lost_by_captures() const { return false; }
    [[nodiscard]] bool gave_check() const { return position_->last_gave_check(); }
    void push(Position<W>& position, Move move) const { position.push_noting_check(move); }
    // True if the move is a capture or a promotion.
    [[nodiscard]] bool is_tactical(Move move) const {
        return !move.is_drop() && (position_->at(move.to) != EMPTY || move.flags);
    }
    // The material that a capture or promotion wins.
    [[nodiscard]] int gain(Move move) const;
    // Static exchange evaluation: whether the captures and recaptures on the move's target win the mover at least
    // `threshold`. A captured piece counts with its worth on the board and its worth in the hand that it goes to.
    [[nodiscard]] bool wins_exchange(Move move, int threshold) const;
    // True if the mover attacks the opponent's royal piece from its target.
    [[nodiscard]] bool gives_direct_check(Move move) const;
    // How many enemy pieces the dropped piece attacks, once the drop has been made; 0 in games whose pieces also move
    // in other ways than by leaps and slides.
    [[nodiscard]] int threats(Move drop) const;

 private:
    using Tactics<W>::evaluation_, Tactics<W>::position_;
};

// Compound moves. They have so many captures that quiescence tries only a few of them, and no exchange on one square.
template <int W>
class CompoundGame : public Tactics<W> {
 public:
    static constexpr const SearchNumbers& NUMBERS = COMPOUND_NUMBERS;
    static constexpr bool EXCHANGES = false;
    static constexpr bool CAPTURE_HISTORY = false;
    static constexpr bool SINGULAR_EXTENSIONS = false;
    static constexpr bool STALEMATES = false;
    static constexpr bool QUIET_CHECKS = false;
    static constexpr int QUIESCENCE_PLIES = 3;
    static constexpr size_t QUIESCENCE_MOVES = 6;
    static constexpr int MORE_LATE_MOVES = 2;
    static constexpr uint64_t NODES_A_LOOK = 16;

    using Tactics<W>::Tactics;

    [[nodiscard]] bool lost_by_captures() const { return !evaluation_.rules()->has_royal; }
    [[nodiscard]] bool gave_check() const { return position_->rules().has_royal && position_->last_gave_check(); }
    // Threats to survival are not noted: they are found a ply later.
    void push(Position<W>& position, Move move) const {
        position.rules().has_royal ? position.push_noting_check(move) : position.push(move);
    }
    [[nodiscard]] bool is_tactical(Move move) const {
        return !move.is_drop() && (move.flags || captures_anything(position_->state(), move));
    }
    [[nodiscard]] int gain(Move move) const { return move.is_drop() ? 0 : material_swing(position_->state(), move); }
    // Whether the captures are worth more than the mover, if the opponent can recapture it; `threshold` is not asked.
    [[nodiscard]] bool wins_exchange(Move move, int threshold = 0) const;
    [[nodiscard]] bool gives_direct_check(Move) const { return false; }
    [[nodiscard]] int threats(Move) const { return 0; }

 private:
    using Tactics<W>::evaluation_, Tactics<W>::position_;
};

KOMADAI_EXTERN_EACH_SIZE(class Tactics)
KOMADAI_EXTERN_EACH_SIZE(class RoyalGame)
KOMADAI_EXTERN_EACH_SIZE(class CompoundGame)

}  // namespace komadai
