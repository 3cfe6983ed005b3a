// What holds pieces on the field: support, what the end of a turn takes, and the window of an unbounded field.
#pragma once

#include "position.hpp"

namespace komadai {

// Support without the pieces on `gone`; links on `granted` count as supported whatever holds them.
template <int W>
typename Position<W>::Held Position<W>::held_without(const Bits<W>& gone, const Bits<W>& granted) const {
    Held held;
    (roots_ & ~gone).each([&](Point point) {
        held.area |= rules_->beside[point];
        held.link_area |= rules_->link_reach[point];
        return false;
    });
    Bits<W> waiting = links_ & ~gone;
    if (!waiting.any()) return held;
    for (Bits<W> fresh = waiting & (held.link_area | granted); fresh.any(); fresh = waiting & held.link_area) {
        held.links |= fresh;
        waiting &= ~fresh;
        fresh.each([&](Point point) {
            held.area |= rules_->beside[point];
            held.link_area |= rules_->beside[point];
            return false;
        });
    }
    return held;
}

// The points, other than their own, that the pieces wanted by `nears[index]` are at the right distance from.
template <int W>
Bits<W> Position<W>::near_without(int index, const Bits<W>& gone) const {
    const auto& near = rules_->nears[index];
    const auto& wanted = near.wanted[turn_];
    const Held support = near.supported ? held_without(gone, {}) : Held{};
    Bits<W> points;
    Bits<W> asked = near.among == Role::ROOT   ? roots_
                    : near.among == Role::LINK ? links_
                                               : occupied_[BLACK] | occupied_[WHITE];
    (asked & ~gone).each([&](Point point) {
        Piece piece = board_[rules_->cell_of[point]];
        if (!wanted[piece]) return false;
        if (near.supported && !support_of(rules_->info[piece].role, support).test(point)) return false;
        points |= near.around[point];
        return false;
    });
    return points;
}

template <int W>
const Bits<W>& Position<W>::near_points(int index) const {
    auto& [points, stamp] = near_[index];
    if (stamp != stamp_) {
        points = near_without(index, {});
        stamp = stamp_;
    }
    return points;
}

template <int W>
bool Position<W>::is_near(int index, Move move) const {
    const auto& near = rules_->nears[index];
    const auto& wanted = near.wanted[turn_];
    Point target = rules_->point_of[move.to];
    // Neither the mover nor what it captures is another piece, or holds one.
    bool counts = wanted[board_[move.to]] || (!move.is_drop() && wanted[board_[move.from]]) ||
                  (near.supported && !leaves_support(move));
    return (counts ? near_without(index, lifted(move)) : near_points(index)).test(target);
}

// What is no longer where it was once the move is made: the mover and what it captures.
template <int W>
Bits<W> Position<W>::lifted(Move move) const {
    Bits<W> points;
    if (!move.is_drop()) points.set(rules_->point_of[move.from]);
    points.set(rules_->point_of[move.to]);
    return points;
}

// Support as the mover finds it: without itself and what it captures.
template <int W>
typename Position<W>::Held Position<W>::held_for(Move move) const {
    return leaves_support(move) ? held() : held_without(lifted(move), {});
}

template <int W>
bool Position<W>::is_supported(Move move) const {
    Role role = rules_->info[move.piece].role;
    if (role == Role::ROOT) return true;
    Point target = rules_->point_of[move.to];
    return leaves_support(move) ? support_of(role, held()).test(target) : support_of(role, held_for(move)).test(target);
}

// Whether every way of the mover to its target passes a point where it would have no support.
template <int W>
bool Position<W>::beyond_support(Move move) const {
    const auto& info = rules_->info[board_[move.from]];
    const Bits<W> supported = support_of(rules_->info[move.piece].role, held_for(move));
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
            if (board_[cell] != EMPTY) break;
            beyond |= !supported.test(rules_->point_of[cell]);
        }
    }
    return true;
}

// The pieces of the side to move that the rules on the end of a turn strike on this board.
template <int W>
Bits<W> Position<W>::struck(const Held& held) const {
    Bits<W> found;
    for (int index : rules_->end_rules) {
        const auto& rule = rules_->rules[index];
        (occupied_[turn_] & ~found).each([&](Point point) {
            Piece piece = board_[rules_->cell_of[point]];
            if (!rule.where[piece].test(point)) return false;
            bool supported = support_of(rules_->info[piece].role, held).test(point);
            for (const Question& question : rule.questions)
                if (question.holds != supported) return false;
            found.set(point);
            return false;
        });
    }
    return found;
}

// Takes what the end of the turn takes; to be called once the move stands on the board and before the turn passes.
template <int W>
void Position<W>::end_turn(const Bits<W>& granted) {
    taken_ = struck(held_without({}, granted));
    taken_.each([&](Point point) {
        Cell cell = rules_->cell_of[point];
        int slot = rules_->info[board_[cell]].captured;
        put(cell, EMPTY);
        if (slot >= 0) put_in_hand(~turn_, slot, hand_[~turn_][slot] + 1);
        return false;
    });
}

// Moves the window so that the anchor stands in the middle; false, and nothing done, if a piece would fall outside.
template <int W>
bool Position<W>::recentre() {
    Cell anchor = NO_CELL;
    std::array<std::pair<Cell, Piece>, 64 * W> standing;
    size_t count = 0;
    (occupied_[BLACK] | occupied_[WHITE]).each([&](Point point) {
        Cell cell = rules_->cell_of[point];
        standing[count++] = {cell, board_[cell]};
        if (board_[cell] == rules_->anchor) anchor = cell;
        return false;
    });
    if (anchor == NO_CELL || anchor == rules_->middle) return true;
    int shift = rules_->middle - anchor;
    for (size_t i = 0; i < count; ++i)
        if (int to = standing[i].first + shift; to < 0 || to >= rules_->cells || board_[to] == WALL) return false;
    for (size_t i = 0; i < count; ++i) put(standing[i].first, EMPTY);
    for (size_t i = 0; i < count; ++i) put(Cell(standing[i].first + shift), standing[i].second);
    return true;
}

template <int W>
Bits<W> Position<W>::losses(Move move) {
    const Side mover = turn_;
    const Bits<W> before = occupied_[mover];
    push(move);
    Bits<W> lost = rules_->end_rules.empty() ? Bits<W>{} : taken_;
    if (rules_->turns) {
        lost = before & ~occupied_[mover];
        lost.reset(rules_->point_of[move.from]);
        if (move.piece == EMPTY) lost.set(rules_->point_of[move.to]);
    }
    pop();
    return lost;
}

// Whether the move leaves the mover's royal pieces safe and everything inside the window: makes it and looks.
template <int W>
bool Position<W>::stands(Move move) {
    push(move);
    bool stood = !outside_ && !in_check(~turn_);
    pop();
    return stood;
}

// Whether the end of the turn might take something after the move, or the window might move.
template <int W>
bool Position<W>::unsettled(Move move) const {
    if (try_all_ || move.piece == rules_->anchor) return true;
    if (rules_->end_rules.empty()) return false;
    return !leaves_support(move) || !held().area.test(rules_->point_of[move.to]);
}

}  // namespace komadai
