// To which pieces the rules of compound moves apply, and which pieces may threaten a side's survival. Functions of a
// State.
#pragma once

#include "ends.hpp"

namespace komadai {

// The points that the lookers of a sight see, for a piece of side `asked`.
template <int W>
[[nodiscard]] Bits<W> seen_by(const State<W>& s, int index, Side asked) {
    const Rules<W>& r = *s.rules;
    const auto& sight = r.sights[size_t(index)];
    Bits<W> points;
    if (sight.lookers[asked] < 0) return points;
    s.watched[size_t(sight.lookers[asked])].each([&](Point point) {
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
            holds = near.watch[side] >= 0 && (near.around[point] & s.watched[size_t(near.watch[side])]).any();
        } else if (term.condition == Condition::HAS) {
            holds = has_piece(s, term.argument, side);
        } else if (term.condition == Condition::IN_SIGHT) {
            holds = seen_by(s, term.argument, side).test(point);
        }
        return holds == term.expected;
    });
}

// The opponent's pieces, one of whose moves may matter to the survival of the side: all but those that change nothing
// about themselves but their place, and in whose reach nothing matters.
template <int W>
[[nodiscard]] Bits<W> threats_to(const State<W>& s, Side side) {
    const Rules<W>& r = *s.rules;
    Bits<W> found, asked;
    s.occupied[side].each([&](Point point) {
        const auto& info = r.info[s.board[r.cell_of[point]]];
        if (info.critical || info.triggers_rules) asked.set(point);
        return false;
    });
    auto triggers = [&](Piece piece) { return r.info[piece].triggers_rules; };
    s.occupied[~side].each([&](Point point) {
        const Piece piece = s.board[r.cell_of[point]];
        const auto& info = r.info[piece];
        const auto& outlook = r.outlook[piece];
        const auto& leads = r.sets.reach[s.site[point]];
        if (info.range >= 0 || info.acts_on_arrival || triggers(piece) || triggers(info.captures_promote_to) ||
            std::ranges::any_of(info.results, triggers) ||
            asked.meets(outlook.empty() ? leads.leaps | leads.slides : outlook[point]))
            found.set(point);
        return false;
    });
    return found;
}

}  // namespace komadai
