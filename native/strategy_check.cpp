#include "strategy_check.hpp"

#include <algorithm>
#include <mutex>

#include "solve.hpp"

namespace komadai {

namespace {

PositionTable table_of(const Position<SMALL>& position) {
    PositionTable table{int(position.side_to_move()), {}, {}};
    for (Cell cell : position.rules().cell_of) table.board.push_back(position.at(cell));
    for (Side side : {BLACK, WHITE}) table.hands[side].assign(position.hand(side).begin(), position.hand(side).end());
    return table;
}

}  // namespace

// All of a position, not a hash of it.
std::string StrategyCheck::key(const TablePosition& position) {
    std::string found(1, char(position.side_to_move()));
    for (Cell cell : position.rules().cell_of)
        for (int part : {position.at(cell) & 0xFF, position.at(cell) >> 8}) found += char(part);
    for (Side side : {BLACK, WHITE}) found.append(position.hand(side).begin(), position.hand(side).end());
    return found;
}

void StrategyCheck::add(const TablePosition& position, int plies, std::vector<std::string> answers) {
    if (!number_.emplace(key(position), entries_.size()).second)
        throw std::invalid_argument("two entries for one position");
    entries_.push_back({table_of(position), plies, std::move(answers)});
}

std::optional<StrategyCheck::Fault> StrategyCheck::run(int threads, const std::function<void(size_t)>& done,
                                                       const std::function<void()>& poll) const {
    std::optional<Fault> first;
    std::mutex mutex;
    run_parallel(
        threads, (entries_.size() + ENTRIES - 1) / ENTRIES,
        [&](size_t task) {
            const size_t stop = std::min(entries_.size(), (task + 1) * ENTRIES);
            for (size_t entry = task * ENTRIES; entry < stop; ++entry) {
                std::optional<std::string> what = fault(entries_[entry]);
                if (!what) continue;
                std::lock_guard lock(mutex);
                if (!first || entry < first->entry) first = {entry, std::move(*what)};
                return;
            }
        },
        done, poll);
    return first;
}

std::optional<std::string> StrategyCheck::fault(const Entry& entry) const {
    auto position = std::get<TablePosition>(make_position(rules_, entry.position));
    if (position.side_to_move() == side_) return "the wrong side is to move";
    MoveList moves;
    position.legal_moves_generic(moves);
    std::vector<std::pair<std::string, Move>> replies;
    for (Move move : moves) replies.emplace_back(names_.text(move), move);
    std::ranges::sort(replies, {}, &std::pair<std::string, Move>::first);
    if (replies.size() != entry.answers.size() || (win_ && !replies.empty() && entry.plies < 1))
        return std::to_string(replies.size()) + " replies, " + std::to_string(entry.answers.size()) + " answers and " +
               std::to_string(entry.plies) + " plies do not fit";
    for (size_t i = 0; i < replies.size(); ++i) {
        const std::string& answer = entry.answers[i];
        position.push(replies[i].second);
        const Outcome end = position.outcome_on_board();
        const bool over = end.end != End::NONE;
        std::optional<std::string> what;
        if ((answer == "-") != over || (over && end.winner != side_))
            what = "the answer " + answer + " does not fit how the game goes on";
        else if (!over)
            what = follow(position, answer, entry.plies);
        if (what) return replies[i].first + ", " + *what;
        position.pop();
    }
    return {};
}

// The answer must be legal, and win at once or lead to another entry.
std::optional<std::string> StrategyCheck::follow(TablePosition& position, const std::string& answer, int plies) const {
    MoveList moves;
    position.legal_moves_generic(moves);
    const auto move = names_.find(moves, answer);
    if (move == moves.end()) return "the answer " + answer + " is illegal";
    position.push(*move);
    const Outcome end = position.outcome_on_board();
    std::optional<std::string> what;
    if (end.end != End::NONE) {
        if (end.winner != side_ || (win_ && plies < 2))
            what = "the answer " + answer + " loses, or wins later than is said";
    } else if (const auto known = number_.find(key(position)); known == number_.end()) {
        what = "the answer " + answer + " leads to a position that has no entry";
    } else if (const int limit = entries_[known->second].plies; win_ && limit > plies - 2) {
        what = "the answer " + answer + " leads to an end in " + std::to_string(limit) +
               " plies: the distance does not fall";
    }
    position.pop();
    return what;
}

}  // namespace komadai
