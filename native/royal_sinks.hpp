// Consumers of moves of single landings that keep some of them, by what they do.
#pragma once

#include "royal_moves.hpp"
#include "sinks.hpp"

namespace komadai {

// Keeps captures and changes of kind, and drops on the points that `wanted` names.
template <int W, class Points>
struct CaptureSink {
    const State<W>& state;
    MoveList& moves;
    Points wanted;  // (piece) -> the points where a drop of it is kept
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        if (state.board[to] != EMPTY || flags) moves.push_back({from, to, piece, flags});
        return false;
    }
    bool moves_of(const Rules<W>& rules, const Move& move, const Bits<W>& points) {
        add_moves(rules, moves, move, move.flags ? points : points & state.occupied[~side_of(move.piece)]);
        return false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        add_moves(rules, moves, {Cell(slot), 0, piece, DROP}, points & wanted(piece));
        return false;
    }
};

// Keeps the moves that give check.
template <int W>
struct CheckSink {
    const State<W>& state;
    MoveList& moves;
    const Point royal;      // the opponent's
    const Bits<W> screens;  // own pieces whose move may open a line to it
    const Bits<W> pieces;   // all
    Kept<W> lines{};        // by kind: the points from which it slides there

    CheckSink(const State<W>& of, MoveList& into)
        : state(of),
          moves(into),
          royal(of.rules->point_of[of.royal[~of.side_to_move]]),
          screens(komadai::screens(of)),
          pieces(of.everyone()) {}

    // The points from which a piece gives check.
    Bits<W> aim(Piece piece) {
        const auto& sets = state.rules->sets;
        const uint32_t site = state.rules->site(piece, royal);
        const Bits<W>& leaps = sets.leaps_onto[site];
        const auto& fan = sets.fans_onto[site];
        return fan.up || fan.down
                   ? leaps | lines.of(size_t(kind_of(piece)), [&] { return sets.slid_onto(site, pieces); })
                   : leaps;
    }
    // Likewise as anything that it may become.
    Bits<W> aim_of_mover(Piece piece) {
        Bits<W> points;
        for (const Piece result : state.rules->info[piece].results) points |= aim(result);
        return points;
    }
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        const auto& point_of = state.rules->point_of;
        if (screens.test(point_of[from]) ? exposes(state, from, to, piece) : aim(piece).test(point_of[to]))
            moves.push_back({from, to, piece, flags});
        return false;
    }
    bool moves_of(const Rules<W>& rules, const Move& one, const Bits<W>& points) {
        if (screens.test(rules.point_of[one.from]))
            return points.each([&](Point to) { return move(one.from, rules.cell_of[to], one.piece, one.flags); });
        add_moves(rules, moves, one, points & aim(one.piece));
        return false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        add_moves(rules, moves, {Cell(slot), 0, piece, DROP}, points & aim(piece));
        return false;
    }
};

// Counts moves by what they do. Those of one piece come one after the other.
template <int W>
struct KindSink {
    const State<W>& state;
    Kinds<W>& kinds;
    const Bits<W> empty;  // the points where a drop may be of use
    Cell mover = NO_CELL;
    Bits<W> targets{};  // of the mover

    void add(Cell from, const Bits<W>& points) {
        if (from != mover) finish();
        mover = from;
        targets |= points;
    }
    void finish() {
        const auto all = uint32_t(targets.count());
        if (mover == state.royal[state.side_to_move]) {
            kinds.by_royal += all;
        } else {
            const auto captures = uint32_t((targets & state.occupied[~state.side_to_move]).count());
            kinds.captures += captures;
            kinds.others += all - captures;
        }
        targets = {};
    }
    bool move(Cell from, Cell to, Piece, uint16_t) {
        Bits<W> point;
        point.set(state.rules->point_of[to]);
        return add(from, point), false;
    }
    bool moves_of(const Rules<W>&, const Move& move, const Bits<W>& points) { return add(move.from, points), false; }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) {
        kinds.drops |= points;
        return kinds.drops == empty;
    }
};

}  // namespace komadai
