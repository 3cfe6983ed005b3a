// The verdict: disproofs that rest on each other, a line to the mate, and the shortest.
#include <algorithm>

#include "mate.hpp"

namespace komadai {

namespace {

// Nodes after the proof: to find what the table has lost of it; to look for shorter mates, for each node of the proof.
constexpr uint64_t TO_FIND_THE_LINE = 1'000'000, TO_SHORTEN = 1'500'000, TO_SHORTEN_EACH = 10;

}  // namespace

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

// Member by member, because mate.cpp has the others.
#define KOMADAI_INSTANTIATE(W)                                            \
    template bool MateSearch<W>::confirmed();                             \
    template bool MateSearch<W>::confirmed_but_for_the_forgotten();       \
    template MateSearch<W>::Standing MateSearch<W>::glance(size_t);       \
    template void MateSearch<W>::forget();                                \
    template uint16_t MateSearch<W>::follow(size_t, uint16_t, MoveList&); \
    template void MateSearch<W>::shorten(MateReport&);                    \
    template MateReport MateSearch<W>::run(const MateLimits&);
KOMADAI_AT_EACH_SIZE(KOMADAI_INSTANTIATE)
#undef KOMADAI_INSTANTIATE

}  // namespace komadai
