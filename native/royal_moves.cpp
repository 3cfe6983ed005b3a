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
    bool moves_of(const Rules<W>& rules, const Move& move, const Bits<W>& points) {
        add_moves(rules, moves, move, move.flags ? points : points & state.occupied[~side_of(move.piece)]);
        return false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        add_moves(rules, moves, {Cell(slot), 0, piece, DROP}, points & wanted(piece));
        return false;
    }
};

// Keeps the moves that give check.
template <int W>
struct CheckSink {
    const State<W>& state;
    MoveList& moves;
    const Point royal;                  // the opponent's
    const Bits<W> screens;              // own pieces whose move may open a line to it
    const Bits<W> pieces;               // all
    uint32_t known = 0;                 // of the first kinds: whose lines are kept
    std::array<uint64_t, W> lines[32];  // by kind: the points from which it slides there; set where known

    CheckSink(const State<W>& of, MoveList& into)
        : state(of),
          moves(into),
          royal(of.rules->point_of[of.royal[~of.side_to_move]]),
          screens(komadai::screens(of)),
          pieces(of.everyone()) {}

    // The points from which a piece gives check.
    Bits<W> aim(Piece piece) {
        const auto& sets = state.rules->sets;
        const uint32_t site = state.rules->site(piece, royal);
        const Bits<W>& leaps = sets.leaps_onto[site];
        const auto& fan = sets.fans_onto[site];
        return fan.up || fan.down ? leaps | line(kind_of(piece), site) : leaps;
    }
    // Likewise as anything that it may become.
    Bits<W> aim_of_mover(Piece piece) {
        Bits<W> points;
        for (const Piece result : state.rules->info[piece].results) points |= aim(result);
        return points;
    }
    Bits<W> line(int kind, uint32_t site) {
        if (kind >= int(std::size(lines))) return state.rules->sets.slid_onto(site, pieces);
        if (!(known >> kind & 1)) {
            lines[kind] = state.rules->sets.slid_onto(site, pieces).word;
            known |= 1u << kind;
        }
        return {lines[kind]};
    }
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        const auto& point_of = state.rules->point_of;
        if (screens.test(point_of[from]) ? exposes(state, from, to, piece) : aim(piece).test(point_of[to]))
            moves.push_back({from, to, piece, flags});
        return false;
    }
    bool moves_of(const Rules<W>& rules, const Move& one, const Bits<W>& points) {
        if (screens.test(rules.point_of[one.from]))
            return points.each([&](Point to) { return move(one.from, rules.cell_of[to], one.piece, one.flags); });
        add_moves(rules, moves, one, points & aim(one.piece));
        return false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        add_moves(rules, moves, {Cell(slot), 0, piece, DROP}, points & aim(piece));
        return false;
    }
};

// Counts moves by what they do. Those of one piece come one after the other.
template <int W>
struct KindSink {
    const State<W>& state;
    Kinds<W>& kinds;
    const Bits<W> empty;  // the points where a drop may be of use
    Cell mover = NO_CELL;
    Bits<W> targets{};  // of the mover

    void add(Cell from, const Bits<W>& points) {
        if (from != mover) finish();
        mover = from;
        targets |= points;
    }
    void finish() {
        const auto all = uint32_t(targets.count());
        if (mover == state.royal[state.side_to_move]) {
            kinds.by_royal += all;
        } else {
            const auto captures = uint32_t((targets & state.occupied[~state.side_to_move]).count());
            kinds.captures += captures;
            kinds.others += all - captures;
        }
        targets = {};
    }
    bool move(Cell from, Cell to, Piece, uint16_t) {
        Bits<W> point;
        point.set(state.rules->point_of[to]);
        return add(from, point), false;
    }
    bool moves_of(const Rules<W>&, const Move& move, const Bits<W>& points) { return add(move.from, points), false; }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) {
        kinds.drops |= points;
        return kinds.drops == empty;
    }
};

}  // namespace

// --- Safety of the royal piece ---

// Calls visit(way, from) for each of the opponent's pieces that would slide to the royal piece if nothing stood
// between, with the points between.
template <int W>
template <class Visit>
[[gnu::always_inline]] inline void RoyalMoves<W>::each_line(Point royal, Visit visit) const {
    (state_.sliding(~state_.side_to_move) & rules_.rays[royal]).each([&](Point from) {
        if (!rules_.sets.reach[state_.site[from]].slides.test(royal)) return false;
        return rules_.each_ray(royal, from, [&](int vector, int distance) {
            if (!rules_.rays_meet || rules_.slides_over(state_.board[rules_.cell_of[from]], vector ^ 1, distance))
                visit(rules_.sets.between(royal, from, vector), from);
            return false;
        });
    });
}

template <int W>
typename RoyalMoves<W>::Safety RoyalMoves<W>::safety() const {
    const Side us = state_.side_to_move;
    Safety found;
    found.target = rules_.board;
    if (state_.royal[us] == NO_CELL) return found;
    const Point royal = rules_.point_of[state_.royal[us]];
    const Bits<W> pieces = state_.everyone();
    each_line(royal, [&](Bits<W> way, Point from) {
        const Bits<W> shields = way & pieces;
        if (!shields.any()) {
            way.set(from);
            found.target &= way;
            found.checked = true;
        } else if (shields.count() == 1) {
            found.pinned |= shields & state_.occupied[us];
        }
    });
    (state_.occupied[~us] & rules_.sets.leapt_from[~us][royal]).each([&](Point from) {
        if (!rules_.sets.reach[state_.site[from]].leaps.test(royal)) return false;
        // A leap cannot be blocked, even if the same piece also slides to the royal one.
        Bits<W> leaper;
        leaper.set(from);
        found.target &= leaper;
        found.checked = true;
        return false;
    });
    return found;
}

// The points that a pinned piece may move to: those on the line of every slider that pins it.
template <int W>
Bits<W> RoyalMoves<W>::pin_lines(Point pinned) const {
    Bits<W> allowed = rules_.board;
    const Bits<W> pieces = state_.everyone();
    each_line(rules_.point_of[state_.royal[state_.side_to_move]], [&](Bits<W> way, Point from) {
        if (!way.test(pinned) || (way & pieces).count() > 1) return;
        way.set(from);
        allowed &= way;
    });
    return allowed;
}

// --- Rules ---

template <int W>
void RoyalMoves<W>::push(Move move) {
    if (rules_.in_place && !generic_)
        state_.make_in_place(move);
    else
        state_.make(move, [&] { play_royal_move(state_, move); });
}

// True if no royal piece of the side is attacked.
template <int W>
bool RoyalMoves<W>::royal_safe(Side side) const {
    if (!generic_) return !royal_attacked(state_, side);
    return !state_.occupied[side].each([&](Point point) {
        const Cell cell = rules_.cell_of[point];
        return rules_.info[state_.board[cell]].royal && attacked_by_walking(cell, ~side);
    });
}

// Of the generic path: as attacked().
template <int W>
bool RoyalMoves<W>::attacked_by_walking(Cell target, Side by) const {
    for (int v : rules_.ray_vectors) {
        Cell cell = Cell(target + rules_.deltas[v]);
        int distance = 1;
        for (; state_.board[cell] == EMPTY; ++distance) cell = Cell(cell + rules_.deltas[v]);
        const Piece piece = state_.board[cell];
        if (piece == WALL || !owned(piece, by)) continue;
        if (rules_.slides_over(piece, v ^ 1, distance)) return true;
        if (distance == 1 && rules_.info[piece].leap_bits >> (v ^ 1) & 1) return true;
    }
    return std::ranges::any_of(rules_.leap_vectors, [&](int v) {
        const Piece piece = state_.board[Cell(target + rules_.deltas[v])];
        return piece != WALL && owned(piece, by) && rules_.info[piece].leap_bits >> (v ^ 1) & 1;
    });
}

template <int W>
bool RoyalMoves<W>::mates(Move move) {
    push(move);
    const Takeback taken(state_);
    return !royal_safe(state_.side_to_move) && !RoyalMoves(state_, generic_ ? Path::GENERIC : Path::FAST, true).any();
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
            Bits<W> others = state_.on_files(term.argument, state_.side_to_move) & rules_.file_points[file];
            if (!move.is_drop()) others.reset(rules_.point_of[move.from]);  // the mover itself is not another piece
            return others.any();
        }
        case Condition::IN_HAND: return hand_mask(state_.side_to_move) & unsigned(term.argument);
        case Condition::NEAR: return is_near(state_, term.argument, move);
        case Condition::BEYOND_SUPPORT: return !move.is_drop() && is_beyond_support(state_, move);
        case Condition::GIVES_CHECK: {
            push(move);
            const bool check = !royal_safe(state_.side_to_move);
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
bool RoyalMoves<W>::applies(const typename Rules<W>::Rule& rule, Move move) {
    return std::ranges::all_of(rule.terms, [&](const Term& term) { return holds(term, move) == term.expected; });
}

template <int W>
bool RoyalMoves<W>::forbidden(const std::vector<int>& indices, Move move) {
    return std::ranges::any_of(indices, [&](int index) {
        const auto& rule = rules_.rules[index];
        return !(rule.about_mate && ignore_mate_rules_) && rule.where[move.piece].test(rules_.point_of[move.to]) &&
               applies(rule, move);
    });
}

// Makes the move to see whether it leaves the mover's royal pieces safe and every piece inside the window.
template <int W>
bool RoyalMoves<W>::keeps_royal_safe(Move move) {
    push(move);
    const bool safe = !state_.outside_window && royal_safe(~state_.side_to_move);
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

// The points of the files where a piece of the mover's group stands, apart from one on `but`.
template <int W>
Bits<W> RoyalMoves<W>::files_with(int group, Point but) {
    const Bits<W> pieces = state_.on_files(group, state_.side_to_move);
    Bits<W>& files = files_[size_t(group)];
    if (!(files_known_ >> group & 1)) {
        pieces.each([&](Point point) { return files |= rules_.file_points[rules_.file_of[point]], false; });
        files_known_ |= 1u << group;
    }
    if (but == NO_POINT) return files;
    const Bits<W>& file = rules_.file_points[rules_.file_of[but]];
    Bits<W> others = pieces & file;
    others.reset(but);
    return others.any() ? files : files.without(file);
}

template <int W>
unsigned RoyalMoves<W>::hand_mask(Side side) const {
    unsigned mask = 0;
    for (int slot = 0; slot < rules_.hands(); ++slot)
        if (state_.hand[side][slot]) mask |= 1u << slot;
    return mask;
}

// --- Generation ---

// Generates everything that the piece on `from` may become on landing on each of the targets.
template <int W>
template <class Sink>
inline bool RoyalMoves<W>::land(Sink& sink, Point from, const Bits<W>& targets) {
    const Cell cell = rules_.cell_of[from];
    const Piece piece = state_.board[cell];
    const Bits<W> as_is = targets & rules_.sets.as_is[state_.site[from]];
    if (as_is.any() && sink.moves_of(rules_, {cell, 0, piece}, as_is)) return true;
    const Bits<W> others = targets.without(as_is);
    if (!others.any()) return false;
    if (rules_.in_place) return land_alike(sink, from, others);
    const Bits<W>& zone = rules_.zone[side_of(piece)];
    return others.each([&](Point point) {
        const Cell to = rules_.cell_of[point];
        const bool touches = zone.test(from) || zone.test(point);
        return land_changing(sink, cell, to,
                             rules_.info[piece].changes[size_t(touches * 2 + (state_.board[to] != EMPTY))]);
    });
}

// As land(), with the targets that lead to the same results taken together.
template <int W>
template <class Sink>
[[gnu::noinline]] bool RoyalMoves<W>::land_alike(Sink& sink, Point from, const Bits<W>& targets) {
    const Cell cell = rules_.cell_of[from];
    const auto& info = rules_.info[state_.board[cell]];
    const Side us = state_.side_to_move;
    const Bits<W> inside = rules_.zone[us].test(from) ? targets : targets & rules_.zone[us];
    for (size_t move_class = 0; move_class < 4; ++move_class) {
        const Bits<W> touching = move_class >= 2 ? inside : targets.without(inside);
        const Bits<W> alike = move_class & 1 ? touching & state_.occupied[~us] : touching.without(state_.occupied[~us]);
        if (!alike.any()) continue;
        for (const Change& change : info.changes[move_class]) {
            const auto& result = rules_.info[change.piece];
            Bits<W> points = alike & result.may_land;
            const Move move{cell, 0, change.piece, change.flags};
            if (!result.landing_rules.empty()) points = points.without(forbidden_landings(move, points));
            if (points.any() && sink.moves_of(rules_, move, points)) return true;
        }
    }
    return false;
}

// Of in-place games: the points among `targets` where a rule forbids the move, which is given without its target.
template <int W>
Bits<W> RoyalMoves<W>::forbidden_landings(Move move, const Bits<W>& targets) {
    const Side us = state_.side_to_move;
    const Point from = rules_.point_of[move.from];
    Bits<W> forbidden;
    for (int index : rules_.info[move.piece].landing_rules) {
        const auto& rule = rules_.rules[index];
        if (rule.about_mate && ignore_mate_rules_) continue;
        Bits<W> bad = (rule.where[move.piece] & targets).without(forbidden);
        bool known = true;  // that it applies on all of them
        for (const Term& term : rule.terms) {
            if (!bad.any()) break;
            Bits<W> yes;
            switch (term.condition) {
                case Condition::ON_FILE: yes = files_with(term.argument, from); break;
                case Condition::IN_HAND:
                    if (hand_mask(us) & unsigned(term.argument)) yes = rules_.board;
                    break;
                case Condition::CAPTURES: yes = state_.occupied[~us]; break;
                case Condition::GIVES_CHECK:
                case Condition::MATES:
                    known = false;
                    if (state_.royal[~us] != NO_CELL) {
                        if (!screens_) screens_ = screens(state_);
                        yes = screens_->test(from) ? rules_.board : aiming_points(state_, move.piece);
                    }
                    if (!term.expected) yes = {};
                    break;
                default:
                    known = false;
                    yes = term.expected ? rules_.board : Bits<W>{};
                    break;
            }
            bad = term.expected ? bad & yes : bad.without(yes);
        }
        if (!known) {
            const Bits<W> doubtful = bad;
            doubtful.each([&](Point point) {
                move.to = rules_.cell_of[point];
                if (!applies(rule, move)) bad.reset(point);
                return false;
            });
        }
        forbidden |= bad;
    }
    return forbidden;
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

// The points from which a piece may come to one of those, depending on its kind and on what stands between.
template <int W>
Bits<W> RoyalMoves<W>::may_move_to(const Bits<W>& points) const {
    const Side us = state_.side_to_move;
    Bits<W> found = state_.sliding(us);
    points.each([&](Point point) { return found |= rules_.sets.leapt_from[us][point], false; });
    return found;
}

// All moves of one piece onto `target`.
template <int W>
template <class Sink>
inline bool RoyalMoves<W>::generate_piece(Sink& sink, Point from, const Bits<W>& target) {
    const Side us = state_.side_to_move;
    Bits<W> targets = rules_.sets.reached(state_.site[from], state_.everyone()) & target.without(state_.occupied[us]);
    // No capture changes support.
    if (!rules_.in_place && rules_.info[state_.board[rules_.cell_of[from]]].keeps_to_support && !state_.links.any())
        targets &= support_now(state_).area;
    return targets.any() && land(sink, from, targets);
}

// All moves of the royal piece onto `target`.
template <int W>
template <class Sink>
bool RoyalMoves<W>::generate_royal(Sink& sink, Point from, const Bits<W>& target) {
    const Piece piece = state_.board[rules_.cell_of[from]];
    const auto& info = rules_.info[piece];
    const Side us = state_.side_to_move;
    // Where landing tries the move anyway, the rules come first because they cost less.
    const bool tried = piece == rules_.anchor || (!rules_.end_rules.empty() && info.role != Role::NONE);
    if (info.slides.empty() && !tried) return land(sink, from, safe_leaps(state_, from, us) & target);
    Bits<W> targets = rules_.sets.reached(state_.site[from], state_.everyone()) & target.without(state_.occupied[us]);
    if (!tried) {
        const Bits<W> asked = targets;
        asked.each([&](Point point) {
            if (attacked(state_, rules_.cell_of[point], ~us, rules_.cell_of[from])) targets.reset(point);
            return false;
        });
    }
    return land(sink, from, targets);
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
                        case Condition::ON_FILE: yes = files_with(term.argument); break;
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
void RoyalMoves<W>::generate(Sink& sink, const Safety& safe, bool with_drops) {
    try_all_ = !rules_.end_rules.empty() && stranded(state_).any();
    const Side us = state_.side_to_move;
    Bits<W> movers = state_.occupied[us];
    if (const Cell royal = state_.royal[us]; royal != NO_CELL) {
        if (generate_royal(sink, rules_.point_of[royal], rules_.board)) return;
        movers.reset(rules_.point_of[royal]);
    }
    if (!safe.target.any()) return;  // no single move parries both checkers
    if (safe.checked) movers &= may_move_to(safe.target);
    const bool stopped = movers.each([&](Point point) {
        if (!safe.pinned.test(point)) return generate_piece(sink, point, safe.target);
        return generate_piece(sink, point, pin_lines(point) & safe.target);
    });
    if (!stopped && with_drops) generate_drops(sink, safe.target);
}

// --- The generic path ---

// The points that the piece on `from` reaches.
template <int W>
Bits<W> RoyalMoves<W>::walk(Cell from) const {
    Bits<W> found;
    const Piece piece = state_.board[from];
    const auto& info = rules_.info[piece];
    auto arrive = [&](Cell to) {
        if (!owned(state_.board[to], side_of(piece))) found.set(rules_.point_of[to]);
    };
    for (const auto& leap : info.leaps) arrive(Cell(from + leap.delta));
    for (const auto& slide : info.slides) {
        Cell to = Cell(from + slide.delta);
        for (int distance = 1; distance < slide.reach && state_.board[to] == EMPTY; ++distance) {
            arrive(to);
            to = Cell(to + slide.delta);
        }
        arrive(to);
    }
    return found;
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
        return walk(from).each([&](Point target) {
            const Cell to = rules_.cell_of[target];
            const bool touches = starts_in_zone || rules_.zone[us].test(target);
            for (const Change& change : info.changes[size_t(touches * 2 + (state_.board[to] != EMPTY))])
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

// --- The lists ---

template <int W>
void RoyalMoves<W>::legal(MoveList& moves) {
    if (generic_) return legal_generic(moves);
    ListSink<W> sink{moves};
    generate(sink);
}

template <int W>
void RoyalMoves<W>::captures(MoveList& moves, bool with_checks) {
    if (!generic_) {
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
    CheckSink<W> sink(state_, moves);
    const Bits<W> near = rules_.sets.leapt_from_twice[us][sink.royal];
    (state_.occupied[us] & (sink.screens | state_.may_slide(us) | near)).each([&](Point point) {
        const Cell from = rules_.cell_of[point];
        const bool royal = from == state_.royal[us];
        const auto& reach = rules_.sets.reach[state_.site[point]];
        Bits<W> target = reach.leaps | reach.slides;
        if (!royal) target &= safe.target;
        if (!target.any()) return false;
        if (!sink.screens.test(point)) target &= sink.aim_of_mover(state_.board[from]);
        if (!target.any()) return false;
        if (royal) return generate_royal(sink, point, target);
        if (safe.pinned.test(point)) target &= pin_lines(point);
        return generate_piece(sink, point, target);
    });
    Bits<W> target;
    for (unsigned slots = hand_mask(us); slots; slots &= slots - 1)
        for (int kind : rules_.drops[size_t(std::countr_zero(slots))]) target |= sink.aim(piece_of(kind, us));
    target &= safe.target;
    if (target.any()) generate_drops(sink, target);
}

template <int W>
bool RoyalMoves<W>::any() {
    if (generic_) {
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
    if (generic_) {
        MoveList moves;
        legal_generic(moves);
        return moves.size();
    }
    if (rules_.in_place) return count_in_place();
    CountSink<W> sink;
    generate(sink);
    return sink.count;
}

template <int W>
Kinds<W> RoyalMoves<W>::kinds() {
    Kinds<W> found;
    const Safety safe = safety();
    KindSink<W> sink{state_, found, safe.target.without(state_.everyone())};
    generate(sink, safe);
    sink.finish();
    return found;
}

// The number of results beyond the first that a piece has on the targets.
template <int W>
[[gnu::noinline]] uint64_t RoyalMoves<W>::further_results(Piece piece, bool inside, const Bits<W>& targets) const {
    uint64_t total = 0;
    const auto number = rules_.sets.marks[piece].site / uint32_t(rules_.points);
    const auto& planes = rules_.sets.planes[number][inside];
    for (size_t k = 1; k < planes.size(); ++k) total += uint64_t((targets & planes[k]).count());
    return total;
}

// Legal moves by population counts, where a move changes nothing but its origin, its target and a hand.
template <int W>
uint64_t RoyalMoves<W>::count_in_place() {
    const auto& sets = rules_.sets;
    const Side us = state_.side_to_move;
    const Safety safe = safety();
    const Bits<W>& zone = rules_.zone[us];
    CountSink<W> sink;
    Bits<W> movers = state_.occupied[us];
    if (const Cell royal = state_.royal[us]; royal != NO_CELL) {
        generate_royal(sink, rules_.point_of[royal], rules_.board);
        movers.reset(rules_.point_of[royal]);
    }
    if (!safe.target.any()) return sink.count;  // no single move parries both checkers
    if (safe.checked) movers &= may_move_to(safe.target);
    const Bits<W> looked_at = movers & (safe.pinned | state_.in_parts(sets.visited[us]));
    looked_at.each([&](Point from) {
        return generate_piece(sink, from, safe.pinned.test(from) ? pin_lines(from) & safe.target : safe.target);
    });
    movers = movers.without(looked_at);
    const Bits<W> pieces = state_.everyone(), target = safe.target.without(state_.occupied[us]);
    for (const auto& shift : sets.shifts[us]) {
        const Bits<W> shifted = movers & state_.parts[shift.part] & shift.from;
        movers = movers.without(state_.parts[shift.part]);
        for (const size_t inside : {0, 1}) {
            const Bits<W> targets = (inside ? shifted & zone : shifted.without(zone)).moved(shift.by) & target;
            for (const Bits<W>& plane : sets.planes[size_t(shift.number)][inside])
                sink.count += uint64_t((targets & plane).count());
        }
    }
    const Bits<W> sliding = state_.sliding(us);
    auto add = [&](Point from, const auto& results, const Bits<W>& targets) {
        sink.count += uint64_t((targets & results.any).count());
        if (targets.meets(results.several)) [[unlikely]]
            sink.count +=
                further_results(state_.board[rules_.cell_of[from]], zone.test(from), targets & results.several);
        return false;
    };
    movers.without(sliding).each([&](Point from) { return add(from, sets.results[state_.site[from]], target); });
    (movers & sliding).each([&](Point from) {
        const uint32_t site = state_.site[from];
        return add(from, sets.results[site], sets.reached(site, pieces) & target);
    });
    generate_drops(sink, safe.target);
    return sink.count;
}

template class RoyalMoves<2>;
template class RoyalMoves<6>;
template class RoyalMoves<10>;

}  // namespace komadai
