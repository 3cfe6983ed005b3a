// Small games in which two royal pieces give all support and keep near each other, such as Ki Shogi, with or without
// edges: their positions as numbers, and moves and un-moves on a compact form of them, for tables of solved games.
//
// A position is seen by the side to move: without edges from its royal piece, which stands in the middle. The places of
// the two royal pieces make up its class. Every other piece, a cube, lies in a hand or on a cell of the class: a square
// with support, or, if it belongs to the mover, one that a step of the other royal piece can have left without. The
// number of a position is that of its class and then of the multiset of cubes of each family; symmetric classes share
// their numbers, and of symmetric positions of one class only that with the smallest number is used. Numbers with
// gaps: two cubes on one square, or stranded by no single step, are no position.
//
// Nothing here knows a rule: squares, classes, cells, steps and lines are found by playing on boards with royal pieces
// alone, by rays, and by asking the rule tables.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "index.hpp"

namespace komadai {

// A symmetry of the rules, which leaves each side its own pieces: a linear map of the board about its middle, or about
// a royal piece, as x' = a x + b y, y' = c x + d y, and what becomes of each kind.
struct Symmetry {
    std::array<int, 4> map;
    std::vector<int> kinds;

    template <class Visit>
    static void fields(Visit visit) {
        visit("map", &Symmetry::map);
        visit("kinds", &Symmetry::kinds);
    }
};

class RelativeIndex {
 public:
    using TablePosition = Position<SMALL>;
    static constexpr int MAX_CUBES = 8, MAX_SQUARES = 64;
    static constexpr uint8_t HELD = 0xFF;  // instead of a square

    struct Cube {
        uint8_t at, face, side;  // square or HELD; place among the family's kinds; 0: the mover's
        bool operator==(const Cube&) const = default;
    };
    // A position from the view of the side to move.
    struct Scene {
        uint8_t mine, theirs;  // squares of the royal pieces
        std::array<Cube, MAX_CUBES> cubes;
    };
    struct Place {
        Slot slot = NO_SLOT;
        int stabilizer = 1;  // the number of symmetries that map the position to itself
    };

    // `single` is the kind of the royal pieces. `symmetries` form a group, and the first is the identity. Throws
    // std::invalid_argument, with the reason, if the rules are not of the kind described above.
    RelativeIndex(std::shared_ptr<const Rules<SMALL>> rules, const TablePosition& start, int single,
                  const std::vector<Family>& families, std::vector<Symmetry> symmetries);

    [[nodiscard]] const std::shared_ptr<const Rules<SMALL>>& rules() const { return rules_; }
    [[nodiscard]] Slot size() const { return main_ + Slot(opening_.size()); }
    [[nodiscard]] Slot main() const { return main_; }
    [[nodiscard]] Slot find(const TablePosition& position) const;
    void set_up(Slot slot, TablePosition& position) const;
    [[nodiscard]] TablePosition blank() const { return TablePosition(rules_); }
    // True if the position set up from `slot` can be played, and is not the image of one with a smaller number.
    [[nodiscard]] bool counts(Slot slot, const TablePosition&) const { return slot >= main_ || is_sound(slot); }
    // Likewise of a scene that each() found under that number.
    [[nodiscard]] bool is_sound(Slot slot, const Scene& scene) const {
        return !attacked(scene, scene.theirs, 0, occupied(scene)) &&
               (classes_[class_of(scene)].images.size() == 1 || locate(scene).slot == slot);
    }
    [[nodiscard]] bool is_image(Slot slot, const TablePosition&) const;
    // True if cubes of the side to move lie without support.
    [[nodiscard]] bool has_stranded(const Scene& s) const {
        return std::any_of(s.cubes.begin(), s.cubes.begin() + cubes_, [&](const Cube& cube) {
            return cube.at != HELD && !(classes_[class_of(s)].cells & bit(cube.at));
        });
    }
    // The number of arrangements that have a number, before symmetric ones of a class are taken together and before
    // attacks are looked at: by class, its royal squares, all of them, and those without stranded cubes.
    struct ClassCount {
        int mine, theirs;
        uint64_t all, supported;
    };
    [[nodiscard]] std::vector<ClassCount> class_counts() const;

    [[nodiscard]] Place locate(const Scene& scene) const;
    [[nodiscard]] Scene scene(Slot slot) const;
    // Calls visit(slot, moves) for the numbers of positions from which so many moves lead to that one or to an image of
    // it. Where symmetries map a position to itself, its moves, or its un-moves, come in sets that share a number.
    template <class Visit>
    void each_before(Slot slot, Visit visit) const;
    // Calls visit(slot, scene) for each position among `count` numbers from `first` on, of those below main().
    template <class Visit>
    void each(Slot first, Slot count, Visit visit) const;
    // Calls visit(scene) for the position after each legal move.
    template <class Visit>
    void moves(const Scene& scene, Visit visit) const;
    // Calls visit(scene) for the position before each move that may have led to this one. Some may be no positions:
    // stranded cubes that no step explains, or an attack on the wrong royal piece.
    template <class Visit>
    void unmoves(const Scene& scene, Visit visit) const;

 private:
    static constexpr uint64_t NO_LINE = ~uint64_t(0);
    static constexpr uint16_t NO_CODE = 0xFFFF;
    static constexpr uint8_t NO_SQUARE = 0xFF;
    using Squares = uint64_t;
    using Line = std::vector<uint8_t>;  // squares along a ray
    struct Class {
        uint8_t mine, theirs;
        Squares cells = 0, stranded = 0;          // with support; for the mover's cubes without
        std::array<uint32_t, MAX_SQUARES> why{};  // of stranded squares: the steps that may have done it, as bits
        std::vector<uint8_t> steps, back_steps;   // squares to which the mover's royal piece can step; and those from
                                                  // which the other's can have come
        std::vector<Squares> land, drop;          // by kind: squares where the mover's may land, or be dropped
        std::vector<std::pair<int, int>> images;  // symmetry, and the class it leads to, which has numbers
        int number = -1;                          // among the classes with numbers
    };
    // A multiset of cubes of one family.
    struct Group {
        std::array<uint16_t, MAX_CUBES> code;
        Squares on;
        uint32_t why;
        bool possible;
    };
    struct FamilyTables {
        int first, count;  // its cubes
        int slot;          // in hand
        std::vector<int> kinds;
        std::vector<std::vector<uint8_t>> quiet, captures;           // by face: the faces after
        std::vector<std::vector<std::pair<uint8_t, bool>>> sources;  // by face after: face before, captures
        std::vector<uint8_t> drops;                                  // faces
        std::vector<std::vector<uint8_t>> image;                     // by symmetry and face
    };
    // The codes of a family's cubes in a class that has numbers.
    struct Coding {
        std::vector<Cube> cube;                                 // by code
        std::array<std::array<uint16_t, MAX_SQUARES>, 2> at{};  // by side and square: the code of face 0
        std::vector<Group> groups;
    };
    struct Numbered {
        int of;  // the class
        Slot first;
        std::vector<Coding> families;
    };
    // A position with a royal piece in hand, in the view of Black: without edges one may be dropped only where the
    // window has its middle.
    struct Opening {
        Side mover;
        std::vector<Piece> board;  // by point
        std::array<std::array<uint8_t, MAX_HAND>, 2> hands;
        bool operator==(const Opening&) const = default;
    };

    using Pair = std::pair<Point, Point>;  // the points of the royal pieces, in the view of the mover
    void check_rules() const;
    void read_families(const std::vector<Family>& families);
    [[nodiscard]] std::vector<Pair> find_opening(const TablePosition& start);
    [[nodiscard]] Point seen(const TablePosition& position, Point point) const;
    [[nodiscard]] Pair royals(const TablePosition& position) const;
    [[nodiscard]] TablePosition bare(Pair pair) const;
    void find_classes(std::vector<Pair> waiting);
    void choose_squares(const std::vector<Pair>& pairs);
    void find_lines();
    void find_cells(Class& c, const TablePosition& position) const;
    void find_images();
    void number();
    [[nodiscard]] static Coding coding_of(const Class& c, const FamilyTables& family);
    static void find_groups(const Class& c, Coding& coding, int count);
    [[nodiscard]] bool forbids(const TablePosition& position, const std::vector<int>& rules, Move move) const;
    [[nodiscard]] Opening opening_key(const TablePosition& position) const;
    [[nodiscard]] bool is_sound(Slot slot) const;
    [[nodiscard]] uint8_t turned(uint8_t about, uint8_t square) const {
        return turn_[size_t(about) * MAX_SQUARES + square];
    }
    [[nodiscard]] uint8_t mapped(const Symmetry& symmetry, uint8_t square) const;
    [[nodiscard]] uint8_t square_at(Point point) const {
        return square_of(point % rules_->width - left_, point / rules_->width - top_);
    }
    [[nodiscard]] bool make_scene(const TablePosition& position, Scene& s) const;
    [[nodiscard]] uint8_t square_of(int x, int y) const {
        return x < 0 || y < 0 || x >= width_ || y >= height_ ? NO_SQUARE : uint8_t(y * width_ + x);
    }
    [[nodiscard]] Point point_of(uint8_t square) const {
        return Point((square / width_ + top_) * rules_->width + square % width_ + left_);
    }
    [[nodiscard]] int class_of(const Scene& s) const { return class_of_[size_t(s.mine) * MAX_SQUARES + s.theirs]; }
    [[nodiscard]] static Squares bit(uint8_t square) { return Squares(1) << square; }
    [[nodiscard]] Squares occupied(const Scene& s) const {
        Squares found = bit(s.mine) | bit(s.theirs);
        for (int i = 0; i < cubes_; ++i)
            if (s.cubes[i].at != HELD) found |= bit(s.cubes[i].at);
        return found;
    }
    // The steps of the other royal piece that may have left all cubes without support so, as bits: they are the
    // mover's.
    [[nodiscard]] uint32_t reasons(const Scene& s, const Class& c) const {
        uint32_t why = ~uint32_t(0);
        for (int i = 0; i < cubes_; ++i)
            if (const Cube& cube = s.cubes[i]; cube.at != HELD && !(c.cells & bit(cube.at)))
                why &= cube.side ? 0 : c.why[cube.at];
        return why;
    }
    // A cube of the family in the mover's hand; all of them are alike.
    [[nodiscard]] static std::optional<int> held_by_mover(const Scene& s, const FamilyTables& f) {
        for (int i = f.first; i < f.first + f.count; ++i)
            if (s.cubes[i] == Cube{HELD, 0, 0}) return i;
        return std::nullopt;
    }
    [[nodiscard]] Squares area(uint8_t one, uint8_t other) const {
        return (beside_[one] | beside_[other]) & ~bit(one) & ~bit(other);
    }
    [[nodiscard]] Squares line(int kind, int side, uint8_t from, uint8_t to) const {
        return lines_[((size_t(kind) * 2 + side) * MAX_SQUARES + from) * MAX_SQUARES + to];
    }
    [[nodiscard]] const std::vector<Line>& rays(int kind, int side, uint8_t from) const {
        return rays_[(size_t(kind) * 2 + side) * MAX_SQUARES + from];
    }
    [[nodiscard]] int kind_of_cube(const Scene& s, int i) const { return family(i).kinds[s.cubes[i].face]; }
    [[nodiscard]] const FamilyTables& family(int cube) const { return families_[family_of_cube_[cube]]; }
    [[nodiscard]] bool attacked(const Scene& s, uint8_t target, int by, Squares occupied) const {
        for (int i = 0; i < cubes_; ++i) {
            const Cube& cube = s.cubes[i];
            if (cube.side == by && cube.at != HELD && !(line(kind_of_cube(s, i), by, cube.at, target) & occupied))
                return true;
        }
        return false;
    }
    // The scene from the other side, about a square, which becomes the middle where there are no edges. The squares of
    // the royal pieces are turned too.
    [[nodiscard]] Scene turned(const Scene& s, uint8_t about) const {
        Scene t;
        t.mine = turned(about, s.theirs);
        t.theirs = turned(about, s.mine);
        for (int i = 0; i < cubes_; ++i) {
            const Cube& cube = s.cubes[i];
            t.cubes[i] = {cube.at == HELD ? HELD : turned(about, cube.at), cube.face, uint8_t(cube.side ^ 1)};
        }
        return t;
    }
    // The place of a multiset of codes, which it sorts, among all of its size.
    [[nodiscard]] uint64_t rank(std::array<uint16_t, MAX_CUBES>& codes, int count) const {
        for (int i = 1; i < count; ++i)
            for (int j = i; j > 0 && codes[j - 1] > codes[j]; --j) std::swap(codes[j - 1], codes[j]);
        uint64_t found = 0;
        for (int i = 0; i < count; ++i) found += choose_[size_t(codes[i]) + i][i + 1];
        return found;
    }
    template <class Visit>
    void settle(Scene& after, Squares kept, Visit visit) const;
    template <class Visit>
    void restore(Scene& before, int last, Squares pieces, Squares candidates, uint32_t why, const Class& c,
                 const Visit& visit) const;
    template <class Visit>
    void undo_capture(Scene& before, uint8_t square, const Visit& visit) const;
    template <class Visit>
    void undo_cube(Scene& before, int cube, const Class& c, bool may_drop, const Visit& visit) const;

    std::shared_ptr<const Rules<SMALL>> rules_;
    int single_, royal_slot_ = -1;
    std::vector<Symmetry> symmetries_;
    bool edges_;
    int width_ = 0, height_ = 0, left_ = 0, top_ = 0, squares_ = 0;
    std::vector<uint8_t> turn_;                          // about * MAX_SQUARES + square
    std::vector<std::array<uint8_t, MAX_SQUARES>> map_;  // by symmetry
    std::array<Squares, MAX_SQUARES> beside_{};
    std::vector<Squares> lines_;  // kind, side, from, to: the squares between; NO_LINE: no attack
    std::vector<std::vector<Line>> rays_, back_rays_;
    std::vector<FamilyTables> families_;
    std::vector<int> family_of_cube_, family_of_kind_, face_of_kind_;
    int cubes_ = 0;
    bool drops_may_check_ = true;
    std::vector<Class> classes_;
    std::vector<int> class_of_;
    std::vector<Numbered> numbered_;
    std::vector<std::array<uint64_t, MAX_CUBES + 1>> choose_;
    Slot main_ = 0;
    std::vector<Opening> opening_;
};

// --- Positions in order ---

template <class Visit>
void RelativeIndex::each(Slot first, Slot count, Visit visit) const {
    const auto stop = uint64_t(std::min(main_, first)) + std::min(count, main_ - std::min(main_, first));
    for (uint64_t at = first; at < stop;) {
        const Numbered* n = &numbered_.back();
        while (n->first > at) --n;
        const uint64_t end = std::min<uint64_t>(stop, n == &numbered_.back() ? main_ : (n + 1)->first);
        const Class& c = classes_[n->of];
        const size_t last = families_.size() - 1;
        const auto& inner = n->families[last].groups;
        while (at < end) {
            uint64_t rest = at - n->first;
            size_t in = rest % inner.size();
            rest /= inner.size();
            Scene s{};
            s.mine = c.mine;
            s.theirs = c.theirs;
            Squares on = 0;
            uint32_t why = ~uint32_t(0);
            bool possible = true;
            auto put = [&](size_t f, const Group& group) {
                for (int i = 0; i < families_[f].count; ++i)
                    s.cubes[families_[f].first + i] = n->families[f].cube[group.code[i]];
            };
            for (size_t f = last; f-- > 0;) {
                const auto& groups = n->families[f].groups;
                const Group& group = groups[rest % groups.size()];
                rest /= groups.size();
                possible &= group.possible && !(group.on & on) && (group.why & why);
                on |= group.on;
                why &= group.why;
                put(f, group);
            }
            const uint64_t row_end = std::min<uint64_t>(end, at + inner.size() - in);
            if (!possible) {
                at = row_end;
                continue;
            }
            for (; at < row_end; ++at, ++in) {
                const Group& group = inner[in];
                if (!group.possible || (group.on & on) || !(group.why & why)) continue;
                put(last, group);
                visit(Slot(at), s);
            }
        }
    }
}

// --- Moves ---

// Lets the end of the turn take the mover's cubes outside `kept`, and looks whether the mover's royal piece is safe.
template <class Visit>
void RelativeIndex::settle(Scene& after, Squares kept, Visit visit) const {
    Scene s = after;
    for (int i = 0; i < cubes_; ++i)
        if (Cube& cube = s.cubes[i]; cube.side == 0 && cube.at != HELD && !(kept & bit(cube.at))) cube = {HELD, 0, 1};
    const Squares pieces = occupied(s);
    if (!attacked(s, s.mine, 1, pieces)) visit(s, pieces);
}

template <class Visit>
void RelativeIndex::moves(const Scene& s, Visit visit) const {
    const Class& c = classes_[class_of(s)];
    const Squares pieces = occupied(s);
    std::array<int8_t, MAX_SQUARES> on;
    Squares theirs = 0;
    for (int i = 0; i < cubes_; ++i)
        if (s.cubes[i].at != HELD) {
            on[s.cubes[i].at] = int8_t(i);
            if (s.cubes[i].side) theirs |= bit(s.cubes[i].at);
        }
    auto done = [&](const Scene& after, Squares) { visit(turned(after, after.theirs)); };
    Scene after = s;
    auto capture = [&](uint8_t at) { after.cubes[on[at]] = {HELD, 0, 0}; };
    for (int i = 0; i < cubes_; ++i) {
        const Cube cube = s.cubes[i];
        if (cube.side || cube.at == HELD) continue;
        const FamilyTables& f = family(i);
        for (const Line& ray : rays(f.kinds[cube.face], 0, cube.at))
            for (const uint8_t to : ray) {
                const bool taken = pieces & bit(to);
                if (taken && !(theirs & bit(to))) break;
                if (taken) capture(to);
                for (const uint8_t face : (taken ? f.captures : f.quiet)[cube.face]) {
                    if (!(c.land[f.kinds[face]] & bit(to))) continue;
                    after.cubes[i] = {to, face, 0};
                    settle(after, c.cells, done);
                }
                after.cubes[i] = cube;
                if (!taken) continue;
                after.cubes[on[to]] = s.cubes[on[to]];
                break;
            }
    }
    for (const uint8_t to : c.steps) {
        const bool taken = pieces & bit(to);
        if (taken && !(theirs & bit(to))) continue;
        if (taken) capture(to);
        after.mine = to;
        settle(after, area(to, s.theirs), done);
        after.mine = s.mine;
        if (taken) after.cubes[on[to]] = s.cubes[on[to]];
    }
    for (const FamilyTables& f : families_) {
        const std::optional<int> held = held_by_mover(s, f);
        if (!held) continue;
        for (const uint8_t face : f.drops)
            for (Squares to = c.drop[f.kinds[face]] & ~pieces; to; to &= to - 1) {
                after.cubes[*held] = {uint8_t(std::countr_zero(to)), face, 0};
                settle(after, c.cells, [&](const Scene& dropped, Squares now) {
                    if (drops_may_check_ || !attacked(dropped, dropped.theirs, 0, now)) done(dropped, now);
                });
            }
        after.cubes[*held] = s.cubes[*held];
    }
}

// --- Moves taken back ---

// Gives back to the mover, in all ways, cubes that the end of its turn may have taken, on squares of `candidates`. The
// cube given back last is `last`; -1: none yet.
template <class Visit>
void RelativeIndex::restore(Scene& before, int last, Squares pieces, Squares candidates, uint32_t why, const Class& c,
                            const Visit& visit) const {
    visit();
    for (int i = last + 1; i < cubes_; ++i) {
        const Cube held = before.cubes[i];
        if (held.at != HELD || held.side != 1) continue;
        // Cubes of a family are alike: they are given back in their order, on ever higher squares.
        const int first = family(i).first;
        if (std::find(before.cubes.begin() + first, before.cubes.begin() + i, held) != before.cubes.begin() + i)
            continue;
        Squares left = candidates & ~pieces;
        if (last >= first) left &= ~Squares(0) << before.cubes[last].at;
        for (; left; left &= left - 1) {
            const auto at = uint8_t(std::countr_zero(left));
            const uint32_t by = c.cells & bit(at) ? why : why & c.why[at];
            if (!by) continue;
            for (size_t face = 0; face < family(i).kinds.size(); ++face) {
                before.cubes[i] = {at, uint8_t(face), 0};
                restore(before, i, pieces | bit(at), candidates, by, c, visit);
            }
        }
        before.cubes[i] = held;
    }
}

// Gives back to the other side, in all ways, a cube that the mover has captured there and holds.
template <class Visit>
void RelativeIndex::undo_capture(Scene& before, uint8_t square, const Visit& visit) const {
    for (const FamilyTables& f : families_) {
        const std::optional<int> held = held_by_mover(before, f);
        if (!held) continue;
        const Cube cube = before.cubes[*held];
        for (size_t face = 0; face < f.kinds.size(); ++face) {
            before.cubes[*held] = {square, uint8_t(face), 1};
            visit(before);
        }
        before.cubes[*held] = cube;
    }
}

// The moves of one cube, which the mover has on the board, and its drop.
template <class Visit>
void RelativeIndex::undo_cube(Scene& before, int cube, const Class& c, bool may_drop, const Visit& visit) const {
    const Cube now = before.cubes[cube];
    const FamilyTables& f = family(cube);
    const int kind = f.kinds[now.face];
    if (may_drop && c.drop[kind] & bit(now.at) && std::ranges::find(f.drops, now.face) != f.drops.end()) {
        before.cubes[cube] = {HELD, 0, 0};
        visit(before);
        before.cubes[cube] = now;
    }
    if (!(c.land[kind] & bit(now.at))) return;
    const Squares pieces = occupied(before);
    for (const auto& [face, captures] : f.sources[now.face])
        for (const Line& ray : back_rays_[(size_t(f.kinds[face]) * 2) * MAX_SQUARES + now.at])
            for (const uint8_t from : ray) {
                if (pieces & bit(from)) break;
                if (!((c.cells | c.stranded) & bit(from))) continue;
                before.cubes[cube] = {from, face, 0};
                captures ? undo_capture(before, now.at, visit) : visit(before);
                before.cubes[cube] = now;
            }
}

template <class Visit>
void RelativeIndex::unmoves(const Scene& s, Visit visit) const {
    const Class& now = classes_[class_of(s)];
    const Squares pieces = occupied(s);
    const bool may_drop = drops_may_check_ || !attacked(s, s.mine, 1, pieces);
    if (!has_stranded(s)) {
        Scene before = turned(s, s.theirs);
        const Class& c = classes_[class_of(before)];
        std::array<int, MAX_CUBES> mine;
        int count = 0;
        for (int i = 0; i < cubes_; ++i)
            if (before.cubes[i].side == 0 && before.cubes[i].at != HELD) mine[count++] = i;
        restore(before, -1, occupied(before), c.stranded, ~uint32_t(0), c, [&] {
            for (int i = 0; i < count; ++i) undo_cube(before, mine[i], c, may_drop, visit);
        });
    }
    for (const uint8_t origin : now.back_steps) {
        if (pieces & bit(origin)) continue;
        Scene before = turned(s, origin);
        const uint8_t stood = before.mine;
        const Squares kept = area(stood, before.theirs);
        before.mine = turned(origin, origin);
        const Class& c = classes_[class_of(before)];
        const uint32_t why = reasons(before, c);
        if (!why) continue;
        // Where the royal piece came to stand, nothing can have been given back.
        const Squares there = occupied(before) | bit(stood);
        auto give_back = [&](Scene& one) {
            restore(one, -1, there, (c.cells | c.stranded) & ~kept, why, c, [&] { visit(one); });
        };
        give_back(before);
        undo_capture(before, stood, give_back);
    }
}

template <class Visit>
void RelativeIndex::each_before(Slot slot, Visit visit) const {
    const Scene s = scene(slot);
    const int stabilizer = locate(s).stabilizer;
    std::vector<Place> before;
    unmoves(s, [&](const Scene& one) {
        if (const Place found = locate(one); found.slot == NO_SLOT)
            return;
        else if (stabilizer == 1)
            visit(found.slot, found.stabilizer);
        else
            before.push_back(found);
    });
    std::ranges::sort(before, {}, &Place::slot);
    for (size_t i = 0; i < before.size();) {
        const size_t first = i;
        while (i < before.size() && before[i].slot == before[first].slot) ++i;
        visit(before[first].slot, int(i - first) * before[first].stabilizer / stabilizer);
    }
}

}  // namespace komadai
