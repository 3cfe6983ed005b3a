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
    // Of the piece on a point.
    struct alignas(64) Entry {
        Bits<W> depends_on;  // points
        bool counted = false, listed = false;
        uint32_t count = 0, with_trails = 0;         // the latter: 0 if none of them has a trail
        std::array<uint64_t, 20> codes{}, trails{};  // of the moves
    };

    // Begins a generation; `changed()` is known from then on. Unless end() follows, everything is forgotten.
    void begin(const State<W>& s) {
        const Rules<W>& r = *s.rules;
        changed_ = {};
        if (rules_ != r.serial) {
            entries_.assign(size_t(r.points), {});
            board_ = s.board;
        }
        rules_ = 0;
        const size_t whole = board_.size() / LANE * LANE;
        for (size_t i = 0; i < whole; i += LANE)
            if (std::memcmp(&board_[i], &s.board[i], LANE * sizeof(Piece)) != 0) compare(s, i, i + LANE);
        compare(s, whole, board_.size());
    }
    void end(const Rules<W>& r) { rules_ = r.serial; }
    // What is known of the moves of the piece on that point; out of date if it depends on what has changed.
    [[nodiscard]] Entry& at(Point point) {
        Entry& entry = entries_[point];
        if (entry.depends_on.meets(changed_)) entry.counted = entry.listed = false;
        return entry;
    }

 private:
    static constexpr size_t LANE = 8;  // cells compared at once

    void compare(const State<W>& s, size_t first, size_t last) {
        for (size_t cell = first; cell < last; ++cell)
            if (std::exchange(board_[cell], s.board[cell]) != s.board[cell]) changed_.set(s.rules->point_of[cell]);
    }

    std::vector<Entry> entries_;  // by point
    std::vector<Piece> board_;    // by cell, of the last generation
    Bits<W> changed_;
    uint64_t rules_ = 0;  // the serial number of the rules of the last generation, 0: none
};

}  // namespace komadai
