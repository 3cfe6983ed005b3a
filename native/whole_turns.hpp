// Rules about whole turns: what a turn of landings takes, and whether that was protected. They are asked where a turn
// ends on the live state, whose mailbox they change for a moment. Members of CompoundMoves, instantiated in
// compound.cpp.
#pragma once

#include <utility>

#include "compound.hpp"

namespace komadai {

template <int W>
bool CompoundMoves<W>::forbidden(const CompoundState& move) {
    auto holds = [&](const Term& term) {
        if (term.condition == Condition::JUST_TAKEN) return state_.taken_on != NO_POINT;
        return takes(move, rules_.takes[size_t(term.argument)]);
    };
    return std::ranges::any_of(rules_.on(Event::WHOLE_TURN), [&](const Rule& rule) {
        return rule.where[move.mover].test(rules_.point_of[move.at]) &&
               std::ranges::all_of(rule.terms, [&](const Term& term) { return holds(term) == term.expected; });
    });
}

template <int W>
bool CompoundMoves<W>::takes(const CompoundState& move, const typename Rules<W>::Takes& asked) {
    auto away = [&](Point a, Point b) {
        const int width = rules_.width;
        return std::max(std::abs(a % width - b % width), std::abs(a / width - b / width));
    };
    for (int i = 0; i < move.taken_count; ++i) {
        if (!asked.wanted[state_.side_to_move][move.taken[size_t(i)]]) continue;
        const Cell cell = move.taken_at[size_t(i)];
        const Point point = rules_.point_of[cell];
        const int distance = away(rules_.point_of[move.from], point);
        if (distance < asked.least || distance > asked.most || (asked.elsewhere && point == state_.taken_on)) continue;
        if (!asked.is_protected || is_protected(move, cell)) return true;
    }
    return false;
}

// True if a piece of the opponent's could capture there, had the mover come there alone. What it has taken elsewhere is
// gone, but each piece of it could still capture. On the mailbox alone, which is left as it was.
template <int W>
bool CompoundMoves<W>::is_protected(const CompoundState& move, Cell target) {
    auto& board = state_.board;
    const Piece there = std::exchange(board[move.at], EMPTY);
    const Piece before = std::exchange(board[target], move.mover);
    bool found =
        state_.occupied[~state_.side_to_move].each([&](Point point) { return reaches(rules_.cell_of[point], target); });
    for (int i = 0; i < move.taken_count && !found; ++i) {
        const Cell cell = move.taken_at[size_t(i)];
        if (cell == target) continue;
        board[cell] = move.taken[size_t(i)];
        found = reaches(cell, target);
        board[cell] = EMPTY;
    }
    board[target] = before;
    board[move.at] = there;
    return found;
}

// True if some turn of the piece on `from` lands on `target`, as far as legs and walks tell. It looks at the mailbox
// alone, which is left as it was.
template <int W>
bool CompoundMoves<W>::reaches(Cell from, Cell target) {
    const Piece mover = state_.board[from], there = state_.board[target];
    const auto& info = rules_.info[mover];
    const Point start = rules_.point_of[from], end = rules_.point_of[target];
    if (!info.may_arrive.test(end)) return false;
    if (info.cannot_capture[there]) return false;
    auto any = [](Piece, uint16_t) { return true; };
    if (info.asks_landing && !each_result(info, rules_.move_class(mover, start, end, true), end, there, any))
        return false;
    for (const auto& leap : info.leaps)
        if (Cell(from + leap.delta) == target) return true;
    for (const auto& slide : info.slides) {
        Cell to = Cell(from + slide.delta);
        for (int left = slide.reach; left > 0; --left, to = Cell(to + slide.delta)) {
            if (to == target) return true;
            if (state_.board[to] != EMPTY) break;
        }
    }
    return std::ranges::any_of(info.walks, [&](const WalkTable& walk) {
        Bits<W> seen;
        if (!walk.revisits) seen.set(rules_.point_of[from]);
        return walks_to(walk, walk.first, 0, from, target, false, seen);
    });
}

// The same of a walk that has come to `at` by so many leaps, and may have landed on the target.
template <int W>
bool CompoundMoves<W>::walks_to(const WalkTable& walk, uint64_t vectors, int leaps, Cell at, Cell target, bool landed,
                                const Bits<W>& seen) {
    if (landed && leaps >= walk.least) return true;
    if (leaps == walk.most) return false;
    auto& board = state_.board;
    const Piece piece = board[at];
    const auto& info = rules_.info[piece];
    for (; vectors; vectors &= vectors - 1) {
        const int vector = std::countr_zero(vectors);
        const Cell to = Cell(at + rules_.deltas[size_t(vector)]);
        const Piece there = board[to];
        if (owned(there, side_of(piece)) || info.cannot_capture[there]) continue;
        const Point point = rules_.point_of[to];
        if (!info.may_land.test(point) || seen.test(point)) continue;
        Bits<W> been = seen;
        if (!walk.revisits) been.set(point);
        board[at] = EMPTY;
        board[to] = piece;
        const bool found =
            walks_to(walk, walk.next[size_t(vector)], leaps + 1, to, target, landed || to == target, been);
        board[to] = there;
        board[at] = piece;
        if (found) return true;
    }
    return false;
}

// The point of the last capture that the position after the turn remembers; NO_POINT: there is none.
template <int W>
Point CompoundMoves<W>::remembered(const CompoundState& move) const {
    if (!rules_.captors[move.mover]) return NO_POINT;
    const auto& wanted = rules_.remembered[side_of(move.mover)];
    for (int i = move.taken_count; i-- > 0;)
        if (wanted[move.taken[size_t(i)]]) return rules_.point_of[move.taken_at[size_t(i)]];
    return NO_POINT;
}

}  // namespace komadai
