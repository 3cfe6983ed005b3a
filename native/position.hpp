// A position: the mailbox, the hands, and the journal through which every change goes.
#pragma once

#include <functional>
#include <memory>

#include "rules.hpp"

namespace komadai {

enum class End : int { NONE, CHECKMATE, STALEMATE, REPETITION, PERPETUAL_CHECK, COMMANDER_LOSS };

struct Outcome {
    End end = End::NONE;
    int winner = -1;  // a Side, or -1 for a draw
};

template <int W>
class Position {
 public:
    explicit Position(std::shared_ptr<const Rules<W>> rules)
        : rules_(std::move(rules)),
          board_(rules_->cells, WALL),
          near_(rules_->nears.size()),
          watch_(rules_->watches),
          count_(rules_->turns ? rules_->info.size() : 0) {
        for (Cell cell : rules_->cell_of) board_[cell] = EMPTY;
        journal_.reserve(64);
        past_.reserve(64);
    }

    [[nodiscard]] const Rules<W>& rules() const { return *rules_; }
    [[nodiscard]] Side turn() const { return turn_; }
    [[nodiscard]] uint64_t key() const { return key_; }
    [[nodiscard]] Piece at(Cell cell) const { return board_[cell]; }
    [[nodiscard]] int in_hand(Side side, int slot) const { return hand_[side][slot]; }
    [[nodiscard]] size_t plies() const { return past_.size(); }
    [[nodiscard]] const Bits<W>& pieces(Side side) const { return occupied_[side]; }
    [[nodiscard]] Cell royal(Side side) const { return royal_[side]; }
    // Where the side can be mated: its royal piece, or of turns one of those that keep it alive.
    [[nodiscard]] Cell home(Side side) const {
        if (!rules_->turns || rules_->commanders < 0) return royal_[side];
        Cell found = NO_CELL;
        (watch_[size_t(rules_->commanders)] & occupied_[side]).each([&](Point point) {
            found = rules_->cell_of[point];
            return true;
        });
        return found;
    }
    // The hash key before the ply of that number, from 0.
    [[nodiscard]] uint64_t past_key(size_t ply) const { return past_[ply].key; }
    // Whether the last move was noted to give check.
    [[nodiscard]] bool last_gave_check() const { return !past_.empty() && past_.back().gave_check; }
    [[nodiscard]] Move last_move() const { return past_.empty() ? Move{} : past_.back().move; }

    // Sets up a position; outside the journal, so only before the first push.
    void place(Cell cell, Piece piece) { set(cell, piece); }
    void give(Side side, int slot, int count) { set_hand(side, slot, count); }
    void set_turn(Side side) {
        if (turn_ != side) key_ ^= rules_->turn_key;
        turn_ = side;
        ++stamp_;
        past_.clear();
    }
    [[nodiscard]] uint64_t key_from_scratch() const;

    void push(Move move);
    void pop();
    // Lets the turn pass without a move, which no rule allows: for the search alone. Undone by pop().
    void push_null() {
        past_.push_back({key_, Move{}, uint32_t(journal_.size()), false});
        turn_ = ~turn_;
        key_ ^= rules_->turn_key;
        ++stamp_;
    }
    // As push, and also remembers whether the move gave check: outcome() needs it for every move it looks at.
    void push_noting_check(Move move) {
        push(move);
        past_.back().gave_check = rules_->plain() ? gave_check(move)
                                  : rules_->turns ? threatened(turn_) && ways_alive(turn_) == 1
                                                  : royal_attacked(turn_);
    }

    [[nodiscard]] bool attacked(Cell target, Side by, Cell ignore = NO_CELL) const;
    [[nodiscard]] bool in_check(Side side) { return rules_->turns ? threatened(side) : royal_attacked(side); }
    [[nodiscard]] bool royal_attacked(Side side) const;
    [[nodiscard]] bool gave_check(Move move) const;

    // Legal moves by the fastest sound path, or by the generic one: try every move and look.
    void legal_moves(MoveList& moves);
    void legal_moves_generic(MoveList& moves);
    [[nodiscard]] bool has_legal_move(bool ignore_mate_rules = false);
    // Legal captures and changes of kind on the board, for quiescence; with the drops that give check if asked for.
    void legal_captures(MoveList& moves, bool with_checks = false);
    // Legal moves after which the opponent is in check; the generic path makes every legal move and looks.
    void legal_checks(MoveList& moves);
    void legal_checks_generic(MoveList& moves);
    // The points, empty or to be taken, from which `piece` would attack the opponent's royal piece on this board.
    [[nodiscard]] Bits<W> aiming_points(Piece piece) const;
    // Whether the opponent's royal piece is attacked once `from` is empty and `piece` of the mover stands on `to`.
    [[nodiscard]] bool exposes(Cell from, Cell to, Piece piece) const;
    [[nodiscard]] uint64_t count_legal_moves();
    // The points where a piece of that role would have support now.
    [[nodiscard]] Bits<W> support(Role role) const { return support_of(role, held()); }
    // The pieces of the side to move that the end of its turn will take if it does nothing about them.
    [[nodiscard]] Bits<W> stranded() const { return struck(held()); }
    // The pieces of the side to move that the end of its turn takes after the move.
    [[nodiscard]] Bits<W> losses(Move move);
    // Whether the side has what it needs to play on, and in how many ways.
    [[nodiscard]] bool alive(Side side) const { return rules_->alive.empty() || ways_alive(side) > 0; }
    [[nodiscard]] int ways_alive(Side side) const;
    // Of turns: what pieces are worth to others of their side, and how safe those are that keep the side alive.
    [[nodiscard]] int ties(Side side) const;
    [[nodiscard]] int command(Side side) const;
    // Of turns: what a move takes and loses besides the mover's own change, in material; as search needs it.
    [[nodiscard]] int spoils(Move move) const;
    // Of turns: whether the move takes something, by landing, by shot, or by what its arrival brings about.
    [[nodiscard]] bool takes(Move move) const;
    // Of turns: the pieces of the side to move that may not move at all.
    [[nodiscard]] Bits<W> held_fast() const { return start_turn().held; }
    // Calls visit(piece) for everything a turn takes by landing and by shot.
    template <class Visit>
    void each_taken(Move move, Visit visit) const;
    // Calls visit(to) for every cell that the piece on `from` attacks or covers by sliding, own royal safe or not.
    template <class Visit>
    void each_slide(Cell from, Visit visit) const;
    // Whether `piece`, on `from`, would attack `target`.
    [[nodiscard]] bool aims(Piece piece, Cell from, Cell target) const;
    // The least of the side's pieces that attack `target`, by `worth(piece)`; those on `gone` are looked through.
    template <class Worth>
    [[nodiscard]] Cell least_attacker(Cell target, Side by, const Bits<W>& gone, Worth worth) const;
    // `poll` is called now and then from within; it may throw to give up.
    uint64_t perft(int depth, bool bulk, bool generic, const std::function<void()>& poll);

    [[nodiscard]] Outcome outcome();
    // A move that wins the game at once; an empty one if there is none.
    [[nodiscard]] Move winning_move();
    // What the repetition rule says if `occurrences` of the present position end the game, of those that came up
    // after the first `since` moves.
    [[nodiscard]] Outcome repetition(int occurrences, size_t since = 0) const;
    // The positions so far that end the game by repetition when they come up once more.
    [[nodiscard]] std::vector<uint64_t> worn_out() const;

 private:
    struct Entry {
        uint16_t place;  // a cell, or HAND | side << 8 | slot
        uint16_t before;
    };
    static constexpr uint16_t HAND = 0x8000;
    struct Past {
        uint64_t key;  // before the move
        Move move;
        uint32_t mark;  // journal size before the move
        bool gave_check;
    };
    struct Held {
        Bits<W> links;            // the links that have support
        Bits<W> area, link_area;  // where other pieces have it, and where links do
    };
    struct Safety {
        Bits<W> target;  // where a piece other than the royal one must land to parry every check
        Bits<W> pinned;
        bool checked = false;
    };

    // A turn under way.
    struct Trek {
        Piece mover;                  // as it began
        Cell from, at;                // where it began, and where it is
        Piece now;                    // what it is; EMPTY once it has left the game
        int landings = 0, shots = 0;  // shots since the last landing
        bool took = false, touched = false;
        int taken_count = 0, items_count = 0;
        std::array<Piece, 8> taken{};
        std::array<uint16_t, 8> items{};  // landings and shots in order, tagged as in a trail

        void add(uint16_t item) { items[size_t(items_count++)] = item; }
        void arrive(Cell to, Piece there) {
            if (there != EMPTY) {
                take(there);
                took = true;
            }
            at = to;
            shots = 0;
            ++landings;
            add(TRAIL_LANDING | to);
        }
        void take(Piece piece) { taken[size_t(taken_count++)] = piece; }
        [[nodiscard]] bool cut_short() const { return now != mover; }
        [[nodiscard]] bool stood() const { return landings == 0; }
    };
    // What the rules on the start of a turn say of the mover's pieces.
    struct TurnStart {
        Bits<W> held;
        std::vector<std::pair<Bits<W>, uint64_t>> barred;  // pieces, and the vectors they may not move by
        Bits<W> danger;                                    // where an arrival may have consequences

        [[nodiscard]] uint64_t barred_at(Point point) const {
            uint64_t all = 0;
            for (const auto& [points, vectors] : barred)
                if (points.test(point)) all |= vectors;
            return all;
        }
    };
    // The one primitive through which a position changes, and its undoing.
    void put(Cell cell, Piece piece) {
        journal_.push_back({cell, board_[cell]});
        set(cell, piece);
    }
    void put_in_hand(Side side, int slot, int count) {
        journal_.push_back({uint16_t(HAND | side << 8 | slot), uint16_t(hand_[side][slot])});
        set_hand(side, slot, count);
    }
    void set(Cell cell, Piece piece);
    void set_hand(Side side, int slot, int count) {
        key_ ^= rules_->hand_keys[side][slot][hand_[side][slot]] ^ rules_->hand_keys[side][slot][count];
        hand_[side][slot] = uint8_t(count);
    }

    void rewind(size_t mark);

    [[nodiscard]] bool has(int index, Side asked) const;
    [[nodiscard]] Bits<W> seen(int index, Side asked) const;
    [[nodiscard]] bool holds(const typename Rules<W>::TurnRule& rule, Point point, Piece piece) const;
    void act(const typename Rules<W>::TurnRule& rule, Point point);
    void turn_over(Cell cell, Piece into);
    void settle();
    void land_trek(Trek& trek, Cell to);
    void shoot(Trek& trek, Cell target);
    void turn_mover(Trek& trek, Piece into);
    [[nodiscard]] bool triumphs(const Trek& trek) const;
    [[nodiscard]] const std::vector<Change>& results(const Trek& trek) const;
    void play_turn(Move move);
    [[nodiscard]] TurnStart start_turn() const;
    [[nodiscard]] bool may_shoot(const Trek& trek) const;
    template <class Visit>
    bool each_target(const ShotTable& shot, const Trek& trek, Visit visit) const;
    template <class Sink>
    void generate_turns(Sink& sink);
    template <class Sink>
    bool generate_plain(Sink& sink, Cell from, const TurnStart& start);
    void explore(Cell from, const TurnStart& start, bool every_walk);
    void extend(Trek& trek, const WalkTable* walk, int vector, const Bits<W>& seen, bool every_walk);
    void leap(const Trek& trek, const WalkTable& walk, uint64_t vectors, const Bits<W>& seen, bool every_walk);
    void end_trek(const Trek& trek, uint64_t key);
    bool end_calmly(Trek& trek, Cell to);
    [[nodiscard]] bool blocks(const typename Rules<W>::PieceInfo& info, Piece there, Side side) const {
        return owned(there, side) || (!info.spared.empty() && there != EMPTY && info.spared[there]);
    }
    template <class Sink>
    bool flush(Sink& sink);
    template <class Visit>
    bool each_way(Cell from, uint64_t barred, Visit visit) const;
    void legal_turns(MoveList& moves);
    void legal_turns_generic(MoveList& moves);
    [[nodiscard]] uint64_t count_turns();
    [[nodiscard]] bool has_turn();
    [[nodiscard]] bool threatened(Side side);

    [[nodiscard]] [[gnu::noinline]] Held held_without(const Bits<W>& gone, const Bits<W>& granted) const;
    [[nodiscard]] const Held& held() const {
        if (held_stamp_ != stamp_) {
            held_ = held_without({}, {});
            held_stamp_ = stamp_;
        }
        return held_;
    }
    [[nodiscard]] const Bits<W>& support_of(Role role, const Held& held) const {
        return role == Role::ROOT ? rules_->board : role == Role::LINK ? held.link_area : held.area;
    }
    [[nodiscard]] Bits<W> struck(const Held& held) const;
    [[nodiscard]] Bits<W> near_without(int index, const Bits<W>& gone) const;
    [[nodiscard]] const Bits<W>& near_points(int index) const;
    [[nodiscard]] bool is_near(int index, Move move) const;
    [[nodiscard]] Bits<W> lifted(Move move) const;
    [[nodiscard]] Held held_for(Move move) const;
    // Whether the others have the same support without the mover and what it captures.
    [[nodiscard]] bool leaves_support(Move move) const {
        return rules_->info[board_[move.to]].role == Role::NONE &&
               (move.is_drop() || rules_->info[board_[move.from]].role == Role::NONE);
    }
    [[nodiscard]] bool is_supported(Move move) const;
    [[nodiscard]] bool beyond_support(Move move) const;
    [[nodiscard]] bool anchored() const { return rules_->anchor == EMPTY || board_[rules_->middle] == rules_->anchor; }
    void end_turn(const Bits<W>& granted);
    bool recentre();
    bool stands(Move move);
    [[nodiscard]] bool unsettled(Move move) const;

    [[nodiscard]] Safety safety() const;
    [[nodiscard]] Bits<W> line(Cell from, int delta, Cell to) const;
    [[nodiscard]] Bits<W> pin_lines(Cell pinned) const;
    [[nodiscard]] Bits<W> checking_points(Piece piece) const;
    [[nodiscard]] Bits<W> screens() const;
    [[nodiscard]] Bits<W> files_with(int group, Side side) const;
    [[nodiscard]] unsigned hand_mask(Side side) const;
    bool mates(Move move);
    bool answer(const Question& question, Move move);
    bool answer_at_length(const Question& question, Move move);
    bool forbidden(const std::vector<int>& rules, Move move);

    template <class Sink>
    void generate(Sink& sink, bool with_drops = true);
    template <class Sink>
    void generate_kept(Sink& sink, bool with_drops);
    template <class Sink>
    bool generate_piece(Sink& sink, Cell from, const Bits<W>* target);
    template <class Sink>
    bool land(Sink& sink, Cell from, Cell to, Piece piece, const typename Rules<W>::PieceInfo& info);
    template <class Sink>
    bool land_changing(Sink& sink, Cell from, Cell to, const std::vector<Change>& changes);
    template <class Sink>
    bool generate_royal(Sink& sink, Cell from);
    template <class Sink>
    bool generate_drops(Sink& sink, const Bits<W>* target);
    template <class Visit>
    bool each_reached(Cell from, Visit visit) const;
    template <class Visit>
    bool walk(const typename Rules<W>::PieceInfo& info, Cell from, Visit visit) const;
    template <class Visit>
    void pseudo_moves(Visit visit) const;

    std::shared_ptr<const Rules<W>> rules_;
    std::vector<Piece> board_;
    std::array<Bits<W>, 2> occupied_{};
    std::array<std::array<uint8_t, MAX_HAND>, 2> hand_{};
    std::array<std::array<std::array<uint8_t, MAX_FILES>, 2>, MAX_GROUPS> on_file_{};
    std::array<Cell, 2> royal_{NO_CELL, NO_CELL};
    Bits<W> roots_{}, links_{};
    Bits<W> taken_{};       // what the end of the last turn took
    bool outside_ = false;  // the last move would have left a piece outside the window
    bool try_all_ = false;  // some piece of the mover is stranded: only trying tells what a move leads to
    mutable Held held_{};   // of the position with this stamp
    mutable uint64_t held_stamp_ = 0;
    mutable std::vector<std::pair<Bits<W>, uint64_t>> near_;  // near_points with the stamp they are of
    std::vector<Bits<W>> watch_;                              // of turns: where the pieces of each watched set stand
    std::vector<uint16_t> count_;                             // of turns: how many of each piece there are
    uint64_t stamp_ = 1;                                      // counts changes of the board
    uint64_t key_ = 0;
    Side turn_ = BLACK;
    bool ignore_mate_rules_ = false;
    std::vector<Entry> journal_;
    std::vector<Past> past_;
};

template <int W>
void Position<W>::set(Cell cell, Piece piece) {
    Piece before = board_[cell];
    Point point = rules_->point_of[cell];
    key_ ^= rules_->key(before, point) ^ rules_->key(piece, point);
    board_[cell] = piece;
    ++stamp_;
    if (before != EMPTY) {
        const auto& info = rules_->info[before];
        Side side = side_of(before);
        occupied_[side].flip(point);
        if (info.royal && royal_[side] == cell) royal_[side] = NO_CELL;
        for (unsigned groups = info.groups; groups; groups &= groups - 1)
            --on_file_[std::countr_zero(groups)][side][rules_->file_of[point]];
        if (info.role == Role::ROOT) roots_.flip(point);
        if (info.role == Role::LINK) links_.flip(point);
        if (rules_->turns) {
            --count_[before];
            for (uint64_t sets = info.watched; sets; sets &= sets - 1) watch_[std::countr_zero(sets)].flip(point);
        }
    }
    if (piece != EMPTY) {
        const auto& info = rules_->info[piece];
        Side side = side_of(piece);
        occupied_[side].flip(point);
        if (info.royal) royal_[side] = cell;
        for (unsigned groups = info.groups; groups; groups &= groups - 1)
            ++on_file_[std::countr_zero(groups)][side][rules_->file_of[point]];
        if (info.role == Role::ROOT) roots_.flip(point);
        if (info.role == Role::LINK) links_.flip(point);
        if (rules_->turns) {
            ++count_[piece];
            for (uint64_t sets = info.watched; sets; sets &= sets - 1) watch_[std::countr_zero(sets)].flip(point);
        }
    }
}

template <int W>
void Position<W>::push(Move move) {
    past_.push_back({key_, move, uint32_t(journal_.size()), false});
    if (rules_->turns) {
        play_turn(move);
        turn_ = ~turn_;
        key_ ^= rules_->turn_key;
        return;
    }
    const bool ends = !rules_->end_rules.empty();
    Bits<W> granted;
    if (ends) granted = held().links & occupied_[~turn_];
    if (move.is_drop()) {
        put_in_hand(turn_, move.from, hand_[turn_][move.from] - 1);
    } else {
        Piece taken = board_[move.to];
        put(move.from, EMPTY);
        if (taken != EMPTY) {
            int slot = rules_->info[taken].captured;
            if (slot >= 0) put_in_hand(turn_, slot, hand_[turn_][slot] + 1);
            put(move.to, EMPTY);
        }
    }
    put(move.to, move.piece);
    if (ends) {
        granted.reset(rules_->point_of[move.to]);
        end_turn(granted);
    }
    outside_ = move.piece == rules_->anchor && !recentre();
    turn_ = ~turn_;
    key_ ^= rules_->turn_key;
}

template <int W>
void Position<W>::rewind(size_t mark) {
    while (journal_.size() > mark) {
        Entry entry = journal_.back();
        journal_.pop_back();
        if (entry.place & HAND)
            set_hand(Side(entry.place >> 8 & 1), entry.place & 0xFF, entry.before);
        else
            set(entry.place, entry.before);
    }
}

template <int W>
void Position<W>::pop() {
    const Past& past = past_.back();
    rewind(past.mark);
    turn_ = ~turn_;
    ++stamp_;
    key_ = past.key;
    past_.pop_back();
}

template <int W>
uint64_t Position<W>::key_from_scratch() const {
    uint64_t key = turn_ == WHITE ? rules_->turn_key : 0;
    for (int point = 0; point < rules_->points; ++point)
        key ^= rules_->key(board_[rules_->cell_of[point]], Point(point));
    for (Side side : {BLACK, WHITE})
        for (int slot = 0; slot < rules_->hands(); ++slot) key ^= rules_->hand_keys[side][slot][hand_[side][slot]];
    return key;
}

template <int W>
bool Position<W>::aims(Piece piece, Cell from, Cell target) const {
    if (rules_->leaps(piece, rules_->point_of[from]).test(rules_->point_of[target])) return true;
    const auto [vector, distance] = rules_->way(target, from);
    const auto& info = rules_->info[piece];
    const int back = vector ^ 1;
    if (!distance || !(info.slide_bits >> back & 1) || info.reach[back] < distance) return false;
    Cell cell = target;
    for (int step = 1; step < distance; ++step)
        if (cell = Cell(cell + rules_->deltas[vector]); board_[cell] != EMPTY) return false;
    return true;
}

// Whether the move just made attacks the royal piece of the side to move, by itself or by what it has laid bare.
template <int W>
bool Position<W>::gave_check(Move move) const {
    const Cell royal = royal_[turn_];
    if (royal == NO_CELL) return false;
    if (aims(move.piece, move.to, royal)) return true;
    if (move.is_drop()) return false;
    const auto [vector, least] = rules_->way(royal, move.from);
    if (!least) return false;
    const int delta = rules_->deltas[vector], back = vector ^ 1;
    int distance = 1;
    Cell cell = Cell(royal + delta);
    for (; board_[cell] == EMPTY; ++distance) cell = Cell(cell + delta);
    const Piece piece = board_[cell];
    if (distance < least || piece == WALL || !owned(piece, ~turn_)) return false;
    const auto& info = rules_->info[piece];
    return info.slide_bits >> back & 1 && info.reach[back] >= distance;
}

template <int W>
template <class Worth>
Cell Position<W>::least_attacker(Cell target, Side by, const Bits<W>& gone, Worth worth) const {
    Cell found = NO_CELL;
    int least = 0;
    auto consider = [&](Cell cell, Piece piece) {
        if (int price = worth(piece); found == NO_CELL || price < least) {
            found = cell;
            least = price;
        }
    };
    for (int v : rules_->ray_vectors) {
        const int delta = rules_->deltas[v], back = v ^ 1;
        Cell cell = target;
        for (int distance = 1;; ++distance) {
            cell = Cell(cell + delta);
            const Piece piece = board_[cell];
            if (piece == EMPTY) continue;
            if (piece == WALL) break;
            if (gone.test(rules_->point_of[cell])) continue;
            if (!owned(piece, by)) break;
            const auto& info = rules_->info[piece];
            if ((info.slide_bits >> back & 1 && info.reach[back] >= distance) ||
                (distance == 1 && info.leap_bits >> back & 1))
                consider(cell, piece);
            break;
        }
    }
    for (int v : rules_->leap_vectors) {
        const Cell cell = Cell(target + rules_->deltas[v]);
        const Piece piece = board_[cell];
        if (piece != WALL && owned(piece, by) && !gone.test(rules_->point_of[cell]) &&
            rules_->info[piece].leap_bits >> (v ^ 1) & 1)
            consider(cell, piece);
    }
    return found;
}

template <int W>
template <class Visit>
[[gnu::always_inline]] inline void Position<W>::each_slide(Cell from, Visit visit) const {
    for (const auto& slide : rules_->info[board_[from]].slides) {
        Cell to = from;
        for (int distance = 1; distance <= slide.reach; ++distance) {
            to = Cell(to + slide.delta);
            if (board_[to] == WALL) break;
            visit(to);
            if (board_[to] != EMPTY) break;
        }
    }
}

// Whether `by` attacks `target`; a piece on `ignore` is looked through.
template <int W>
bool Position<W>::attacked(Cell target, Side by, Cell ignore) const {
    for (int v : rules_->ray_vectors) {
        int delta = rules_->deltas[v];
        int back = v ^ 1;
        Cell cell = target;
        for (int distance = 1;; ++distance) {
            cell = Cell(cell + delta);
            Piece piece = board_[cell];
            if (piece == EMPTY || cell == ignore) continue;
            if (piece != WALL && owned(piece, by)) {
                const auto& info = rules_->info[piece];
                if (info.slide_bits >> back & 1 && info.reach[back] >= distance) return true;
                if (distance == 1 && info.leap_bits >> back & 1) return true;
            }
            break;
        }
    }
    for (int v : rules_->leap_vectors) {
        Piece piece = board_[Cell(target + rules_->deltas[v])];
        if (piece != WALL && owned(piece, by) && rules_->info[piece].leap_bits >> (v ^ 1) & 1) return true;
    }
    return false;
}

template <int W>
bool Position<W>::royal_attacked(Side side) const {
    if (rules_->single_royal) return royal_[side] != NO_CELL && attacked(royal_[side], ~side);
    return occupied_[side].each([&](Point point) {
        Cell cell = rules_->cell_of[point];
        return rules_->info[board_[cell]].royal && attacked(cell, ~side);
    });
}

template <int W>
Outcome Position<W>::repetition(int occurrences, size_t since) const {
    // Only positions with the same side to move can be equal, so look at every second one.
    int seen = 1;
    size_t now = past_.size(), first = now;
    for (size_t i = now; i >= since + 2;) {
        i -= 2;
        if (past_[i].key == key_) {
            first = i;
            ++seen;
        }
    }
    if (seen < occurrences) return {};
    if (rules_->perpetual_check_loses) {
        bool always[2] = {true, true};  // the mover's side: every one of its moves gave check
        Side mover = turn_;
        for (size_t i = first; i < now; ++i, mover = ~mover) always[mover] &= past_[i].gave_check;
        if (always[BLACK] != always[WHITE]) return {End::PERPETUAL_CHECK, always[BLACK] ? WHITE : BLACK};
    }
    return {End::REPETITION, -1};
}

template <int W>
std::vector<uint64_t> Position<W>::worn_out() const {
    std::vector<uint64_t> keys{key_}, found;
    for (const Past& past : past_) keys.push_back(past.key);
    for (uint64_t key : keys)
        if (std::ranges::count(keys, key) >= rules_->repetition - 1 && std::ranges::find(found, key) == found.end())
            found.push_back(key);
    return found;
}

template <int W>
Move Position<W>::winning_move() {
    MoveList moves;
    legal_moves(moves);
    for (Move move : moves) {
        push_noting_check(move);
        const Outcome end = outcome();
        pop();
        if (end.end != End::NONE && end.winner == turn_) return move;
    }
    return {};
}

template <int W>
Outcome Position<W>::outcome() {
    // Whose turn it was not is asked first.
    if (!alive(turn_)) return {End::COMMANDER_LOSS, ~turn_};
    if (!alive(~turn_)) return {End::COMMANDER_LOSS, turn_};
    if (!has_legal_move()) return {!rules_->turns && in_check(turn_) ? End::CHECKMATE : End::STALEMATE, ~turn_};
    return repetition(rules_->repetition);
}

}  // namespace komadai

#include "support.hpp"
#include "turns.hpp"

namespace komadai {

extern template class Position<2>;
extern template class Position<6>;
extern template class Position<10>;

}  // namespace komadai
