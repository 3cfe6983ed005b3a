// Consumers of generated moves. Each member returns whether generation may stop.
#pragma once

#include "state.hpp"

namespace komadai {

template <int W>
struct ListSink {
    MoveList& moves;
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        moves.push_back({from, to, piece, flags});
        return false;
    }
    bool move(const Move& whole) { return moves.push_back(whole), false; }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        return points.each([&](Point point) { return move(Cell(slot), rules.cell_of[point], piece, DROP); });
    }
};

template <int W>
struct CountSink {
    uint64_t count = 0;
    bool move(Cell, Cell, Piece, uint16_t) { return ++count, false; }
    bool move(const Move&) { return ++count, false; }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return count += uint64_t(points.count()), false; }
};

// Stops at the first move.
template <int W>
struct AnySink {
    bool found = false;
    bool move(Cell, Cell, Piece, uint16_t) { return found = true; }
    bool move(const Move&) { return found = true; }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return found = points.any(); }
};

}  // namespace komadai
