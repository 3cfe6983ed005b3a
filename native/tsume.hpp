// The length of a mate by checks by the conventions of mate problems, exactly: depth-first proof-number search bounded
// by plies.
//
// By the conventions a drop that parries a check is useless, and costs the attacker no plies, if the attacker captures
// it with check and then mates as soon as without it, though the piece captured is not used. What follows such a drop
// is therefore looked at as if the defender had passed, and the attacker had moved to that point: nothing has changed
// hands. A drop after which the attacker needs longer than after every other defence is none of these.
#pragma once

#include "mate.hpp"

namespace komadai {

struct LengthReport {
    int plies = 0;  // 0: not known
    MoveList line;  // of that many plies
    uint64_t nodes = 0;
    double seconds = 0;
};

// What is known of positions: within how many plies they are mated, and within how many not.
class LengthTable {
 public:
    static constexpr int16_t NEVER = INT16_MAX;

    struct Entry {
        uint64_t key = 0;
        int16_t mated = NEVER;  // within that many plies
        int16_t escapes = -2;   // from a mate within that many plies
        int16_t plies = 0;      // the numbers are of a mate within so many
        uint16_t age = 0;
        uint32_t pn = 1, dn = 1;
        uint32_t work = 0;  // nodes spent, saturated
    };

    explicit LengthTable(size_t megabytes);
    // Forgets everything, in constant time.
    void clear();
    [[nodiscard]] const Entry* find(uint64_t key) const;
    // The entry of the key, made if need be.
    Entry& at(uint64_t key);

 private:
    static constexpr size_t CLUSTER = 4;

    [[nodiscard]] size_t first(uint64_t key) const { return (key * CLUSTER) & (entries_.size() - 1); }

    std::vector<Entry> entries_;
    uint16_t age_ = 1;  // entries of another are free
};

template <int W>
class LengthSearch : CheckSearch<W> {
 public:
    // `poll` is called now and then; it may throw to abort.
    LengthSearch(const Position<W>& position, LengthTable& table, const std::atomic<bool>& stop,
                 std::function<void()> poll)
        : CheckSearch<W>(position, stop, std::move(poll)), table_(table) {}

    // The shortest mate of at most `most` plies against the longest defence, for games that MateSearch serves. Among
    // lines of that length one is taken that leaves the attacker's hand empty, if there is one.
    LengthReport run(int most, const MateLimits& limits);

 private:
    using CheckSearch<W>::position_, CheckSearch<W>::attacker_, CheckSearch<W>::limits_, CheckSearch<W>::nodes_,
        CheckSearch<W>::visit, CheckSearch<W>::repeats, CheckSearch<W>::attacks, CheckSearch<W>::list_moves;
    using typename CheckSearch<W>::Stopped;

    struct Numbers {
        uint32_t pn = 1, dn = 1;
    };
    struct Child {
        Move move;
        Numbers numbers;
        int after = -1;         // tried only when that child is settled
        bool for_free = false;  // the capture of a drop that may be useless
    };
    // A node: the plies left, and the drop that the attacker may capture for free.
    struct Node {
        int plies;
        Move drop{};
    };

    Numbers search(size_t depth, Node node, uint32_t most_pn, uint32_t most_dn);
    void expand(size_t depth, const Node& node);
    [[nodiscard]] BestChild choose(size_t depth) const;
    [[nodiscard]] bool lasts(size_t depth, int plies);
    [[nodiscard]] bool mates(size_t depth, const Node& node);
    [[nodiscard]] Numbers look(const Node& node);
    [[nodiscard]] Numbers estimate(const Node& node, LengthTable::Entry& entry);
    Node enter(const Child& child, const Node& from);
    void leave(const Child& child, const Node& from);
    [[nodiscard]] bool can_be_free(Move capture, Move drop);
    [[nodiscard]] bool follow(size_t depth, int plies, bool empty_hand);
    [[nodiscard]] uint64_t key(const Node& node) const;
    [[nodiscard]] std::vector<Child>& at(size_t depth);

    LengthTable& table_;
    std::deque<std::vector<Child>> plies_;
    std::vector<uint64_t> path_;
    std::vector<uint64_t> failed_;  // where no line leaves the hand empty
    MoveList scratch_, line_;
};

KOMADAI_EXTERN_EACH_SIZE(class LengthSearch)

}  // namespace komadai
