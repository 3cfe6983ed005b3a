// What a search for mates knows of positions, by board and hands.
#pragma once

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
    struct Entry {
        uint64_t board = 0;
        Hands hands;
        uint32_t pn = 0, dn = 0;                    // 0: not kept, because the position was settled
        uint32_t round = 0;                         // of confirmations, in which it was last seen
        uint16_t least = 0, most = INFINITE_PLIES;  // plies to mate
        uint16_t work = 0;                          // nodes spent, saturated
        uint16_t age = 0;

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
    [[nodiscard]] Entry find(uint64_t board, const Hands& hands, uint64_t high) const;
    // Brings what find() will look at into the processor's caches.
    void prefetch(uint64_t board) const {
        const auto* entry = reinterpret_cast<const char*>(&entries_[at(board)]);
        for (size_t i = 0; i < 3; ++i) __builtin_prefetch(entry + 64 * i);
    }
    // Keeps the better of the bounds given and of those known.
    void store(Entry entry);

 private:
    static constexpr size_t CLUSTER = 8, LEAST = 128;

    [[nodiscard]] size_t at(uint64_t board) const { return (board & (clusters_ - 1)) * CLUSTER; }
    void grow();

    std::vector<Entry> entries_;
    size_t clusters_ = LEAST;  // in use
    size_t most_;              // clusters
    size_t kept_ = 0;          // entries
    uint16_t age_ = 1;         // entries of another are free
};

}  // namespace komadai
