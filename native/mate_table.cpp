#include "mate_table.hpp"

#include <algorithm>

#include "tt.hpp"
#include "types.hpp"

namespace komadai {

namespace {

constexpr size_t LEAST_LOOPS = 1024, SHARE_OF_LOOPS = 16;

size_t with_least_work(const auto& known) {
    return size_t(std::ranges::min_element(known, {}, &MateTable::Known::work) - known.begin());
}

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

MateTable::Found MateTable::find(uint64_t board, const Hands& hands, uint64_t high) const {
    Found found{{hands}, {}, {}};
    const Cluster& home = clusters_[at(board)];
    if (home.age != age_) return found;
    uint16_t least = 0, most = INFINITE_PLIES;
    auto look = [&](const Cluster& cluster) {
        for (size_t i = 0; i < cluster.kept; ++i) {
            if (cluster.boards[i] != board) continue;
            const Known& known = cluster.known[i];
            const Hands& held = known.hands;
            if (held == hands) static_cast<Known&>(found) = known;
            if (known.most < most && covers(hands, held, high)) {
                most = known.most;
                found.of_most = held;
            }
            if (known.least > least && covers(held, hands, high)) {
                least = known.least;
                found.of_least = held;
            }
        }
    };
    look(home);
    if (home.spilled && !found.work)
        if (const Cluster& other = clusters_[at(beside(board, hands))]; other.age == age_) look(other);
    found.least = least;
    found.most = most;
    return found;
}

uint64_t MateTable::beside(uint64_t board, const Hands& hands) {
    return mix(board ^ mix(hands.attacker ^ mix(hands.defender)));
}

// The number of those kept if it is not among them.
size_t MateTable::place_of(const Cluster& cluster, uint64_t board, const Hands& hands) {
    size_t place = 0;
    while (place < cluster.kept && (cluster.boards[place] != board || cluster.known[place].hands != hands)) ++place;
    return place;
}

MateTable::Cluster& MateTable::ready(uint64_t where) {
    Cluster& cluster = clusters_[at(where)];
    if (cluster.age != age_) {
        cluster.age = age_;
        cluster.kept = 0;
        cluster.spilled = false;
    }
    return cluster;
}

void MateTable::put(Cluster& cluster, size_t place, uint64_t board, const Known& known) {
    if (place == cluster.kept) {
        ++cluster.kept;
        ++kept_;
    }
    cluster.boards[place] = board;
    cluster.known[place] = known;
}

void MateTable::store(uint64_t board, Known known) {
    Cluster& home = ready(board);
    Cluster* cluster = &home;
    size_t place = place_of(home, board, known.hands);
    if (place == home.kept && home.spilled) {
        Cluster& other = ready(beside(board, known.hands));
        if (const size_t there = place_of(other, board, known.hands); there < other.kept) {
            cluster = &other;
            place = there;
        }
    }
    if (place < cluster->kept) {
        const Known& before = cluster->known[place];
        known.least = std::max(known.least, before.least);
        known.most = std::min(known.most, before.most);
        known.work = more_work(known.work, before.work);
        known.ply = std::min(known.ply, before.ply);
        known.looped |= before.looped;
    } else if (place == ENTRIES) {
        place = with_least_work(home.known);
        make_room(home, place);
    }
    put(*cluster, place, board, known);
    if (kept_ > used_ * ENTRIES / 2 && used_ < most_) grow();
}

// Keeps a position beside, in place of one that took less work, if it was searched at all.
void MateTable::make_room(Cluster& home, size_t place) {
    const uint64_t board = home.boards[place];
    const Known moved = home.known[place];
    Cluster& other = ready(beside(board, moved.hands));
    if (moved.work <= 1 || &other == &home || &clusters_[at(board)] != &home) return;
    const size_t there = other.kept < ENTRIES ? other.kept : with_least_work(other.known);
    if (there < other.kept && other.known[there].work >= moved.work) return;
    put(other, there, board, moved);
    home.spilled = true;
}

uint32_t MateTable::forget(uint64_t board, const Hands& hands) {
    uint32_t work = 0;
    for (Cluster* cluster : {&ready(board), &ready(beside(board, hands))}) {
        const size_t place = place_of(*cluster, board, hands);
        if (place == cluster->kept) continue;
        work = more_work(work, cluster->known[place].work);
        --cluster->kept;
        --kept_;
        cluster->boards[place] = cluster->boards[cluster->kept];
        cluster->known[place] = cluster->known[cluster->kept];
    }
    return work;
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
        const bool holds = stays.age == age_;
        const size_t kept = holds ? stays.kept : 0;
        goes.age = stays.age = age_;
        goes.spilled = stays.spilled = holds && stays.spilled;
        goes.kept = stays.kept = 0;
        for (size_t place = 0; place < kept; ++place) {
            const uint64_t board = stays.boards[place];
            const uint64_t where = at(board) == i ? board : beside(board, stays.known[place].hands);
            Cluster& to = where & used_ ? goes : stays;
            to.boards[to.kept] = board;
            to.known[to.kept++] = stays.known[place];
        }
    }
    used_ *= 2;
}

}  // namespace komadai
