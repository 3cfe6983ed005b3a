// The ends of a game by what stands on the board: a side for which no conjunction of Rules::survives_if holds has lost,
// and one for which a conjunction of Rules::wins_if holds has won. Functions of a State.
#pragma once

#include <stdexcept>

#include "attacks.hpp"

namespace komadai {

// True if the side has a piece that `has[index]` names, once it has lost one `without`.
template <int W>
[[nodiscard]] inline bool has_piece(const State<W>& s, int index, Side side, Piece without = EMPTY) {
    return std::ranges::any_of(s.rules->has[size_t(index)][side],
                               [&](Piece piece) { return s.piece_count[piece] > (piece == without); });
}

// True if the side has a piece where `stands[index]` names it.
template <int W>
[[nodiscard]] [[gnu::noinline]] bool piece_stands(const State<W>& s, int index, Side side) {
    const auto& stands = s.rules->stands[size_t(index)];
    return (s.occupied[side] & stands.region[side]).each([&](Point point) {
        const Cell cell = s.rules->cell_of[point];
        return stands.wanted[side][s.board[cell]] && !(stands.safe && attacked(s, cell, ~side));
    });
}

// The number of pieces that `counts[index]` counts, as far as `enough`.
template <int W>
[[nodiscard]] [[gnu::noinline]] int count_up_to(const State<W>& s, int index, Side side, int enough) {
    const auto& asked = s.rules->counts[size_t(index)];
    int count = 0;
    for (const Side owner : {BLACK, WHITE})
        s.occupied[owner].without(asked.beyond[owner]).each([&](Point point) {
            count += asked.wanted[side][s.board[s.rules->cell_of[point]]];
            return count >= enough;
        });
    return count;
}

// True if there are as many pieces as `counts[index]` asks for.
template <int W>
[[nodiscard]] bool counted(const State<W>& s, int index, Side side) {
    const auto& asked = s.rules->counts[size_t(index)];
    const int count = count_up_to(s, index, side, asked.most + 1);
    return asked.least <= count && count <= asked.most;
}

// True if a piece stands beside another as `besides[index]` asks.
template <int W>
[[nodiscard]] [[gnu::noinline]] bool stands_beside(const State<W>& s, int index, Side side) {
    const Rules<W>& r = *s.rules;
    const auto& asked = r.besides[size_t(index)];
    return s.occupied[side].each([&](Point point) {
        if (!asked.wanted[side][s.board[r.cell_of[point]]]) return false;
        return (r.beside[point] & s.everyone()).each([&](Point near) {
            return bool(asked.others[side][s.board[r.cell_of[near]]]);
        });
    });
}

// True if a condition on the end of a game holds for the side, once it has lost a piece `without`.
template <int W>
[[nodiscard]] inline bool end_term_holds(const State<W>& s, const Term& term, Side side, Piece without) {
    switch (term.condition) {
        case Condition::HAS: return has_piece(s, term.argument, side, without);
        case Condition::STANDS: return piece_stands(s, term.argument, side);
        case Condition::COUNT: return counted(s, term.argument, side);
        case Condition::BESIDE: return stands_beside(s, term.argument, side);
        case Condition::GIVES_CHECK: return royal_attacked(s, ~side);
        default: throw std::logic_error("a condition that is asked of no end of a game");
    }
}

// The number of conjunctions that hold for the side, once it has lost a piece `without`.
template <int W>
[[nodiscard]] int ways_that_hold(const State<W>& s, const std::vector<std::vector<Term>>& ways, Side side,
                                 Piece without = EMPTY) {
    int holding = 0;
    for (const auto& way : ways)
        holding += std::ranges::all_of(
            way, [&](const Term& term) { return end_term_holds(s, term, side, without) == term.expected; });
    return holding;
}

template <int W>
[[nodiscard]] int ways_to_survive(const State<W>& s, Side side) {
    return ways_that_hold(s, s.rules->survives_if, side);
}

template <int W>
[[nodiscard]] bool survives(const State<W>& s, Side side) {
    return s.rules->survives_if.empty() || ways_to_survive(s, side) > 0;
}

// The end by extinction or by a goal. If it has come for both sides, the side that has just moved wins.
template <int W>
[[nodiscard]] Outcome end_on_board(const State<W>& s) {
    if (!s.rules->ends_on_board()) return {};
    const Side us = s.side_to_move;
    for (Side side : {us, ~us})
        if (!survives(s, side)) return {End::EXTINCTION, ~side};
    for (Side side : {~us, us})
        if (ways_that_hold(s, s.rules->wins_if, side) > 0) return {End::GOAL, side};
    return {};
}

// Where moves are single landings: whether the other side attacks a piece without which the side does not survive.
template <int W>
[[nodiscard]] bool survival_attacked(const State<W>& s, Side side) {
    const Rules<W>& r = *s.rules;
    if (r.survives_if.empty() || end_on_board(s).end != End::NONE) return false;
    return s.occupied[side].each([&](Point point) {
        const Cell cell = r.cell_of[point];
        const Piece piece = s.board[cell];
        return r.info[piece].critical && ways_that_hold(s, r.survives_if, side, piece) == 0 && attacked(s, cell, ~side);
    });
}

// The cell of the royal piece, or of the first piece that survives_if names; NO_CELL: there is none.
template <int W>
[[nodiscard]] Cell essential_cell(const State<W>& s, Side side) {
    const Rules<W>& r = *s.rules;
    if (!r.survival_set) return s.royal[side];
    Cell found = NO_CELL;
    (s.watched[*r.survival_set] & s.occupied[side]).each([&](Point point) {
        found = r.cell_of[point];
        return true;
    });
    return found;
}

}  // namespace komadai
