#include <doctest/doctest.h>

#include <sstream>
#include <tuple>

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
            rules.each_ray(Point(from), Point(to), [&](int vector, int distance) {
                ++rays;
                CHECK(first + rules.deltas[size_t(vector)] * distance == last);
                CHECK(rules.each_ray(Point(to), Point(from), [&](int back, int) { return back == (vector ^ 1); }));
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
    CHECK(rules.slides(piece_of(ROOK, WHITE), 12) == rules.rays[12]);
    for (int kind = 0; kind < KINDS; ++kind)
        for (const Side side : {BLACK, WHITE})
            for (int from = 0; from < rules.points; ++from) {
                const Piece piece = piece_of(kind, side);
                CHECK(rules.slides(piece, Point(from)).any() == (kind == ROOK));
                for (int to = 0; to < rules.points; ++to)
                    CHECK(rules.sets.leaps_onto[rules.site(piece, Point(to))].test(Point(from)) ==
                          rules.leaps(piece, Point(from)).test(Point(to)));
            }
}

TEST_CASE("pieces that move alike with as many results share their tables, and pieces of one leap move at once") {
    RuleTables tables = small_tables();
    const Rules<SMALL> rules(tables);
    auto site = [](const Rules<SMALL>& r, int kind, Side side) { return r.site(piece_of(kind, side), 0); };
    CHECK(rules.in_place);
    CHECK(site(rules, GOLD, BLACK) != site(rules, KING, BLACK));
    CHECK(site(rules, GOLD, BLACK) != site(rules, GOLD, WHITE));
    REQUIRE(rules.sets.shifts[BLACK].size() == 1);
    CHECK(rules.sets.shifts[BLACK][0].by == -5);
    CHECK(rules.sets.shifts[WHITE][0].by == 5);
    CHECK(rules.sets.sliding[BLACK].size() == 1);
    // A gold that moves as the king does is of its class, but for a rule about where it lands.
    tables.leaps[piece_of(GOLD, BLACK)] = tables.leaps[piece_of(KING, BLACK)];
    const Rules<SMALL> alike(tables);
    CHECK(site(alike, GOLD, BLACK) == site(alike, KING, BLACK));
    tables.rules.push_back({{Event::LANDS}, false, PointsByPiece(16), {{Condition::CAPTURES, true, 0}}});
    tables.rules[0].where[piece_of(GOLD, BLACK)] = {12};
    const Rules<SMALL> asked(tables);
    CHECK(site(asked, GOLD, BLACK) != site(asked, KING, BLACK));
    CHECK(asked.sets.visited[BLACK].size() == 1);
    CHECK(asked.sets.visited[WHITE].empty());
    tables.roots[piece_of(GOLD, BLACK)] = 1;
    CHECK_FALSE(Rules<SMALL>(tables).in_place);
}

TEST_CASE("pieces that may be dropped on the same points are of one class, but for what they attack") {
    RuleTables tables = small_tables();
    const PointsByPiece everywhere(16, tables.may_land[piece_of(KING, BLACK)]);
    tables.rules.push_back({{Event::DROPS}, false, everywhere, {{Condition::IN_HAND, true, 1}}});
    tables.rules.push_back({{Event::DROPS}, false, PointsByPiece(16), {{Condition::GIVES_CHECK, true, 0}}});
    tables.rules[1].where[piece_of(ROOK, BLACK)] = everywhere[0];
    auto class_of = [](const Rules<SMALL>& r, int kind, Side side) { return r.info[piece_of(kind, side)].drop_class; };
    const Rules<SMALL> alike(tables);
    CHECK(class_of(alike, ROOK, BLACK) == class_of(alike, PAWN, BLACK));
    CHECK(class_of(alike, ROOK, BLACK) != class_of(alike, ROOK, WHITE));
    CHECK(alike.drop_classes[class_of(alike, ROOK, BLACK)].by_roles);
    CHECK(alike.info[piece_of(ROOK, BLACK)].never_checks);
    CHECK_FALSE(alike.info[piece_of(PAWN, BLACK)].never_checks);
    tables.rules.push_back({{Event::DROPS}, false, PointsByPiece(16), {{Condition::ON_FILE, true, 0}}});
    tables.rules[2].where[piece_of(PAWN, BLACK)] = everywhere[0];
    tables.file_groups = {{PAWN}};
    const Rules<SMALL> asked(tables);
    CHECK(class_of(asked, ROOK, BLACK) != class_of(asked, PAWN, BLACK));
    CHECK_FALSE(asked.drop_classes[class_of(asked, PAWN, BLACK)].by_roles);
}

TEST_CASE("a window takes everything along with its anchor, and back") {
    RuleTables tables = small_tables();
    tables.anchor = piece_of(KING, BLACK);
    tables.roots[piece_of(KING, BLACK)] = 1;
    const auto rules = std::make_shared<const Rules<SMALL>>(tables);
    CHECK(rules->window[6].test(18));
    CHECK_FALSE(rules->window[6].test(9));   // leaves at the right
    CHECK_FALSE(rules->window[6].test(20));  // and at the bottom
    CHECK(rules->window[12] == rules->board);
    State<SMALL> state(rules);
    state.place(rules->cell_of[6], piece_of(KING, BLACK));
    state.place(rules->cell_of[8], piece_of(ROOK, WHITE));
    const auto board = state.board;
    const auto parts = state.parts;
    const uint64_t key = state.key, role_key = state.role_key;
    state.shift(rules->middle - rules->cell_of[6]);
    CHECK(state.board[rules->middle] == piece_of(KING, BLACK));
    CHECK(state.board[rules->cell_of[14]] == piece_of(ROOK, WHITE));
    CHECK(state.royal[BLACK] == rules->middle);
    CHECK(state.occupied[WHITE] == Bits<SMALL>::only(14));
    CHECK(state.roots == Bits<SMALL>::only(12));
    CHECK(state.key == state.key_from_scratch());
    CHECK(state.role_key != role_key);
    state.rewind(0);
    CHECK(state.board == board);
    CHECK(state.parts == parts);
    CHECK(state.key == key);
    CHECK(state.role_key == role_key);
}

TEST_CASE("landings of compound moves are inert where no rule looks at what they change") {
    RuleTables tables = small_tables();
    const std::vector<int> everywhere = tables.may_land[piece_of(KING, BLACK)];
    CompoundTables& compound = tables.compound.emplace();
    compound.walks.resize(16);
    compound.shots.resize(16);
    compound.cannot_capture.resize(16);
    compound.captures_promote_to.assign(16, EMPTY);
    compound.promotes_by_capturing.resize(16);
    compound.name_order = everywhere;
    tables.has.push_back({{{piece_of(ROOK, BLACK)}, {piece_of(ROOK, WHITE)}}});
    compound.rules.push_back(
        {0, Event::AT_ALL_TIMES, PointsByPiece(16), {{Condition::HAS, false, 0}}, Action::REMOVE, {}, 0, false, {}, 0});
    compound.rules[0].where[piece_of(GOLD, BLACK)] = everywhere;
    compound.shots[piece_of(ROOK, BLACK)].push_back(
        {{RIGHT, LEFT}, 2, 1, false, false, false, StandingShot::NEVER, std::vector<int>(16, 1)});
    const Rules<SMALL> rules(tables);
    const auto &pawn = rules.info[piece_of(PAWN, BLACK)], &gold = rules.info[piece_of(GOLD, BLACK)];
    CHECK(pawn.single);
    CHECK(pawn.inert == std::array{true, true, false, false});  // in the zone it becomes what a rule looks at
    CHECK(gold.inert_midway);                                   // that rule asks for no place
    CHECK(rules.info[piece_of(PAWN, WHITE)].inert == std::array{true, true, true, true});
    CHECK_FALSE(pawn.range);
    REQUIRE(rules.info[piece_of(ROOK, BLACK)].range == 0);
    CHECK(rules.ranges[0][6].count() == 3);  // two points to the right, one to the left
    compound.rules[0].where[piece_of(GOLD, BLACK)] = {12};
    CHECK_FALSE(Rules<SMALL>(tables).info[piece_of(GOLD, BLACK)].inert_midway);
}

TEST_CASE("where rays of two vectors lead from point to point, both are looked at") {
    RuleTables tables = small_tables(9, 1);
    tables.deltas = {-1, 1, -2, 2};
    tables.reach.assign(16 * 4, 0);
    tables.leaps.assign(16, 0);
    tables.slides.assign(16, 0);
    for (const Side side : {BLACK, WHITE}) {
        tables.leaps[piece_of(KING, side)] = 3;
        for (const auto& [kind, vectors, first] : {std::tuple{ROOK, 3, 0}, std::tuple{GOLD, 12, 2}}) {
            tables.slides[piece_of(kind, side)] = uint64_t(vectors);
            for (int v : {first, first + 1}) tables.reach[size_t(piece_of(kind, side) * 4 + v)] = 255;
        }
    }
    const auto rules = std::make_shared<const Rules<SMALL>>(tables);
    CHECK(rules->rays_meet);
    auto checked = [&](int kind, const std::vector<int>& between) {
        Position<SMALL> position(rules);
        position.place(rules->cell_of[8], piece_of(KING, BLACK));
        position.place(rules->cell_of[0], piece_of(KING, WHITE));
        position.place(rules->cell_of[4], piece_of(kind, WHITE));
        for (int point : between) position.place(rules->cell_of[size_t(point)], piece_of(PAWN, BLACK));
        MoveList fast, generic;
        position.legal_moves(fast);
        position.legal_moves_generic(generic);
        CHECK(fast.size() == generic.size());
        CHECK(position.count_legal_moves() == fast.size());
        return position.in_check(BLACK);
    };
    CHECK(checked(ROOK, {}));
    CHECK_FALSE(checked(ROOK, {5}));
    CHECK(checked(GOLD, {5, 7}));
    CHECK_FALSE(checked(GOLD, {6}));
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
        {3, Event::ARRIVES, PointsByPiece(16), {}, Action::REMOVE, {1, 2}, 0, true, {{{8}, {9}}}, 1});
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
