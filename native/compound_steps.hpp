// Steps of a compound move: how they change the board, and which rules they set off. Members of CompoundMoves,
// instantiated in compound.cpp.
#pragma once

#include <algorithm>

#include "compound_rules.hpp"
#include "royal_moves.hpp"

namespace komadai {

[[nodiscard]] inline uint16_t tag_of(uint64_t trail) { return uint16_t(trail & 0xFFFF & ~uint64_t(TRAIL_CELL)); }

// --- Changes of the board ---

template <int W>
void CompoundMoves<W>::act(const Rule& rule, Point point) {
    auto affect = [&](Cell cell) {
        if (rule.action == Action::REMOVE) state_.put(cell, EMPTY);
        if (rule.action == Action::BECOME) become(cell, piece_of(rule.into, side_of(state_.board[cell])));
    };
    const Cell cell = rules_.cell_of[point];
    if (!rule.others) return affect(cell);
    const auto& targets = rule.targets[side_of(state_.board[cell])];
    const Bits<W> near = (state_.occupied[BLACK] | state_.occupied[WHITE]) & rule.around[point];
    Bits<W> affected;  // all of them, found before the first is changed
    near.each([&](Point other) {
        if (targets[state_.board[rules_.cell_of[other]]]) affected.set(other);
        return false;
    });
    affected.each([&](Point other) {
        if (state_.board[rules_.cell_of[other]] != EMPTY) affect(rules_.cell_of[other]);
        return false;
    });
}

template <int W>
void CompoundMoves<W>::become(Cell cell, Piece into) {
    if (state_.board[cell] == into) return;
    state_.put(cell, into);
    const Point point = rules_.point_of[cell];
    int acted = -1;  // the last rule, which acts once in whatever way it holds
    for (const auto& rule : rules_.on(Event::BECAME))
        if (rule.number != acted && state_.board[cell] != EMPTY && applies(state_, rule, point, state_.board[cell])) {
            acted = rule.number;
            act(rule, point);
        }
}

// Applies the rules at all times until none of them applies.
template <int W>
void CompoundMoves<W>::settle() {
    const auto& all = rules_.on(Event::AT_ALL_TIMES);
    for (bool acted = true; acted;) {
        acted = false;
        for (auto way = all.begin(); way != all.end() && !acted;) {
            const Rule& rule = *way;
            Bits<W> affected;  // in whatever way it holds for them
            for (; way != all.end() && way->number == rule.number; ++way) {
                const Bits<W> subjects = way->subjects ? state_.watched[*way->subjects] : state_.everyone();
                if (!subjects.any()) continue;  // mostly so: this is asked after each step, of a few kinds
                subjects.each([&](Point point) {
                    if (!applies(state_, *way, point, state_.board[rules_.cell_of[point]])) return false;
                    affected.set(point);
                    acted = true;
                    return false;
                });
            }
            if (!acted) continue;
            affected.each([&](Point point) {
                if (state_.board[rules_.cell_of[point]] != EMPTY) act(rule, point);
                return false;
            });
        }
    }
}

// Puts a piece that the side to move has taken in its hand, if it goes there.
template <int W>
void CompoundMoves<W>::gain(Piece taken) {
    const Side us = state_.side_to_move;
    const int slot = rules_.info[taken].captured;
    if (taken != EMPTY && slot >= 0) state_.put_in_hand(us, slot, state_.hand[us][slot] + 1);
}

// Finds what holds at the start of the turn of the side to move.
template <int W>
void CompoundMoves<W>::begin_turn() {
    start_ = start_of_turn(state_);
    find_granted();
}

template <int W>
void CompoundMoves<W>::find_granted() {
    if (!rules_.end_rules.empty()) granted_ = support_now(state_).links & state_.occupied[~state_.side_to_move];
}

// Takes what the rules about the end of the turn take.
template <int W>
void CompoundMoves<W>::end_turn() {
    if (rules_.end_rules.empty()) return;
    take_at_end(state_, granted_ & state_.links & state_.occupied[~state_.side_to_move]);
    settle();
}

// --- The steps of a move ---

template <int W>
bool CompoundMoves<W>::may_stand(const CompoundState& move, Piece piece) const {
    if (!rules_.info[move.mover].asks_landing || !move.has_landed()) return true;
    const auto& info = rules_.info[piece];
    return info.may_land.test(rules_.point_of[move.at]) &&
           (info.landing_rules.empty() || RoyalMoves<W>(state_).allows({move.at, move.at, piece, 0}));
}

template <int W>
void CompoundMoves<W>::land(CompoundState& move, Cell to, bool inert) {
    const Piece there = state_.board[to];
    land_in_zone(move, rules_.point_of[to], there);
    gain(there);
    state_.put(move.at, EMPTY);
    state_.put(to, move.now);
    if (!inert) take_effect(to);
    move.arrive(to, there);
    move.now = state_.board[to];
}

// Applies the rules about what has landed there.
template <int W>
void CompoundMoves<W>::take_effect(Cell to) {
    const Point point = rules_.point_of[to];
    settle();
    int acted = -1;
    for (const auto& rule : rules_.on(Event::ARRIVES))
        if (rule.number != acted && state_.board[to] != EMPTY && applies(state_, rule, point, state_.board[to])) {
            acted = rule.number;
            act(rule, point);
            settle();
        }
}

template <int W>
void CompoundMoves<W>::shoot(CompoundState& move, Cell target) {
    move.take(state_.board[target], target);
    gain(state_.board[target]);
    state_.put(target, EMPTY);
    settle();
    move.now = state_.board[move.at];
    ++move.shots;
    move.add(uint16_t(TRAIL_SHOT | target));
}

template <int W>
void CompoundMoves<W>::become(CompoundState& move, Piece into) {
    become(move.at, into);
    settle();
    move.now = state_.board[move.at];
}

// True if a capture of the move promotes the mover without a choice.
template <int W>
bool CompoundMoves<W>::promotes_by_force(const CompoundState& move) const {
    const auto& info = rules_.info[move.now];
    return info.captures_promote_to != EMPTY &&
           std::any_of(move.taken.begin(), move.taken.begin() + move.taken_count,
                       [&](Piece piece) { return info.promotes_by_capturing[piece]; });
}

// What the mover may be at the end of its move if no capture promotes it by force.
template <int W>
const std::vector<Change>& CompoundMoves<W>::results(const CompoundState& move) const {
    return rules_.info[move.now].changes[move_class(move)];
}

template <int W>
void CompoundMoves<W>::play(Move move) {
    find_granted();
    if (move.is_drop()) {
        const Side us = state_.side_to_move;
        state_.put_in_hand(us, move.from, state_.hand[us][move.from] - 1);
        state_.put(move.to, move.piece);
        take_effect(move.to);
        end_turn();
        return state_.remember(NO_POINT);
    }
    CompoundState played{state_.board[move.from], move.from, move.from, state_.board[move.from]};
    replay(played, move);
    end_turn();
    state_.remember(remembered(played));
}

template <int W>
void CompoundMoves<W>::replay(CompoundState& played, Move move) {
    uint64_t trail = move.trail;
    // A piece that shoots from its place does not land; one that returns to it has landed elsewhere before.
    const bool stays = move.from == move.to && tag_of(trail) == TRAIL_LAST_SHOT;
    for (; trail && tag_of(trail) != TRAIL_LAST_SHOT; trail >>= 16) {
        const auto cell = Cell(trail & TRAIL_CELL);
        tag_of(trail) == TRAIL_LANDING ? land(played, cell) : shoot(played, cell);
    }
    if (!stays) land(played, move.to);
    for (; trail; trail >>= 16) shoot(played, Cell(trail & TRAIL_CELL));
    if (played.now == EMPTY) return;
    if (promotes_by_force(played)) return become(played, rules_.info[played.now].captures_promote_to);
    for (const Change& change : results(played))
        if (change.flags == move.flags && (!(move.flags & CHOOSES) || change.piece == move.piece))
            return become(played, change.piece);
}

}  // namespace komadai
