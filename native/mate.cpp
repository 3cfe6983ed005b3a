#include "mate.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "tt.hpp"

namespace komadai {

namespace {

// Weights of the first numbers, found by trial. Where the defender is to move: of moves and drops that may help him, to
// be proved not to; of the check to be disproved; of each ply from the root, in quarters.
constexpr uint32_t MOVE = 9, CAPTURE = 13, DROPS = 6, CHECKED = 6, PLY = 3;
// Where the attacker is to move: to begin with; of each point open to the king; of each check; of each ply from the
// root, in quarters. Up to so many checks help to prove a mate, each by half.
constexpr int ATTACK = 2, OPEN_POINT = 4, CHECK = 6, ATTACKING_PLY = 2, HELPFUL_CHECKS = 8;

// Proofs stay in the table for longer than other positions of as much work, since the line needs them.
constexpr uint64_t WORTH_OF_PROOF = 8;

// Nodes after the proof: besides those of the proof, to find what the table has lost of it; to look for shorter mates,
// for each node of the proof.
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
    if (!counts_) return {position_.key(), {}};
    const int bits = counts_->bits();
    auto word = [&](Side side) {
        uint64_t counts = 0;
        if (bits == 8)
            std::memcpy(&counts, position_.hand(side).data(), sizeof counts);
        else
            for (int slot = 0; slot < position_.rules().hands(); ++slot) {
                const auto count = uint64_t(position_.in_hand(side, slot));
                if (count >> (bits - 1)) throw Stopped{};  // more than a word can hold
                counts |= count << (slot * bits);
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
void MateSearch<W>::enter(const Place& place) {
    const uint64_t key = position_.key();
    path_.push_back({place, key, passed(path_.size()) + mix(key)});
    size_t slot = place.board % SLOTS;
    while (slots_[slot]) slot = next_slot(slot);
    slots_[slot] = uint16_t(path_.size());
}

template <int W>
void MateSearch<W>::leave() {
    size_t slot = path_.back().place.board % SLOTS;
    while (slots_[slot] != path_.size()) slot = next_slot(slot);
    slots_[slot] = 0;
    path_.pop_back();
}

// Calls found(ply) with the plies of the path that have the board until it answers true.
template <int W>
template <class Found>
bool MateSearch<W>::any_on_path(uint64_t board, Found found) const {
    for (size_t slot = board % SLOTS; slots_[slot]; slot = next_slot(slot)) {
        const size_t ply = slots_[slot] - 1u;
        if (path_[ply].place.board == board && found(ply)) return true;
    }
    return false;
}

// True if the path has the position, or one that is better for the attacker: the shortest mate from there does not come
// to this one.
template <int W>
bool MateSearch<W>::comes_again(const Place& place, Numbers& numbers) const {
    return any_on_path(place.board, [&](size_t ply) {
        if (!MateTable::covers(path_[ply].place.hands, place.hands, high_)) return false;
        numbers.since = numbers.until = uint16_t(ply);
        return true;
    });
}

// True if the present position was disproved on a path with the positions that count.
template <int W>
bool MateSearch<W>::loops(Numbers& numbers) const {
    return table_.any_loop(position_.key(), [&](const MateTable::Loop& loop) {
        return any_on_path(loop.first, [&](size_t ply) {
            const size_t last = ply + loop.plies;
            if (last >= path_.size() || passed(last + 1) - passed(ply) != loop.between) return false;
            numbers.since = uint16_t(ply);
            numbers.until = uint16_t(last);
            return true;
        });
    });
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

// Sets the numbers of a child, which is the present position, `ply` plies from the root. If it is new, its moves are
// appended to the list.
template <int W>
void MateSearch<W>::look(Child& child, size_t ply, uint16_t plies, MoveList& list) {
    visit();
    Numbers& numbers = child.numbers = {INFINITE_PN, 0, INFINITE_PLIES};
    if (repeats()) return;
    const Place place = here();
    if (plies == ANY) {
        numbers.least = 0;
        if (comes_again(place, numbers)) return;
        if (ply >= LONGEST) {
            cut_ = true;
            numbers.since = 0;
            numbers.until = uint16_t(ply - 1);
            return;
        }
    }
    const MateTable::Found entry = table_.find(place.board, place.hands, high_);
    numbers.least = entry.least;
    numbers.most = entry.most;
    if (settle(numbers, plies)) {
        numbers.hands = numbers.pn ? entry.of_least : entry.of_most;
        return;
    }
    if (plies == ANY && entry.looped && loops(numbers)) return;
    child.fresh = entry.work <= 1;
    child.old = !child.fresh && entry.ply < ply;
    numbers.pn = entry.pn;
    numbers.dn = entry.dn;
    if (!numbers.pn) {
        numbers = estimate(ply, list);
        numbers.least = std::max(numbers.least, entry.least);
        numbers.most = std::min(numbers.most, entry.most);
        if (settled(numbers)) numbers.hands = hands_of(Ply{}, numbers);
        keep(ply, plies, place, numbers, entry.work ? 0 : 1);
        settle(numbers, plies);
    }
}

template <int W>
void MateSearch<W>::keep(size_t ply, uint16_t plies, const Place& place, const Numbers& numbers, uint64_t work) {
    MateTable::Known entry{place.hands};
    if (numbers.pn && numbers.dn) {
        entry.pn = numbers.pn;
        entry.dn = numbers.dn;
    } else if (!numbers.dn && numbers.since != NOTHING) {
        entry.looped = true;
        const uint64_t between = passed(numbers.until + 1u) - passed(numbers.since);
        table_.store(
            {position_.key(), path_[numbers.since].place.board, between, 0, uint16_t(numbers.until - numbers.since)});
    }
    entry.least = numbers.least;
    entry.most = numbers.most;
    entry.ply = uint16_t(ply);
    if (!numbers.pn) work *= WORTH_OF_PROOF;
    entry.work = MateTable::more_work(0, work);
    if (settled(numbers) && numbers.hands != place.hands) {
        MateTable::Known wider = entry;
        wider.hands = numbers.hands;
        if (numbers.pn)
            wider.most = INFINITE_PLIES;
        else
            wider.least = 0;
        // The other bound of the position itself is of use to searches for the shortest mate alone.
        if (plies == ANY) wider.work = MateTable::more_work(wider.work, table_.forget(place.board, place.hands));
        table_.store(place.board, wider);
        if (plies == ANY) return;
    }
    table_.store(place.board, entry);
}

// The hands with which a settled position, whose verdict rests on no repetition, keeps that verdict. Of a mate: the
// fewest pieces that the attacker needs and the most that the defender may have. Otherwise: the most of the attacker's
// and the fewest of the defender's.
template <int W>
MateTable::Hands MateSearch<W>::hands_of(const Ply& here, const Numbers& numbers) {
    const HandCounts& counts = *counts_;
    const MateTable::Hands held = this->here().hands;
    const bool attacking = attacks();
    // A child's, as they are before the move.
    auto before = [&](const Child& child) {
        MateTable::Hands hands = child.numbers.hands;
        uint64_t& own = attacking ? hands.attacker : hands.defender;
        if (child.move.is_drop())
            own = counts.one_more(own, child.move.from);
        else if (const Piece taken = position_.at(child.move.to); taken != EMPTY)
            if (const int slot = position_.rules().info[taken].captured; slot >= 0) own = counts.one_less(own, slot);
        return hands;
    };
    if (attacking != !!numbers.pn) {
        // One move decides.
        const Child* deciding = nullptr;
        for (const Child& child : here.children) {
            const Numbers& n = child.numbers;
            const bool decides = attacking ? !n.pn : !n.dn && n.since == NOTHING;
            if (decides &&
                (!deciding || (attacking ? n.most < deciding->numbers.most : n.least > deciding->numbers.least)))
                deciding = &child;
        }
        return deciding ? before(*deciding) : held;
    }
    // All moves count, and with another piece in hand there may be more of them.
    MateTable::Hands hands;
    uint64_t& own = attacking ? hands.attacker : hands.defender;
    uint64_t& other = attacking ? hands.defender : hands.attacker;
    own = counts.all();
    for (const Child& child : here.children) {
        const MateTable::Hands its = before(child);
        own = counts.least(own, attacking ? its.attacker : its.defender);
        other = counts.most(other, attacking ? its.defender : its.attacker);
    }
    if (attacking || position_.drops_may_parry()) own &= counts.all_held(attacking ? held.attacker : held.defender);
    return hands;
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
    look(child, ply + 1, fewer(plies), replies);
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
        if (attacking ? !child.numbers.pn : !child.numbers.dn && child.numbers.since == NOTHING) {
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
    Numbers numbers{best.pn, best.dn};
    // All disproofs of checks count; of those of replies the one that rests on the least of the path is chosen.
    if (!attacking) numbers.since = 0;
    for (const Child& child : children) {
        const Numbers& n = child.numbers;
        nearest = {std::min(nearest.least, n.least), std::min(nearest.most, n.most)};
        farthest = {std::max(farthest.least, n.least), std::max(farthest.most, n.most)};
        if (n.dn) continue;
        if (attacking) {
            numbers.since = std::min(numbers.since, n.since);
            numbers.until = std::max(numbers.until, n.until);
        } else if (n.since >= numbers.since) {
            numbers.since = n.since;
            numbers.until = n.until;
        }
    }
    if (attacking || !children.empty()) {
        numbers.least = next(attacking ? nearest.least : farthest.least);
        numbers.most = next(attacking ? nearest.most : farthest.most);
    } else {
        numbers.most = 0;
    }
    return numbers;
}

// Searches the present position, which is on no path yet, until its numbers reach a bound.
//
// Where numbers of a child come from nearer to the root, the search may run in a circle without ever coming to a new
// position. There the bounds are raised until it does (threshold control, Kishimoto and Müller 2008).
template <int W>
typename MateSearch<W>::Numbers MateSearch<W>::search(size_t ply, uint16_t plies, uint32_t most_pn, uint32_t most_dn,
                                                      std::span<const Move> listed, bool fresh) {
    const uint64_t before = nodes_;
    const bool attacking = attacks();
    const Place place = here();
    if (plies == ANY) enter(place);
    Ply& here = expand(ply, plies, listed);
    const unsigned raised_before = raised_;
    BestChild best = choose(here);
    auto decided = [&] { return !best.pn || !best.dn; };
    auto reaches = [&](uint32_t pn, uint32_t dn) { return best.pn >= pn || best.dn >= dn; };
    if (!fresh || !reaches(most_pn, most_dn)) {
        if (plies == ANY && std::ranges::any_of(here.children, &Child::old)) ++raised_;
        while (!decided()) {
            const auto raised = [&](uint32_t bound, uint32_t number) {
                return raised_ && bound < INFINITE_PN ? std::max(bound, number + 1) : bound;
            };
            const uint32_t up_to_pn = raised(most_pn, best.pn), up_to_dn = raised(most_dn, best.dn);
            if (reaches(up_to_pn, up_to_dn)) break;
            Child& child = here.children[best.at];
            const auto [pn, dn] = best.bounds(attacking, up_to_pn, up_to_dn);
            if (child.fresh && raised_) --raised_;
            position_.push(child.move);
            child.numbers = search(ply + 1, fewer(plies), pn, dn,
                                   std::span(here.replies).subspan(child.first, child.listed), child.fresh);
            child.fresh = false;
            position_.pop();
            for (Child& other : here.children)
                if (!other.seen && !deferred(here, other)) look_at(other, ply, plies, here.replies);
            best = choose(here);
            if (!raised_ && raised_before) break;
        }
    }
    raised_ = std::min(raised_, raised_before);
    Numbers numbers = this->numbers(here, best);
    if (settled(numbers)) numbers.hands = hands_of(here, numbers);
    if (plies == ANY) leave();
    if (!numbers.dn && numbers.since != NOTHING) {
        if (numbers.since >= ply) {
            numbers.since = NOTHING;
            numbers.least = INFINITE_PLIES;
            numbers.hands = place.hands;
        } else {
            numbers.until = std::min(numbers.until, uint16_t(ply - 1));
        }
    }
    keep(ply, plies, place, numbers, nodes_ - before + 1);
    return numbers;
}

// --- A line to the mate, and the shortest ---

// Sets `moves` from `ply` on to a line to the mate, where one within `most` plies is proved, and returns its length:
// the attacker makes a proved move, the defender the one that holds out longest. Where a line turns out shorter than
// the bound by which the defender chose it, he chooses again; so no defence takes longer.
template <int W>
uint16_t MateSearch<W>::follow(size_t ply, uint16_t most, MoveList& moves) {
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
        moves[ply] = child->move;
        child->numbers.most = followed;
    }
    const Place place = this->here();
    numbers.hands = place.hands;
    keep(ply, most, place, numbers, 1);
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
        counts_.emplace(rules.hands());
        high_ = counts_->high();
    }
    try {
        const Numbers numbers = search(0, ANY, INFINITE_PN, INFINITE_PN);
        if (!numbers.pn) {
            limits_.nodes = std::max(limits.nodes, 2 * nodes_ + TO_FIND_THE_LINE);
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
