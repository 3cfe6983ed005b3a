#include "position.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace komadai {

template <int W>
void Position<W>::legal_captures(MoveList& moves, bool with_checks) {
    if (!rules().is_compound) return RoyalMoves<W>(state_).captures(moves, with_checks);
    legal_moves(moves);
    std::erase_if(moves, [&](const Move& move) { return !move.flags && !captures_anything(state_, move); });
}

template <int W>
void Position<W>::legal_checks(MoveList& moves) {
    // Where a move may change more than its origin and target, it has to be tried.
    rules().plain() ? RoyalMoves<W>(state_).checks(moves) : legal_checks_generic(moves);
}

template <int W>
void Position<W>::legal_checks_generic(MoveList& moves) {
    MoveList all;
    legal_moves(all);
    for (Move move : all) {
        push(move);
        const Takeback taken(*this);
        if (in_check(state_.side_to_move)) moves.push_back(move);
    }
}

template <int W>
uint64_t Position<W>::perft(int depth, bool bulk, bool generic, const std::function<void()>& poll) {
    using Clock = std::chrono::steady_clock;
    constexpr auto PAUSE = std::chrono::milliseconds(20);
    if (depth < 0 || depth >= MAX_PLY) throw std::invalid_argument("no such depth");
    std::vector<MoveList> lists(size_t(depth) + 1);
    const std::function<void()> paced = [&, next = Clock::now() + PAUSE]() mutable {
        if (Clock::now() < next) return;
        poll();
        next = Clock::now() + PAUSE;
    };
    return perft(depth, bulk, generic, paced, lists);
}

// `lists`: room for the moves at each depth.
template <int W>
uint64_t Position<W>::perft(int depth, bool bulk, bool generic, const std::function<void()>& poll,
                            std::vector<MoveList>& lists) {
    constexpr int polled =
        3;  // at this depth subtrees are small enough to wait for, and large enough to look at a clock
    if (depth == 0) return 1;
    if (depth == 1 && bulk && !generic) return count_legal_moves();
    if (depth >= polled) poll();
    MoveList& moves = lists[size_t(depth)];
    moves.clear();
    generic ? legal_moves_generic(moves) : legal_moves(moves);
    if (depth == 1 && bulk) return moves.size();
    uint64_t nodes = 0;
    const bool counts_next = depth == 2 && bulk && !generic;  // without a call in between
    for (const Move& move : moves) {
        push(move);
        const Takeback taken(*this);
        nodes += counts_next ? count_legal_moves() : depth == 1 ? 1 : perft(depth - 1, bulk, generic, poll, lists);
    }
    return nodes;
}

// Where a game may end by extinction: whether the last move attacks a royal piece, or threatens the only way in which
// the side to move survives.
template <int W>
bool Position<W>::threatens_the_last_way() {
    const Side us = state_.side_to_move;
    try {
        return royal_in_check(us) || (ways_to_survive(state_, us) == 1 && in_check(us));
    } catch (...) {
        pop();
        throw;
    }
}

template <int W>
Outcome Position<W>::outcome() {
    if (const Outcome end = end_on_board(state_); end.end != End::NONE) return end;
    if (!has_legal_move()) return outcome_without_moves();
    return state_.repetition(rules().repetition);
}

template <int W>
Move Position<W>::winning_move() {
    MoveList moves;
    legal_moves(moves);
    for (Move move : moves) {
        push_noting_check(move);
        const Takeback taken(*this);
        const Outcome end = outcome();
        if (end.end != End::NONE && end.winner == ~state_.side_to_move) return move;
    }
    return {};
}

template <int W>
Bits<W> Position<W>::losses(Move move) {
    const Side mover = state_.side_to_move;
    const Bits<W> before = state_.occupied[mover];
    push(move);
    Bits<W> lost = rules().end_rules.empty() ? Bits<W>{} : state_.taken_at_end;
    if (rules().is_compound) {
        lost = before & ~state_.occupied[mover];
        if (!move.is_drop()) lost.reset(rules().point_of[move.from]);
        if (!owned(state_.board[move.to], mover)) lost.set(rules().point_of[move.to]);
    }
    pop();
    return lost;
}

KOMADAI_FOR_EACH_SIZE(class Position)

}  // namespace komadai
