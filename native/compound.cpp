// Generation and replay of compound moves.
//
// Pieces whose moves are single landings without effects are generated as in other games. All others are walked on the
// live state, through the journal, and of the moves that lead to equal positions one is kept: the one with the fewest
// points, among equals the first in plain order of the strings (docs/rules/ko.md, 6a). On long walks, states that an
// earlier string of as many points has reached are not explored again: points are tried in the order of their names, so
// that the earlier string was the smaller one.
#include "compound.hpp"

#include <functional>
#include <utility>

#include "compound_rules.hpp"
#include "compound_scratch.hpp"
#include "royal_moves.hpp"
#include "sinks.hpp"
#include "whole_turns.hpp"

namespace komadai {

namespace {

constexpr int LONG_WALK = 3;  // leaps from which on states are remembered

// One to a thread, because generation never nests.
template <int W>
CompoundScratch<W>& thread_scratch() {
    thread_local CompoundScratch<W> made;
    return made;
}

uint16_t tag_of(uint64_t trail) { return uint16_t(trail & 0xFFFF & ~uint64_t(TRAIL_CELL)); }

}  // namespace

// --- Changes of the board ---

template <int W>
CompoundMoves<W>::CompoundMoves(State<W>& state, Path path, bool ignore_mate_rules)
    : state_(state),
      rules_(*state.rules),
      scratch_(thread_scratch<W>()),
      path_(path),
      ignore_mate_rules_(ignore_mate_rules) {}

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
                const Bits<W> subjects = way->subjects < 0 ? state_.occupied[BLACK] | state_.occupied[WHITE]
                                                           : state_.watched[size_t(way->subjects)];
                subjects.each([&](Point point) {
                    if (applies(state_, *way, point, state_.board[rules_.cell_of[point]])) affected.set(point);
                    return false;
                });
            }
            affected.each([&](Point point) {
                if (state_.board[rules_.cell_of[point]] != EMPTY) act(rule, point);
                return false;
            });
            acted = affected.any();
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
void CompoundMoves<W>::land(CompoundState& move, Cell to, bool calmly) {
    const Piece there = state_.board[to];
    land_in_zone(move, rules_.point_of[to], there);
    gain(there);
    state_.put(move.at, EMPTY);
    state_.put(to, move.now);
    if (!calmly) take_effect(to);
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

// --- Generation ---

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
        if (stirs(rules_.point_of[to], state_.board[to])) {
            stirred_ = true;
            return;
        }
        land_in_zone(gone, rules_.point_of[to], state_.board[to]);
        const Lifted<W> lifted(state_, move.at, to);
        gone.arrive(to, lifted.taken());
        return extend(gone, walk, vector, seen, false);
    }
    const size_t mark = state_.journal.size();
    land(gone, to, !every_walk && rules_.info[move.now].calm && !stirs(rules_.point_of[to], state_.board[to]));
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
    if (move.judged || !info.inert[move_class(landed)] || stirs(point, there) || in_range(info, point)) return false;
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
    stirred_ = !lifts_;
    walk_from(from, every_walk);
    if (!std::exchange(lifts_, false) || !stirred_) return;
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

// True if a shot of the piece on `from` would hit something once it has landed.
template <int W>
bool CompoundMoves<W>::hits_from(const PieceInfo& info, Cell from, Cell to) {
    const Piece mover = std::exchange(state_.board[from], EMPTY);
    const bool hits = each_shot(info.shots.front(), {mover, from, to, mover}, [](Cell) { return true; });
    state_.board[from] = mover;
    return hits;
}

// The moves of one landing: one for each piece that the mover may become there.
template <int W>
template <class Sink>
bool CompoundMoves<W>::arrive(Sink& sink, Cell from, Cell to, Piece there) {
    const Piece mover = state_.board[from];
    const auto& info = rules_.info[mover];
    const Point point = rules_.point_of[to];
    if (!info.may_arrive.test(point)) return false;
    const size_t move_class = rules_.move_class(mover, rules_.point_of[from], point, there != EMPTY);
    if (!info.inert[move_class] || stirs(point, there) || (in_range(info, point) && hits_from(info, from, to)))
        [[unlikely]] {
        stirred_ = true;
        visit({mover, from, from, mover}, to, nullptr, 0, {}, false);
        return false;
    }
    return each_result(info, move_class, point, there,
                       [&](Piece into, uint16_t flags) { return sink.move(from, to, into, flags); });
}

// The moves of a piece that stands where its moves to empty points are quiet.
template <int W>
template <class Sink>
bool CompoundMoves<W>::generate_quiet(Sink& sink, Cell from, bool may_aim) {
    const Piece mover = state_.board[from];
    const auto& quiet = rules_.quiet[mover];
    const uint8_t* const in_zone = rules_.zone_cells[state_.side_to_move].data();
    const unsigned theirs = 1u << ~state_.side_to_move;
    const uint64_t code = Move{from, 0, mover, 0}.code(), further = quiet.further | from;
    const bool may_change = quiet.further, from_zone = in_zone[from];
    const Piece* const board = state_.board.data();
    std::array<Cell, 24> met;  // where something has to be asked: pieces of the opponent, and points to shoot from
    size_t count = 0;
    Sink made = sink;  // a copy stays in registers
    auto land = [&](Cell to, bool is) {
        bool enough = made.maybe(code | uint64_t(to) << 16, is);
        if (may_change) enough |= made.maybe(further | uint64_t(to) << 16, is && (from_zone || in_zone[to]));
        return enough;
    };
    for (int i = 0; i < quiet.leap_count; ++i) {
        const Cell to = Cell(from + quiet.leaps[size_t(i)]);
        const Piece there = board[to];
        const bool aims = may_aim && there == EMPTY && in_range(rules_.info[mover], rules_.point_of[to]);
        if (land(to, there == EMPTY && !aims)) return sink = made, true;
        met[count] = to;
        count += aims || (there & 3u) == theirs;
    }
    for (int i = 0; i < quiet.slide_count; ++i) {
        const auto [delta, reach] = quiet.slides[size_t(i)];
        Cell to = Cell(from + delta);
        int left = reach;
        for (; left > 0 && board[to] == EMPTY; --left, to = Cell(to + delta))
            if (land(to, true)) return sink = made, true;
        met[count] = to;
        count += left > 0 && (board[to] & 3u) == theirs;
    }
    sink = made;
    for (size_t i = 0; i < count; ++i)
        if (!blocks(rules_.info[mover], board[met[i]]) && arrive(sink, from, met[i], board[met[i]])) return true;
    return false;
}

// The moves of a piece that lands once; only those whose arrival may have effects are tried.
template <int W>
template <class Sink>
bool CompoundMoves<W>::generate_single(Sink& sink, Cell from) {
    const uint64_t barred = start_.barred_at(rules_.point_of[from]);
    return each_way(from, barred, [&](Cell to, Piece there) { return arrive(sink, from, to, there); });
}

// The moves of the piece on a point.
template <int W>
template <class Sink>
bool CompoundMoves<W>::generate_piece(Sink& sink, Point point, bool asks) {
    const Cell from = rules_.cell_of[point];
    const Piece piece = state_.board[from];
    const auto& quiet = rules_.quiet[piece];
    const auto& info = rules_.info[piece];
    if (quiet.from.test(point) && !asks) {
        const bool may_aim = quiet.shoots && rules_.outlook[piece][point].meets(state_.occupied[~state_.side_to_move]);
        if (may_aim && quiet.slide_count ? generate_single(sink, from) : generate_quiet(sink, from, may_aim))
            return true;
    } else if (info.single) {
        if (generate_single(sink, from)) return true;
    } else {
        explore(from, false);
    }
    return !scratch_.found.empty() && flush(sink);
}

// True if the piece on a point may land on an empty one and stay there, with no effect but that: most that can move can
// do so. False says nothing.
template <int W>
bool CompoundMoves<W>::lands_quietly(Point point) const {
    const Cell from = rules_.cell_of[point];
    const Piece piece = state_.board[from];
    const auto& info = rules_.info[piece];
    const uint64_t barred = start_.barred_at(point);
    if (info.judged || info.asks_landing) return false;
    auto lands = [&](Cell to, Piece there) {
        if (there != EMPTY || !info.may_land.test(rules_.point_of[to]) || stirs(rules_.point_of[to], EMPTY))
            return false;
        const size_t move_class = rules_.move_class(piece, point, rules_.point_of[to], false);
        return info.inert[move_class] && !info.changes[move_class].empty();
    };
    if (each_way(from, barred, lands)) return true;
    for (const WalkTable& walk : info.walks)
        for (uint64_t vectors = walk.least <= 1 ? walk.first & ~barred : 0; vectors; vectors &= vectors - 1) {
            const Cell to = Cell(from + rules_.deltas[size_t(std::countr_zero(vectors))]);
            if (lands(to, state_.board[to])) return true;
        }
    return false;
}

// The points that a piece can reach in one move, each slide ending on the first piece in its way.
template <int W>
Bits<W> CompoundMoves<W>::reached(Piece piece, Point point) const {
    const auto& leads = rules_.sets.reach[state_.site[point]];
    const auto& quiet = rules_.quiet[piece];
    if (quiet.slide_count == 0) return leads.leaps | leads.slides;
    Bits<W> found = leads.leaps;
    for (int i = 0; i < quiet.slide_count; ++i) {
        const auto [delta, reach] = quiet.slides[size_t(i)];
        Cell to = Cell(rules_.cell_of[point] + delta);
        for (int left = reach; left > 0 && state_.board[to] != WALL; --left, to = Cell(to + delta)) {
            found.set(rules_.point_of[to]);
            if (state_.board[to] != EMPTY) break;
        }
    }
    return found;
}

// As generate_piece(), with the moves found before while nothing changes on the points on which they depend.
template <int W>
template <class Sink>
void CompoundMoves<W>::generate_kept(Sink& sink, KeptMoves<W>& kept, Point point) {
    auto& entry = kept.at(point);
    if (sink.take(entry)) return;
    const Piece piece = state_.board[rules_.cell_of[point]];
    const auto before = sink.mark();
    stirred_ = false;
    generate_piece(sink, point, false);
    if (stirred_) return;
    const auto& outlook = rules_.outlook[piece];
    entry.depends_on = outlook.empty() ? reached(piece, point) : outlook[point];
    entry.depends_on.set(point);
    sink.keep(entry, before);
}

template <int W>
template <class Sink>
void CompoundMoves<W>::generate(Sink& sink) {
    const Undone<W> undone(state_);
    begin_turn();
    const Bits<W> movers = state_.occupied[state_.side_to_move] & ~start_.immobilized;
    scratch_.found.clear();
    const bool asks = start_.danger.any() || !start_.barred.empty();
    const size_t room = std::max(2 * size_t(rules_.points), KeptMoves<W>::MOST_LISTED);
    if constexpr (Sink::KEEPS)
        if (!asks && !start_.immobilized.any()) {
            KeptMoves<W>& kept = scratch_.kept[state_.side_to_move];
            const bool near = kept.begin(state_);
            movers.each([&](Point point) {
                sink.expect(room);
                near ? generate_kept(sink, kept, point) : void(generate_piece(sink, point, false));
                return false;
            });
            return kept.end(rules_);
        }
    movers.each([&](Point point) {
        sink.expect(room);
        return generate_piece(sink, point, asks);
    });
}

// Calls each(point, generate) for each of those pieces that may move at all: generate(sink) hands its moves over.
// Nothing is kept, since what is kept has to see every change.
template <int W>
template <class Each>
void CompoundMoves<W>::generate_each(const Bits<W>& among, Each each) {
    const Undone<W> undone(state_);
    begin_turn();
    const bool asks = start_.danger.any() || !start_.barred.empty();
    (among & state_.occupied[state_.side_to_move]).without(start_.immobilized).each([&](Point point) {
        scratch_.found.clear();
        each(point, [&](auto& sink) {
            sink.expect(2 * size_t(rules_.points));
            static_cast<void>(generate_piece(sink, point, asks));
        });
        return false;
    });
}

// Appends the turns of the side to move that obey the rules of its pieces, one for each position that they lead to.
template <int W>
void CompoundMoves<W>::list_turns(MoveList& moves) {
    if (path_ == Path::FAST) {
        RoomSink sink{scratch_.room};
        generate(sink);
        return sink.copy_to(moves);
    }
    const Undone<W> undone(state_);
    begin_turn();
    ListSink<W> sink{moves};
    scratch_.found.clear();
    const Bits<W> movers = state_.occupied[state_.side_to_move] & ~start_.immobilized;
    movers.each([&](Point point) {
        explore(rules_.cell_of[point], true);
        return flush(sink);
    });
}

// --- Threats ---

// True if the opponent of the side, if it were to move, has a turn after which harms() is true.
template <int W>
template <class Harms>
bool CompoundMoves<W>::harmed(Side side, Harms harms) {
    const Undone<W> undone(state_);
    state_.side_to_move = ~side;
    state_.remember(NO_POINT);
    // Some turns affect other pieces than those that they capture: arrivals only where there is danger.
    const bool affects_others = path_ == Path::GENERIC ||
                                (!rules_.end_rules.empty() && !rules_.on(Event::AT_ALL_TIMES).empty()) ||
                                std::ranges::any_of(rules_.on(Event::ARRIVES),
                                                    [](const auto& rule) { return rule.others && rule.danger >= 0; });
    MoveList moves;
    if (path_ == Path::GENERIC) {
        list_turns(moves);
    } else {
        RoomSink sink{scratch_.room};
        generate_each(affects_others ? state_.occupied[~side] : threats_to(state_, side),
                      [&](Point, auto generate) { generate(sink); });
        sink.copy_to(moves);
    }
    return std::ranges::any_of(moves, [&](const Move& move) {
        const auto& info = rules_.info[state_.board[move.from]];
        bool matters =
            affects_others || info.acts_on_arrival || info.triggers_rules || rules_.info[move.piece].triggers_rules;
        each_captured(state_, move, [&](Piece piece) { matters |= rules_.info[piece].critical; });
        if (!matters) return false;
        const size_t mark = state_.journal.size();
        play(move);
        const bool found = harms();
        state_.rewind(mark);
        return found;
    });
}

template <int W>
bool CompoundMoves<W>::threatened(Side side) {
    return survives(state_, side) && !is_over() && harmed(side, [&] { return !survives(state_, side); });
}

template <int W>
bool CompoundMoves<W>::royal_attacked(Side side) {
    if (rules_.walks_alone && path_ == Path::FAST) return royal_reached(side);
    const int royals = royals_of(state_, side);
    return royals > 0 && harmed(side, [&] { return royals_of(state_, side) < royals; });
}

// The same where turns are landings without effects.
template <int W>
bool CompoundMoves<W>::royal_reached(Side side) {
    auto leads_there = [&](Point from, Point royal) {
        const auto& outlook = rules_.outlook[state_.board[rules_.cell_of[from]]];
        const auto& leads = rules_.sets.reach[state_.site[from]];
        return outlook.empty() ? leads.leaps.test(royal) || leads.slides.test(royal) : outlook[from].test(royal);
    };
    return state_.occupied[side].each([&](Point royal) {
        const Cell target = rules_.cell_of[royal];
        if (!rules_.info[state_.board[target]].royal) return false;
        return state_.occupied[~side].each(
            [&](Point from) { return leads_there(from, royal) && reaches(rules_.cell_of[from], target); });
    });
}

// --- Legal moves ---

// Makes the move to see whether it leaves the mover's royal pieces on the board and safe.
template <int W>
bool CompoundMoves<W>::keeps_royals_safe(Move move) {
    if (!rules_.has_royal) return true;
    const Side us = state_.side_to_move;
    const int royals = royals_of(state_, us);
    state_.make(move, [&] { play(move); });
    const Takeback taken(state_);
    return royals_of(state_, us) >= royals && !CompoundMoves(state_, path_).royal_attacked(us);
}

// Takes those of the moves from `first` on away that leave a royal piece in danger.
template <int W>
void CompoundMoves<W>::keep_safe_moves(MoveList& moves, size_t first) {
    if (!rules_.has_royal) return;
    const auto unsafe = std::remove_if(moves.begin() + std::ptrdiff_t(first), moves.end(),
                                       [&](const Move& move) { return !keeps_royals_safe(move); });
    moves.erase(unsafe, moves.end());
}

template <int W>
void CompoundMoves<W>::drops(MoveList& moves) {
    const Side us = state_.side_to_move;
    using Royal = RoyalMoves<W>;
    Royal rules(state_, path_ == Path::FAST ? Royal::Path::FAST : Royal::Path::GENERIC, ignore_mate_rules_);
    // Without effects a drop opens no way to a royal piece.
    const bool safe = rules_.walks_alone && path_ == Path::FAST && !royal_reached(us);
    for (unsigned slots = state_.holding[us]; slots; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        for (const int kind : rules_.drops[size_t(slot)]) {
            const Piece piece = piece_of(kind, us);
            const bool as_safe = safe && !rules_.info[piece].royal;
            rules_.info[piece].may_drop.without(state_.everyone()).each([&](Point point) {
                const Move drop{Cell(slot), rules_.cell_of[point], piece, DROP};
                if (rules.allows(drop) && (as_safe || keeps_royals_safe(drop))) moves.push_back(drop);
                return false;
            });
        }
    }
}

template <int W>
void CompoundMoves<W>::legal(MoveList& moves) {
    if (is_over()) return;
    const size_t before = moves.size();
    list_turns(moves);
    keep_safe_moves(moves, before);
    drops(moves);
}

template <int W>
void CompoundMoves<W>::legal_of(Point point, MoveList& moves) {
    if (is_over()) return;
    const size_t before = moves.size();
    RoomSink sink{scratch_.room};
    generate_each(Bits<W>::only(point), [&](Point, auto generate) { generate(sink); });
    sink.copy_to(moves);
    keep_safe_moves(moves, before);
}

template <int W>
Bits<W> CompoundMoves<W>::movers() {
    Bits<W> found;
    if (is_over()) return found;
    generate_each(state_.occupied[state_.side_to_move], [&](Point point, auto generate) {
        AnySink<W> sink{lands_quietly(point)};
        if (!sink.found) generate(sink);
        if (sink.found) found.set(point);
    });
    return found;
}

template <int W>
uint64_t CompoundMoves<W>::count() {
    if (is_over()) return 0;
    if (rules_.has_hands_or_royals()) {
        MoveList moves;
        legal(moves);
        return moves.size();
    }
    CountSink<W> sink;
    generate(sink);
    return sink.count;
}

template <int W>
bool CompoundMoves<W>::any() {
    if (is_over()) return false;
    if (rules_.has_hands_or_royals()) {
        MoveList moves;
        list_turns(moves);
        if (std::ranges::any_of(moves, [&](const Move& move) { return keeps_royals_safe(move); })) return true;
        moves.clear();
        drops(moves);
        return !moves.empty();
    }
    AnySink<W> sink;
    generate(sink);
    return sink.found;
}

KOMADAI_FOR_EACH_SIZE(class CompoundMoves)

}  // namespace komadai
