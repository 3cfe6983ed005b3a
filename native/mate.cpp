#include "mate.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace komadai {

namespace {

// Weights of the first numbers, found by trial. Where the defender is to move: of moves and drops that may help him, to
// be proved not to; of the check to be disproved; of each ply from the root, in quarters.
constexpr uint32_t MOVE = 9, CAPTURE = 13, DROPS = 6, CHECKED = 6, PLY = 3;
// Where the attacker is to move: to begin with; of each point open to the king; of each check; of each ply from the
// root, in quarters. Up to so many checks help to prove a mate, each by half.
constexpr int ATTACK = 2, OPEN_POINT = 4, CHECK = 6, ATTACKING_PLY = 2, HELPFUL_CHECKS = 8;

// Nodes after the proof: to find what the table has lost of it; to look for shorter mates, for each node of the proof.
constexpr uint64_t TO_FIND_THE_LINE = 1'000'000, TO_SHORTEN = 1'500'000, TO_SHORTEN_EACH = 10;

// With one ply more; INFINITE_PLIES stays.
uint16_t next(uint16_t plies) { return uint16_t(plies + (plies != INFINITE_PLIES)); }

}  // namespace

// True if more in the attacker's hand and less in the defender's never prevents a mate, because only the choice of
// drops depends on hands. A rule about mate is compatible with this if it is about drops of pieces that give check from
// an adjacent point only: no drop can parry those.
template <int W>
bool MateSearch<W>::hands_compare() const {
    const auto& rules = position_.rules();
    if (!rules.end_rules.empty() || !rules.has_edges() || !last_keys_.empty() || !rules.hands()) return false;
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
typename MateSearch<W>::Place MateSearch<W>::here() const {
    if (!hand_bits_) return {position_.key(), {}};
    auto word = [&](Side side) {
        uint64_t counts = 0;
        if (hand_bits_ == 8)
            std::memcpy(&counts, position_.hand(side).data(), sizeof counts);
        else
            for (int slot = 0; slot < position_.rules().hands(); ++slot) {
                const auto count = uint64_t(position_.in_hand(side, slot));
                if (count >> (hand_bits_ - 1)) throw Stopped{};  // more than a word can hold
                counts |= count << (slot * hand_bits_);
            }
        if (counts & high_) throw Stopped{};
        return counts;
    };
    return {position_.board_key(), {word(attacker_), word(~attacker_)}};
}

template <int W>
typename MateSearch<W>::Ply& MateSearch<W>::at(size_t ply) {
    while (plies_.size() <= ply) {
        Ply& added = plies_.emplace_back();
        added.moves.reserve(32);
        added.replies.reserve(64);
        added.children.reserve(32);
    }
    return plies_[ply];
}

// Appends the present position to the path.
template <int W>
void MateSearch<W>::enter(size_t ply) {
    path_.resize(ply);
    path_.push_back(position_.key());
}

// The first numbers of a new position: the more replies, and the more points open to the king, the harder to prove; the
// more checks, the easier, and the harder to disprove. A king whose checker is captured is harder to mate than one that
// moves. Later positions are put behind, because most mates are short. The attacker's moves are appended to the list.
template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::estimate(size_t ply, MoveList& list) {
    Numbers numbers;
    if (attacks()) {
        const size_t before = list.size();
        list_moves(list);
        const auto checks = int(list.size() - before);
        if (!checks) return {INFINITE_PN, 0, INFINITE_PLIES};
        const Cell royal = position_.royal(~attacker_);
        const int open = safe_leaps(position_.state(), position_.rules().point_of[royal], ~attacker_).count();
        const int pn = ATTACK + open * OPEN_POINT + int(ply) * ATTACKING_PLY / 4 - std::min(checks, HELPFUL_CHECKS) / 2;
        numbers.pn = uint32_t(std::max(pn, 1));
        numbers.dn = uint32_t(checks * CHECK);
        numbers.least = 1;
        return numbers;
    }
    // A goal may have ended the game, for either side.
    if (const Outcome end = position_.outcome_on_board(); end.end != End::NONE)
        return end.winner == attacker_ ? Numbers{0, INFINITE_PN, 0, 0} : Numbers{INFINITE_PN, 0, INFINITE_PLIES};
    const Kinds<W> kinds = position_.kinds_of_moves();
    if (!kinds.any()) return {0, INFINITE_PN, 0, 0};
    // Drops on one point are tried one after the other.
    numbers.pn = (kinds.by_royal + kinds.others) * MOVE + kinds.captures * CAPTURE +
                 uint32_t(kinds.drops.count()) * DROPS + uint32_t(ply) * PLY / 4;
    numbers.dn = CHECKED;
    numbers.least = 2;
    return numbers;
}

// Settles numbers whose bounds tell whether there is a mate within so many plies.
template <int W>
bool MateSearch<W>::settle(Numbers& numbers, uint16_t plies) {
    const bool mates = numbers.most <= plies, fails = numbers.least > plies;
    if (mates || fails)
        std::tie(numbers.pn, numbers.dn) = mates ? std::pair(0u, INFINITE_PN) : std::pair(INFINITE_PN, 0u);
    return mates || fails;
}

// The numbers of the present position, `ply` plies from the root. If it is new, its moves are appended to the list.
template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::look(size_t ply, uint16_t plies, MoveList& list) {
    constexpr Numbers FAILS{INFINITE_PN, 0, INFINITE_PLIES, INFINITE_PLIES, NOTHING};
    visit();
    if (repeats()) return FAILS;
    if (plies == ANY) {
        for (size_t i = ply; i >= 2;) {
            i -= 2;
            if (path_[i] == position_.key()) return {INFINITE_PN, 0, 0, INFINITE_PLIES, depends_on(i)};
        }
        if (ply >= LONGEST) {
            cut_ = true;
            return {INFINITE_PN, 0, 0, INFINITE_PLIES, ASSUMED};
        }
    }
    const Place place = here();
    const MateTable::Known entry = table_.find(place.board, place.hands, high_);
    Numbers numbers{entry.pn, entry.dn, entry.least, entry.most, NOTHING};
    if (settle(numbers, plies)) return numbers;
    if (entry.assumed()) {
        if (plies == ANY) {
            numbers.depends = ASSUMED;
            return numbers;
        }
        std::tie(numbers.pn, numbers.dn) = std::pair(0u, 0u);
    }
    if (!numbers.pn) {
        numbers = estimate(ply, list);
        numbers.least = std::max(numbers.least, entry.least);
        numbers.most = std::min(numbers.most, entry.most);
        keep(place, numbers, std::max<uint64_t>(entry.work, 1));
        settle(numbers, plies);
    }
    return numbers;
}

template <int W>
void MateSearch<W>::keep(const Place& place, const Numbers& numbers, uint64_t work) {
    MateTable::Known entry{place.hands};
    if ((numbers.pn && numbers.dn) || (!numbers.dn && numbers.depends != NOTHING)) {
        entry.pn = numbers.pn;
        entry.dn = numbers.dn;
    }
    entry.least = numbers.least;
    entry.most = numbers.most;
    entry.work = uint16_t(std::min(work, uint64_t(UINT16_MAX)));
    table_.store(place.board, entry);
}

// Orders the children, the likeliest first, and defers some: of one piece's moves to one point, and of interposed drops
// on one point, the next is tried only when the one before it is settled. Move lists begin with the least valuable
// pieces, with unpromoted moves, and with the most valuable pieces in hand.
template <int W>
void MateSearch<W>::arrange(Ply& here) const {
    const bool attacking = attacks();
    // Drops come last in move lists.
    const auto drops = attacking ? here.moves.begin() : std::ranges::find_if(here.moves, &Move::is_drop);
    std::reverse(here.moves.begin(), drops);
    std::reverse(drops, here.moves.end());
    here.children.clear();
    for (const Move& move : here.moves) {
        Child child{.move = move, .numbers = {}};
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

// True if the child waits until another is settled.
template <int W>
bool MateSearch<W>::deferred(const Ply& here, const Child& child) const {
    if (child.after < 0) return false;
    const Numbers& before = here.children[size_t(child.after)].numbers;
    return (attacks() ? before.dn : before.pn) != 0;
}

template <int W>
void MateSearch<W>::look_at(Child& child, size_t ply, uint16_t plies, MoveList& replies) {
    position_.push(child.move);
    child.first = uint32_t(replies.size());
    child.numbers = look(ply + 1, fewer(plies), replies);
    child.listed = uint32_t(replies.size()) - child.first;
    child.seen = true;
    position_.pop();
}

template <int W>
typename MateSearch<W>::Ply& MateSearch<W>::expand(size_t ply, uint16_t plies, std::span<const Move> listed) {
    Ply& here = at(ply);
    const bool attacking = attacks();
    here.moves.assign(listed.begin(), listed.end());
    if (listed.empty()) list_moves(here.moves);
    arrange(here);
    here.replies.clear();
    if (position_.rules().plain())
        for (const Child& child : here.children) table_.prefetch(position_.board_key_after(child.move));
    for (Child& child : here.children) {
        if (deferred(here, child)) continue;
        look_at(child, ply, plies, here.replies);
        if (attacking ? !child.numbers.pn : !child.numbers.dn && child.numbers.depends == NOTHING) {
            const Child decides = child;
            here.children.assign(1, decides);
            here.children[0].after = -1;
            // The others, not looked at, may be nearer to the mate, or farther.
            if (attacking)
                here.children[0].numbers.least = 0;
            else
                here.children[0].numbers.most = INFINITE_PLIES;
            break;
        }
    }
    return here;
}

template <int W>
BestChild MateSearch<W>::choose(const Ply& here) const {
    return best_child(here.children, attacks(), [](const Child& child) { return !child.seen; });
}

// The numbers of a node, those of its best child given.
template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::numbers(const Ply& here, const BestChild& best) const {
    const bool attacking = attacks();
    const auto& children = here.children;
    Bounds nearest{INFINITE_PLIES, INFINITE_PLIES}, farthest;  // of the children
    uint16_t depends = NOTHING, independent = 0;
    for (const Child& child : children) {
        const Numbers& n = child.numbers;
        nearest = {std::min(nearest.least, n.least), std::min(nearest.most, n.most)};
        farthest = {std::max(farthest.least, n.least), std::max(farthest.most, n.most)};
        if (n.dn) continue;
        depends = std::min(depends, n.depends);
        independent = std::max(independent, n.depends);
    }
    Numbers numbers{best.pn, best.dn};
    if (attacking || !children.empty()) {
        numbers.least = next(attacking ? nearest.least : farthest.least);
        numbers.most = next(attacking ? nearest.most : farthest.most);
    } else {
        numbers.most = 0;
    }
    numbers.depends = numbers.dn ? NOTHING : attacking ? depends : independent;
    return numbers;
}

template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::search(size_t ply, uint16_t plies, uint32_t most_pn, uint32_t most_dn,
                                                      std::span<const Move> listed) {
    const uint64_t before = nodes_;
    const bool attacking = attacks();
    enter(ply);
    Ply& here = expand(ply, plies, listed);
    for (;;) {
        const BestChild best = choose(here);
        if (best.pn >= most_pn || best.dn >= most_dn || !best.pn || !best.dn) {
            Numbers numbers = this->numbers(here, best);
            if (!numbers.dn && numbers.depends != NOTHING && numbers.depends >= depends_on(ply)) {
                numbers.depends = NOTHING;
                numbers.least = INFINITE_PLIES;
            }
            keep(numbers, nodes_ - before + 1);
            return numbers;
        }
        Child& child = here.children[best.at];
        const auto [pn, dn] = best.bounds(attacking, most_pn, most_dn);
        position_.push(child.move);
        child.numbers =
            search(ply + 1, fewer(plies), pn, dn, std::span(here.replies).subspan(child.first, child.listed));
        position_.pop();
        path_.resize(ply + 1);
        for (Child& other : here.children)
            if (!other.seen && !deferred(here, other)) look_at(other, ply, plies, here.replies);
    }
}

// --- The verdict: disproofs that rest on each other, a line to the mate, and the shortest ---

// True if the root is no mate. A repetition fails the attacker, so assumed disproofs hold together if each check leads
// to another of them or to a settled one, and so does a reply to it. Those that do not are forgotten, until none is
// left that rests on them.
template <int W>
bool MateSearch<W>::confirmed() {
    do {
        forgot_ = false;
        ++round_;
        if (!confirmed_but_for_the_forgotten()) return false;
    } while (forgot_);
    return true;
}

template <int W>
bool MateSearch<W>::confirmed_but_for_the_forgotten() {
    for (size_t ply = 0;;) {
        Standing standing = glance(ply);
        while (standing != Standing::OPEN) {
            if (ply-- == 0) return standing == Standing::HOLDS;
            position_.pop();
            const bool decides = (standing == Standing::HOLDS) != attacks();
            if (!decides && !plies_[ply].moves.empty())
                standing = Standing::OPEN;
            else if (standing == Standing::FAILS)
                forget();
        }
        position_.push(plies_[ply].moves.back());
        plies_[ply++].moves.pop_back();
    }
}

// What is known of the disproof of the present position; those seen in this round before hold until they are forgotten.
template <int W>
typename MateSearch<W>::Standing MateSearch<W>::glance(size_t ply) {
    visit();
    if (repeats()) return Standing::HOLDS;
    const Place place = here();
    MateTable::Known entry = table_.find(place.board, place.hands, high_);
    if (entry.least == INFINITE_PLIES || (entry.assumed() && entry.round == round_)) return Standing::HOLDS;
    if (!entry.assumed()) return Standing::FAILS;
    entry.round = round_;
    table_.store(place.board, entry);
    at(ply).moves.clear();
    list_moves(plies_[ply].moves);
    return !plies_[ply].moves.empty() ? Standing::OPEN : attacks() ? Standing::HOLDS : Standing::FAILS;
}

template <int W>
void MateSearch<W>::forget() {
    const Place place = here();
    MateTable::Known entry = table_.find(place.board, place.hands, high_);
    entry.pn = entry.dn = 1;
    table_.store(place.board, entry);
    forgot_ = true;
}

// Sets `moves` from `ply` on to a line to the mate, where one within `most` plies is proved, and returns its length:
// the attacker makes a proved move, the defender the one that holds out longest. Where a line turns out shorter than
// the bound by which the defender chose it, he chooses again; so no defence takes longer.
template <int W>
uint16_t MateSearch<W>::follow(size_t ply, uint16_t most, MoveList& moves) {
    enter(ply);
    Ply& here = expand(ply, most);
    // What the table has lost is searched again.
    if (choose(here).pn) search(ply, most, INFINITE_PN, INFINITE_PN);
    Numbers numbers = this->numbers(here);
    if (!numbers.most) moves.resize(ply);
    for (uint16_t followed = INFINITE_PLIES; numbers.most && followed + 1 != numbers.most;
         numbers = this->numbers(here)) {
        const auto child =
            std::ranges::find(here.children, numbers.most - 1, [](const Child& one) { return one.numbers.most; });
        position_.push(child->move);
        followed = follow(ply + 1, child->numbers.most, moves);
        position_.pop();
        path_.resize(ply + 1);
        moves[ply] = child->move;
        child->numbers.most = followed;
    }
    keep(numbers, 1);
    return numbers.most;
}

// Looks for mates that are ever shorter, until there is none.
template <int W>
void MateSearch<W>::shorten(MateReport& report) {
    while (report.line.size() > 1) {
        const Numbers numbers = search(0, uint16_t(report.line.size() - 2), INFINITE_PN, INFINITE_PN);
        if (numbers.pn) break;
        MoveList line;
        follow(0, numbers.most, line);
        report.line = std::move(line);
    }
    report.shortest = true;
}

template <int W>
MateReport MateSearch<W>::run(const MateLimits& limits) {
    this->begin(limits);
    MateReport report;
    const auto& rules = position_.rules();
    if (!rules.mates()) return report;
    table_.clear();
    if (hands_compare()) {
        hand_bits_ = std::min(8, 64 / rules.hands());
        for (int slot = 0; slot < 64 / hand_bits_; ++slot) high_ |= uint64_t(1) << (slot * hand_bits_ + hand_bits_ - 1);
    }
    try {
        Numbers numbers = search(0, ANY, INFINITE_PN, INFINITE_PN);
        while (!numbers.dn && numbers.least <= ANY && !cut_ && !confirmed())
            numbers = search(0, ANY, INFINITE_PN, INFINITE_PN);
        if (!numbers.pn) {
            limits_.nodes = std::max(limits.nodes, nodes_ + TO_FIND_THE_LINE);
            follow(0, numbers.most, report.line);
            report.verdict = Verdict::MATE;
            limits_.nodes = std::min(limits.nodes, nodes_ + TO_SHORTEN + TO_SHORTEN_EACH * nodes_);
            if (limits.shortest) shorten(report);
        } else if (!numbers.dn && !cut_) {
            report.verdict = Verdict::NO_MATE;
        }
    } catch (Stopped) {
        // The end of the line was not reached.
        if (report.verdict == Verdict::UNKNOWN) report.line.clear();
    }
    report.nodes = nodes_;
    report.seconds = this->elapsed();
    return report;
}

KOMADAI_FOR_EACH_SIZE(class MateSearch)

}  // namespace komadai
