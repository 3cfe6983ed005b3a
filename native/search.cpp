#include "search.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

#include "worker.hpp"

namespace komadai {

template <int W>
Search<W>::Search(std::shared_ptr<const Evaluation<W>> evaluation, size_t megabytes, int threads)
    : evaluation_(std::move(evaluation)), table_(megabytes) {
    for (int number = 0; number < std::clamp(threads, 1, MAX_THREADS); ++number)
        workers_.push_back(std::make_unique<Worker<W>>(*evaluation_, table_, number));
}

template <int W>
Search<W>::~Search() = default;

template <int W>
void Search<W>::clear() {
    table_.clear();
    for (auto& worker : workers_) worker->clear();
}

// A short search for a mate by checks comes first: it costs little time and finds deep mates.
template <int W>
Report Search<W>::mate(const Position<W>& position, const Limits& limits, const Control& control) {
    constexpr double NODES_A_SECOND = 40'000;  // a few percent of the time
    Report found;
    const double seconds = limits.soft > 0 ? limits.soft : limits.seconds;
    if (seconds <= 0 || limits.lines > 1 || !limits.only.empty() || !position.rules().mates()) return found;
    const auto nodes = uint64_t(std::min(seconds, 5.0) * NODES_A_SECOND);
    const MateReport mate = MateSearch<W>(position, mates_, control.stop, [] {}).run({nodes, 0});
    const int plies = int(mate.line.size());
    if (plies == 0 || plies >= MAX_PLY) return found;
    return {plies, plies, mate.nodes, mate.seconds, 0, {{MATE - plies, mate.line}}};
}

// Lazy SMP: all threads search the same position and share the transposition table. Helpers only make it faster: one
// that cannot be started, or that runs out of memory, is done without.
template <int W>
Report Search<W>::run(const Position<W>& position, const Limits& limits, Control& control,
                      const std::function<void(const Report&)>& report, const std::function<void()>& poll) {
    std::atomic<bool> halt{false};
    auto nodes = [&] {
        uint64_t total = 0;
        for (auto& worker : workers_) total += worker->nodes();
        return total;
    };
    if (Report found = mate(position, limits, control); !found.lines.empty()) {
        if (report) report(found);
        return found;
    }
    table_.next_search();
    for (auto& worker : workers_) worker->prepare(position, limits, control, halt);
    struct Helpers {
        std::atomic<bool>& halt;
        std::vector<std::thread> threads;
        ~Helpers() {
            halt = true;
            for (std::thread& thread : threads) thread.join();
        }
    } helpers{halt, {}};
    auto help = [&](size_t number) {
        try {
            workers_[number]->run(nullptr, nullptr, nodes);
        } catch (const std::bad_alloc&) {
            return;
        }
    };
    for (size_t i = 1; i < workers_.size(); ++i) {
        try {
            helpers.threads.emplace_back(help, i);
        } catch (const std::exception&) {  // there is no room for another thread
            break;
        }
    }
    return workers_[0]->run(report, poll, nodes);
}

KOMADAI_FOR_EACH_SIZE(class Search)

}  // namespace komadai
