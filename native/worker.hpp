// One thread of a search: principal variation search with what it has learned of moves.
//
// The parts are those the literature names: iterative deepening with aspiration windows, transposition table, null
// move, reverse futility, razoring, late move reductions and pruning, killers, counter-moves, history and continuation
// history, static exchange evaluation, singular and check extensions, quiescence (chessprogramming.org describes each).
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "search.hpp"

namespace komadai {

template <int W>
class Worker {
 public:
    Worker(const Evaluation<W>& evaluation, TranspositionTable& table, int number);

    // Gets ready for a position; run() then searches it.
    void prepare(const Position<W>& position, const Limits& limits, Control& control, const std::atomic<bool>& halt);
    Report run(const std::function<void(const Report&)>& report, const std::function<void()>& poll,
               const std::function<uint64_t()>& all_nodes);
    void clear();
    [[nodiscard]] uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
    struct Stopped {};
    // A move by where it stands in the list; those of the greater order come first, then those that were found first.
    struct Scored {
        int64_t packed;
        Scored(int order, size_t at) : packed(int64_t(order) * (int64_t(1) << 32) | uint32_t(~at)) {}
        [[nodiscard]] int order() const { return int(packed >> 32); }
        [[nodiscard]] size_t at() const { return uint32_t(~packed); }
        bool operator<(const Scored& other) const { return packed > other.packed; }
    };
    struct Ply {
        MoveList moves;
        std::vector<Scored> scored;  // their order, as far as they were picked
        bool sorted = false;
        MoveList line;   // the principal variation from here
        MoveList tried;  // quiet moves that did not help
        Move killers[2];
        Move move{};                // made from here
        int16_t* follow = nullptr;  // the continuation history of that move
        int eval = 0;               // static
        int guess = 0;              // the same, or what the table knows better
        uint32_t excluded = 0;      // a move that is not looked at
        bool checked = false;
    };
    struct RootMove {
        Move move;
        int score, before;
        MoveList line;
        int seldepth;
    };

    void deepen(int depth, size_t number);
    int root(int depth, int alpha, int beta, size_t number);
    int search(int depth, int alpha, int beta, int ply, bool cut);
    std::optional<int> prune(int depth, int alpha, int beta, int ply, bool cut, bool improving);
    int quiesce(int alpha, int beta, int ply, int left);
    [[nodiscard]] bool is_hopeless(Move move, int depth, int ply, int number, bool improving, bool quiet, int alpha);
    int reduction(int depth, int number, Move move, int ply, bool cut, bool improving, bool quiet) const;
    [[nodiscard]] int evaluate();
    void visit(int ply);
    void sort(Ply& here, int ply, uint32_t first);
    Move pick(Ply& here, size_t index);
    [[nodiscard]] int gain(Move move) const;
    [[nodiscard]] bool is_tactical(Move move) const;
    [[nodiscard]] bool pays(Move move) const;
    [[nodiscard]] bool strikes_home(Move move) const;
    [[nodiscard]] bool wins_exchange(Move move, int threshold) const;
    [[nodiscard]] bool gives_direct_check(Move move) const;
    [[nodiscard]] std::optional<int> decided(int ply) const;
    [[nodiscard]] bool may_pass() const;
    void push(Move move, int ply);
    void pop();
    [[nodiscard]] std::optional<int> end_by_repetition(int ply) const;
    void extend_line(int ply, Move move);

    [[nodiscard]] size_t index(Move move) const {
        const auto& r = position_->rules();
        return (size_t(move.piece >> 2) * 2 + (move.piece >> 1 & 1)) * size_t(r.points) + r.point_of[move.to];
    }
    [[nodiscard]] int16_t& history(Move move) { return history_[index(move) * 2 + move.is_drop()]; }
    [[nodiscard]] int quiet_worth(Move move, int ply) const;
    [[nodiscard]] int16_t* follow(Move move);
    void learn(Move best, int depth, int ply);
    // A margin told for pieces of the worth that shogi's have, for those of this game.
    [[nodiscard]] int margin(int of) const { return std::max(of * evaluation_.scale() / 100, 1); }
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    const Evaluation<W>& evaluation_;
    TranspositionTable& table_;
    const int number_;  // 0: the one that reports
    std::optional<Position<W>> position_;
    Limits limits_;
    Control* control_ = nullptr;
    const std::atomic<bool>* halt_ = nullptr;  // set once the first worker is done
    std::function<void()> poll_;
    std::function<uint64_t()> all_nodes_;

    std::vector<int16_t> history_;       // by index and whether it is a drop
    std::vector<int16_t> continuation_;  // by the move before and the index of the move
    size_t rows_ = 0, columns_ = 0;      // of continuation_
    std::vector<Move> counters_;         // by index of the move before
    std::vector<uint64_t> scores_;       // static scores: the key, the score in its last 16 bits
    std::array<std::array<int8_t, 64>, 64> reductions_;
    std::array<uint8_t, 1 << 14> came_up_{};  // how often keys of these bits came up
    std::array<Ply, MAX_PLY + 4> plies_;
    std::vector<RootMove> root_moves_;
    std::atomic<uint64_t> nodes_{0};
    size_t root_plies_ = 0;
    size_t since_null_ = 0;  // the plies before this one do not count for repetition
    int root_depth_ = 0, seldepth_ = 0;
    double polled_ = 0;      // when poll_ was last called
    bool pondered_ = false;  // the search began on the opponent's time
    std::chrono::steady_clock::time_point start_;
};

extern template class Worker<2>;
extern template class Worker<6>;
extern template class Worker<10>;

}  // namespace komadai
