#include "royal_moves.hpp"

#include "sinks.hpp"

namespace komadai {

namespace {

constexpr int MAX_SHARED = 16;  // drop rules with an index below have their answers kept; others find them each time

// Keeps captures and changes of kind, and drops on the points that `wanted` names.
template <int W, class Points>
struct CaptureSink {
    const State<W>& state;
    MoveList& moves;
    Points wanted;  // (piece) -> the points where a drop of it is kept
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        if (state.board[to] != EMPTY || flags) moves.push_back({from, to, piece, flags});
        return false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        return (points & wanted(piece)).each([&](Point point) {
            moves.push_back({Cell(slot), rules.cell_of[point], piece, DROP});
            return false;
        });
    }
};

// Keeps the moves that give check.
template <int W>
struct CheckSink {
    // Of some kinds points are kept; those of others are found each time.
    struct Kept {
        static constexpr int KINDS = 32;
        std::array<uint64_t, W> points[KINDS];  // set where known
        uint32_t known = 0;

        Kept() {}
        template <class Find>
        Bits<W> of(Piece piece, Find find) {
            const int kind = kind_of(piece);
            if (kind >= KINDS) return find();
            if (!(known >> kind & 1)) {
                points[kind] = find().word;
                known |= 1u << kind;
            }
            return {points[kind]};
        }
    };

    const State<W>& state;
    MoveList& moves;
    Bits<W> screens;  // own pieces whose move may open a line to the opponent's royal piece
    Kept aims{}, aims_of_movers{};

    Bits<W> aim(Piece piece) {
        return aims.of(piece, [&] { return aiming_points(state, piece); });
    }
    // The points from which a piece gives check as anything it may become.
    Bits<W> aim_of_mover(Piece piece) {
        return aims_of_movers.of(piece, [&] {
            Bits<W> points;
            for (const Piece result : state.rules->info[piece].results) points |= aim(result);
            return points;
        });
    }
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        const auto& point_of = state.rules->point_of;
        if (screens.test(point_of[from]) ? exposes(state, from, to, piece) : aim(piece).test(point_of[to]))
            moves.push_back({from, to, piece, flags});
        return false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        return (points & aim(piece)).each([&](Point point) {
            return moves.push_back({Cell(slot), rules.cell_of[point], piece, DROP}), false;
        });
    }
};

}  // namespace

// --- Safety of the royal piece ---

template <int W>
typename RoyalMoves<W>::Safety RoyalMoves<W>::safety() const {
    const Side us = state_.side_to_move;
    Safety found;
    found.target = rules_.board;
    const Cell royal = state_.royal[us];
    if (royal == NO_CELL) return found;
    const Point there = rules_.point_of[royal];
    (state_.occupied[~us] & state_.sliders & rules_.rays[there]).each([&](Point point) {
        const Cell from = rules_.cell_of[point];
        if (!rules_.reach(state_.board[from], point).test(there)) return false;
        return rules_.each_ray(royal, from, [&](int vector, int distance) {
            if (!slides_over<W>(rules_.info[state_.board[from]], vector ^ 1, distance)) return false;
            const int delta = rules_.deltas[vector];
            Cell shield = NO_CELL;
            for (Cell cell = Cell(royal + delta); cell != from; cell = Cell(cell + delta)) {
                if (state_.board[cell] == EMPTY) continue;
                if (shield != NO_CELL || !owned(state_.board[cell], us)) return false;
                shield = cell;
            }
            if (shield != NO_CELL) return found.pinned.set(rules_.point_of[shield]), false;
            found.target &= line(royal, delta, from);
            found.checked = true;
            return false;
        });
    });
    (state_.occupied[~us] & rules_.leapt_from[there]).each([&](Point point) {
        if (!rules_.leaps(state_.board[rules_.cell_of[point]], point).test(there)) return false;
        // A leap cannot be blocked, even if the same piece also slides to the royal one.
        Bits<W> leaper;
        leaper.set(point);
        found.target &= leaper;
        found.checked = true;
        return false;
    });
    return found;
}

// The points from `from` (excluded) by steps of `delta` to `to` (included).
template <int W>
Bits<W> RoyalMoves<W>::line(Cell from, int delta, Cell to) const {
    Bits<W> points;
    for (Cell cell = Cell(from + delta); cell != to; cell = Cell(cell + delta)) points.set(rules_.point_of[cell]);
    points.set(rules_.point_of[to]);
    return points;
}

// The points that a pinned piece may move to: those on the line of every slider that pins it.
template <int W>
Bits<W> RoyalMoves<W>::pin_lines(Cell pinned) const {
    const Side us = state_.side_to_move;
    Bits<W> allowed = rules_.board;
    const Cell royal = state_.royal[us];
    for (int v : rules_.ray_vectors) {
        const int delta = rules_.deltas[v], back = v ^ 1;
        bool through = false;
        Cell cell = royal;
        for (int distance = 1;; ++distance) {
            cell = Cell(cell + delta);
            const Piece piece = state_.board[cell];
            if (piece == EMPTY) continue;
            if (cell == pinned) {
                through = true;
                continue;
            }
            if (through && piece != WALL && owned(piece, ~us)) {
                const auto& info = rules_.info[piece];
                if (info.slide_bits >> back & 1 && info.reach[back] >= distance) allowed &= line(royal, delta, cell);
            }
            break;
        }
    }
    return allowed;
}

// --- Rules ---

template <int W>
void RoyalMoves<W>::push(Move move) {
    state_.make(move, [&] { play_royal_move(state_, move); });
}

template <int W>
bool RoyalMoves<W>::mates(Move move) {
    push(move);
    const Takeback taken(state_);
    return royal_attacked(state_, state_.side_to_move) && !RoyalMoves(state_, true).any();
}

// True if the condition holds for a move that is not made yet. The most frequent ones are answered inline.
template <int W>
inline bool RoyalMoves<W>::holds(const Term& term, Move move) {
    if (term.condition == Condition::SUPPORTED) return is_supported(state_, move);
    if (term.condition == Condition::CAPTURES) return !move.is_drop() && state_.board[move.to] != EMPTY;
    return holds_at_length(term, move);
}

template <int W>
[[gnu::noinline]] bool RoyalMoves<W>::holds_at_length(const Term& term, Move move) {
    switch (term.condition) {
        case Condition::CAPTURES:
        case Condition::SUPPORTED: return holds(term, move);
        case Condition::ON_FILE: {
            const int file = rules_.file_of[rules_.point_of[move.to]];
            int others = state_.on_file[term.argument][state_.side_to_move][file];
            // The mover itself is not another piece.
            if (!move.is_drop() && rules_.info[state_.board[move.from]].groups >> term.argument & 1 &&
                rules_.file_of[rules_.point_of[move.from]] == file)
                --others;
            return others > 0;
        }
        case Condition::IN_HAND: return hand_mask(state_.side_to_move) & unsigned(term.argument);
        case Condition::NEAR: return is_near(state_, term.argument, move);
        case Condition::BEYOND_SUPPORT: return !move.is_drop() && is_beyond_support(state_, move);
        case Condition::GIVES_CHECK: {
            push(move);
            const bool check = royal_attacked(state_, state_.side_to_move);
            state_.pop();
            return check;
        }
        case Condition::MATES: return mates(move);
        case Condition::HAS:
        case Condition::IN_SIGHT: break;  // of compound moves only
    }
    return false;
}

template <int W>
bool RoyalMoves<W>::forbidden(const std::vector<int>& indices, Move move) {
    for (int index : indices) {
        const auto& rule = rules_.rules[index];
        if ((rule.about_mate && ignore_mate_rules_) || !rule.where[move.piece].test(rules_.point_of[move.to])) continue;
        bool all = true;
        for (const Term& term : rule.terms)
            if (holds(term, move) != term.expected) {
                all = false;
                break;
            }
        if (all) return true;
    }
    return false;
}

// Makes the move to see whether it leaves the mover's royal pieces safe and every piece inside the window.
template <int W>
bool RoyalMoves<W>::keeps_royal_safe(Move move) {
    push(move);
    const bool safe = !state_.outside_window && !royal_attacked(state_, ~state_.side_to_move);
    state_.pop();
    return safe;
}

// True if the end of the turn might take something after the move, or the window might shift.
template <int W>
bool RoyalMoves<W>::unsettled(Move move) const {
    if (try_all_ || move.piece == rules_.anchor) return true;
    if (rules_.end_rules.empty()) return false;
    return !keeps_support(state_, move) || !support_now(state_).area.test(rules_.point_of[move.to]);
}

template <int W>
Bits<W> RoyalMoves<W>::files_with(int group, Side side) const {
    Bits<W> points;
    for (int file = 1; file <= rules_.width; ++file)
        if (state_.on_file[group][side][file]) points |= rules_.file_points[file];
    return points;
}

template <int W>
unsigned RoyalMoves<W>::hand_mask(Side side) const {
    unsigned mask = 0;
    for (int slot = 0; slot < rules_.hands(); ++slot)
        if (state_.hand[side][slot]) mask |= 1u << slot;
    return mask;
}

// --- Generation ---

// Generates everything that `piece` may become on landing on `to`, where `there` stands.
template <int W>
template <class Sink>
inline bool RoyalMoves<W>::land(Sink& sink, Cell from, Cell to, Piece there, Piece piece, const PieceInfo& info,
                                bool starts_in_zone) {
    const bool touches = starts_in_zone || rules_.zone[side_of(piece)].test(rules_.point_of[to]);
    const int move_class = touches * 2 + (there != EMPTY);
    if (!info.looks_in[move_class]) return sink.move(from, to, piece, 0);
    return land_changing(sink, from, to, info.changes[move_class]);
}

template <int W>
template <class Sink>
[[gnu::noinline]] bool RoyalMoves<W>::land_changing(Sink& sink, Cell from, Cell to,
                                                    const std::vector<Change>& changes) {
    const Point target = rules_.point_of[to];
    const bool may_unsettle = !rules_.end_rules.empty() || rules_.anchor != EMPTY;
    for (const Change& change : changes) {
        const auto& result = rules_.info[change.piece];
        if (!result.may_land.test(target)) continue;
        if (!result.landing_rules.empty() && forbidden(result.landing_rules, {from, to, change.piece, change.flags}))
            continue;
        if (may_unsettle) {
            const Move move{from, to, change.piece, change.flags};
            if (unsettled(move) && !keeps_royal_safe(move)) continue;
        }
        if (sink.move(from, to, change.piece, change.flags)) return true;
    }
    return false;
}

// Calls visit(to, piece there) once for every point of `among` that the piece on `from` reaches, until it returns true.
template <int W>
template <class Visit>
[[gnu::always_inline]] inline bool RoyalMoves<W>::each_target(Cell from, const Bits<W>& among, Visit visit) const {
    const Piece* board = state_.board.data();
    const Piece piece = board[from];
    const auto& info = rules_.info[piece];
    auto go = [&](Point point) { return visit(rules_.cell_of[point], board[rules_.cell_of[point]]); };
    Bits<W> reached = rules_.leaps(piece, rules_.point_of[from]) & among & ~state_.occupied[side_of(piece)];
    if (!info.overlaps && reached.each(go)) return true;
    for (const auto& slide : info.slides) {
        Cell to = from;
        for (int distance = 1; distance <= slide.reach; ++distance) {
            to = Cell(to + slide.delta);
            const Piece there = board[to];
            if (owned(there, side_of(piece))) break;
            const Point point = rules_.point_of[to];
            if (info.overlaps) [[unlikely]]
                reached.set(point);
            else if (among.test(point) && visit(to, there))
                return true;
            if (there != EMPTY) break;
        }
    }
    return info.overlaps && (reached & among).each(go);
}

// The points from which a piece may come to one of those, depending on its kind and on what stands between.
template <int W>
Bits<W> RoyalMoves<W>::may_move_to(const Bits<W>& points) const {
    Bits<W> found = state_.sliders;
    points.each([&](Point point) { return found |= rules_.leapt_from[point], false; });
    return found;
}

// All moves of one piece onto `target`.
template <int W>
template <class Sink>
bool RoyalMoves<W>::generate_piece(Sink& sink, Cell from, const Bits<W>& target) {
    const Piece piece = state_.board[from];
    const auto& info = rules_.info[piece];
    Bits<W> among = target;
    if (info.keeps_to_support && !state_.links.any()) among &= support_now(state_).area;  // no capture changes support
    const bool starts_in_zone = rules_.zone[side_of(piece)].test(rules_.point_of[from]);
    return each_target(from, among,
                       [&](Cell to, Piece there) { return land(sink, from, to, there, piece, info, starts_in_zone); });
}

template <int W>
template <class Sink>
bool RoyalMoves<W>::generate_royal(Sink& sink, Cell from) {
    const Piece piece = state_.board[from];
    const auto& info = rules_.info[piece];
    // Where landing tries the move anyway, the rules come first because they cost less.
    const bool tried = piece == rules_.anchor || (!rules_.end_rules.empty() && info.role != Role::NONE);
    const Side us = side_of(piece);
    const bool starts_in_zone = rules_.zone[us].test(rules_.point_of[from]);
    const bool near = info.slides.empty() && !tried;
    return each_target(from, near ? safe_leaps(state_, from) : rules_.board, [&](Cell to, Piece there) {
        return (near || tried || !attacked(state_, to, ~us, from)) &&
               land(sink, from, to, there, piece, info, starts_in_zone);
    });
}

template <int W>
template <class Sink>
bool RoyalMoves<W>::generate_drops(Sink& sink, const Bits<W>& target) {
    const Side us = state_.side_to_move;
    const Bits<W> empty = target & ~(state_.occupied[BLACK] | state_.occupied[WHITE]);
    if (!empty.any()) return false;
    const unsigned holding = hand_mask(us);
    if (!holding) return false;
    // The points that a rule forbids to every piece alike, found when the first piece needs them.
    std::array<Bits<W>, MAX_SHARED> shared;
    unsigned found = 0;
    const bool ends = !rules_.end_rules.empty();
    for (unsigned slots = holding; slots; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        for (int kind : rules_.drops[slot]) {
            const Piece piece = piece_of(kind, us);
            if (!anchored() && piece != rules_.anchor) continue;
            const auto& info = rules_.info[piece];
            Bits<W> points = empty & info.may_drop;
            // The points where the end of the turn may take something: there a drop is tried.
            const Bits<W> doubtful = try_all_ ? rules_.board
                                     : ends   ? ~area_of(state_, info.role, support_now(state_))
                                              : Bits<W>{};
            for (int index : info.drop_rules) {
                const auto& rule = rules_.rules[index];
                if (rule.about_mate && ignore_mate_rules_) continue;
                const bool shares = !rule.about_the_piece && index < MAX_SHARED;
                if (shares && found >> index & 1) {
                    points &= ~(rule.where[piece] & shared[index]);
                    continue;
                }
                Bits<W> bad = shares ? rules_.board : rule.where[piece] & points;
                for (const Term& term : rule.terms) {
                    Bits<W> yes;
                    bool try_each = false;  // every point of `yes`
                    switch (term.condition) {
                        case Condition::ON_FILE: yes = files_with(term.argument, us); break;
                        case Condition::IN_HAND:
                            if (holding & unsigned(term.argument)) yes = rules_.board;
                            break;
                        case Condition::NEAR: yes = near_now(state_, term.argument); break;
                        case Condition::SUPPORTED: yes = area_of(state_, info.role, support_now(state_)); break;
                        case Condition::CAPTURES:
                        case Condition::HAS:
                        case Condition::IN_SIGHT:
                        case Condition::BEYOND_SUPPORT: break;
                        case Condition::GIVES_CHECK:
                            yes = checking_points(state_, piece) | doubtful;
                            try_each = (bad & doubtful).any();
                            break;
                        case Condition::MATES:
                            yes = checking_points(state_, piece) | doubtful;
                            try_each = true;
                            break;
                    }
                    if (try_each)
                        (yes & bad).each([&](Point point) {
                            if (!holds(term, {Cell(slot), rules_.cell_of[point], piece, DROP})) yes.reset(point);
                            return false;
                        });
                    bad &= term.expected ? yes : ~yes;
                    if (!bad.any()) break;
                }
                if (shares) {
                    shared[index] = bad;
                    found |= 1u << index;
                    bad &= rule.where[piece];
                }
                points &= ~bad;
            }
            if (info.royal) {
                const Bits<W> asked = points;
                asked.each([&](Point point) {
                    if (attacked(state_, rules_.cell_of[point], ~us)) points.reset(point);
                    return false;
                });
            }
            if (ends)
                (points & doubtful).each([&](Point point) {
                    if (!keeps_royal_safe({Cell(slot), rules_.cell_of[point], piece, DROP})) points.reset(point);
                    return false;
                });
            if (sink.drops(rules_, slot, piece, points)) return true;
        }
    }
    return false;
}

template <int W>
template <class Sink>
void RoyalMoves<W>::generate(Sink& sink, bool with_drops) {
    try_all_ = !rules_.end_rules.empty() && stranded(state_).any();
    const Safety safe = safety();
    const Side us = state_.side_to_move;
    const Cell royal = state_.royal[us];
    if (royal != NO_CELL && generate_royal(sink, royal)) return;
    if (!safe.target.any()) return;  // no single move parries both checkers
    Bits<W> movers = state_.occupied[us];
    if (safe.checked) movers &= may_move_to(safe.target);
    if (royal != NO_CELL) movers.reset(rules_.point_of[royal]);
    const bool stopped = movers.each([&](Point point) {
        const Cell from = rules_.cell_of[point];
        if (safe.checked && !(rules_.reach(state_.board[from], point) & safe.target).any()) return false;
        if (!safe.pinned.test(point)) return generate_piece(sink, from, safe.target);
        return generate_piece(sink, from, pin_lines(from) & safe.target);
    });
    if (!stopped && with_drops) generate_drops(sink, safe.target);
}

// Calls visit(move) for every move that follows the piece's movement and the static limits.
template <int W>
template <class Visit>
void RoyalMoves<W>::pseudo_legal(Visit visit) const {
    const Side us = state_.side_to_move;
    state_.occupied[us].each([&](Point point) {
        const Cell from = rules_.cell_of[point];
        const bool starts_in_zone = rules_.zone[us].test(point);
        const auto& info = rules_.info[state_.board[from]];
        return each_target(from, rules_.board, [&](Cell to, Piece there) {
            const Point target = rules_.point_of[to];
            const bool touches = starts_in_zone || rules_.zone[us].test(target);
            for (const Change& change : info.changes[size_t(touches * 2 + (there != EMPTY))])
                if (rules_.info[change.piece].may_land.test(target)) visit(Move{from, to, change.piece, change.flags});
            return false;
        });
    });
    for (int slot = 0; slot < rules_.hands(); ++slot) {
        if (!state_.hand[us][slot]) continue;
        for (int kind : rules_.drops[slot]) {
            const Piece piece = piece_of(kind, us);
            if (!anchored() && piece != rules_.anchor) continue;
            rules_.info[piece].may_drop.each([&](Point point) {
                const Cell to = rules_.cell_of[point];
                if (state_.board[to] == EMPTY) visit(Move{Cell(slot), to, piece, DROP});
                return false;
            });
        }
    }
}

// --- The lists ---

template <int W>
void RoyalMoves<W>::legal_generic(MoveList& moves) {
    MoveList candidates;
    pseudo_legal([&](Move move) { candidates.push_back(move); });
    for (Move move : candidates) {
        const auto& info = rules_.info[move.piece];
        if (forbidden(move.is_drop() ? info.drop_rules : info.landing_rules, move)) continue;
        if (keeps_royal_safe(move)) moves.push_back(move);
    }
}

template <int W>
void RoyalMoves<W>::legal(MoveList& moves) {
    if (!rules_.single_royal) return legal_generic(moves);
    ListSink<W> sink{moves};
    generate(sink);
}

template <int W>
void RoyalMoves<W>::captures(MoveList& moves, bool with_checks) {
    if (rules_.single_royal) {
        auto points = [&](Piece piece) { return with_checks ? checking_points(state_, piece) : Bits<W>{}; };
        CaptureSink<W, decltype(points)> sink{state_, moves, points};
        generate(sink, with_checks);
        return;
    }
    MoveList all;
    legal_generic(all);
    for (Move move : all)
        if (!move.is_drop() && (state_.board[move.to] != EMPTY || move.flags)) moves.push_back(move);
}

template <int W>
void RoyalMoves<W>::checks(MoveList& moves) {
    const Side us = state_.side_to_move;
    if (state_.royal[~us] == NO_CELL) return;
    const Safety safe = safety();
    CheckSink<W> sink{state_, moves, screens(state_)};
    const Cell royal = state_.royal[us];
    const Bits<W> near = rules_.leapt_from_twice[rules_.point_of[state_.royal[~us]]];
    (state_.occupied[us] & (sink.screens | state_.sliders | near)).each([&](Point point) {
        const Cell from = rules_.cell_of[point];
        const Piece piece = state_.board[from];
        Bits<W> target = rules_.reach(piece, point);
        if (from != royal) target &= safe.target;
        if (!target.any()) return false;
        if (!sink.screens.test(point)) target &= sink.aim_of_mover(piece);
        if (from == royal) {
            if (target.any()) generate_royal(sink, from);
            return false;
        }
        if (safe.pinned.test(point)) target &= pin_lines(from);
        return target.any() && generate_piece(sink, from, target);
    });
    Bits<W> target;
    for (unsigned slots = hand_mask(us); slots; slots &= slots - 1)
        for (int kind : rules_.drops[size_t(std::countr_zero(slots))]) target |= sink.aim(piece_of(kind, us));
    target &= safe.target;
    if (target.any()) generate_drops(sink, target);
}

template <int W>
bool RoyalMoves<W>::any() {
    if (!rules_.single_royal) {
        MoveList moves;
        legal_generic(moves);
        return !moves.empty();
    }
    AnySink<W> sink;
    generate(sink);
    return sink.found;
}

template <int W>
uint64_t RoyalMoves<W>::count() {
    if (!rules_.single_royal) {
        MoveList moves;
        legal_generic(moves);
        return moves.size();
    }
    CountSink<W> sink;
    generate(sink);
    return sink.count;
}

template class RoyalMoves<2>;
template class RoyalMoves<6>;
template class RoyalMoves<10>;

}  // namespace komadai
