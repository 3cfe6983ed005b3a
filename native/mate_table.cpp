#include "mate_table.hpp"

#include <algorithm>

#include "tt.hpp"

namespace komadai {

namespace {

bool covers(uint64_t more, uint64_t less, uint64_t high) { return (((more | high) - less) & high) == high; }

}  // namespace

MateTable::MateTable(size_t megabytes) {
    size_t entries = LEAST * CLUSTER;
    megabytes = std::min(megabytes, MOST_MEGABYTES);
    while (entries * 2 * sizeof(Entry) <= megabytes << 20) entries *= 2;
    entries_.reserve(entries);
    entries_.resize(LEAST * CLUSTER);
    most_ = entries / CLUSTER;
}

void MateTable::clear() {
    clusters_ = LEAST;
    kept_ = 0;
    if (++age_) return;
    entries_.assign(entries_.size(), Entry{});
    age_ = 1;
}

MateTable::Entry MateTable::find(uint64_t board, const Hands& hands, uint64_t high) const {
    Entry found{board, hands};
    uint16_t least = 0, most = INFINITE_PLIES;
    for (size_t i = at(board), end = i + CLUSTER; i < end; ++i) {
        const Entry& entry = entries_[i];
        if (entry.age != age_) break;  // kept entries come first
        if (entry.board != board) continue;
        const Hands& known = entry.hands;
        const bool same = known == hands;
        if (same) found = entry;
        if (same ||
            (high && covers(hands.attacker, known.attacker, high) && covers(known.defender, hands.defender, high)))
            most = std::min(most, entry.most);
        if (same ||
            (high && covers(known.attacker, hands.attacker, high) && covers(hands.defender, known.defender, high)))
            least = std::max(least, entry.least);
    }
    found.least = least;
    found.most = most;
    return found;
}

void MateTable::store(Entry entry) {
    entry.age = age_;
    const size_t first = at(entry.board);
    Entry* place = &entries_[first];
    for (size_t i = first; i < first + CLUSTER; ++i) {
        Entry& there = entries_[i];
        const bool free = there.age != age_;
        if (free || (there.board == entry.board && there.hands == entry.hands)) {
            place = &there;
            if (free) break;
            entry.least = std::max(entry.least, there.least);
            entry.most = std::min(entry.most, there.most);
            entry.work = std::max(entry.work, there.work);
            break;
        }
        if (there.work < place->work) place = &there;
    }
    kept_ += place->age != age_;
    *place = entry;
    if (kept_ > clusters_ * CLUSTER / 2 && clusters_ < most_) grow();
}

// Uses twice as many clusters: each is shared between itself and the one as far behind it as there were clusters.
void MateTable::grow() {
    if (entries_.size() < 2 * clusters_ * CLUSTER) entries_.resize(2 * clusters_ * CLUSTER);  // within what is reserved
    for (size_t first = 0; first < clusters_ * CLUSTER; first += CLUSTER) {
        size_t stays = first, goes = first + clusters_ * CLUSTER;
        for (size_t i = first; i < first + CLUSTER; ++i) {
            const Entry entry = entries_[i];
            if (entry.age != age_) continue;
            entries_[i].age = 0;
            entries_[entry.board & clusters_ ? goes++ : stays++] = entry;
        }
    }
    clusters_ *= 2;
}

}  // namespace komadai
