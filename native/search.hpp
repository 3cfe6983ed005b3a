// The interface of the search: limits, reports, and the threads that search one position together.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "evaluate.hpp"
#include "history.hpp"
#include "mate.hpp"
#include "tt.hpp"

namespace komadai {

constexpr int MATE = 30000;  // the score of a win, less the plies to it
constexpr int MATE_BOUND = MATE - 1000;

// Mate scores count from the root in the search and from the node in the transposition table.
constexpr int to_table(int score, int ply) {
    return score >= MATE_BOUND ? score + ply : score <= -MATE_BOUND ? score - ply : score;
}
constexpr int from_table(int score, int ply) {
    return score >= MATE_BOUND ? score - ply : score <= -MATE_BOUND ? score + ply : score;
}

struct Limits {
    int depth = MAX_PLY - 1;
    uint64_t nodes = UINT64_MAX;
    double seconds = 0;      // 0: no limit
    double soft = 0;         // no new depth is begun after about this time; 0: no limit
    int lines = 1;           // the number of root moves to report, best first (MultiPV)
    std::vector<Move> only;  // the root moves to search; none: all
};

struct Line {
    int score = 0;  // for the side to move, in hundredths of the least piece; ±(MATE - plies) for a mate
    MoveList moves;
};

struct Report {
    int depth = 0, seldepth = 0;
    uint64_t nodes = 0;
    double seconds = 0;
    int hashfull = 0;  // in thousandths
    std::vector<Line> lines;
};

// Signals to a running search from other threads.
struct Control {
    std::atomic<bool> stop{false};
    std::atomic<bool> pondering{false};  // time limits do not count yet
};

class RootSearch;
class Team;
template <int W>
struct SharedState;

template <int W>
class Search {
 public:
    Search(std::shared_ptr<const Evaluation<W>> evaluation, size_t megabytes, int threads);
    ~Search();

    // Searches until a limit and returns the last report. `report` is called after every completed depth, and `poll`
    // now and then; it may throw to abort.
    Report run(const Position<W>& position, const Limits& limits, Control& control,
               const std::function<void(const Report&)>& report, const std::function<void()>& poll);
    // Forgets everything from earlier searches.
    void clear();

 private:
    Report mate(const Position<W>& position, const Limits& limits, const Control& control);

    std::shared_ptr<const Evaluation<W>> evaluation_;
    MateTable mates_{1};
    TranspositionTable table_;
    History<W> history_;
    std::unique_ptr<Team> team_;
    std::unique_ptr<SharedState<W>> shared_;
    std::vector<std::unique_ptr<RootSearch>> threads_;
};

KOMADAI_EXTERN_EACH_SIZE(class Search)

}  // namespace komadai
