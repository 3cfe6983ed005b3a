#include "mate_table.hpp"

#include <algorithm>

#include "tt.hpp"

namespace komadai {

namespace {

constexpr size_t LEAST_LOOPS = 1024, SHARE_OF_LOOPS = 16;

bool at_least(uint64_t more, uint64_t less, uint64_t high) { return (((more | high) - less) & high) == high; }

}  // namespace

MateTable::MateTable(size_t megabytes) {
    size_t clusters = LEAST;
    megabytes = std::min(megabytes, MOST_MEGABYTES);
    while (clusters * 2 * sizeof(Cluster) <= megabytes << 20) clusters *= 2;
    clusters_.reserve(clusters);
    clusters_.resize(LEAST);
    most_ = clusters;
    size_t loops = LEAST_LOOPS;
    while (loops * 2 * sizeof(Loop) <= (megabytes << 20) / SHARE_OF_LOOPS) loops *= 2;
    loops_.resize(loops);
}

void MateTable::clear() {
    used_ = LEAST;
    kept_ = 0;
    if (++age_) return;
    clusters_.assign(clusters_.size(), Cluster{});
    loops_.assign(loops_.size(), Loop{});
    age_ = 1;
}

bool MateTable::covers(const Hands& more, const Hands& less, uint64_t high) {
    return more == less ||
           (high && at_least(more.attacker, less.attacker, high) && at_least(less.defender, more.defender, high));
}

MateTable::Known MateTable::find(uint64_t board, const Hands& hands, uint64_t high) const {
    Known found{hands};
    const Cluster& cluster = clusters_[at(board)];
    if (cluster.age != age_) return found;
    uint16_t least = 0, most = INFINITE_PLIES;
    for (size_t i = 0; i < cluster.kept; ++i) {
        if (cluster.boards[i] != board) continue;
        const Known& known = cluster.known[i];
        const Hands& held = known.hands;
        if (held == hands) found = known;
        if (covers(hands, held, high)) most = std::min(most, known.most);
        if (covers(held, hands, high)) least = std::max(least, known.least);
    }
    found.least = least;
    found.most = most;
    return found;
}

void MateTable::store(uint64_t board, Known known) {
    Cluster& cluster = clusters_[at(board)];
    if (cluster.age != age_) {
        cluster.age = age_;
        cluster.kept = 0;
    }
    size_t place = 0;
    while (place < cluster.kept && (cluster.boards[place] != board || cluster.known[place].hands != known.hands))
        ++place;
    if (place < cluster.kept) {
        const Known& before = cluster.known[place];
        known.least = std::max(known.least, before.least);
        known.most = std::min(known.most, before.most);
        known.work = std::max(known.work, before.work);
        known.ply = std::min(known.ply, before.ply);
        known.looped |= before.looped;
    } else if (place < ENTRIES) {
        ++cluster.kept;
        ++kept_;
    } else {
        const auto least_work = std::ranges::min_element(cluster.known, {}, &Known::work);
        place = size_t(least_work - cluster.known.begin());
    }
    cluster.boards[place] = board;
    cluster.known[place] = known;
    if (kept_ > used_ * ENTRIES / 2 && used_ < most_) grow();
}

// In place of the oldest of the position's bucket.
void MateTable::store(Loop loop) {
    loop.age = age_;
    Loop* const loops = &loops_[first_loop(loop.key)];
    std::move_backward(loops, loops + LOOPS - 1, loops + LOOPS);
    *loops = loop;
}

// Uses twice as many clusters: each is shared between itself and the one as far behind it as there were clusters.
void MateTable::grow() {
    if (clusters_.size() < 2 * used_) clusters_.resize(2 * used_);  // within what is reserved
    for (size_t i = 0; i < used_; ++i) {
        Cluster &stays = clusters_[i], &goes = clusters_[i + used_];
        const uint32_t kept = stays.age == age_ ? stays.kept : 0;
        stays.kept = goes.kept = 0;
        goes.age = age_;
        for (size_t at = 0; at < kept; ++at) {
            Cluster& to = stays.boards[at] & used_ ? goes : stays;
            to.boards[to.kept] = stays.boards[at];
            to.known[to.kept++] = stays.known[at];
        }
    }
    used_ *= 2;
}

}  // namespace komadai
