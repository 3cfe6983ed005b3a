// Generation of turns that may be more than one landing.
//
// Pieces whose turns are single landings without consequences are generated as in other games. All others are walked on
// the live position, through the journal, and of the turns that come to the same position one is kept: the one with the
// fewest points, among equals the first in plain order of the strings (docs/rules/ko.md, 6a). On long walks states that
// were reached before by a string of as many points are not gone through again: points are tried in the order of their
// names, so that the first to come was the one with the smaller string.

#include <algorithm>

#include "sinks.hpp"

namespace komadai {

namespace {

constexpr int LONG_WALK = 3;  // leaps from which on states are remembered

// What the walk of one piece leaves behind; one to a thread, because generation never nests.
template <int W>
struct Scratch {
    struct Turn {
        uint64_t key, order;
        Move move;
    };
    std::vector<Turn> turns;
    std::vector<uint64_t> states;
    Bits<W> danger;  // as in TurnStart

    // Whether the state was here before; it is from now on. A full table forgets, which costs time alone.
    bool revisited(uint64_t state) {
        if (states.empty()) states.resize(4096);
        state |= 1;
        for (size_t i = state >> 20, tries = 0; tries < 16; ++i, ++tries) {
            uint64_t& slot = states[i & (states.size() - 1)];
            if (slot == state) return true;
            if (slot == 0) {
                slot = state;
                return false;
            }
        }
        return false;
    }
    void forget() { std::fill(states.begin(), states.end(), 0); }
};

template <int W>
Scratch<W>& scratch() {
    thread_local Scratch<W> made;
    return made;
}

}  // namespace

template <int W>
typename Position<W>::TurnStart Position<W>::start_turn() const {
    TurnStart start;
    for (const auto& rule : rules_->on(Moment::TURN_START)) {
        Bits<W> points = rule.subjects < 0 ? occupied_[turn_] : watch_[size_t(rule.subjects)] & occupied_[turn_];
        for (const Question& question : rule.questions) {
            if (!points.any()) break;
            if (question.ask == Ask::HAS) {
                if (has(question.argument, turn_) != question.holds) points = {};
            } else if (question.ask == Ask::IN_SIGHT) {
                Bits<W> found = seen(question.argument, turn_);
                points &= question.holds ? found : ~found;
            }
        }
        Bits<W> asked = points;
        asked.each([&](Point point) {
            if (!holds(rule, point, board_[rules_->cell_of[point]])) points.reset(point);
            return false;
        });
        if (!points.any()) continue;
        if (rule.barred[turn_])
            start.barred.emplace_back(points, rule.barred[turn_]);
        else
            start.held |= points;
    }
    for (const auto& rule : rules_->on(Moment::ARRIVES)) {
        if (rule.danger < 0) continue;
        const auto& near = rules_->nears[size_t(rule.danger)];
        if (near.watch[turn_] >= 0)
            watch_[size_t(near.watch[turn_])].each([&](Point point) {
                start.danger |= near.around[point];
                return false;
            });
    }
    return start;
}

template <int W>
bool Position<W>::may_shoot(const Trek& trek) const {
    const ShotTable& shot = rules_->info[trek.mover].shots.front();
    if (trek.now == EMPTY || trek.shots >= shot.targets) return false;
    if (trek.stood() ? shot.standing == Standing::NEVER
                     : shot.standing == Standing::ONLY || (trek.took && !shot.after_capture))
        return false;
    const Point point = rules_->point_of[trek.at];
    return std::ranges::none_of(rules_->on(Moment::SHOOTS),
                                [&](const auto& rule) { return holds(rule, point, trek.now); });
}

// Calls visit(cell) for every piece the shot hits from where the trek stands.
template <int W>
template <class Visit>
bool Position<W>::each_target(const ShotTable& shot, const Trek& trek, Visit visit) const {
    for (int vector : shot.vectors) {
        const int delta = rules_->deltas[size_t(vector)];
        Cell cell = trek.at;
        for (int distance = 1; distance <= shot.reach; ++distance) {
            cell = Cell(cell + delta);
            const Piece there = board_[cell];
            if (there == EMPTY) continue;
            if (there == WALL) break;
            const int least = shot.nearest[there];
            if (owned(there, ~turn_) && least && distance >= least && visit(cell)) return true;
            if (!shot.over) break;
        }
    }
    return false;
}

// Leaves behind what the turn comes to if it ends here: one turn for each thing the mover may become. `key` is that of
// the position so far.
template <int W>
void Position<W>::end_trek(const Trek& trek, uint64_t key) {
    uint64_t trail = 0, order = uint64_t(trek.items_count);
    int last = -1;
    for (int i = 0; i < trek.items_count; ++i)
        if ((trek.items[size_t(i)] & ~TRAIL_CELL) == TRAIL_LANDING) last = i;
    int written = 0;
    for (int i = 0; i < trek.items_count; ++i) {
        const uint16_t item = trek.items[size_t(i)];
        const bool landing = (item & ~TRAIL_CELL) == TRAIL_LANDING;
        order = order << 11 | uint64_t(landing) << 10 | rules_->name_order[rules_->point_of[item & TRAIL_CELL]];
        if (i == last) continue;
        const uint64_t tag = i > last ? TRAIL_LAST_SHOT : item & ~TRAIL_CELL;
        trail |= (tag | (item & TRAIL_CELL)) << (16 * written++);
    }
    auto& turns = scratch<W>().turns;
    auto leave = [&](uint64_t key, Piece piece, uint16_t flags) {
        turns.push_back({key, order << 1 | (flags != 0), {trek.from, trek.at, piece, flags, trail}});
    };
    auto become = [&](Piece into, uint16_t flags) {
        if (into == trek.now) return leave(key, into, flags);
        if (!rules_->info[into].stirs && !rules_->info[trek.now].stirs) {
            const Point point = rules_->point_of[trek.at];
            return leave(key ^ rules_->key(trek.now, point) ^ rules_->key(into, point), into, flags);
        }
        const size_t mark = journal_.size();
        Trek turned = trek;
        turn_mover(turned, into);
        leave(key_, turned.now, flags);
        rewind(mark);
    };
    if (trek.now == EMPTY) return leave(key, EMPTY, 0);
    if (triumphs(trek)) return become(rules_->info[trek.now].triumph, 0);
    for (const Change& change : results(trek)) become(change.piece, change.flags);
}

// One leap of a walk, by each of `vectors`.
template <int W>
void Position<W>::leap(const Trek& trek, const WalkTable& walk, uint64_t vectors, const Bits<W>& seen,
                       bool every_walk) {
    const auto& info = rules_->info[trek.mover];
    struct Next {
        uint16_t order;
        int vector;
        Cell to;
    };
    std::array<Next, MAX_VECTORS> next;
    size_t count = 0;
    for (; vectors; vectors &= vectors - 1) {
        const int vector = std::countr_zero(vectors);
        const Cell to = Cell(trek.at + rules_->deltas[size_t(vector)]);
        if (blocks(info, board_[to], turn_)) continue;
        const Point point = rules_->point_of[to];
        if (!info.may_land.test(point) || seen.test(point)) continue;
        next[count++] = {rules_->name_order[point], vector, to};
    }
    if (walk.most >= LONG_WALK)
        std::sort(next.begin(), next.begin() + count, [](const Next& a, const Next& b) { return a.order < b.order; });
    const size_t mark = journal_.size();
    for (size_t i = 0; i < count; ++i) {
        Trek gone = trek;
        Bits<W> been = seen;
        if (!walk.revisits) {
            been.set(rules_->point_of[trek.at]);
            been.set(rules_->point_of[next[i].to]);
        }
        if (!every_walk && trek.landings + 1 == walk.most && end_calmly(gone, next[i].to)) continue;
        land_trek(gone, next[i].to);
        extend(gone, &walk, next[i].vector, been, every_walk);
        rewind(mark);
    }
}

// A last landing that changes nothing but what stands on two points is not made: the key it leads to is worked out.
// False, and nothing done, where more may happen.
template <int W>
bool Position<W>::end_calmly(Trek& trek, Cell to) {
    const auto& info = rules_->info[trek.now];
    const Piece there = board_[to];
    const Point from = rules_->point_of[trek.at], point = rules_->point_of[to];
    if (!info.calm || !info.shots.empty() || rules_->info[there].stirs || scratch<W>().danger.test(point)) return false;
    const uint64_t key = key_ ^ rules_->key(trek.now, from) ^ rules_->key(trek.now, point) ^ rules_->key(there, point);
    trek.arrive(to, there);
    const auto& zone = rules_->zone[turn_];
    trek.touched |= zone.test(point) || zone.test(rules_->point_of[trek.from]);
    end_trek(trek, key);
    return true;
}

// Everything a turn may do from here: end, shoot, go on.
template <int W>
void Position<W>::extend(Trek& trek, const WalkTable* walk, int vector, const Bits<W>& seen, bool every_walk) {
    const auto& info = rules_->info[trek.mover];
    const ShotTable* shot = info.shots.empty() ? nullptr : &info.shots.front();
    if (walk && walk->most >= LONG_WALK && !every_walk) {
        const bool any_way = walk->next[size_t(vector)] == walk->first;
        uint64_t state = mix(key_ ^ mix(uint64_t(trek.items_count) << 44 | uint64_t(trek.landings) << 40 |
                                        uint64_t(trek.shots) << 36 | uint64_t(trek.at) << 16 |
                                        uint64_t(any_way ? 0 : vector) << 2 | trek.took << 1 | trek.touched));
        for (int i = 0; i < trek.taken_count; ++i) state += mix(trek.taken[size_t(i)]);
        if (!walk->revisits)
            for (uint64_t word : seen.word) state = mix(state ^ word);
        if (scratch<W>().revisited(state)) return;
    }
    const bool may_end = trek.stood() ? trek.shots > 0 : !walk || trek.landings >= walk->least || trek.cut_short();
    if (may_end) end_trek(trek, key_);
    if (trek.now == EMPTY) return;
    if (shot && (trek.stood() || shot->each_landing || may_end) && may_shoot(trek)) {
        const size_t mark = journal_.size();
        std::array<Cell, MAX_VECTORS * 25> targets;
        size_t count = 0;
        each_target(*shot, trek, [&](Cell cell) { return targets[count++] = cell, false; });
        std::sort(targets.begin(), targets.begin() + count, [&](Cell a, Cell b) {
            return rules_->name_order[rules_->point_of[a]] < rules_->name_order[rules_->point_of[b]];
        });
        for (size_t i = 0; i < count; ++i) {
            Trek gone = trek;
            shoot(gone, targets[i]);
            extend(gone, walk, vector, seen, every_walk);
            rewind(mark);
        }
    }
    const bool settled_down = trek.shots > 0 && !(shot && shot->each_landing);
    if (walk && !trek.cut_short() && !settled_down && trek.landings < walk->most)
        leap(trek, *walk, walk->next[size_t(vector)], seen, every_walk);
}

// Calls visit(to, what stands there) for every point a single leg leads to; stops where visit returns true.
template <int W>
template <class Visit>
inline bool Position<W>::each_way(Cell from, uint64_t barred, Visit visit) const {
    const auto& info = rules_->info[board_[from]];
    const Side side = turn_;
    for (const auto& leap : info.leaps) {
        const Cell to = Cell(from + leap.delta);
        const Piece there = board_[to];
        if (!blocks(info, there, side) && !(barred >> leap.vector & 1) && visit(to, there)) return true;
    }
    for (const auto& slide : info.slides) {
        if (barred >> slide.vector & 1) continue;
        Cell to = from;
        for (int distance = 1; distance <= slide.reach; ++distance) {
            to = Cell(to + slide.delta);
            const Piece there = board_[to];
            if (blocks(info, there, side)) break;
            if (visit(to, there)) return true;
            if (there != EMPTY) break;
        }
    }
    return false;
}

// All turns of the piece on `from`, those that come to the same position included, are left behind.
template <int W>
void Position<W>::explore(Cell from, const TurnStart& start, bool every_walk) {
    const Piece mover = board_[from];
    const auto& info = rules_->info[mover];
    const Trek trek{mover, from, from, mover};
    const uint64_t barred = start.barred_at(rules_->point_of[from]);
    if (!info.shots.empty() && info.shots.front().standing != Standing::NEVER) {
        Trek stood = trek;
        extend(stood, nullptr, 0, {}, every_walk);
    }
    each_way(from, barred, [&](Cell to, Piece) {
        if (!info.may_land.test(rules_->point_of[to])) return false;
        const size_t mark = journal_.size();
        Trek gone = trek;
        if (!every_walk && end_calmly(gone, to)) return false;
        land_trek(gone, to);
        extend(gone, nullptr, 0, {}, every_walk);
        rewind(mark);
        return false;
    });
    for (const WalkTable& walk : info.walks) {
        if (walk.most >= LONG_WALK && !every_walk) scratch<W>().forget();
        Bits<W> seen;
        if (!walk.revisits) seen.set(rules_->point_of[from]);
        leap(trek, walk, walk.first & ~barred, seen, every_walk);
    }
}

// Hands over what was left behind, one turn for each position.
template <int W>
template <class Sink>
bool Position<W>::flush(Sink& sink) {
    auto& turns = scratch<W>().turns;
    if (turns.size() > 1)
        std::sort(turns.begin(), turns.end(),
                  [](const auto& a, const auto& b) { return a.key != b.key ? a.key < b.key : a.order < b.order; });
    bool stopped = false;
    for (size_t i = 0; i < turns.size() && !stopped; ++i)
        if (i == 0 || turns[i].key != turns[i - 1].key) stopped = sink.turn(turns[i].move);
    turns.clear();
    return stopped;
}

// The turns of a plain piece: only where something may happen on arrival are they walked.
template <int W>
template <class Sink>
bool Position<W>::generate_plain(Sink& sink, Cell from, const TurnStart& start) {
    const Piece mover = board_[from];
    const auto& info = rules_->info[mover];
    const auto& zone = rules_->zone[turn_];
    const bool starts_in_zone = zone.test(rules_->point_of[from]);
    const uint64_t barred = start.barred_at(rules_->point_of[from]);
    auto come = [&](Cell to, Piece there) {
        const Point point = rules_->point_of[to];
        if (!info.may_land.test(point)) return false;
        if (start.danger.test(point) || rules_->info[there].stirs) [[unlikely]] {
            const size_t mark = journal_.size();
            Trek gone{mover, from, from, mover};
            land_trek(gone, to);
            end_trek(gone, key_);
            rewind(mark);
            return false;
        }
        if (there != EMPTY && info.prey[there]) return sink.move(from, to, info.triumph, 0);
        for (const Change& change : info.changes[size_t((starts_in_zone || zone.test(point)) * 2 + (there != EMPTY))])
            if (sink.move(from, to, change.piece, change.flags)) return true;
        return false;
    };
    if (each_way(from, barred, come)) return true;
    return !scratch<W>().turns.empty() && flush(sink);
}

template <int W>
template <class Sink>
void Position<W>::generate_turns(Sink& sink) {
    if (!alive(BLACK) || !alive(WHITE)) return;
    const TurnStart start = start_turn();
    const Bits<W> movers = occupied_[turn_] & ~start.held;
    scratch<W>().turns.clear();
    scratch<W>().danger = start.danger;
    movers.each([&](Point point) {
        Cell from = rules_->cell_of[point];
        if (rules_->info[board_[from]].plain) return generate_plain(sink, from, start);
        explore(from, start, false);
        return flush(sink);
    });
}

// Whether a turn of the opponent, were it to move, would leave the side not alive.
template <int W>
bool Position<W>::threatened(Side side) {
    if (!alive(side)) return false;
    const Side turn = std::exchange(turn_, ~side);
    MoveList moves;
    ListSink<W> sink{moves};
    generate_turns(sink);
    bool found = false;
    // Some arrivals strike other pieces only where there is danger.
    const bool strikes_others = std::ranges::any_of(rules_->on(Moment::ARRIVES),
                                                    [](const auto& rule) { return rule.others && rule.danger >= 0; });
    for (const Move& move : moves) {
        const auto& info = rules_->info[board_[move.from]];
        bool matters = strikes_others || info.acts_on_arrival || info.stirs || rules_->info[move.piece].stirs;
        each_taken(move, [&](Piece piece) { matters |= rules_->info[piece].vital; });
        if (!matters) continue;
        const size_t mark = journal_.size();
        play_turn(move);
        found = !alive(side);
        rewind(mark);
        if (found) break;
    }
    turn_ = turn;
    return found;
}

template <int W>
void Position<W>::legal_turns(MoveList& moves) {
    ListSink<W> sink{moves};
    generate_turns(sink);
}

template <int W>
void Position<W>::legal_turns_generic(MoveList& moves) {
    if (!alive(BLACK) || !alive(WHITE)) return;
    const TurnStart start = start_turn();
    ListSink<W> sink{moves};
    scratch<W>().turns.clear();
    scratch<W>().danger = start.danger;
    const Bits<W> movers = occupied_[turn_] & ~start.held;
    movers.each([&](Point point) {
        explore(rules_->cell_of[point], start, true);
        return flush(sink);
    });
}

template <int W>
uint64_t Position<W>::count_turns() {
    CountSink<W> sink;
    generate_turns(sink);
    return sink.count;
}

template <int W>
bool Position<W>::has_turn() {
    AnySink<W> sink;
    generate_turns(sink);
    return sink.found;
}

template class Position<2>;
template class Position<6>;
template class Position<10>;

}  // namespace komadai
