// Every turn of a piece, walked on the live state. Members of CompoundMoves, instantiated in compound.cpp.
//
// Of the turns that lead to equal positions one is kept: the one with the fewest points, among equals the first in
// plain order of the strings (docs/rules/ko.md, 6a). On long walks, states that an earlier string of as many points has
// reached are not explored again: points are tried in the order of their names, so that the earlier string was the
// smaller one.
#pragma once

#include <algorithm>
#include <utility>

#include "compound_scratch.hpp"
#include "compound_steps.hpp"

namespace komadai {

inline constexpr int LONG_WALK = 3;  // leaps from which on states are remembered

template <int W>
bool CompoundMoves<W>::may_shoot(const CompoundState& move, const WalkTable* walk) const {
    const auto& shots = rules_.info[move.mover].shots;
    if (shots.empty() || move.now == EMPTY || move.shots >= shots.front().targets) return false;
    const ShotTable& shot = shots.front();
    if (move.has_landed() && !shot.each_landing && !may_end(move, walk)) return false;
    if (move.has_landed() ? shot.standing == StandingShot::ONLY || (move.captured && !shot.after_capture)
                          : shot.standing == StandingShot::NEVER)
        return false;
    const Point point = rules_.point_of[move.at];
    return std::ranges::none_of(rules_.on(Event::SHOOTS),
                                [&](const auto& rule) { return applies(state_, rule, point, move.now); });
}

// Calls visit(cell) for every piece that a shot hits from the present cell, until it returns true.
template <int W>
template <class Visit>
bool CompoundMoves<W>::each_shot(const ShotTable& shot, const CompoundState& move, Visit visit) const {
    for (int vector : shot.vectors) {
        const int delta = rules_.deltas[size_t(vector)];
        Cell cell = move.at;
        for (int distance = 1; distance <= shot.reach; ++distance) {
            cell = Cell(cell + delta);
            const Piece there = state_.board[cell];
            if (there == EMPTY) continue;
            if (there == WALL) break;
            const int least = shot.least_distance[there];
            if (owned(there, ~state_.side_to_move) && least && distance >= least && visit(cell)) return true;
            if (!shot.over) break;
        }
    }
    return false;
}

template <int W>
typename CompoundMoves<W>::Written CompoundMoves<W>::written(const CompoundState& move) const {
    uint64_t trail = 0, order = uint64_t(move.items_count);
    int last = -1;
    for (int i = 0; i < move.items_count; ++i)
        if ((move.items[size_t(i)] & ~TRAIL_CELL) == TRAIL_LANDING) last = i;
    int written = 0;
    for (int i = 0; i < move.items_count; ++i) {
        const uint16_t item = move.items[size_t(i)];
        const bool landing = (item & ~TRAIL_CELL) == TRAIL_LANDING;
        order = order << 11 | uint64_t(landing) << 10 | rules_.name_order[rules_.point_of[item & TRAIL_CELL]];
        if (i == last) continue;
        const uint64_t tag = i > last ? TRAIL_LAST_SHOT : item & ~TRAIL_CELL;
        trail |= (tag | (item & TRAIL_CELL)) << (16 * written++);
    }
    return {trail, order};
}

// Records the move as finished here, once for each piece that the mover may become. `key` is the key of the position so
// far.
template <int W>
void CompoundMoves<W>::finish(const CompoundState& move, uint64_t key) {
    if (move.judged && forbidden(move)) return;
    const auto [trail, order] = written(move);
    auto& found = scratch_.found;
    auto record = [&, trail = trail, order = order](uint64_t after, Piece piece, uint16_t flags) {
        found.push_back({after, order << 1 | (flags != 0), {move.from, move.at, piece, flags, trail}});
    };
    const bool ends = !rules_.end_rules.empty();
    auto result = [&](Piece into, uint16_t flags) {
        if (!may_stand(move, into)) return;
        if (into == move.now && !ends) return record(key, into, flags);
        if (!rules_.info[into].triggers_rules && !rules_.info[move.now].triggers_rules && !ends) {
            const Point point = rules_.point_of[move.at];
            return record(key ^ rules_.key(move.now, point) ^ rules_.key(into, point), into, flags);
        }
        const size_t mark = state_.journal.size();
        CompoundState turned = move;
        become(turned, into);
        end_turn();
        record(state_.key, state_.board[move.at], flags);
        state_.rewind(mark);
    };
    if (move.now == EMPTY) {
        if (!may_stand(move, move.mover)) return;
        const size_t mark = state_.journal.size();
        end_turn();
        record(ends ? state_.key : key, EMPTY, 0);
        return state_.rewind(mark);
    }
    if (promotes_by_force(move)) return result(rules_.info[move.now].captures_promote_to, 0);
    for (const Change& change : results(move)) result(change.piece, change.flags);
}

// Calls visit(vector, cell) for each leap along one of `vectors` that the move may make.
template <int W>
template <class Visit>
void CompoundMoves<W>::each_leap(const CompoundState& move, uint64_t vectors, const Bits<W>& seen, Visit visit) const {
    const auto& info = rules_.info[move.mover];
    for (; vectors; vectors &= vectors - 1) {
        const int vector = std::countr_zero(vectors);
        const Cell to = Cell(move.at + rules_.deltas[size_t(vector)]);
        if (blocks(info, state_.board[to])) continue;
        const Point point = rules_.point_of[to];
        if (info.may_arrive.test(point) && !seen.test(point)) visit(vector, to);
    }
}

// Continues a walk by one leap along each of `vectors`.
template <int W>
void CompoundMoves<W>::leap(const CompoundState& move, const WalkTable& walk, uint64_t vectors, const Bits<W>& seen,
                            bool every_walk) {
    struct Next {
        uint16_t order;
        int vector;
        Cell to;
    };
    std::array<Next, MAX_VECTORS> next;
    size_t count = 0;
    each_leap(move, vectors, seen,
              [&](int vector, Cell to) { next[count++] = {rules_.name_order[rules_.point_of[to]], vector, to}; });
    if (walk.most >= LONG_WALK)
        std::sort(next.begin(), next.begin() + std::ptrdiff_t(count),
                  [](const Next& a, const Next& b) { return a.order < b.order; });
    for (size_t i = 0; i < count; ++i) {
        CompoundState gone = move;
        Bits<W> been = seen;
        if (!walk.revisits) {
            been.set(rules_.point_of[move.at]);
            been.set(rules_.point_of[next[i].to]);
        }
        if (!every_walk && move.landings + 1 == walk.most && finish_inert(gone, next[i].to)) continue;
        visit(gone, next[i].to, &walk, next[i].vector, been, every_walk);
    }
}

// Lands on a point, continues the move in every way, and takes it back.
template <int W>
void CompoundMoves<W>::visit(const CompoundState& move, Cell to, const WalkTable* walk, int vector, const Bits<W>& seen,
                             bool every_walk) {
    CompoundState gone = move;
    if (lifts_) {
        if (has_effects(rules_.point_of[to], state_.board[to])) {
            had_effects_ = true;
            return;
        }
        land_in_zone(gone, rules_.point_of[to], state_.board[to]);
        const Lifted<W> lifted(state_, move.at, to);
        gone.arrive(to, lifted.taken());
        return extend(gone, walk, vector, seen, false);
    }
    const size_t mark = state_.journal.size();
    land(gone, to,
         !every_walk && rules_.info[move.now].inert_midway && !has_effects(rules_.point_of[to], state_.board[to]));
    extend(gone, walk, vector, seen, every_walk);
    state_.rewind(mark);
}

// Records a last landing that changes nothing but two points, by its key alone; false, and nothing done, if it may have
// further effects.
template <int W>
bool CompoundMoves<W>::finish_inert(CompoundState& move, Cell to) {
    const auto& info = rules_.info[move.now];
    const Piece there = state_.board[to];
    const Point from = rules_.point_of[move.at], point = rules_.point_of[to];
    CompoundState landed = move;
    land_in_zone(landed, point, there);
    landed.arrive(to, there);
    if (move.judged || !info.inert[move_class(landed)] || has_effects(point, there) || in_range(info, point))
        return false;
    const uint64_t key =
        state_.key ^ rules_.key(move.now, from) ^ rules_.key(move.now, point) ^ rules_.key(there, point);
    move = landed;
    finish(move, key);
    return true;
}

// Continues the move in every way: it ends, shoots, or leaps on.
template <int W>
void CompoundMoves<W>::extend(CompoundState& move, const WalkTable* walk, int vector, const Bits<W>& seen,
                              bool every_walk) {
    const auto& info = rules_.info[move.mover];
    if (walk && walk->most >= LONG_WALK && !every_walk) {
        const bool any_way = walk->next[size_t(vector)] == walk->first;
        uint64_t state = mix(state_.key ^ mix(uint64_t(move.items_count) << 44 | uint64_t(move.landings) << 40 |
                                              uint64_t(move.shots) << 36 | uint64_t(move.at) << 16 |
                                              uint64_t(any_way ? 0 : vector) << 3 | move.captured << 2 |
                                              move.on_last_rank << 1 | move.in_zone));
        for (int i = 0; i < move.taken_count; ++i) state += mix(move.taken[size_t(i)]);
        if (!walk->revisits)
            for (uint64_t word : seen.word) state = mix(state ^ word);
        if (scratch_.revisited(state)) return;
    }
    if (may_end(move, walk)) finish(move, state_.key);
    if (move.now == EMPTY) return;
    // Where nothing may be in range it is not even asked.
    if ((every_walk || in_range(info, rules_.point_of[move.at])) && may_shoot(move, walk)) {
        const size_t mark = state_.journal.size();
        std::array<Cell, MAX_VECTORS * 25> targets;
        size_t count = 0;
        each_shot(info.shots.front(), move, [&](Cell cell) { return targets[count++] = cell, false; });
        std::sort(targets.begin(), targets.begin() + std::ptrdiff_t(count), [&](Cell a, Cell b) {
            return rules_.name_order[rules_.point_of[a]] < rules_.name_order[rules_.point_of[b]];
        });
        for (size_t i = 0; i < count; ++i) {
            CompoundState gone = move;
            shoot(gone, targets[i]);
            extend(gone, walk, vector, seen, every_walk);
            state_.rewind(mark);
        }
    }
    if (may_leap(move, walk)) leap(move, *walk, walk->next[size_t(vector)], seen, every_walk);
}

// Calls visit(to, piece there) for every cell that a single leg leads to, until it returns true.
template <int W>
template <class Visit>
inline bool CompoundMoves<W>::each_way(Cell from, uint64_t barred, Visit visit) const {
    const auto& info = rules_.info[state_.board[from]];
    for (const auto& leap : info.leaps) {
        const Cell to = Cell(from + leap.delta);
        const Piece there = state_.board[to];
        if (!blocks(info, there) && !(barred >> leap.vector & 1) && visit(to, there)) return true;
    }
    for (const auto& slide : info.slides) {
        if (barred >> slide.vector & 1) continue;
        Cell to = from;
        for (int distance = 1; distance <= slide.reach; ++distance) {
            to = Cell(to + slide.delta);
            const Piece there = state_.board[to];
            if (blocks(info, there)) break;
            if (visit(to, there)) return true;
            if (there != EMPTY) break;
        }
    }
    return false;
}

// Appends every step by which the move goes on.
template <int W>
void CompoundMoves<W>::go_on(const CompoundState& move, const WalkTable* walk, int vector, const Bits<W>& seen,
                             std::vector<Onward>& found) const {
    const auto& info = rules_.info[move.mover];
    if (may_shoot(move, walk))
        each_shot(info.shots.front(), move,
                  [&](Cell cell) { return found.push_back({true, cell, walk, vector, seen}), false; });
    auto leaps = [&](const WalkTable& along, uint64_t vectors, const Bits<W>& been) {
        each_leap(move, vectors, been, [&](int next, Cell to) {
            Bits<W> then = been;
            if (!along.revisits) {
                then.set(rules_.point_of[move.at]);
                then.set(rules_.point_of[to]);
            }
            found.push_back({false, to, &along, next, then});
        });
    };
    if (move.items_count > 0) {
        if (may_leap(move, walk)) leaps(*walk, walk->next[size_t(vector)], seen);
        return;
    }
    const Point from = rules_.point_of[move.from];
    const uint64_t barred = start_.barred_at(from);
    each_way(move.from, barred, [&](Cell to, Piece) {
        if (info.may_arrive.test(rules_.point_of[to])) found.push_back({false, to, nullptr, 0, {}});
        return false;
    });
    for (const WalkTable& along : info.walks) {
        Bits<W> been;
        if (!along.revisits) been.set(from);
        leaps(along, along.first & ~barred, been);
    }
}

// Records all moves of the piece on `from`, those to equal positions included. Where its landings change nothing but
// two points they are made on the mailbox alone, unless one turns out to do more.
template <int W>
void CompoundMoves<W>::explore(Cell from, bool every_walk) {
    const auto& info = rules_.info[state_.board[from]];
    const size_t before = scratch_.found.size();
    lifts_ = !every_walk && info.shots.empty() && std::ranges::all_of(info.inert, std::identity{});
    had_effects_ = !lifts_;
    walk_from(from, every_walk);
    if (!std::exchange(lifts_, false) || !had_effects_) return;
    scratch_.found.resize(before);
    walk_from(from, every_walk);
}

template <int W>
void CompoundMoves<W>::walk_from(Cell from, bool every_walk) {
    const Piece mover = state_.board[from];
    const auto& info = rules_.info[mover];
    const CompoundState move{mover, from, from, mover};
    const uint64_t barred = start_.barred_at(rules_.point_of[from]);
    if (!info.shots.empty() && info.shots.front().standing != StandingShot::NEVER) {
        CompoundState standing = move;
        extend(standing, nullptr, 0, {}, every_walk);
    }
    each_way(from, barred, [&](Cell to, Piece) {
        if (!info.may_arrive.test(rules_.point_of[to])) return false;
        CompoundState gone = move;
        if (every_walk || !finish_inert(gone, to)) visit(move, to, nullptr, 0, {}, every_walk);
        return false;
    });
    for (const WalkTable& walk : info.walks) {
        if (walk.most >= LONG_WALK && !every_walk) scratch_.forget();
        Bits<W> seen;
        if (!walk.revisits) seen.set(rules_.point_of[from]);
        leap(move, walk, walk.first & ~barred, seen, every_walk);
    }
}

// Hands the recorded moves to the sink, one for each position, in an order that depends on what they change alone:
// moves that are kept stand in the same order as if they were found anew.
template <int W>
template <class Sink>
bool CompoundMoves<W>::flush(Sink& sink) {
    auto& found = scratch_.found;
    const uint64_t now = state_.key;
    if (found.size() > 1)
        std::sort(found.begin(), found.end(), [now](const auto& a, const auto& b) {
            return a.key != b.key ? (a.key ^ now) < (b.key ^ now) : a.order < b.order;
        });
    bool stopped = false;
    for (size_t i = 0; i < found.size() && !stopped; ++i)
        if (i == 0 || found[i].key != found[i - 1].key) stopped = sink.move(found[i].move);
    found.clear();
    return stopped;
}

}  // namespace komadai
