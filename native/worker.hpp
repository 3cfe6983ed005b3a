// One thread of a search: principal variation search with its move-ordering statistics.
//
// The parts are those of the literature: iterative deepening with aspiration windows, transposition table, null
// move, reverse futility, razoring, late move reductions and pruning, killers, counter-moves, history, continuation and
// capture history, correction history, static exchange evaluation, singular and check extensions, quiescence
// (chessprogramming.org describes each).
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include "corrections.hpp"
#include "evaluation_stack.hpp"
#include "goals.hpp"
#include "search_numbers.hpp"
#include "tactics.hpp"
#include "team.hpp"

namespace komadai {

template <int W>
class alignas(64) Worker {
 public:
    // `team` is null if there is no other thread.
    Worker(const Evaluation<W>& evaluation, TranspositionTable& table, History<W>& history, Team* team, int number);

    // Sets the position that run() searches.
    void prepare(const Position<W>& position, const Limits& limits, Control& control, const std::atomic<bool>& halt);
    Report run(const std::function<void(const Report&)>& report, const std::function<void()>& poll,
               const std::function<uint64_t()>& all_nodes);
    void clear();
    [[nodiscard]] uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
    static constexpr int FULL_DEPTH = 4;
    static constexpr size_t LONGEST = MAX_PLY + 4;  // plies of a line, with what is set for those that follow it
    struct Stopped {};
    struct Overtaken {};  // another thread has finished the depth
    // The index of a move in the list with its order: greater orders first, then lower indices.
    struct Scored {
        int64_t packed;
        Scored(int order, size_t at) : packed(int64_t(order) * (int64_t(1) << 32) | uint32_t(~at)) {}
        [[nodiscard]] int order() const { return int(packed >> 32); }
        [[nodiscard]] size_t at() const { return uint32_t(~packed); }
        bool operator<(const Scored& other) const { return packed > other.packed; }
    };
    struct Ply {
        MoveList moves;
        std::vector<Scored> scored;   // in order as far as picked
        std::vector<uint16_t> quiet;  // moves that are scored when the first of them may be picked, by index
        bool sorted = false;
        MoveList line;             // the principal variation from here
        MoveList tried, captured;  // moves that caused no cutoff: quiet ones, and others
        Move killers[2];
        Move move{};                                   // the move made from here
        typename History<W>::Entry* follow = nullptr;  // the continuation history of that move
        int eval = 0;                                  // static
        int guess = 0;                                 // the same, corrected by the transposition table
        uint32_t excluded = 0;                         // a move to skip, by its short_id()
        typename Corrections<W>::Aspects aspects{};    // of this position
        bool checked = false;                          // or a goal of the opponent is near
        bool near_pv = false;                          // it has been searched with an open window
        bool quiet_move = false;                       // the move made from here is no capture or promotion
    };
    struct Turn {
        Move move;
        bool first, quiet;  // from the transposition table; no capture or promotion
    };
    struct RootMove {
        Move move;
        int score, before;
        MoveList line;
        int seldepth;
    };

    [[nodiscard]] Report summary(int depth) const;
    [[nodiscard]] Report stopped(const Report& last);
    int catch_up();
    int finish(int depth);
    void deepen(int depth, size_t number);
    int root(int depth, int alpha, int beta, size_t number);
    int search(int depth, int alpha, int beta, int ply);
    std::optional<int> prune(int depth, int alpha, int beta, int ply, bool improving);
    int settle(int alpha, int beta, int ply);
    int quiesce(int alpha, int beta, int ply, int left);
    // The reduction that follows from depth and number of the move alone, in hundredths of a ply.
    [[nodiscard]] int lateness(int depth, int number) const {
        return reductions_[size_t(std::min(depth, 63))][size_t(std::min(number, 63))];
    }
    [[nodiscard]] int depth_after(int depth, int number) const;
    [[nodiscard]] bool is_late(int depth, int ply, int number, bool improving, int alpha) const;
    [[nodiscard]] bool is_hopeless(Move move, int depth, int ply, int number, bool quiet);
    int reduction(int depth, int number, Move move, int ply, bool improving, bool quiet) const;
    [[nodiscard]] uint64_t& kept_score() { return scores_[position_->key() >> 16 & (scores_.size() - 1)]; }
    [[nodiscard]] int evaluate();
    [[nodiscard]] int corrected(int ply);
    void correct(int ply, int depth, int score, int alpha, int beta, bool quiet);
    void visit(int ply);
    void reach_limit();
    void sort(Ply& here, int ply, uint32_t first);
    void score_quiet(Ply& here, int ply);
    Move pick(Ply& here, int ply, size_t index);
    Turn next(Ply& here, int ply, size_t index, int depth, int number);
    int leave_quiet(Ply& here, size_t index);
    uint64_t claim_on(Move move, int depth);
    [[nodiscard]] std::optional<int> decided(int ply) const;
    [[nodiscard]] std::optional<int> wins_at_once(int ply);
    // Where quiet moves win, the first depths are searched in full, so that what they claim and deny is true. Returns
    // the plies left that are.
    [[nodiscard]] int in_full(int ply) const {
        return goals_.any() && root_depth_ <= FULL_DEPTH ? std::max(root_depth_ - ply, 0) : 0;
    }
    [[nodiscard]] bool may_pass() const;
    void push(Move move, int ply);
    void pop();
    [[nodiscard]] std::optional<int> end_by_repetition(int ply) const;
    void extend_line(int ply, Move move);

    [[nodiscard]] int quiet_worth(Move move, int ply) const;
    void reward(Move move, int ply, std::span<const int> plies_back, int bonus);
    void learn(Move best, bool quiet, int depth, int ply);
    void learn_reply(int depth, int ply);
    [[nodiscard]] static int bonus_at(int depth) {
        return std::min(tuned::BONUS_SQUARE * depth * depth + tuned::BONUS_BY_DEPTH * depth, tuned::BONUS_MOST);
    }
    // A static score is no claim of a mate.
    [[nodiscard]] static int bounded(int score) {
        return std::clamp(score, -MATE_BOUND + MAX_PLY + 2, MATE_BOUND - MAX_PLY - 2);
    }
    // Scales a margin from shogi's piece values to those of this game.
    [[nodiscard]] int margin(int of) const { return std::max(of * evaluation_.scale() / 100, 1); }
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    const Evaluation<W>& evaluation_;
    EvaluationStack<W> scored_{evaluation_, LONGEST};  // along the line being searched
    TranspositionTable& table_;
    History<W>& history_;
    Team* const team_;
    const int number_;  // 0: the main thread, which reports
    std::optional<Position<W>> position_;
    const Tactics<W> tactics_{evaluation_, position_};
    Goals<W> goals_{*evaluation_.rules()};
    Limits limits_;
    Control* control_ = nullptr;
    const std::atomic<bool>* halt_ = nullptr;  // set once the main thread is done
    std::function<void()> poll_;
    std::function<uint64_t()> all_nodes_;

    std::vector<Move> counters_;  // by the history's index of the previous move
    Corrections<W> corrections_;
    std::vector<uint64_t> scores_;                          // static scores: a key with the score in its low 16 bits
    std::array<std::array<int16_t, 64>, 64> reductions_{};  // what lateness() reads
    std::array<uint8_t, 1 << 14> came_up_{};                // occurrences of keys, by their low bits
    std::array<Ply, LONGEST> plies_;
    std::vector<RootMove> root_moves_;
    // Of compound moves without royal pieces: but for goals, the game is lost by captures alone, which are always
    // tried.
    const bool by_captures_ = evaluation_.rules()->is_compound && !evaluation_.rules()->has_royal;
    size_t lines_ = 1;  // root moves to report
    std::atomic<uint64_t> nodes_{0};
    size_t root_plies_ = 0;
    size_t since_null_ = 0;  // repetition counts from this ply on
    int root_depth_ = 0, seldepth_ = 0;
    int64_t settle_left_ = 0;   // nodes that quiescence may still visit
    int64_t settle_until_ = 0;  // what it leaves of them, until it is begun again; below zero if it has had too many
    bool hurried_ = false;      // a limit was reached at depth 1
    double polled_ = 0;         // when poll_ was last called
    bool pondered_ = false;     // the search began on the opponent's time
    std::chrono::steady_clock::time_point start_;
};

KOMADAI_EXTERN_EACH_SIZE(class Worker)

}  // namespace komadai
