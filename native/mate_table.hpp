// What a search for mates knows of positions, by board and hands.
#pragma once

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
        uint32_t round = 0;                         // of confirmations, in which it was last seen
        uint16_t least = 0, most = INFINITE_PLIES;  // plies to mate
        uint16_t work = 0;                          // nodes spent, saturated

        // True of a disproof that depends on the path, or on others that do.
        [[nodiscard]] bool assumed() const { return pn && !dn; }
    };

    explicit MateTable(size_t megabytes);
    // Forgets everything, in constant time. What a search uses of the table grows with what it keeps, so that short
    // searches stay in the processor's caches.
    void clear();
    // What is known of the position; the work is 0 if the position itself is not in the table. A mate takes no more
    // plies with more in the attacker's hand and less in the defender's, and no fewer with less and more. `high` has
    // the free bits; 0: hands must be equal.
    [[nodiscard]] Known find(uint64_t board, const Hands& hands, uint64_t high) const;
    // Brings what find() will look at first into the processor's caches.
    void prefetch(uint64_t board) const {
        const auto* cluster = reinterpret_cast<const char*>(&clusters_[at(board)]);
        __builtin_prefetch(cluster);
        __builtin_prefetch(cluster + sizeof(Cluster::boards) + 8);
    }
    // Keeps the better of the bounds given and of those known.
    void store(uint64_t board, Known known);

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
    void grow();

    std::vector<Cluster> clusters_;
    size_t used_ = LEAST;  // clusters
    size_t most_;          // clusters
    size_t kept_ = 0;      // entries
    uint32_t age_ = 1;
};

}  // namespace komadai
