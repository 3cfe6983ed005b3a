// Consumers of generated moves. Each member returns whether generation may stop. moves_of() takes moves that differ
// only in their target; maybe() a move and whether it is one, which costs less than a branch that is hard to foretell.
#pragma once

#include <algorithm>

#include "state.hpp"

namespace komadai {

// Appends a move to each of the points, otherwise like `move`.
template <int W>
inline void add_moves(const Rules<W>& rules, MoveList& moves, Move move, const Bits<W>& points) {
    const size_t before = moves.size();
    moves.resize(before + size_t(points.count()));
    Move* at = moves.data() + before;
    const uint64_t code = move.code();
    points.each(
        [&](Point point) { return *at++ = Move::from_code(code | uint64_t(rules.cell_of[point]) << 16), false; });
}

template <int W>
struct ListSink {
    MoveList& moves;
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) {
        moves.push_back({from, to, piece, flags});
        return false;
    }
    bool move(const Move& whole) { return moves.push_back(whole), false; }
    bool moves_of(const Rules<W>& rules, const Move& move, const Bits<W>& points) {
        return add_moves(rules, moves, move, points), false;
    }
    bool drops(const Rules<W>& rules, int slot, Piece piece, const Bits<W>& points) {
        return add_moves(rules, moves, {Cell(slot), 0, piece, DROP}, points), false;
    }
};

// Moves that differ only in their target.
template <int W>
struct MovesTo {
    Move move;
    Bits<W> targets;
};

// Keeps moves by what they share.
template <int W>
struct GroupSink {
    std::vector<MovesTo<W>>& groups;
    bool moves_of(const Rules<W>&, const Move& move, const Bits<W>& points) {
        return groups.push_back({move, points}), false;
    }
    bool drops(const Rules<W>&, int slot, Piece piece, const Bits<W>& points) {
        return groups.push_back({{Cell(slot), 0, piece, DROP}, points}), false;
    }
};

// Collects moves in room that is kept from one list to the next. expect() makes it large enough for maybe().
class RoomSink {
 public:
    static constexpr bool KEEPS = true;
    // Takes the moves that an entry of KeptMoves has, if it has them; keeps those since a mark in it, if they fit.
    template <class Entry>
    bool take(const Entry& entry) {
        if (!entry.listed) return false;
        // By fours, the last of which may be too many: how many there are is hard to foretell.
        for (uint32_t i = 0; i < entry.count; i += 4)
            for (uint32_t k = i; k < i + 4; ++k) next_[k] = Move::from_code(entry.codes[k]);
        for (uint32_t i = 0; i < entry.with_trails; ++i) next_[i].trail = entry.trails[i];
        next_ += entry.count;
        return true;
    }
    template <class Entry>
    void keep(Entry& entry, size_t mark) const {
        entry.count = uint32_t(size() - mark);
        entry.with_trails = 0;
        entry.counted = true;
        entry.listed = entry.count <= entry.codes.size();
        for (uint32_t i = 0; entry.listed && i < entry.count; ++i) {
            const Move& move = (*room_)[mark + i];
            entry.codes[i] = move.code();
            entry.trails[i] = move.trail;
            if (move.trail) entry.with_trails = entry.count;
        }
    }
    [[nodiscard]] size_t mark() const { return size(); }
    explicit RoomSink(MoveList& room) : room_(&room), next_(room.data()) {}
    void expect(size_t more) {
        const size_t count = size();
        if (room_->size() >= count + more) return;
        room_->resize(2 * (count + more));
        next_ = room_->data() + count;
    }
    bool maybe(uint64_t code, bool is) {
        *next_ = Move::from_code(code);
        return next_ += is, false;
    }
    bool move(Cell from, Cell to, Piece piece, uint16_t flags) { return move(Move{from, to, piece, flags}); }
    bool move(const Move& whole) {
        expect(1);
        return *next_++ = whole, false;
    }
    void copy_to(MoveList& moves) const { moves.insert(moves.end(), room_->data(), next_); }

 private:
    [[nodiscard]] size_t size() const { return size_t(next_ - room_->data()); }

    MoveList* room_;
    Move* next_;
};

template <int W>
struct CountSink {
    static constexpr bool KEEPS = true;
    uint64_t count = 0;
    template <class Entry>
    bool take(const Entry& entry) {
        if (entry.counted) count += entry.count;
        return entry.counted;
    }
    template <class Entry>
    void keep(Entry& entry, uint64_t mark) const {
        entry.count = uint32_t(count - mark);
        entry.counted = true;
        entry.listed = false;
    }
    [[nodiscard]] uint64_t mark() const { return count; }
    void expect(size_t) {}
    bool maybe(uint64_t, bool is) { return count += is, false; }
    bool move(Cell, Cell, Piece, uint16_t) { return ++count, false; }
    bool move(const Move&) { return ++count, false; }
    bool moves_of(const Rules<W>&, const Move&, const Bits<W>& points) {
        return count += uint64_t(points.count()), false;
    }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return count += uint64_t(points.count()), false; }
};

// Stops at the first move.
template <int W>
struct AnySink {
    static constexpr bool KEEPS = false;
    bool found = false;
    void expect(size_t) {}
    bool maybe(uint64_t, bool is) { return found |= is; }
    bool move(Cell, Cell, Piece, uint16_t) { return found = true; }
    bool move(const Move&) { return found = true; }
    bool moves_of(const Rules<W>&, const Move&, const Bits<W>& points) { return found |= points.any(); }
    bool drops(const Rules<W>&, int, Piece, const Bits<W>& points) { return found |= points.any(); }
};

}  // namespace komadai
