#include "royal_moves.hpp"

#include "royal_sinks.hpp"

namespace komadai {

// --- Safety of the royal piece ---

template <int W>
typename RoyalMoves<W>::Safety RoyalMoves<W>::safety() const {
    const auto& sets = rules_.sets;
    const Side us = state_.side_to_move;
    Safety found;
    found.target = rules_.board;
    if (state_.royal[us] == NO_CELL) return found;
    const Point royal = rules_.point_of[state_.royal[us]];
    const Bits<W> pieces = state_.everyone(), leaps = sets.reach[state_.site[royal]].leaps.without(state_.occupied[us]);
    Bits<W> attacked, others = pieces;  // by the opponent; what stops a slide once the royal piece has left
    others.reset(royal);
    (state_.occupied[~us] & sets.leapt_beside[~us][royal]).each([&](Point from) {
        return attacked |= sets.reach[state_.site[from]].leaps, false;
    });
    if (attacked.test(royal)) found.add_leapers(state_, royal);
    state_.sliding(~us).each([&](Point from) {
        const uint32_t site = state_.site[from];
        const Bits<W>& slides = sets.reach[site].slides;
        if (slides.meets(leaps)) attacked |= sets.slid(site, others);
        return slides.test(royal) && rules_.each_ray(royal, from, [&](int vector, int distance) {
            if (!rules_.rays_meet || rules_.slides_over(state_.board[rules_.cell_of[from]], vector ^ 1, distance))
                found.add_line(sets.between(royal, from, vector), from, pieces, state_.occupied[us]);
            return false;
        });
    });
    found.leaps = leaps.without(attacked);
    return found;
}

// Adds the opponent's pieces that leap to the royal one. That cannot be blocked, even if the same piece also slides
// there.
template <int W>
void RoyalMoves<W>::Safety::add_leapers(const State<W>& state, Point royal) {
    const auto& sets = state.rules->sets;
    const Side them = ~state.side_to_move;
    (state.occupied[them] & sets.leapt_from[them][royal]).each([&](Point from) {
        if (sets.reach[state.site[from]].leaps.test(royal)) target &= Bits<W>::only(from);
        return false;
    });
    checked = true;
}

// Adds an opponent's piece that slides to the royal one if nothing stands between, and the way there.
template <int W>
void RoyalMoves<W>::Safety::add_line(Bits<W> way, Point from, const Bits<W>& pieces, const Bits<W>& ours) {
    const Bits<W> shields = way & pieces;
    if (!shields.any()) {
        way.set(from);
        target &= way;
        checked = true;
    } else if (shields.count() == 1 && shields.meets(ours)) {
        way.set(from);
        pinned |= shields;
        lines[pins++] = way.word;
    }
}

// --- Rules ---

template <int W>
void RoyalMoves<W>::push(Move move) {
    if (rules_.in_place && !generic_) return state_.make_in_place(move);
    state_.make(move, [&] {
        if (rules_.is_compound)
            CompoundMoves<W>(state_).play(move);
        else
            play_royal_move(state_, move);
    });
}

// True if no royal piece of the side is attacked.
template <int W>
bool RoyalMoves<W>::royal_safe(Side side) const {
    if (!generic_) return !royal_attacked(state_, side);
    if (rules_.is_compound) return !CompoundMoves<W>(state_, compound_path()).royal_attacked(side);
    if (rules_.guarded && survival_attacked(state_, side)) return false;
    return !state_.occupied[side].each([&](Point point) {
        const Cell cell = rules_.cell_of[point];
        return rules_.info[state_.board[cell]].royal && attacked_by_walking(cell, ~side);
    });
}

// Of the generic path: as attacked().
template <int W>
bool RoyalMoves<W>::attacked_by_walking(Cell target, Side by) const {
    if (rules_.irregular) return attacked(state_, target, by);
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

// Of compound moves, of which only the drops are asked about here.
template <int W>
typename CompoundMoves<W>::Path RoyalMoves<W>::compound_path() const {
    return walks_all_ ? CompoundMoves<W>::Path::GENERIC : CompoundMoves<W>::Path::FAST;
}

template <int W>
bool RoyalMoves<W>::mates(Move move) {
    push(move);
    const Takeback taken(state_);
    if (royal_safe(state_.side_to_move)) return false;
    if (rules_.is_compound) return !CompoundMoves<W>(state_, compound_path(), true).any();
    return !RoyalMoves(state_, generic_ ? Path::GENERIC : Path::FAST, true).any();
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
            Bits<W> others = state_.on_files(term.argument & 0xFF, state_.side_to_move) & rules_.file_points[file];
            if (!move.is_drop()) others.reset(rules_.point_of[move.from]);  // the mover itself is not another piece
            return others.count() > term.argument >> 8;
        }
        case Condition::IN_HAND: return state_.holding[state_.side_to_move] & unsigned(term.argument);
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
        case Condition::STANDS:
        case Condition::IN_SIGHT:
        case Condition::JUST_TAKEN:
        case Condition::TAKES:
        case Condition::COUNT:
        case Condition::BESIDE: break;  // not asked of moves
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

// As keeps_royal_safe(), found by sets without making the move.
template <int W>
bool RoyalMoves<W>::settles_safely(const Move& move) {
    if (!rules_.ends_everywhere) return keeps_royal_safe(move);
    const Side us = state_.side_to_move;
    const Point to = rules_.point_of[move.to];
    const auto& result = rules_.info[move.piece];
    const Bits<W> gone = touched_points(state_, move);
    Bits<W> landed;
    landed.set(to);
    Bits<W> pieces = state_.everyone().without(gone) | landed, taken;
    if (!rules_.end_rules.empty()) {
        Standing<W> at{state_.occupied[us].without(gone) | landed, state_.roots.without(gone),
                       state_.links.without(gone)};
        if (result.role == Role::ROOT) at.roots |= landed;
        if (result.role == Role::LINK) at.links |= landed;
        const bool same = result.role == Role::NONE && keeps_support(state_, move);
        const Bits<W> granted = support_now(state_).links & state_.occupied[~us];
        taken = taken_everywhere(
            rules_, at, same ? support_now(state_) : support_by(rules_, at.roots, at.links, granted.without(landed)));
        pieces = pieces.without(taken);
    }
    if (move.piece == rules_.anchor && pieces.test(to) && pieces.without(rules_.window[to]).any()) return false;
    if (!result.royal && state_.royal[us] == NO_CELL) return true;
    const Point royal = result.royal ? to : rules_.point_of[state_.royal[us]];
    if (taken.test(royal)) return true;
    return !leapt_to(state_, royal, ~us, landed) &&
           !(state_.sliding(~us) & rules_.rays[royal]).without(landed).each([&](Point slider) {
               return slides_to(rules_, state_.board[rules_.cell_of[slider]], slider, royal, pieces);
           });
}

// Of the targets of a move, those where the end of the turn or a shift of the window do no harm.
template <int W>
Bits<W> RoyalMoves<W>::settled(Move move, Bits<W> targets) {
    if (rules_.end_rules.empty() && rules_.has_edges()) return targets;
    Bits<W> asked = targets;
    const bool moves_role = !move.is_drop() && rules_.info[state_.board[move.from]].role != Role::NONE;
    if (!try_all_ && !moves_role && move.piece != rules_.anchor)
        asked = rules_.end_rules.empty()
                    ? Bits<W>{}
                    : targets.without(support_now(state_).area.without(state_.roots | state_.links));
    asked.each([&](Point point) {
        move.to = rules_.cell_of[point];
        if (!settles_safely(move)) targets.reset(point);
        return false;
    });
    return targets;
}

// The points of the files where a piece of the mover's group stands, or more of them, apart from one on `but`.
template <int W>
Bits<W> RoyalMoves<W>::files_with(int argument, Point but) {
    const int group = argument & 0xFF, more_than = argument >> 8;
    Bits<W> pieces = state_.on_files(group, state_.side_to_move);
    if (more_than > 0) {
        Bits<W> found;
        if (but != NO_POINT) pieces.reset(but);
        for (const Bits<W>& file : rules_.file_points)
            if ((pieces & file).count() > more_than) found |= file;
        return found;
    }
    const Bits<W> files = files_.of(size_t(group), [&] {
        Bits<W> found;
        pieces.each([&](Point point) { return found |= rules_.file_points[rules_.file_of[point]], false; });
        return found;
    });
    if (but == NO_POINT) return files;
    const Bits<W>& file = rules_.file_points[rules_.file_of[but]];
    Bits<W> others = pieces & file;
    others.reset(but);
    return others.any() ? files : files.without(file);
}

// --- Rules about many targets at once ---

template <int W>
Support<W> RoyalMoves<W>::support_without_mover(const Move& move) const {
    if (move.is_drop() || rules_.info[state_.board[move.from]].role == Role::NONE) return support_now(state_);
    Bits<W> mover;
    mover.set(rules_.point_of[move.from]);
    return support_without(state_, mover);
}

template <int W>
typename RoyalMoves<W>::Answer RoyalMoves<W>::answer_near(int index, const Move& move, const Bits<W>& targets) const {
    const auto& near = rules_.nears[index];
    const auto& wanted = near.wanted[state_.side_to_move];
    Answer found;
    (targets & state_.occupied[~state_.side_to_move]).each([&](Point point) {
        const Piece taken = state_.board[rules_.cell_of[point]];
        if (wanted[taken] || (near.supported && rules_.info[taken].role != Role::NONE)) found.maybe.set(point);
        return false;
    });
    if (!move.is_drop()) {
        const Piece mover = state_.board[move.from];
        if (wanted[mover] || (near.supported && rules_.info[mover].role != Role::NONE)) {
            Bits<W> gone;
            gone.set(rules_.point_of[move.from]);
            found.yes = near_without(state_, index, gone);
            return found;
        }
    }
    found.yes = near_now(state_, index);
    return found;
}

template <int W>
typename RoyalMoves<W>::Answer RoyalMoves<W>::answer_beyond_support(const Move& move) const {
    if (move.is_drop()) return {};
    if (rules_.irregular) return {{}, rules_.board};
    const uint32_t site = state_.site[rules_.point_of[move.from]];
    const Bits<W> supported = area_of(state_, rules_.info[move.piece].role, support_without_mover(move));
    // Each ray goes no farther than its first point without support.
    const Bits<W> within = rules_.sets.reached(site, state_.everyone() | rules_.board.without(supported));
    return {rules_.board.without(within), state_.roots | state_.links};
}

template <int W>
typename RoyalMoves<W>::Answer RoyalMoves<W>::answer_check(const Move& move, bool mates, const Bits<W>& doubtful) {
    const Side us = state_.side_to_move;
    if (move.is_drop()) {
        const Bits<W> points = checking_drops(move.piece);
        return mates ? Answer{{}, points | doubtful} : Answer{points, doubtful};
    }
    if (!rules_.in_place) return {{}, rules_.board};
    if (state_.royal[~us] == NO_CELL) return {};
    if (!screens_) screens_ = screens(state_);
    return {{}, screens_->test(rules_.point_of[move.from]) ? rules_.board : aiming_points(state_, move.piece)};
}

// `doubtful`: the points where the end of the turn may take something after a drop.
template <int W>
typename RoyalMoves<W>::Answer RoyalMoves<W>::answer(const Term& term, const Move& move, const Bits<W>& targets,
                                                     const Bits<W>& doubtful) {
    const Side us = state_.side_to_move;
    switch (term.condition) {
        case Condition::ON_FILE:
            return {files_with(term.argument, move.is_drop() ? NO_POINT : rules_.point_of[move.from])};
        case Condition::IN_HAND: return {state_.holding[us] & unsigned(term.argument) ? rules_.board : Bits<W>{}};
        case Condition::CAPTURES: return {state_.occupied[~us]};
        case Condition::NEAR: return answer_near(term.argument, move, targets);
        case Condition::SUPPORTED:
            return {area_of(state_, rules_.info[move.piece].role, support_without_mover(move)),
                    state_.roots | state_.links};
        case Condition::BEYOND_SUPPORT: return answer_beyond_support(move);
        case Condition::GIVES_CHECK:
        case Condition::MATES: return answer_check(move, term.condition == Condition::MATES, doubtful);
        case Condition::HAS:
        case Condition::STANDS:
        case Condition::IN_SIGHT:
        case Condition::JUST_TAKEN:
        case Condition::TAKES:
        case Condition::COUNT:
        case Condition::BESIDE: break;  // not asked of moves
    }
    return {};
}

// Of the targets of a move, those where none of the rules forbids it.
template <int W>
Bits<W> RoyalMoves<W>::allowed(const std::vector<int>& indices, Move move, Bits<W> targets, const Bits<W>& doubtful) {
    for (int index : indices) {
        const auto& rule = rules_.rules[index];
        if (rule.about_mate && ignore_mate_rules_) continue;
        Bits<W> bad = rule.where[move.piece] & targets, maybe;
        for (const Term& term : rule.terms) {
            if (!bad.any()) break;
            const Answer found = answer(term, move, bad, doubtful);
            bad = term.expected ? bad & (found.yes | found.maybe) : bad.without(found.yes.without(found.maybe));
            maybe |= found.maybe;
        }
        (bad & maybe).each([&](Point point) {
            move.to = rules_.cell_of[point];
            if (!applies(rule, move)) bad.reset(point);
            return false;
        });
        targets = targets.without(bad);
    }
    return targets;
}

// --- Generation ---

// Generates everything that the piece on `from` may become on landing on each of the targets.
template <int W>
template <class Sink>
inline bool RoyalMoves<W>::land(Sink& sink, Point from, const Bits<W>& targets) {
    const Cell cell = rules_.cell_of[from];
    const Bits<W> usual = targets & rules_.sets.usual[state_.site[from]];
    const Change& change = rules_.info[state_.board[cell]].usual;
    if (usual.any() && sink.moves_of(rules_, {cell, 0, change.piece, change.flags}, usual)) return true;
    const Bits<W> others = targets.without(usual);
    return others.any() && land_alike(sink, from, others);
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
            const Move move{cell, 0, change.piece, change.flags};
            Bits<W> points = alike & result.may_land;
            if (!result.landing_rules.empty()) points = allowed(result.landing_rules, move, points, {});
            if (!rules_.in_place) points = settled(move, points);
            if (points.any() && sink.moves_of(rules_, move, points)) return true;
        }
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
bool RoyalMoves<W>::generate_royal(Sink& sink, Point from, const Safety& safe, const Bits<W>& target) {
    const Piece piece = state_.board[rules_.cell_of[from]];
    const auto& info = rules_.info[piece];
    const Side us = state_.side_to_move;
    if (info.slides.empty()) return land(sink, from, safe.leaps & target);
    Bits<W> targets = rules_.sets.reached(state_.site[from], state_.everyone()) & target.without(state_.occupied[us]);
    const Bits<W> asked = targets;
    asked.each([&](Point point) {
        if (attacked_regularly(state_, rules_.cell_of[point], ~us, rules_.cell_of[from])) targets.reset(point);
        return false;
    });
    return land(sink, from, targets);
}

// The points where the rules that are not about check allow a drop.
template <int W>
Bits<W> RoyalMoves<W>::droppable(const Move& drop, unsigned holding) {
    const size_t number = rules_.info[drop.piece].drop_class;
    const auto& alike = rules_.drop_classes[number];
    if (!alike.by_roles) return allowed(alike.rules, drop, rules_.board, {});
    const uint64_t now = state_.role_key ^ mix(uint64_t(1) << 63 | holding);
    return state_.drop_memo[number].of(now, [&] { return allowed(alike.rules, drop, rules_.board, {}); });
}

// The points, some of them occupied, from which a piece that is dropped gives check.
template <int W>
Bits<W> RoyalMoves<W>::checking_drops(Piece piece) {
    const Cell cell = state_.royal[~side_of(piece)];
    if (cell == NO_CELL) return {};
    const Point royal = rules_.point_of[cell];
    const uint32_t site = rules_.site(piece, royal);
    const Bits<W>&leaps = rules_.sets.leaps_onto[site], &slides = rules_.sets.slides_onto[site];
    if (!slides.any()) return leaps;
    if (rules_.rays_meet) return leaps | rules_.sets.slid_onto(site, state_.everyone());
    if (!seen_) seen_ = rules_.sets.seen(royal, state_.everyone());
    return leaps | (slides & *seen_);
}

template <int W>
template <class Sink>
bool RoyalMoves<W>::generate_drops(Sink& sink, const Bits<W>& target) {
    const Side us = state_.side_to_move;
    const Bits<W> empty = target.without(state_.everyone());
    if (!empty.any()) return false;
    const bool ends = !rules_.end_rules.empty(), only_anchor = !anchored();
    const unsigned holding = state_.holding[us];
    Kept<W> known;  // by drop class
    for (unsigned slots = holding; slots; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        for (int kind : rules_.drops[slot]) {
            const Piece piece = piece_of(kind, us);
            if (only_anchor && piece != rules_.anchor) continue;
            const auto& info = rules_.info[piece];
            const Move drop{Cell(slot), 0, piece, DROP};
            // The points where the end of the turn may take something: there a drop is tried.
            const Bits<W> doubtful = try_all_ ? rules_.board
                                     : ends   ? rules_.board.without(area_of(state_, info.role, support_now(state_)))
                                              : Bits<W>{};
            Bits<W> points = empty & info.may_drop;
            if (!rules_.drop_classes[info.drop_class].rules.empty())
                points &= known.of(info.drop_class, [&] { return droppable(drop, holding); });
            const bool in_doubt = points.meets(doubtful);
            if (info.never_checks && !in_doubt)
                points = points.without(checking_drops(piece));
            else if (!info.check_rules.empty())
                points = allowed(info.check_rules, drop, points, doubtful);
            if (info.royal) {
                const Bits<W> asked = points;
                asked.each([&](Point point) {
                    if (attacked_regularly(state_, rules_.cell_of[point], ~us)) points.reset(point);
                    return false;
                });
            }
            if (in_doubt) points = settled(drop, points);
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
        if (generate_royal(sink, rules_.point_of[royal], safe, rules_.board)) return;
        movers.reset(rules_.point_of[royal]);
    }
    if (!safe.target.any()) return;  // no single move parries both checkers
    if (safe.checked) movers &= may_move_to(safe.target);
    const bool stopped = movers.each([&](Point point) {
        if (!safe.pinned.test(point)) return generate_piece(sink, point, safe.target);
        return generate_piece(sink, point, safe.targets_of_pinned(point));
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
    if (rules_.irregular) {
        static_cast<void>(each_landing(state_, from, NO_CELL, NO_CELL, [&](Cell to) { return arrive(to), false; }));
        return found;
    }
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
    if (is_over()) return;
    if (generic_) return legal_generic(moves);
    ListSink<W> sink{moves};
    generate(sink);
}

template <int W>
void RoyalMoves<W>::legal(std::vector<MovesTo<W>>& groups) {
    if (is_over()) return;
    if (!generic_) {
        GroupSink<W> sink{groups};
        return generate(sink);
    }
    MoveList moves;
    legal_generic(moves);
    for (const Move& move : moves) groups.push_back({move, Bits<W>::only(rules_.point_of[move.to])});
}

template <int W>
void RoyalMoves<W>::captures(MoveList& moves, bool with_checks) {
    if (is_over()) return;
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
    if (state_.royal[~us] == NO_CELL || is_over()) return;
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
        if (royal) return generate_royal(sink, point, safe, target);
        if (safe.pinned.test(point)) target &= safe.targets_of_pinned(point);
        return generate_piece(sink, point, target);
    });
    Bits<W> target;
    for (unsigned slots = state_.holding[us]; slots; slots &= slots - 1)
        for (int kind : rules_.drops[size_t(std::countr_zero(slots))]) target |= sink.aim(piece_of(kind, us));
    target &= safe.target;
    if (target.any()) generate_drops(sink, target);
}

template <int W>
bool RoyalMoves<W>::any() {
    if (is_over()) return false;
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
    if (is_over()) return 0;
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
    uint64_t total = 0;
    auto add = [&](Point from, const Bits<W>& targets) {
        const auto& results = sets.results[state_.site[from]];
        total += uint64_t((targets & results.any).count());
        if (targets.meets(results.several)) [[unlikely]]
            total += further_results(state_.board[rules_.cell_of[from]], zone.test(from), targets & results.several);
        return false;
    };
    CountSink<W> sink;  // of what has to be looked at
    Bits<W> movers = state_.occupied[us], looked_at = state_.in_parts(sets.visited[us]);
    if (const Cell cell = state_.royal[us]; cell != NO_CELL) {
        const Point royal = rules_.point_of[cell];
        if (looked_at.test(royal) || !rules_.info[state_.board[cell]].slides.empty())
            generate_royal(sink, royal, safe, rules_.board);
        else
            add(royal, safe.leaps);
        movers.reset(royal);
    }
    if (!safe.target.any()) return total + sink.count;  // no single move parries both checkers
    if (safe.checked) movers &= may_move_to(safe.target);
    looked_at = movers & (looked_at | safe.pinned);
    looked_at.each([&](Point from) {
        return generate_piece(sink, from, safe.pinned.test(from) ? safe.targets_of_pinned(from) : safe.target);
    });
    movers = movers.without(looked_at);
    const Bits<W> pieces = state_.everyone(), target = safe.target.without(state_.occupied[us]);
    for (const auto& shift : sets.shifts[us]) {
        const Bits<W>& part = state_.parts[shift.part];
        const Bits<W> targets = (movers & part & shift.from).moved(shift.by) & target;
        movers = movers.without(part);
        for (const Bits<W>& plane : sets.planes[size_t(shift.number)][0])
            total += uint64_t((targets & plane).without(shift.from_zone).count());
        if (targets.meets(shift.from_zone))
            for (const Bits<W>& plane : sets.planes[size_t(shift.number)][1])
                total += uint64_t((targets & plane & shift.from_zone).count());
    }
    const Bits<W> sliding = state_.sliding(us);
    movers.without(sliding).each([&](Point from) { return add(from, target); });
    (movers & sliding).each([&](Point from) { return add(from, sets.reached(state_.site[from], pieces) & target); });
    if (state_.holding[us]) generate_drops(sink, safe.target);
    return total + sink.count;
}

KOMADAI_FOR_EACH_SIZE(class RoyalMoves)

}  // namespace komadai
