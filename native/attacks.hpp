// Attacks on a board by single leaps and slides, as functions of a State. Own royal pieces may be left attacked.
#pragma once

#include <algorithm>

#include "state.hpp"

namespace komadai {

// True if a piece, not necessarily on the board, slides from `from` to `target`; `pieces` block, apart from those on
// the two points.
template <int W>
[[nodiscard]] inline bool slides_to(const Rules<W>& r, Piece piece, Point from, Point target, const Bits<W>& pieces) {
    if (!r.slides(piece, from).test(target)) return false;
    return r.each_ray(target, from, [&](int vector, int distance) {
        return (!r.rays_meet || r.slides_over(piece, vector ^ 1, distance)) &&
               !r.sets.between(target, from, vector).meets(pieces);
    });
}

// True if a piece of `by` leaps to `target`.
template <int W>
[[nodiscard]] inline bool leapt_to(const State<W>& s, Point target, Side by, const Bits<W>& gone) {
    const auto& sets = s.rules->sets;
    return (s.occupied[by] & sets.leapt_from[by][target]).without(gone).each([&](Point from) {
        return sets.reach[s.site[from]].leaps.test(target);
    });
}

// Calls visit(from) for the pieces of `by` that slide to `target`, until it returns true; returns whether it did.
// `pieces` block; those of them that are not on the board any more are not among them.
template <int W, class Visit>
[[gnu::always_inline]] inline bool each_slider_to(const State<W>& s, Point target, Side by, const Bits<W>& pieces,
                                                  Visit visit) {
    const Rules<W>& r = *s.rules;
    return (s.sliding(by) & pieces & r.rays[target]).each([&](Point from) {
        return slides_to(r, s.board[r.cell_of[from]], from, target, pieces) && visit(from);
    });
}

// Calls visit(to, delta, distance) for every way of the piece on `from` to a point where it may land, its side's own
// pieces left aside, until it returns true; returns whether it did. The way goes `distance` times by `delta`. Of
// irregular games. `prey` counts as a piece of the opponent's, `gone` as empty.
template <int W, class Visit>
[[nodiscard]] bool each_way(const State<W>& s, Cell from, Cell prey, Cell gone, Visit visit) {
    const Rules<W>& r = *s.rules;
    const Side side = side_of(s.board[from]);
    auto stands = [&](Cell cell) { return cell == prey || (cell != gone && s.board[cell] != EMPTY); };
    auto moves_as = [&](Piece piece) {
        const auto& info = r.info[piece];
        for (const auto* rays : {&info.leaps, &info.slides})
            for (const auto& ray : *rays) {
                Cell to = Cell(from + ray.delta);
                for (int distance = 1; distance <= ray.reach && r.on_board[to]; ++distance, to = Cell(to + ray.delta)) {
                    if (visit(to, ray.delta, distance)) return true;
                    if (stands(to)) break;
                }
            }
        return std::ranges::any_of(info.special_legs, [&](const LegTable& leg) {
            const int delta = r.deltas[leg.vector];
            bool over = !leg.hops;  // it has hopped
            Cell to = Cell(from + delta);
            for (int distance = 1; distance <= leg.reach && r.on_board[to]; ++distance, to = Cell(to + delta)) {
                const bool occupied = stands(to);
                if (over && (occupied ? leg.captures : leg.quiet) && visit(to, delta, distance)) return true;
                if (over && occupied) break;
                over |= occupied;
            }
            return false;
        });
    };
    bool borrows = false;
    for (const int delta : r.lender_deltas[side]) {
        const Cell cell = Cell(from + delta);
        if (!r.on_board[cell] || !stands(cell)) continue;
        const bool own = cell != prey && side_of(s.board[cell]) == side;
        if (s.board[cell] == EMPTY || !(own ? r.lent_by_own : r.lent_by_enemy)) continue;
        borrows = true;
        if (moves_as(piece_of(kind_of(s.board[cell]), side))) return true;
    }
    return (!borrows || r.lent_besides) && moves_as(s.board[from]);
}

// Calls visit(to) for every point where the piece on `from` may land; otherwise as each_way().
template <int W, class Visit>
[[nodiscard]] bool each_landing(const State<W>& s, Cell from, Cell prey, Cell gone, Visit visit) {
    return each_way(s, from, prey, gone, [&](Cell to, int, int) { return visit(to); });
}

// As attacked(), in irregular games.
template <int W>
[[nodiscard]] [[gnu::noinline]] bool attacked_irregularly(const State<W>& s, Cell target, Side by, Cell ignore) {
    return s.occupied[by].each([&](Point point) {
        const Cell from = s.rules->cell_of[point];
        return from != ignore && from != target &&
               each_landing(s, from, target, ignore, [&](Cell to) { return to == target; });
    });
}

// As attacked(), in regular games.
template <int W>
[[nodiscard]] bool attacked_regularly(const State<W>& s, Cell target, Side by, Cell ignore = NO_CELL) {
    const Point there = s.rules->point_of[target];
    Bits<W> gone;
    if (ignore != NO_CELL) gone.set(s.rules->point_of[ignore]);
    return leapt_to(s, there, by, gone) ||
           each_slider_to(s, there, by, s.everyone().without(gone), [](Point) { return true; });
}

// True if `by` attacks `target`; a piece on `ignore` neither does nor blocks.
template <int W>
[[nodiscard]] inline bool attacked(const State<W>& s, Cell target, Side by, Cell ignore = NO_CELL) {
    return s.rules->irregular ? attacked_irregularly(s, target, by, ignore) : attacked_regularly(s, target, by, ignore);
}

// The targets of the leaps of the royal piece on `from` that are not its side's and that the opponent does not attack
// once it has left.
template <int W>
[[nodiscard]] Bits<W> safe_leaps(const State<W>& s, Point from, Side us) {
    const auto& sets = s.rules->sets;
    Bits<W> points = sets.reach[s.site[from]].leaps.without(s.occupied[us]);
    if (!points.any()) return points;
    (s.occupied[~us] & sets.leapt_beside[~us][from]).each([&](Point point) {
        return points = points.without(sets.reach[s.site[point]].leaps), false;
    });
    Bits<W> pieces = s.everyone();
    pieces.reset(from);
    s.sliding(~us).each([&](Point point) {
        const uint32_t site = s.site[point];
        if (points.meets(sets.reach[site].slides)) points = points.without(sets.slid(site, pieces));
        return false;
    });
    return points;
}

template <int W>
[[nodiscard]] [[gnu::noinline]] bool survival_attacked(const State<W>& s, Side side);  // see ends.hpp

// True if a royal piece of the side is attacked, or its survival where that has to be guarded.
template <int W>
[[nodiscard]] bool royal_attacked(const State<W>& s, Side side) {
    const Rules<W>& r = *s.rules;
    if (r.single_royal) return s.royal[side] != NO_CELL && attacked_regularly(s, s.royal[side], ~side);
    if (r.guarded && survival_attacked(s, side)) return true;
    return s.occupied[side].each([&](Point point) {
        const Cell cell = r.cell_of[point];
        return r.info[s.board[cell]].royal && attacked(s, cell, ~side);
    });
}

// True if `piece`, on `from`, would attack `target`.
template <int W>
[[nodiscard]] inline bool aims(const State<W>& s, Piece piece, Cell from, Cell target) {
    const Rules<W>& r = *s.rules;
    const Point start = r.point_of[from], there = r.point_of[target];
    return r.leaps(piece, start).test(there) || slides_to(r, piece, start, there, s.everyone());
}

// True if the move just made attacks the royal piece of the side to move, directly or by discovery.
template <int W>
[[nodiscard]] inline bool gave_check(const State<W>& s, Move move) {
    const Rules<W>& r = *s.rules;
    const Cell royal = s.royal[s.side_to_move];
    if (royal == NO_CELL) return false;
    if (aims(s, move.piece, move.to, royal)) return true;
    const Point there = r.point_of[royal];
    return !move.is_drop() && r.rays[there].test(r.point_of[move.from]) &&
           each_slider_to(s, there, ~s.side_to_move, s.everyone(), [](Point) { return true; });
}

// The least of the side's pieces that attack `target`, by `worth(piece)`; pieces on `gone` do not block or count.
template <int W, class Worth>
[[nodiscard]] Cell least_attacker(const State<W>& s, Cell target, Side by, const Bits<W>& gone, Worth worth) {
    const Rules<W>& r = *s.rules;
    const Point there = r.point_of[target];
    Cell found = NO_CELL;
    int least = 0;
    auto consider = [&](Point point) {
        const Cell cell = r.cell_of[point];
        if (int price = worth(s.board[cell]); found == NO_CELL || price < least) {
            found = cell;
            least = price;
        }
        return false;
    };
    (s.occupied[by] & r.sets.leapt_from[by][there]).without(gone).each([&](Point point) {
        return r.sets.reach[s.site[point]].leaps.test(there) && consider(point);
    });
    each_slider_to(s, there, by, s.everyone().without(gone), consider);
    return found;
}

// The points from which `piece` would attack the opponent's royal piece, with those of pieces to be captured.
template <int W>
[[nodiscard]] inline Bits<W> aiming_points(const State<W>& s, Piece piece) {
    const Rules<W>& r = *s.rules;
    const Cell royal = s.royal[~side_of(piece)];
    if (royal == NO_CELL) return {};
    const uint32_t site = r.site(piece, r.point_of[royal]);
    return r.sets.leaps_onto[site] | r.sets.slid_onto(site, s.everyone());
}

// The empty ones of these points.
template <int W>
[[nodiscard]] inline Bits<W> checking_points(const State<W>& s, Piece piece) {
    return aiming_points(s, piece).without(s.everyone());
}

// The mover's pieces whose move may open a line of an attack on the opponent's royal piece: those that come first on
// it, before a piece that would attack along it, or that may themselves come to attack along it.
template <int W>
[[nodiscard]] Bits<W> screens(const State<W>& s) {
    const Rules<W>& r = *s.rules;
    Bits<W> points;
    const Point royal = r.point_of[s.royal[~s.side_to_move]];
    const Bits<W> pieces = s.everyone();
    (s.may_slide(s.side_to_move) & r.rays[royal]).each([&](Point slider) {
        const Piece piece = s.board[r.cell_of[slider]];
        return r.each_ray(royal, slider, [&](int vector, int distance) {
            const Bits<W> stops = r.sets.between(royal, slider, vector) & pieces;
            const int count = stops.count(), back = vector ^ 1;
            if (count == 0 && std::ranges::any_of(r.info[piece].results,
                                                  [&](Piece one) { return r.info[one].slide_bits >> back & 1; }))
                points.set(slider);
            else if (count == 1 && r.slides_over(piece, back, distance))
                points |= stops & s.occupied[s.side_to_move];
            return false;
        });
    });
    return points;
}

// True if the opponent's royal piece is attacked once `from` is empty and `piece` of the mover stands on `to`.
template <int W>
[[nodiscard]] bool exposes(const State<W>& s, Cell from, Cell to, Piece piece) {
    const Rules<W>& r = *s.rules;
    const Side us = s.side_to_move;
    const Point royal = r.point_of[s.royal[~us]], target = r.point_of[to];
    Bits<W> gone, pieces = s.everyone();
    gone.set(r.point_of[from]);
    gone.set(target);
    pieces.reset(r.point_of[from]);
    if (r.leaps(piece, target).test(royal) || slides_to(r, piece, target, royal, pieces)) return true;
    pieces.set(target);
    return leapt_to(s, royal, us, gone) || (s.sliding(us) & r.rays[royal]).without(gone).each([&](Point slider) {
        return slides_to(r, s.board[r.cell_of[slider]], slider, royal, pieces);
    });
}

}  // namespace komadai
