// The state of a game: the mailbox, the hands, the side to move, and the journal through which every change goes.
//
// State knows no rule but the bookkeeping of the tables: what a legal move is and what it does is in royal_moves.hpp
// and compound.hpp, which change a State through put() and put_in_hand() only, so that pop() can undo it.
#pragma once

#include <memory>

#include "rules.hpp"

namespace komadai {

#define KOMADAI_ENDS NONE, CHECKMATE, STALEMATE, REPETITION, PERPETUAL_CHECK, EXTINCTION, GOAL
enum class End : int { KOMADAI_ENDS };

struct Outcome {
    End end = End::NONE;
    int winner = -1;  // a Side, or -1 for a draw
};

// The points where pieces have support: roots have it everywhere, see support.hpp.
template <int W>
struct Support {
    Bits<W> links;            // the links that have support
    Bits<W> area, link_area;  // where other pieces have it, and where links do
};

// What was found for the last few keys. Nothing, a value made without arguments, is right for key 0.
template <class Value>
class Memo {
 public:
    // The value for a key; `find` makes it where it is not known.
    template <class Find>
    [[nodiscard]] const Value& of(uint64_t key, Find find) {
        auto& [known_for, value] = entries_[key % entries_.size()];
        if (known_for != key) {
            value = find();
            known_for = key;
        }
        return value;
    }

 private:
    std::array<std::pair<uint64_t, Value>, 8> entries_{};
};

template <int W>
struct State {
    // One change in the journal.
    struct Entry {
        uint16_t place;   // a cell, or IN_HAND | side << 8 | slot, or SHIFT, or MEMORY
        uint16_t before;  // of SHIFT: by how many cells everything moved
    };
    static constexpr uint16_t IN_HAND = 0x8000, SHIFT = 0x4000, MEMORY = 0x2000;
    struct Played {
        uint64_t key;  // before the move
        Move move;
        uint32_t mark;  // size of the journal before the move, or IN_PLACE
        bool gave_check;
        Piece moved = EMPTY, taken = EMPTY;  // IN_PLACE: what stood on the origin and on the target
    };
    static constexpr uint32_t IN_PLACE = 0xFFFFFFFF;

    explicit State(std::shared_ptr<const Rules<W>> shared_rules);

    // Set a position up. Outside the journal, so only before the first move.
    void place(Cell cell, Piece piece) { set(cell, piece); }
    void give(Side side, int slot, int count) { set_hand(side, slot, count); }
    void set_taken_on(Point point) {
        key ^= memory_key(taken_on) ^ memory_key(point);
        taken_on = point;
    }
    void set_side_to_move(Side side);

    // The only ways in which a move changes the board and the hands.
    void put(Cell cell, Piece piece) {
        journal.push_back({cell, board[cell]});
        set(cell, piece);
    }
    void put_in_hand(Side side, int slot, int count) {
        journal.push_back({uint16_t(IN_HAND | side << 8 | slot), hand[side][slot]});
        set_hand(side, slot, count);
    }
    // Moves everything on the board by so many cells, all of which lead to points.
    void shift(int by) {
        journal.push_back({SHIFT, uint16_t(by)});
        move_all(by);
    }
    // Remembers the point of a capture for the turn that follows, or NO_POINT.
    void remember(Point point) {
        if (taken_on == point) return;
        journal.push_back({MEMORY, taken_on});
        set_taken_on(point);
    }
    // Undoes the changes since the journal had that size.
    void rewind(size_t mark);

    // Makes a move, whose changes `change` makes; pop() undoes it. If `change` throws, nothing is changed.
    template <class Change>
    void make(Move move, Change change) {
        played.push_back({key, move, uint32_t(journal.size()), false});
        try {
            change();
        } catch (...) {
            abandon();
            throw;
        }
        side_to_move = ~side_to_move;
        key ^= rules->side_key;
    }
    // Makes a move that changes nothing but its origin, its target and a hand, without the journal. If it throws,
    // nothing is changed.
    void make_in_place(Move move);
    void pop() {
        if (played.back().mark == IN_PLACE) return undo_in_place();
        side_to_move = ~side_to_move;
        abandon();
    }

    // The pieces in some of the parts.
    [[nodiscard]] Bits<W> in_parts(const typename SetTables<W>::PartList& list) const {
        Bits<W> found;
        for (const uint16_t part : list) found |= parts[part];
        return found;
    }
    // The pieces of a side that slide; and those that do, or may after a move.
    [[nodiscard]] Bits<W> sliding(Side side) const { return in_parts(rules->sets.sliding[side]); }
    [[nodiscard]] Bits<W> may_slide(Side side) const { return in_parts(rules->sets.may_slide[side]); }
    [[nodiscard]] Bits<W> on_files(int group, Side side) const {
        return in_parts(rules->sets.groups[size_t(group)][side]);
    }
    [[nodiscard]] Bits<W> everyone() const { return occupied[BLACK] | occupied[WHITE]; }

    [[nodiscard]] uint64_t key_from_scratch() const;
    // The outcome by the repetition rule if `occurrences` of the present position end the game, counted from the ply
    // `since` on.
    [[nodiscard]] Outcome repetition(int occurrences, size_t since = 0) const;
    // The keys of the positions so far that end the game by repetition if they occur once more.
    [[nodiscard]] std::vector<uint64_t> keys_before_repetition() const;

    std::shared_ptr<const Rules<W>> rules;
    std::vector<Piece> board;
    std::array<Bits<W>, 2> occupied{};
    std::array<std::array<uint8_t, MAX_HAND>, 2> hand{};
    std::array<unsigned, 2> holding{};                     // bit sets of the slots with pieces in hand
    std::array<Cell, 3> royal{NO_CELL, NO_CELL, NO_CELL};  // by side; the last is of no meaning, for all other pieces
    std::vector<Bits<W>> parts;                            // see SetTables
    std::array<uint32_t, 64 * W> site{};                   // by point, of what stands there
    Bits<W> roots{}, links{};
    Bits<W> taken_at_end{};                   // by the end of the last turn
    bool outside_window = false;              // the last move would have left a piece outside the window
    Point taken_on = NO_POINT;                // of the last move's capture, if it is remembered
    mutable Memo<Support<W>> support_memo{};  // by role_key
    mutable std::vector<std::array<Memo<Bits<W>>, 2>> near_memo;  // by near table and side; by role_key or stamp
    mutable std::vector<Memo<Bits<W>>> drop_memo;                 // by drop class; by role_key and the kinds in hand
    std::vector<Bits<W>> watched;                                 // where pieces are counted: the points of each set
    std::vector<uint16_t> piece_count;                            // where pieces are counted: how many of each
    uint64_t stamp = 1;                                           // counts changes of the board, for what is kept
    uint64_t role_key = 0;                                        // of the pieces with a role, likewise
    uint64_t key = 0, hands_key = 0;                              // of all, and the part of it that the hands give
    Side side_to_move = BLACK;
    std::vector<Entry> journal;
    std::vector<Played> played;

 private:
    void abandon();
    void undo_in_place();
    using Mark = typename SetTables<W>::Mark;
    void flip(const Mark& mark, Side side, Point point) {
        occupied[side].flip(point);
        parts[mark.part].flip(point);
    }
    // Moves a piece of the side from some points to others, or back. Each set is written once: what is read soon after
    // it was written is waited for.
    [[gnu::always_inline]] void flip(Mark before, Mark after, Side side, Bits<W> from, Bits<W> to) {
        occupied[side] ^= from ^ to;
        if (before.part == after.part) {
            parts[after.part] ^= from ^ to;
        } else {
            parts[before.part] ^= from;
            parts[after.part] ^= to;
        }
    }
    [[nodiscard]] uint64_t memory_key(Point point) const {
        return point == NO_POINT ? 0 : mix(uint64_t(1) << 62 | point);
    }
    void set(Cell cell, Piece piece);
    void move_all(int by);
    void count(Piece piece, Point point, int by);
    // Returns the change of the key.
    uint64_t add_to_hand(Side side, int slot, int more) {
        const auto& keys = rules->hand_keys[side][slot];
        uint8_t& held = hand[side][slot];
        const uint64_t change = keys[held] ^ keys[held + more];
        hands_key ^= change;
        held = uint8_t(held + more);
        holding[side] = (holding[side] & ~(1u << slot)) | unsigned(held != 0) << slot;
        return change;
    }
    void set_hand(Side side, int slot, int held) { key ^= add_to_hand(side, slot, held - hand[side][slot]); }
};

template <int W>
inline void State<W>::set(Cell cell, Piece piece) {
    const Rules<W>& r = *rules;
    const Piece before = board[cell];
    const Point point = r.point_of[cell];
    key ^= r.key(before, point) ^ r.key(piece, point);
    board[cell] = piece;
    ++stamp;
    if (before != EMPTY) {
        const auto& mark = r.sets.marks[before];
        flip(mark, side_of(before), point);
        if (royal[mark.royal] == cell) royal[mark.royal] = NO_CELL;
        count(before, point, -1);
    }
    if (piece != EMPTY) {
        const auto& mark = r.sets.marks[piece];
        flip(mark, side_of(piece), point);
        site[point] = mark.site + point;
        royal[mark.royal] = cell;
        count(piece, point, 1);
    }
}

// Counts a piece that appears on a point, or vanishes, in what few games ask for.
template <int W>
inline void State<W>::count(Piece piece, Point point, int by) {
    const auto& info = rules->info[piece];
    if (info.role != Role::NONE) {
        (info.role == Role::ROOT ? roots : links).flip(point);
        role_key ^= rules->key(piece, point);
    }
    if (piece_count.empty()) return;
    piece_count[piece] = uint16_t(piece_count[piece] + by);
    for (uint64_t sets = info.watched; sets; sets &= sets - 1) watched[std::countr_zero(sets)].flip(point);
}

template <int W>
inline void State<W>::make_in_place(Move move) {
    const Rules<W>& r = *rules;
    const Side us = side_to_move;
    const Point to = r.point_of[move.to];
    const Piece taken = board[move.to], moved = move.is_drop() ? EMPTY : board[move.from];
    const uint64_t before = key;
    played.push_back({before, move, IN_PLACE, false, moved, taken});
    ++stamp;
    uint64_t now = before ^ r.side_key ^ r.key(move.piece, to);
    const Mark& mark = r.sets.marks[move.piece];
    const Bits<W> landed = Bits<W>::only(to);
    if (taken != EMPTY) [[unlikely]] {
        const Mark& lost = r.sets.marks[taken];
        now ^= r.key(taken, to);
        occupied[~us] ^= landed;
        parts[lost.part] ^= landed;
        royal[lost.royal] = NO_CELL;
        if (lost.hand >= 0) now ^= add_to_hand(us, lost.hand, 1);
    }
    if (moved == EMPTY) {
        now ^= add_to_hand(us, move.from, -1);
        flip(mark, mark, us, {}, landed);
    } else {
        const Point from = r.point_of[move.from];
        now ^= r.key(moved, from);
        flip(r.sets.marks[moved], mark, us, Bits<W>::only(from), landed);
        board[move.from] = EMPTY;
    }
    key = now;
    site[to] = mark.site + to;
    royal[mark.royal] = move.to;
    board[move.to] = move.piece;
    side_to_move = ~us;
}

template <int W>
inline void State<W>::undo_in_place() {
    const Rules<W>& r = *rules;
    const auto& [before, move, in_place, gave_check, moved, taken] = played.back();
    const Side us = side_to_move = ~side_to_move;
    const Point to = r.point_of[move.to];
    ++stamp;
    const Mark& mark = r.sets.marks[move.piece];
    const Bits<W> landed = Bits<W>::only(to);
    royal[mark.royal] = NO_CELL;
    if (moved == EMPTY) {
        add_to_hand(us, move.from, 1);
        flip(mark, mark, us, {}, landed);
    } else {
        const Mark& was = r.sets.marks[moved];
        const Point from = r.point_of[move.from];
        flip(was, mark, us, Bits<W>::only(from), landed);
        site[from] = was.site + from;
        royal[was.royal] = move.from;
        board[move.from] = moved;
    }
    board[move.to] = taken;
    if (taken != EMPTY) [[unlikely]] {
        const Mark& lost = r.sets.marks[taken];
        occupied[~us] ^= landed;
        parts[lost.part] ^= landed;
        site[to] = lost.site + to;
        royal[lost.royal] = move.to;
        if (lost.hand >= 0) add_to_hand(us, lost.hand, -1);
    }
    key = before;
    played.pop_back();
}

template <int W>
inline void State<W>::rewind(size_t mark) {
    while (journal.size() > mark) {
        const Entry entry = journal.back();
        journal.pop_back();
        if (entry.place & IN_HAND)
            set_hand(Side(entry.place >> 8 & 1), entry.place & 0xFF, entry.before);
        else if (entry.place == SHIFT)
            move_all(-int16_t(entry.before));
        else if (entry.place == MEMORY)
            set_taken_on(entry.before);
        else
            set(entry.place, entry.before);
    }
}

// Undoes the changes of the last move.
template <int W>
inline void State<W>::abandon() {
    const Played& last = played.back();
    rewind(last.mark);
    ++stamp;
    key = last.key;
    played.pop_back();
}

// Takes the last move back at the end of a scope, however the scope ends.
template <class Board>
class [[nodiscard]] Takeback {
 public:
    explicit Takeback(Board& board) : board_(board) {}
    Takeback(const Takeback&) = delete;
    Takeback& operator=(const Takeback&) = delete;
    ~Takeback() { board_.pop(); }

 private:
    Board& board_;
};

KOMADAI_EXTERN_EACH_SIZE(struct State)

}  // namespace komadai
