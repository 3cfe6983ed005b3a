// What the table of a mate search gives, and the shortest mates of a small game against trying everything.
#include <doctest/doctest.h>

#include <map>
#include <numeric>

#include "games.hpp"
#include "mate.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

// True if the side to move mates within so many plies by checks, or cannot escape from it.
bool mates(Position<SMALL>& position, int plies, bool attacking) {
    MoveList moves;
    attacking ? position.legal_checks_generic(moves) : position.legal_moves_generic(moves);
    if (!plies) return !attacking && moves.empty();
    for (Move move : moves) {
        position.push(move);
        const Takeback taken(position);
        if (mates(position, plies - 1, !attacking) == attacking) return attacking;
    }
    return !attacking;
}

// Both kings and some other pieces strewn over the board; nothing where the side that is not to move is in check.
std::optional<Position<SMALL>> strewn(std::mt19937& random) {
    std::vector<int> points(25);
    std::iota(points.begin(), points.end(), 0);
    std::ranges::shuffle(points, random);
    std::vector<std::pair<int, Piece>> placed{{points[0], piece_of(KING, BLACK)}, {points[1], piece_of(KING, WHITE)}};
    for (size_t i = 2; i < 6; ++i) placed.emplace_back(points[i], piece_of(int(random() % 3) + 1, Side(random() % 2)));
    Position<SMALL> position = small_position(placed);
    for (Side side : {BLACK, WHITE})
        for (int slot : {0, 1}) position.give(side, slot, int(random() % 2));
    if (position.in_check(WHITE)) return std::nullopt;
    return position;
}

}  // namespace

TEST_CASE("a mate table keeps bounds, for more and for less in hand too") {
    constexpr uint64_t high = 0x8080;
    MateTable table(1);
    auto store = [&](uint64_t attacker, uint16_t least, uint16_t most) {
        MateTable::Known known{{attacker, 0}};
        known.least = least;
        known.most = most;
        known.work = 1;
        table.store(5, known);
    };
    CHECK(table.find(5, {1, 0}, high).work == 0);
    store(1, 0, 9);
    store(1, 5, INFINITE_PLIES);
    CHECK(table.find(5, {1, 0}, high).least == 5);
    CHECK(table.find(5, {1, 0}, high).most == 9);
    // One more in hand: no slower; but nothing forbids that it is quicker.
    CHECK(table.find(5, {2, 0}, high).work == 0);
    CHECK(table.find(5, {2, 0}, high).least == 0);
    CHECK(table.find(5, {2, 0}, high).most == 9);
    CHECK(table.find(5, {2, 0}, 0).most == INFINITE_PLIES);
    CHECK(table.find(5, {0, 0}, high).least == 5);
    CHECK(table.find(5, {0, 0}, high).most == INFINITE_PLIES);
    // Another piece instead, or more to defend with.
    CHECK(table.find(5, {0x100, 0}, high).most == INFINITE_PLIES);
    CHECK(table.find(5, {1, 1}, high).most == INFINITE_PLIES);
    CHECK(table.find(5, {1, 1}, high).least == 5);
    table.clear();
    CHECK(table.find(5, {1, 0}, high).most == INFINITE_PLIES);
}

// Some positions here are no mate on one path, by repetition, but on another. Were such disproofs believed on every path,
// there would be no mate.
TEST_CASE("a disproof by repetition holds on its path alone") {
    Position<SMALL> position(std::make_shared<const Rules<SMALL>>(small_tables(4, 4)));
    const std::vector<std::pair<size_t, Piece>> placed{{4, piece_of(KING, BLACK)},  {10, piece_of(KING, WHITE)},
                                                       {5, piece_of(ROOK, BLACK)},  {1, piece_of(PAWN, WHITE)},
                                                       {15, piece_of(PAWN, BLACK)}, {2, piece_of(PAWN, BLACK)},
                                                       {12, piece_of(ROOK, BLACK)}, {3, piece_of(GOLD, BLACK)}};
    for (const auto& [point, piece] : placed) position.place(position.rules().cell_of[point], piece);
    for (int slot : {0, 1}) position.give(WHITE, slot, 1);
    MateTable table(1);
    const std::atomic<bool> stop{false};
    const MateReport report = MateSearch<SMALL>(position, table, stop, [] {}).run({100'000, 0});
    REQUIRE(report.verdict == Verdict::MATE);
    CHECK(report.line.size() > 5);
    for (Move move : report.line) position.push(move);
    CHECK(position.outcome().end == End::CHECKMATE);
}

TEST_CASE("the shortest mate is the one that trying everything finds") {
    std::mt19937 random(5);
    const std::atomic<bool> stop{false};
    std::map<size_t, int> seen;
    while (seen[5] < 5) {
        std::optional<Position<SMALL>> position = strewn(random);
        if (!position) continue;
        MateTable table(1);
        const MateReport report = MateSearch<SMALL>(*position, table, stop, [] {}).run({20'000, 0});
        int plies = 1;
        while (plies <= 5 && !mates(*position, plies, true)) plies += 2;
        if (plies > 5) {
            CHECK((report.verdict != Verdict::MATE || report.line.size() > 5));
            continue;
        }
        CHECK(report.verdict == Verdict::MATE);
        CHECK(report.shortest);
        CHECK(report.line.size() == size_t(plies));
        ++seen[report.line.size()];
    }
    CHECK(seen[1] > 0);
    CHECK(seen[3] > 0);
}
