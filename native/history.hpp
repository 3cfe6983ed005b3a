// Scores of moves, learned from cutoffs and shared by the threads of a search.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <vector>

#include "evaluate.hpp"

namespace komadai {

// Scores of quiet moves by piece and target, and by the same after an earlier move; and of captures by what is taken.
// Threads that write at once may lose a change of one entry; that they learn from each other is worth more than what
// each would learn alone.
template <int W>
class History {
 public:
    using Entry = std::atomic<int16_t>;
    // The continuation histories of the moves so many plies back, by index(); null: there was no such move.
    static constexpr std::array<int, 3> BACK{1, 2, 4};
    using Continuations = std::array<Entry*, BACK.size()>;
    static constexpr int MOST = 14000;

    explicit History(const Rules<W>& rules)
        : rules_(rules),
          columns_((rules.info.size() >> 2) * 2 * size_t(rules.points)),
          rows_(columns_ * columns_ <= MOST_ENTRIES ? columns_ : (rules.info.size() >> 2) * 2),
          moves_(columns_ * 2),
          continuations_(rows_ * columns_),
          captures_(rules.is_compound ? 0 : columns_ * (rules.info.size() >> 2)) {}

    void clear() {
        for (Entry& entry : moves_) entry.store(0, std::memory_order_relaxed);
        for (Entry& entry : continuations_) entry.store(0, std::memory_order_relaxed);
        for (Entry& entry : captures_) entry.store(0, std::memory_order_relaxed);
    }
    [[nodiscard]] size_t columns() const { return columns_; }
    // The place of a move's piece and target.
    [[nodiscard]] size_t index(Move move) const {
        return kind(move) * size_t(rules_.points) + rules_.point_of[move.to];
    }
    // Of the moves after this one, by index().
    [[nodiscard]] Entry* after(Move move) {
        return &continuations_[(rows_ == columns_ ? index(move) : kind(move)) * columns_];
    }
    // Of a capture or promotion, by what it takes; not in games of compound moves.
    [[nodiscard]] Entry& of_capture(Move move, Piece taken) {
        return captures_[index(move) * (rules_.info.size() >> 2) + size_t(taken >> 2)];
    }
    // The score of a quiet move, with its continuation histories.
    [[nodiscard]] int quiet_score(Move move, const Continuations& after) const {
        const size_t at = index(move);
        int score = 2 * read(moves_[at * 2 + move.is_drop()]);
        for (const Entry* follow : after)
            if (follow) score += read(follow[at]);
        return score;
    }
    // Raises the scores of a quiet move, alone and after the moves before it.
    void raise_quiet(Move move, std::span<Entry* const> after, int bonus) {
        const size_t at = index(move);
        raise(moves_[at * 2 + move.is_drop()], bonus);
        for (Entry* follow : after)
            if (follow) raise(follow[at], bonus);
    }
    [[nodiscard]] static int read(const Entry& entry) { return entry.load(std::memory_order_relaxed); }
    static void raise(Entry& entry, int bonus) {
        const int now = read(entry);
        entry.store(int16_t(now + bonus - now * std::abs(bonus) / MOST), std::memory_order_relaxed);
    }

 private:
    static constexpr size_t MOST_ENTRIES = 12'000'000;  // of continuations, about

    [[nodiscard]] static size_t kind(Move move) { return size_t(move.piece >> 2) * 2 + (move.piece >> 1 & 1); }

    const Rules<W>& rules_;
    size_t columns_, rows_;
    std::vector<Entry> moves_;          // by index() * 2 + drop
    std::vector<Entry> continuations_;  // by the previous move and index()
    std::vector<Entry> captures_;       // by index() and the kind taken
};

}  // namespace komadai
