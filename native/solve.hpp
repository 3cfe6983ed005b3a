// Retrograde solving of small games over the dense index, and the audit of what comes out.
//
// One pass generates the moves of every legal position with the ordinary generator; its parts are independent, so they
// can be saved and loaded again. The moves are then turned round into lists of predecessors, and values spread
// backwards in waves, from the positions without a move, one ply a wave. Whoever cannot move loses; what no wave
// reaches is a draw, because neither side can force an end.
#pragma once

#include <functional>
#include <string_view>

#include "index.hpp"

namespace komadai {

// What is known of a position: 0 for a draw; else 1 + the plies to the end, with best play of both sides. An even
// number of plies is a loss for the side to move, an odd one a win.
using Value = uint16_t;
constexpr Value DRAW = 0;

// Runs work(0) to work(tasks - 1) on several threads, and done(task) for every task finished on the calling one, which
// meanwhile calls `poll` now and then; both may throw to give up.
void run_parallel(int threads, size_t tasks, const std::function<void(size_t)>& work,
                  const std::function<void(size_t)>& done, const std::function<void()>& poll);

struct Summary {
    std::vector<uint64_t> positions, reachable;  // by value; `reachable`: from the start of the game
    uint64_t moves = 0;                          // of all positions
};

class Solver {
 public:
    static constexpr Slot PART = 1 << 18;  // numbers in a part, a multiple of 64

    Solver(std::shared_ptr<const TableIndex> index, Slot start);

    [[nodiscard]] size_t parts() const { return parts_.size(); }
    [[nodiscard]] bool has_part(size_t part) const { return !parts_[part].legal.empty(); }
    // Generates the moves of every position of the parts that are not there yet; `done` hears of each part.
    void expand(int threads, const std::function<void(size_t)>& done, const std::function<void()>& poll);
    // A part as bytes, and back; `load` throws std::invalid_argument where they cannot be such a part.
    [[nodiscard]] std::string save(size_t part) const;
    void load(size_t part, const std::string& bytes);
    // Works out all values once every part is there, and lets go of the moves. `wave` hears how many plies are done,
    // and how many positions of how many have a value.
    void propagate(int threads, const std::function<void(int, uint64_t, uint64_t)>& wave,
                   const std::function<void()>& poll);

    [[nodiscard]] const Summary& summary() const { return summary_; }
    // The values of all numbers, `width` bytes each, least first; numbers that are no legal position repeat the one
    // before.
    [[nodiscard]] std::string values(int width) const;
    // Numbers of the positions with that value that the start leads to, at most `most`.
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const;

 private:
    struct Part {
        std::vector<uint64_t> legal;   // bit set of numbers
        std::vector<uint16_t> degree;  // legal moves, by legal position
        std::vector<Slot> children;    // by legal position and move
    };
    using Id = uint32_t;  // legal positions, counted

    [[nodiscard]] Slot part_size(size_t part) const { return std::min<Slot>(PART, index_->size() - Slot(part) * PART); }
    void expand_part(size_t part);
    [[nodiscard]] Id id(Slot slot) const;
    void number_positions();
    void mark_reachable();

    std::shared_ptr<const TableIndex> index_;
    Slot start_;
    std::vector<Part> parts_;
    std::vector<Id> before_;  // by word of the parts' bit sets: legal positions before it
    Id positions_ = 0;
    std::vector<Value> value_;     // by id
    std::vector<bool> reachable_;  // by id
    Summary summary_;
};

struct AuditReport {
    uint64_t positions = 0, moves = 0;
    std::vector<Slot> wrong;  // numbers whose value does not follow from those of the positions after each move
};

// Checks values against the moves, found once more by the generic path, which tries every move and looks. `one_in`
// says which share of the positions is looked at, chosen by `seed`; `done` hears of each part of Solver::PART numbers.
AuditReport audit(const TableIndex& index, std::string_view values, int width, uint32_t one_in, uint64_t seed,
                  int threads, const std::function<void(size_t)>& done, const std::function<void()>& poll);

}  // namespace komadai
