// The transposition table, shared by the threads of a search without locks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace komadai {

// No machine has so much memory, and as bytes it still fits a word.
constexpr size_t MOST_MEGABYTES = size_t(-1) >> 24;

// An entry is two words; the first is the key XORed with the second, so that one torn by two writers is not found
// (Hyatt and Mann, "A lockless transposition table", 2002).
class TranspositionTable {
 public:
    enum Bound : uint8_t { NONE, UPPER, LOWER, EXACT };
    struct Entry {
        uint32_t move;  // its short_id(); 0: none
        int score, depth;
        Bound bound;
        bool pv = false;  // it has been searched with an open window, as nodes of a principal variation are
    };

    explicit TranspositionTable(size_t megabytes) {
        megabytes = std::min(megabytes, MOST_MEGABYTES);
        while (clusters_ * 2 * sizeof(Cluster) <= megabytes << 20) clusters_ *= 2;
        const size_t bytes = std::max(clusters_ * sizeof(Cluster), PAGE);
        size_t room = bytes + PAGE;
        memory_ = std::make_unique_for_overwrite<std::byte[]>(room);
        void* start = memory_.get();
        start = std::align(PAGE, bytes, start, room);
#if defined(__linux__)
        madvise(start, bytes, MADV_HUGEPAGE);  // accesses are random: huge pages avoid most TLB misses
#endif
        table_ = static_cast<Cluster*>(start);
        std::uninitialized_value_construct_n(table_, clusters_);
    }
    void clear() {
        for (size_t i = 0; i < clusters_; ++i)
            for (Slot& slot : table_[i].slots) slot.write(0, 0);
        generation_ = 0;
    }
    // New entries replace those of earlier searches first.
    void next_search() { generation_ = (generation_ + 1) & GENERATIONS; }

    void prefetch(uint64_t key) const { __builtin_prefetch(&cluster(key)); }
    [[nodiscard]] std::optional<Entry> probe(uint64_t key) const {
        for (const Slot& slot : cluster(key).slots) {
            const uint64_t data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || !(data >> 56 & 3)) continue;
            return Entry{uint32_t(data), int16_t(data >> 32), int8_t(data >> 48), Bound(data >> 56 & 3),
                         bool(data >> 58 & 1)};
        }
        return std::nullopt;
    }
    void store(uint64_t key, Entry entry) {
        Slot* worst = nullptr;
        int least = 1 << 20;
        for (Slot& slot : cluster(key).slots) {
            const uint64_t data = slot.data.load(std::memory_order_relaxed);
            const bool same = (slot.check.load(std::memory_order_relaxed) ^ data) == key;
            const int depth = int8_t(data >> 48);
            if (same && (data >> 56 & 3)) {
                if (!entry.move) entry.move = uint32_t(data);
                if (entry.bound != EXACT && entry.depth + 3 < depth && age(data) == 0) return;
                worst = &slot;
                break;
            }
            const int worth = (data >> 56 & 3) ? depth - 8 * age(data) : -(1 << 19);
            if (worth < least) {
                least = worth;
                worst = &slot;
            }
        }
        const uint64_t data = entry.move | uint64_t(uint16_t(entry.score)) << 32 |
                              uint64_t(uint8_t(entry.depth)) << 48 | uint64_t(entry.bound) << 56 |
                              uint64_t(entry.pv) << 58 | uint64_t(generation_) << 59;
        worst->write(key ^ data, data);
    }
    // The permille of slots that this search has filled, from a sample.
    [[nodiscard]] int hashfull() const {
        int full = 0;
        for (size_t i = 0; i < SAMPLE; ++i)
            for (const Slot& slot : table_[i].slots) {
                const uint64_t data = slot.data.load(std::memory_order_relaxed);
                full += (data >> 56 & 3) && age(data) == 0;
            }
        return full * 1000 / int(SAMPLE * SLOTS);
    }

 private:
    static constexpr size_t SLOTS = 4, SAMPLE = 250, PAGE = 2 << 20;
    static constexpr uint8_t GENERATIONS = 31;
    struct Slot {
        std::atomic<uint64_t> check{0}, data{0};
        void write(uint64_t new_check, uint64_t new_data) {
            check.store(new_check, std::memory_order_relaxed);
            data.store(new_data, std::memory_order_relaxed);
        }
    };
    struct alignas(64) Cluster {
        Slot slots[SLOTS];
    };

    [[nodiscard]] int age(uint64_t data) const { return (generation_ - int(data >> 59)) & GENERATIONS; }
    [[nodiscard]] Cluster& cluster(uint64_t key) const { return table_[(key >> 20) & (clusters_ - 1)]; }

    size_t clusters_ = 1024;
    std::unique_ptr<std::byte[]> memory_;
    Cluster* table_ = nullptr;  // in memory_, aligned to PAGE
    uint8_t generation_ = 0;
};

}  // namespace komadai
