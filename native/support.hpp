// Support, and what depends on it: pieces near others, and the pieces that the end of a turn takes. Functions of a
// State.
#pragma once

#include "attacks.hpp"
#include "state.hpp"

namespace komadai {

// The support that roots and links on those points give; links on `granted` have it in any case.
template <int W>
[[nodiscard]] [[gnu::noinline]] Support<W> support_by(const Rules<W>& r, const Bits<W>& roots, const Bits<W>& links,
                                                      const Bits<W>& granted) {
    Support<W> support;
    roots.each([&](Point point) {
        support.area |= r.beside[point];
        support.link_area |= r.link_reach[point];
        return false;
    });
    Bits<W> waiting = links;
    if (!waiting.any()) return support;
    for (Bits<W> fresh = waiting & (support.link_area | granted); fresh.any(); fresh = waiting & support.link_area) {
        support.links |= fresh;
        waiting &= ~fresh;
        fresh.each([&](Point point) {
            support.area |= r.beside[point];
            support.link_area |= r.beside[point];
            return false;
        });
    }
    return support;
}

// Support without the pieces on `gone`.
template <int W>
[[nodiscard]] Support<W> support_without(const State<W>& s, const Bits<W>& gone) {
    return support_by(*s.rules, s.roots.without(gone), s.links.without(gone), {});
}

// Support on the present board.
template <int W>
[[nodiscard]] const Support<W>& support_now(const State<W>& s) {
    return s.support_memo.of(s.role_key, [&] { return support_without(s, {}); });
}

// The points where a piece of that role has support.
template <int W>
[[nodiscard]] const Bits<W>& area_of(const State<W>& s, Role role, const Support<W>& support) {
    return role == Role::ROOT ? s.rules->board : role == Role::LINK ? support.link_area : support.area;
}

// The points at the right distance from a piece wanted by `nears[index]` other than those on `gone`.
template <int W>
[[nodiscard]] Bits<W> near_without(const State<W>& s, int index, const Bits<W>& gone) {
    const Rules<W>& r = *s.rules;
    const auto& near = r.nears[index];
    const auto& wanted = near.wanted[s.side_to_move];
    const Support<W> support = near.supported ? support_without(s, gone) : Support<W>{};
    Bits<W> points;
    const Bits<W> candidates = near.among == Role::ROOT   ? s.roots
                               : near.among == Role::LINK ? s.links
                                                          : s.occupied[BLACK] | s.occupied[WHITE];
    (candidates & ~gone).each([&](Point point) {
        const Piece piece = s.board[r.cell_of[point]];
        if (!wanted[piece]) return false;
        if (near.supported && !area_of(s, r.info[piece].role, support).test(point)) return false;
        points |= near.around[point];
        return false;
    });
    return points;
}

template <int W>
[[nodiscard]] const Bits<W>& near_now(const State<W>& s, int index) {
    const uint64_t now = s.rules->nears[index].among == Role::NONE ? s.stamp : s.role_key;
    return s.near_memo[size_t(index)][s.side_to_move].of(now, [&] { return near_without(s, index, {}); });
}

// The points that a move clears or takes over: of the mover, and of what it captures.
template <int W>
[[nodiscard]] Bits<W> touched_points(const State<W>& s, Move move) {
    Bits<W> points;
    if (!move.is_drop()) points.set(s.rules->point_of[move.from]);
    points.set(s.rules->point_of[move.to]);
    return points;
}

// True if the other pieces have the same support without the mover and what it captures.
template <int W>
[[nodiscard]] inline bool keeps_support(const State<W>& s, Move move) {
    const auto& info = s.rules->info;
    return info[s.board[move.to]].role == Role::NONE && (move.is_drop() || info[s.board[move.from]].role == Role::NONE);
}

// Support without the mover and what it captures.
template <int W>
[[nodiscard]] Support<W> support_for(const State<W>& s, Move move) {
    return keeps_support(s, move) ? support_now(s) : support_without(s, touched_points(s, move));
}

template <int W>
[[nodiscard]] bool is_near(const State<W>& s, int index, Move move) {
    const Rules<W>& r = *s.rules;
    const auto& near = r.nears[index];
    const auto& wanted = near.wanted[s.side_to_move];
    // Neither the mover nor what it captures is another piece, or gives another one support.
    const bool involved = wanted[s.board[move.to]] || (!move.is_drop() && wanted[s.board[move.from]]) ||
                          (near.supported && !keeps_support(s, move));
    return (involved ? near_without(s, index, touched_points(s, move)) : near_now(s, index)).test(r.point_of[move.to]);
}

template <int W>
[[nodiscard]] bool is_supported(const State<W>& s, Move move) {
    const Role role = s.rules->info[move.piece].role;
    if (role == Role::ROOT) return true;
    const Point target = s.rules->point_of[move.to];
    return keeps_support(s, move) ? area_of(s, role, support_now(s)).test(target)
                                  : area_of(s, role, support_for(s, move)).test(target);
}

// True if every way of the mover to its target crosses a point where it would have no support.
template <int W>
[[nodiscard]] bool is_beyond_support(const State<W>& s, Move move) {
    const Rules<W>& r = *s.rules;
    const auto& info = r.info[s.board[move.from]];
    const Support<W> support = support_for(s, move);
    Bits<W> supported = area_of(s, r.info[move.piece].role, support);
    if (r.irregular) {
        supported |= s.roots | support.links;  // a hop passes over pieces that give support
        return !each_way(s, move.from, NO_CELL, NO_CELL, [&](Cell to, int delta, int distance) {
            if (to != move.to) return false;
            for (Cell cell = Cell(move.from + delta); --distance > 0; cell = Cell(cell + delta))
                if (!supported.test(r.point_of[cell])) return false;
            return true;
        });
    }
    for (const auto& leap : info.leaps)
        if (Cell(move.from + leap.delta) == move.to) return false;
    for (const auto& slide : info.slides) {
        bool beyond = false;
        Cell cell = Cell(move.from + slide.delta);
        for (int distance = 1; distance <= slide.reach; ++distance, cell = Cell(cell + slide.delta)) {
            if (cell == move.to) {
                if (!beyond) return false;
                break;
            }
            if (s.board[cell] != EMPTY) break;
            beyond |= !supported.test(r.point_of[cell]);
        }
    }
    return true;
}

// Where pieces of a side stand, and those of both sides that give support.
template <int W>
struct Standing {
    Bits<W> pieces, roots, links;
};

// Those of the side's pieces that the rules at the end of a turn take, if they apply everywhere.
template <int W>
[[nodiscard]] Bits<W> taken_everywhere(const Rules<W>& r, const Standing<W>& at, const Support<W>& support) {
    const Bits<W> supported = at.roots | (at.links & support.link_area) | support.area.without(at.roots | at.links);
    Bits<W> found;
    for (int index : r.end_rules) {
        Bits<W> taken = at.pieces;
        for (const Term& term : r.rules[index].terms)
            taken = term.expected ? taken & supported : taken.without(supported);
        found |= taken;
    }
    return found;
}

// The pieces of the side to move that the rules at the end of a turn take on this board.
template <int W>
[[nodiscard]] Bits<W> taken_by_end(const State<W>& s, const Support<W>& support) {
    const Rules<W>& r = *s.rules;
    if (r.ends_everywhere) return taken_everywhere(r, {s.occupied[s.side_to_move], s.roots, s.links}, support);
    Bits<W> found;
    for (int index : r.end_rules) {
        const auto& rule = r.rules[index];
        (s.occupied[s.side_to_move] & ~found).each([&](Point point) {
            const Piece piece = s.board[r.cell_of[point]];
            if (!rule.where[piece].test(point)) return false;
            const bool supported = area_of(s, r.info[piece].role, support).test(point);
            for (const Term& term : rule.terms)
                if (term.expected != supported) return false;
            found.set(point);
            return false;
        });
    }
    return found;
}

// The pieces of the side to move that the end of its turn takes unless its move prevents it.
template <int W>
[[nodiscard]] Bits<W> stranded(const State<W>& s) {
    return taken_by_end(s, support_now(s));
}

// Takes what the end of the turn takes, once the move stands on the board and before the turn passes. Links on
// `granted` have support.
template <int W>
void take_at_end(State<W>& s, const Bits<W>& granted) {
    const Rules<W>& r = *s.rules;
    const Side taker = ~s.side_to_move;
    const Support<W>& now = support_now(s);  // which the opponent's moves ask for, too
    const bool helps = (granted & s.links).without(now.links).any();
    s.taken_at_end = taken_by_end(s, helps ? support_by(r, s.roots, s.links, granted) : now);
    s.taken_at_end.each([&](Point point) {
        const Cell cell = r.cell_of[point];
        const int slot = r.info[s.board[cell]].captured;
        s.put(cell, EMPTY);
        if (slot >= 0) s.put_in_hand(taker, slot, s.hand[taker][slot] + 1);
        return false;
    });
}

// Shifts the window so that the anchor, which stands on `anchor`, stands in the middle; false, and nothing done, if a
// piece would fall outside.
template <int W>
[[nodiscard]] bool recentre(State<W>& s, Cell anchor) {
    const Rules<W>& r = *s.rules;
    if (anchor == r.middle) return true;
    if (s.everyone().without(r.window[r.point_of[anchor]]).any()) return false;
    s.shift(r.middle - anchor);
    return true;
}

}  // namespace komadai
