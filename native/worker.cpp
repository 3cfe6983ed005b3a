#include "worker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace komadai {

namespace {

constexpr int INFINITE = MATE + 1;
constexpr int QUIESCENCE_CHECKS = 4;  // plies of quiescence in which all evasions are tried
// Games of compound moves have so many captures that quiescence tries only a few of them.
constexpr int COMPOUND_QUIESCENCE = 3;  // plies
constexpr size_t COMPOUND_WIDTH = 6;    // captures a ply
// Quiescence may visit so many nodes each time it is begun, and so many more in a search. There are games in which it
// would never end: with pieces that may change at every move, or hundreds of captures.
constexpr int64_t QUIESCENCE_SHARE = 24, QUIESCENCE_STOCK = 8'000;
constexpr int FEW_PIECES = 4;  // with so few on the board a side may be stalemated
constexpr int MAY_PASS = 8;    // with so many, on the board and in hand, zugzwang is not expected

// The order of moves: the hash move, captures, killers, quiet moves, losing captures.
constexpr int FIRST = 1 << 30, CAPTURES = 1 << 24, KILLERS = 1 << 23, CLAIMED = 1 << 28;

constexpr size_t SORTED_LATE = 6;        // moves picked one by one before the rest is sorted
constexpr size_t KEPT_SCORES = 1 << 15;  // static scores kept by each thread, few enough for its cache

constexpr int BACK[] = {1, 2, 4};  // the plies before a move whose continuation histories tell its worth

constexpr double POLL_SECONDS = 0.05;

}  // namespace

template <int W>
Worker<W>::Worker(const Evaluation<W>& evaluation, TranspositionTable& table, History<W>& history, Team* team,
                  int number)
    : evaluation_(evaluation), table_(table), history_(history), team_(team), number_(number) {
    counters_.assign(history.columns(), Move{});
    scores_.assign(KEPT_SCORES, 0);
    for (int depth = 1; depth < 64; ++depth)
        for (int move = 1; move < 64; ++move)
            reductions_[size_t(depth)][size_t(move)] =
                int16_t(tuned::REDUCTION + std::log(depth) * std::log(move) * 1000 / tuned::REDUCTION_DIVISOR);
}

template <int W>
void Worker<W>::clear() {
    std::ranges::fill(counters_, Move{});
    std::ranges::fill(scores_, uint64_t(0));
    corrections_.clear();
}

template <int W>
void Worker<W>::prepare(const Position<W>& position, const Limits& limits, Control& control,
                        const std::atomic<bool>& halt) {
    start_ = std::chrono::steady_clock::now();
    position_.emplace(position);
    limits_ = limits;
    control_ = &control;
    halt_ = &halt;
    nodes_ = 0;
    seldepth_ = 0;
    settle_left_ = QUIESCENCE_STOCK;
    hurried_ = false;
    since_null_ = 0;
    root_plies_ = position.plies();
    came_up_.fill(0);
    for (size_t ply = 0; ply < root_plies_; ++ply) ++came_up_[position.past_key(ply) % came_up_.size()];
    ++came_up_[position.key() % came_up_.size()];
    for (Ply& ply : plies_) {
        ply.killers[0] = ply.killers[1] = ply.move = Move{};
        ply.follow = nullptr;
        ply.excluded = 0;
    }
    Ply& here = plies_[0];
    here.moves.clear();
    position_->legal_moves(here.moves);
    if (!limits.only.empty())
        std::erase_if(here.moves, [&](Move move) { return std::ranges::find(limits.only, move) == limits.only.end(); });
    sort(here, 0, 0);
    root_moves_.clear();
    for (size_t i = 0; i < here.moves.size(); ++i) {
        const Move move = pick(here, 0, i);
        root_moves_.push_back({move, -INFINITE, -INFINITE, {move}, 0});
    }
}

// --- Evaluation and ordering ---

template <int W>
int Worker<W>::evaluate() {
    const uint64_t key = position_->key();
    uint64_t& kept = kept_score();
    if (((kept ^ key) & ~uint64_t(UINT16_MAX)) == 0) return int16_t(kept);
    const int score = bounded(scored_.score(*position_, position_->plies() - root_plies_));
    kept = (key & ~uint64_t(UINT16_MAX)) | uint16_t(score);
    return score;
}

// The static score, corrected by what searches of similar positions have found.
template <int W>
int Worker<W>::corrected(int ply) {
    Ply& here = plies_[size_t(ply)];
    const auto move = [&](int back) { return ply >= back ? plies_[size_t(ply - back)].move : Move{}; };
    here.aspects = corrections_.aspects(position_->state(), move(1), move(2));
    corrections_.prefetch(here.aspects);
    return bounded(evaluate() + corrections_.at(here.aspects) * evaluation_.scale() / 100);
}

// Learns how far the static score was from what the search has found, where the search tells.
template <int W>
void Worker<W>::correct(int ply, int depth, int score, int alpha, int beta, bool quiet) {
    const Ply& here = plies_[size_t(ply)];
    if (here.checked || std::abs(score) >= MATE_BOUND || (score > alpha && !quiet)) return;
    if ((score >= beta && score <= here.eval) || (score <= alpha && score >= here.eval)) return;
    corrections_.learn(here.aspects, (score - here.eval) * 100 / evaluation_.scale(), depth);
}

// The history score of a quiet move, with its continuation history.
template <int W>
int Worker<W>::quiet_worth(Move move, int ply) const {
    const size_t at = history_.index(move);
    int worth = 2 * History<W>::read(history_.of(move));
    for (int back : BACK)
        if (ply >= back && plies_[size_t(ply - back)].follow)
            worth += History<W>::read(plies_[size_t(ply - back)].follow[at]);
    return worth;
}

// Raises the history of a quiet move made at that ply, alone and after the moves some plies back.
template <int W>
void Worker<W>::reward(Move move, int ply, std::span<const int> plies_back, int bonus) {
    const size_t at = history_.index(move);
    History<W>::raise(history_.of(move), bonus);
    for (int back : plies_back)
        if (ply >= back && plies_[size_t(ply - back)].follow)
            History<W>::raise(plies_[size_t(ply - back)].follow[at], bonus);
}

// Updates killers, counter-move and histories after a cutoff, and lowers the moves tried before it: quiet ones only if
// the best is quiet.
template <int W>
void Worker<W>::learn(Move best, bool quiet, int depth, int ply) {
    Ply& here = plies_[size_t(ply)];
    const int bonus = bonus_at(depth);
    if (quiet) {
        if (best != here.killers[0]) here.killers[1] = std::exchange(here.killers[0], best);
        if (ply > 0 && plies_[size_t(ply - 1)].follow) counters_[history_.index(plies_[size_t(ply - 1)].move)] = best;
        reward(best, ply, BACK, bonus);
        for (Move move : here.tried) reward(move, ply, BACK, -bonus);
    }
    if (position_->rules().is_compound) return;
    auto capture = [&](Move move) -> auto& { return history_.of_capture(move, position_->at(move.to)); };
    if (!quiet) History<W>::raise(capture(best), bonus);
    for (Move move : here.captured) History<W>::raise(capture(move), -bonus);
}

// After a node in which no move was good enough: the quiet move that led to it was.
template <int W>
void Worker<W>::learn_reply(int depth, int ply) {
    if (ply == 0 || !plies_[size_t(ply - 1)].follow || !plies_[size_t(ply - 1)].quiet_move) return;
    const auto back = std::span(BACK).first(2);
    reward(plies_[size_t(ply - 1)].move, ply - 1, back, bonus_at(depth) / 2);
}

// Scores the moves for pick(), quiet ones only as far as they are killers or a counter-move: most positions are done
// with before another is tried.
template <int W>
void Worker<W>::sort(Ply& here, int ply, uint32_t first) {
    here.scored.clear();
    here.quiet.clear();
    here.sorted = false;
    const Move counter =
        ply > 0 && plies_[size_t(ply - 1)].follow ? counters_[history_.index(plies_[size_t(ply - 1)].move)] : Move{};
    for (size_t at = 0; at < here.moves.size(); ++at) {
        const Move& move = here.moves[at];
        if (first && move.short_id() == first) {
            here.scored.emplace_back(FIRST, at);
            first = 0;
        } else if (tactics_.is_tactical(move)) {
            int order = CAPTURES + tactics_.gain(move) * 8 - evaluation_.value(position_->at(move.from));
            if (tactics_.captures_critical(move)) order += CAPTURES / 2;
            if (!position_->rules().is_compound)
                order += History<W>::read(history_.of_capture(move, position_->at(move.to))) / 8;
            here.scored.emplace_back(order, at);
        } else if (move == here.killers[0]) {
            here.scored.emplace_back(KILLERS + 2, at);
        } else if (move == here.killers[1]) {
            here.scored.emplace_back(KILLERS + 1, at);
        } else if (move == counter) {
            here.scored.emplace_back(KILLERS, at);
        } else {
            here.quiet.push_back(uint16_t(at));
        }
    }
}

template <int W>
void Worker<W>::score_quiet(Ply& here, int ply) {
    for (const uint16_t at : here.quiet) {
        const Move& move = here.moves[at];
        here.scored.emplace_back(quiet_worth(move, ply) - (move.trail ? 1 : 0),
                                 at);  // moves of a single leg come first
    }
    here.quiet.clear();
}

// Moves the best of the moves from `index` on to `index`.
template <int W>
Move Worker<W>::pick(Ply& here, int ply, size_t index) {
    auto next = [&] { return here.scored.begin() + std::ptrdiff_t(index); };
    if (!here.sorted) {
        auto best = std::min_element(next(), here.scored.end());
        if (!here.quiet.empty() && (best == here.scored.end() || best->order() < KILLERS)) {
            score_quiet(here, ply);
            best = std::min_element(next(), here.scored.end());
        }
        if (index >= SORTED_LATE && here.quiet.empty()) {
            std::sort(next(), here.scored.end());
            here.sorted = true;
        } else {
            std::swap(*next(), *best);
        }
    }
    return here.moves[next()->at()];
}

// The move to try after `number` others, the best of those from `index` on that is not put off: losing captures are
// tried after the quiet moves, and those that another thread is searching at last.
template <int W>
typename Worker<W>::Turn Worker<W>::next(Ply& here, int ply, size_t index, int depth, int number) {
    for (;;) {
        const Move move = pick(here, ply, index);
        const int order = here.scored[index].order();
        if (order <= -CLAIMED) return {move, false, (order & 1) != 0};
        const bool first = order == FIRST,
                   quiet = first ? !tactics_.is_tactical(move) : order > -CAPTURES && order < KILLERS + 8;
        int late = order;
        if (team_ && number > 0 && depth >= Claims::LEAST_DEPTH &&
            team_->claims.has(Claims::name(position_->key(), move)))
            late = -2 * CLAIMED + quiet;
        else if (order >= CAPTURES - (CAPTURES >> 1) && !first && !quiet && !tactics_.wins_exchange(move, 0))
            late = order - 4 * CAPTURES;
        if (late == order) return {move, first, quiet};
        const Scored put_off(late, here.scored[index].at());
        here.scored.erase(here.scored.begin() + std::ptrdiff_t(index));
        here.scored.push_back(put_off);
    }
}

// Leaves out the quiet moves from `index` on that give no direct check, and returns their number.
template <int W>
int Worker<W>::leave_quiet(Ply& here, size_t index) {
    auto is_left = [&](size_t at) { return !tactics_.gives_direct_check(here.moves[at]); };
    const auto is_quiet = [](int order) { return order > -CAPTURES && order < KILLERS + 8; };
    const size_t before = here.scored.size() + here.quiet.size();
    std::erase_if(here.quiet, is_left);
    const auto gone = std::remove_if(here.scored.begin() + std::ptrdiff_t(index), here.scored.end(),
                                     [&](const Scored& move) { return is_quiet(move.order()) && is_left(move.at()); });
    here.scored.erase(gone, here.scored.end());
    return int(before - here.scored.size() - here.quiet.size());
}

// Claims a move that is about to be searched, if there are other threads: its name, or 0.
template <int W>
uint64_t Worker<W>::claim_on(Move move, int depth) {
    if (!team_ || depth < Claims::LEAST_DEPTH) return 0;
    const uint64_t name = Claims::name(position_->key(), move);
    team_->claims.add(name);
    return name;
}

// --- Nodes ---

// The score for the side to move if the pieces on the board have ended the game. If it has won though the opponent has
// just moved, that counts as a win by its next move.
template <int W>
std::optional<int> Worker<W>::decided(int ply) const {
    if (!position_->rules().ends_on_board()) return std::nullopt;
    const Outcome outcome = position_->outcome_on_board();
    if (outcome.end == End::NONE) return std::nullopt;
    return outcome.winner == position_->side_to_move() ? MATE - ply - 1 : -(MATE - ply);
}

// The score for the side to move if it reaches a goal with its next move, which becomes the line.
template <int W>
std::optional<int> Worker<W>::wins_at_once(int ply) {
    if (!goals_.any()) return std::nullopt;
    const Move move = goals_.reached(*position_);
    if (move == Move{}) return std::nullopt;
    plies_[size_t(ply)].line.assign(1, move);
    return MATE - ply - 1;
}

template <int W>
void Worker<W>::push(Move move, int ply) {
    Ply& here = plies_[size_t(ply)];
    here.move = move;
    if (move == Move{}) {
        here.follow = nullptr;
        position_->push_null();
    } else {
        here.follow = move.piece == EMPTY ? nullptr : history_.after(move);
        // In compound games threats to survival are not noted: they are found a ply later.
        const auto& rules = position_->rules();
        rules.is_compound && !rules.has_royal ? position_->push(move) : position_->push_noting_check(move);
    }
    table_.prefetch(position_->key());
    __builtin_prefetch(&kept_score());
    ++came_up_[position_->key() % came_up_.size()];
}

template <int W>
void Worker<W>::pop() {
    --came_up_[position_->key() % came_up_.size()];
    position_->pop();
}

template <int W>
void Worker<W>::visit(int ply) {
    const uint64_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
    nodes_.store(nodes, std::memory_order_relaxed);
    seldepth_ = std::max(seldepth_, ply);
    const uint64_t look = position_->rules().is_compound ? 15 : 255;
    if (team_ && (nodes & look) == 0 && team_->depth() >= root_depth_) throw Overtaken{};
    if (number_ > 0) {
        if ((nodes & look) == 0 && halt_->load(std::memory_order_relaxed)) throw Stopped{};
        return;
    }
    if (nodes >= limits_.nodes) return reach_limit();
    if ((nodes & look) != 0) return;
    if (control_->stop.load(std::memory_order_relaxed)) return reach_limit();
    if (limits_.nodes != UINT64_MAX && all_nodes_() >= limits_.nodes) return reach_limit();
    const double now = elapsed();
    if (now - polled_ > POLL_SECONDS) {
        polled_ = now;
        poll_();
    }
    if (control_->pondering.load(std::memory_order_relaxed)) {
        pondered_ = true;
        return;
    }
    if (limits_.seconds > 0 && now >= limits_.seconds) return reach_limit();
    if (pondered_ && limits_.soft > 0 && now >= limits_.soft) return reach_limit();
}

// Ends the search, but the first depth is finished without quiescence, so that there is a move with a reason.
template <int W>
void Worker<W>::reach_limit() {
    if (root_depth_ > 1) throw Stopped{};
    hurried_ = true;
}

template <int W>
std::optional<int> Worker<W>::end_by_repetition(int ply) const {
    if (came_up_[position_->key() % came_up_.size()] < 2) return std::nullopt;
    int win = MATE - ply;
    // No repetition counts across a null move.
    Outcome outcome = since_null_ ? Outcome{} : position_->repetition(position_->rules().repetition);
    if (outcome.end == End::NONE) {
        // The second occurrence within the search, or the third in all, is scored as the end that it leads to, but
        // never as a forced one.
        outcome = position_->repetition(2, std::max(root_plies_, since_null_));
        if (outcome.end == End::NONE) outcome = position_->repetition(3, since_null_);
        win = MATE_BOUND - 1 - ply;
    }
    if (outcome.end == End::NONE) return std::nullopt;
    if (outcome.winner < 0) return 0;
    return outcome.winner == position_->side_to_move() ? win : -win;
}

// True if a null move is a safe lower bound of the score.
template <int W>
bool Worker<W>::may_pass() const {
    const Side side = position_->side_to_move();
    int men = position_->pieces(side).count();
    for (int slot = 0; slot < position_->rules().hands(); ++slot) men += position_->in_hand(side, slot);
    return men >= MAY_PASS;
}

template <int W>
void Worker<W>::extend_line(int ply, Move move) {
    MoveList& line = plies_[size_t(ply)].line;
    const MoveList& rest = plies_[size_t(ply + 1)].line;
    line.assign(1, move);
    line.insert(line.end(), rest.begin(), rest.end());
}

// Begins quiescence, with its share of nodes and what earlier ones have left.
template <int W>
int Worker<W>::settle(int alpha, int beta, int ply) {
    settle_until_ = std::min(settle_left_, int64_t(0));
    settle_left_ += QUIESCENCE_SHARE;
    return quiesce(alpha, beta, ply, QUIESCENCE_CHECKS);
}

template <int W>
// NOLINTNEXTLINE(readability-function-size): one node of quiescence, whose steps share what is known of it
int Worker<W>::quiesce(int alpha, int beta, int ply, int left) {
    visit(ply);
    const bool compound = position_->rules().is_compound;
    Ply& here = plies_[size_t(ply)];
    here.line.clear();
    plies_[size_t(ply + 1)].line.clear();
    if (auto score = decided(ply)) return *score;
    if (auto score = wins_at_once(ply)) return *score;
    if (ply >= MAX_PLY || (compound && left <= QUIESCENCE_CHECKS - COMPOUND_QUIESCENCE)) return evaluate();
    bool checked = position_->last_gave_check() && (!compound || position_->rules().has_royal);
    if (hurried_ || --settle_left_ < settle_until_)
        return checked && !position_->has_legal_move() ? -(MATE - ply) : evaluate();
    if (goals_.any() && !checked && left > 0) checked = goals_.threatened(*position_);
    const bool all = checked && left > 0;
    const bool first = left == QUIESCENCE_CHECKS;

    const uint64_t key = position_->key();
    uint32_t known = 0;
    bool known_pv = false;
    if (auto entry = table_.probe(key)) {
        known = entry->move;
        known_pv = entry->pv;
        const int score = from_table(entry->score, ply);
        if (beta - alpha == 1 && (entry->depth >= 0 || !first) &&
            entry->bound & (score >= beta ? TranspositionTable::LOWER : TranspositionTable::UPPER))
            return score;
    }

    here.moves.clear();
    int best = -INFINITE;
    const int alpha_before = alpha;
    if (all) {
        position_->legal_moves(here.moves);
        if (here.moves.empty()) return -(MATE - ply);
    } else {
        const bool few = !compound && position_->pieces(position_->side_to_move()).count() <= FEW_PIECES;
        if ((checked || few || (!compound && goals_.any())) && !position_->has_legal_move()) return -(MATE - ply);
        best = corrected(ply);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
        position_->legal_captures(here.moves, first && !compound);
        // Changes of kind could go on for long.
        if (settle_until_ < 0 && !first)
            std::erase_if(here.moves, [&](const Move& move) { return !captures_anything(position_->state(), move); });
    }
    const int stand = best;
    const bool narrow = compound && !all;
    if (narrow) std::erase_if(here.moves, [&](Move move) { return !tactics_.wins_material(move); });
    sort(here, ply, known);
    const size_t width = narrow ? std::min(COMPOUND_WIDTH, here.moves.size()) : here.moves.size();
    Move best_move{};
    for (size_t i = 0; i < width; ++i) {
        if (settle_left_ <= settle_until_) {
            if (all) best = std::max(best, evaluate());
            break;
        }
        const Move move = pick(here, ply, i);
        if (!all && !compound) {
            if (!move.is_drop() && stand + tactics_.gain(move) + tuned::QUIESCENCE_MARGIN <= alpha &&
                !tactics_.gives_direct_check(move) && !tactics_.captures_critical(move))
                continue;
            if (!tactics_.wins_exchange(move, 0)) continue;
        }
        push(move, ply);
        const int score = -quiesce(-beta, -alpha, ply + 1, left - 1);
        pop();
        if (score > best) best = score;
        if (score > alpha) {
            alpha = score;
            best_move = move;
            extend_line(ply, move);
        }
        if (alpha >= beta) break;
    }
    table_.store(key, {best_move == Move{} ? 0 : best_move.short_id(), to_table(best, ply), first ? 0 : -1,
                       best >= beta                                     ? TranspositionTable::LOWER
                       : best > alpha_before && beta - alpha_before > 1 ? TranspositionTable::EXACT
                                                                        : TranspositionTable::UPPER,
                       beta - alpha_before > 1 || known_pv});
    return best;
}

// Pruning before any move is tried: the score to return, if it is clear enough.
template <int W>
std::optional<int> Worker<W>::prune(int depth, int alpha, int beta, int ply, bool improving) {
    Ply& here = plies_[size_t(ply)];
    if (beta - alpha > 1 || here.checked || here.excluded || std::abs(beta) >= MATE_BOUND) return std::nullopt;
    const int full = in_full(ply);
    if (full > 1 && !by_captures_) return std::nullopt;
    // A static score would hide that the side has no move.
    if (goals_.any() && root_depth_ <= FULL_DEPTH && !by_captures_ && !position_->has_legal_move())
        return -(MATE - ply);
    const int eval = here.guess;
    // Razoring: so far below alpha that only tactics could help.
    if (full <= by_captures_ && depth <= 3 &&
        eval + margin(tuned::RAZORING + tuned::RAZORING_BY_DEPTH * depth) <= alpha) {
        const int score = settle(alpha, alpha + 1, ply);
        if (score <= alpha) return score;
    }
    // Reverse futility: so far above beta that the opponent avoids this position.
    if (full <= 1 && depth <= 9 && eval - margin(tuned::REVERSE_FUTILITY * (depth - improving)) >= beta) return eval;
    // Null move: still above beta if the opponent moves twice.
    if (depth >= 2 && eval >= beta && here.eval >= beta - margin(tuned::NULL_MARGIN * depth) && may_pass() &&
        (ply == 0 || plies_[size_t(ply - 1)].move != Move{})) {
        const int excess = std::min(100 * (eval - beta) / margin(tuned::NULL_EXCESS), 300);
        const int less = (tuned::NULL_REDUCTION + tuned::NULL_REDUCTION_BY_DEPTH * depth + excess) / 100;
        const size_t before = std::exchange(since_null_, position_->plies() + 1);
        push(Move{}, ply);
        const int score = -search(depth - less, -beta, -beta + 1, ply + 1);
        pop();
        since_null_ = before;
        if (score >= beta) return score >= MATE_BOUND ? beta : score;
    }
    return std::nullopt;
}

// The depth at which a move of that number would be searched, as far as depth and number tell.
template <int W>
int Worker<W>::depth_after(int depth, int number) const {
    return std::max(depth - 1 - lateness(depth, number) / 100, 0);
}

// Late move and futility pruning: whether to skip all further quiet moves that give no direct check.
template <int W>
bool Worker<W>::is_late(int depth, int ply, int number, bool improving, int alpha) const {
    const Ply& here = plies_[size_t(ply)];
    if (here.checked || in_full(ply) > 2 * by_captures_) return false;
    const int tried = tuned::LATE_MOVES + tuned::LATE_MOVES_BY_DEPTH * depth * depth / 10;
    const int most = tried / (improving ? 1 : 2) + (position_->rules().is_compound ? 2 : 0);
    if (depth <= 8 && number >= most) return true;
    const int after = depth_after(depth, number);
    return after <= 7 && here.eval + margin(tuned::FUTILITY + tuned::FUTILITY_BY_DEPTH * after) <= alpha;
}

// Whether to skip a move by its history or what it loses.
template <int W>
bool Worker<W>::is_hopeless(Move move, int depth, int ply, int number, bool quiet) {
    const bool compound = position_->rules().is_compound;
    if (in_full(ply) > 2 * by_captures_) return false;
    if (!quiet) return !compound && depth <= 6 && !tactics_.wins_exchange(move, -margin(tuned::CAPTURE_LOSS) * depth);
    if (plies_[size_t(ply)].checked || tactics_.gives_direct_check(move)) return false;
    const int after = depth_after(depth, number);
    if (after <= 3 && quiet_worth(move, ply) < -tuned::HISTORY_LIMIT * (after + 1)) return true;
    return !compound && after <= 6 && !tactics_.wins_exchange(move, -margin(tuned::QUIET_LOSS) * after * after);
}

template <int W>
int Worker<W>::reduction(int depth, int number, Move move, int ply, bool improving, bool quiet) const {
    if (in_full(ply) > 1 && !by_captures_) return 0;
    const Ply& here = plies_[size_t(ply)];
    int less = lateness(depth, number);
    less += tuned::NOT_IMPROVING * !improving - tuned::NEAR_PV * here.near_pv;
    if (quiet) {
        if (move == here.killers[0] || move == here.killers[1]) less -= tuned::KILLER;
        less -= std::clamp(quiet_worth(move, ply) / tuned::HISTORY_DIVISOR, -tuned::HISTORY_MOST, tuned::HISTORY_MOST);
        less += 100 * (move.trail != 0);
        if (move.is_drop()) less -= tuned::DROP_THREAT * std::min(tactics_.threats(move), 3);
    } else {
        less -= tuned::CAPTURE;
    }
    if (here.checked || position_->last_gave_check()) less -= tuned::CHECK;
    return std::max(less / 100, 0);
}

template <int W>
// NOLINTNEXTLINE(readability-function-size): one node of the search, whose steps share what is known of it
int Worker<W>::search(int depth, int alpha, int beta, int ply) {
    const bool pv = beta - alpha > 1;
    Ply& here = plies_[size_t(ply)];
    here.line.clear();
    const uint32_t excluded = here.excluded;
    if (!excluded) {
        if (auto end = end_by_repetition(ply)) return *end;
        if (auto score = decided(ply)) return *score;
        if (auto score = wins_at_once(ply)) return *score;
        here.checked = position_->last_gave_check() || (goals_.any() && goals_.threatened(*position_));
        // Not where it would keep the first depth from its end.
        if (here.checked && ply < 2 * root_depth_ && !hurried_ && (root_depth_ > 1 || settle_left_ > 0)) ++depth;
        if (depth <= 0 || ply >= MAX_PLY - 1) return settle(alpha, beta, ply);
        visit(ply);
        // No line through here ends sooner than the next ply.
        alpha = std::max(alpha, -(MATE - ply));
        beta = std::min(beta, MATE - ply - 1);
        if (alpha >= beta) return alpha;
    }
    plies_[size_t(ply + 1)].killers[0] = plies_[size_t(ply + 1)].killers[1] = Move{};

    const uint64_t key = position_->key();
    const auto entry = excluded ? std::nullopt : table_.probe(key);
    const int known = entry ? from_table(entry->score, ply) : 0;
    if (!excluded) here.near_pv = pv || (entry && entry->pv);
    if (entry && !pv && entry->bound & (known >= beta ? TranspositionTable::LOWER : TranspositionTable::UPPER) &&
        (entry->depth >= depth || (goals_.any() && std::abs(known) >= MATE_BOUND && (known > 0) == (known >= beta))))
        return known;

    if (!excluded) {
        here.eval = here.guess = here.checked ? -INFINITE : corrected(ply);
        if (entry && !here.checked && std::abs(known) < MATE_BOUND &&
            entry->bound & (known > here.eval ? TranspositionTable::LOWER : TranspositionTable::UPPER))
            here.guess = known;
    }
    const int compared = ply >= 4 && plies_[size_t(ply - 2)].checked ? 4 : 2;  // a check is not evaluated
    const bool improving = !here.checked && (ply < compared || here.eval > plies_[size_t(ply - compared)].eval);
    if (auto score = prune(depth, alpha, beta, ply, improving)) return *score;
    if (depth >= 4 && !(entry && entry->move) && !excluded) --depth;

    // Singular extension: the hash move is much better than all others.
    int extension = 0;
    if (depth >= 7 && entry && entry->move && entry->bound & TranspositionTable::LOWER && entry->depth >= depth - 3 &&
        std::abs(known) < MATE_BOUND && ply < 2 * root_depth_ && !position_->rules().is_compound) {
        const int bound = known - margin(tuned::SINGULAR_MARGIN * depth / 10);
        here.excluded = entry->move;
        const int score = search((depth - 1) / 2, bound - 1, bound, ply);
        here.excluded = 0;
        if (score < bound)
            extension = 1;
        else if (bound >= beta)
            return bound;
        else if (known >= beta)
            extension = -1;
    }

    here.moves.clear();
    here.tried.clear();
    here.captured.clear();
    position_->legal_moves(here.moves);
    if (here.moves.empty()) return -(MATE - ply);
    sort(here, ply, entry ? entry->move : 0);
    int best = -INFINITE, number = 0;
    const int alpha_before = alpha;
    Move best_move{};
    bool late = false;
    for (size_t i = 0; i < here.scored.size() + here.quiet.size(); ++i) {
        if (!late && best > -MATE_BOUND && is_late(depth, ply, number + 1, improving, alpha)) {
            late = true;
            number += leave_quiet(here, i);
            if (i >= here.scored.size() + here.quiet.size()) break;
        }
        const auto [move, first, quiet] = next(here, ply, i, depth, number);
        if (excluded && move.short_id() == excluded) continue;
        ++number;
        if (best > -MATE_BOUND && is_hopeless(move, depth, ply, number, quiet)) continue;
        const uint64_t claim = claim_on(move, depth);
        here.quiet_move = quiet;
        push(move, ply);
        const int after = depth - 1 + (first ? extension : 0);
        int score = 0;
        if (number > 1 + pv && depth >= 2) {
            const int less = std::min(reduction(depth, number, move, ply, improving, quiet), after - 1);
            score = -search(after - std::max(less, 0), -alpha - 1, -alpha, ply + 1);
            if (score > alpha && less > 0) score = -search(after, -alpha - 1, -alpha, ply + 1);
        } else if (!pv || number > 1) {
            score = -search(after, -alpha - 1, -alpha, ply + 1);
        }
        if (pv && (number == 1 || (score > alpha && score < beta))) score = -search(after, -beta, -alpha, ply + 1);
        pop();
        if (claim) team_->claims.remove(claim);
        if (score > best) {
            best = score;
            best_move = move;
        }
        if (score > alpha) {
            alpha = score;
            if (pv) extend_line(ply, move);
        }
        if (alpha >= beta) {
            learn(move, quiet, depth, ply);
            break;
        }
        (quiet ? here.tried : here.captured).push_back(move);
    }
    if (number == 0) return alpha;  // only the excluded move is legal
    if (!excluded) {
        if (best <= alpha_before) learn_reply(depth, ply);
        correct(ply, depth, best, alpha_before, beta, best_move == Move{} || !tactics_.is_tactical(best_move));
    }
    if (!excluded)
        table_.store(key, {best > alpha_before ? best_move.short_id() : 0, to_table(best, ply), std::min(depth, 127),
                           best >= beta          ? TranspositionTable::LOWER
                           : best > alpha_before ? TranspositionTable::EXACT
                                                 : TranspositionTable::UPPER,
                           here.near_pv});
    return best;
}

// --- The root ---

// Searches the root moves from number `number` on, within a window.
template <int W>
int Worker<W>::root(int depth, int alpha, int beta, size_t number) {
    int best = -INFINITE;
    for (size_t i = number; i < root_moves_.size(); ++i) {
        RootMove& move = root_moves_[i];
        const int late = int(i - number);
        const bool quiet = !tactics_.is_tactical(move.move);
        seldepth_ = 0;
        push(move.move, 0);
        int score = 0;
        if (late > 0) {
            const bool reduced =
                depth >= 3 && late >= 3 && quiet && (by_captures_ || !in_full(0)) && !position_->last_gave_check();
            const int less = reduced ? lateness(depth, late) / 200 : 0;
            score = -search(depth - 1 - less, -alpha - 1, -alpha, 1);
            if (score > alpha && less) score = -search(depth - 1, -alpha - 1, -alpha, 1);
        }
        if (late == 0 || (score > alpha && !hurried_)) score = -search(depth - 1, -beta, -alpha, 1);
        pop();
        if (late == 0 || score > alpha) {
            move.score = score;
            move.seldepth = seldepth_;
            move.line.assign(1, move.move);
            move.line.insert(move.line.end(), plies_[1].line.begin(), plies_[1].line.end());
        } else {
            move.score = -INFINITE;
        }
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

// Moves the best root move from number `number` on to that place, by aspiration windows around its last score.
template <int W>
void Worker<W>::deepen(int depth, size_t number) {
    auto better = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    const int expected = root_moves_[number].before;
    int width = margin(tuned::ASPIRATION) + std::abs(expected) / 200, alpha = -INFINITE, beta = INFINITE;
    if (depth >= 4 && std::abs(expected) < MATE_BOUND) {
        alpha = std::max(expected - width, -INFINITE);
        beta = std::min(expected + width, INFINITE);
    }
    root_depth_ = depth;
    for (int tries = 0;; ++tries) {
        const int score = root(depth, alpha, beta, number);
        std::stable_sort(root_moves_.begin() + std::ptrdiff_t(number), root_moves_.end(), better);
        if (score <= alpha && alpha > -INFINITE) {
            beta = (alpha + beta) / 2;
            alpha = tries >= 3 ? -INFINITE : std::max(score - width, -INFINITE);
        } else if (score >= beta && beta < INFINITE) {
            beta = tries >= 3 ? INFINITE : std::min(score + width, INFINITE);
        } else {
            return;
        }
        width *= 2;
    }
}

// The root moves' lines, the best first.
template <int W>
Report Worker<W>::summary(int depth) const {
    Report now{depth, 0, all_nodes_(), elapsed(), table_.hashfull(), {}};
    for (size_t i = 0; i < lines_; ++i) {
        now.lines.push_back({root_moves_[i].score, root_moves_[i].line});
        now.seldepth = std::max({now.seldepth, root_moves_[i].seldepth, int(root_moves_[i].line.size())});
    }
    return now;
}

// The last report of a search that was stopped within a depth.
template <int W>
Report Worker<W>::stopped(const Report& last) {
    std::ranges::stable_sort(root_moves_, std::ranges::greater{}, &RootMove::score);
    // A better move found since the last report counts; with several lines only complete depths do.
    Report now = summary(last.depth);
    std::erase_if(now.lines, [](const Line& line) { return line.score == -INFINITE; });
    if (now.lines.empty() || (lines_ > 1 && !last.lines.empty())) now.lines = last.lines;
    // One that came out above its window has no line of replies yet: the last one stands.
    if (now.lines.size() == 1 && now.lines[0].moves.size() == 1 && !last.lines.empty() &&
        last.lines[0].moves[0] == now.lines[0].moves[0])
        now.lines[0].moves = last.lines[0].moves;
    // No move was finished: any will do.
    if (now.lines.empty()) now.lines.push_back({0, {root_moves_[0].move}});
    return now;
}

// Takes over the lines of the thread that has finished the greatest depth, and returns that depth.
template <int W>
int Worker<W>::catch_up() {
    const Team::Finished best = team_->latest();
    for (RootMove& move : root_moves_) move.score = -INFINITE;
    for (size_t i = 0; i < best.lines.size(); ++i) {
        const auto is_it = [&](const RootMove& move) { return move.move == best.lines[i].moves[0]; };
        const auto found = std::find_if(root_moves_.begin() + std::ptrdiff_t(i), root_moves_.end(), is_it);
        std::rotate(root_moves_.begin() + std::ptrdiff_t(i), found, found + 1);
        root_moves_[i].score = best.lines[i].score;
        root_moves_[i].line = best.lines[i].moves;
        root_moves_[i].seldepth = best.seldepth;
    }
    return best.depth;
}

// Searches one depth, or takes it and those beyond it over from a faster thread; returns the depth.
template <int W>
int Worker<W>::finish(int depth) {
    for (RootMove& move : root_moves_) move.before = move.score;
    try {
        for (size_t i = 0; i < lines_; ++i) {
            deepen(depth, i);
            if (hurried_) lines_ = i + 1;
        }
    } catch (Overtaken) {
        while (position_->plies() > root_plies_) pop();
        since_null_ = 0;
        for (Ply& ply : plies_) ply.excluded = 0;
        return catch_up();
    }
    std::stable_sort(root_moves_.begin(), root_moves_.begin() + std::ptrdiff_t(lines_),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    if (team_) {
        const Report now = summary(depth);
        team_->finish({depth, now.seldepth, now.lines});
    }
    return depth;
}

template <int W>
Report Worker<W>::run(const std::function<void(const Report&)>& report, const std::function<void()>& poll,
                      const std::function<uint64_t()>& all_nodes) {
    poll_ = poll;
    all_nodes_ = all_nodes;
    polled_ = 0;
    pondered_ = false;
    Report last;
    if (root_moves_.empty()) return last;
    lines_ = std::min(size_t(limits_.lines), root_moves_.size());
    int stable = 0;  // depths since the best move changed
    Move leading{};
    for (int depth = 1; depth <= std::min(limits_.depth, MAX_PLY - 1); ++depth) {
        try {
            depth = finish(depth);
        } catch (Stopped) {
            return stopped(last);
        }
        last = summary(depth);
        if (number_ > 0) continue;
        if (report) report(last);
        if (hurried_) break;
        // A mate within the depth searched cannot be improved.
        if (std::ranges::all_of(last.lines, [&](const Line& line) { return MATE - std::abs(line.score) <= depth; }))
            break;
        if (control_->pondering.load(std::memory_order_relaxed)) continue;
        const bool limited = limits_.seconds > 0 || limits_.nodes != UINT64_MAX;
        if (limited && (control_->stop.load() || (root_moves_.size() == 1 && depth >= 4))) break;
        stable = root_moves_[0].move == leading ? stable + 1 : 0;
        leading = root_moves_[0].move;
        if (limits_.soft > 0) {
            // A stable best move needs less time, a falling score more.
            const int fall = depth > 1 ? root_moves_[0].before - root_moves_[0].score : 0;
            const double share = std::max(1.25 - 0.1 * stable, 0.6) * (fall > margin(40) ? 1.4 : 1.0);
            if (elapsed() >= limits_.soft * share) break;
        }
    }
    return last;
}

KOMADAI_FOR_EACH_SIZE(class Worker)

}  // namespace komadai
