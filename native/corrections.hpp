// How far the static evaluation has been from what the search then found.
#pragma once

#include <algorithm>
#include <vector>

#include "evaluate.hpp"

namespace komadai {

// Corrections of the static score, learned for positions that are alike in one aspect each: the hands, where the pieces
// of a side stand, the last move, and the one before ("correction history", chessprogramming.org). They are in shogi's
// hundredths, as the search's margins are.
template <int W>
class Corrections {
 public:
    using Aspects = std::array<uint32_t, 5>;

    // The places of a position's aspects.
    [[nodiscard]] Aspects aspects(const State<W>& state, Move last, Move before) const {
        auto place = [&](uint32_t aspect, uint64_t key) {
            return aspect * SIZE + uint32_t(mix(key) & (SIZE / 2 - 1)) * 2 + uint32_t(state.side_to_move);
        };
        auto made = [](Move move) { return uint64_t(move.to) << 16 | move.piece | uint64_t(move.is_drop()) << 32; };
        return {place(0, state.hands_key), place(1, hash(state.occupied[BLACK])), place(2, hash(state.occupied[WHITE])),
                place(3, made(last)), place(4, made(before))};
    }
    void prefetch(const Aspects& aspects) const {
        for (const uint32_t place : aspects) __builtin_prefetch(&entries_[place]);
    }
    [[nodiscard]] int at(const Aspects& aspects) const {
        int sum = 0;
        for (const uint32_t place : aspects) sum += entries_[place];
        return sum;
    }
    // Learns the error, what was found less what was expected, of a search to that depth.
    void learn(const Aspects& aspects, int error, int depth) {
        const int by = std::clamp(error * depth / 8, -MOST / 4, MOST / 4);
        for (const uint32_t place : aspects) {
            int16_t& entry = entries_[place];
            entry = int16_t(entry + by - entry * std::abs(by) / MOST);
        }
    }
    void clear() { std::ranges::fill(entries_, int16_t(0)); }

 private:
    static constexpr uint32_t SIZE = 1 << 15;  // of each aspect
    static constexpr int MOST = 1024;

    [[nodiscard]] static uint64_t hash(const Bits<W>& bits) {
        uint64_t found = 0;
        for (const uint64_t word : bits.word) found = mix(found ^ word);
        return found;
    }

    std::vector<int16_t> entries_ = std::vector<int16_t>(SIZE * std::tuple_size_v<Aspects>);
};

}  // namespace komadai
