#include "search.hpp"

#include <algorithm>

namespace komadai {

namespace {

constexpr int INFINITE = MATE + 1;
constexpr int MOBILITY_WORTH = 3;  // hundredths of the least piece for each point reached
constexpr int TEMPO = 10;
constexpr int QUIESCENCE_CHECKS = 4;  // plies of quiescence in which every parry to a check is tried
constexpr int QUIESCENCE_MARGIN = 200;
// Games of several landings and shots a turn have so many captures that quiescence looks at a few of them alone.
constexpr int TURNS_QUIESCENCE = 3;       // plies
constexpr size_t TURNS_WIDTH = 6;         // captures a ply
constexpr uint64_t POLL = (1 << 17) - 1;  // nodes between polls, less one
constexpr uint64_t LOOK = 1023;           // nodes between looks at the clock, less one

// Scores of forced ends count from the root in the search and from the node in the table.
int to_table(int score, int ply) {
    return score >= MATE_BOUND ? score + ply : score <= -MATE_BOUND ? score - ply : score;
}
int from_table(int score, int ply) {
    return score >= MATE_BOUND ? score - ply : score <= -MATE_BOUND ? score + ply : score;
}

}  // namespace

template <int W>
int Search<W>::evaluate() const {
    const auto& rules = position_.rules();
    int score[2] = {0, 0};
    for (Side side : {BLACK, WHITE}) {
        position_.pieces(side).each([&](Point point) {
            score[side] += rules.info[position_.at(rules.cell_of[point])].value;
            return false;
        });
        for (int slot = 0; slot < rules.hands(); ++slot)
            score[side] += position_.in_hand(side, slot) * rules.hand_value[slot];
        // Where armies are large the pieces' values tell their mobility; counting it anew would cost too much.
        if (rules.turns)
            score[side] += position_.ties(side) + position_.command(side);
        else
            score[side] += MOBILITY_WORTH * position_.mobility(side);
    }
    Side us = position_.turn();
    return std::clamp(score[us] - score[~us] + TEMPO, -MATE_BOUND + 1, MATE_BOUND - 1);
}

// What a capture or change of kind wins, in material.
template <int W>
int Search<W>::gain(Move move) const {
    const auto& rules = position_.rules();
    if (move.is_drop()) return 0;
    if (rules.turns) return position_.spoils(move);
    int won = rules.info[move.piece].value - rules.info[position_.at(move.from)].value;
    Piece taken = position_.at(move.to);
    if (taken != EMPTY) {
        won += rules.info[taken].value;
        if (int slot = rules.info[taken].captured; slot >= 0) won += rules.hand_value[slot];
    }
    return won;
}

// Whether the move takes something or changes what the piece is.
template <int W>
bool Search<W>::is_tactical(Move move) const {
    if (move.is_drop()) return false;
    if (position_.rules().turns) return move.flags || position_.takes(move);
    return position_.at(move.to) != EMPTY || move.flags;
}

// Whether what the move takes is worth more than the mover, where the opponent might take it in turn.
template <int W>
bool Search<W>::pays(Move move) const {
    const int won = position_.spoils(move);
    if (won <= 0 || move.piece == EMPTY) return won > 0;
    const int risked = position_.rules().info[move.piece].value;
    return won > risked || !position_.attacked(move.to, ~position_.turn(), move.from);
}

// The score of a game that the last move has decided by what it took, for the side to move.
template <int W>
std::optional<int> Search<W>::decided(int ply) const {
    if (!position_.rules().turns) return std::nullopt;
    if (!position_.alive(position_.turn())) return -(MATE - ply);
    if (!position_.alive(~position_.turn())) return MATE - ply;
    return std::nullopt;
}

// In games without kings nobody is in check as the search means it; what threatens is seen a ply later.
template <int W>
bool Search<W>::in_check() {
    return !position_.rules().turns && position_.in_check(position_.turn());
}

template <int W>
void Search<W>::push(Move move) {
    if (position_.rules().turns)
        position_.push(move);
    else
        position_.push_noting_check(move);
}

template <int W>
void Search<W>::visit() {
    ++nodes_;
    if (nodes_ >= limits_.nodes) throw Stopped{};
    if ((nodes_ & LOOK) == 0 &&
        (stop_.load(std::memory_order_relaxed) || (limits_.seconds > 0 && elapsed() >= limits_.seconds)))
        throw Stopped{};
    if ((nodes_ & POLL) == 0) poll_();
}

template <int W>
std::optional<int> Search<W>::end_by_repetition(int ply) const {
    const int end = position_.rules().repetition;
    Outcome outcome = position_.repetition(end);
    int win = MATE - ply;
    if (outcome.end == End::NONE) {
        // Coming back once within the search is taken for the end it would lead to, but never called a forced one.
        outcome = position_.repetition(2, root_plies_);
        win = MATE_BOUND - 1 - ply;
    }
    if (outcome.end == End::NONE) return std::nullopt;
    if (outcome.winner < 0) return 0;
    return outcome.winner == position_.turn() ? win : -win;
}

template <int W>
void Search<W>::sort(Ply& ply, uint64_t first) {
    const auto& rules = position_.rules();
    ply.order.clear();
    for (Move move : ply.moves) {
        int order;
        if (move.id() == first) {
            order = 1 << 30;
        } else if (is_tactical(move)) {
            order = (1 << 20) + gain(move) * 8 - rules.info[position_.at(move.from)].value;
        } else if (move == ply.killers[0] || move == ply.killers[1]) {
            order = 1 << 19;
        } else {
            order = history(move) - (move.trail ? 1 : 0);  // of quiet moves those of one leg first
        }
        ply.order.push_back(order);
    }
}

template <int W>
Move Search<W>::pick(Ply& ply, size_t index) {
    size_t best = index;
    for (size_t i = index + 1; i < ply.moves.size(); ++i)
        if (ply.order[i] > ply.order[best]) best = i;
    std::swap(ply.moves[index], ply.moves[best]);
    std::swap(ply.order[index], ply.order[best]);
    return ply.moves[index];
}

template <int W>
int Search<W>::quiesce(int alpha, int beta, int ply, int checks) {
    visit();
    const bool turns = position_.rules().turns;
    Ply& here = plies_[ply];
    here.line.clear();
    if (auto score = decided(ply)) return *score;
    if (ply >= MAX_PLY || (turns && checks <= QUIESCENCE_CHECKS - TURNS_QUIESCENCE)) return evaluate();
    bool checked = in_check();
    here.moves.clear();
    int best = -INFINITE;
    bool all = checked && checks > 0;
    if (all) {
        position_.legal_moves(here.moves);
        if (here.moves.empty()) return -(MATE - ply);
    } else {
        if (!turns && !position_.has_legal_move()) return -(MATE - ply);
        best = evaluate();
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
        position_.legal_captures(here.moves);
    }
    int stand = best;
    if (turns) std::erase_if(here.moves, [&](Move move) { return !pays(move); });
    sort(here, 0);
    const size_t width = turns ? TURNS_WIDTH : here.moves.size();
    for (size_t i = 0; i < std::min(width, here.moves.size()); ++i) {
        Move move = pick(here, i);
        if (!all && stand + gain(move) + QUIESCENCE_MARGIN <= alpha) continue;
        push(move);
        int score = -quiesce(-beta, -alpha, ply + 1, checks - 1);
        position_.pop();
        if (score > best) best = score;
        if (score > alpha) {
            alpha = score;
            here.line.assign(1, move);
            if (ply < MAX_PLY)
                here.line.insert(here.line.end(), plies_[ply + 1].line.begin(), plies_[ply + 1].line.end());
        }
        if (alpha >= beta) break;
    }
    return best;
}

template <int W>
int Search<W>::search(int depth, int alpha, int beta, int ply) {
    Ply& here = plies_[ply];
    here.line.clear();
    if (auto end = end_by_repetition(ply)) return *end;
    if (auto score = decided(ply)) return *score;
    bool checked = in_check();
    if (checked) ++depth;
    if (depth <= 0 || ply >= MAX_PLY - 1) return quiesce(alpha, beta, ply, QUIESCENCE_CHECKS);
    visit();
    // No line through here ends sooner than the next ply.
    alpha = std::max(alpha, -(MATE - ply));
    beta = std::min(beta, MATE - ply - 1);
    if (alpha >= beta) return alpha;

    auto& entry = table_.at(position_.key());
    uint64_t first = 0;
    if (entry.key == position_.key() && entry.bound != TranspositionTable::NONE) {
        first = entry.move;
        int score = from_table(entry.score, ply);
        if (entry.depth >= depth && beta - alpha == 1 &&
            ((entry.bound & TranspositionTable::LOWER && score >= beta) ||
             (entry.bound & TranspositionTable::UPPER && score <= alpha)))
            return score;
    }

    here.moves.clear();
    position_.legal_moves(here.moves);
    if (here.moves.empty()) return -(MATE - ply);
    sort(here, first);
    int best = -INFINITE, alpha_before = alpha;
    Move best_move{};
    for (size_t i = 0; i < here.moves.size(); ++i) {
        Move move = pick(here, i);
        bool quiet = here.order[i] < 1 << 19;
        push(move);
        int score;
        if (i == 0) {
            score = -search(depth - 1, -beta, -alpha, ply + 1);
        } else {
            int reduction = quiet && !checked && depth >= 3 && i >= 4 ? 1 + (i >= 16) + (move.trail != 0) : 0;
            score = -search(depth - 1 - reduction, -alpha - 1, -alpha, ply + 1);
            if (score > alpha && reduction) score = -search(depth - 1, -alpha - 1, -alpha, ply + 1);
            if (score > alpha && score < beta) score = -search(depth - 1, -beta, -alpha, ply + 1);
        }
        position_.pop();
        if (score > best) {
            best = score;
            best_move = move;
        }
        if (score > alpha) {
            alpha = score;
            here.line.assign(1, move);
            here.line.insert(here.line.end(), plies_[ply + 1].line.begin(), plies_[ply + 1].line.end());
        }
        if (alpha >= beta) {
            if (quiet) {
                if (move != here.killers[0]) here.killers[1] = std::exchange(here.killers[0], move);
                history(move) = std::min(history(move) + depth * depth, 1 << 18);
            }
            break;
        }
    }
    auto bound = best >= beta          ? TranspositionTable::LOWER
                 : best > alpha_before ? TranspositionTable::EXACT
                                       : TranspositionTable::UPPER;
    entry = {position_.key(), best_move.id(), int16_t(to_table(best, ply)), int8_t(depth), bound};
    return best;
}

// The best of the root moves that are not excluded, each searched to `depth`.
template <int W>
int Search<W>::root(int depth, const std::vector<Move>& excluded, MoveList& line) {
    int alpha = -INFINITE;
    for (Move move : root_moves_) {
        if (std::find(excluded.begin(), excluded.end(), move) != excluded.end()) continue;
        push(move);
        int score;
        if (alpha == -INFINITE) {
            score = -search(depth - 1, -INFINITE, INFINITE, 1);
        } else {
            score = -search(depth - 1, -alpha - 1, -alpha, 1);
            if (score > alpha) score = -search(depth - 1, -INFINITE, -alpha, 1);
        }
        position_.pop();
        if (score > alpha) {
            alpha = score;
            line.assign(1, move);
            line.insert(line.end(), plies_[1].line.begin(), plies_[1].line.end());
            partial_ = {alpha, line};
        }
    }
    return alpha;
}

template <int W>
Report Search<W>::run(const Limits& limits, const std::function<void(const Report&)>& report) {
    start_ = std::chrono::steady_clock::now();
    limits_ = limits;
    nodes_ = 0;
    root_plies_ = position_.plies();
    position_.legal_moves(root_moves_);
    Report last;
    if (root_moves_.empty()) return last;
    if (position_.rules().turns) {
        Ply first{root_moves_, {}, {}, {}};
        sort(first, 0);
        for (size_t i = 0; i < first.moves.size(); ++i) root_moves_[i] = pick(first, i);
    }
    for (int depth = 1; depth <= std::min(limits.depth, MAX_PLY - 1); ++depth) {
        std::vector<Line> lines;
        std::vector<Move> excluded;
        try {
            while (int(lines.size()) < limits.lines && excluded.size() < root_moves_.size()) {
                Line line;
                line.score = root(depth, excluded, line.moves);
                excluded.push_back(line.moves.front());
                lines.push_back(std::move(line));
            }
        } catch (Stopped) {
            while (position_.plies() > root_plies_) position_.pop();
            last.nodes = nodes_;
            last.seconds = elapsed();
            // Not even one ply was finished: the best move so far, or any.
            if (last.lines.empty())
                last.lines.push_back(partial_.moves.empty() ? Line{0, {root_moves_.front()}} : partial_);
            break;
        }
        // The best lines lead the next depth.
        std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
        for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
            auto at = std::find(root_moves_.begin(), root_moves_.end(), line->moves.front());
            std::rotate(root_moves_.begin(), at, at + 1);
        }
        last = {depth, nodes_, elapsed(), std::move(lines)};
        if (report) report(last);
        // A forced end that is nearer than the depth searched will not get any better.
        if (std::all_of(last.lines.begin(), last.lines.end(),
                        [&](const Line& line) { return MATE - std::abs(line.score) <= depth; }))
            break;
        bool limited = limits.seconds > 0 || limits.nodes != UINT64_MAX;
        if (limited && (stop_.load() || (root_moves_.size() == 1 && depth >= 4))) break;
    }
    return last;
}

template class Search<2>;
template class Search<6>;
template class Search<10>;

}  // namespace komadai
