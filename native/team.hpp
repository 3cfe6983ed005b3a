// What the threads of one search share besides the transposition table.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "search.hpp"

namespace komadai {

// Moves that threads are searching now, so that others try them later, and find most of them in the transposition
// table then (Kerrigan, "Simplified ABDADA"). Two moves that meet in a slot replace each other: that costs time, no
// more.
class Claims {
 public:
    static constexpr int LEAST_DEPTH = 3;  // below it a move takes less time than it is worth to look here

    void clear() {
        for (Slot& slot : slots_) slot.name.store(0, std::memory_order_relaxed);
    }
    [[nodiscard]] static uint64_t name(uint64_t key, Move move) { return mix(key ^ move.short_id()) | 1; }
    [[nodiscard]] bool has(uint64_t name) const { return at(name).load(std::memory_order_relaxed) == name; }
    void add(uint64_t name) { at(name).store(name, std::memory_order_relaxed); }
    void remove(uint64_t name) {
        if (has(name)) at(name).store(0, std::memory_order_relaxed);
    }

 private:
    struct alignas(64) Slot {  // a cache line each: threads write here all the time
        std::atomic<uint64_t> name{0};
    };
    [[nodiscard]] const std::atomic<uint64_t>& at(uint64_t name) const { return slots_[name >> 54].name; }
    [[nodiscard]] std::atomic<uint64_t>& at(uint64_t name) { return slots_[name >> 54].name; }

    std::array<Slot, 1 << 10> slots_;
};

// The threads of a search and how far they are. All search the same depth; the first to finish it hands its lines to
// the others, which go on with the next.
class Team {
 public:
    struct Finished {
        int depth = 0, seldepth = 0;
        std::vector<Line> lines;
    };

    Claims claims;

    void begin() {
        claims.clear();
        finished_ = {};
        depth_ = 0;
    }
    // The greatest depth that any thread has finished.
    [[nodiscard]] int depth() const { return depth_.load(std::memory_order_relaxed); }
    void finish(Finished by) {
        const std::lock_guard lock(mutex_);
        if (by.depth <= finished_.depth) return;
        finished_ = std::move(by);
        depth_.store(finished_.depth, std::memory_order_relaxed);
    }
    [[nodiscard]] Finished latest() {
        const std::lock_guard lock(mutex_);
        return finished_;
    }

 private:
    std::mutex mutex_;
    Finished finished_;
    alignas(64) std::atomic<int> depth_{0};
};

}  // namespace komadai
