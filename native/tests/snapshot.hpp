// All that a move changes in a position.
#pragma once

#include "position.hpp"

namespace komadai::test {

template <int W>
struct Snapshot {
    explicit Snapshot(const Position<W>& p)
        : board(p.state().board),
          occupied(p.state().occupied),
          hand(p.state().hand),
          royal{p.royal(BLACK), p.royal(WHITE)},
          parts(p.state().parts),
          roots(p.state().roots),
          links(p.state().links),
          watched(p.state().watched),
          piece_count(p.state().piece_count),
          key(p.key()),
          side(p.side_to_move()),
          plies(p.plies()),
          changes(p.state().journal.size()) {}
    bool operator==(const Snapshot&) const = default;

    std::vector<Piece> board;
    std::array<Bits<W>, 2> occupied;
    std::array<std::array<uint8_t, MAX_HAND>, 2> hand;
    std::array<Cell, 2> royal;
    std::vector<Bits<W>> parts;
    Bits<W> roots, links;
    std::vector<Bits<W>> watched;
    std::vector<uint16_t> piece_count;
    uint64_t key;
    Side side;
    size_t plies, changes;
};

}  // namespace komadai::test
