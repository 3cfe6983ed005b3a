// Every operation of the core, with each of its requests for memory or a thread failing: it is done or throws, and
// after that everything is as it was, or can be done again.
#include <doctest/doctest.h>

#include <sstream>

#include "games.hpp"
#include "names.hpp"
#include "scarcity.hpp"
#include "search.hpp"
#include "snapshot.hpp"
#include "solve.hpp"
#include "steps.hpp"
#include "tsume.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

constexpr int OPENING = 30;     // random plies before a position is looked at, so that hands hold something
constexpr uint64_t SHARE = 10;  // requests of an operation that fail, where not all do as they do for the small game

template <class Make, class Act, class Check>
void sweep(const std::string& what, Make make, Act act, Check check) {
    const Tried tried = try_failures(in_full() || what.starts_with("small") ? 0 : SHARE, make, act, check);
    if (in_full())
        MESSAGE(what << ": " << tried.requests << " requests, " << tried.failures << " failures, " << tried.exceptions
                     << " of them ended it");
    INFO(what);
    CHECK(tried.wrong == 0);
    CHECK(tried.leaks == 0);
    CHECK(tried.failures > 0);
}

template <int W>
struct Played {
    Position<W> position;
    MoveList moves;
};

// Asks for everything that a position knows, makes moves and takes them back again.
template <int W>
uint64_t play(Played<W>& game, int plies) {
    Position<W>& position = game.position;
    std::mt19937 random(3);
    MoveList moves, others;
    uint64_t sum = 0;
    for (int ply = 0; ply < plies; ++ply) {
        moves.clear();
        others.clear();
        position.legal_moves(moves);
        position.legal_captures(others, true);
        if (!position.rules().is_compound) position.legal_checks(others);
        sum += moves.size() + others.size() + uint64_t(position.outcome().end) + position.count_legal_moves() +
               position.in_check(position.side_to_move()) + position.keys_before_repetition().size();
        if (moves.empty()) break;
        const Move move = moves[random() % moves.size()];
        sum += uint64_t(position.losses(move).count());
        game.moves.reserve(game.moves.size() + 1);
        position.push_noting_check(move);
        game.moves.push_back(move);
    }
    others.clear();
    position.legal_checks_generic(others);
    sum = mix(sum + others.size() + position.winning_move().id()) + position.perft(1, false, true, [] {});
    if (position.rules().points < 100) sum += position.perft(2, true, false, [] {});
    return sum;
}

template <int W>
void take_back(Played<W>& game) {
    for (; !game.moves.empty(); game.moves.pop_back()) game.position.pop();
}

template <int W>
std::shared_ptr<const Evaluation<W>> evaluation_of(const std::shared_ptr<const Rules<W>>& rules) {
    auto made = std::make_shared<Evaluation<W>>(rules);
    std::vector<int> weights(size_t(made->blocks().back().at + made->blocks().back().size()));
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = int(mix(i) % 100);
    made->load(weights);
    return made;
}

bool same(const Report& one, const Report& other) {
    return one.depth == other.depth && one.nodes == other.nodes && one.lines.size() == other.lines.size() &&
           std::ranges::equal(one.lines, other.lines,
                              [](const Line& a, const Line& b) { return a.score == b.score && a.moves == b.moves; });
}

TEST_SUITE_BEGIN("scarcity");

TEST_CASE("rules and positions are made, or nothing is left of them") {
    for (const Game& game : games()) {
        std::ostringstream text;
        write_text(text, game.tables);
        sweep(
            game.name + ": tables are read", [&] { return std::pair(std::istringstream(text.str()), RuleTables{}); },
            [](auto& subject) { read_text(subject.first, subject.second); },
            [&](auto& subject, bool thrown) { return thrown || subject.second.deltas == game.tables.deltas; });
        sweep(
            game.name + ": tables are written", [] { return std::ostringstream(); },
            [&](auto& subject) { write_text(subject, game.tables); },
            [&](auto& subject, bool thrown) { return thrown || subject.str() == text.str(); });
        sweep(
            game.name + ": rules are made", [] { return std::optional<AnyRules>(); },
            [&](auto& subject) { subject = make_rules(game.tables); },
            [](auto& subject, bool thrown) { return subject.has_value() != thrown; });
        sweep(
            game.name + ": a position is set up",
            [&] { return std::pair(make_rules(game.tables), std::optional<AnyPosition>()); },
            [&](auto& subject) { subject.second = make_position(subject.first, game.start); },
            [](auto& subject, bool thrown) { return subject.second.has_value() != thrown; });
    }
}

TEST_CASE("a position is as before the move, or after it") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& start) {
            const int plies = start.rules().is_compound ? 2 : 6;
            Played<W> reference{start, {}};
            const uint64_t expected = play(reference, plies);
            sweep(
                game.name + ": moves are made", [&] { return Played<W>{start, {}}; },
                [&](auto& subject) { play(subject, plies); },
                [&](auto& subject, bool) {
                    Position<W> replayed = start;
                    for (Move move : subject.moves) replayed.push_noting_check(move);
                    bool right = Snapshot(replayed) == Snapshot(subject.position);
                    take_back(subject);
                    right &= Snapshot(start) == Snapshot(subject.position) &&
                             subject.position.key() == subject.position.key_from_scratch();
                    return right && play(subject, plies) == expected;
                });
        });
}

TEST_CASE("a tree of steps is made, or nothing is left of it") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& position) {
            const MoveNames names = numbered_names(game.tables);
            const StepTree expected = step_tree(position, names);
            sweep(
                game.name + ": a tree of steps", [] { return std::optional<StepTree>(); },
                [&](auto& subject) { subject = step_tree(position, names); },
                [&](auto& subject, bool thrown) {
                    return subject.has_value() != thrown && (thrown || subject->moves == expected.moves);
                });
        });
}

TEST_CASE("a search ends with a report or throws, and searches again") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& start) {
            const auto evaluation = evaluation_of<W>(start.state().rules);
            const Limits limits{3, 400, 0, 0, 2, {}};
            auto search = [&](Search<W>& with) {
                Control control;
                uint64_t reports = 0;
                return with.run(start, limits, control, [&](const Report&) { ++reports; }, [] {});
            };
            const Report expected = [&] {
                Search<W> fresh(evaluation, 1, 1);
                return search(fresh);
            }();
            for (int threads : {1, 3})
                sweep(
                    game.name + ": a search by " + std::to_string(threads),
                    [&] { return std::make_unique<Search<W>>(evaluation, 1, threads); },
                    [&](auto& subject) { search(*subject); },
                    [&](auto& subject, bool) {
                        subject->clear();
                        const Report again = search(*subject);
                        return threads == 1 ? same(again, expected) : !again.lines.empty();
                    });
            sweep(
                game.name + ": a searcher is made", [] { return std::unique_ptr<Search<W>>(); },
                [&](auto& subject) {
                    subject = std::make_unique<Search<W>>(evaluation_of<W>(start.state().rules), 1, 2);
                },
                [](auto& subject, bool thrown) { return bool(subject) != thrown; });
        });
}

TEST_CASE("a search for a mate answers or throws, and its table is used again") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& start) {
            if (!start.rules().single_royal || start.rules().is_compound) return;
            const std::atomic<bool> stop{false};
            auto solve = [&](MateTable& table) { return MateSearch<W>(start, table, stop, [] {}).run({300, 0}); };
            MateTable fresh(1);
            const MateReport expected = solve(fresh);
            sweep(
                game.name + ": a search for a mate", [] { return MateTable(1); },
                [&](auto& subject) { solve(subject); },
                [&](auto& subject, bool) {
                    const MateReport again = solve(subject);
                    return again.verdict == expected.verdict && again.line == expected.line &&
                           again.nodes == expected.nodes;
                });
        });
}

TEST_CASE("a search for the length of a mate answers or throws, and its table is used again") {
    for (const Game& game : games())
        with_position(game, OPENING, [&]<int W>(const Position<W>& start) {
            if (!start.rules().single_royal || start.rules().is_compound) return;
            const std::atomic<bool> stop{false};
            auto solve = [&](LengthTable& table) {
                return LengthSearch<W>(start, table, stop, [] {}).run(5, {300, 0});
            };
            LengthTable fresh(1);
            const LengthReport expected = solve(fresh);
            sweep(
                game.name + ": a search for the length of a mate", [] { return LengthTable(1); },
                [&](auto& subject) { solve(subject); },
                [&](auto& subject, bool) {
                    const LengthReport again = solve(subject);
                    return again.plies == expected.plies && again.line == expected.line &&
                           again.nodes == expected.nodes;
                });
        });
}

TEST_CASE("a small game is solved, or its moves are generated again") {
    const auto rules = std::make_shared<const Rules<SMALL>>(small_tables(3, 3));
    Position<SMALL> start(rules);
    start.place(rules->cell_of[7], piece_of(KING, BLACK));
    start.place(rules->cell_of[1], piece_of(KING, WHITE));
    start.place(rules->cell_of[6], piece_of(ROOK, BLACK));
    const std::vector<Family> families{{1, {ROOK}, {0}}};
    sweep(
        "an index is made", [] { return std::unique_ptr<TableIndex>(); },
        [&](auto& subject) { subject = std::make_unique<TableIndex>(rules, start, KING, families, true); },
        [](auto& subject, bool thrown) { return bool(subject) != thrown; });

    const auto index = std::make_shared<const TableIndex>(rules, start, KING, families, true);
    auto nothing = [](auto...) {};
    auto solve = [&](Solver& solver) {
        solver.expand(2, nothing, nothing);
        solver.propagate(2, nothing, nothing);
        return solver.values(2, 0, index->size());
    };
    auto counts = [&](Solver& solver) { return solver.summary(2, nothing); };
    Solver reference(index, index->find(start), true);
    const std::string expected = solve(reference);
    const Summary found = counts(reference);
    REQUIRE(found.positions.size() > 3);
    auto refuses = [](auto call) {
        try {
            call();
        } catch (const std::logic_error&) {
            return true;
        }
        return false;
    };
    // After an error in the midst of parts no call gives anything; after any other, all goes on.
    auto right_or_refused = [&](Solver& solver) {
        try {
            return solve(solver) == expected && counts(solver).reachable == found.reachable;
        } catch (const std::logic_error&) {
            return refuses([&] { (void)solver.values(2, 0, index->size()); }) &&
                   refuses([&] { (void)counts(solver); }) && refuses([&] { (void)solver.save_stage(); });
        }
    };
    sweep(
        "a game is solved", [&] { return std::make_unique<Solver>(index, index->find(start), true); },
        [&](auto& subject) { solve(*subject); }, [&](auto& subject, bool) { return right_or_refused(*subject); });
    sweep(
        "positions are counted",
        [&] {
            auto made = std::make_unique<Solver>(index, index->find(start), true);
            solve(*made);
            return made;
        },
        [&](auto& subject) { (void)counts(*subject); },
        [&](auto& subject, bool) { return right_or_refused(*subject); });
    sweep(
        "a part is saved and loaded",
        [&] {
            auto made = std::make_unique<Solver>(index, index->find(start), true);
            made->expand(1, nothing, nothing);
            return made;
        },
        [&](auto& subject) {
            subject->load(0, subject->save(0));
            subject->load_stage(subject->save_stage());
        },
        [&](auto& subject, bool) { return solve(*subject) == expected; });
    sweep(
        "values are audited", [] { return AuditReport{}; },
        [&](auto& subject) { subject = audit(*index, expected, 2, true, 1, 0, 2, nothing, nothing); },
        [&](auto& subject, bool thrown) { return thrown || (subject.wrong.empty() && subject.positions > 0); });
}

TEST_CASE("a table that is larger than any memory is refused") {
    for (size_t megabytes : {size_t(1) << 40, size_t(1) << 44, SIZE_MAX}) {
        CHECK_THROWS_AS(TranspositionTable{megabytes}, std::bad_alloc);
        CHECK_THROWS_AS(MateTable{megabytes}, std::bad_alloc);
    }
}

TEST_CASE("values that have not been computed are not given") {
    const auto rules = std::make_shared<const Rules<SMALL>>(small_tables(3, 3));
    Position<SMALL> start(rules);
    start.place(rules->cell_of[7], piece_of(KING, BLACK));
    start.place(rules->cell_of[1], piece_of(KING, WHITE));
    const auto index = std::make_shared<const TableIndex>(rules, start, KING, std::vector<Family>{}, true);
    Solver solver(index, index->find(start), true);
    CHECK_THROWS_AS((void)solver.values(1, 0, index->size()), std::logic_error);
    CHECK_THROWS_AS((void)solver.summary(1, [] {}), std::logic_error);
    CHECK_THROWS_AS((void)solver.reachable_with(DRAW, 1), std::logic_error);
}

TEST_SUITE_END();

}  // namespace
