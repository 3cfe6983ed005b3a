#include "evaluate.hpp"

#include <algorithm>
#include <stdexcept>

namespace komadai {

// Adds the terms up.
template <int W>
struct Evaluation<W>::Adder {
    const Evaluation& of;
    Placed& score;
    void piece(Side side, Piece piece, Point point) { score[side] += of.placed_[piece * of.rules_->points + point]; }
    void add(Side side, int index, int times) { score[side] += of.tapered_[index] * times; }
    void percent(Side side, int index, int times) { score[side] += of.weights_[index] * times / PERCENT; }
    [[nodiscard]] bool kings() const { return of.kings_; }
    [[nodiscard]] bool reaches() const { return of.reaches_; }
};

// Lists the terms, all of them, those of weights that are 0 included.
template <int W>
struct Evaluation<W>::Lister {
    const Evaluation& of;
    Side us;
    std::vector<std::pair<int, int>>& found;
    void piece(Side side, Piece piece, Point point) {
        const int kind = kind_of(piece);
        add(side, of.board_ + kind, 1);
        add(side, of.square_ + kind * of.rules_->height * ((of.rules_->width + 1) / 2) + of.fold_[side][point], 1);
    }
    void add(Side side, int index, int times) {
        if (times) found.emplace_back(index, side == us ? times : -times);
    }
    void percent(Side side, int index, int times) { add(side, index, times); }
    [[nodiscard]] bool kings() const { return true; }
    [[nodiscard]] bool reaches() const { return !of.rules_->is_compound; }
};

template <int W>
Evaluation<W>::Evaluation(std::shared_ptr<const Rules<W>> rules) : rules_(std::move(rules)) {
    const auto& r = *rules_;
    const int kinds = int(r.info.size() >> 2);
    board_ = add("board", {kinds});
    hand_ = add("hand", {r.hands()});
    first_ = add("first", {r.hands()});
    square_ = add("square", {kinds, r.height * ((r.width + 1) / 2)});
    own_king_ = add("own_king", {kinds, 2 * r.height - 1, r.width});
    foe_king_ = add("foe_king", {kinds, 2 * r.height - 1, r.width});
    mobility_ = add("mobility", {kinds, MOBILITY});
    ring_ = add("ring", {RING, HANDS});
    escape_ = add("escape", {RING});
    bare_ = add("bare", {RING, HANDS});
    twice_ = add("twice", {RING});
    guard_ = add("guard", {RING});
    around_ = add("around", {AROUND});
    threat_ = add("threat", {THREATS, kinds});
    dependencies_ = add("dependencies", {1}, PERCENT);
    survival_ = add("survival", {1}, PERCENT);
    tempo_ = add("tempo", {1});
    // All of them again: what is added with many pieces in hand.
    late_ = blocks_.back().at + blocks_.back().size();
    for (const Block& block : std::vector(blocks_)) add("late_" + block.name, block.shape, PERCENT);
    weights_.assign(size_t(blocks_.back().at + blocks_.back().size()), 0);
    for (int point = 0; point < r.points; ++point) {
        const int x = point % r.width, y = point / r.width, folded = std::min(x, r.width - 1 - x);
        fold_[BLACK].push_back(y * ((r.width + 1) / 2) + folded);
        fold_[WHITE].push_back((r.height - 1 - y) * ((r.width + 1) / 2) + folded);
    }
    for (Side side : {BLACK, WHITE})
        for (int king = 0; king < r.points; ++king)
            for (int point = 0; point < r.points; ++point) from_king_[side].push_back(from_king(side, king, point));
    for (int point = 0; point < r.points; ++point) {
        Bits<W> wide{};
        for (int other = 0; other < r.points; ++other)
            if (std::max(std::abs(point % r.width - other % r.width), std::abs(point / r.width - other / r.width)) == 2)
                wide.set(Point(other));
        outer_ring_.push_back(wide);
    }
    load(weights_);
}

template <int W>
int Evaluation<W>::add(std::string name, std::vector<int> shape, int parts) {
    int at = blocks_.empty() ? 0 : blocks_.back().at + blocks_.back().size();
    blocks_.push_back({std::move(name), std::move(shape), at, parts});
    return at;
}

template <int W>
void Evaluation<W>::load(const std::vector<int>& weights) {
    if (weights.size() != weights_.size()) throw std::invalid_argument("the wrong number of weights");
    weights_ = weights;
    tapered_.clear();
    for (int i = 0; i < late_; ++i) tapered_.push_back(tapered(weights_[i], weights_[late_ + i]));
    auto used = [&](int from, int to) {
        return std::any_of(tapered_.begin() + from, tapered_.begin() + to, [](Tapered weight) { return weight; });
    };
    const int kinds = int(rules_->info.size() >> 2);
    kings_ = used(own_king_, mobility_);
    reaches_ = used(mobility_, dependencies_);
    const auto& r = *rules_;
    int total = 0, counted = 0;
    for (int kind = 0; kind < kinds; ++kind)
        if (worth(board_ + kind) > 0) {
            total += worth(board_ + kind);
            ++counted;
        }
    scale_ = std::clamp(counted ? total * 100 / counted / MEAN_WORTH : 100, 10, 200);
    most_change_ = 0;
    for (size_t piece = 0; piece < r.info.size(); ++piece)
        for (const auto& changes : r.info[piece].changes)
            for (const Change& change : changes)
                most_change_ = std::max(most_change_,
                                        worth(board_ + kind_of(change.piece)) - worth(board_ + kind_of(Piece(piece))));
    value_.assign(r.info.size(), 0);
    exchange_.assign(r.info.size(), 0);
    placed_.assign(r.info.size() * size_t(r.points), 0);
    for (size_t piece = 0; piece < r.info.size(); ++piece) {
        if ((piece & 3) == EMPTY || (piece & 3) == WALL) continue;
        const int kind = kind_of(Piece(piece)), slot = r.info[piece].captured;
        const Side side = side_of(Piece(piece));
        value_[piece] = worth(board_ + kind);
        exchange_[piece] = value_[piece] + (slot >= 0 ? worth(hand_ + slot) : 0);
        for (int point = 0; point < r.points; ++point)
            placed_[piece * r.points + point] =
                tapered_[board_ + kind] +
                tapered_[square_ + kind * (r.height * ((r.width + 1) / 2)) + fold_[side][point]];
    }
}

template <int W>
typename Evaluation<W>::Cells Evaluation<W>::kings(const State<W>& state) const {
    return {essential_cell(state, BLACK), essential_cell(state, WHITE)};
}

template <int W>
typename Evaluation<W>::Placed Evaluation<W>::placed(const State<W>& state, const Cells& kings) const {
    Placed sums{};
    for (Side side : {BLACK, WHITE})
        state.occupied[side].each([&](Point point) {
            sums[side] += placed(state.board[rules_->cell_of[point]], point, kings);
            return false;
        });
    return sums;
}

template <int W>
Tapered Evaluation<W>::placed(Piece piece, Point point, const Cells& kings) const {
    Placed sums{};
    each_placed_term(piece, point, kings, Adder{*this, sums});
    return sums[side_of(piece)];
}

template <int W>
int Evaluation<W>::static_score(const Position<W>& position, const Placed& placed, Reached<W>& reached) const {
    Placed score = placed;
    const int percent = lateness(each_term(position, Adder{*this, score}, reached));
    const Side us = position.side_to_move();
    const Tapered sum = score[us] - score[~us] + tapered_[tempo_];
    return early(sum) + more(sum) * percent / PERCENT;
}

template <int W>
std::vector<std::pair<int, int>> Evaluation<W>::terms(const Position<W>& position) const {
    std::vector<std::pair<int, int>> found;
    const State<W>& state = position.state();
    const Cells kings = this->kings(state);
    const Lister lister{*this, position.side_to_move(), found};
    state.everyone().each([&](Point point) {
        each_placed_term(state.board[rules_->cell_of[point]], point, kings, lister);
        return false;
    });
    Reached<W> reached;
    const int percent = lateness(each_term(position, lister, reached));
    found.emplace_back(tempo_, 1);
    if (percent)
        for (size_t i = 0, count = found.size(); i < count; ++i)
            if (const auto [index, times] = found[i]; index != dependencies_ && index != survival_)
                found.emplace_back(late_ + index, times * percent);
    return found;
}

template <int W>
uint16_t Evaluation<W>::from_king(Side side, int king, int point) const {
    const int width = rules_->width;
    const int ahead = (king / width - point / width) * (side == BLACK ? 1 : -1);
    return uint16_t((ahead + rules_->height - 1) * width + std::abs(king % width - point % width));
}

template <int W>
template <class Terms>
void Evaluation<W>::each_placed_term(Piece piece, Point point, const Cells& kings, Terms terms) const {
    const auto& r = *rules_;
    const Side side = side_of(piece);
    terms.piece(side, piece, point);
    if (!(r.single_royal || r.is_compound) || !terms.kings()) return;
    const Cell own = kings[side], foe = kings[~side], cell = r.cell_of[point];
    const int first = kind_of(piece) * (2 * r.height - 1) * r.width;
    if (own != NO_CELL && own != cell) terms.add(side, own_king_ + first + around(side, own)[point], 1);
    if (foe != NO_CELL && foe != cell) terms.add(side, foe_king_ + first + around(side, foe)[point], 1);
}

template <int W>
template <class Terms>
// NOLINTNEXTLINE(readability-function-size): terms that share what the pieces reach
int Evaluation<W>::each_term(const Position<W>& position, Terms terms, Reached<W>& reached) const {
    const auto& r = *rules_;
    const State<W>& state = position.state();
    const int kinds = int(r.info.size() >> 2);
    int held[2] = {0, 0};
    std::array<Bits<W>, 2> ring{}, by_men{};  // by_men: reached by pieces other than the royal one
    const bool reaches = !r.is_compound && terms.reaches();
    for (Side side : {BLACK, WHITE}) {
        for (int slot = 0; slot < r.hands(); ++slot)
            if (const int count = position.in_hand(side, slot)) {
                terms.add(side, hand_ + slot, count);
                terms.add(side, first_ + slot, 1);
                held[side] += count;
            }
        if (const Cell king = essential_cell(state, side); king != NO_CELL) ring[side] = r.beside[r.point_of[king]];
    }
    const std::array<Cell, 2> own{essential_cell(state, BLACK), essential_cell(state, WHITE)};
    if (reaches)
        reached = reached_by_each(r, state, [&](Side side, Point point, const Bits<W>& to) {
            const Cell cell = r.cell_of[point];
            const int count = to.without(position.pieces(side)).count();
            if (own[side] != cell) by_men[side] |= to;
            terms.add(side, mobility_ + kind_of(position.at(cell)) * MOBILITY + std::min(count, MOBILITY - 1), 1);
        });
    else if (!r.is_compound)
        reached = reached_by_all(r, state);
    const auto& covered = reached.once;
    const auto& doubly = reached.twice;
    for (Side side : {BLACK, WHITE}) {
        if (const Cell king = essential_cell(state, side); reaches && king != NO_CELL) {
            // Attacked points around the king count for the attacker.
            const int attacked = (ring[side] & covered[~side]).count();
            terms.add(~side, ring_ + std::min(attacked, RING - 1) * HANDS + std::min(held[~side], HANDS - 1), 1);
            const int bare = (ring[side] & covered[~side] & ~by_men[side]).count();
            terms.add(~side, bare_ + std::min(bare, RING - 1) * HANDS + std::min(held[~side], HANDS - 1), 1);
            terms.add(~side, twice_ + std::min((ring[side] & doubly[~side]).count(), RING - 1), 1);
            terms.add(side, guard_ + std::min((ring[side] & by_men[side]).count(), RING - 1), 1);
            const Bits<W>& wide = outer_ring_[size_t(r.point_of[king])];
            terms.add(~side, around_ + std::min((wide & covered[~side]).count(), AROUND - 1), 1);
            const int free = (ring[side] & ~covered[~side] & ~position.pieces(side)).count();
            terms.add(side, escape_ + std::min(free, RING - 1), 1);
        }
        if (reaches)
            (position.pieces(side) & covered[~side]).each([&](Point point) {
                const int threat = covered[side].test(point) ? 0 : side == position.side_to_move() ? 1 : 2;
                terms.add(side, threat_ + threat * kinds + kind_of(position.at(r.cell_of[point])), 1);
                return false;
            });
        if (r.is_compound) {
            terms.percent(side, dependencies_, dependency_worth(state, side));
            terms.percent(side, survival_, survival_worth(state, side));
        }
    }
    return held[BLACK] + held[WHITE];
}

KOMADAI_FOR_EACH_SIZE(class Evaluation)

}  // namespace komadai
