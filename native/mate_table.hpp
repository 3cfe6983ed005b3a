// What a search for mates knows of positions, by board and hands.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace komadai {

// Plies to a mate: of positions without one.
constexpr uint16_t INFINITE_PLIES = 0xFFFF;

class MateTable {
 public:
    // Hands as counts side by side in one word; the highest bit of each count is free.
    struct Hands {
        uint64_t attacker = 0, defender = 0;
        bool operator==(const Hands&) const = default;
    };
    // The bounds on the plies to mate, best play by both sides, never depend on the path.
    struct Known {
        Hands hands;
        uint32_t pn = 0, dn = 0;                    // 0: not kept, because the position was settled
        uint32_t work = 0;                          // nodes spent, saturated
        uint16_t least = 0, most = INFINITE_PLIES;  // plies to mate
        uint16_t ply = UINT16_MAX;                  // the least from the root at which it was searched
        bool looped = false;                        // disproved on some paths, by repetition
    };
    // A disproof by repetition: it holds wherever the path has these positions, whatever comes before and after them.
    struct Loop {
        uint64_t key = 0;      // of the position disproved
        uint64_t first = 0;    // the board of the first position
        uint64_t between = 0;  // the keys from the first position to the last, combined
        uint32_t age = 0;
        uint16_t plies = 0;  // from the first position to the last
    };
    static constexpr size_t LOOPS = 4;  // that are kept of a position at most

    explicit MateTable(size_t megabytes);
    // Forgets everything, in constant time. What a search uses of the table grows with what it keeps, so that short
    // searches stay in the processor's caches.
    void clear();
    // True if with these hands a mate takes no more plies than with the others: there is more in the attacker's, and
    // less in the defender's. `high` has the free bits; 0: hands must be equal.
    [[nodiscard]] static bool covers(const Hands& more, const Hands& less, uint64_t high);
    // What is known of the position; the work is 0 if the position itself is not in the table.
    [[nodiscard]] Known find(uint64_t board, const Hands& hands, uint64_t high) const;
    // Brings what find() will look at first into the processor's caches.
    void prefetch(uint64_t board) const {
        const auto* cluster = reinterpret_cast<const char*>(&clusters_[at(board)]);
        __builtin_prefetch(cluster);
        __builtin_prefetch(cluster + sizeof(Cluster::boards) + 8);
    }
    // Keeps the better of the bounds given and of those known.
    void store(uint64_t board, Known known);
    // Calls found(loop) with the loops of a position until it answers true.
    template <class Found>
    bool any_loop(uint64_t key, Found found) const {
        const Loop* loops = &loops_[first_loop(key)];
        return std::any_of(loops, loops + LOOPS,
                           [&](const Loop& loop) { return loop.age == age_ && loop.key == key && found(loop); });
    }
    void store(Loop loop);

 private:
    static constexpr size_t ENTRIES = 7, LEAST = 128;

    // Most positions looked for are new: the boards, which tell, share one line of the processor's caches.
    struct alignas(64) Cluster {
        uint32_t age = 0;  // of what is kept here; of another than the table's: nothing is
        uint32_t kept = 0;
        std::array<uint64_t, ENTRIES> boards{};
        std::array<Known, ENTRIES> known{};
    };

    [[nodiscard]] size_t at(uint64_t board) const { return board & (used_ - 1); }
    [[nodiscard]] size_t first_loop(uint64_t key) const { return (key * LOOPS) & (loops_.size() - 1); }
    void grow();

    std::vector<Cluster> clusters_;
    std::vector<Loop> loops_;
    size_t used_ = LEAST;  // clusters
    size_t most_;          // clusters
    size_t kept_ = 0;      // entries
    uint32_t age_ = 1;
};

}  // namespace komadai
