// The end of a process, and a fork, while calls are at work, as Python's threads are.
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "calls.hpp"
#include "crew.hpp"
#include "games.hpp"
#include "search.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

// What a thread of Python that nobody waits for does: one call after the other, until one does not come back.
void work_for_ever(Calls& calls, std::atomic<int>& given_up, const std::function<void()>& work) {
    for (;;) {
        try {
            const Calls::Call call(calls);
            work();
        } catch (const Ended&) {
            ++given_up;
        }
    }
}

TEST_SUITE_BEGIN("threads");

// The threads are never joined: they are there when the program ends.
TEST_CASE("the process ends while calls run: all are stopped, and none begins any more") {
    static Calls ending;
    static std::atomic<int> given_up{0}, begun{0};
    with_position(small_game(), 4, [&]<int W>(const Position<W>& start) {
        const auto poll = [] { ending.check(); };
        const auto evaluation = std::make_shared<const Evaluation<W>>(start.state().rules);
        auto begin = [&](const std::function<void()>& work) {
            std::thread([work] {
                ++begun;
                work_for_ever(ending, given_up, work);
            }).detach();
        };
        begin([poll, start] { Position<W>(start).perft(60, false, false, poll); });
        begin([poll, start] { Position<W>(start).perft(2, true, false, poll); });
        begin([poll, start, evaluation] {
            Control control;
            Search<W>(evaluation, 1, 2).run(start, {}, control, [](const auto&...) {}, poll);
        });
        begin([poll, start] {  // a call within a call, as a callback makes one
            const Calls::Call inner(ending);
            Position<W>(start).perft(60, false, false, poll);
        });
        begin([] {
            Crew crew(2);
            crew.run([](int) { const Calls::Change change(ending); });
        });
    });
    while (begun < 5) std::this_thread::yield();
    CHECK(ending.end(std::chrono::minutes(10)));
    CHECK(given_up > 0);
    const Calls::Call mine(ending);  // the thread that ends the process goes on
    ending.check();
}

TEST_CASE("a fork waits for changes, and no change begins before it is over") {
    static Calls forking;
    std::atomic<bool> over{false};
    std::array<int, 2> halves{};
    std::thread changing([&] {
        while (!over) {
            const Calls::Change change(forking);
            ++halves[0];
            ++halves[1];
        }
    });
    for (int fork = 0; fork < 200; ++fork) {
        forking.before_fork();
        CHECK(halves[0] == halves[1]);
        forking.after_fork();
    }
    over = true;
    changing.join();
    forking.before_fork();
    forking.after_fork_in_child();
    const Calls::Change change(forking);
}

TEST_SUITE_END();

}  // namespace
