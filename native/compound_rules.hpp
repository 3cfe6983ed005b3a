// To which pieces the rules of compound moves apply, at the start of a turn too, and which pieces may threaten a side's
// survival. Functions of a State.
#pragma once

#include "compound.hpp"

namespace komadai {

// The points that the lookers of a sight see, for a piece of side `asked`.
template <int W>
[[nodiscard]] Bits<W> seen_by(const State<W>& s, int index, Side asked) {
    const Rules<W>& r = *s.rules;
    const auto& sight = r.sights[size_t(index)];
    Bits<W> points;
    if (!sight.lookers[asked]) return points;
    s.watched[*sight.lookers[asked]].each([&](Point point) {
        const Cell from = r.cell_of[point];
        for (uint64_t vectors = sight.vectors[side_of(s.board[from])]; vectors; vectors &= vectors - 1) {
            const int delta = r.deltas[size_t(std::countr_zero(vectors))];
            for (Cell cell = Cell(from + delta); s.board[cell] != WALL; cell = Cell(cell + delta)) {
                if (s.board[cell] == EMPTY) continue;
                points.set(r.point_of[cell]);
                if (!sight.through) break;
            }
        }
        return false;
    });
    return points;
}

// True if the rule applies to the piece on that point.
template <int W>
[[nodiscard]] bool applies(const State<W>& s, const typename Rules<W>::CompoundRule& rule, Point point, Piece piece) {
    if (!rule.where[piece].test(point)) return false;
    const Side side = side_of(piece);
    return std::ranges::all_of(rule.terms, [&](const Term& term) {
        bool holds = false;
        if (term.condition == Condition::NEAR) {
            const auto& near = s.rules->nears[size_t(term.argument)];
            holds = near.watch[side] && near.around[point].meets(s.watched[*near.watch[side]]);
        } else if (term.condition == Condition::HAS) {
            holds = has_piece(s, term.argument, side);
        } else if (term.condition == Condition::IN_SIGHT) {
            holds = seen_by(s, term.argument, side).test(point);
        }
        return holds == term.expected;
    });
}

template <int W>
TurnStart<W> CompoundMoves<W>::start_of_turn(const State<W>& s) {
    const Rules<W>& r = *s.rules;
    const Side us = s.side_to_move;
    TurnStart<W> start;
    for (const auto& rule : r.on(Event::TURN_START)) {
        Bits<W> points = rule.subjects ? s.watched[*rule.subjects] & s.occupied[us] : s.occupied[us];
        for (const Term& term : rule.terms) {
            if (!points.any()) break;
            if (term.condition == Condition::HAS) {
                if (has_piece(s, term.argument, us) != term.expected) points = {};
            } else if (term.condition == Condition::IN_SIGHT) {
                const Bits<W> found = seen_by(s, term.argument, us);
                points &= term.expected ? found : ~found;
            }
        }
        const Bits<W> asked = points;
        asked.each([&](Point point) {
            if (!applies(s, rule, point, s.board[r.cell_of[point]])) points.reset(point);
            return false;
        });
        if (!points.any()) continue;
        if (rule.barred[us])
            start.barred.emplace_back(points, rule.barred[us]);
        else
            start.immobilized |= points;
    }
    for (const auto& rule : r.on(Event::ARRIVES)) {
        if (!rule.danger) continue;
        const auto& near = r.nears[*rule.danger];
        if (near.watch[us])
            s.watched[*near.watch[us]].each([&](Point point) {
                start.danger |= near.around[point];
                return false;
            });
    }
    return start;
}

// The opponent's pieces, one of whose moves may matter to the survival of the side: all but those that change nothing
// about themselves but their place, and in whose reach nothing matters.
template <int W>
[[nodiscard]] Bits<W> threats_to(const State<W>& s, Side side) {
    const Rules<W>& r = *s.rules;
    Bits<W> found, asked, near;  // near: from where a leap or slide may lead to what is asked for
    s.occupied[side].each([&](Point point) {
        const auto& info = r.info[s.board[r.cell_of[point]]];
        if (!info.critical && !info.triggers_rules) return false;
        asked.set(point);
        near |= r.rays[point] | r.sets.leapt_from[~side][point];
        return false;
    });
    s.occupied[~side].each([&](Point point) {
        const Piece piece = s.board[r.cell_of[point]];
        const auto& outlook = r.outlook[piece];
        const bool reaches = [&] {
            if (!outlook.empty()) return asked.meets(outlook[point]);
            if (!near.test(point)) return false;
            const auto& leads = r.sets.reach[s.site[point]];
            return asked.meets(leads.leaps | leads.slides);
        }();
        if (r.info[piece].far_reaching || reaches) found.set(point);
        return false;
    });
    return found;
}

}  // namespace komadai
