// The state of a game: the mailbox, the hands, the side to move, and the journal through which every change goes.
//
// State knows no rule but the bookkeeping of the tables: what a legal move is and what it does is in royal_moves.hpp
// and compound.hpp, which change a State through put() and put_in_hand() only, so that pop() can undo it.
#pragma once

#include <memory>

#include "rules.hpp"

namespace komadai {

enum class End : int { NONE, CHECKMATE, STALEMATE, REPETITION, PERPETUAL_CHECK, EXTINCTION };

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

template <int W>
struct State {
    // One change in the journal.
    struct Entry {
        uint16_t place;  // a cell, or IN_HAND | side << 8 | slot
        uint16_t before;
    };
    static constexpr uint16_t IN_HAND = 0x8000;
    struct Played {
        uint64_t key;  // before the move
        Move move;
        uint32_t mark;  // size of the journal before the move
        bool gave_check;
    };

    explicit State(std::shared_ptr<const Rules<W>> shared_rules);

    // Set a position up. Outside the journal, so only before the first move.
    void place(Cell cell, Piece piece) { set(cell, piece); }
    void give(Side side, int slot, int count) { set_hand(side, slot, count); }
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
    void pop() {
        side_to_move = ~side_to_move;
        abandon();
    }

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
    std::array<std::array<std::array<uint8_t, MAX_FILES>, 2>, MAX_GROUPS> on_file{};
    std::array<Cell, 2> royal{NO_CELL, NO_CELL};
    Bits<W> sliders{};  // the pieces that slide, or may do so after a move
    Bits<W> roots{}, links{};
    Bits<W> taken_at_end{};       // by the end of the last turn
    bool outside_window = false;  // the last move would have left a piece outside the window
    mutable Support<W> support_cache{};
    mutable uint64_t support_stamp = 0;
    mutable std::vector<std::pair<Bits<W>, uint64_t>> near_cache;  // with the stamp of each
    std::vector<Bits<W>> watched;                                  // compound: the points of each watched set
    std::vector<uint16_t> piece_count;                             // compound: how many of each piece there are
    uint64_t stamp = 1;                                            // counts changes of the board, for the caches
    uint64_t key = 0, hands_key = 0;                               // of all, and the part of it that the hands give
    Side side_to_move = BLACK;
    std::vector<Entry> journal;
    std::vector<Played> played;

 private:
    void abandon();
    void set(Cell cell, Piece piece);
    void set_hand(Side side, int slot, int held) {
        const auto& keys = rules->hand_keys[side][slot];
        const uint64_t change = keys[hand[side][slot]] ^ keys[held];
        key ^= change;
        hands_key ^= change;
        hand[side][slot] = uint8_t(held);
    }
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
        const auto& info = r.info[before];
        const Side side = side_of(before);
        occupied[side].flip(point);
        if (info.royal && royal[side] == cell) royal[side] = NO_CELL;
        for (unsigned groups = info.groups; groups; groups &= groups - 1)
            --on_file[std::countr_zero(groups)][side][r.file_of[point]];
        if (info.may_slide) sliders.flip(point);
        if (info.role == Role::ROOT) roots.flip(point);
        if (info.role == Role::LINK) links.flip(point);
        if (r.is_compound) {
            --piece_count[before];
            for (uint64_t sets = info.watched; sets; sets &= sets - 1) watched[std::countr_zero(sets)].flip(point);
        }
    }
    if (piece != EMPTY) {
        const auto& info = r.info[piece];
        const Side side = side_of(piece);
        occupied[side].flip(point);
        if (info.royal) royal[side] = cell;
        for (unsigned groups = info.groups; groups; groups &= groups - 1)
            ++on_file[std::countr_zero(groups)][side][r.file_of[point]];
        if (info.may_slide) sliders.flip(point);
        if (info.role == Role::ROOT) roots.flip(point);
        if (info.role == Role::LINK) links.flip(point);
        if (r.is_compound) {
            ++piece_count[piece];
            for (uint64_t sets = info.watched; sets; sets &= sets - 1) watched[std::countr_zero(sets)].flip(point);
        }
    }
}

template <int W>
inline void State<W>::rewind(size_t mark) {
    while (journal.size() > mark) {
        const Entry entry = journal.back();
        journal.pop_back();
        if (entry.place & IN_HAND)
            set_hand(Side(entry.place >> 8 & 1), entry.place & 0xFF, entry.before);
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

extern template struct State<2>;
extern template struct State<6>;
extern template struct State<10>;

}  // namespace komadai
