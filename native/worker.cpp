#include "worker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace komadai {

namespace {

constexpr int QUIESCENCE_CHECKS = 4;  // plies of quiescence in which all evasions are tried
// Quiescence may visit so many nodes each time it is begun, and so many more in a search. There are games in which it
// would never end: with pieces that may change at every move, or hundreds of captures.
constexpr int64_t QUIESCENCE_SHARE = 24, QUIESCENCE_STOCK = 8'000;
constexpr int FEW_PIECES = 4;  // with so few on the board a side may be stalemated
constexpr int MAY_PASS = 8;    // with so many, on the board and in hand, zugzwang is not expected

constexpr size_t KEPT_SCORES = 1 << 15;  // static scores kept by each thread, few enough for its cache

// True if the entry's bound proves on which side of `limit` its score lies.
bool tells(const TranspositionTable::Entry& entry, int score, int limit) {
    return (entry.bound & (score >= limit ? TranspositionTable::LOWER : TranspositionTable::UPPER)) != 0;
}

TranspositionTable::Bound bound_of(int score, int alpha, int beta) {
    if (score >= beta) return TranspositionTable::LOWER;
    return score > alpha ? TranspositionTable::EXACT : TranspositionTable::UPPER;
}

}  // namespace

template <int W, template <int> class Game>
Worker<W, Game>::Worker(SharedState<W>& shared, int number)
    : RootSearch(shared.table, shared.team, number, shared.evaluation.scale(), TUNED.ASPIRATION, Game<W>::NODES_A_LOOK),
      shared_(shared),
      counters_(shared.history.columns()),
      scores_(KEPT_SCORES),
      plies_(LONGEST, Ply(game_, history_)) {
    for (int depth = 1; depth < 64; ++depth)
        for (int move = 1; move < 64; ++move)
            reductions_[size_t(depth)][size_t(move)] =
                int16_t(TUNED.REDUCTION + std::log(depth) * std::log(move) * 1000 / TUNED.REDUCTION_DIVISOR);
}

template <int W, template <int> class Game>
void Worker<W, Game>::clear() {
    std::ranges::fill(counters_, Move{});
    std::ranges::fill(scores_, uint64_t(0));
    corrections_.clear();
}

template <int W, template <int> class Game>
MoveList Worker<W, Game>::begin() {
    position_.emplace(*shared_.position);
    settle_left_ = QUIESCENCE_STOCK;
    since_null_ = 0;
    root_plies_ = position_->plies();
    came_up_.fill(0);
    for (size_t ply = 0; ply < root_plies_; ++ply) ++came_up_[position_->past_key(ply) % came_up_.size()];
    ++came_up_[position_->key() % came_up_.size()];
    for (Ply& ply : plies_) {
        ply.killers = {};
        ply.move = Move{};
        ply.follow = nullptr;
        ply.excluded.reset();
    }
    auto& picker = at(0).picker;
    picker.moves.clear();
    position_->legal_moves(picker.moves);
    pick_moves(0, 0, false);
    MoveList moves;
    while (const auto picked = picker.next()) moves.push_back(picked->move);
    return moves;
}

template <int W, template <int> class Game>
void Worker<W, Game>::unwind() {
    while (position_->plies() > root_plies_) pop();
    since_null_ = 0;
    for (Ply& ply : plies_) ply.excluded.reset();
}

// --- Evaluation and ordering ---

template <int W, template <int> class Game>
int Worker<W, Game>::evaluate() {
    const uint64_t key = position_->key();
    uint64_t& kept = kept_score();
    if (((kept ^ key) & ~uint64_t(UINT16_MAX)) == 0) return int16_t(kept);
    const int score = bounded(scored_.score(*position_, position_->plies() - root_plies_));
    kept = (key & ~uint64_t(UINT16_MAX)) | uint16_t(score);
    return score;
}

// The static score, corrected by what searches of similar positions have found.
template <int W, template <int> class Game>
int Worker<W, Game>::corrected(int ply) {
    Ply& here = at(ply);
    const auto move = [&](int back) { return ply >= back ? at(ply - back).move : Move{}; };
    here.aspects = corrections_.aspects(position_->state(), move(1), move(2));
    corrections_.prefetch(here.aspects);
    return bounded(evaluate() + corrections_.at(here.aspects) / TUNED.CORRECTION_UNIT * evaluation_.scale() / 100);
}

// Updates the correction history unless the bound says nothing about the static evaluation.
template <int W, template <int> class Game>
void Worker<W, Game>::correct(int ply, int depth, int score, int alpha, int beta, bool quiet) {
    const Ply& here = at(ply);
    if (here.checked || std::abs(score) >= MATE_BOUND || (score > alpha && !quiet)) return;
    if ((score >= beta && score <= here.eval) || (score <= alpha && score >= here.eval)) return;
    corrections_.learn(here.aspects, (score - here.eval) * 100 / evaluation_.scale(), depth);
}

// Hands the moves of a node to its picker, with killers, counter-move and continuation histories.
template <int W, template <int> class Game>
void Worker<W, Game>::pick_moves(int ply, uint32_t hash_move, bool losing_last) {
    Ply& here = at(ply);
    for (size_t i = 0; i < here.after.size(); ++i) {
        const int back = History<W>::BACK[i];
        here.after[i] = ply >= back ? at(ply - back).follow : nullptr;
    }
    const Move* counter = counter_move(ply);
    here.picker.begin(hash_move, {here.killers[0], here.killers[1], counter ? *counter : Move{}}, here.after,
                      losing_last);
}

// Where the counter-move to the last move is kept; null if there was no move.
template <int W, template <int> class Game>
Move* Worker<W, Game>::counter_move(int ply) {
    return ply > 0 && at(ply - 1).follow ? &counters_[history_.index(at(ply - 1).move)] : nullptr;
}

// After a cutoff: updates killers, counter-move and histories, and lowers the moves tried before; quiet ones only if
// the best move is quiet.
template <int W, template <int> class Game>
void Worker<W, Game>::learn(Move best, bool quiet, int depth, int ply) {
    Ply& here = at(ply);
    const int bonus = bonus_at(depth);
    if (quiet) {
        if (best != here.killers[0]) here.killers[1] = std::exchange(here.killers[0], best);
        if (Move* counter = counter_move(ply)) *counter = best;
        history_.raise_quiet(best, here.after, bonus);
        for (Move move : here.tried) history_.raise_quiet(move, here.after, -bonus);
    }
    if constexpr (Game<W>::CAPTURE_HISTORY) {
        auto capture = [&](Move move) -> auto& { return history_.of_capture(move, position_->at(move.to)); };
        if (!quiet) History<W>::raise(capture(best), bonus);
        for (Move move : here.captured) History<W>::raise(capture(move), -bonus);
    }
}

// After a fail-low: rewards the quiet move that led to the node.
template <int W, template <int> class Game>
void Worker<W, Game>::learn_reply(int depth, int ply) {
    if (ply == 0 || !at(ply - 1).follow || !at(ply - 1).quiet_move) return;
    const Ply& before = at(ply - 1);
    history_.raise_quiet(before.move, std::span(before.after).first(2), bonus_at(depth) / 2);
}

// --- Nodes ---

// The score for the side to move if the pieces on the board have ended the game. If it has won though the opponent has
// just moved, that counts as a win by its next move.
template <int W, template <int> class Game>
std::optional<int> Worker<W, Game>::decided(int ply) const {
    if (!position_->rules().ends_on_board()) return std::nullopt;
    const Outcome outcome = position_->outcome_on_board();
    if (outcome.end == End::NONE) return std::nullopt;
    return outcome.winner == position_->side_to_move() ? MATE - ply - 1 : -(MATE - ply);
}

// The score for the side to move if it reaches a goal with its next move, which becomes the line.
template <int W, template <int> class Game>
std::optional<int> Worker<W, Game>::wins_at_once(int ply) {
    if (!goals_.any()) return std::nullopt;
    const std::optional<Move> move = goals_.reached(*position_);
    if (!move) return std::nullopt;
    at(ply).line.assign(1, *move);
    return MATE - ply - 1;
}

template <int W, template <int> class Game>
void Worker<W, Game>::push(Move move, int ply) {
    at(ply).move = move;
    at(ply).follow = move.piece == EMPTY ? nullptr : history_.after(move);
    game_.push(*position_, move);
    enter();
}

template <int W, template <int> class Game>
void Worker<W, Game>::push_null(int ply) {
    at(ply).move = Move{};
    at(ply).follow = nullptr;
    position_->push_null();
    enter();
}

// After a move: prefetches the table entry and the static score.
template <int W, template <int> class Game>
void Worker<W, Game>::enter() {
    table_.prefetch(position_->key());
    __builtin_prefetch(&kept_score());
    ++came_up_[position_->key() % came_up_.size()];
}

template <int W, template <int> class Game>
void Worker<W, Game>::pop() {
    --came_up_[position_->key() % came_up_.size()];
    position_->pop();
}

template <int W, template <int> class Game>
std::optional<int> Worker<W, Game>::end_by_repetition(int ply) const {
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
template <int W, template <int> class Game>
bool Worker<W, Game>::may_pass() const {
    const Side side = position_->side_to_move();
    int men = position_->pieces(side).count();
    for (int slot = 0; slot < position_->rules().hands(); ++slot) men += position_->in_hand(side, slot);
    return men >= MAY_PASS;
}

template <int W, template <int> class Game>
void Worker<W, Game>::extend_line(int ply, Move move) {
    MoveList& line = at(ply).line;
    const MoveList& rest = at(ply + 1).line;
    line.assign(1, move);
    line.insert(line.end(), rest.begin(), rest.end());
}

// --- Quiescence ---

// Begins quiescence, with its share of nodes and what earlier ones have left.
template <int W, template <int> class Game>
int Worker<W, Game>::settle(int alpha, int beta, int ply) {
    settle_until_ = std::min(settle_left_, int64_t(0));
    settle_left_ += QUIESCENCE_SHARE;
    return quiesce(alpha, beta, ply, QUIESCENCE_CHECKS);
}

// True if a side without check, and with few pieces or near a goal, has no legal move.
template <int W, template <int> class Game>
bool Worker<W, Game>::is_stalemate() {
    if constexpr (!Game<W>::STALEMATES) return false;
    const bool few = position_->pieces(position_->side_to_move()).count() <= FEW_PIECES;
    return (few || goals_.any()) && !position_->has_legal_move();
}

// Lists the captures and promotions that quiescence tries; on its first ply also drops that give check.
template <int W, template <int> class Game>
void Worker<W, Game>::list_tactical_moves(int ply, bool first) {
    MoveList& moves = at(ply).picker.moves;
    position_->legal_captures(moves, first && Game<W>::QUIET_CHECKS);
    // Changes of kind could go on for long.
    if (settle_until_ < 0 && !first)
        std::erase_if(moves, [&](const Move& move) { return !captures_anything(position_->state(), move); });
    if constexpr (!Game<W>::EXCHANGES) std::erase_if(moves, [&](Move move) { return !game_.wins_exchange(move); });
}

// True if a move that parries no check is not worth trying: it loses material, or wins too little to reach alpha.
template <int W, template <int> class Game>
bool Worker<W, Game>::is_futile(Move move, int stand, int alpha) const {
    if constexpr (!Game<W>::EXCHANGES) return false;
    if (!move.is_drop() && stand + game_.gain(move) + TUNED.QUIESCENCE_MARGIN <= alpha &&
        !game_.gives_direct_check(move) && !game_.captures_critical(move))
        return true;
    return !game_.wins_exchange(move, 0);
}

template <int W, template <int> class Game>
// NOLINTNEXTLINE(readability-function-size): one node of quiescence, whose steps share what is known of it
int Worker<W, Game>::quiesce(int alpha, int beta, int ply, int left) {
    // Step 1. The game is over, or won at once, or the line is too long.
    visit(ply);
    Ply& here = at(ply);
    here.line.clear();
    at(ply + 1).line.clear();
    if (auto score = decided(ply)) return *score;
    if (auto score = wins_at_once(ply)) return *score;
    if (ply >= MAX_PLY || QUIESCENCE_CHECKS - left >= Game<W>::QUIESCENCE_PLIES) return evaluate();
    bool checked = game_.gave_check();
    if (hurried_ || --settle_left_ < settle_until_)
        return checked && !position_->has_legal_move() ? -(MATE - ply) : evaluate();
    if (goals_.any() && !checked && left > 0) checked = goals_.threatened(*position_);
    const bool all = checked && left > 0, first = left == QUIESCENCE_CHECKS, pv = beta - alpha > 1;

    // Step 2. Transposition table lookup.
    const uint64_t key = position_->key();
    const Entry entry = table_.probe(key);
    if (entry && !pv && (entry->depth >= 0 || !first))
        if (const int score = from_table(entry->score, ply); tells(*entry, score, beta)) return score;

    // Step 3. Evasions, or the static score and tactical moves.
    here.picker.moves.clear();
    int best = -INFINITE;
    const int alpha_before = alpha;
    if (all) {
        position_->legal_moves(here.picker.moves);
        if (here.picker.moves.empty()) return -(MATE - ply);
    } else {
        if (checked ? !position_->has_legal_move() : is_stalemate()) return -(MATE - ply);
        best = corrected(ply);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
        list_tactical_moves(ply, first);
    }

    // Step 4. Loop through the moves.
    const int stand = best;
    pick_moves(ply, entry ? entry->move : 0, false);
    Move best_move{};
    for (size_t tried = 0; all || tried < Game<W>::QUIESCENCE_MOVES; ++tried) {
        const auto picked = here.picker.next();
        if (!picked) break;
        if (settle_left_ <= settle_until_) {
            if (all) best = std::max(best, evaluate());
            break;
        }
        const Move move = picked->move;
        if (!all && is_futile(move, stand, alpha)) continue;
        push(move, ply);
        const int score = -quiesce(-beta, -alpha, ply + 1, left - 1);
        pop();
        best = std::max(best, score);
        if (score > alpha) {
            alpha = score;
            best_move = move;
            extend_line(ply, move);
        }
        if (alpha >= beta) break;
    }

    // Step 5. Store in the transposition table.
    table_.store(key, {best_move == Move{} ? 0 : best_move.short_id(), to_table(best, ply), first ? 0 : -1,
                       bound_of(best, alpha_before, beta), pv || (entry && entry->pv)});
    return best;
}

// --- The tree ---

// Steps 7 to 9 of search(): the score of a node that need not be searched.
template <int W, template <int> class Game>
std::optional<int> Worker<W, Game>::prune(const Node& node, int alpha, int beta) {
    const auto [depth, ply, pv, improving] = node;
    const Ply& here = at(ply);
    if (pv || here.checked || here.excluded || std::abs(beta) >= MATE_BOUND) return std::nullopt;
    const int full = in_full(ply);
    const bool by_captures = game_.lost_by_captures();
    if (full > 1 && !by_captures) return std::nullopt;
    // A static score would hide that the side has no move.
    if (goals_.any() && root_depth_ <= FULL_DEPTH && !by_captures && !position_->has_legal_move()) return -(MATE - ply);

    // Step 7. Razoring: so far below alpha that only tactics could help.
    if (full <= by_captures && depth <= 3 &&
        here.guess + margin(TUNED.RAZORING + TUNED.RAZORING_BY_DEPTH * depth) <= alpha)
        if (const int score = settle(alpha, alpha + 1, ply); score <= alpha) return score;

    // Step 8. Reverse futility pruning: so far above beta that the opponent avoids this position.
    if (full <= 1 && depth <= 9 && here.guess - margin(TUNED.REVERSE_FUTILITY * (depth - improving)) >= beta)
        return here.guess;

    // Step 9. Null move search: still above beta if the opponent moves twice.
    if (depth >= 2 && here.guess >= beta && here.eval >= beta - margin(TUNED.NULL_MARGIN * depth) && may_pass() &&
        (ply == 0 || at(ply - 1).move != Move{})) {
        const int excess = std::min(100 * (here.guess - beta) / margin(TUNED.NULL_EXCESS), 300);
        const int less = (TUNED.NULL_REDUCTION + TUNED.NULL_REDUCTION_BY_DEPTH * depth + excess) / 100;
        const size_t before = std::exchange(since_null_, position_->plies() + 1);
        push_null(ply);
        const int score = -search(depth - less, -beta, -beta + 1, ply + 1);
        pop();
        since_null_ = before;
        if (score >= beta) return score >= MATE_BOUND ? beta : score;
    }
    return std::nullopt;
}

// The depth at which a move of that number would be searched, as far as depth and number tell.
template <int W, template <int> class Game>
int Worker<W, Game>::depth_after(int depth, int number) const {
    return std::max(depth - 1 - lateness(depth, number) / 100, 0);
}

// Late move and futility pruning: whether to skip all further quiet moves that give no direct check.
template <int W, template <int> class Game>
bool Worker<W, Game>::is_late(const Node& node, int number, int alpha) const {
    const auto [depth, ply, pv, improving] = node;
    const Ply& here = at(ply);
    if (here.checked || in_full(ply) > 2 * game_.lost_by_captures()) return false;
    const int tried = TUNED.LATE_MOVES + TUNED.LATE_MOVES_BY_DEPTH * depth * depth / 10;
    if (depth <= 8 && number >= tried / (improving ? 1 : 2) + Game<W>::MORE_LATE_MOVES) return true;
    const int after = depth_after(depth, number);
    return after <= 7 && here.eval + margin(TUNED.FUTILITY + TUNED.FUTILITY_BY_DEPTH * after) <= alpha;
}

// Whether to skip a move by its history or what it loses.
template <int W, template <int> class Game>
bool Worker<W, Game>::is_hopeless(const Node& node, Move move, int number, bool quiet) const {
    if (in_full(node.ply) > 2 * game_.lost_by_captures()) return false;
    auto loses = [&](int most) { return Game<W>::EXCHANGES && !game_.wins_exchange(move, -most); };
    if (!quiet) return node.depth <= 6 && loses(margin(TUNED.CAPTURE_LOSS) * node.depth);
    if (at(node.ply).checked || game_.gives_direct_check(move)) return false;
    const int after = depth_after(node.depth, number);
    if (after <= 3 && quiet_score(move, node.ply) < -TUNED.HISTORY_LIMIT * (after + 1)) return true;
    return after <= 6 && loses(margin(TUNED.QUIET_LOSS) * after * after);
}

// The plies by which a move, which has been made, is searched less deep.
template <int W, template <int> class Game>
int Worker<W, Game>::reduction(const Node& node, Move move, int number, bool quiet) const {
    if (in_full(node.ply) > 1 && !game_.lost_by_captures()) return 0;
    const Ply& here = at(node.ply);
    int less = lateness(node.depth, number);
    less += TUNED.NOT_IMPROVING * !node.improving - TUNED.NEAR_PV * here.near_pv;
    if (quiet) {
        if (move == here.killers[0] || move == here.killers[1]) less -= TUNED.KILLER;
        less -=
            std::clamp(quiet_score(move, node.ply) / TUNED.HISTORY_DIVISOR, -TUNED.HISTORY_MOST, TUNED.HISTORY_MOST);
        less += 100 * (move.trail != 0);
        if (move.is_drop()) less -= TUNED.DROP_THREAT * std::min(game_.threats(move), 3);
    } else {
        less -= TUNED.CAPTURE;
    }
    if (here.checked || game_.gave_check()) less -= TUNED.CHECK;
    return std::max(less / 100, 0);
}

// True if the static score has risen since the side last moved.
template <int W, template <int> class Game>
bool Worker<W, Game>::is_improving(int ply) const {
    const int compared = ply >= 4 && at(ply - 2).checked ? 4 : 2;  // a check is not evaluated
    return !at(ply).checked && (ply < compared || at(ply).eval > at(ply - compared).eval);
}

// Step 11 of search(): whether the hash move is so much better than all others that it is searched deeper. Returns a
// score if others are good enough as well.
template <int W, template <int> class Game>
std::optional<int> Worker<W, Game>::test_singular(const Node& node, const Entry& entry, int beta, int& extension) {
    const auto [depth, ply, pv, improving] = node;
    if (!Game<W>::SINGULAR_EXTENSIONS || depth < 7 || !entry || !entry->move || entry->depth < depth - 3 ||
        !(entry->bound & TranspositionTable::LOWER) || ply >= 2 * root_depth_)
        return std::nullopt;
    const int known = from_table(entry->score, ply);
    if (std::abs(known) >= MATE_BOUND) return std::nullopt;
    const int bound = known - margin(TUNED.SINGULAR_MARGIN * depth / 10);
    at(ply).excluded = entry->move;
    const int score = search((depth - 1) / 2, bound - 1, bound, ply);
    at(ply).excluded.reset();
    if (score >= bound && bound >= beta) return bound;
    extension = score < bound ? 1 : known >= beta ? -1 : 0;
    return std::nullopt;
}

// Steps 15 and 16 of search(): the score of a move, which has been made.
template <int W, template <int> class Game>
int Worker<W, Game>::search_move(const Node& node, const Picked& picked, int number, int extension, int alpha,
                                 int beta) {
    const auto [depth, ply, pv, improving] = node;
    const int after = depth - 1 + (picked.hash_move ? extension : 0);
    // Step 15. A search with a zero window, less deep for late moves; deeper again if it fails high.
    int score = 0;
    if (number > 1 + pv && depth >= 2) {
        const int less = std::min(reduction(node, picked.move, number, picked.quiet), after - 1);
        score = -search(after - std::max(less, 0), -alpha - 1, -alpha, ply + 1);
        if (score > alpha && less > 0) score = -search(after, -alpha - 1, -alpha, ply + 1);
    } else if (!pv || number > 1) {
        score = -search(after, -alpha - 1, -alpha, ply + 1);
    }
    // Step 16. A search with an open window of the first move and of those that raise alpha.
    if (pv && (number == 1 || (score > alpha && score < beta))) score = -search(after, -beta, -alpha, ply + 1);
    return score;
}

template <int W, template <int> class Game>
// NOLINTNEXTLINE(readability-function-size): one node of the search, whose steps share what is known of it
int Worker<W, Game>::search(int depth, int alpha, int beta, int ply) {
    const bool pv = beta - alpha > 1;
    Ply& here = at(ply);
    here.line.clear();
    const auto excluded = here.excluded;
    if (!excluded) {
        // Step 1. The game is over, by repetition or on the board, or won at once.
        if (auto end = end_by_repetition(ply)) return *end;
        if (auto score = decided(ply)) return *score;
        if (auto score = wins_at_once(ply)) return *score;

        // Step 2. Check extension, but not where it would keep the first depth from its end.
        here.checked = game_.gave_check() || (goals_.any() && goals_.threatened(*position_));
        if (here.checked && ply < 2 * root_depth_ && !hurried_ && (root_depth_ > 1 || settle_left_ > 0)) ++depth;

        // Step 3. Quiescence search at depth 0.
        if (depth <= 0 || ply >= MAX_PLY - 1) return settle(alpha, beta, ply);
        visit(ply);

        // Step 4. Mate distance pruning: no line through here ends sooner than the next ply.
        alpha = std::max(alpha, -(MATE - ply));
        beta = std::min(beta, MATE - ply - 1);
        if (alpha >= beta) return alpha;
    }
    at(ply + 1).killers = {};

    // Step 5. Transposition table lookup. In games with goals a proved win or loss holds for every depth.
    const uint64_t key = position_->key();
    Entry entry;
    if (!excluded) entry = table_.probe(key);
    const int known = entry ? from_table(entry->score, ply) : 0;
    if (!excluded) here.near_pv = pv || (entry && entry->pv);
    if (entry && !pv && tells(*entry, known, beta) &&
        (entry->depth >= depth || (goals_.any() && std::abs(known) >= MATE_BOUND && (known > 0) == (known >= beta))))
        return known;

    // Step 6. Static evaluation, which the table may correct.
    if (!excluded) {
        here.eval = here.guess = here.checked ? -INFINITE : corrected(ply);
        if (entry && !here.checked && std::abs(known) < MATE_BOUND && tells(*entry, known, here.eval))
            here.guess = known;
    }
    Node node{depth, ply, pv, is_improving(ply)};

    // Steps 7 to 9. Razoring, reverse futility pruning, null move search.
    if (auto score = prune(node, alpha, beta)) return *score;

    // Step 10. Internal iterative reduction: a node without a hash move is searched less deep.
    if (depth >= 4 && !(entry && entry->move) && !excluded) --node.depth;

    // Step 11. Singular extension of the hash move.
    int extension = 0;
    if (auto score = test_singular(node, entry, beta, extension)) return *score;

    // Step 12. Loop through the moves.
    here.picker.moves.clear();
    here.tried.clear();
    here.captured.clear();
    position_->legal_moves(here.picker.moves);
    if (here.picker.moves.empty()) return -(MATE - ply);
    pick_moves(ply, entry ? entry->move : 0, true);
    Claims* claims = team_ && node.depth >= Claims::LEAST_DEPTH ? &team_->claims : nullptr;
    int best = -INFINITE, number = 0;
    const int alpha_before = alpha;
    Move best_move{};
    for (bool late = false;;) {
        // Step 13. Pruning of late quiet moves, of moves that lose material, and of those that were bad before.
        if (!late && best > -MATE_BOUND && is_late(node, number + 1, alpha)) {
            late = true;
            number += here.picker.skip_quiets();
        }
        const auto picked = here.picker.next(number > 0 ? claims : nullptr);
        if (!picked) break;
        const Move move = picked->move;
        if (excluded && move.short_id() == *excluded) continue;
        ++number;
        if (best > -MATE_BOUND && is_hopeless(node, move, number, picked->quiet)) continue;

        // Step 14. Make the move; it is claimed if there are other threads.
        const uint64_t claim = claims ? Claims::name(key, move) : 0;
        if (claims) claims->add(claim);
        here.quiet_move = picked->quiet;
        push(move, ply);
        // Steps 15 and 16. Search it.
        const int score = search_move(node, *picked, number, extension, alpha, beta);
        pop();
        if (claims) claims->remove(claim);

        // Step 17. A new best move, perhaps good enough for a cutoff.
        if (score > best) {
            best = score;
            best_move = move;
        }
        if (score > alpha) {
            alpha = score;
            if (pv) extend_line(ply, move);
        }
        if (alpha >= beta) {
            learn(move, picked->quiet, node.depth, ply);
            break;
        }
        (picked->quiet ? here.tried : here.captured).push_back(move);
    }
    if (number == 0) return alpha;  // only the excluded move is legal
    if (excluded) return best;

    // Step 18. Update what is learned, and store in the transposition table.
    if (best <= alpha_before) learn_reply(node.depth, ply);
    correct(ply, node.depth, best, alpha_before, beta, best_move == Move{} || !game_.is_tactical(best_move));
    table_.store(key, {best > alpha_before ? best_move.short_id() : 0, to_table(best, ply), std::min(node.depth, 127),
                       bound_of(best, alpha_before, beta), here.near_pv});
    return best;
}

// --- The root ---

template <int W, template <int> class Game>
int Worker<W, Game>::search_root(int depth, int alpha, int beta, size_t first) {
    int best = -INFINITE;
    for (size_t i = first; i < root_moves_.size(); ++i) {
        RootMove& move = root_moves_[i];
        const int late = int(i - first);
        const bool quiet = !game_.is_tactical(move.move);
        seldepth_ = 0;
        push(move.move, 0);
        int score = 0;
        if (late > 0) {
            const bool reduced =
                depth >= 3 && late >= 3 && quiet && (game_.lost_by_captures() || !in_full(0)) && !game_.gave_check();
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
            move.line.insert(move.line.end(), at(1).line.begin(), at(1).line.end());
        } else {
            move.score = -INFINITE;
        }
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

template <int W>
std::unique_ptr<RootSearch> Threads<W>::make(SharedState<W>& shared, int number) {
    if (shared.evaluation.rules()->is_compound) return std::make_unique<Worker<W, CompoundGame>>(shared, number);
    return std::make_unique<Worker<W, RoyalGame>>(shared, number);
}

KOMADAI_FOR_EACH_SIZE(struct Threads)

}  // namespace komadai
