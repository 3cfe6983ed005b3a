// The moves of each piece of a side, kept from one generation to the next while nothing changes on the points on which
// they depend. What has changed is found by comparing the boards, so that one table serves all positions of a game.
#pragma once

#include <cstring>
#include <utility>

#include "state.hpp"

namespace komadai {

template <int W>
class KeptMoves {
 public:
    static constexpr size_t MOST_LISTED = 20;  // moves of a piece; of one with more only the count is kept

    // Of the piece on a point.
    struct alignas(64) Entry {
        Bits<W> depends_on;  // points
        bool counted = false, listed = false;
        uint32_t epoch = 0;
        uint32_t count = 0, with_trails = 0;                  // the latter: 0 if none of them has a trail
        std::array<uint64_t, MOST_LISTED> codes{}, trails{};  // of the moves
    };

    // Begins a generation, and returns whether it is worth keeping: not where the position is another one altogether.
    // Unless end() follows, everything is forgotten.
    [[nodiscard]] bool begin(const State<W>& s) {
        const Rules<W>& r = *s.rules;
        changed_ = {};
        if (std::exchange(rules_, 0) != r.serial) {
            entries_.assign(size_t(r.points), {});
            board_ = s.board;
        }
        const size_t whole = board_.size() / LANE * LANE;
        for (size_t i = 0; i < whole; i += LANE)
            if (std::memcmp(&board_[i], &s.board[i], LANE * sizeof(Piece)) != 0) compare(s, i, i + LANE);
        compare(s, whole, board_.size());
        const bool near = changed_.count() <= MOST_CHANGED;
        if (!near) ++epoch_;
        return near;
    }
    void end(const Rules<W>& r) { rules_ = r.serial; }
    // What is known of the moves of the piece on that point.
    [[nodiscard]] Entry& at(Point point) {
        Entry& entry = entries_[point];
        if (entry.epoch != epoch_ || entry.depends_on.meets(changed_)) entry.counted = entry.listed = false;
        entry.epoch = epoch_;
        return entry;
    }

 private:
    static constexpr size_t LANE = 8;        // cells compared at once
    static constexpr int MOST_CHANGED = 24;  // points, beyond which nothing is kept: a turn changes five

    void compare(const State<W>& s, size_t first, size_t last) {
        for (size_t cell = first; cell < last; ++cell)
            if (std::exchange(board_[cell], s.board[cell]) != s.board[cell]) changed_.set(s.rules->point_of[cell]);
    }

    std::vector<Entry> entries_;  // by point
    std::vector<Piece> board_;    // by cell, of the last generation
    Bits<W> changed_;
    uint32_t epoch_ = 1;  // of which the entries are; those of earlier ones are forgotten
    uint64_t rules_ = 0;  // the serial number of the rules of the last generation, 0: none
};

}  // namespace komadai
