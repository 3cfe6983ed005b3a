// One thread of a search: principal variation search with its move-ordering statistics.
//
// The parts are those of the literature: transposition table, null move, reverse futility, razoring, late move
// reductions and pruning, killers, counter-moves, history, continuation and capture history, correction history, static
// exchange evaluation, singular and check extensions, quiescence (chessprogramming.org describes each).
#pragma once

#include <optional>

#include "corrections.hpp"
#include "evaluation_stack.hpp"
#include "goals.hpp"
#include "move_picker.hpp"
#include "root_search.hpp"

namespace komadai {

// `Game`: RoyalGame or CompoundGame.
template <int W, template <int> class Game>
class Worker final : public RootSearch {
 public:
    Worker(SharedState<W>& shared, int number);

    void clear() override;

 private:
    static constexpr const SearchNumbers& TUNED = Game<W>::NUMBERS;
    static constexpr int FULL_DEPTH = 4;
    static constexpr size_t LONGEST = MAX_PLY + 4;  // plies of a line, with what is set for those that follow it
    // The state of the search at a node of the line.
    struct Ply {
        Ply(const Game<W>& game, History<W>& history) : picker(game, history) {}

        MovePicker<W, Game> picker;
        MoveList line;             // the principal variation from here
        MoveList tried, captured;  // moves that caused no cutoff: quiet ones, and others
        std::array<Move, 2> killers{};
        Move move{};                                      // the move made from here
        typename History<W>::Entry* follow = nullptr;     // the continuation history of that move
        typename History<W>::Continuations after{};       // those of the moves before it
        int eval = 0;                                     // static
        int guess = 0;                                    // the same, corrected by the transposition table
        std::optional<uint32_t> excluded = std::nullopt;  // a move to skip, by its short_id()
        typename Corrections<W>::Aspects aspects{};       // of this position
        bool checked = false;                             // or a goal of the opponent is near
        bool near_pv = false;                             // it has been searched with an open window
        bool quiet_move = false;                          // the move made from here is no capture or promotion
    };
    // A node of search() once it is known how deep it is searched.
    struct Node {
        int depth, ply;
        bool pv, improving;
    };
    using Entry = std::optional<TranspositionTable::Entry>;
    using Picked = typename MovePicker<W, Game>::Picked;

    MoveList begin() override;
    int search_root(int depth, int alpha, int beta, size_t first) override;
    void unwind() override;

    int search(int depth, int alpha, int beta, int ply);
    std::optional<int> prune(const Node& node, int alpha, int beta);
    std::optional<int> test_singular(const Node& node, const Entry& entry, int beta, int& extension);
    int search_move(const Node& node, const Picked& picked, int number, int extension, int alpha, int beta);
    int settle(int alpha, int beta, int ply);
    int quiesce(int alpha, int beta, int ply, int left);
    [[nodiscard]] bool is_stalemate();
    void list_tactical_moves(int ply, bool first);
    [[nodiscard]] bool is_futile(Move move, int stand, int alpha) const;

    // The reduction that follows from depth and number of the move alone, in hundredths of a ply.
    [[nodiscard]] int lateness(int depth, int number) const {
        return reductions_[size_t(std::min(depth, 63))][size_t(std::min(number, 63))];
    }
    [[nodiscard]] int depth_after(int depth, int number) const;
    [[nodiscard]] bool is_late(const Node& node, int number, int alpha) const;
    [[nodiscard]] bool is_hopeless(const Node& node, Move move, int number, bool quiet) const;
    [[nodiscard]] int reduction(const Node& node, Move move, int number, bool quiet) const;
    [[nodiscard]] bool is_improving(int ply) const;
    [[nodiscard]] uint64_t& kept_score() { return scores_[position_->key() >> 16 & (scores_.size() - 1)]; }
    [[nodiscard]] int evaluate();
    [[nodiscard]] int corrected(int ply);
    void correct(int ply, int depth, int score, int alpha, int beta, bool quiet);
    void pick_moves(int ply, uint32_t hash_move, bool losing_last);
    // Where quiet moves win, the first depths are searched in full, so that what they claim and deny is true. Returns
    // the plies left that are.
    [[nodiscard]] int in_full(int ply) const {
        return goals_.any() && root_depth_ <= FULL_DEPTH ? std::max(root_depth_ - ply, 0) : 0;
    }
    [[nodiscard]] std::optional<int> decided(int ply) const;
    [[nodiscard]] std::optional<int> wins_at_once(int ply);
    [[nodiscard]] std::optional<int> end_by_repetition(int ply) const;
    [[nodiscard]] bool may_pass() const;
    void push(Move move, int ply);
    void push_null(int ply);
    void enter();
    void pop();
    void extend_line(int ply, Move move);

    [[nodiscard]] Ply& at(int ply) { return plies_[size_t(ply)]; }
    [[nodiscard]] const Ply& at(int ply) const { return plies_[size_t(ply)]; }
    [[nodiscard]] int quiet_score(Move move, int ply) const { return history_.quiet_score(move, at(ply).after); }
    [[nodiscard]] Move* counter_move(int ply);
    void learn(Move best, bool quiet, int depth, int ply);
    void learn_reply(int depth, int ply);
    [[nodiscard]] static int bonus_at(int depth) {
        return std::min(TUNED.BONUS_SQUARE * depth * depth + TUNED.BONUS_BY_DEPTH * depth, TUNED.BONUS_MOST);
    }
    // A static score is no claim of a mate.
    [[nodiscard]] static int bounded(int score) {
        return std::clamp(score, -MATE_BOUND + MAX_PLY + 2, MATE_BOUND - MAX_PLY - 2);
    }

    SharedState<W>& shared_;
    const Evaluation<W>& evaluation_ = shared_.evaluation;
    History<W>& history_ = shared_.history;
    EvaluationStack<W> scored_{evaluation_, LONGEST};  // along the line being searched
    std::optional<Position<W>> position_;
    const Game<W> game_{evaluation_, position_};
    Goals<W> goals_{*evaluation_.rules()};

    std::vector<Move> counters_;  // by the history's index of the previous move
    Corrections<W> corrections_;
    std::vector<uint64_t> scores_;                          // static scores: a key with the score in its low 16 bits
    std::array<std::array<int16_t, 64>, 64> reductions_{};  // what lateness() reads
    std::array<uint8_t, 1 << 14> came_up_{};                // occurrences of keys, by their low bits
    std::vector<Ply> plies_;
    size_t root_plies_ = 0;
    size_t since_null_ = 0;     // repetition counts from this ply on
    int64_t settle_left_ = 0;   // nodes that quiescence may still visit
    int64_t settle_until_ = 0;  // what it leaves of them, until it is begun again; below zero if it has had too many
};

}  // namespace komadai
