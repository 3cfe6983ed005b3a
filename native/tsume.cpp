#include "tsume.hpp"

#include <algorithm>

#include "tt.hpp"

namespace komadai {

namespace {

constexpr size_t DEEPEST = 1200;

}  // namespace

LengthTable::LengthTable(size_t megabytes) {
    size_t entries = 1024;
    megabytes = std::min(megabytes, MOST_MEGABYTES);
    while (entries * 2 * sizeof(Entry) <= megabytes << 20) entries *= 2;
    entries_.resize(entries);
}

void LengthTable::clear() {
    if (++age_) return;
    entries_.assign(entries_.size(), Entry{});
    age_ = 1;
}

const LengthTable::Entry* LengthTable::find(uint64_t key) const {
    for (size_t i = first(key), end = i + CLUSTER; i < end; ++i)
        if (entries_[i].age == age_ && entries_[i].key == key) return &entries_[i];
    return nullptr;
}

LengthTable::Entry& LengthTable::at(uint64_t key) {
    Entry* place = &entries_[first(key)];
    for (size_t i = first(key), end = i + CLUSTER; i < end; ++i) {
        Entry& there = entries_[i];
        if (there.age == age_ && there.key == key) return there;
        if (place->age == age_ && (there.age != age_ || there.work < place->work)) place = &there;
    }
    *place = Entry{};
    place->key = key;
    place->age = age_;
    return *place;
}

template <int W>
std::vector<typename LengthSearch<W>::Child>& LengthSearch<W>::at(size_t depth) {
    if (depth >= DEEPEST) throw Stopped{};
    while (plies_.size() <= depth) plies_.emplace_back();
    return plies_[depth];
}

template <int W>
uint64_t LengthSearch<W>::key(const Node& node) const {
    return node.drop.is_drop() ? position_.key() ^ mix(node.drop.to + 1) : position_.key();
}

// Plays a child of a node, and leads to its node. For a capture that is free, the drop is taken back and the defender
// passes; the attacker has as many plies left as before the drop.
template <int W>
typename LengthSearch<W>::Node LengthSearch<W>::enter(const Child& child, const Node& from) {
    if (child.for_free) {
        position_.pop();
        position_.push_null();
        position_.push(child.move);
        return {from.plies + 1};
    }
    const bool may_be_useless = !attacks() && child.move.is_drop();
    position_.push(child.move);
    return {from.plies - 1, may_be_useless ? child.move : Move{}};
}

template <int W>
void LengthSearch<W>::leave(const Child& child, const Node& from) {
    position_.pop();
    if (!child.for_free) return;
    position_.pop();
    position_.push(from.drop);
}

// True if the capture leaves the board that a move to the empty point would leave.
template <int W>
bool LengthSearch<W>::can_be_free(Move capture, Move drop) {
    position_.push(capture);
    const uint64_t after = position_.board_key();
    position_.pop();
    position_.pop();
    position_.push_null();
    position_.push(capture);
    const bool same = position_.board_key() == after;
    position_.pop();
    position_.pop();
    position_.push(drop);
    return same;
}

// The first numbers of a new position, as in MateSearch; what is settled at once is noted in the entry.
template <int W>
typename LengthSearch<W>::Numbers LengthSearch<W>::estimate(const Node& node, LengthTable::Entry& entry) {
    scratch_.clear();
    if (attacks()) {
        position_.legal_checks(scratch_);
        if (scratch_.empty()) entry.escapes = LengthTable::NEVER - 1;
        return scratch_.empty() ? Numbers{INFINITE_PN, 0} : Numbers{UNIT, UNIT * uint32_t(scratch_.size())};
    }
    position_.legal_moves(scratch_);
    if (scratch_.empty() && position_.outcome_on_board().winner == int(~attacker_)) {  // by a goal
        entry.escapes = LengthTable::NEVER - 1;
        return {INFINITE_PN, 0};
    }
    if (scratch_.empty()) {
        entry.mated = 0;
        return {0, INFINITE_PN};
    }
    Bits<W> dropped;
    uint32_t moves = 0;
    for (Move move : scratch_) {
        if (move.is_drop())
            dropped.set(position_.rules().point_of[move.to]);
        else
            ++moves;
    }
    if (node.plies == 0 && moves) {
        entry.escapes = std::max(entry.escapes, int16_t(0));
        return {INFINITE_PN, 0};
    }
    return {UNIT * (moves + uint32_t(dropped.count())), UNIT};
}

template <int W>
typename LengthSearch<W>::Numbers LengthSearch<W>::look(const Node& node) {
    visit();
    if (node.plies < 0 && !node.drop.is_drop()) return {INFINITE_PN, 0};
    if (repeats()) return {INFINITE_PN, 0};
    LengthTable::Entry& entry = table_.at(key(node));
    if (entry.mated <= node.plies) return {0, INFINITE_PN};
    if (entry.escapes >= node.plies) return {INFINITE_PN, 0};
    if (entry.work && entry.plies == node.plies) return {entry.pn, entry.dn};
    const Numbers numbers = estimate(node, entry);
    if (!numbers.pn || !numbers.dn) return numbers;
    entry.plies = int16_t(node.plies);
    entry.pn = numbers.pn;
    entry.dn = numbers.dn;
    entry.work = std::max(entry.work, 1u);
    return numbers;
}

// Of drops on one point, the next is tried only when the one before it is settled.
template <int W>
void LengthSearch<W>::expand(size_t depth, const Node& node) {
    auto& children = at(depth);
    children.clear();
    MoveList moves;
    const bool attacking = attacks();
    list_moves(moves);
    std::ranges::reverse(moves);
    if (node.drop.is_drop())
        for (Move move : moves)
            if (!move.is_drop() && move.to == node.drop.to && can_be_free(move, node.drop))
                children.push_back({move, {}, -1, true});
    if (!attacking) std::ranges::stable_partition(moves, [](const Move& move) { return !move.is_drop(); });
    for (Move move : moves) {
        Child child{move, {}, -1, false};
        if (!attacking && move.is_drop())
            for (size_t i = 0; i < children.size(); ++i)
                if (children[i].move.is_drop() && children[i].move.to == move.to) child.after = int(i);
        children.push_back(child);
    }
    for (Child& child : children) {
        const Node next = enter(child, node);
        const bool again = child.for_free && std::ranges::find(path_, key(next) + next.plies) != path_.end();
        child.numbers = again ? Numbers{INFINITE_PN, 0} : look(next);
        leave(child, node);
        if (attacking ? !child.numbers.pn : !child.numbers.dn) {
            children.assign(1, Child(child));
            children[0].after = -1;
            return;
        }
    }
}

template <int W>
BestChild LengthSearch<W>::choose(size_t depth) const {
    const bool attacking = attacks();
    const auto& children = plies_[depth];
    auto waits = [&](const Child& child) {
        if (child.after < 0) return false;
        const Numbers& before = children[size_t(child.after)].numbers;
        return (attacking ? child.numbers.pn && before.dn : child.numbers.dn && before.pn) != 0;
    };
    return best_child(children, attacking, waits);
}

template <int W>
typename LengthSearch<W>::Numbers LengthSearch<W>::search(size_t depth, Node node, uint32_t most_pn, uint32_t most_dn) {
    Numbers numbers = look(node);
    if (numbers.pn >= most_pn || numbers.dn >= most_dn || !numbers.pn || !numbers.dn) return numbers;
    const uint64_t before = nodes_;
    const bool attacking = attacks();
    path_.push_back(key(node) + node.plies);
    expand(depth, node);
    for (;;) {
        const BestChild best = choose(depth);
        numbers = {best.pn, best.dn};
        if (!numbers.pn && !attacking && !lasts(depth, node.plies)) numbers = {INFINITE_PN, 0};
        if (numbers.pn >= most_pn || numbers.dn >= most_dn || !numbers.pn || !numbers.dn) break;
        const Child child = plies_[depth][best.at];
        const auto [pn, dn] = best.bounds(attacking, most_pn, most_dn);
        const Node to = enter(child, node);
        const Numbers found = search(depth + 1, to, pn, dn);
        leave(child, node);
        plies_[depth][best.at].numbers = found;
    }
    path_.pop_back();
    LengthTable::Entry& entry = table_.at(key(node));
    if (!numbers.pn)
        entry.mated = std::min(entry.mated, int16_t(node.plies));
    else if (!numbers.dn)
        entry.escapes = std::max(entry.escapes, int16_t(node.plies));
    else
        entry.plies = int16_t(node.plies), entry.pn = numbers.pn, entry.dn = numbers.dn;
    entry.work = uint32_t(std::min<uint64_t>(entry.work + nodes_ - before + 1, UINT32_MAX));
    return numbers;
}

// True if the present position is a mate within so many plies, by a search of its own.
template <int W>
bool LengthSearch<W>::mates(size_t depth, const Node& node) {
    return !search(depth, node, INFINITE_PN, INFINITE_PN).pn;
}

// Of a defender's node at which every move loses within `plies`, if useless drops count for nothing: whether that is
// so. It is not if a drop costs the attacker more than the two plies, so that it alone would last that long.
template <int W>
bool LengthSearch<W>::lasts(size_t depth, int plies) {
    const std::vector<Child>& children = plies_[depth];
    if (plies == 0 || !children.back().move.is_drop()) return true;
    auto loses = [&](const Child& child, int within) {
        position_.push(child.move);
        const bool mate = mates(depth + 1, {within});
        position_.pop();
        return mate;
    };
    for (const Child& child : children) {
        if (child.move.is_drop()) break;
        position_.push(child.move);
        const auto* entry = table_.find(position_.key());
        position_.pop();
        if (plies < 3 || (entry && entry->escapes >= plies - 3)) return true;
    }
    bool costs = false;
    for (const Child& child : children) {
        if (child.move.is_drop() && !loses(child, plies - 1))
            costs = true;
        else if (!loses(child, plies - 3))
            return true;
    }
    return !costs || mates(depth + 1, {plies - 2});
}

// Extends the line to the end from the present position, which is a mate in exactly so many plies; false if no such
// line leaves the attacker's hand empty, though that is asked for.
template <int W>
bool LengthSearch<W>::follow(size_t depth, int plies, bool empty_hand) {
    if (plies == 0) {
        int held = 0;
        for (int slot = 0; slot < position_.rules().hands(); ++slot) held += position_.in_hand(attacker_, slot);
        return !empty_hand || !held;
    }
    if (std::ranges::find(failed_, position_.key()) != failed_.end()) return false;
    MoveList moves, last, useless;  // the moves that last as long, and drops that do so though they look useless
    const bool attacking = attacks();
    list_moves(moves);
    std::ranges::reverse(moves);
    std::ranges::stable_partition(moves, [](const Move& move) { return !move.is_drop(); });
    for (Move move : moves) {
        const Child child{move, {}, -1, false};
        const Node next = enter(child, {plies});
        if (mates(depth, {next.plies}) && (attacking || !mates(depth, {plies - 3})))
            (attacking || !mates(depth, {plies - 3, next.drop}) ? last : useless).push_back(move);
        leave(child, {plies});
    }
    for (Move move : last.empty() ? useless : last) {
        position_.push(move);
        line_.push_back(move);
        if (follow(depth, plies - 1, empty_hand)) return true;
        line_.pop_back();
        position_.pop();
    }
    failed_.push_back(position_.key());
    return false;
}

template <int W>
LengthReport LengthSearch<W>::run(int most, const MateLimits& limits) {
    this->begin(limits);
    LengthReport report;
    const auto& rules = position_.rules();
    if (!rules.mates()) return report;
    table_.clear();
    try {
        for (int plies = 1; plies <= most && !report.plies; plies += 2) {
            if (!mates(0, {plies})) continue;
            const size_t start = position_.plies();
            for (const bool empty_hand : {true, false}) {
                line_.clear();
                failed_.clear();
                if (!follow(0, plies, empty_hand)) continue;
                while (position_.plies() > start) position_.pop();
                report.plies = plies;
                report.line = line_;
                break;
            }
        }
    } catch (Stopped) {
        report.plies = 0;
    }
    report.nodes = nodes_;
    report.seconds = this->elapsed();
    return report;
}

KOMADAI_FOR_EACH_SIZE(class LengthSearch)

}  // namespace komadai
