#include "search.hpp"

#include <algorithm>

#include "root_search.hpp"

namespace komadai {

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
    for (auto& thread : threads_) thread->clear();
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

template <int W>
Report Search<W>::run(const Position<W>& position, const Limits& limits, Control& control,
                      const std::function<void(const Report&)>& report, const std::function<void()>& poll) {
    if (Report found = mate(position, limits, control); !found.lines.empty()) {
        if (report) report(found);
        return found;
    }
    table_.next_search();
    shared_->position.emplace(position);
    return RootSearch::search_together(threads_, limits, control, report, poll);
}

KOMADAI_FOR_EACH_SIZE(class Search)

}  // namespace komadai
