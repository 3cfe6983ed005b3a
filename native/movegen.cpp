// Move generation, legality and perft.
//
// Two paths give the same list. The fast one, for games in which each side has one royal piece, works out checkers and
// pins once and generates only legal moves. The generic one makes every pseudo-legal move and looks whether a royal
// piece of the mover is attacked; it asks nothing of the variant, and tests hold the two against each other.

#include "sinks.hpp"

namespace komadai {

namespace {

constexpr int MAX_SHARED = 16;  // rules on drops whose answers are kept; those after them are worked out each time

// Keeps captures and moves by which the piece gains, and drops on the points that a caller asks for.
template <int W, class Points>
struct CaptureSink {
    const Position<W>& position;
    MoveList& moves;
    Points wanted;  // (piece) -> the points where a drop of it is kept
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        if (position.at(to) != EMPTY || flags) moves.push_back({from, to, piece, flags});
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
    static constexpr int KEPT = 32;  // kinds whose aims are kept; those of others are worked out each time

    const Position<W>& position;
    MoveList& moves;
    Bits<W> screens;  // own pieces whose leaving may open a line to the opponent's royal piece
    std::array<Bits<W>, KEPT> aims{};
    uint32_t known = 0;

    Bits<W> aim(Piece piece) {
        const int kind = kind_of(piece);
        if (kind >= KEPT) return position.aiming_points(piece);
        if (!(known >> kind & 1)) {
            aims[size_t(kind)] = position.aiming_points(piece);
            known |= 1u << kind;
        }
        return aims[size_t(kind)];
    }
    // Where a piece has to land to give check as anything it may become.
    Bits<W> aim_of_mover(Piece piece) {
        Bits<W> points;
        for (const auto& changes : position.rules().info[piece].changes)
            for (const Change& change : changes) points |= aim(change.piece);
        return points;
    }
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        const auto& point_of = position.rules().point_of;
        if (screens.test(point_of[from]) ? position.exposes(from, to, piece) : aim(piece).test(point_of[to]))
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

// Checkers of the royal piece and the pieces pinned to it.
template <int W>
typename Position<W>::Safety Position<W>::safety() const {
    Safety found;
    found.target = rules_->board;
    Cell royal = royal_[turn_];
    if (royal == NO_CELL) return found;
    for (int v : rules_->ray_vectors) {
        int delta = rules_->deltas[v];
        int back = v ^ 1;
        Cell cell = royal, shield = NO_CELL;
        for (int distance = 1;; ++distance) {
            cell = Cell(cell + delta);
            Piece piece = board_[cell];
            if (piece == EMPTY) continue;
            if (piece == WALL) break;
            if (owned(piece, turn_)) {
                if (shield != NO_CELL) break;
                shield = cell;
                continue;
            }
            const auto& info = rules_->info[piece];
            bool slides = info.slide_bits >> back & 1 && info.reach[back] >= distance;
            if (shield != NO_CELL) {
                if (slides) found.pinned.set(rules_->point_of[shield]);
            } else if (slides || (distance == 1 && info.leap_bits >> back & 1)) {
                found.target &= line(royal, delta, cell);
                found.checked = true;
            }
            break;
        }
    }
    for (int v : rules_->leap_vectors) {
        Cell cell = Cell(royal + rules_->deltas[v]);
        Piece piece = board_[cell];
        if (piece == WALL || !owned(piece, ~turn_) || !(rules_->info[piece].leap_bits >> (v ^ 1) & 1)) continue;
        // Nothing can stand between, even where the same piece also slides to the royal one.
        Bits<W> there;
        there.set(rules_->point_of[cell]);
        found.target &= there;
        found.checked = true;
    }
    return found;
}

// The points from `from` (excluded) by steps of `delta` to `to` (included).
template <int W>
Bits<W> Position<W>::line(Cell from, int delta, Cell to) const {
    Bits<W> points;
    for (Cell cell = Cell(from + delta); cell != to; cell = Cell(cell + delta)) points.set(rules_->point_of[cell]);
    points.set(rules_->point_of[to]);
    return points;
}

// Where a pinned piece may go as far as its pins are concerned: it stays on the line of every slider that pins it.
template <int W>
Bits<W> Position<W>::pin_lines(Cell pinned) const {
    Bits<W> allowed = rules_->board;
    Cell royal = royal_[turn_];
    for (int v : rules_->ray_vectors) {
        int delta = rules_->deltas[v];
        int back = v ^ 1;
        bool through = false;
        Cell cell = royal;
        for (int distance = 1;; ++distance) {
            cell = Cell(cell + delta);
            Piece piece = board_[cell];
            if (piece == EMPTY) continue;
            if (cell == pinned) {
                through = true;
                continue;
            }
            if (through && piece != WALL && owned(piece, ~turn_)) {
                const auto& info = rules_->info[piece];
                if (info.slide_bits >> back & 1 && info.reach[back] >= distance) allowed &= line(royal, delta, cell);
            }
            break;
        }
    }
    return allowed;
}

// The empty points from which `piece` would attack the opponent's royal piece.
template <int W>
Bits<W> Position<W>::checking_points(Piece piece) const {
    Bits<W> points;
    Cell royal = royal_[~side_of(piece)];
    if (royal == NO_CELL) return points;
    const auto& info = rules_->info[piece];
    for (const auto& leap : info.leaps) {
        Cell cell = Cell(royal - leap.delta);
        if (board_[cell] == EMPTY) points.set(rules_->point_of[cell]);
    }
    for (const auto& slide : info.slides) {
        Cell cell = Cell(royal - slide.delta);
        for (int distance = 1; distance <= slide.reach && board_[cell] == EMPTY; ++distance) {
            points.set(rules_->point_of[cell]);
            cell = Cell(cell - slide.delta);
        }
    }
    return points;
}

template <int W>
Bits<W> Position<W>::aiming_points(Piece piece) const {
    Bits<W> points;
    Cell royal = royal_[~side_of(piece)];
    if (royal == NO_CELL) return points;
    const auto& info = rules_->info[piece];
    for (const auto& leap : info.leaps)
        if (Cell cell = Cell(royal - leap.delta); board_[cell] != WALL) points.set(rules_->point_of[cell]);
    for (const auto& slide : info.slides) {
        Cell cell = Cell(royal - slide.delta);
        for (int distance = 1; distance <= slide.reach && board_[cell] != WALL; ++distance) {
            points.set(rules_->point_of[cell]);
            if (board_[cell] != EMPTY) break;
            cell = Cell(cell - slide.delta);
        }
    }
    return points;
}

// The mover's pieces that come first on a line from the opponent's royal piece.
template <int W>
Bits<W> Position<W>::screens() const {
    Bits<W> points;
    Cell royal = royal_[~turn_];
    for (int v : rules_->ray_vectors) {
        Cell cell = Cell(royal + rules_->deltas[v]);
        while (board_[cell] == EMPTY) cell = Cell(cell + rules_->deltas[v]);
        if (board_[cell] != WALL && owned(board_[cell], turn_)) points.set(rules_->point_of[cell]);
    }
    return points;
}

template <int W>
bool Position<W>::exposes(Cell from, Cell to, Piece piece) const {
    Cell royal = royal_[~turn_];
    auto at = [&](Cell cell) { return cell == to ? piece : cell == from ? EMPTY : board_[cell]; };
    auto attacks = [&](Piece there, int back, int distance) {
        if (there == WALL || !owned(there, turn_)) return false;
        const auto& info = rules_->info[there];
        return (info.slide_bits >> back & 1 && info.reach[back] >= distance) ||
               (distance == 1 && info.leap_bits >> back & 1);
    };
    for (int v : rules_->ray_vectors) {
        Cell cell = Cell(royal + rules_->deltas[v]);
        int distance = 1;
        for (; at(cell) == EMPTY; ++distance) cell = Cell(cell + rules_->deltas[v]);
        if (attacks(at(cell), v ^ 1, distance)) return true;
    }
    return std::ranges::any_of(rules_->leap_vectors,
                               [&](int v) { return attacks(at(Cell(royal + rules_->deltas[v])), v ^ 1, 1); });
}

template <int W>
Bits<W> Position<W>::files_with(int group, Side side) const {
    Bits<W> points;
    for (int file = 1; file <= rules_->width; ++file)
        if (on_file_[group][side][file]) points |= rules_->file_points[file];
    return points;
}

template <int W>
unsigned Position<W>::hand_mask(Side side) const {
    unsigned mask = 0;
    for (int slot = 0; slot < rules_->hands(); ++slot)
        if (hand_[side][slot]) mask |= 1u << slot;
    return mask;
}

template <int W>
bool Position<W>::mates(Move move) {
    push(move);
    bool mated = in_check(turn_) && !has_legal_move(true);
    pop();
    return mated;
}

// Answers a question about a move that is not made yet. What is asked of most moves is answered on the spot.
template <int W>
inline bool Position<W>::answer(const Question& question, Move move) {
    if (question.ask == Ask::SUPPORTED) return is_supported(move);
    if (question.ask == Ask::CAPTURES) return !move.is_drop() && board_[move.to] != EMPTY;
    return answer_at_length(question, move);
}

template <int W>
[[gnu::noinline]] bool Position<W>::answer_at_length(const Question& question, Move move) {
    switch (question.ask) {
        case Ask::CAPTURES:
        case Ask::SUPPORTED: return answer(question, move);
        case Ask::ON_FILE: {
            int file = rules_->file_of[rules_->point_of[move.to]];
            int others = on_file_[question.argument][turn_][file];
            // The mover itself is no other piece.
            if (!move.is_drop() && rules_->info[board_[move.from]].groups >> question.argument & 1 &&
                rules_->file_of[rules_->point_of[move.from]] == file)
                --others;
            return others > 0;
        }
        case Ask::IN_HAND: return hand_mask(turn_) & unsigned(question.argument);
        case Ask::NEAR: return is_near(question.argument, move);
        case Ask::BEYOND_SUPPORT: return !move.is_drop() && beyond_support(move);
        case Ask::GIVES_CHECK: {
            push(move);
            bool check = in_check(turn_);
            pop();
            return check;
        }
        case Ask::MATES: return mates(move);
        case Ask::HAS:
        case Ask::IN_SIGHT: break;  // of turns only
    }
    return false;
}

template <int W>
bool Position<W>::forbidden(const std::vector<int>& indices, Move move) {
    for (int index : indices) {
        const auto& rule = rules_->rules[index];
        if ((rule.about_mate && ignore_mate_rules_) || !rule.where[move.piece].test(rules_->point_of[move.to]))
            continue;
        bool all = true;
        for (const Question& question : rule.questions)
            if (answer(question, move) != question.holds) {
                all = false;
                break;
            }
        if (all) return true;
    }
    return false;
}

// A piece of the mover comes from `from` to stand on `to`: everything it may become there.
template <int W>
template <class Sink>
inline bool Position<W>::land(Sink& sink, Cell from, Cell to, Piece piece, const typename Rules<W>::PieceInfo& info) {
    const auto& zone = rules_->zone[turn_];
    bool touches = zone.test(rules_->point_of[to]) || zone.test(rules_->point_of[from]);
    int move_class = touches * 2 + (board_[to] != EMPTY);
    if (!info.looks_in[move_class]) return sink.move(from, to, piece, 0);
    return land_changing(sink, from, to, info.changes[move_class]);
}

template <int W>
template <class Sink>
[[gnu::noinline]] bool Position<W>::land_changing(Sink& sink, Cell from, Cell to, const std::vector<Change>& changes) {
    Point target = rules_->point_of[to];
    const bool may_unsettle = !rules_->end_rules.empty() || rules_->anchor != EMPTY;
    for (const Change& change : changes) {
        const auto& result = rules_->info[change.piece];
        if (!result.may_land.test(target)) continue;
        if (!result.landing_rules.empty() && forbidden(result.landing_rules, {from, to, change.piece, change.flags}))
            continue;
        if (may_unsettle) {
            Move move{from, to, change.piece, change.flags};
            if (unsettled(move) && !stands(move)) continue;
        }
        if (sink.move(from, to, change.piece, change.flags)) return true;
    }
    return false;
}

// Calls visit(to) for every cell the piece on `from` reaches, once each; stops where visit returns true.
template <int W>
template <class Visit>
bool Position<W>::each_reached(Cell from, Visit visit) const {
    const auto& info = rules_->info[board_[from]];
    if (info.overlaps) [[unlikely]] {
        Bits<W> reached;
        walk(info, from, [&](Cell to) { return reached.set(rules_->point_of[to]), false; });
        return reached.each([&](Point point) { return visit(rules_->cell_of[point]); });
    }
    return walk(info, from, visit);
}

// As each_reached, but a cell that two ways lead to comes up twice.
template <int W>
template <class Visit>
[[gnu::always_inline]] inline bool Position<W>::walk(const typename Rules<W>::PieceInfo& info, Cell from,
                                                     Visit visit) const {
    Side side = side_of(board_[from]);
    for (const auto& leap : info.leaps) {
        Cell to = Cell(from + leap.delta);
        if (!owned(board_[to], side) && visit(to)) return true;
    }
    for (const auto& slide : info.slides) {
        Cell to = from;
        for (int distance = 1; distance <= slide.reach; ++distance) {
            to = Cell(to + slide.delta);
            Piece there = board_[to];
            if (owned(there, side)) break;
            if (visit(to)) return true;
            if (there != EMPTY) break;
        }
    }
    return false;
}

// All moves of one piece onto `target` (null: anywhere).
template <int W>
template <class Sink>
bool Position<W>::generate_piece(Sink& sink, Cell from, const Bits<W>* target) {
    Piece piece = board_[from];
    const auto& info = rules_->info[piece];
    Bits<W> supported;
    if (info.keeps_to_support && !links_.any()) {  // no capture changes where there is support
        supported = target ? held().area & *target : held().area;
        target = &supported;
    }
    return each_reached(from, [&](Cell to) {
        return (!target || target->test(rules_->point_of[to])) && land(sink, from, to, piece, info);
    });
}

template <int W>
template <class Sink>
bool Position<W>::generate_royal(Sink& sink, Cell from) {
    Piece piece = board_[from];
    const auto& info = rules_->info[piece];
    // Where landing means trying the move anyway, the rules go first: they cost less.
    const bool tried = piece == rules_->anchor || (!rules_->end_rules.empty() && info.role != Role::NONE);
    return each_reached(
        from, [&](Cell to) { return (tried || !attacked(to, ~turn_, from)) && land(sink, from, to, piece, info); });
}

template <int W>
template <class Sink>
bool Position<W>::generate_drops(Sink& sink, const Bits<W>* target) {
    unsigned holding = hand_mask(turn_);
    if (!holding) return false;
    Bits<W> empty = rules_->board & ~(occupied_[BLACK] | occupied_[WHITE]);
    if (target) empty &= *target;
    // What a rule forbids whichever piece asks, worked out when the first does.
    std::array<Bits<W>, MAX_SHARED> shared;
    unsigned worked_out = 0;
    const bool ends = !rules_->end_rules.empty();
    for (unsigned slots = holding; slots; slots &= slots - 1) {
        int slot = std::countr_zero(slots);
        for (int kind : rules_->drops[slot]) {
            Piece piece = piece_of(kind, turn_);
            if (!anchored() && piece != rules_->anchor) continue;
            const auto& info = rules_->info[piece];
            Bits<W> points = empty & info.may_drop;
            // Where the end of the turn may take something, only trying tells what a drop leads to.
            const Bits<W> doubtful = try_all_ ? rules_->board : ends ? ~support_of(info.role, held()) : Bits<W>{};
            for (int index : info.drop_rules) {
                const auto& rule = rules_->rules[index];
                if (rule.about_mate && ignore_mate_rules_) continue;
                const bool shares = !rule.about_the_piece && index < MAX_SHARED;
                if (shares && worked_out >> index & 1) {
                    points &= ~(rule.where[piece] & shared[index]);
                    continue;
                }
                Bits<W> bad = shares ? rules_->board : rule.where[piece] & points;
                for (const Question& question : rule.questions) {
                    Bits<W> yes;
                    bool try_each = false;  // every point of `yes`
                    switch (question.ask) {
                        case Ask::ON_FILE: yes = files_with(question.argument, turn_); break;
                        case Ask::IN_HAND:
                            if (holding & unsigned(question.argument)) yes = rules_->board;
                            break;
                        case Ask::NEAR: yes = near_points(question.argument); break;
                        case Ask::SUPPORTED: yes = support_of(info.role, held()); break;
                        case Ask::CAPTURES:
                        case Ask::HAS:
                        case Ask::IN_SIGHT:
                        case Ask::BEYOND_SUPPORT: break;
                        case Ask::GIVES_CHECK:
                            yes = checking_points(piece) | doubtful;
                            try_each = (bad & doubtful).any();
                            break;
                        case Ask::MATES:
                            yes = checking_points(piece) | doubtful;
                            try_each = true;
                            break;
                    }
                    if (try_each) {
                        Bits<W> asked = yes & bad;
                        asked.each([&](Point point) {
                            if (!answer(question, {Cell(slot), rules_->cell_of[point], piece, DROP})) yes.reset(point);
                            return false;
                        });
                    }
                    bad &= question.holds ? yes : ~yes;
                    if (!bad.any()) break;
                }
                if (shares) {
                    shared[index] = bad;
                    worked_out |= 1u << index;
                    bad &= rule.where[piece];
                }
                points &= ~bad;
            }
            if (info.royal) {
                Bits<W> asked = points;
                asked.each([&](Point point) {
                    if (attacked(rules_->cell_of[point], ~turn_)) points.reset(point);
                    return false;
                });
            }
            if (ends)
                (points & doubtful).each([&](Point point) {
                    if (!stands({Cell(slot), rules_->cell_of[point], piece, DROP})) points.reset(point);
                    return false;
                });
            if (sink.drops(*rules_, slot, piece, points)) return true;
        }
    }
    return false;
}

template <int W>
template <class Sink>
void Position<W>::generate(Sink& sink, bool with_drops) {
    bool outer = std::exchange(try_all_, !rules_->end_rules.empty() && stranded().any());
    generate_kept(sink, with_drops);
    try_all_ = outer;
}

template <int W>
template <class Sink>
void Position<W>::generate_kept(Sink& sink, bool with_drops) {
    Safety safe = safety();
    Cell royal = royal_[turn_];
    const Bits<W>* target = safe.checked ? &safe.target : nullptr;
    if (royal != NO_CELL && generate_royal(sink, royal)) return;
    if (!safe.target.any()) return;  // two checkers that nothing parries at once
    Bits<W> movers = occupied_[turn_];
    if (royal != NO_CELL) movers.reset(rules_->point_of[royal]);
    bool stopped = movers.each([&](Point point) {
        Cell from = rules_->cell_of[point];
        if (!safe.pinned.test(point)) return generate_piece(sink, from, target);
        Bits<W> allowed = pin_lines(from) & safe.target;
        return allowed.any() && generate_piece(sink, from, &allowed);
    });
    if (!stopped && with_drops) generate_drops(sink, target);
}

// Every move that follows the piece's move and the static limits, own royal safe or not.
template <int W>
template <class Visit>
void Position<W>::pseudo_moves(Visit visit) const {
    occupied_[turn_].each([&](Point point) {
        Cell from = rules_->cell_of[point];
        bool starts_in_zone = rules_->zone[turn_].test(point);
        const auto& info = rules_->info[board_[from]];
        return each_reached(from, [&](Cell to) {
            Point target = rules_->point_of[to];
            bool touches = starts_in_zone || rules_->zone[turn_].test(target);
            for (const Change& change : info.changes[touches * 2 + (board_[to] != EMPTY)])
                if (rules_->info[change.piece].may_land.test(target)) visit(Move{from, to, change.piece, change.flags});
            return false;
        });
    });
    for (int slot = 0; slot < rules_->hands(); ++slot) {
        if (!hand_[turn_][slot]) continue;
        for (int kind : rules_->drops[slot]) {
            Piece piece = piece_of(kind, turn_);
            if (!anchored() && piece != rules_->anchor) continue;
            rules_->info[piece].may_drop.each([&](Point point) {
                Cell to = rules_->cell_of[point];
                if (board_[to] == EMPTY) visit(Move{Cell(slot), to, piece, DROP});
                return false;
            });
        }
    }
}

template <int W>
void Position<W>::legal_moves_generic(MoveList& moves) {
    if (rules_->turns) return legal_turns_generic(moves);
    MoveList candidates;
    pseudo_moves([&](Move move) { candidates.push_back(move); });
    for (Move move : candidates) {
        const auto& info = rules_->info[move.piece];
        if (forbidden(move.is_drop() ? info.drop_rules : info.landing_rules, move)) continue;
        if (stands(move)) moves.push_back(move);
    }
}

template <int W>
void Position<W>::legal_moves(MoveList& moves) {
    if (rules_->turns) return legal_turns(moves);
    if (!rules_->single_royal) return legal_moves_generic(moves);
    ListSink<W> sink{moves};
    generate(sink);
}

template <int W>
void Position<W>::legal_captures(MoveList& moves, bool with_checks) {
    if (rules_->turns) {
        legal_turns(moves);
        std::erase_if(moves, [&](const Move& move) { return !move.flags && !takes(move); });
        return;
    }
    if (rules_->single_royal) {
        auto points = [&](Piece piece) { return with_checks ? checking_points(piece) : Bits<W>{}; };
        CaptureSink<W, decltype(points)> sink{*this, moves, points};
        generate(sink, with_checks);
        return;
    }
    MoveList all;
    legal_moves_generic(all);
    for (Move move : all)
        if (!move.is_drop() && (board_[move.to] != EMPTY || move.flags)) moves.push_back(move);
}

template <int W>
void Position<W>::legal_checks_generic(MoveList& moves) {
    MoveList all;
    legal_moves(all);
    for (Move move : all) {
        push(move);
        if (in_check(turn_)) moves.push_back(move);
        pop();
    }
}

template <int W>
void Position<W>::legal_checks(MoveList& moves) {
    // Where more may happen than that one piece leaves its place and arrives at another, only trying tells.
    if (!rules_->single_royal || rules_->turns || !rules_->end_rules.empty() || rules_->anchor != EMPTY)
        return legal_checks_generic(moves);
    if (royal_[~turn_] == NO_CELL) return;
    const Safety safe = safety();
    CheckSink<W> sink{*this, moves, screens()};
    const Cell royal = royal_[turn_];
    occupied_[turn_].each([&](Point point) {
        const Cell from = rules_->cell_of[point];
        Bits<W> target = sink.screens.test(point) ? rules_->board : sink.aim_of_mover(board_[from]);
        if (from == royal) {
            if (each_reached(from, [&](Cell to) { return target.test(rules_->point_of[to]); }))
                generate_royal(sink, from);
            return false;
        }
        target &= safe.target;
        if (safe.pinned.test(point)) target &= pin_lines(from);
        return target.any() && generate_piece(sink, from, &target);
    });
    Bits<W> target;
    for (unsigned slots = hand_mask(turn_); slots; slots &= slots - 1)
        for (int kind : rules_->drops[size_t(std::countr_zero(slots))]) target |= sink.aim(piece_of(kind, turn_));
    target &= safe.target;
    if (target.any()) generate_drops(sink, &target);
}

template <int W>
bool Position<W>::has_legal_move(bool ignore_mate_rules) {
    if (rules_->turns) return has_turn();
    bool before = ignore_mate_rules_;
    ignore_mate_rules_ = ignore_mate_rules;
    bool found;
    if (rules_->single_royal) {
        AnySink<W> sink;
        generate(sink);
        found = sink.found;
    } else {
        MoveList moves;
        legal_moves_generic(moves);
        found = !moves.empty();
    }
    ignore_mate_rules_ = before;
    return found;
}

template <int W>
uint64_t Position<W>::count_legal_moves() {
    if (rules_->turns) return count_turns();
    if (!rules_->single_royal) {
        MoveList moves;
        legal_moves_generic(moves);
        return moves.size();
    }
    CountSink<W> sink;
    generate(sink);
    return sink.count;
}

template <int W>
uint64_t Position<W>::perft(int depth, bool bulk, bool generic, const std::function<void()>& poll) {
    constexpr int polled = 4;  // the depth whose nodes are small enough to wait for, and few enough to ask at
    if (depth == 0) return 1;
    if (depth == 1 && bulk && !generic) return count_legal_moves();
    if (depth == polled) poll();
    MoveList moves;
    moves.reserve(128);
    generic ? legal_moves_generic(moves) : legal_moves(moves);
    if (depth == 1 && bulk) return moves.size();
    uint64_t nodes = 0;
    for (Move move : moves) {
        push(move);
        nodes += perft(depth - 1, bulk, generic, poll);
        pop();
    }
    return nodes;
}

template class Position<2>;
template class Position<6>;
template class Position<10>;

}  // namespace komadai
