#include "forced_win.hpp"

#include <algorithm>

namespace komadai {

namespace {

constexpr uint64_t POLL_TURNS = (1 << 10) - 1;

}  // namespace

template <int W>
ForcedWinSearch<W>::ForcedWinSearch(const Position<W>& position, uint64_t nodes, std::function<void()> poll)
    : position_(position),
      goals_(position_.rules()),
      most_nodes_(nodes),
      poll_(std::move(poll)),
      root_(position.plies()) {}

template <int W>
void ForcedWinSearch<W>::visit() {
    if (nodes_ >= most_nodes_) throw Stopped{};
    if ((++nodes_ & POLL_TURNS) == 0) poll_();
}

// The number of the side that has won, or -1, once the game is over. Of games of compound moves without royal pieces
// only the ends on the board count, which is what their players look for.
template <int W>
std::optional<int> ForcedWinSearch<W>::winner() {
    const Outcome outcome = by_extinction() ? position_.outcome_on_board() : position_.outcome();
    return outcome.end == End::NONE ? std::nullopt : std::optional(outcome.winner);
}

template <int W>
bool ForcedWinSearch<W>::wins_at_once() {
    if (by_extinction())
        return position_.in_check(~position_.side_to_move()) || (goals_.any() && goals_.reached(position_));
    return position_.winning_move() != Move{};
}

template <int W>
MoveList& ForcedWinSearch<W>::turns_of(size_t depth) {
    while (lists_.size() <= depth) lists_.emplace_back();
    best_.resize(std::max(best_.size(), depth + 1));
    MoveList& moves = lists_[depth];
    moves.clear();
    position_.legal_moves(moves);
    std::ranges::stable_partition(moves, [&](Move move) { return captures_anything(position_.state(), move); });
    const auto best = std::ranges::find(moves, best_[depth]);
    if (best != moves.end()) std::rotate(moves.begin(), best, best + 1);
    return moves;
}

// The attacker is to move.
template <int W>
bool ForcedWinSearch<W>::wins(int turns) {
    visit();
    if (const auto over = winner()) return *over == int(position_.side_to_move());
    if (turns == 1 || by_extinction()) {
        if (wins_at_once()) return true;
        if (turns == 1) return false;
    }
    const size_t depth = position_.plies() - root_;
    for (Move move : turns_of(depth)) {
        position_.push(move);
        const Takeback taken(position_);
        if (loses(turns - 1)) return best_[depth] = move, true;
    }
    return false;
}

// The defender is to move, and the attacker has so many turns left.
template <int W>
bool ForcedWinSearch<W>::loses(int turns) {
    visit();
    if (const auto over = winner()) return *over == int(~position_.side_to_move());
    const size_t depth = position_.plies() - root_;
    for (Move move : turns_of(depth)) {
        position_.push(move);
        const Takeback taken(position_);
        if (!wins(turns)) return best_[depth] = move, false;
    }
    return true;
}

// The fewest turns, at most so many, in which the side to move wins, and the first ones that do; 0: none.
template <int W>
int ForcedWinSearch<W>::shortest(int turns, bool every, MoveList& firsts) {
    MoveList moves;
    position_.legal_moves(moves);
    for (int within = 1; within <= turns && firsts.empty(); ++within) {
        for (Move move : moves) {
            visit();
            position_.push(move);
            const Takeback taken(position_);
            if (within > 1 ? !loses(within - 1) : winner() != int(~position_.side_to_move())) continue;
            firsts.push_back(move);
            if (!every) break;
        }
        if (!firsts.empty()) return within;
    }
    return 0;
}

// Appends a turn that wins within so many, and what follows.
template <int W>
void ForcedWinSearch<W>::follow(Move first, int turns, MoveList& line) {
    line.push_back(first);
    if (turns == 1) return;
    position_.push(first);
    const Takeback taken(position_);
    ForcedWinReport rest;
    answer(rest, turns - 1);
    line.insert(line.end(), rest.line.begin(), rest.line.end());
}

template <int W>
void ForcedWinSearch<W>::answer(ForcedWinReport& report, int turns) {
    MoveList moves;
    position_.legal_moves(moves);
    Move best{}, next{};
    size_t fewest = 0;
    for (Move move : moves) {
        position_.push(move);
        const Takeback taken(position_);
        if (winner() == int(position_.side_to_move())) continue;  // it reaches a goal for the other side
        MoveList firsts;
        const int left = shortest(turns, false, firsts);
        if (!left) {
            report.turns = 0;
            report.line.assign(1, move);
            return;
        }
        if (left < report.turns) continue;
        if (left == 1) {
            firsts.clear();
            shortest(1, true, firsts);
        }
        if (left == report.turns && firsts.size() >= fewest) continue;
        report.turns = left;
        fewest = firsts.size();
        best = move;
        next = firsts.front();
    }
    if (!report.turns) return;
    report.line.assign(1, best);
    position_.push(best);
    const Takeback taken(position_);
    follow(next, report.turns, report.line);
}

template <int W>
ForcedWinReport ForcedWinSearch<W>::attack(int turns, bool every) {
    return guarded([&](ForcedWinReport& report) {
        report.turns = shortest(turns, every, report.firsts);
        if (report.turns) follow(report.firsts.front(), report.turns, report.line);
    });
}

template <int W>
ForcedWinReport ForcedWinSearch<W>::defend(int turns) {
    return guarded([&](ForcedWinReport& report) { answer(report, turns); });
}

template <int W>
ForcedWinReport ForcedWinSearch<W>::guarded(const std::function<void(ForcedWinReport&)>& search) {
    ForcedWinReport report;
    try {
        search(report);
    } catch (const Stopped&) {
        report = {};
        report.known = false;
    }
    report.nodes = nodes_;
    return report;
}

KOMADAI_FOR_EACH_SIZE(class ForcedWinSearch)

}  // namespace komadai
