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

// Counts of pieces in hand side by side in one word, each of so many bits; the highest of each is free.
class HandCounts {
 public:
    explicit HandCounts(int slots) : bits_(std::min(8, 64 / slots)), ones_(0) {
        for (int slot = 0; slot < 64 / bits_; ++slot) ones_ |= one(slot);
    }

    [[nodiscard]] int bits() const { return bits_; }
    // The free bits.
    [[nodiscard]] uint64_t high() const { return ones_ << (bits_ - 1); }
    // The greatest count of every kind.
    [[nodiscard]] uint64_t all() const { return high() - ones_; }
    // The greatest count of each kind that is held, and 0 of the others.
    [[nodiscard]] uint64_t all_held(uint64_t counts) const { return below((counts + all()) & high()); }
    [[nodiscard]] uint64_t most(uint64_t a, uint64_t b) const {
        return a ^ ((a ^ b) & below(((b | high()) - a) & high()));
    }
    [[nodiscard]] uint64_t least(uint64_t a, uint64_t b) const { return most(a, b) ^ a ^ b; }
    [[nodiscard]] uint64_t one_more(uint64_t counts, int slot) const {
        return (~counts & (all() & of(slot))) ? counts + one(slot) : counts;
    }
    [[nodiscard]] uint64_t one_less(uint64_t counts, int slot) const {
        return counts & of(slot) ? counts - one(slot) : counts;
    }

 private:
    [[nodiscard]] uint64_t one(int slot) const { return uint64_t(1) << (slot * bits_); }
    [[nodiscard]] uint64_t of(int slot) const { return (one(slot) << (bits_ - 1)) - one(slot); }
    // All bits but the highest of the counts whose highest is set.
    [[nodiscard]] uint64_t below(uint64_t flags) const { return flags - (flags >> (bits_ - 1)); }

    int bits_;
    uint64_t ones_;
};

class MateTable {
 public:
    // As HandCounts, or nothing where hands are part of the board's key.
    struct Hands {
        uint64_t attacker = 0, defender = 0;
        bool operator==(const Hands&) const = default;
    };
    // What is kept. The bounds on the plies to mate, best play by both sides, never depend on the path.
    struct Known {
        Hands hands;
        uint32_t pn = 0, dn = 0;                    // 0: not kept, because the position was settled
        uint32_t work = 0;                          // nodes spent, saturated
        uint16_t least = 0, most = INFINITE_PLIES;  // plies to mate
        uint16_t ply = UINT16_MAX;                  // the least from the root at which it was searched
        bool looped = false;                        // disproved on some paths, by repetition
    };
    struct Found : Known {
        Hands of_least, of_most;  // with which the bounds hold
    };
    // A disproof by repetition: it holds wherever the path has these positions, whatever comes before and after them.
    struct Loop {
        uint64_t key = 0;      // of the position disproved
        uint64_t first = 0;    // the board of the first position
        uint64_t between = 0;  // the keys from the first position to the last, combined
        uint32_t age = 0;
        uint16_t plies = 0;  // from the first position to the last
    };
    [[nodiscard]] static uint32_t more_work(uint32_t a, uint64_t b) {
        return uint32_t(std::min<uint64_t>(a + b, UINT32_MAX));
    }
    static constexpr size_t LOOPS = 4;  // that are kept of a position at most

    explicit MateTable(size_t megabytes);
    // Forgets everything, in constant time. What a search uses of the table grows with what it keeps, so that short
    // searches stay in the processor's caches.
    void clear();
    // True if with these hands a mate takes no more plies than with the others: there is more in the attacker's, and
    // less in the defender's. `high` has the free bits; 0: hands must be equal.
    [[nodiscard]] static bool covers(const Hands& more, const Hands& less, uint64_t high);
    // What is known of the position; the work is 0 if the position itself is not in the table.
    [[nodiscard]] Found find(uint64_t board, const Hands& hands, uint64_t high) const;
    // Brings what find() will look at first into the processor's caches.
    void prefetch(uint64_t board) const {
        const auto* cluster = reinterpret_cast<const char*>(&clusters_[at(board)]);
        __builtin_prefetch(cluster);
        __builtin_prefetch(cluster + sizeof(Cluster::boards) + 8);
    }
    // Keeps the better of the bounds given and of those known, and adds the work up.
    void store(uint64_t board, Known known);
    // Forgets a position, and returns the work that it took.
    uint32_t forget(uint64_t board, const Hands& hands);
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
        uint16_t kept = 0;
        bool spilled = false;  // some positions of its boards are kept beside
        std::array<uint64_t, ENTRIES> boards{};
        std::array<Known, ENTRIES> known{};
    };

    [[nodiscard]] size_t at(uint64_t board) const { return board & (used_ - 1); }
    // Where a position is kept that has no room in the cluster of its board.
    [[nodiscard]] static uint64_t beside(uint64_t board, const Hands& hands);
    [[nodiscard]] static size_t place_of(const Cluster& cluster, uint64_t board, const Hands& hands);
    Cluster& ready(uint64_t where);
    void put(Cluster& cluster, size_t place, uint64_t board, const Known& known);
    void make_room(Cluster& home, size_t place);
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
