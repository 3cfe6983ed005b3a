#include "mate.hpp"

#include <algorithm>

#include "tt.hpp"

namespace komadai {

namespace {

constexpr uint32_t INFINITE_PN = 1u << 30;
constexpr uint16_t NOTHING = 0xFFFF;  // a disproof that does not depend on the path
constexpr size_t LONGEST = 600;       // plies
constexpr uint64_t POLL = (1 << 15) - 1;
constexpr uint64_t LOOK = 255;
constexpr uint64_t TO_FIND_THE_LINE = 1'000'000;  // nodes, if the table has lost the proof

uint32_t sum(uint32_t a, uint32_t b) { return std::min(a + b, INFINITE_PN - 1); }

// The bound for the best child: a little above the second best (the 1 + epsilon trick).
uint32_t beyond(uint32_t second) { return second >= INFINITE_PN ? INFINITE_PN : sum(second, second / 4 + 1); }

bool covers(uint64_t more, uint64_t less, uint64_t high) { return (((more | high) - less) & high) == high; }

}  // namespace

MateTable::MateTable(size_t megabytes) {
    size_t entries = 1024;
    megabytes = std::min(megabytes, MOST_MEGABYTES);
    while (entries * 2 * sizeof(Entry) <= megabytes << 20) entries *= 2;
    entries_.resize(entries);
}

void MateTable::clear() {
    if (++age_) return;
    entries_.assign(entries_.size(), Entry{});
    age_ = 1;
}

const MateTable::Entry* MateTable::find(uint64_t board, const Hands& hands, uint64_t high) const {
    const Entry* same = nullptr;
    for (size_t i = at(board), end = i + CLUSTER; i < end; ++i) {
        const Entry& entry = entries_[i];
        if (entry.board != board || entry.age != age_) continue;
        if (entry.hands == hands) {
            same = &entry;
            if (!entry.pn || !entry.dn) return same;
        } else if (high) {
            const Hands& known = entry.hands;
            if (!entry.pn && covers(hands.attacker, known.attacker, high) &&
                covers(known.defender, hands.defender, high))
                return &entry;
            if (!entry.dn && covers(known.attacker, hands.attacker, high) &&
                covers(hands.defender, known.defender, high))
                return &entry;
        }
    }
    return same;
}

void MateTable::store(Entry entry) {
    entry.age = age_;
    const size_t first = at(entry.board);
    Entry* place = &entries_[first];
    for (size_t i = first; i < first + CLUSTER; ++i) {
        Entry& there = entries_[i];
        if (there.age != age_ || (there.board == entry.board && there.hands == entry.hands)) {
            place = &there;
            break;
        }
        if (there.work < place->work) place = &there;
    }
    *place = entry;
}

template <int W>
MateSearch<W>::MateSearch(const Position<W>& position, MateTable& table, const std::atomic<bool>& stop,
                          std::function<void()> poll)
    : position_(position), table_(table), stop_(stop), poll_(std::move(poll)), attacker_(position.side_to_move()) {}

// True if more in the attacker's hand and less in the defender's never prevents a mate, because only the choice of
// drops depends on hands. A rule about mate is compatible with this if it is about drops of pieces that give check from
// an adjacent point only: no drop can parry those.
template <int W>
bool MateSearch<W>::hands_compare() const {
    const auto& rules = position_.rules();
    if (!rules.end_rules.empty() || rules.anchor != EMPTY || !last_keys_.empty() || !rules.hands()) return false;
    for (const auto& rule : rules.rules)
        for (const Term& term : rule.terms) {
            if (term.condition == Condition::IN_HAND) return false;
            if (term.condition != Condition::MATES) continue;
            if (!rule.drops_only || !term.expected) return false;
            for (size_t piece = 0; piece < rule.where.size(); ++piece)
                if (rule.where[piece].any() && !rules.info[piece].slides.empty()) return false;
        }
    return true;
}

template <int W>
MateTable::Hands MateSearch<W>::hands() const {
    MateTable::Hands found;
    if (!hand_bits_) return found;
    for (int slot = 0; slot < position_.rules().hands(); ++slot) {
        const auto ours = uint64_t(position_.in_hand(attacker_, slot));
        const auto theirs = uint64_t(position_.in_hand(~attacker_, slot));
        if ((ours | theirs) >> (hand_bits_ - 1)) throw Stopped{};  // more than a word can hold
        found.attacker |= ours << (slot * hand_bits_);
        found.defender |= theirs << (slot * hand_bits_);
    }
    return found;
}

template <int W>
uint64_t MateSearch<W>::board_key() const {
    uint64_t key = position_.key();
    if (!hand_bits_) return key;
    const auto& rules = position_.rules();
    for (Side side : {BLACK, WHITE})
        for (int slot = 0; slot < rules.hands(); ++slot)
            key ^= rules.hand_keys[side][size_t(slot)][size_t(position_.in_hand(side, slot))];
    return key;
}

template <int W>
typename MateSearch<W>::Ply& MateSearch<W>::at(size_t ply) {
    while (plies_.size() <= ply) plies_.emplace_back();
    return plies_[ply];
}

// Appends the present position to the path.
template <int W>
void MateSearch<W>::enter(size_t ply) {
    path_.resize(ply);
    path_hash_.resize(ply + 1);
    path_.push_back(position_.key());
    path_hash_.push_back(mix(path_hash_[ply] + position_.key()));
}

template <int W>
void MateSearch<W>::visit() {
    ++nodes_;
    if (nodes_ > limits_.nodes) throw Stopped{};
    if ((nodes_ & LOOK) == 0 &&
        (stop_.load(std::memory_order_relaxed) || (limits_.seconds > 0 && elapsed() >= limits_.seconds)))
        throw Stopped{};
    if ((nodes_ & POLL) == 0) poll_();
}

// The first numbers of a new position: the more replies, the harder to prove or to disprove.
template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::estimate() {
    Numbers numbers{1, 1, 0, NOTHING};
    scratch_.clear();
    if (attacks()) {
        position_.legal_checks(scratch_);
        numbers.dn = uint32_t(scratch_.size());
        if (scratch_.empty()) numbers.pn = INFINITE_PN;
        return numbers;
    }
    position_.legal_moves(scratch_);
    // Drops on one point are tried one after the other.
    Bits<W> dropped;
    uint32_t moves = 0;
    for (Move move : scratch_) {
        if (move.is_drop())
            dropped.set(position_.rules().point_of[move.to]);
        else
            ++moves;
    }
    numbers.pn = moves + uint32_t(dropped.count());
    if (scratch_.empty()) numbers.dn = INFINITE_PN;
    return numbers;
}

// The numbers of the present position, `ply` plies from the root.
template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::look(size_t ply) {
    visit();
    const uint64_t key = position_.key();
    for (size_t i = ply; i >= 2;) {
        i -= 2;
        if (path_[i] == key) return {INFINITE_PN, 0, 0, uint16_t(i)};
    }
    if (std::ranges::find(last_keys_, key) != last_keys_.end()) return {INFINITE_PN, 0, 0, NOTHING};
    if (ply >= LONGEST) {
        cut_ = true;
        return {INFINITE_PN, 0, 0, 0};
    }
    const uint64_t board = board_key();
    const MateTable::Hands held = hands();
    const auto* entry = table_.find(board, held, high_);
    if (entry && (!entry->pn || !entry->dn)) return {entry->pn, entry->dn, entry->length, NOTHING};
    if (by_path_)
        if (const auto* here = table_.find(board ^ path_hash_[ply], held, 0)) return {INFINITE_PN, 0, 0, here->depends};
    if (entry) return {entry->pn, entry->dn, 0, NOTHING};
    const Numbers numbers = estimate();
    keep(ply, numbers, 1);
    return numbers;
}

template <int W>
void MateSearch<W>::keep(size_t ply, const Numbers& numbers, uint64_t work) {
    MateTable::Entry entry{board_key(),
                           hands(),
                           numbers.pn,
                           numbers.dn,
                           numbers.length,
                           numbers.depends,
                           uint16_t(std::min(work, uint64_t(UINT16_MAX)))};
    if (!numbers.dn && numbers.depends != NOTHING) {
        // Valid on this path alone.
        entry.board ^= path_hash_[ply];
        by_path_ = true;
    }
    table_.store(entry);
}

// Orders the children, the likeliest first, and defers some: of one piece's moves to one point, and of interposed drops
// on one point, the next is tried only when the one before it is settled. Move lists begin with the least valuable
// pieces, with unpromoted moves, and with the most valuable pieces in hand.
template <int W>
void MateSearch<W>::arrange(Ply& here) const {
    const bool attacking = attacks();
    std::ranges::reverse(here.moves);
    if (!attacking) std::ranges::stable_partition(here.moves, [](const Move& move) { return !move.is_drop(); });
    here.children.clear();
    for (const Move& move : here.moves) {
        Child child{move, {}, -1};
        for (size_t i = here.children.size(); i-- > 0 && !(attacking && move.is_drop());) {
            const Move& other = here.children[i].move;
            if (other.is_drop() != move.is_drop() || (!move.is_drop() && other.from != move.from)) break;
            if (other.to == move.to) {
                child.after = int(i);
                break;
            }
        }
        here.children.push_back(child);
    }
}

template <int W>
void MateSearch<W>::expand(size_t ply) {
    Ply& here = at(ply);
    here.moves.clear();
    const bool attacking = attacks();
    if (attacking)
        position_.legal_checks(here.moves);
    else
        position_.legal_moves(here.moves);
    arrange(here);
    for (Child& child : here.children) {
        position_.push(child.move);
        child.numbers = look(ply + 1);
        position_.pop();
        if (attacking ? !child.numbers.pn : !child.numbers.dn && child.numbers.depends == NOTHING) {
            const Child decides = child;
            here.children.assign(1, decides);
            here.children[0].after = -1;
            return;
        }
    }
}

// The disproof numbers of the attacker's moves are not summed, because many lead to the same positions: the largest
// counts, plus one for each other move (weak proof numbers). Those of the defender's moves are summed.
template <int W>
typename MateSearch<W>::Choice MateSearch<W>::choose(size_t ply) const {
    const bool attacking = attacks();
    const auto& children = plies_[ply].children;
    auto own = [&](const Numbers& n) { return attacking ? n.pn : n.dn; };
    auto other = [&](const Numbers& n) { return attacking ? n.dn : n.pn; };
    Choice choice;
    uint32_t least = INFINITE_PN, second = INFINITE_PN, largest = 0, open = 0, total = 0;
    uint16_t length = 0, shortest = NOTHING, depends = NOTHING, independent = 0;
    for (size_t i = 0; i < children.size(); ++i) {
        const Child& child = children[i];
        const Numbers& n = child.numbers;
        if (!n.pn) {
            length = std::max(length, n.length);
            shortest = std::min(shortest, n.length);
        }
        if (!n.dn) {
            depends = std::min(depends, n.depends);
            independent = std::max(independent, n.depends);
        }
        if (!other(n)) continue;
        if (child.after >= 0 && own(n) && other(children[size_t(child.after)].numbers)) continue;
        ++open;
        total = sum(total, other(n));
        largest = std::max(largest, other(n));
        if (own(n) < least) {
            second = least;
            least = own(n);
            choice.best = i;
        } else {
            second = std::min(second, own(n));
        }
    }
    choice.second = second;
    const uint32_t best = open && least < INFINITE_PN ? other(children[choice.best].numbers) : 0;
    choice.others = !open ? 0 : attacking ? open - 1 : total - best;
    Numbers& numbers = choice.numbers;
    const uint32_t rest = !least ? INFINITE_PN : sum(attacking ? largest : best, choice.others);
    numbers.pn = attacking ? least : rest;
    numbers.dn = attacking ? rest : least;
    numbers.length = numbers.pn ? 0 : uint16_t(1 + (attacking ? shortest : children.empty() ? -1 : length));
    numbers.depends = numbers.dn ? NOTHING : attacking ? depends : independent;
    return choice;
}

template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::search(size_t ply, uint32_t most_pn, uint32_t most_dn) {
    const uint64_t before = nodes_;
    const bool attacking = attacks();
    enter(ply);
    expand(ply);
    for (;;) {
        Choice choice = choose(ply);
        Numbers& numbers = choice.numbers;
        if (numbers.pn >= most_pn || numbers.dn >= most_dn || !numbers.pn || !numbers.dn) {
            if (!numbers.dn && numbers.depends != NOTHING && numbers.depends >= ply) numbers.depends = NOTHING;
            keep(ply, numbers, nodes_ - before + 1);
            return numbers;
        }
        const Move move = plies_[ply].children[choice.best].move;
        const uint32_t own_most = attacking ? most_pn : most_dn, other_most = attacking ? most_dn : most_pn;
        const uint32_t next = std::min(own_most, beyond(choice.second));
        const uint32_t rest = other_most >= INFINITE_PN ? INFINITE_PN : other_most - choice.others;
        position_.push(move);
        const Numbers found = search(ply + 1, attacking ? next : rest, attacking ? rest : next);
        position_.pop();
        path_.resize(ply + 1);
        path_hash_.resize(ply + 2);
        plies_[ply].children[choice.best].numbers = found;
    }
}

// The line from the proved root to the mate: the attacker plays the shortest mate known, the defender the longest.
template <int W>
std::optional<MoveList> MateSearch<W>::line() {
    MoveList moves;
    for (size_t ply = 0; ply < LONGEST; ++ply) {
        enter(ply);
        const bool attacking = attacks();
        const Child* best = nullptr;
        for (int tries = 0; tries < 2 && !best; ++tries) {
            // What the table has lost is searched again.
            if (tries && search(ply, INFINITE_PN, INFINITE_PN).pn) return std::nullopt;
            MoveList legal;
            attacking ? position_.legal_checks(legal) : position_.legal_moves(legal);
            if (legal.empty()) return attacking ? std::nullopt : std::optional(moves);
            Ply& here = at(ply);
            here.children.clear();
            for (Move move : legal) {
                position_.push(move);
                here.children.push_back({move, look(ply + 1), -1});
                position_.pop();
            }
            for (const Child& child : here.children) {
                if (child.numbers.pn) continue;
                if (!best || (attacking ? child.numbers.length < best->numbers.length
                                        : child.numbers.length > best->numbers.length))
                    best = &child;
            }
        }
        if (!best) return std::nullopt;
        moves.push_back(best->move);
        position_.push(best->move);
    }
    return std::nullopt;
}

template <int W>
MateReport MateSearch<W>::run(const MateLimits& limits) {
    start_ = std::chrono::steady_clock::now();
    limits_ = limits;
    MateReport report;
    const auto& rules = position_.rules();
    if (!rules.single_royal || rules.is_compound) return report;
    table_.clear();
    last_keys_ = position_.keys_before_repetition();
    if (hands_compare()) {
        hand_bits_ = std::min(8, 64 / rules.hands());
        for (int slot = 0; slot < rules.hands(); ++slot) high_ |= uint64_t(1) << (slot * hand_bits_ + hand_bits_ - 1);
    }
    try {
        path_hash_.assign(1, 0);
        const Numbers numbers = search(0, INFINITE_PN, INFINITE_PN);
        report.nodes = nodes_;
        if (!numbers.pn) {
            limits_.nodes = nodes_ + TO_FIND_THE_LINE;
            if (auto found = line()) {
                report.verdict = Verdict::MATE;
                report.line = std::move(*found);
            }
        } else if (!numbers.dn && !cut_) {
            report.verdict = Verdict::NO_MATE;
        }
    } catch (Stopped) {
        report.nodes = std::min(nodes_, limits.nodes);
    }
    report.seconds = elapsed();
    return report;
}

template class MateSearch<2>;
template class MateSearch<6>;
template class MateSearch<10>;

}  // namespace komadai
