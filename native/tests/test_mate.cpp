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

// The length in plies of the mate by checks, found by going back from the mated positions: 0 if there is no mate, -1 if
// there are too many positions. Such a win never repeats a position, so the rules of repetition do not matter.
class Truth {
 public:
    explicit Truth(const Position<SMALL>& position) : position_(position), attacker_(position.side_to_move()) {}

    int plies() {
        const size_t root = visit();
        for (int plies = 0; positions_.size() <= MOST; ++plies) {
            bool more = false;
            std::vector<int> now = won_;
            for (size_t i = 0; i < positions_.size(); ++i) {
                const auto& [attacks, next] = positions_[i];
                auto won = [&](size_t to) { return won_[to] >= 0; };
                if (won_[i] >= 0 || !(attacks ? std::ranges::any_of(next, won) : std::ranges::all_of(next, won)))
                    continue;
                now[i] = plies;
                more = true;
            }
            won_ = std::move(now);
            if (won_[root] >= 0) return won_[root];
            if (!more) return 0;
        }
        return -1;
    }

 private:
    static constexpr size_t MOST = 3'000;

    // NOLINTNEXTLINE(misc-no-recursion)
    size_t visit() {
        if (const auto found = numbers_.find(position_.key()); found != numbers_.end()) return found->second;
        const size_t number = positions_.size();
        numbers_[position_.key()] = number;
        const bool attacks = position_.side_to_move() == attacker_;
        positions_.push_back({attacks, {}});
        won_.push_back(-1);
        if (number > MOST) return number;
        MoveList moves;
        attacks ? position_.legal_checks(moves) : position_.legal_moves(moves);
        for (Move move : moves) {
            position_.push(move);
            const size_t to = visit();
            position_.pop();
            positions_[number].second.push_back(to);
        }
        return number;
    }

    Position<SMALL> position_;
    const Side attacker_;
    std::map<uint64_t, size_t> numbers_;
    std::vector<std::pair<bool, std::vector<size_t>>> positions_;
    std::vector<int> won_;
};

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

TEST_CASE("counts in a word are compared and changed each by itself") {
    for (int slots : {1, 7, 8, 12, 20}) {
        const HandCounts counts(slots);
        const int most = (1 << (counts.bits() - 1)) - 1;
        auto word = [&](int first, int last) {
            return uint64_t(first) | uint64_t(last) << ((slots - 1) * counts.bits() * (slots > 1));
        };
        const uint64_t a = word(2, slots > 1 ? 1 : 2), b = word(1, slots > 1 ? most : 1);
        CHECK(counts.most(a, b) == word(2, slots > 1 ? most : 2));
        CHECK(counts.least(a, b) == word(1, 1));
        CHECK((counts.all_held(word(1, 1)) | counts.all_held(0)) == word(most, most));
        CHECK(counts.least(counts.all(), a) == a);
        CHECK(counts.one_more(word(most, most), slots - 1) == word(most, most));
        CHECK(counts.one_less(counts.one_more(a, slots - 1), slots - 1) == a);
        CHECK(counts.one_less(0, slots - 1) == 0);
    }
}

TEST_CASE("a mate table keeps what took work though the board has many hands") {
    MateTable table(1);
    for (uint64_t held = 0; held < 40; ++held) {
        MateTable::Known known{{held, 0}};
        known.pn = known.dn = known.work = 9;
        table.store(5, known);
    }
    for (uint64_t held = 0; held < 40; ++held) CHECK(table.find(5, {held, 0}, 0x80).work == 9);
    CHECK(table.forget(5, {7, 0}) == 9);
    CHECK(table.find(5, {7, 0}, 0x80).work == 0);
}

// Some positions here are no mate on one path, by repetition, but on another. Were such disproofs believed on every
// path, there would be no mate.
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

// On four by four points positions often repeat. The smallest table soon drops most of what is stored.
TEST_CASE("verdicts and lengths are those of all positions together") {
    std::mt19937 random(11);
    const std::atomic<bool> stop{false};
    const auto rules = std::make_shared<const Rules<SMALL>>(small_tables(4, 4));
    int mates = 0, others = 0, longest = 0;
    for (int wanted = in_full() ? 500 : 8; mates < wanted || others < wanted;) {
        std::vector<size_t> points(16);
        std::iota(points.begin(), points.end(), 0);
        std::ranges::shuffle(points, random);
        Position<SMALL> position(rules);
        for (size_t i = 0; i < 5 + random() % 5; ++i) {
            const Side side = i < 2 ? Side(i) : Side(random() % 4 == 0);
            position.place(rules->cell_of[points[i]], piece_of(i < 2 ? KING : int(random() % 3) + 1, side));
        }
        for (Side side : {BLACK, WHITE})
            for (int slot : {0, 1}) position.give(side, slot, int(random() % (side == BLACK ? 3 : 2)));
        if (position.in_check(WHITE)) continue;
        const int plies = Truth(position).plies();
        if (plies < 0 || (plies <= 1 && random() % 16)) continue;
        MateTable table(1);
        const MateReport report = MateSearch<SMALL>(position, table, stop, [] {}).run({2'000'000, 0});
        REQUIRE(report.verdict == (plies ? Verdict::MATE : Verdict::NO_MATE));
        CHECK(report.shortest == (plies > 0));
        CHECK(report.line.size() == size_t(plies));
        ++(plies ? mates : others);
        longest = std::max(longest, plies);
    }
    CHECK(longest >= 5);
}
