// What generation hands its moves to. A sink answers whether to stop.
#pragma once

#include "position.hpp"

namespace komadai {

template <int W>
struct ListSink {
    MoveList& moves;
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        moves.push_back({from, to, piece, flags});
        return false;
    }
    bool turn(const Move& made) { return moves.push_back(made), false; }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        return points.each([&](Point point) { return move(Cell(slot), rules.cell_of[point], piece, DROP); });
    }
};

template <int W>
struct CountSink {
    uint64_t count = 0;
    bool move(Cell, Cell, Piece, uint16_t) { return ++count, false; }
    bool turn(const Move&) { return ++count, false; }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return count += uint64_t(points.count()), false; }
};

// Stops at the first move.
template <int W>
struct AnySink {
    bool found = false;
    bool move(Cell, Cell, Piece, uint16_t) { return found = true; }
    bool turn(const Move&) { return found = true; }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return found = points.any(); }
};

}  // namespace komadai
