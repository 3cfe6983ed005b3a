// Proof and disproof numbers, as the searches for mates use them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace komadai {

constexpr uint32_t INFINITE_PN = 1u << 30;  // and dn
constexpr uint32_t UNIT = 4;                // an open move; the weights of what differs from it were found by trial
constexpr uint32_t SIBLING = 5;             // an attacker's open move besides the best

// Sums of proof numbers never reach the infinite.
inline uint32_t sum(uint32_t a, uint32_t b) { return std::min(a + b, INFINITE_PN - 1); }

// The bound for the best child: a little above the second best (the 1 + epsilon trick).
inline uint32_t beyond(uint32_t second) {
    return second >= INFINITE_PN - 1 ? INFINITE_PN : sum(second, second / 4 + UNIT);
}

// The best child, and the numbers of the node.
struct BestChild {
    uint32_t pn = 0, dn = 0;
    size_t at = 0;
    uint32_t second = INFINITE_PN;  // the second best number
    uint32_t others = 0;            // what the open children besides the best add to the numbers of the node

    // Up to which pn and dn the best child is to be searched, for a node that is to be searched up to these.
    [[nodiscard]] std::pair<uint32_t, uint32_t> bounds(bool attacking, uint32_t most_pn, uint32_t most_dn) const {
        const uint32_t own = std::min(attacking ? most_pn : most_dn, beyond(second));
        const uint32_t other = attacking ? most_dn : most_pn;
        const uint32_t rest = other >= INFINITE_PN ? INFINITE_PN : other - others;
        return attacking ? std::pair(own, rest) : std::pair(rest, own);
    }
};

// The disproof numbers of the attacker's moves are not summed, because many lead to the same positions: the largest
// counts, plus a fixed number for each other move (weak proof numbers). Those of the defender's moves are summed.
// Children that wait are left out; settled ones do not wait.
template <class Children, class Waits>
[[nodiscard]] BestChild best_child(const Children& children, bool attacking, Waits waits) {
    BestChild best;
    uint32_t least = INFINITE_PN, largest = 0, open = 0, total = 0, of_best = 0;
    for (size_t i = 0; i < children.size(); ++i) {
        const auto& numbers = children[i].numbers;
        const uint32_t own = attacking ? numbers.pn : numbers.dn, other = attacking ? numbers.dn : numbers.pn;
        if (!other || waits(children[i])) continue;
        ++open;
        total = sum(total, other);
        largest = std::max(largest, other);
        if (own < least) {
            best.second = least;
            least = own;
            best.at = i;
            of_best = other;
        } else {
            best.second = std::min(best.second, own);
        }
    }
    if (open) best.others = attacking ? (open - 1) * SIBLING : total - of_best;
    const uint32_t rest = !least ? INFINITE_PN : sum(attacking ? largest : of_best, best.others);
    std::tie(best.pn, best.dn) = attacking ? std::pair(least, rest) : std::pair(rest, least);
    return best;
}

}  // namespace komadai
