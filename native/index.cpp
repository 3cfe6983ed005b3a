// The dense index: ranking and unranking of arrangements.

#include "index.hpp"

#include <tuple>

namespace komadai {

namespace {

constexpr size_t MAX_OPENING = 100'000;  // positions with a royal piece in hand

template <class Visit>
void each_point(uint64_t points, Visit visit) {
    for (; points; points &= points - 1) visit(std::countr_zero(points));
}

constexpr uint64_t below(int point) { return (uint64_t(1) << point) - 1; }

uint64_t power(uint64_t base, int exponent) {
    uint64_t result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

// The `n`-th lowest member of a set of points.
int member(uint64_t points, int n) {
    while (n-- > 0) points &= points - 1;
    return std::countr_zero(points);
}

}  // namespace

TableIndex::TableIndex(std::shared_ptr<const Rules<SMALL>> rules, const TablePosition& start, int single,
                       std::vector<Family> families, bool mirror)
    : rules_(std::move(rules)),
      families_(std::move(families)),
      mirror_(mirror),
      points_(rules_->points),
      single_(single) {
    bool fits = points_ <= MAX_POINTS && families_.size() <= MAX_FAMILIES;
    for (const Family& family : families_) fits &= family.count + 2 * int(family.hand_slots.size()) <= MAX_POINTS;
    if (!fits) throw std::invalid_argument("the game is too large for an index");
    for (int n = 0; n <= MAX_POINTS; ++n) {
        choose_[n][0] = 1;
        for (int k = 1; k <= n; ++k) choose_[n][k] = choose_[n - 1][k - 1] + (k < n ? choose_[n - 1][k] : 0);
    }
    size_t kinds = rules_->info.size() / 4;
    family_of_.assign(kinds, -1);
    place_of_.assign(kinds, 0);
    for (size_t f = 0; f < families_.size(); ++f)
        for (size_t i = 0; i < families_[f].kinds.size(); ++i) {
            family_of_[families_[f].kinds[i]] = int(f);
            place_of_[families_[f].kinds[i]] = int(i);
        }
    for (int slot = 0; slot < rules_->hands(); ++slot)
        for (int kind : rules_->drops[slot])
            if (kind == single_) single_slot_ = slot;
    for (int point = 0; point < points_; ++point)
        image_[point] = point / rules_->width * rules_->width + rules_->width - 1 - point % rules_->width;

    class_of_.assign(size_t(points_ * points_), -1);
    for (int mine = 0; mine < points_; ++mine)
        for (int theirs = 0; theirs < points_; ++theirs) {
            if (mine == theirs) continue;
            std::pair<int, int> image{image_[mine], image_[theirs]};
            if (mirror_ && image < std::pair{mine, theirs}) continue;
            class_of_[mine * points_ + theirs] = int(royals_.size());
            royals_.emplace_back(mine, theirs);
        }
    int groups = 1;
    for (const Family& family : families_) {
        group_stride_.push_back(groups);
        groups *= family.count + 1;
    }
    for (int group = 0; group < groups; ++group) {
        Group found{{}, per_class_};
        uint64_t ways = 1;
        int free = points_ - 2;
        for (size_t f = 0; f < families_.size(); ++f) {
            int on = group / group_stride_[f] % (families_[f].count + 1);
            found.on[f] = on;
            ways *= free >= on ? choose_[free][on] : 0;
            ways *= power(2 * kind_count(f), on) * spread(families_[f].count - on, hand_places(f));
            free -= std::min(on, free);
        }
        groups_.push_back(found);
        per_class_ += ways;
    }
    uint64_t all = per_class_ * royals_.size();
    if (all + MAX_OPENING >= NO_SLOT) throw std::invalid_argument("the game is too large for an index");
    main_ = Slot(all);
    find_opening(start);
}

TableIndex::Layout TableIndex::layout(const TablePosition& position) const {
    Layout found;
    Side mover = position.side_to_move();
    for (Side side : {BLACK, WHITE})
        position.pieces(side).each([&](Point at) {
            int kind = kind_of(position.at(rules_->cell_of[at]));
            int point = mover == BLACK ? at : points_ - 1 - at;
            if (kind == single_) {
                found.royal[side != mover] = point;
            } else {
                found.on[family_of_[kind]] |= uint64_t(1) << point;
                found.label[point] = uint8_t(place_of_[kind] * 2 + (side != mover));
            }
            return false;
        });
    for (size_t f = 0; f < families_.size(); ++f)
        for (size_t i = 0; i < families_[f].hand_slots.size(); ++i)
            for (Side side : {BLACK, WHITE})
                found.hand[f][2 * i + (side != mover)] = uint8_t(position.in_hand(side, families_[f].hand_slots[i]));
    return found;
}

TableIndex::Layout TableIndex::mirrored(const Layout& from) const {
    Layout to = from;
    to.label = {};
    for (int side = 0; side < 2; ++side)
        if (from.royal[side] != IN_HAND) to.royal[side] = image_[from.royal[side]];
    for (size_t f = 0; f < families_.size(); ++f) {
        to.on[f] = 0;
        each_point(from.on[f], [&](int point) {
            to.on[f] |= uint64_t(1) << image_[point];
            to.label[image_[point]] = from.label[point];
        });
    }
    return to;
}

// The number of a layout whose royal pieces are on the board.
Slot TableIndex::rank(const Layout& layout) const {
    uint64_t free = points_ == 64 ? ~uint64_t(0) : below(points_);
    free &= ~(uint64_t(1) << layout.royal[0] | uint64_t(1) << layout.royal[1]);
    uint64_t head = 0, tail = 0, scale = 1;
    int group = 0;
    for (size_t f = 0; f < families_.size(); ++f) {
        int on = std::popcount(layout.on[f]), nth = 0;
        uint64_t subset = 0, owners = 0, kinds = 0;
        each_point(layout.on[f], [&](int point) {
            subset += choose_[std::popcount(free & below(point))][++nth];
            owners = owners * 2 + (layout.label[point] & 1);
            kinds = kinds * kind_count(f) + (layout.label[point] >> 1);
        });
        head = (head * choose_[std::popcount(free)][on] + subset) << on | owners;
        tail += scale * kinds;
        scale *= power(kind_count(f), on);
        int left = families_[f].count - on, places = hand_places(f);
        uint64_t hands = 0, ways = spread(left, places);
        for (int place = 0; place + 1 < places; ++place) {
            for (int fewer = 0; fewer < layout.hand[f][place]; ++fewer)
                hands += spread(left - fewer, places - place - 1);
            left -= layout.hand[f][place];
        }
        tail += scale * hands;
        scale *= ways;
        free &= ~layout.on[f];
        group += on * group_stride_[f];
    }
    uint64_t number = head * scale + tail;
    int kings = class_of_[layout.royal[0] * points_ + layout.royal[1]];
    return Slot(uint64_t(kings) * per_class_ + groups_[group].first + number);
}

TableIndex::Layout TableIndex::unrank(Slot slot) const {
    if (slot >= main_) return opening_[slot - main_];
    Layout layout;
    std::tie(layout.royal[0], layout.royal[1]) = royals_[slot / per_class_];
    uint64_t number = slot % per_class_;
    size_t group = groups_.size() - 1;
    while (groups_[group].first > number) --group;
    number -= groups_[group].first;
    std::array<uint64_t, MAX_FAMILIES> subset{}, owners{}, kinds{}, hands{};
    auto digit = [&](uint64_t ways) {
        uint64_t found = number % ways;
        number /= ways;
        return found;
    };
    int free_count = points_ - 2;
    for (size_t f = 0; f < families_.size(); ++f) {
        int on = groups_[group].on[f];
        kinds[f] = digit(power(kind_count(f), on));
        hands[f] = digit(spread(families_[f].count - on, hand_places(f)));
        free_count -= on;
    }
    // The last family comes first here, but its points are among those that the other families leave free.
    for (size_t f = families_.size(); f-- > 0;) {
        int on = groups_[group].on[f];
        free_count += on;
        owners[f] = digit(uint64_t(1) << on);
        subset[f] = digit(choose_[free_count][on]);
    }
    uint64_t free = points_ == 64 ? ~uint64_t(0) : below(points_);
    free &= ~(uint64_t(1) << layout.royal[0] | uint64_t(1) << layout.royal[1]);
    for (size_t f = 0; f < families_.size(); ++f) {
        int on = groups_[group].on[f], at = std::popcount(free);
        for (int nth = on; nth > 0; --nth) {
            do --at;
            while (choose_[at][nth] > subset[f]);
            subset[f] -= choose_[at][nth];
            int point = member(free, at);
            layout.on[f] |= uint64_t(1) << point;
            // The highest point is the last digit.
            layout.label[point] = uint8_t(kinds[f] % kind_count(f) * 2 + owners[f] % 2);
            kinds[f] /= kind_count(f);
            owners[f] /= 2;
        }
        int left = families_[f].count - on, places = hand_places(f);
        for (int place = 0; place < places; ++place) {
            int count = 0;
            if (place + 1 == places)
                count = left;
            else
                for (uint64_t ways; hands[f] >= (ways = spread(left - count, places - place - 1)); ++count)
                    hands[f] -= ways;
            layout.hand[f][place] = uint8_t(count);
            left -= count;
        }
        free &= ~layout.on[f];
    }
    return layout;
}

std::string TableIndex::key(const Layout& layout) const {
    std::string text;
    for (int point : layout.royal) text += char(point);
    for (size_t f = 0; f < families_.size(); ++f) {
        for (int point = 0; point < points_; ++point)
            text += layout.on[f] >> point & 1 ? char(layout.label[point] + 1) : char(0);
        for (int place = 0; place < hand_places(f); ++place) text += char(layout.hand[f][place]);
    }
    return text;
}

TableIndex::Place TableIndex::locate(const Layout& layout) const {
    if (layout.royal[0] == IN_HAND || layout.royal[1] == IN_HAND) {
        const std::string own = key(layout), image = mirror_ ? key(mirrored(layout)) : own;
        auto found = opening_of_.find(std::min(own, image));
        return found == opening_of_.end() ? Place{} : Place{found->second, mirror_ && own == image};
    }
    if (!mirror_) return {rank(layout), false};
    std::pair<int, int> mine{layout.royal[0], layout.royal[1]};
    std::pair<int, int> image{image_[mine.first], image_[mine.second]};
    if (mine < image) return {rank(layout), false};
    if (image < mine) return {rank(mirrored(layout)), false};
    const Slot own = rank(layout), other = rank(mirrored(layout));
    return {std::min(own, other), own == other};
}

TableIndex::Place TableIndex::locate(const TablePosition& position) const {
    const Outcome end = position.outcome_on_board();
    if (end.end != End::NONE && end.winner == position.side_to_move()) return {};
    Layout found = layout(position);
    // Positions that lack a piece are none of the table's.
    for (size_t f = 0; f < families_.size(); ++f) {
        int count = std::popcount(found.on[f]);
        for (int place = 0; place < hand_places(f); ++place) count += found.hand[f][place];
        if (count != families_[f].count) return {};
    }
    return locate(found);
}

void TableIndex::set_up(Slot slot, TablePosition& position) const {
    for (Side side : {BLACK, WHITE}) {
        Bits<SMALL> old = position.pieces(side);
        old.each([&](Point point) { return position.place(rules_->cell_of[point], EMPTY), false; });
    }
    Layout layout = unrank(slot);
    for (Side side : {BLACK, WHITE}) {
        int point = layout.royal[side];
        if (point != IN_HAND) position.place(rules_->cell_of[point], piece_of(single_, side));
        if (single_slot_ >= 0) position.give(side, single_slot_, point == IN_HAND);
    }
    for (size_t f = 0; f < families_.size(); ++f) {
        each_point(layout.on[f], [&](int point) {
            int label = layout.label[point];
            position.place(rules_->cell_of[point], piece_of(families_[f].kinds[label >> 1], Side(label & 1)));
        });
        for (size_t i = 0; i < families_[f].hand_slots.size(); ++i)
            for (Side side : {BLACK, WHITE})
                position.give(side, families_[f].hand_slots[i], layout.hand[f][2 * i + side]);
    }
    position.set_side_to_move(BLACK);
}

bool TableIndex::is_image(Slot slot, const TablePosition& position) const {
    if (slot >= main_ || !mirror_) return false;
    auto [mine, theirs] = royals_[slot / per_class_];
    return image_[mine] == mine && image_[theirs] == theirs && locate(layout(position)).slot != slot;
}

bool TableIndex::counts(Slot slot, const TablePosition& position) const {
    if (royal_attacked(position.state(), WHITE)) return false;
    if (const Outcome end = position.outcome_on_board(); end.end != End::NONE && end.winner == BLACK) return false;
    for (Side side : {BLACK, WHITE}) {
        bool stuck = position.pieces(side).each([&](Point point) {
            const auto& info = rules_->info[position.at(rules_->cell_of[point])];
            return !info.may_land.test(point) && !info.may_drop.test(point);
        });
        if (stuck) return false;
    }
    return !is_image(slot, position);
}

// Finds the positions with a royal piece in hand that are reachable from the start.
void TableIndex::find_opening(const TablePosition& start) {
    std::vector<TablePosition> waiting{start};
    MoveList moves;
    while (!waiting.empty()) {
        TablePosition position = std::move(waiting.back());
        waiting.pop_back();
        Layout found = layout(position);
        if ((found.royal[0] != IN_HAND && found.royal[1] != IN_HAND) || locate(found).slot != NO_SLOT) continue;
        if (opening_.size() == MAX_OPENING)
            throw std::invalid_argument("too many positions have a royal piece in hand for an index");
        if (mirror_ && key(mirrored(found)) < key(found)) found = mirrored(found);
        opening_of_[key(found)] = main_ + Slot(opening_.size());
        opening_.push_back(found);
        moves.clear();
        position.legal_moves(moves);
        for (Move move : moves) {
            position.push(move);
            waiting.push_back(position);
            position.pop();
        }
    }
}

}  // namespace komadai
