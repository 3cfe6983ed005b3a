// Attacks on a board by single leaps and slides, as functions of a State. Own royal pieces may be left attacked.
#pragma once

#include <algorithm>

#include "state.hpp"

namespace komadai {

// True if the piece slides over that distance along a vector, if nothing stands between.
template <int W>
[[nodiscard]] inline bool slides_over(const typename Rules<W>::PieceInfo& info, int vector, int distance) {
    return info.slide_bits >> vector & 1 && info.reach[vector] >= distance;
}

// True if the piece attacks along the opposite of `back` over that distance, if nothing stands between.
template <int W>
[[nodiscard]] inline bool reaches(const typename Rules<W>::PieceInfo& info, int back, int distance) {
    return (info.slide_bits >> back & 1 && info.reach[back] >= distance) ||
           (distance == 1 && info.leap_bits >> back & 1);
}

// True if a piece of `by` leaps to `target`, apart from one on `ignore`.
template <int W>
[[nodiscard]] bool leapt_to(const State<W>& s, Cell target, Side by, Cell ignore = NO_CELL) {
    const Rules<W>& r = *s.rules;
    const Point there = r.point_of[target];
    return (s.occupied[by] & r.leapt_from[there]).each([&](Point point) {
        const Cell from = r.cell_of[point];
        return from != ignore && r.leaps(s.board[from], point).test(there);
    });
}

// True if the piece on `from` slides to `target`; one on `ignore` does not block.
template <int W>
[[nodiscard]] inline bool slides_from(const State<W>& s, Cell from, Cell target, Cell ignore) {
    const Rules<W>& r = *s.rules;
    return r.each_ray(target, from, [&](int vector, int distance) {
        if (!slides_over<W>(r.info[s.board[from]], vector ^ 1, distance)) return false;
        Cell cell = target;
        do cell = Cell(cell + r.deltas[vector]);
        while (cell != from && (s.board[cell] == EMPTY || cell == ignore));
        return cell == from;
    });
}

// True if a piece of `by` slides to `target`; a piece on `ignore` neither does nor blocks.
template <int W>
[[nodiscard]] bool slid_to(const State<W>& s, Cell target, Side by, Cell ignore = NO_CELL) {
    const Rules<W>& r = *s.rules;
    return (s.occupied[by] & s.sliders & r.rays[r.point_of[target]]).each([&](Point point) {
        const Cell from = r.cell_of[point];
        return from != ignore && slides_from(s, from, target, ignore);
    });
}

// True if `by` attacks `target`; a piece on `ignore` does not block.
template <int W>
[[nodiscard]] bool attacked(const State<W>& s, Cell target, Side by, Cell ignore = NO_CELL) {
    return leapt_to(s, target, by, ignore) || slid_to(s, target, by, ignore);
}

// The targets of the leaps of the piece on `from` that are not its side's and that the opponent does not attack once it
// has left.
template <int W>
[[nodiscard]] Bits<W> safe_leaps(const State<W>& s, Cell from) {
    const Rules<W>& r = *s.rules;
    const Piece piece = s.board[from];
    const Side us = side_of(piece);
    Bits<W> points = r.leaps(piece, r.point_of[from]) & ~s.occupied[us];
    (s.occupied[~us] & r.leapt_from_twice[r.point_of[from]]).each([&](Point point) {
        return points &= ~r.leaps(s.board[r.cell_of[point]], point), false;
    });
    (s.occupied[~us] & s.sliders).each([&](Point point) {
        const Cell slider = r.cell_of[point];
        (points & r.reach(s.board[slider], point)).each([&](Point target) {
            if (slides_from(s, slider, r.cell_of[target], from)) points.reset(target);
            return false;
        });
        return !points.any();
    });
    return points;
}

// True if a royal piece of the side is attacked.
template <int W>
[[nodiscard]] bool royal_attacked(const State<W>& s, Side side) {
    const Rules<W>& r = *s.rules;
    if (r.single_royal) return s.royal[side] != NO_CELL && attacked(s, s.royal[side], ~side);
    return s.occupied[side].each([&](Point point) {
        const Cell cell = r.cell_of[point];
        return r.info[s.board[cell]].royal && attacked(s, cell, ~side);
    });
}

// True if `piece`, on `from`, would attack `target`.
template <int W>
[[nodiscard]] bool aims(const State<W>& s, Piece piece, Cell from, Cell target) {
    const Rules<W>& r = *s.rules;
    if (r.leaps(piece, r.point_of[from]).test(r.point_of[target])) return true;
    const auto& info = r.info[piece];
    return r.each_ray(target, from, [&](int vector, int distance) {
        const int back = vector ^ 1;
        if (!(info.slide_bits >> back & 1) || info.reach[back] < distance) return false;
        Cell cell = target;
        for (int step = 1; step < distance; ++step)
            if (cell = Cell(cell + r.deltas[vector]); s.board[cell] != EMPTY) return false;
        return true;
    });
}

// True if the move just made attacks the royal piece of the side to move, directly or by discovery.
template <int W>
[[nodiscard]] bool gave_check(const State<W>& s, Move move) {
    const Rules<W>& r = *s.rules;
    const Cell royal = s.royal[s.side_to_move];
    if (royal == NO_CELL) return false;
    if (aims(s, move.piece, move.to, royal)) return true;
    if (move.is_drop()) return false;
    return r.each_ray(royal, move.from, [&](int vector, int least) {
        const int delta = r.deltas[vector], back = vector ^ 1;
        int distance = 1;
        Cell cell = Cell(royal + delta);
        for (; s.board[cell] == EMPTY; ++distance) cell = Cell(cell + delta);
        const Piece piece = s.board[cell];
        if (distance < least || piece == WALL || !owned(piece, ~s.side_to_move)) return false;
        const auto& info = r.info[piece];
        return info.slide_bits >> back & 1 && info.reach[back] >= distance;
    });
}

// The least of the side's pieces that attack `target`, by `worth(piece)`; pieces on `gone` do not block or count.
template <int W, class Worth>
[[nodiscard]] Cell least_attacker(const State<W>& s, Cell target, Side by, const Bits<W>& gone, Worth worth) {
    const Rules<W>& r = *s.rules;
    Cell found = NO_CELL;
    int least = 0;
    auto consider = [&](Cell cell, Piece piece) {
        if (int price = worth(piece); found == NO_CELL || price < least) {
            found = cell;
            least = price;
        }
    };
    for (int v : r.ray_vectors) {
        const int delta = r.deltas[v];
        Cell cell = target;
        for (int distance = 1;; ++distance) {
            cell = Cell(cell + delta);
            const Piece piece = s.board[cell];
            if (piece == EMPTY) continue;
            if (piece == WALL) break;
            if (gone.test(r.point_of[cell])) continue;
            if (owned(piece, by) && reaches<W>(r.info[piece], v ^ 1, distance)) consider(cell, piece);
            break;
        }
    }
    for (int v : r.leap_vectors) {
        const Cell cell = Cell(target + r.deltas[v]);
        const Piece piece = s.board[cell];
        if (piece != WALL && owned(piece, by) && !gone.test(r.point_of[cell]) && r.info[piece].leap_bits >> (v ^ 1) & 1)
            consider(cell, piece);
    }
    return found;
}

// Calls visit(to) for every cell that the piece on `from` attacks or covers by sliding.
template <int W, class Visit>
[[gnu::always_inline]] inline void each_slide(const State<W>& s, Cell from, Visit visit) {
    for (const auto& slide : s.rules->info[s.board[from]].slides) {
        Cell to = from;
        for (int distance = 1; distance <= slide.reach; ++distance) {
            to = Cell(to + slide.delta);
            if (s.board[to] == WALL) break;
            visit(to);
            if (s.board[to] != EMPTY) break;
        }
    }
}

// The empty points from which `piece` would attack the opponent's royal piece.
template <int W>
[[nodiscard]] Bits<W> checking_points(const State<W>& s, Piece piece) {
    const Rules<W>& r = *s.rules;
    Bits<W> points;
    const Cell royal = s.royal[~side_of(piece)];
    if (royal == NO_CELL) return points;
    points = r.leaps_onto(piece, r.point_of[royal]) & ~(s.occupied[BLACK] | s.occupied[WHITE]);
    for (const auto& slide : r.info[piece].slides) {
        Cell cell = Cell(royal - slide.delta);
        for (int distance = 1; distance <= slide.reach && s.board[cell] == EMPTY; ++distance) {
            points.set(r.point_of[cell]);
            cell = Cell(cell - slide.delta);
        }
    }
    return points;
}

// As checking_points, with the points of pieces to be captured.
template <int W>
[[nodiscard]] Bits<W> aiming_points(const State<W>& s, Piece piece) {
    const Rules<W>& r = *s.rules;
    Bits<W> points;
    const Cell royal = s.royal[~side_of(piece)];
    if (royal == NO_CELL) return points;
    points = r.leaps_onto(piece, r.point_of[royal]);
    for (const auto& slide : r.info[piece].slides) {
        Cell cell = Cell(royal - slide.delta);
        for (int distance = 1; distance <= slide.reach && s.board[cell] != WALL; ++distance) {
            points.set(r.point_of[cell]);
            if (s.board[cell] != EMPTY) break;
            cell = Cell(cell - slide.delta);
        }
    }
    return points;
}

// The mover's pieces whose move may open a line of an attack on the opponent's royal piece: those that come first on
// it, before a piece that would attack along it, or that may themselves come to attack along it.
template <int W>
[[nodiscard]] Bits<W> screens(const State<W>& s) {
    const Rules<W>& r = *s.rules;
    Bits<W> points;
    const Cell royal = s.royal[~s.side_to_move];
    (s.sliders & s.occupied[s.side_to_move] & r.rays[r.point_of[royal]]).each([&](Point point) {
        const Cell slider = r.cell_of[point];
        const auto& info = r.info[s.board[slider]];
        return r.each_ray(royal, slider, [&](int vector, int distance) {
            const int delta = r.deltas[vector], back = vector ^ 1;
            Cell cell = Cell(royal + delta);
            while (s.board[cell] == EMPTY) cell = Cell(cell + delta);
            const bool comes_first = cell == slider;
            const bool opens =
                comes_first ? std::ranges::any_of(info.results,
                                                  [&](Piece piece) { return r.info[piece].slide_bits >> back & 1; })
                            : owned(s.board[cell], s.side_to_move) && reaches<W>(info, back, distance);
            if (!opens) return false;
            const Point first = r.point_of[cell];
            while (cell != slider && s.board[cell = Cell(cell + delta)] == EMPTY) {
            }
            if (cell == slider) points.set(first);
            return false;
        });
    });
    return points;
}

// True if the opponent's royal piece is attacked once `from` is empty and `piece` of the mover stands on `to`.
template <int W>
[[nodiscard]] bool exposes(const State<W>& s, Cell from, Cell to, Piece piece) {
    const Rules<W>& r = *s.rules;
    const Cell royal = s.royal[~s.side_to_move];
    auto at = [&](Cell cell) { return cell == to ? piece : cell == from ? EMPTY : s.board[cell]; };
    auto attacks = [&](Piece there, int back, int distance) {
        return there != WALL && owned(there, s.side_to_move) && reaches<W>(r.info[there], back, distance);
    };
    for (int v : r.ray_vectors) {
        Cell cell = Cell(royal + r.deltas[v]);
        int distance = 1;
        for (; at(cell) == EMPTY; ++distance) cell = Cell(cell + r.deltas[v]);
        if (attacks(at(cell), v ^ 1, distance)) return true;
    }
    return std::ranges::any_of(r.leap_vectors, [&](int v) { return attacks(at(Cell(royal + r.deltas[v])), v ^ 1, 1); });
}

}  // namespace komadai
