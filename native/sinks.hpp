// Consumers of generated moves. Each member returns whether generation may stop. moves_of() takes moves that differ
// only in their target.
#pragma once

#include "state.hpp"

namespace komadai {

// Appends a move to each of the points, otherwise like `move`.
template <int W>
inline void add_moves(const Rules<W>& rules, MoveList& moves, Move move, const Bits<W>& points) {
    const size_t before = moves.size();
    moves.resize(before + size_t(points.count()));
    Move* at = moves.data() + before;
    const uint64_t code = move.code();
    points.each(
        [&](Point point) { return *at++ = Move::from_code(code | uint64_t(rules.cell_of[point]) << 16), false; });
}

template <int W>
struct ListSink {
    MoveList& moves;
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        moves.push_back({from, to, piece, flags});
        return false;
    }
    bool move(const Move& whole) { return moves.push_back(whole), false; }
    bool moves_of(const Rules<W>& rules, const Move& move, const Bits<W>& points) {
        return add_moves(rules, moves, move, points), false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        return add_moves(rules, moves, {Cell(slot), 0, piece, DROP}, points), false;
    }
};

template <int W>
struct CountSink {
    uint64_t count = 0;
    bool move(Cell, Cell, Piece, uint16_t) { return ++count, false; }
    bool move(const Move&) { return ++count, false; }
    bool moves_of(const Rules<W>&, const Move&, const Bits<W>& points) {
        return count += uint64_t(points.count()), false;
    }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return count += uint64_t(points.count()), false; }
};

// Stops at the first move.
template <int W>
struct AnySink {
    bool found = false;
    bool move(Cell, Cell, Piece, uint16_t) { return found = true; }
    bool move(const Move&) { return found = true; }
    bool moves_of(const Rules<W>&, const Move&, const Bits<W>& points) { return found |= points.any(); }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return found |= points.any(); }
};

}  // namespace komadai
