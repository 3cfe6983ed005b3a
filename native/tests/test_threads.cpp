// What several threads do at once, for ThreadSanitizer above all. Nothing here waits for the clock.
#include <doctest/doctest.h>

#include <numeric>
#include <thread>

#include "games.hpp"
#include "search.hpp"
#include "solve.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

constexpr int OPENING = 20;
constexpr auto NOTHING = [](const auto&...) {};

// Runs a search without a limit, and `signal` in a thread of its own once the first depth is reported.
template <int W>
Report search_until(const Position<W>& position, int threads, const Limits& limits, bool pondering,
                    const std::function<void(Control&)>& signal) {
    Search<W> search(std::make_shared<Evaluation<W>>(position.state().rules), 1, threads);
    Control control;
    control.pondering = pondering;
    std::thread signalling;
    Report last = search.run(
        position, limits, control,
        [&](const Report&) {
            if (!signalling.joinable()) signalling = std::thread([&] { signal(control); });
        },
        [] {});
    if (signalling.joinable()) signalling.join();
    return last;
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("several threads search every game") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& position) {
            Search<W> search(std::make_shared<Evaluation<W>>(position.state().rules), 1, 4);
            Control control;
            for (int again = 0; again < 2; ++again) {
                Limits limits;
                limits.depth = 6;
                limits.nodes = in_full() ? 20'000 : 3'000;
                const Report report = search.run(position, limits, control, NOTHING, [] {});
                INFO(game.name);
                REQUIRE_FALSE(report.lines.empty());
                MoveList moves;
                Position<W>(position).legal_moves(moves);
                CHECK(std::ranges::find(moves, report.lines[0].moves[0]) != moves.end());
            }
            search.clear();
        });
}

TEST_CASE("one thread searches the same tree again, and several end at the depth or the nodes asked for") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& position) {
            INFO(game.name);
            const auto evaluation = std::make_shared<const Evaluation<W>>(position.state().rules);
            auto run = [&](int threads, const Limits& limits) {
                Search<W> search(evaluation, 1, threads);
                Control control;
                return search.run(position, limits, control, NOTHING, [] {});
            };
            Limits few, shallow;
            few.nodes = 3'000;
            shallow.depth = 4;
            const Report one = run(1, few), again = run(1, few);
            CHECK(one.nodes == again.nodes);
            CHECK(one.depth == again.depth);
            REQUIRE(one.lines.size() == again.lines.size());
            for (size_t i = 0; i < one.lines.size(); ++i) CHECK(one.lines[i].moves == again.lines[i].moves);
            constexpr int THREADS = 3;
            auto reaches = [](const Report& report, auto limit) {
                const bool won = !report.lines.empty() && std::abs(report.lines[0].score) >= MATE_BOUND;
                return won || report.depth == MAX_PLY - 1 || limit(report);
            };
            CHECK(reaches(run(THREADS, few), [&](const Report& report) { return report.nodes >= few.nodes; }));
            CHECK(reaches(run(THREADS, shallow), [&](const Report& report) { return report.depth == shallow.depth; }));
        });
}

TEST_CASE("a search is stopped, or its opponent moves, from another thread") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& position) {
            INFO(game.name);
            auto stop = [](Control& control) { control.stop = true; };
            CHECK_FALSE(search_until(position, 3, {}, false, stop).lines.empty());
            Limits brief;
            brief.seconds = 1e-9;  // counts only once the opponent has moved
            auto hit = [](Control& control) { control.pondering = false; };
            CHECK_FALSE(search_until(position, 3, brief, true, hit).lines.empty());
        });
}

TEST_CASE("games are played and searched by several threads at once, over the same rules") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& position) {
            const auto evaluation = std::make_shared<const Evaluation<W>>(position.state().rules);
            const bool small = position.rules().points < 100;
            std::array<uint64_t, 3> found{};
            std::vector<std::thread> threads;
            threads.reserve(found.size());
            for (uint64_t& one : found)
                threads.emplace_back([&, copy = position]() mutable {
                    one = copy.perft(small ? 2 : 1, false, true, [] {});
                    Search<W> search(evaluation, 1, 1);
                    Control control;
                    Limits limits;
                    limits.nodes = 500;
                    one += uint64_t(search.run(copy, limits, control, NOTHING, [] {}).nodes);
                });
            for (std::thread& thread : threads) thread.join();
            INFO(game.name);
            CHECK(found[0] == found[1]);
            CHECK(found[0] == found[2]);
        });
}

TEST_CASE("searches for mates run side by side, and are stopped from another thread") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& position) {
            if (!position.rules().single_royal || position.rules().is_compound) return;
            std::atomic<bool> stop{false};
            std::array<MateReport, 2> found;
            std::vector<std::thread> threads;
            threads.reserve(found.size());
            for (MateReport& one : found)
                threads.emplace_back([&] {
                    MateTable table(1);
                    one = MateSearch<W>(position, table, stop, [] {}).run({1'000, 0});
                });
            for (std::thread& thread : threads) thread.join();
            INFO(game.name);
            CHECK(found[0].nodes == found[1].nodes);
            CHECK(found[0].line == found[1].line);
            std::thread stopping([&] { stop = true; });
            MateTable table(1);
            const MateReport stopped = MateSearch<W>(position, table, stop, [] {}).run({10'000, 0});
            CHECK(stopped.nodes <= 10'000);
            stopping.join();
        });
}

TEST_CASE("what a table gives was stored so, while several threads write over one another") {
    TranspositionTable table(1);
    auto entry_of = [](uint64_t key) {
        return TranspositionTable::Entry{uint32_t(mix(key)) | 1, int16_t(key), int(key % 50),
                                         TranspositionTable::EXACT};
    };
    constexpr uint64_t THREADS = 4;
    auto key_of = [](uint64_t number) { return (mix(number) & 0xFF'FFFF) | (number / THREADS % 8) << 40; };
    std::array<uint64_t, THREADS> spoiled{};
    std::vector<std::thread> threads;
    threads.reserve(THREADS);
    for (uint64_t thread = 0; thread < THREADS; ++thread)
        threads.emplace_back([&, thread] {
            for (uint64_t i = 0; i < 20'000; ++i) {
                const uint64_t key = key_of(i * THREADS + thread);
                table.store(key, entry_of(key));
                const uint64_t other = key_of(i * THREADS + (thread + 1) % THREADS);
                const auto entry = table.probe(other);
                if (!entry) continue;
                const auto right = entry_of(other);
                spoiled[thread] += entry->move != right.move || entry->score != right.score ||
                                   entry->depth != right.depth || entry->bound != right.bound;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(spoiled == std::array<uint64_t, THREADS>{});
}

TEST_CASE("tasks are done once each, by any number of threads") {
    for (int threads : {0, 1, 2, 7}) {
        std::vector<int> done(500, 0), seen(500, 0);
        run_parallel(
            threads, done.size(), [&](size_t task) { ++done[task]; }, [&](size_t task) { ++seen[task]; }, [] {});
        CHECK(done == std::vector<int>(500, 1));
        CHECK(seen == done);
    }
    run_parallel(3, 0, NOTHING, NOTHING, [] {});
}

TEST_CASE("an error in a task, in a report or in a poll ends all threads") {
    struct Error {};
    auto fail = [](auto...) { throw Error{}; };
    CHECK_THROWS_AS(run_parallel(3, 200, fail, NOTHING, [] {}), Error);
    CHECK_THROWS_AS(run_parallel(3, 200, NOTHING, fail, [] {}), Error);
    CHECK_THROWS_AS(run_parallel(3, 200, NOTHING, NOTHING, fail), Error);
}

TEST_CASE("a game is solved by several threads as by one") {
    // In full the game has more than one part, so that parts are made at once.
    const int side = in_full() ? 4 : 3;
    const auto rules = std::make_shared<const Rules<SMALL>>(small_tables(side, 4));
    Position<SMALL> start(rules);
    auto place = [&](int point, Piece piece) { start.place(rules->cell_of[size_t(point)], piece); };
    place(side * 4 - 2, piece_of(KING, BLACK));
    place(1, piece_of(KING, WHITE));
    place(side * 4 - 1, piece_of(ROOK, BLACK));
    place(0, piece_of(PAWN, WHITE));
    const std::vector<Family> families{{1, {ROOK}, {0}}, {1, {PAWN, GOLD}, {1}}};
    const auto index = std::make_shared<const TableIndex>(rules, start, KING, families, false);
    std::string values;
    Summary summary;
    for (int threads : {4, 1}) {
        Solver solver(index, index->find(start), true);
        uint64_t parts = 0, known = 0;
        solver.expand(threads, [&](uint64_t now, uint64_t) { parts = now; }, [] {});
        CHECK(parts == solver.parts());
        solver.propagate(threads, [&](uint64_t now, uint64_t) { known = now; }, [] {});
        const Summary found = solver.summary(threads, [] {});
        const auto& positions = found.positions;
        CHECK(known == std::accumulate(positions.begin() + 1, positions.end(), uint64_t(0)));
        if (threads == 1) {
            CHECK(solver.values(2, 0, index->size()) == values);
            CHECK(found.reachable == summary.reachable);
        }
        values = solver.values(2, 0, index->size());
        summary = found;
        solver.propagate(threads, NOTHING, [] {});
        CHECK(solver.values(2, 0, index->size()) == values);
    }
    CHECK(audit(*index, values, 2, true, 4, 1, 4, NOTHING, [] {}).wrong.empty());
    std::string spoiled = values;
    for (char& byte : spoiled) byte = char(byte ^ 1);
    CHECK_FALSE(audit(*index, spoiled, 2, true, 64, 1, 4, NOTHING, [] {}).wrong.empty());
}

TEST_SUITE_END();

}  // namespace
