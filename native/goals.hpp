// Goals within reach: whether a side can win the game with one move by what then stands on the board, where that move
// need not capture anything. Most positions, and most moves of the others, are ruled out before a move is made, so that
// a search can ask at every node.
#pragma once

#include <optional>

#include "position.hpp"

namespace komadai {

template <int W>
class Goals {
 public:
    [[gnu::cold]] explicit Goals(const Rules<W>& rules);

    // True if the game has goals, or what the end of a turn takes may end it.
    [[nodiscard]] bool any() const { return any_; }
    // A move by which the side to move reaches a goal.
    [[nodiscard]] std::optional<Move> reached(Position<W>& position);
    // True if the opponent could reach one, were it to move. The side to move is not in check.
    [[nodiscard]] bool threatened(Position<W>& position);

 private:
    // Whether a condition will hold after a move: it may, as it holds now or any move may bring it about; the move
    // tells; it cannot.
    enum class Chance : uint8_t { OPEN, BY_MOVE, NONE };

    [[nodiscard]] bool within_reach(const State<W>& s, Side side);
    [[nodiscard]] Chance chance(const State<W>& s, const Term& term, Side side) const;
    [[nodiscard]] Chance chance_to_stand(const State<W>& s, int index, Side side) const;
    [[nodiscard]] Chance chance_to_count(const State<W>& s, int index, Side side) const;
    [[nodiscard]] bool may_reach(const State<W>& s, Move move) const;
    [[nodiscard]] bool may_bring(const State<W>& s, const Term& term, Move move) const;
    [[nodiscard]] std::optional<Move> try_moves(Position<W>& position);

    const Rules<W>& rules_;
    const bool starves_;  // a side may be lost by what the end of a turn takes
    const bool any_;
    bool simple_;       // a move changes nothing but the mover, what it captures, and hands
    bool regular_;      // and is a single landing within the reach of its piece
    int most_changed_;  // of simple moves: pieces that one changes
    std::vector<std::array<std::vector<uint8_t>, 2>> may_stand_;  // by Rules::stands, side and piece: it may become one
    std::vector<std::array<unsigned, 2>> may_drop_;               // likewise the hand slots of pieces wanted, a bit set
    std::vector<std::vector<Chance>> chances_;  // of the terms of each way to win; empty: it is out of reach
    MoveList moves_;
};

KOMADAI_EXTERN_EACH_SIZE(class Goals)

}  // namespace komadai
