// Turns that may be more than one landing: the tables they need, the rules that are asked on their way, their replay.
#pragma once

#include "position.hpp"

namespace komadai {

// The set in which the points of these pieces are kept, made if there is none yet; -1 for no pieces.
template <int W>
int Rules<W>::watch(const std::vector<uint8_t>& wanted) {
    if (std::ranges::none_of(wanted, [](uint8_t is) { return is; })) return -1;
    for (int set = 0; set < watches; ++set) {
        bool same = true;
        for (size_t piece = 0; piece < info.size(); ++piece) same &= (info[piece].watched >> set & 1) == wanted[piece];
        if (same) return set;
    }
    if (watches == 64) throw std::invalid_argument("the rules ask after more sets of pieces than the core holds");
    for (size_t piece = 0; piece < info.size(); ++piece)
        if (wanted[piece]) info[piece].watched |= uint64_t(1) << watches;
    return watches++;
}

template <int W>
void Rules<W>::read_turns(const Tables& t) {
    const size_t pieces = info.size();
    auto marked = [&](const std::vector<int>& members) {
        std::vector<uint8_t> flags(pieces, 0);
        for (int piece : members) flags[size_t(piece)] = 1;
        return flags;
    };
    for (int order : t.name_order) name_order.push_back(uint16_t(order));
    alive = t.alive;
    auto pieces_of = [](const Wanted& wanted) {
        std::array<std::vector<Piece>, 2> found;
        for (size_t side = 0; side < 2; ++side)
            for (int piece : wanted[side]) found[side].push_back(Piece(piece));
        return found;
    };
    for (const auto& [needed, hanging, worth] : t.ties) ties.push_back({pieces_of(needed), pieces_of(hanging), worth});
    std::vector<uint8_t> commanding(t.commanders.begin(), t.commanders.end());
    commanders = watch(commanding);
    vicinity = rings(1, 3);
    for (const Wanted& wanted : t.has) has.push_back(pieces_of(wanted));
    for (Near& near : nears)
        for (size_t side = 0; side < 2; ++side) near.watch[side] = watch(near.wanted[side]);
    for (const SightTable& table : t.sights)
        sights.push_back(
            {{watch(marked(table.lookers[0])), watch(marked(table.lookers[1]))}, table.vectors, table.through});
    for (size_t piece = 0; piece < pieces; ++piece) {
        PieceInfo& p = info[piece];
        p.walks = t.walks[piece];
        p.shots = t.shots[piece];
        if (!t.spared[piece].empty()) p.spared = marked(t.spared[piece]);
        p.prey = marked(t.prey[piece]);
        p.triumph = Piece(t.triumph[piece]);
        p.vital = t.vital[piece];
    }
    for (const TurnRuleTable& table : t.turn_rules) {
        TurnRule rule{{},
                      table.questions,
                      table.act,
                      table.barred,
                      table.into,
                      table.others,
                      {marked(table.those[0]), marked(table.those[1])},
                      {}};
        if (rule.others) rule.around = rings(1, table.most);
        std::vector<uint8_t> subjects(pieces, 0);
        bool everyone = true;
        for (size_t piece = 0; piece < pieces; ++piece) {
            rule.where.push_back(bits(table.where[piece]));
            subjects[piece] = rule.where.back().any();
            everyone &= subjects[piece] || piece <= WALL;
        }
        if (!everyone) rule.subjects = watch(subjects);
        for (const Question& question : rule.questions) {
            if (question.ask == Ask::NEAR && question.holds) rule.danger = question.argument;
            for (size_t piece = 0; table.moment == Moment::AT_ALL_TIMES && piece < pieces; ++piece)
                for (size_t side = 0; side < 2; ++side) {
                    const size_t at = size_t(question.argument);
                    info[piece].stirs |= question.ask == Ask::NEAR ? nears[at].wanted[side][piece]
                                         : question.ask == Ask::HAS
                                             ? std::ranges::count(has[at][side], Piece(piece)) > 0
                                             : false;
                }
        }
        for (size_t piece = 0; piece < pieces; ++piece) {
            if (!subjects[piece]) continue;
            if (table.moment == Moment::AT_ALL_TIMES || table.moment == Moment::TURNS) info[piece].stirs = true;
            if (table.moment == Moment::ARRIVES && rule.danger < 0) info[piece].acts_on_arrival = true;
        }
        turn_rules[size_t(table.moment)].push_back(std::move(rule));
    }
    // Danger is worked out when a turn begins; where it might grow on the way, no landing of a walk is taken for calm.
    bool danger_grows = false;
    for (const TurnRule& arrival : on(Moment::ARRIVES))
        for (const auto& rules_then : turn_rules)
            for (const TurnRule& rule : rules_then)
                for (Side side : {BLACK, WHITE})
                    danger_grows |= rule.act == Act::TURN && arrival.danger >= 0 &&
                                    (nears[size_t(arrival.danger)].wanted[0][piece_of(rule.into, side)] ||
                                     nears[size_t(arrival.danger)].wanted[1][piece_of(rule.into, side)]);
    for (size_t piece = 0; piece < pieces; ++piece) {
        PieceInfo& p = info[piece];
        p.calm = !(danger_grows && !p.walks.empty()) && !p.acts_on_arrival && !p.stirs &&
                 (p.triumph == EMPTY || !info[p.triumph].stirs);
        for (const auto& changes : p.changes)
            for (const Change& change : changes) p.calm &= !info[change.piece].stirs;
        p.plain = p.calm && p.walks.empty() && p.shots.empty() && !p.overlaps;
    }
}

// --- Conditions ---

template <int W>
bool Position<W>::has(int index, Side asked) const {
    return std::ranges::any_of(rules_->has[size_t(index)][asked], [&](Piece piece) { return count_[piece] > 0; });
}

template <int W>
int Position<W>::ways_alive(Side side) const {
    int ways = 0;
    for (const auto& way : rules_->alive)
        ways += std::ranges::all_of(way, [&](const auto& part) { return has(part.first, side) == part.second; });
    return ways;
}

// The points that the lookers of a sight see, for a piece of side `asked`.
template <int W>
Bits<W> Position<W>::seen(int index, Side asked) const {
    const auto& sight = rules_->sights[size_t(index)];
    Bits<W> points;
    if (sight.lookers[asked] < 0) return points;
    watch_[size_t(sight.lookers[asked])].each([&](Point point) {
        Cell from = rules_->cell_of[point];
        for (uint64_t vectors = sight.vectors[side_of(board_[from])]; vectors; vectors &= vectors - 1) {
            int delta = rules_->deltas[size_t(std::countr_zero(vectors))];
            for (Cell cell = Cell(from + delta); board_[cell] != WALL; cell = Cell(cell + delta)) {
                if (board_[cell] == EMPTY) continue;
                points.set(rules_->point_of[cell]);
                if (!sight.through) break;
            }
        }
        return false;
    });
    return points;
}

template <int W>
bool Position<W>::holds(const typename Rules<W>::TurnRule& rule, Point point, Piece piece) const {
    if (!rule.where[piece].test(point)) return false;
    const Side side = side_of(piece);
    return std::ranges::all_of(rule.questions, [&](const Question& question) {
        bool answer = false;
        if (question.ask == Ask::NEAR) {
            const auto& near = rules_->nears[size_t(question.argument)];
            answer = near.watch[side] >= 0 && (near.around[point] & watch_[size_t(near.watch[side])]).any();
        } else if (question.ask == Ask::HAS) {
            answer = has(question.argument, side);
        } else if (question.ask == Ask::IN_SIGHT) {
            answer = seen(question.argument, side).test(point);
        }
        return answer == question.holds;
    });
}

// --- Changes of the board ---

template <int W>
void Position<W>::act(const typename Rules<W>::TurnRule& rule, Point point) {
    auto strike = [&](Cell cell) {
        if (rule.act == Act::REMOVE) put(cell, EMPTY);
        if (rule.act == Act::TURN) turn_over(cell, piece_of(rule.into, side_of(board_[cell])));
    };
    Cell cell = rules_->cell_of[point];
    if (!rule.others) return strike(cell);
    const auto& those = rule.those[side_of(board_[cell])];
    const Bits<W> near = (occupied_[BLACK] | occupied_[WHITE]) & rule.around[point];
    Bits<W> struck;  // all of them, before the first is struck
    near.each([&](Point other) {
        if (those[board_[rules_->cell_of[other]]]) struck.set(other);
        return false;
    });
    struck.each([&](Point other) {
        if (board_[rules_->cell_of[other]] != EMPTY) strike(rules_->cell_of[other]);
        return false;
    });
}

template <int W>
void Position<W>::turn_over(Cell cell, Piece into) {
    if (board_[cell] == into) return;
    put(cell, into);
    Point point = rules_->point_of[cell];
    for (const auto& rule : rules_->on(Moment::TURNS))
        if (board_[cell] != EMPTY && holds(rule, point, board_[cell])) act(rule, point);
}

// Acts until no rule that is true at all times finds anything to do.
template <int W>
void Position<W>::settle() {
    for (bool acted = true; acted;) {
        acted = false;
        for (const auto& rule : rules_->on(Moment::AT_ALL_TIMES)) {
            const Bits<W> subjects =
                rule.subjects < 0 ? occupied_[BLACK] | occupied_[WHITE] : watch_[size_t(rule.subjects)];
            Bits<W> struck;
            subjects.each([&](Point point) {
                if (holds(rule, point, board_[rules_->cell_of[point]])) struck.set(point);
                return false;
            });
            acted = struck.each([&](Point point) {
                if (board_[rules_->cell_of[point]] != EMPTY) act(rule, point);
                return false;
            }) || struck.any();
            if (acted) break;
        }
    }
}

// --- The way of a turn ---

template <int W>
void Position<W>::land_trek(Trek& trek, Cell to) {
    const Piece there = board_[to];
    const Point point = rules_->point_of[to];
    const auto& zone = rules_->zone[turn_];
    trek.touched |= zone.test(point) || zone.test(rules_->point_of[trek.from]);
    put(trek.at, EMPTY);
    put(to, trek.now);
    settle();
    for (const auto& rule : rules_->on(Moment::ARRIVES))
        if (board_[to] != EMPTY && holds(rule, point, board_[to])) {
            act(rule, point);
            settle();
        }
    trek.arrive(to, there);
    trek.now = board_[to];
}

template <int W>
void Position<W>::shoot(Trek& trek, Cell target) {
    trek.take(board_[target]);
    put(target, EMPTY);
    settle();
    trek.now = board_[trek.at];
    ++trek.shots;
    trek.add(TRAIL_SHOT | target);
}

template <int W>
void Position<W>::turn_mover(Trek& trek, Piece into) {
    turn_over(trek.at, into);
    settle();
    trek.now = board_[trek.at];
}

// Whether something the turn has taken turns the mover by force.
template <int W>
bool Position<W>::triumphs(const Trek& trek) const {
    const auto& info = rules_->info[trek.now];
    return info.triumph != EMPTY && std::any_of(trek.taken.begin(), trek.taken.begin() + trek.taken_count,
                                                [&](Piece piece) { return info.prey[piece]; });
}

// What the mover may be at the end of its turn if nothing turns it by force.
template <int W>
const std::vector<Change>& Position<W>::results(const Trek& trek) const {
    return rules_->info[trek.now].changes[size_t((trek.touched && !trek.stood()) * 2 + (trek.taken_count > 0))];
}

template <int W>
void Position<W>::play_turn(Move move) {
    auto tag = [](uint64_t trail) { return uint16_t(trail & 0xFFFF & ~uint64_t(TRAIL_CELL)); };
    uint64_t trail = move.trail;
    // One that shoots where it stands does not land; one that comes back to its start has landed elsewhere before.
    const bool stands = move.from == move.to && tag(trail) == TRAIL_LAST_SHOT;
    Trek trek{board_[move.from], move.from, move.from, board_[move.from]};
    for (; trail && tag(trail) != TRAIL_LAST_SHOT; trail >>= 16) {
        const auto cell = Cell(trail & TRAIL_CELL);
        tag(trail) == TRAIL_LANDING ? land_trek(trek, cell) : shoot(trek, cell);
    }
    if (!stands) land_trek(trek, move.to);
    for (; trail; trail >>= 16) shoot(trek, Cell(trail & TRAIL_CELL));
    if (trek.now == EMPTY) return;
    if (triumphs(trek)) return turn_mover(trek, rules_->info[trek.now].triumph);
    for (const Change& change : results(trek))
        if (change.flags == move.flags && (!(move.flags & CHOOSES) || change.piece == move.piece))
            return turn_mover(trek, change.piece);
}

template <int W>
template <class Visit>
void Position<W>::each_taken(Move move, Visit visit) const {
    auto look = [&](Cell cell) {
        if (owned(board_[cell], ~turn_)) visit(board_[cell]);
    };
    for (uint64_t trail = move.trail; trail; trail >>= 16) look(Cell(trail & TRAIL_CELL));
    look(move.to);
}

template <int W>
bool Position<W>::takes(Move move) const {
    bool found = false;
    each_taken(move, [&](Piece) { found = true; });
    if (found || move.piece == EMPTY || !rules_->info[board_[move.from]].acts_on_arrival) return found;
    for (const auto& rule : rules_->on(Moment::ARRIVES))
        if (rule.others && rule.where[move.piece].any())
            found |= (rule.around[rules_->point_of[move.to]] & occupied_[~turn_]).any();
    return found;
}

// --- For the search ---

template <int W>
int Position<W>::ties(Side side) const {
    int worth = 0;
    for (const auto& tie : rules_->ties) {
        auto there = [&](Piece piece) { return count_[piece] > 0; };
        if (std::ranges::none_of(tie.needed[side], there)) continue;
        for (Piece piece : tie.hanging[side]) worth += tie.worth * count_[piece];
    }
    return worth;
}

// Each way of being alive beyond the first is a reserve; enemies close to the commanders count against the side,
// friends for it, the more the fewer ways are left.
template <int W>
int Position<W>::command(Side side) const {
    constexpr int RESERVE = 150, PRESSURE = 12, SHELTER = 4;
    const int ways = ways_alive(side);
    int worth = RESERVE * std::min(ways, 3);
    if (rules_->commanders < 0) return worth;
    const Bits<W> commanders = watch_[size_t(rules_->commanders)] & occupied_[side];
    int pressure = 0;
    commanders.each([&](Point point) {
        pressure += PRESSURE * (rules_->vicinity[point] & occupied_[~side]).count() -
                    SHELTER * (rules_->beside[point] & occupied_[side]).count();
        return false;
    });
    return worth - pressure * 2 / (1 + std::max(ways, 1));
}

template <int W>
int Position<W>::spoils(Move move) const {
    int won = move.piece == EMPTY ? -rules_->info[board_[move.from]].value
                                  : rules_->info[move.piece].value - rules_->info[board_[move.from]].value;
    each_taken(move, [&](Piece piece) { won += rules_->info[piece].value; });
    if (move.piece == EMPTY || !rules_->info[board_[move.from]].acts_on_arrival) return won;
    for (const auto& rule : rules_->on(Moment::ARRIVES)) {
        if (!rule.others || rule.act != Act::REMOVE || !rule.where[move.piece].any()) continue;
        (rule.around[rules_->point_of[move.to]] & (occupied_[BLACK] | occupied_[WHITE])).each([&](Point point) {
            const Cell cell = rules_->cell_of[point];
            if (cell != move.from && rule.those[turn_][board_[cell]])
                won += (owned(board_[cell], turn_) ? -1 : 1) * rules_->info[board_[cell]].value;
            return false;
        });
    }
    return won;
}

}  // namespace komadai
