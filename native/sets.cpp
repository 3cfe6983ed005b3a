#include "sets.hpp"

#include <algorithm>

#include "rules.hpp"

namespace komadai {

template <int W>
struct SetTables<W>::Class {
    Piece example;
    Side side;
    uint64_t leap_bits, slide_bits;
    std::vector<uint8_t> reach;  // by vector, of its slides
    bool visited = false;
    std::array<std::vector<Bits<W>>, 2> planes{};  // by whether a move begins in the zone
    std::array<Bits<W>, 2> usual{};
    // True if pieces of one are pieces of the other: all is the same but for the example.
    [[nodiscard]] bool is(const Class& o) const {
        return side == o.side && leap_bits == o.leap_bits && slide_bits == o.slide_bits && reach == o.reach &&
               visited == o.visited && planes == o.planes && usual == o.usual;
    }
};

// The fans of the pieces that slide by the same vectors as far.
template <int W>
struct SetTables<W>::Spread {
    Ways ways;
    std::vector<Fan> fans;  // by point
};

template <int W>
void SetTables<W>::fill(const Rules<W>& r) {
    points = size_t(r.points);
    ray.assign(r.deltas.size() * points, {});
    for (const int v : r.ray_vectors)
        for (size_t point = 0; point < points; ++point)
            r.each_step(r.cell_of[point], v, UINT8_MAX,
                        [&](Cell to) { ray[size_t(v) * points + point].set(r.point_of[to]); });
    marks.resize(r.info.size());
    std::vector<Class> classes;
    std::vector<Spread> spreads;
    for (size_t piece = 0; piece < r.info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        const Class found = describe(r, Piece(piece));
        const auto same = std::ranges::find_if(classes, [&](const Class& c) { return c.is(found); });
        marks[piece].site = uint32_t(size_t(same - classes.begin()) * points);
        marks[piece].hand = int8_t(r.info[piece].captured);
        if (r.info[piece].royal) marks[piece].royal = side_of(Piece(piece));
        if (same != classes.end()) continue;
        classes.push_back(found);
        add_class(r, found);
        if (r.is_compound) continue;
        Ways ways, back;
        for (const auto& slide : r.info[piece].slides) {
            ways.emplace_back(slide.vector, slide.reach);
            back.emplace_back(slide.vector ^ 1, slide.reach);
        }
        for (const Fan& fan : fans_along(r, ways, spreads)) fans.push_back(fan);
        for (const Fan& fan : fans_along(r, back, spreads)) fans_onto.push_back(fan);
    }
    Ways every;
    for (const int v : r.ray_vectors) every.emplace_back(v, UINT8_MAX);
    sights = fans_along(r, every, spreads);
    make_parts(r, classes);
    find_origins(r);
}

// Finds out what a piece shares with the others of its class.
template <int W>
typename SetTables<W>::Class SetTables<W>::describe(const Rules<W>& r, Piece piece) const {
    const auto& info = r.info[piece];
    Class c{piece, side_of(piece), info.leap_bits, info.slide_bits, std::vector<uint8_t>(r.deltas.size())};
    for (const auto& slide : info.slides) c.reach[slide.vector] = slide.reach;
    if (r.is_compound) return c;
    c.visited = std::ranges::any_of(info.results, [&](Piece one) { return !r.info[one].landing_rules.empty(); });
    const Change wanted = info.usual;
    const auto& result = r.info[wanted.piece];
    const bool settles = r.end_rules.empty() && wanted.piece != r.anchor && result.landing_rules.empty();
    for (const size_t inside : {0, 1})
        for (size_t point = 0; point < points; ++point) {
            const auto to = Point(point);
            const size_t move_class = (inside || r.zone[c.side].test(to)) * 2;
            std::array<size_t, 2> count{};  // of results, by whether the move captures
            bool stays = settles && result.may_land.test(to);
            for (const size_t captures : {0, 1}) {
                const auto& changes = info.changes[move_class + captures];
                for (const Change& change : changes) count[captures] += r.info[change.piece].may_land.test(to);
                stays = stays && changes.size() == 1 && changes[0].piece == wanted.piece &&
                        changes[0].flags == wanted.flags;
            }
            if (stays) c.usual[inside].set(to);
            c.visited |= count[0] != count[1];
            auto& planes_of = c.planes[inside];
            if (planes_of.size() < count[0]) planes_of.resize(count[0]);
            for (size_t k = 0; k < count[0]; ++k) planes_of[k].set(to);
        }
    if (c.visited || !r.in_place) c.planes = {};
    return c;
}

template <int W>
void SetTables<W>::add_class(const Rules<W>& r, const Class& c) {
    planes.push_back(c.planes);
    for (size_t point = 0; point < points; ++point) {
        Reach& here = reach.emplace_back();
        for (const auto& leap : r.info[c.example].leaps)
            r.each_step(r.cell_of[point], leap.vector, 1, [&](Cell to) { here.leaps.set(r.point_of[to]); });
        for (const auto& slide : r.info[c.example].slides)
            r.each_step(r.cell_of[point], slide.vector, slide.reach, [&](Cell to) { here.slides.set(r.point_of[to]); });
        if (r.is_compound) continue;
        const Bits<W> all = here.leaps | here.slides;
        const size_t inside = r.zone[c.side].test(Point(point));
        const auto& counted = c.planes[inside];
        results.push_back(
            {counted.empty() ? Bits<W>{} : all & counted[0], counted.size() < 2 ? Bits<W>{} : all & counted[1]});
        usual.push_back(all & c.usual[inside]);
        Bits<W>& onto = leaps_onto.emplace_back();
        for (const auto& leap : r.info[c.example].leaps)
            r.each_step(r.cell_of[point], leap.vector ^ 1, 1, [&](Cell from) { onto.set(r.point_of[from]); });
        Bits<W>& slid = slides_onto.emplace_back();
        for (const auto& slide : r.info[c.example].slides)
            r.each_step(r.cell_of[point], slide.vector ^ 1, slide.reach,
                        [&](Cell from) { slid.set(r.point_of[from]); });
    }
}

// The fans along those ways, by point, in `known`, where they stand or are added.
template <int W>
const std::vector<typename SetTables<W>::Fan>& SetTables<W>::fans_along(const Rules<W>& r, Ways ways,
                                                                        std::vector<Spread>& known) {
    std::ranges::sort(ways);
    const auto same = std::ranges::find(known, ways, &Spread::ways);
    if (same != known.end()) return same->fans;
    Spread& added = known.emplace_back(Spread{ways, {}});
    for (const Cell from : r.cell_of) {
        std::vector<Bits<W>> up, down;
        for (const auto& [vector, steps] : ways) {
            Bits<W> found;
            Cell last = from;
            r.each_step(from, vector, steps, [&](Cell to) { found.set(r.point_of[last = to]); });
            if (last != from) (last > from ? up : down).push_back(found);
        }
        added.fans.push_back({uint32_t(rays.size()), uint8_t(up.size()), uint8_t(down.size())});
        rays.insert(rays.end(), up.begin(), up.end());
        rays.insert(rays.end(), down.begin(), down.end());
    }
    return added.fans;
}

template <int W>
void SetTables<W>::make_parts(const Rules<W>& r, const std::vector<Class>& classes) {
    groups.resize(size_t(r.groups));
    for (size_t piece = 0; piece < r.info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        const auto& info = r.info[piece];
        const int number = int(marks[piece].site / points);
        const Class& c = classes[size_t(number)];
        const bool alike = r.in_place && info.leaps.size() == 1 && info.slides.empty() && !c.visited;
        const Part part{c.side, !info.slides.empty(), info.may_slide, c.visited, info.groups, alike ? number : -1};
        const auto same = std::ranges::find(parts, part);
        const auto at = uint16_t(same - parts.begin());
        marks[piece].part = at;
        if (same != parts.end()) continue;
        parts.push_back(part);
        if (part.slides) sliding[c.side].push_back(at);
        if (part.may_slide) may_slide[c.side].push_back(at);
        if (part.visited) visited[c.side].push_back(at);
        for (size_t group = 0; group < groups.size(); ++group)
            if (part.groups >> group & 1) groups[group][c.side].push_back(at);
        if (!alike) continue;
        Shift shift{at, 0, {}, {}, number};
        for (size_t point = 0; point < points; ++point)
            r.each_step(r.cell_of[point], info.leaps[0].vector, 1, [&](Cell to) {
                shift.from.set(Point(point));
                if (r.zone[c.side].test(Point(point))) shift.from_zone.set(r.point_of[to]);
                shift.by = int(r.point_of[to]) - int(point);
            });
        shifts[c.side].push_back(shift);
    }
}

template <int W>
void SetTables<W>::find_origins(const Rules<W>& r) {
    for (const Side side : {BLACK, WHITE}) {
        auto& once = leapt_from[side];
        once.resize(points);
        leapt_from_twice[side].resize(points);
        auto each_leap = [&](Side of, bool royal, auto visit) {
            for (size_t piece = 0; piece < r.info.size(); ++piece)
                if ((piece & 3) == size_t(1) << of && (!royal || r.info[piece].royal))
                    for (size_t from = 0; from < points; ++from)
                        reach[marks[piece].site + from].leaps.each(
                            [&](Point to) { return visit(Point(from), to), false; });
        };
        each_leap(side, false, [&](Point from, Point to) { once[to].set(from); });
        for (size_t point = 0; point < points; ++point)
            once[point].each([&](Point middle) { return leapt_from_twice[side][point] |= once[middle], false; });
        leapt_beside[side] = once;
        each_leap(~side, true, [&](Point from, Point to) { leapt_beside[side][from] |= once[to]; });
    }
}

KOMADAI_FOR_EACH_SIZE(struct SetTables)

}  // namespace komadai
