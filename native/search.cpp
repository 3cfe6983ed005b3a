#include "search.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

#include "root_search.hpp"

namespace komadai {

namespace {

// The report to trust of those with which several threads ended. Only the greatest depth counts; there each votes for
// its first move, with the more weight the better it found it.
const Report& elect(const std::vector<Report>& reports) {
    constexpr int BASE = 20;  // the weight of the least score
    const int depth = std::ranges::max(reports, {}, &Report::depth).depth;
    auto first = [](const Report& report) { return report.lines[0].moves[0]; };
    auto score = [](const Report& report) { return report.lines[0].score; };
    const int least = score(std::ranges::min(reports, {}, score));
    auto votes = [&](const Report& candidate) {
        int sum = 0;
        for (const Report& report : reports)
            if (report.depth == depth && first(report) == first(candidate)) sum += score(report) - least + BASE;
        return candidate.depth == depth ? std::pair(sum, score(candidate)) : std::pair(0, 0);
    };
    return *std::ranges::max_element(reports, {}, votes);
}

}  // namespace

template <int W>
Search<W>::Search(std::shared_ptr<const Evaluation<W>> evaluation, size_t megabytes, int threads)
    : evaluation_(std::move(evaluation)), table_(megabytes), history_(*evaluation_->rules()) {
    if (threads > 1) team_ = std::make_unique<Team>();
    shared_ = std::make_unique<SharedState<W>>(*evaluation_, table_, history_, team_.get());
    for (int number = 0; number < std::clamp(threads, 1, MAX_THREADS); ++number)
        threads_.push_back(Threads<W>::make(*shared_, number));
}

template <int W>
Search<W>::~Search() = default;

template <int W>
void Search<W>::clear() {
    table_.clear();
    history_.clear();
    for (auto& worker : threads_) worker->clear();
}

// A short search for a mate by checks comes first: it costs little time and finds deep mates. Where there are goals,
// one may be nearer.
template <int W>
Report Search<W>::mate(const Position<W>& position, const Limits& limits, const Control& control) {
    constexpr double NODES_A_SECOND = 40'000;  // a few percent of the time
    Report found;
    const double seconds = limits.soft > 0 ? limits.soft : limits.seconds;
    if (seconds <= 0 || limits.lines > 1 || !limits.only.empty() || !position.rules().mates() ||
        !position.rules().wins_if.empty())
        return found;
    const double share = std::min(seconds, 5.0);
    const auto nodes = uint64_t(share * NODES_A_SECOND);
    const MateReport mate = MateSearch<W>(position, mates_, control.stop, [] {}).run({nodes, share / 10});
    const int plies = int(mate.line.size());
    if (plies == 0 || plies >= MAX_PLY) return found;
    return {plies, plies, mate.nodes, mate.seconds, 0, {{MATE - plies, mate.line}}};
}

// Lazy SMP: all threads search the same position and share the transposition table, histories and a Team. Helpers only
// make it faster: one that cannot be started, or that runs out of memory, is done without.
template <int W>
Report Search<W>::run(const Position<W>& position, const Limits& limits, Control& control,
                      const std::function<void(const Report&)>& report, const std::function<void()>& poll) {
    std::atomic<bool> halt{false};
    auto nodes = [&] {
        uint64_t total = 0;
        for (auto& worker : threads_) total += worker->nodes();
        return total;
    };
    if (Report found = mate(position, limits, control); !found.lines.empty()) {
        if (report) report(found);
        return found;
    }
    table_.next_search();
    if (team_) team_->begin();
    shared_->position.emplace(position);
    for (auto& thread : threads_) thread->prepare(limits, control, halt);
    std::vector<Report> ends(threads_.size());
    struct Helpers {
        std::atomic<bool>& halt;
        std::vector<std::thread> threads;
        ~Helpers() { finish(); }
        void finish() {
            halt = true;
            for (std::thread& thread : threads) thread.join();
            threads.clear();
        }
    } helpers{halt, {}};
    auto help = [&](size_t number) {
        try {
            ends[number] = threads_[number]->run(nullptr, nullptr, nodes);
        } catch (const std::bad_alloc&) {
            return;
        }
    };
    for (size_t i = 1; i < threads_.size(); ++i) {
        try {
            helpers.threads.emplace_back(help, i);
        } catch (const std::exception&) {  // there is no room for another thread
            break;
        }
    }
    ends[0] = threads_[0]->run(report, poll, nodes);
    helpers.finish();
    // Several lines are those of one depth, and a mate found is the shortest.
    if (ends.size() == 1 || limits.lines > 1 || ends[0].lines.empty() || std::abs(ends[0].lines[0].score) >= MATE_BOUND)
        return ends[0];
    Report last = ends[0];
    std::erase_if(ends, [](const Report& end) { return end.lines.empty(); });
    const Report& best = elect(ends);
    last.depth = best.depth;
    last.lines = best.lines;
    return last;
}

KOMADAI_FOR_EACH_SIZE(class Search)

}  // namespace komadai
