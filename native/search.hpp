// The search as the rest of the core sees it: limits, reports, and the threads that search one position together.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "evaluate.hpp"
#include "mate.hpp"
#include "table.hpp"

namespace komadai {

constexpr int MATE = 30000;  // the score of a won end, less the plies to it
constexpr int MATE_BOUND = MATE - 1000;
constexpr int MAX_PLY = 100;
constexpr int MAX_THREADS = 256;

struct Limits {
    int depth = MAX_PLY - 1;
    uint64_t nodes = UINT64_MAX;
    double seconds = 0;      // the search ends when they are over; 0: no limit
    double soft = 0;         // no depth is begun later, more or less as the search goes; 0: no limit
    int lines = 1;           // how many root moves to report, best first (MultiPV)
    std::vector<Move> only;  // the root moves to look at; none: all
};

struct Line {
    int score = 0;  // for the side to move, in hundredths of the least piece; ±(MATE - plies) for a forced end
    MoveList moves;
};

struct Report {
    int depth = 0, seldepth = 0;
    uint64_t nodes = 0;
    double seconds = 0;
    int hashfull = 0;  // in thousandths
    std::vector<Line> lines;
};

// What other threads tell a search while it runs.
struct Control {
    std::atomic<bool> stop{false};
    std::atomic<bool> pondering{false};  // limits of time do not count yet
};

template <int W>
class Worker;

template <int W>
class Search {
 public:
    Search(std::shared_ptr<const Evaluation<W>> evaluation, size_t megabytes, int threads);
    ~Search();

    // Searches until a limit; `report` is called after every completed depth, and `poll` now and then: it may throw to
    // give up. Returns the last report.
    Report run(const Position<W>& position, const Limits& limits, Control& control,
               const std::function<void(const Report&)>& report, const std::function<void()>& poll);
    // Forgets what earlier searches learned.
    void clear();

 private:
    Report mate(const Position<W>& position, const Limits& limits, const Control& control);

    std::shared_ptr<const Evaluation<W>> evaluation_;
    MateTable mates_{1};
    TranspositionTable table_;
    std::vector<std::unique_ptr<Worker<W>>> workers_;
};

extern template class Search<2>;
extern template class Search<6>;
extern template class Search<10>;

}  // namespace komadai
