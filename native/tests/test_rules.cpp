#include <doctest/doctest.h>

#include <sstream>

#include "small_game.hpp"

using namespace komadai;
using namespace komadai::test;

TEST_CASE("rays lead from point to point along the vectors, and back along the opposites") {
    const Rules<SMALL> rules(small_tables());
    for (int from = 0; from < rules.points; ++from)
        for (int to = 0; to < rules.points; ++to) {
            const Cell first = rules.cell_of[size_t(from)], last = rules.cell_of[size_t(to)];
            const int dx = to % 5 - from % 5, dy = to / 5 - from / 5;
            const bool on_a_line = (dx == 0) != (dy == 0);  // the rook is the only slider
            CHECK(rules.rays[size_t(from)].test(Point(to)) == on_a_line);
            int rays = 0;
            rules.each_ray(first, last, [&](int vector, int distance) {
                ++rays;
                CHECK(first + rules.deltas[size_t(vector)] * distance == last);
                CHECK(rules.each_ray(last, first, [&](int back, int) { return back == (vector ^ 1); }));
                return false;
            });
            CHECK(rays == int(on_a_line));
        }
}

TEST_CASE("leaps stay on the board") {
    const Rules<SMALL> rules(small_tables());
    CHECK(rules.leaps(piece_of(KING, BLACK), 0).count() == 3);
    CHECK(rules.leaps(piece_of(KING, BLACK), 12).count() == 8);
    CHECK(rules.leaps(piece_of(PAWN, BLACK), 12).test(7));
    CHECK(rules.leaps(piece_of(PAWN, WHITE), 12).test(17));
    CHECK_FALSE(rules.leaps(piece_of(PAWN, BLACK), 2).any());
    CHECK(rules.leaps(piece_of(GOLD, WHITE), 12).count() == 6);
}

TEST_CASE("the targets on an empty board are those of leaps and slides, and leaps are found from their targets too") {
    const Rules<SMALL> rules(small_tables());
    CHECK(rules.reach(piece_of(ROOK, WHITE), 12) == rules.rays[12]);
    for (size_t at = 0; at < rules.info.size() * size_t(rules.points); ++at) {
        const auto piece = Piece(at / size_t(rules.points));
        const auto from = Point(at % size_t(rules.points));
        if (rules.info[piece].slides.empty()) CHECK(rules.reach(piece, from) == rules.leaps(piece, from));
        for (int to = 0; to < rules.points; ++to)
            CHECK(rules.leaps_onto(piece, Point(to)).test(from) == rules.leaps(piece, from).test(Point(to)));
    }
}

TEST_CASE("tables that exceed the core are refused") {
    RuleTables wide = small_tables();
    wide.width = 129;
    wide.height = 1;
    CHECK_THROWS_AS(Rules<SMALL>{wide}, std::invalid_argument);
    RuleTables hands = small_tables();
    hands.drops.resize(MAX_HAND + 1);
    CHECK_THROWS_AS(Rules<SMALL>{hands}, std::invalid_argument);
}

TEST_CASE("the text form holds all tables") {
    RuleTables tables = small_tables();
    tables.rules.push_back({{Event::DROPS}, false, PointsByPiece(16, {1, 2}), {{Condition::ON_FILE, true, 0}}});
    tables.nears.push_back({1, 2, true, {{{4}, {5, 6}}}});
    tables.compound.emplace().walks.resize(1);
    tables.compound->walks[0].push_back({3, 1, 2, false, {1, 2}});
    tables.compound->rules.push_back(
        {Event::ARRIVES, PointsByPiece(16), {}, Action::REMOVE, {1, 2}, 0, true, {{{8}, {9}}}, 1});
    std::stringstream once, twice;
    write_text(once, tables);
    RuleTables read;
    read_text(once, read);
    write_text(twice, read);
    CHECK(once.str() == twice.str());
    CHECK(read.compound->rules[0].action == Action::REMOVE);
    CHECK(read.rules[0].terms[0].expected);

    std::stringstream cut(once.str().substr(0, once.str().size() / 2));
    CHECK_THROWS_AS(read_text(cut, read), std::invalid_argument);
    std::stringstream other("height 3");
    CHECK_THROWS_AS(read_text(other, read), std::invalid_argument);
}
