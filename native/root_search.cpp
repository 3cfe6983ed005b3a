#include "root_search.hpp"

#include <cmath>
#include <exception>
#include <new>
#include <thread>

namespace komadai {

namespace {

constexpr double POLL_SECONDS = 0.05;

}  // namespace

void RootSearch::prepare(const Limits& limits, Control& control, const std::atomic<bool>& halt) {
    start_ = std::chrono::steady_clock::now();
    limits_ = limits;
    control_ = &control;
    halt_ = &halt;
    nodes_ = 0;
    seldepth_ = 0;
    hurried_ = false;
    root_moves_.clear();
    for (const Move move : begin())
        if (limits.only.empty() || std::ranges::find(limits.only, move) != limits.only.end())
            root_moves_.push_back({move, -INFINITE, -INFINITE, {move}, 0});
}

// --- Limits ---

void RootSearch::check_limits(uint64_t nodes) {
    const bool look = (nodes & look_) == 0;
    if (look && team_ && team_->depth() >= root_depth_) throw Overtaken{};
    if (number_ > 0) {
        if (look && halt_->load(std::memory_order_relaxed)) throw Stopped{};
        return;
    }
    if (nodes >= limits_.nodes) return reach_limit();
    if (!look) return;
    if (control_->stop.load(std::memory_order_relaxed)) return reach_limit();
    if (limits_.nodes != UINT64_MAX && all_nodes_() >= limits_.nodes) return reach_limit();
    const double now = elapsed();
    if (now - polled_ > POLL_SECONDS) {
        polled_ = now;
        poll_();
    }
    if (control_->pondering.load(std::memory_order_relaxed)) {
        pondered_ = true;
        return;
    }
    if (limits_.seconds > 0 && now >= limits_.seconds) return reach_limit();
    if (pondered_ && limits_.soft > 0 && now >= limits_.soft) return reach_limit();
}

// Ends the search, but the first depth is finished without quiescence, so that there is a move with a reason.
void RootSearch::reach_limit() {
    if (root_depth_ > 1) throw Stopped{};
    hurried_ = true;
}

// --- Iterative deepening ---

// Moves the best root move from number `first` on to that place, by aspiration windows around its last score.
void RootSearch::deepen(int depth, size_t first) {
    auto better = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    const int expected = root_moves_[first].before;
    int width = margin(width_) + std::abs(expected) / 200, alpha = -INFINITE, beta = INFINITE;
    if (depth >= 4 && std::abs(expected) < MATE_BOUND) {
        alpha = std::max(expected - width, -INFINITE);
        beta = std::min(expected + width, INFINITE);
    }
    root_depth_ = depth;
    for (int tries = 0;; ++tries) {
        const int score = search_root(depth, alpha, beta, first);
        std::stable_sort(root_moves_.begin() + std::ptrdiff_t(first), root_moves_.end(), better);
        if (score <= alpha && alpha > -INFINITE) {
            beta = (alpha + beta) / 2;
            alpha = tries >= 3 ? -INFINITE : std::max(score - width, -INFINITE);
        } else if (score >= beta && beta < INFINITE) {
            beta = tries >= 3 ? INFINITE : std::min(score + width, INFINITE);
        } else {
            return;
        }
        width *= 2;
    }
}

// The root moves' lines, the best first.
Report RootSearch::summary(int depth) const {
    Report now{depth, 0, all_nodes_(), elapsed(), table_.hashfull(), {}};
    for (size_t i = 0; i < lines_; ++i) {
        now.lines.push_back({root_moves_[i].score, root_moves_[i].line});
        now.seldepth = std::max({now.seldepth, root_moves_[i].seldepth, int(root_moves_[i].line.size())});
    }
    return now;
}

// The last report of a search that was stopped within a depth.
Report RootSearch::stopped(const Report& last) {
    std::ranges::stable_sort(root_moves_, std::ranges::greater{}, &RootMove::score);
    // A better move found since the last report counts; with several lines only complete depths do.
    Report now = summary(last.depth);
    std::erase_if(now.lines, [](const Line& line) { return line.score == -INFINITE; });
    if (now.lines.empty() || (lines_ > 1 && !last.lines.empty())) now.lines = last.lines;
    // One that came out above its window has no line of replies yet: the last one stands.
    if (now.lines.size() == 1 && now.lines[0].moves.size() == 1 && !last.lines.empty() &&
        last.lines[0].moves[0] == now.lines[0].moves[0])
        now.lines[0].moves = last.lines[0].moves;
    // No move was finished: any will do.
    if (now.lines.empty()) now.lines.push_back({0, {root_moves_[0].move}});
    return now;
}

// Takes over the lines of the thread that has finished the greatest depth, and returns that depth.
int RootSearch::catch_up() {
    const Team::Finished best = team_->latest();
    for (RootMove& move : root_moves_) move.score = -INFINITE;
    for (size_t i = 0; i < best.lines.size(); ++i) {
        const auto is_it = [&](const RootMove& move) { return move.move == best.lines[i].moves[0]; };
        const auto found = std::find_if(root_moves_.begin() + std::ptrdiff_t(i), root_moves_.end(), is_it);
        std::rotate(root_moves_.begin() + std::ptrdiff_t(i), found, found + 1);
        root_moves_[i].score = best.lines[i].score;
        root_moves_[i].line = best.lines[i].moves;
        root_moves_[i].seldepth = best.seldepth;
    }
    return best.depth;
}

// Searches one depth, or takes it and those beyond it over from a faster thread; returns the depth.
int RootSearch::finish(int depth) {
    for (RootMove& move : root_moves_) move.before = move.score;
    try {
        for (size_t i = 0; i < lines_; ++i) {
            deepen(depth, i);
            if (hurried_) lines_ = i + 1;
        }
    } catch (Overtaken) {
        unwind();
        return catch_up();
    }
    std::stable_sort(root_moves_.begin(), root_moves_.begin() + std::ptrdiff_t(lines_),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    if (team_) {
        const Report now = summary(depth);
        team_->finish({depth, now.seldepth, now.lines});
    }
    return depth;
}

Report RootSearch::run(const std::function<void(const Report&)>& report, const std::function<void()>& poll,
                       const std::function<uint64_t()>& all_nodes) {
    poll_ = poll;
    all_nodes_ = all_nodes;
    polled_ = 0;
    pondered_ = false;
    Report last;
    if (root_moves_.empty()) return last;
    lines_ = std::min(size_t(limits_.lines), root_moves_.size());
    int stable = 0;  // depths since the best move changed
    Move leading{};
    for (int depth = 1; depth <= std::min(limits_.depth, MAX_PLY - 1); ++depth) {
        try {
            depth = finish(depth);
        } catch (Stopped) {
            return stopped(last);
        }
        last = summary(depth);
        if (number_ > 0) continue;
        if (report) report(last);
        if (hurried_) break;
        // A mate within the depth searched cannot be improved.
        if (std::ranges::all_of(last.lines, [&](const Line& line) { return MATE - std::abs(line.score) <= depth; }))
            break;
        if (control_->pondering.load(std::memory_order_relaxed)) continue;
        const bool limited = limits_.seconds > 0 || limits_.nodes != UINT64_MAX;
        if (limited && (control_->stop.load() || (root_moves_.size() == 1 && depth >= 4))) break;
        stable = root_moves_[0].move == leading ? stable + 1 : 0;
        leading = root_moves_[0].move;
        if (limits_.soft > 0) {
            // A stable best move needs less time, a falling score more.
            const int fall = depth > 1 ? root_moves_[0].before - root_moves_[0].score : 0;
            const double share = std::max(1.25 - 0.1 * stable, 0.6) * (fall > margin(40) ? 1.4 : 1.0);
            if (elapsed() >= limits_.soft * share) break;
        }
    }
    return last;
}

// --- Threads ---

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

// Lazy SMP: all threads search the same position and share the transposition table, histories and a Team. Helpers only
// make it faster: one that cannot be started, or that runs out of memory, is done without.
Report RootSearch::search_together(const std::vector<std::unique_ptr<RootSearch>>& threads, const Limits& limits,
                                   Control& control, const std::function<void(const Report&)>& report,
                                   const std::function<void()>& poll) {
    std::atomic<bool> halt{false};
    auto nodes = [&] {
        uint64_t total = 0;
        for (auto& thread : threads) total += thread->nodes_.load(std::memory_order_relaxed);
        return total;
    };
    if (threads[0]->team_) threads[0]->team_->begin();
    for (auto& thread : threads) thread->prepare(limits, control, halt);
    std::vector<Report> ends(threads.size());
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
            ends[number] = threads[number]->run(nullptr, nullptr, nodes);
        } catch (const std::bad_alloc&) {
            return;
        }
    };
    for (size_t i = 1; i < threads.size(); ++i) {
        try {
            helpers.threads.emplace_back(help, i);
        } catch (const std::exception&) {  // there is no room for another thread
            break;
        }
    }
    ends[0] = threads[0]->run(report, poll, nodes);
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

}  // namespace komadai
