// Batches of games for agents, in random play: the same for any number of threads, through clones and kept states, and
// nothing in a mask but what is legal.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "environment.hpp"
#include "games.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

constexpr int GAMES = 5;

// Steps of any game, with an action for every cell, hand and kind.
EncodingTables steps_of(const RuleTables& rules) {
    const int cells = rules.width * rules.height, kinds = rules.pieces / 4, hands = int(rules.drops.size());
    EncodingTables t{};
    t.steps = true;
    t.history = 2;
    t.repetitions = 1;
    t.go = cells;
    t.shoot = 2 * cells;
    t.drop = 3 * cells;
    t.shown.assign(size_t(kinds), -1);
    t.drop_planes.assign(size_t(kinds), -1);
    int faces = 0;
    for (const auto& kinds_of_slot : rules.drops)
        for (const int kind : kinds_of_slot)
            if (kinds_of_slot.size() > 1) t.shown[size_t(kind)] = faces++;
    t.choices.resize(size_t(kinds));
    std::iota(t.choices.begin(), t.choices.end(), t.drop + hands);
    t.stop = t.drop + hands + kinds;
    t.declare = -1;
    t.actions = t.stop + 1;
    return t;
}

// Flat actions of the small game: a plane for each direction, with promotion and without, and one for each drop.
EncodingTables flat_of_small_game() {
    EncodingTables t{};
    t.history = t.repetitions = 1;
    t.ways = {{0, 1, 0}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {-1, 1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, -1, 0}};
    t.legs.resize(KINDS);
    for (int way = 0; way < VECTORS; ++way) {
        t.legs[KING].push_back({way, 1});
        if (way < UP_LEFT) t.legs[ROOK].push_back({way, 255});
        if (way != DOWN_RIGHT && way != DOWN_LEFT) t.legs[GOLD].push_back({way, 1});
        t.plane_of.push_back({2 * way, 2 * way + 1});
    }
    t.legs[PAWN] = {{UP, 1}};
    t.promotes = 1;
    t.choices.assign(KINDS, 0);
    t.drop_planes = {-1, 2 * VECTORS, 2 * VECTORS + 1, -1};
    t.action_planes = 2 * VECTORS + 2;
    t.shown.assign(KINDS, -1);
    t.declare = -1;
    t.actions = t.action_planes * 25;
    return t;
}

// What a step gives.
struct Seen {
    std::vector<uint8_t> observations, masks, terminated, truncated, results, final_observations, final_masks;
    std::vector<float> rewards;
    std::vector<int8_t> to_play, winners, discounts, final_to_play;
    std::vector<int32_t> plies, legal_counts, final_plies, final_legal_counts;

    Seen(size_t planes, size_t actions) {
        for (auto* all : {&observations, &final_observations}) all->assign(GAMES * planes, 9);
        for (auto* all : {&masks, &final_masks}) all->assign(GAMES * actions, 9);
        for (auto* all : {&terminated, &truncated, &results}) all->assign(GAMES, 9);
        for (auto* all : {&to_play, &winners, &discounts, &final_to_play}) all->assign(GAMES, 9);
        for (auto* all : {&plies, &legal_counts, &final_plies, &final_legal_counts}) all->assign(GAMES, 9);
        rewards.assign(GAMES, 9);
    }
    StepArrays arrays() {
        return {observations.data(), masks.data(),         rewards.data(),      terminated.data(),
                truncated.data(),    to_play.data(),       winners.data(),      discounts.data(),
                results.data(),      plies.data(),         legal_counts.data(), final_observations.data(),
                final_masks.data(),  final_to_play.data(), final_plies.data(),  final_legal_counts.data()};
    }
    [[nodiscard]] bool over(int game) const { return terminated[size_t(game)] || truncated[size_t(game)]; }
    bool operator==(const Seen&) const = default;
};

struct Played {
    std::unique_ptr<Batch> batch;
    Seen seen;
    std::vector<int32_t> actions = std::vector<int32_t>(GAMES);

    Batch::Refusal step() {
        batch->random_actions(actions.data());
        return batch->step(actions.data(), false, seen.arrays());
    }
    [[nodiscard]] size_t mask_size() const { return seen.masks.size() / GAMES; }
    [[nodiscard]] Played twin() const { return {batch->clone(), seen, actions}; }
};

Played begin(const Game& game, const EncodingTables& tables, int threads, Autoreset autoreset, int most = 40) {
    const AnyRules rules = make_rules(game.tables);
    return std::visit(
        [&]<int W>(const std::shared_ptr<const Rules<W>>& r) {
            const auto encoding = std::make_shared<const Encoding<W>>(r, tables);
            const auto start = std::get<Position<W>>(make_position(rules, game.start));
            Played made{Environments<W>::make(encoding, start, {GAMES, threads, most, autoreset, 3}),
                        {encoding->planes() * encoding->cells(), encoding->actions()}};
            made.batch->look(made.seen.arrays());
            return made;
        },
        rules);
}

// Calls visit(game, tables) for every game and encoding.
template <class Visit>
void each_encoding(Visit visit) {
    visit(small_game(), flat_of_small_game());
    for (const Game& game : games()) visit(game, steps_of(game.tables));
}

int steps() { return in_full() ? 400 : 120; }

TEST_SUITE_BEGIN("environments");

TEST_CASE("several threads play what one plays") {
    each_encoding([](const Game& game, const EncodingTables& tables) {
        INFO(game.name);
        Played one = begin(game, tables, 1, Autoreset::SAME_STEP);
        Played two = begin(game, tables, 2, Autoreset::SAME_STEP), five = begin(game, tables, 5, Autoreset::SAME_STEP);
        for (int i = 0; i < steps(); ++i) {
            for (Played* played : {&one, &two, &five}) REQUIRE(played->step().game == -1);
            REQUIRE(one.seen == two.seen);
            REQUIRE(one.seen == five.seen);
        }
        CHECK(one.batch->save() == two.batch->save());
    });
}

TEST_CASE("clones and kept states go on alike, and what is damaged is refused") {
    each_encoding([](const Game& game, const EncodingTables& tables) {
        INFO(game.name);
        Played played = begin(game, tables, 1, Autoreset::NEXT_STEP);
        for (int i = 0; i < 31; ++i) REQUIRE(played.step().game == -1);
        Played twin = played.twin(), loaded = begin(game, tables, 1, Autoreset::NEXT_STEP);
        std::vector<uint64_t> words = played.batch->save();
        loaded.batch->load(words);
        for (int i = 0; i < steps() / 4; ++i) {
            for (Played* one : {&played, &twin, &loaded}) REQUIRE(one->step().game == -1);
            REQUIRE(played.actions == loaded.actions);
            REQUIRE(played.seen.observations == twin.seen.observations);
            REQUIRE(played.seen.observations == loaded.seen.observations);
            REQUIRE(played.seen.masks == loaded.seen.masks);
        }
        const std::vector<uint64_t> now = loaded.batch->save();
        CHECK(now == played.batch->save());
        words[words.size() / 2] ^= 1;
        CHECK_THROWS_AS(loaded.batch->load(words), std::invalid_argument);
        CHECK(loaded.batch->save() == now);
    });
}

TEST_CASE("a mask has as many actions as are counted, and all others are refused") {
    each_encoding([](const Game& game, const EncodingTables& tables) {
        INFO(game.name);
        Played played = begin(game, tables, 1, Autoreset::NEXT_STEP);
        for (int i = 0; i < steps() / 4; ++i) {
            const std::vector<uint64_t> before = played.batch->save();
            for (int at = 0; at < GAMES; ++at) {
                const uint8_t* const mask = &played.seen.masks[size_t(at) * played.mask_size()];
                REQUIRE(std::ranges::all_of(mask, mask + played.mask_size(), [](uint8_t one) { return one < 2; }));
                REQUIRE(std::count(mask, mask + played.mask_size(), 1) == played.seen.legal_counts[size_t(at)]);
                REQUIRE((played.seen.legal_counts[size_t(at)] == 0) == played.seen.over(at));
                if (played.seen.over(at)) continue;
                std::vector<int32_t> bad(GAMES);
                played.batch->random_actions(bad.data());
                for (const int32_t action : {int32_t(std::find(mask, mask + played.mask_size(), 0) - mask), int32_t(-1),
                                             int32_t(played.mask_size())}) {
                    bad[size_t(at)] = action;
                    Seen untouched = played.seen;
                    REQUIRE(played.batch->step(bad.data(), false, untouched.arrays()).game == at);
                    REQUIRE(untouched == played.seen);
                }
            }
            REQUIRE(played.batch->save() == before);
            REQUIRE(played.step().game == -1);
        }
    });
}

TEST_CASE("games that are over begin anew as the mode says") {
    each_encoding([](const Game& game, const EncodingTables& tables) {
        INFO(game.name);
        constexpr int MOST = 6;
        Played next = begin(game, tables, 1, Autoreset::NEXT_STEP, MOST);
        Played same = begin(game, tables, 1, Autoreset::SAME_STEP, MOST);
        Played none = begin(game, tables, 1, Autoreset::DISABLED, MOST);
        int ended = 0;
        for (int i = 0; i < steps(); ++i) {
            const Seen before = next.seen, kept = none.seen;
            for (Played* played : {&next, &same, &none}) REQUIRE(played->step().game == -1);
            for (int at = 0; at < GAMES; ++at) {
                const auto k = size_t(at);
                ended += next.seen.over(at);
                if (before.over(at)) CHECK((next.seen.plies[k] == 0 && !next.seen.over(at)));
                if (same.seen.over(at)) CHECK((same.seen.plies[k] == 0 && same.seen.final_plies[k] > 0));
                CHECK(next.seen.plies[k] <= MOST);
                if (kept.over(at)) CHECK((none.seen.over(at) && none.seen.plies[k] == kept.plies[k]));
            }
        }
        CHECK(ended > 0);
        std::vector<uint8_t> which(GAMES, 0);
        which[1] = 1;
        CHECK(none.batch->reset(which.data(), {}, std::nullopt) == -1);
        none.batch->look(none.seen.arrays());
        CHECK((none.seen.plies[1] == 0 && !none.seen.over(1)));
        CHECK(none.seen.over(0));
    });
}

TEST_CASE("a declaration that is allowed is an action, and ends its game") {
    each_encoding([](const Game& game, EncodingTables tables) {
        INFO(game.name);
        tables.declare = tables.actions++;
        Played played = begin(game, tables, 1, Autoreset::DISABLED);
        std::vector<int32_t> actions(GAMES);
        const std::vector<int8_t> may{NO_DECLARATION, BLACK, WHITE, -1, NO_DECLARATION};
        const auto declares = [&](int at) { return played.seen.masks[size_t(at + 1) * played.mask_size() - 1] != 0; };
        played.batch->random_actions(actions.data());
        actions[1] = tables.declare;
        CHECK(played.batch->step(actions.data(), false, played.seen.arrays()).game == 1);  // not allowed yet
        for (int twice = 0; twice < 2; ++twice) {
            played.batch->allow(may.data());
            played.batch->look(played.seen.arrays());
            for (int at = 0; at < GAMES; ++at) CHECK(declares(at) == (may[size_t(at)] != NO_DECLARATION));
        }
        for (const int at : {1, 2, 3}) actions[size_t(at)] = tables.declare;
        REQUIRE(played.batch->step(actions.data(), false, played.seen.arrays()).game == -1);
        for (const int at : {1, 2, 3}) {
            CHECK((played.seen.terminated[size_t(at)] && played.seen.results[size_t(at)] == DECLARED));
            CHECK((played.seen.winners[size_t(at)] == may[size_t(at)] && !declares(at)));
            CHECK((played.seen.legal_counts[size_t(at)] == 0 && played.seen.discounts[size_t(at)] == 0));
        }
        CHECK(!played.seen.over(0));
        Played loaded = begin(game, tables, 1, Autoreset::DISABLED);
        loaded.batch->load(played.batch->save());
        loaded.batch->look(loaded.seen.arrays());
        CHECK(loaded.seen.results == played.seen.results);
        CHECK(loaded.seen.winners == played.seen.winners);
        CHECK(loaded.batch->save() == played.batch->save());
    });
}

TEST_CASE("what may begin a turn is the origins of the legal moves, and check is a threat to survive no longer") {
    for (const Game& game : games())
        for (int plies : {0, 9, 40, 90})
            with_position(game, plies, [&]<int W>(Position<W>& position) {
                INFO(game.name << " after " << plies << " plies");
                Movers<W> expected;
                MoveList legal, of_each;
                position.legal_moves(legal);
                for (const Move& move : legal)
                    if (move.is_drop())
                        expected.slots |= 1u << move.from;
                    else
                        expected.pieces.set(position.rules().point_of[move.from]);
                const Movers<W> found = position.movers();
                CHECK(found.pieces == expected.pieces);
                CHECK(found.slots == expected.slots);
                found.pieces.each([&](Point point) {
                    return position.legal_moves_of(position.rules().cell_of[point], false, of_each), false;
                });
                for (unsigned slots = found.slots; slots; slots &= slots - 1)
                    position.legal_moves_of(Cell(std::countr_zero(slots)), true, of_each);
                auto in_order = [](MoveList& moves) {
                    std::ranges::sort(moves, {}, [](const Move& move) { return std::pair(move.code(), move.trail); });
                };
                in_order(legal);
                in_order(of_each);
                CHECK(of_each == legal);
                if (!position.rules().is_compound) return;
                for (const Side side : {BLACK, WHITE}) {
                    Position<W> copy = position;
                    if (side == copy.side_to_move()) copy.push_null();
                    bool threatened = false;
                    MoveList replies;
                    if (survives(copy.state(), side)) copy.legal_moves_generic(replies);
                    for (const Move& move : replies) {
                        copy.push(move);
                        threatened |= !survives(copy.state(), side);
                        copy.pop();
                    }
                    CHECK(position.in_check(side) == threatened);
                }
            });
}

TEST_SUITE_END();

}  // namespace
