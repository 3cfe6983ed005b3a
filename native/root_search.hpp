// One thread of a search at its root: iterative deepening, aspiration windows, several lines, and limits. A Worker
// searches the tree below.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "history.hpp"
#include "team.hpp"

namespace komadai {

constexpr int INFINITE = MATE + 1;

class alignas(64) RootSearch {
 public:
    // `team` is null if there is no other thread. `scale` is that of the evaluation; `width` is half of the first
    // aspiration window, as margin() takes it; `nodes_a_look` is a power of two.
    RootSearch(TranspositionTable& table, Team* team, int number, int scale, int width, uint64_t nodes_a_look)
        : table_(table), team_(team), number_(number), scale_(scale), width_(width), look_(nodes_a_look - 1) {}
    RootSearch(const RootSearch&) = delete;
    RootSearch& operator=(const RootSearch&) = delete;
    virtual ~RootSearch() = default;

    // Searches the position that the threads have been given, with all of them; the rest is as of Search::run().
    static Report search_together(const std::vector<std::unique_ptr<RootSearch>>& threads, const Limits& limits,
                                  Control& control, const std::function<void(const Report&)>& report,
                                  const std::function<void()>& poll);
    virtual void clear() = 0;

 protected:
    struct Stopped {};
    struct Overtaken {};  // another thread has finished the depth
    struct RootMove {
        Move move;
        int score, before;
        MoveList line;
        int seldepth;
    };

    // Takes over the position, and returns its legal moves, the likeliest first.
    virtual MoveList begin() = 0;
    // Searches the root moves from number `first` on, within a window.
    virtual int search_root(int depth, int alpha, int beta, size_t first) = 0;
    // Takes back the moves made when a depth was given up.
    virtual void unwind() = 0;

    // Counts a node, and looks at the limits now and then.
    void visit(int ply) {
        const uint64_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
        nodes_.store(nodes, std::memory_order_relaxed);
        seldepth_ = std::max(seldepth_, ply);
        if (nodes >= limits_.nodes || (nodes & look_) == 0) check_limits(nodes);
    }
    // Scales a margin from shogi's piece values to those of this game.
    [[nodiscard]] int margin(int of) const { return std::max(of * scale_ / 100, 1); }

    TranspositionTable& table_;
    Team* const team_;
    const int number_;  // 0: the main thread, which reports
    Limits limits_;
    std::vector<RootMove> root_moves_;
    int root_depth_ = 0, seldepth_ = 0;
    bool hurried_ = false;  // a limit was reached at depth 1

 private:
    // Lists the root moves of the position that run() searches.
    void prepare(const Limits& limits, Control& control, const std::atomic<bool>& halt);
    Report run(const std::function<void(const Report&)>& report, const std::function<void()>& poll,
               const std::function<uint64_t()>& all_nodes);
    void check_limits(uint64_t nodes);
    void reach_limit();
    [[nodiscard]] Report summary(int depth) const;
    [[nodiscard]] Report stopped(const Report& last);
    int catch_up();
    int finish(int depth);
    void deepen(int depth, size_t first);
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    const int scale_, width_;
    const uint64_t look_;
    Control* control_ = nullptr;
    const std::atomic<bool>* halt_ = nullptr;  // set once the main thread is done
    std::function<void()> poll_;
    std::function<uint64_t()> all_nodes_;
    size_t lines_ = 1;  // root moves to report
    std::atomic<uint64_t> nodes_{0};
    double polled_ = 0;      // when poll_ was last called
    bool pondered_ = false;  // the search began on the opponent's time
    std::chrono::steady_clock::time_point start_;
};

// What the threads of a search share.
template <int W>
struct SharedState {
    const Evaluation<W>& evaluation;
    TranspositionTable& table;
    History<W>& history;
    Team* team;                             // null if there is one thread
    std::optional<Position<W>> position{};  // to be searched
};

// Makes the thread of that number; worker.cpp has it.
template <int W>
struct Threads {
    static std::unique_ptr<RootSearch> make(SharedState<W>& shared, int number);
};

KOMADAI_EXTERN_EACH_SIZE(struct Threads)

}  // namespace komadai
