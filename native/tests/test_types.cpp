#include <doctest/doctest.h>

#include <set>
#include <tuple>

#include "types.hpp"

using namespace komadai;

TEST_CASE("a bit set is a set of points over all its words") {
    const std::set<Point> members{0, 1, 63, 64, 100, 127};
    Bits<2> bits;
    CHECK_FALSE(bits.any());
    for (Point point : members) bits.set(point);
    CHECK(bits.count() == int(members.size()));
    for (Point point = 0; point < 128; ++point) CHECK(bits.test(point) == members.contains(point));

    std::vector<Point> visited;
    CHECK_FALSE(bits.each([&](Point point) { return visited.push_back(point), false; }));
    CHECK(visited == std::vector<Point>(members.begin(), members.end()));
    visited.clear();
    CHECK(bits.each([&](Point point) { return visited.push_back(point), point == 63; }));
    CHECK(visited.size() == 3);

    Bits<2> other;
    other.set(63);
    other.set(65);
    CHECK((bits & other).count() == 1);
    CHECK((bits | other).count() == 7);
    CHECK((~bits).count() == 128 - 6);
    bits.reset(63);
    bits.flip(64);
    bits.flip(65);
    CHECK((bits & other).test(65));
    CHECK_FALSE(bits.test(63));
    CHECK_FALSE(bits.test(64));
}

TEST_CASE("sets are moved, and rays are cut at the first of what stands on them, across words") {
    auto set_of = [](std::initializer_list<int> members) {
        Bits<2> set;
        for (int member : members) set.set(Point(member));
        return set;
    };
    const Bits<2> set = set_of({3, 60, 63, 70});
    CHECK(set.moved(9) == set_of({12, 69, 72, 79}));
    CHECK(set.moved(-3) == set_of({0, 57, 60, 67}));
    CHECK(set.moved(0) == set);
    CHECK(set_of({1, 2}).moved(64) == set_of({65, 66}));
    CHECK(set_of({65, 127}).moved(-65) == set_of({0, 62}));
    CHECK(set.without(set_of({60, 70, 71})) == set_of({3, 63}));
    CHECK(set.meets(set_of({70})));
    CHECK_FALSE(set.meets(set_of({6, 71})));
    const Bits<2> ray = set_of({10, 40, 63, 64, 100});
    for (const auto& [stops, up, down] :
         {std::tuple{set_of({}), ray, ray}, std::tuple{set_of({11, 40}), set_of({10, 40}), set_of({40, 63, 64, 100})},
          std::tuple{set_of({64, 63}), set_of({10, 40, 63}), set_of({64, 100})},
          std::tuple{set_of({0, 100}), ray, set_of({100})}, std::tuple{set_of({10}), set_of({10}), ray}}) {
        CHECK(ray.up_to_first(stops) == up);
        CHECK(ray.down_to_last(stops) == down);
    }
}

TEST_CASE("a piece number holds its kind and its owner, and a wall belongs to both sides") {
    for (Side side : {BLACK, WHITE}) {
        const Piece piece = piece_of(7, side);
        CHECK(kind_of(piece) == 7);
        CHECK(side_of(piece) == side);
        CHECK(owned(piece, side));
        CHECK_FALSE(owned(piece, ~side));
        CHECK(owned(WALL, side));
        CHECK_FALSE(owned(EMPTY, side));
    }
}

TEST_CASE("a move survives its two words, and its ids tell moves apart") {
    const Move step{10, 20, piece_of(3, WHITE), PROMOTES};
    const Move shot{10, 20, piece_of(3, WHITE), PROMOTES, uint64_t(TRAIL_LAST_SHOT | 5)};
    CHECK(Move::from_code(step.code()) == step);
    CHECK(Move::from_code(shot.code(), shot.trail) == shot);
    CHECK(step.id() != shot.id());
    CHECK(Move{}.short_id() != 0);
}
