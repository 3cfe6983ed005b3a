// The index of relative places: what it finds out about a game, and its numbering.

#include "relative.hpp"

#include <set>
#include <string>

#include "support.hpp"

namespace komadai {

namespace {

constexpr size_t MAX_GROUPS_OF_CUBES = 5'000'000, MAX_OPENING_POSITIONS = 1'000;

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

}  // namespace

RelativeIndex::RelativeIndex(std::shared_ptr<const Rules<SMALL>> rules, const TablePosition& start, int single,
                             const std::vector<Family>& families, std::vector<Symmetry> symmetries)
    : rules_(std::move(rules)), single_(single), symmetries_(std::move(symmetries)), edges_(rules_->has_edges()) {
    for (int slot = 0; slot < rules_->hands(); ++slot)
        if (std::ranges::find(rules_->drops[size_t(slot)], single_) != rules_->drops[size_t(slot)].end())
            royal_slot_ = slot;
    check_rules();
    read_families(families);
    find_classes(find_opening(start));
    find_images();
    number();
}

void RelativeIndex::check_rules() const {
    const auto& r = *rules_;
    require(!r.is_compound, "its turns may be more than one landing");
    require(r.single_royal && r.has_royal, "each side must have one royal piece");
    require(!r.ends_on_board(), "it may end otherwise than by want of a legal move");
    require(!r.zone[BLACK].any() && !r.zone[WHITE].any(), "pieces change in a zone");
    require(r.info[piece_of(single_, BLACK)].slides.empty(), "its royal piece slides");
    require(!r.end_rules.empty(), "the end of a turn must take the cubes without support");
    for (int index : r.end_rules) {
        const auto& rule = r.rules[size_t(index)];
        const bool all = std::ranges::all_of(r.rules[size_t(index)].where, [&](const Bits<SMALL>& where) {
            const auto piece = Piece(&where - rule.where.data());
            return !is_piece(piece) || kind_of(piece) == single_ || where == r.board;
        });
        require(
            all && rule.terms.size() == 1 && rule.terms[0].condition == Condition::SUPPORTED && !rule.terms[0].expected,
            "the end of a turn must take the cubes without support");
    }
    for (size_t kind = 0; kind < r.info.size() / 4; ++kind) {
        const auto& info = r.info[piece_of(int(kind), BLACK)];
        require(
            info.royal == (int(kind) == single_) && (info.role == Role::ROOT) == info.royal && info.role != Role::LINK,
            "support must come from the royal pieces alone");
        require(!info.overlaps, "a piece goes to the same square in two ways");
        require(info.check_rules.empty() || info.never_checks, "it has rules about drops with check of its own");
    }
    for (const auto& near : r.nears)
        require(near.among == Role::ROOT, "a rule asks for nearness to other pieces than the royal ones");
}

void RelativeIndex::read_families(const std::vector<Family>& families) {
    const auto& r = *rules_;
    const size_t kinds = r.info.size() / 4;
    family_of_kind_.assign(kinds, -1);
    face_of_kind_.assign(kinds, 0);
    for (const Family& one : families) {
        FamilyTables f{cubes_, one.count, -1, one.kinds, {}, {}, {}, {}, {}};
        require(one.hand_slots.size() == 1, "a family of pieces must share one place in hand");
        f.slot = one.hand_slots[0];
        for (size_t face = 0; face < f.kinds.size(); ++face) {
            family_of_kind_[size_t(f.kinds[face])] = int(families_.size());
            face_of_kind_[size_t(f.kinds[face])] = int(face);
        }
        f.sources.resize(f.kinds.size());
        for (size_t face = 0; face < f.kinds.size(); ++face) {
            const auto& info = r.info[piece_of(f.kinds[face], BLACK)];
            require(info.captured == f.slot, "captured pieces must go to the place of their family in hand");
            for (const bool captures : {false, true}) {
                std::vector<uint8_t> after;
                for (const Change& change : info.changes[captures]) {
                    const auto kind = size_t(kind_of(change.piece));
                    require(family_of_kind_[kind] == int(families_.size()), "a piece must stay in its family");
                    after.push_back(uint8_t(face_of_kind_[kind]));
                    f.sources[after.back()].emplace_back(uint8_t(face), captures);
                }
                (captures ? f.captures : f.quiet).push_back(after);
            }
        }
        for (int kind : r.drops[size_t(f.slot)]) {
            require(family_of_kind_[size_t(kind)] == int(families_.size()), "a piece must stay in its family");
            f.drops.push_back(uint8_t(face_of_kind_[size_t(kind)]));
            const bool may_check = !r.info[piece_of(kind, BLACK)].never_checks;
            require((families_.empty() && f.drops.size() == 1) || may_check == drops_may_check_,
                    "drops of some kinds alone may give check");
            drops_may_check_ = may_check;
        }
        for (const Symmetry& symmetry : symmetries_) {
            std::vector<uint8_t> image;
            for (int kind : f.kinds) {
                const auto to = size_t(symmetry.kinds.at(size_t(kind)));
                require(family_of_kind_.at(to) == int(families_.size()), "a symmetry exchanges families of pieces");
                image.push_back(uint8_t(face_of_kind_[to]));
            }
            f.image.push_back(image);
        }
        for (int i = 0; i < one.count; ++i) family_of_cube_.push_back(int(families_.size()));
        cubes_ += one.count;
        families_.push_back(std::move(f));
    }
    require(!families_.empty() && cubes_ <= MAX_CUBES, "it has too many pieces");
}

// --- Views ---

// A point in the view of the side to move, whose royal piece is on the board.
Point RelativeIndex::seen(const TablePosition& position, Point point) const {
    const auto& r = *rules_;
    if (position.side_to_move() == BLACK) return point;
    if (edges_) return Point(r.points - 1 - point);
    const Point about = r.point_of[position.royal(WHITE)];
    const int x = r.width / 2 + about % r.width - point % r.width, y = r.height / 2 + about / r.width - point / r.width;
    return x < 0 || y < 0 || x >= r.width || y >= r.height ? NO_POINT : Point(y * r.width + x);
}

RelativeIndex::Pair RelativeIndex::royals(const TablePosition& position) const {
    const Side mover = position.side_to_move();
    return {seen(position, rules_->point_of[position.royal(mover)]),
            seen(position, rules_->point_of[position.royal(~mover)])};
}

RelativeIndex::TablePosition RelativeIndex::bare(Pair pair) const {
    TablePosition position = blank();
    position.place(rules_->cell_of[pair.first], piece_of(single_, BLACK));
    position.place(rules_->cell_of[pair.second], piece_of(single_, WHITE));
    return position;
}

RelativeIndex::Opening RelativeIndex::opening_key(const TablePosition& position) const {
    Opening key{position.side_to_move(), std::vector<Piece>(size_t(rules_->points)), {}};
    for (Side side : {BLACK, WHITE}) {
        position.pieces(side).each(
            [&](Point point) { return key.board[point] = position.at(rules_->cell_of[point]), false; });
        key.hands[side] = position.hand(side);
    }
    return key;
}

// --- Classes ---

// Finds the positions with a royal piece in hand that the start leads to; returns the pairs after them.
std::vector<RelativeIndex::Pair> RelativeIndex::find_opening(const TablePosition& start) {
    std::vector<Pair> found;
    MoveList moves;
    std::vector<TablePosition> waiting{start};
    for (size_t i = 0; i < waiting.size(); ++i) {
        TablePosition position = waiting[i];
        if (position.royal(BLACK) != NO_CELL && position.royal(WHITE) != NO_CELL) {
            found.push_back(royals(position));
            continue;
        }
        if (Opening key = opening_key(position); std::ranges::find(opening_, key) == opening_.end())
            opening_.push_back(std::move(key));
        else
            continue;
        require(opening_.size() <= MAX_OPENING_POSITIONS, "too many positions have a royal piece in hand");
        moves.clear();
        position.legal_moves(moves);
        for (Move move : moves) {
            position.push(move);
            waiting.push_back(position);
            position.pop();
        }
    }
    return found;
}

// Finds the classes that steps of royal pieces lead to.
void RelativeIndex::find_classes(std::vector<Pair> waiting) {
    std::vector<Pair> pairs;
    std::vector<std::vector<std::pair<Point, Pair>>> steps;
    std::set<Pair> known;
    MoveList moves;
    for (; !waiting.empty();) {
        const Pair pair = waiting.back();
        waiting.pop_back();
        require(pair.first != NO_POINT && pair.second != NO_POINT, "its royal pieces move too far apart");
        if (!known.insert(pair).second) continue;
        pairs.push_back(pair);
        auto& found = steps.emplace_back();
        TablePosition position = bare(pair);
        moves.clear();
        position.legal_moves(moves);
        for (Move move : moves) {
            position.push(move);
            found.emplace_back(rules_->point_of[move.to], royals(position));
            position.pop();
            waiting.push_back(found.back().second);
        }
        require(pairs.size() < 10'000, "its royal pieces have too many places");
    }
    choose_squares(pairs);
    class_of_.assign(MAX_SQUARES * MAX_SQUARES, -1);
    std::vector<size_t> order(pairs.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](size_t i) { return pairs[i]; });
    for (size_t i : order) {
        Class c;
        c.mine = square_at(pairs[i].first);
        c.theirs = square_at(pairs[i].second);
        class_of_[size_t(c.mine) * MAX_SQUARES + c.theirs] = int(classes_.size());
        for (const auto& [to, after] : steps[i]) c.steps.push_back(square_at(to));
        classes_.push_back(std::move(c));
    }
    find_lines();
    for (size_t i = 0; i < order.size(); ++i)
        for (const auto& [to, after] : steps[order[i]]) {
            const Class& c = classes_[i];
            Class& later =
                classes_[size_t(class_of_[size_t(square_at(after.first)) * MAX_SQUARES + square_at(after.second)])];
            later.back_steps.push_back(turned(c.theirs, c.mine));
        }
    for (size_t i = 0; i < order.size(); ++i) find_cells(classes_[i], bare(pairs[order[i]]));
}

// Nothing stands farther from the mover's royal piece than a step beyond the other one.
void RelativeIndex::choose_squares(const std::vector<Pair>& pairs) {
    const auto& r = *rules_;
    width_ = r.width;
    height_ = r.height;
    if (!edges_) {
        int radius = 0;
        for (const auto& [mine, theirs] : pairs)
            radius = std::max({radius, std::abs(theirs % r.width - mine % r.width) + 1,
                               std::abs(theirs / r.width - mine / r.width) + 1});
        width_ = height_ = 2 * radius + 1;
        left_ = r.width / 2 - radius;
        top_ = r.height / 2 - radius;
        require(left_ >= 0 && top_ >= 0, "its royal pieces move too far apart");
    }
    squares_ = width_ * height_;
    require(squares_ <= MAX_SQUARES, "it has too many squares");
    const int middle_x = width_ / 2, middle_y = height_ / 2;
    turn_.assign(size_t(MAX_SQUARES) * MAX_SQUARES, NO_SQUARE);
    for (int about = 0; about < squares_; ++about)
        for (int square = 0; square < squares_; ++square)
            turn_[size_t(about) * MAX_SQUARES + square] = edges_
                                                              ? uint8_t(squares_ - 1 - square)
                                                              : square_of(middle_x + about % width_ - square % width_,
                                                                          middle_y + about / width_ - square / width_);
    for (int square = 0; square < squares_; ++square)
        r.beside[point_of(uint8_t(square))].each([&](Point point) {
            if (const uint8_t at = square_at(point); at != NO_SQUARE) beside_[size_t(square)] |= bit(at);
            return false;
        });
}

void RelativeIndex::find_lines() {
    const auto& r = *rules_;
    const size_t all = r.info.size() / 4 * 2 * MAX_SQUARES;
    lines_.assign(all * MAX_SQUARES, NO_LINE);
    rays_.resize(all);
    back_rays_.resize(all);
    for (size_t kind = 0; kind < r.info.size() / 4; ++kind)
        for (Side side : {BLACK, WHITE}) {
            const auto& info = r.info[piece_of(int(kind), side)];
            for (int square = 0; square < squares_; ++square) {
                const size_t at = (kind * 2 + side) * MAX_SQUARES + size_t(square);
                auto add = [&](int delta, int reach) {
                    for (const bool back : {false, true}) {
                        Line ray;
                        Squares between = 0;
                        auto cell = Cell(r.cell_of[point_of(uint8_t(square))] + (back ? -delta : delta));
                        for (int steps = 0; steps < reach && r.on_board[cell]; ++steps) {
                            const uint8_t to = square_at(r.point_of[cell]);
                            if (to == NO_SQUARE) break;
                            ray.push_back(to);
                            if (!back) lines_[at * MAX_SQUARES + to] = between;
                            between |= bit(to);
                            cell = Cell(cell + (back ? -delta : delta));
                        }
                        if (!ray.empty()) (back ? back_rays_ : rays_)[at].push_back(ray);
                    }
                };
                for (const auto& leap : info.leaps) add(leap.delta, 1);
                for (const auto& slide : info.slides) add(slide.delta, slide.reach);
            }
        }
}

// True if one of the rules forbids the move, of those that are not about check.
bool RelativeIndex::forbids(const TablePosition& position, const std::vector<int>& rules, Move move) const {
    const auto& s = position.state();
    return std::ranges::any_of(rules, [&](int index) {
        const auto& rule = rules_->rules[size_t(index)];
        if (!rule.where[move.piece].test(rules_->point_of[move.to])) return false;
        return std::ranges::all_of(rule.terms, [&](const Term& term) {
            switch (term.condition) {
                case Condition::NEAR: return is_near(s, term.argument, move) == term.expected;
                case Condition::SUPPORTED: return is_supported(s, move) == term.expected;
                case Condition::IN_HAND:
                    // Nothing royal is in hand, and a rule about anything else would ask for more than the class.
                    require(royal_slot_ >= 0 && term.argument == 1 << royal_slot_, "a rule asks for pieces in hand");
                    return !term.expected;
                default: throw std::invalid_argument("a rule asks for more than where the royal pieces are");
            }
        });
    });
}

void RelativeIndex::find_cells(Class& c, const TablePosition& position) const {
    const auto& r = *rules_;
    c.cells = area(c.mine, c.theirs);
    require(c.back_steps.size() <= 32, "its royal pieces have too many steps");
    for (size_t step = 0; step < c.back_steps.size(); ++step) {
        const Squares lost = area(c.mine, c.back_steps[step]) & ~c.cells & ~bit(c.theirs);
        c.stranded |= lost;
        for (Squares left = lost; left; left &= left - 1) c.why[size_t(std::countr_zero(left))] |= uint32_t(1) << step;
    }
    for (size_t kind = 0; kind < r.info.size() / 4; ++kind) {
        const Piece piece = piece_of(int(kind), BLACK);
        const auto& info = r.info[piece];
        Squares land = 0, drop = 0;
        for (int square = 0; square < squares_ && int(kind) != single_; ++square) {
            const Point point = point_of(uint8_t(square));
            if (square == c.mine || square == c.theirs) continue;
            Move move{0, r.cell_of[point], piece, 0};
            // Any empty cell will do as the origin.
            move.from = r.cell_of[point_of(uint8_t(square))];
            if (info.may_land.test(point) && !forbids(position, info.landing_rules, move)) land |= bit(uint8_t(square));
            std::vector<int> rules;
            for (int index : info.drop_rules)
                if (std::ranges::find(info.check_rules, index) == info.check_rules.end()) rules.push_back(index);
            move.flags = DROP;
            move.from = Cell(0);
            if (info.may_drop.test(point) && !forbids(position, rules, move)) drop |= bit(uint8_t(square));
        }
        require(!(land & ~c.cells), "pieces may land where they have no support");
        require(!(drop & ~c.cells), "pieces may be dropped where they have no support");
        c.land.push_back(land);
        c.drop.push_back(drop);
    }
}

uint8_t RelativeIndex::mapped(const Symmetry& symmetry, uint8_t square) const {
    const int x = 2 * (square % width_) - (width_ - 1), y = 2 * (square / width_) - (height_ - 1);
    const auto& [a, b, c, d] = symmetry.map;
    const int to_x = a * x + b * y + width_ - 1, to_y = c * x + d * y + height_ - 1;
    return to_x % 2 || to_y % 2 ? NO_SQUARE : square_of(to_x / 2, to_y / 2);
}

void RelativeIndex::find_images() {
    for (const Symmetry& symmetry : symmetries_) {
        auto& map = map_.emplace_back();
        map.fill(NO_SQUARE);
        for (int square = 0; square < squares_; ++square) {
            map[size_t(square)] = mapped(symmetry, uint8_t(square));
            require(map[size_t(square)] != NO_SQUARE, "a symmetry leads off the board");
        }
    }
    for (Class& c : classes_) {
        std::vector<int> image;
        for (const auto& map : map_) {
            const int to = class_of_[size_t(map[c.mine]) * MAX_SQUARES + map[c.theirs]];
            require(to >= 0, "a symmetry leads to places that the royal pieces cannot have");
            image.push_back(to);
        }
        const int least = *std::ranges::min_element(image);
        for (size_t g = 0; g < image.size(); ++g)
            if (image[g] == least) c.images.emplace_back(int(g), least);
    }
}

RelativeIndex::Coding RelativeIndex::coding_of(const Class& c, const FamilyTables& family) {
    Coding coding;
    coding.cube = {{HELD, 0, 0}, {HELD, 0, 1}};
    for (auto& side : coding.at) side.fill(NO_CODE);
    auto add = [&](uint8_t square, uint8_t side) {
        coding.at[side][square] = uint16_t(coding.cube.size());
        for (size_t face = 0; face < family.kinds.size(); ++face) coding.cube.push_back({square, uint8_t(face), side});
    };
    for (Squares left = c.cells; left; left &= left - 1)
        for (int side : {0, 1}) add(uint8_t(std::countr_zero(left)), uint8_t(side));
    for (Squares left = c.stranded; left; left &= left - 1) add(uint8_t(std::countr_zero(left)), 0);
    return coding;
}

void RelativeIndex::find_groups(const Class& c, Coding& coding, int count) {
    Group group{};
    auto fill = [&](auto&& self, int i, size_t below) -> void {
        for (size_t code = 0; code < below; ++code) {
            group.code[size_t(i)] = uint16_t(code);
            if (i > 0) {
                self(self, i - 1, code + 1);
                continue;
            }
            group.on = 0;
            group.why = ~uint32_t(0);
            group.possible = true;
            for (int j = 0; j < count; ++j) {
                const Cube& cube = coding.cube[group.code[size_t(j)]];
                if (cube.at == HELD) continue;
                group.possible &= !(group.on & bit(cube.at));
                group.on |= bit(cube.at);
                if (!(c.cells & bit(cube.at))) group.why &= c.why[cube.at];
            }
            group.possible &= group.why != 0;
            coding.groups.push_back(group);
        }
    };
    fill(fill, count - 1, coding.cube.size());
}

void RelativeIndex::number() {
    size_t most = 0;
    for (size_t i = 0; i < classes_.size(); ++i) {
        Class& c = classes_[i];
        if (c.images[0].second != int(i)) continue;
        c.number = int(numbered_.size());
        Numbered n{int(i), 0, {}};
        for (const FamilyTables& f : families_) {
            n.families.push_back(coding_of(c, f));
            most = std::max(most, n.families.back().cube.size());
        }
        numbered_.push_back(std::move(n));
    }
    choose_.resize(most + MAX_CUBES + 1);
    for (size_t a = 0; a < choose_.size(); ++a) {
        choose_[a].fill(0);
        choose_[a][0] = 1;
        for (size_t k = 1; a > 0 && k <= MAX_CUBES; ++k) choose_[a][k] = choose_[a - 1][k - 1] + choose_[a - 1][k];
    }
    uint64_t all = 0;
    for (Numbered& n : numbered_) {
        n.first = Slot(all);
        double size = 1;
        for (size_t f = 0; f < families_.size(); ++f) {
            Coding& coding = n.families[f];
            const int count = families_[f].count;
            const uint64_t groups = choose_[coding.cube.size() + size_t(count) - 1][size_t(count)];
            require(groups <= MAX_GROUPS_OF_CUBES, "it has too many positions");
            size *= double(groups);
            coding.groups.reserve(groups);
            find_groups(classes_[size_t(n.of)], coding, count);
        }
        require(double(all) + size < double(NO_SLOT) - double(MAX_OPENING_POSITIONS), "it has too many positions");
        all += uint64_t(size);
    }
    main_ = Slot(all);
}

// --- Numbers ---

RelativeIndex::Place RelativeIndex::locate(const Scene& s) const {
    Place found;
    for (const auto& [symmetry, to] : classes_[size_t(class_of(s))].images) {
        const auto& map = map_[size_t(symmetry)];
        const Numbered& n = numbered_[size_t(classes_[size_t(to)].number)];
        uint64_t slot = 0;
        for (size_t f = 0; f < families_.size(); ++f) {
            const FamilyTables& tables = families_[f];
            const Coding& coding = n.families[f];
            std::array<uint16_t, MAX_CUBES> codes;
            for (int i = 0; i < tables.count; ++i) {
                const Cube& cube = s.cubes[size_t(tables.first + i)];
                if (cube.at == HELD) {
                    codes[size_t(i)] = cube.side;
                    continue;
                }
                const uint16_t code = coding.at[cube.side][map[cube.at]];
                if (code == NO_CODE) return {};
                codes[size_t(i)] = uint16_t(code + tables.image[size_t(symmetry)][cube.face]);
            }
            slot = slot * coding.groups.size() + rank(codes, tables.count);
        }
        const auto at = Slot(n.first + slot);
        if (at < found.slot)
            found = {at, 1};
        else if (at == found.slot)
            ++found.stabilizer;
    }
    return found;
}

RelativeIndex::Scene RelativeIndex::scene(Slot slot) const {
    const Numbered* n = &numbered_.back();
    while (n->first > slot) --n;
    const Class& c = classes_[size_t(n->of)];
    Scene s{c.mine, c.theirs, {}};
    uint64_t rest = slot - n->first;
    for (size_t f = families_.size(); f-- > 0;) {
        const Coding& coding = n->families[f];
        const Group& group = coding.groups[rest % coding.groups.size()];
        rest /= coding.groups.size();
        for (int i = 0; i < families_[f].count; ++i)
            s.cubes[size_t(families_[f].first + i)] = coding.cube[group.code[size_t(i)]];
    }
    return s;
}

bool RelativeIndex::is_sound(Slot slot) const {
    bool sound = false;
    each(slot, 1, [&](Slot, const Scene& s) { sound = is_sound(slot, s); });
    return sound;
}

bool RelativeIndex::is_image(Slot slot, const TablePosition&) const {
    return slot < main_ && locate(scene(slot)).slot != slot;
}

std::vector<RelativeIndex::ClassCount> RelativeIndex::class_counts() const {
    std::vector<ClassCount> found;
    for (size_t i = 0; i < numbered_.size(); ++i) {
        const Class& c = classes_[size_t(numbered_[i].of)];
        const Slot end = i + 1 < numbered_.size() ? numbered_[i + 1].first : main_;
        ClassCount count{c.mine, c.theirs, 0, 0};
        each(numbered_[i].first, end - numbered_[i].first, [&](Slot, const Scene& s) {
            ++count.all;
            count.supported += !has_stranded(s);
        });
        found.push_back(count);
    }
    return found;
}

// --- Positions ---

// The scene of a position with both royal pieces on the board; false if it can have no number.
bool RelativeIndex::make_scene(const TablePosition& position, Scene& s) const {
    const auto& r = *rules_;
    const Side mover = position.side_to_move();
    const auto [mine, theirs] = royals(position);
    if (mine == NO_POINT || theirs == NO_POINT) return false;
    s.mine = square_at(mine);
    s.theirs = square_at(theirs);
    if (s.mine == NO_SQUARE || s.theirs == NO_SQUARE || class_of(s) < 0) return false;
    std::vector<int> filled(families_.size(), 0);
    bool fits = true;
    auto add = [&](int family, Cube cube) {
        const FamilyTables& f = families_[size_t(family)];
        int& next = filled[size_t(family)];
        if (next == f.count)
            fits = false;
        else
            s.cubes[size_t(f.first + next++)] = cube;
    };
    for (Side side : {BLACK, WHITE}) {
        position.pieces(side).each([&](Point point) {
            const auto kind = size_t(kind_of(position.at(r.cell_of[point])));
            if (int(kind) == single_) return false;
            const Point at = seen(position, point);
            const uint8_t square = at == NO_POINT ? NO_SQUARE : square_at(at);
            if (square == NO_SQUARE)
                fits = false;
            else
                add(family_of_kind_[kind], {square, uint8_t(face_of_kind_[kind]), uint8_t(side != mover)});
            return false;
        });
        for (size_t f = 0; f < families_.size(); ++f)
            for (int i = position.in_hand(side, families_[f].slot); i > 0; --i)
                add(int(f), {HELD, 0, uint8_t(side != mover)});
    }
    for (size_t f = 0; f < families_.size(); ++f) fits &= filled[f] == families_[f].count;
    return fits;
}

Slot RelativeIndex::find(const TablePosition& position) const {
    if (position.royal(BLACK) == NO_CELL || position.royal(WHITE) == NO_CELL) {
        const auto at = std::ranges::find(opening_, opening_key(position));
        return at == opening_.end() ? NO_SLOT : Slot(main_ + (at - opening_.begin()));
    }
    Scene s{};
    if (!make_scene(position, s)) return NO_SLOT;
    return reasons(s, classes_[size_t(class_of(s))]) ? locate(s).slot : NO_SLOT;
}

void RelativeIndex::set_up(Slot slot, TablePosition& position) const {
    const auto& r = *rules_;
    for (Side side : {BLACK, WHITE}) {
        const Bits<SMALL> old = position.pieces(side);
        old.each([&](Point point) { return position.place(r.cell_of[point], EMPTY), false; });
        for (int hand = 0; hand < r.hands(); ++hand) position.give(side, hand, 0);
    }
    position.set_side_to_move(BLACK);
    if (slot >= main_) {
        const Opening& opening = opening_.at(slot - main_);
        position.set_side_to_move(opening.mover);
        for (int point = 0; point < r.points; ++point)
            if (opening.board[size_t(point)]) position.place(r.cell_of[point], opening.board[size_t(point)]);
        for (Side side : {BLACK, WHITE})
            for (int hand = 0; hand < r.hands(); ++hand) position.give(side, hand, opening.hands[side][size_t(hand)]);
        return;
    }
    const Scene s = scene(slot);
    position.place(r.cell_of[point_of(s.mine)], piece_of(single_, BLACK));
    position.place(r.cell_of[point_of(s.theirs)], piece_of(single_, WHITE));
    for (int i = 0; i < cubes_; ++i) {
        const Cube& cube = s.cubes[size_t(i)];
        const auto side = Side(cube.side);
        if (cube.at == HELD)
            position.give(side, family(i).slot, position.in_hand(side, family(i).slot) + 1);
        else
            position.place(r.cell_of[point_of(cube.at)], piece_of(kind_of_cube(s, i), side));
    }
}

}  // namespace komadai
