// Static evaluation: a sum of weights, each times how often what it speaks of occurs. The same walk over a position
// adds the weights up for the search and names the terms for the tuner, so the two cannot differ.
#pragma once

#include <string>

#include "position.hpp"

namespace komadai {

// A table of weights: its name and shape, and where it begins in the list of all weights.
struct Block {
    std::string name;
    std::vector<int> shape;
    int at;
    int parts = 1;  // what terms are counted in: wholes, or hundredths
    [[nodiscard]] int size() const {
        int product = 1;
        for (int side : shape) product *= side;
        return product;
    }
};

// Two sums in one: of the weights with nothing in hand, and of how much more they are with many pieces in hand.
using Tapered = int64_t;
inline Tapered tapered(int early, int more) { return int64_t(more) * (int64_t(1) << 32) + early; }
inline int early(Tapered sum) { return int32_t(sum); }
inline int more(Tapered sum) { return int((sum + (int64_t(1) << 31)) >> 32); }

template <int W>
class Evaluation {
 public:
    static constexpr int MOBILITY = 24;     // counts of points reached that are told apart, less one from 0
    static constexpr int RING = 9;          // points beside a royal piece that are attacked, from 0
    static constexpr int HANDS = 6;         // pieces in the attacker's hand that are told apart, from 0
    static constexpr int AROUND = 17;       // points two steps from a royal piece that are attacked, from 0
    static constexpr int THREATS = 3;       // attacked and covered; attacked alone, of the side to move, of the other
    static constexpr int MEAN_WORTH = 550;  // of shogi's kinds
    static constexpr int ALL_IN_HAND = 14;  // pieces in hand, of both sides, from which on weights are the late ones
    static constexpr int PERCENT = 100;     // what ties, command and what is late are counted in

    explicit Evaluation(std::shared_ptr<const Rules<W>> rules) : rules_(std::move(rules)) {
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
        ties_ = add("ties", {1}, PERCENT);
        command_ = add("command", {1}, PERCENT);
        tempo_ = add("tempo", {1});
        // All of them once more: how much more they are where much is in hand.
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
                if (std::max(std::abs(point % r.width - other % r.width),
                             std::abs(point / r.width - other / r.width)) == 2)
                    wide.set(other);
            outer_ring_.push_back(wide);
        }
        load(weights_);
    }

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::shared_ptr<const Rules<W>>& rules() const { return rules_; }

    // Takes the weights over, in the order of blocks().
    void load(const std::vector<int>& weights) {
        if (weights.size() != weights_.size()) throw std::invalid_argument("the wrong number of weights");
        weights_ = weights;
        tapered_.clear();
        for (int i = 0; i < late_; ++i) tapered_.push_back(tapered(weights_[i], weights_[late_ + i]));
        auto used = [&](int from, int to) {
            return std::any_of(tapered_.begin() + from, tapered_.begin() + to, [](Tapered weight) { return weight; });
        };
        const int kinds = int(rules_->info.size() >> 2);
        kings_ = used(own_king_, mobility_);
        reaches_ = used(mobility_, ties_);
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
                    most_change_ = std::max(
                        most_change_, worth(board_ + kind_of(change.piece)) - worth(board_ + kind_of(Piece(piece))));
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

    // What a piece is worth where it stands, and what its owner's loss and its taker's gain come to.
    [[nodiscard]] int value(Piece piece) const { return value_[piece]; }
    [[nodiscard]] int exchange(Piece piece) const { return exchange_[piece]; }

    // The most that a piece gains in worth by what a move may make of it.
    [[nodiscard]] int most_change() const { return most_change_; }

    // How much pieces are worth on the average, in percent of what shogi's are: the measure of margins.
    [[nodiscard]] int scale() const { return scale_; }

    // The score for the side to move.
    [[nodiscard]] int score(const Position<W>& position) const {
        Tapered score[2] = {0, 0};
        const int percent = lateness(each_term(position, Adder{*this, score}));
        const Side us = position.turn();
        const Tapered sum = score[us] - score[~us] + tapered_[tempo_];
        return early(sum) + more(sum) * percent / PERCENT;
    }
    // The terms that make up the score, as (weight, times) from the side to move, in the parts their block tells of.
    [[nodiscard]] std::vector<std::pair<int, int>> terms(const Position<W>& position) const {
        std::vector<std::pair<int, int>> found;
        const Side us = position.turn();
        const int percent = lateness(each_term(position, Lister{*this, us, found}));
        found.emplace_back(tempo_, 1);
        if (percent)
            for (size_t i = 0, count = found.size(); i < count; ++i)
                if (const auto [index, times] = found[i]; index != ties_ && index != command_)
                    found.emplace_back(late_ + index, times * percent);
        return found;
    }

 private:
    struct Adder {
        const Evaluation& of;
        Tapered* score;
        void piece(Side side, Piece piece, Point point) {
            score[side] += of.placed_[piece * of.rules_->points + point];
        }
        void add(Side side, int index, int times) { score[side] += of.tapered_[index] * times; }
        void percent(Side side, int index, int times) { score[side] += of.weights_[index] * times / PERCENT; }
        [[nodiscard]] bool kings() const { return of.kings_; }
        [[nodiscard]] bool reaches() const { return of.reaches_; }
    };
    struct Lister {
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
        [[nodiscard]] bool reaches() const { return !of.rules_->turns; }
    };

    int add(std::string name, std::vector<int> shape, int parts = 1) {
        int at = blocks_.empty() ? 0 : blocks_.back().at + blocks_.back().size();
        blocks_.push_back({std::move(name), std::move(shape), at, parts});
        return at;
    }
    // The weight between early and late.
    [[nodiscard]] int worth(int index) const { return weights_[index] + weights_[late_ + index] / 2; }
    // How much of what is late counts, in percent, with so many pieces in hand.
    static int lateness(int held) { return std::min(held, ALL_IN_HAND) * PERCENT / ALL_IN_HAND; }
    // Where a point lies from a king: steps ahead, as its side sees it, from the most behind on; and steps to a side.
    [[nodiscard]] uint16_t from_king(Side side, int king, int point) const {
        const int width = rules_->width;
        const int ahead = (king / width - point / width) * (side == BLACK ? 1 : -1);
        return uint16_t((ahead + rules_->height - 1) * width + std::abs(king % width - point % width));
    }
    [[nodiscard]] const uint16_t* around(Side side, Cell king) const {
        return king == NO_CELL ? nullptr : &from_king_[side][size_t(rules_->point_of[king] * rules_->points)];
    }

    // Tells `terms` of each term; returns how many pieces are in hand.
    template <class Terms>
    int each_term(const Position<W>& position, Terms terms) const {
        const auto& r = *rules_;
        const int near = (2 * r.height - 1) * r.width, kinds = int(r.info.size() >> 2);
        int held[2] = {0, 0};
        std::array<Bits<W>, 2> ring{}, covered{}, doubly{}, by_men{};  // by_men: by other than the royal piece
        const bool kings = (r.single_royal || r.turns) && terms.kings(), reaches = !r.turns && terms.reaches();
        for (Side side : {BLACK, WHITE}) {
            for (int slot = 0; slot < r.hands(); ++slot)
                if (const int count = position.in_hand(side, slot)) {
                    terms.add(side, hand_ + slot, count);
                    terms.add(side, first_ + slot, 1);
                    held[side] += count;
                }
            if (const Cell king = position.royal(side); king != NO_CELL) ring[side] = r.beside[r.point_of[king]];
        }
        for (Side side : {BLACK, WHITE}) {
            const Cell own = position.home(side), foe = position.home(~side);
            const uint16_t *around_own = around(side, own), *around_foe = around(side, foe);
            position.pieces(side).each([&](Point point) {
                const Cell cell = r.cell_of[point];
                const Piece piece = position.at(cell);
                const int kind = kind_of(piece);
                terms.piece(side, piece, point);
                if (kings) {
                    if (around_own && own != cell) terms.add(side, own_king_ + kind * near + around_own[point], 1);
                    if (around_foe && foe != cell) terms.add(side, foe_king_ + kind * near + around_foe[point], 1);
                }
                if (reaches) {
                    const Bits<W>& leaps = r.leaps(piece, point);
                    int count = (leaps & ~position.pieces(side)).count();
                    Bits<W> reached = leaps;
                    position.each_slide(cell, [&](Cell to) {
                        reached.set(r.point_of[to]);
                        count += !owned(position.at(to), side);
                    });
                    doubly[side] |= covered[side] & reached;
                    covered[side] |= reached;
                    if (own != cell) by_men[side] |= reached;
                    terms.add(side, mobility_ + kind * MOBILITY + std::min(count, MOBILITY - 1), 1);
                }
                return false;
            });
        }
        for (Side side : {BLACK, WHITE}) {
            if (reaches && position.royal(side) != NO_CELL) {
                // What is attacked around the king counts for the attacker.
                const int attacked = (ring[side] & covered[~side]).count();
                terms.add(~side, ring_ + std::min(attacked, RING - 1) * HANDS + std::min(held[~side], HANDS - 1), 1);
                const int bare = (ring[side] & covered[~side] & ~by_men[side]).count();
                terms.add(~side, bare_ + std::min(bare, RING - 1) * HANDS + std::min(held[~side], HANDS - 1), 1);
                terms.add(~side, twice_ + std::min((ring[side] & doubly[~side]).count(), RING - 1), 1);
                terms.add(side, guard_ + std::min((ring[side] & by_men[side]).count(), RING - 1), 1);
                const Bits<W>& wide = outer_ring_[size_t(r.point_of[position.royal(side)])];
                terms.add(~side, around_ + std::min((wide & covered[~side]).count(), AROUND - 1), 1);
                const int free = (ring[side] & ~covered[~side] & ~position.pieces(side)).count();
                terms.add(side, escape_ + std::min(free, RING - 1), 1);
            }
            if (reaches)
                (position.pieces(side) & covered[~side]).each([&](Point point) {
                    const int threat = covered[side].test(point) ? 0 : side == position.turn() ? 1 : 2;
                    terms.add(side, threat_ + threat * kinds + kind_of(position.at(r.cell_of[point])), 1);
                    return false;
                });
            if (r.turns) {
                terms.percent(side, ties_, position.ties(side));
                terms.percent(side, command_, position.command(side));
            }
        }
        return held[BLACK] + held[WHITE];
    }

    std::shared_ptr<const Rules<W>> rules_;
    std::vector<Block> blocks_;
    int board_, hand_, first_, square_, own_king_, foe_king_, mobility_, ring_, escape_, bare_, twice_, guard_, around_,
        threat_, ties_, command_, tempo_, late_;
    std::vector<int> weights_;
    std::vector<Tapered> tapered_;  // the weights, the late ones with those that they add to
    bool kings_ = false, reaches_ = false;
    int scale_ = 100, most_change_ = 0;
    std::vector<int> value_, exchange_;  // by piece
    std::vector<Tapered> placed_;        // by piece * points + point
    std::array<std::vector<int>, 2> fold_;
    std::array<std::vector<uint16_t>, 2> from_king_;  // by side, king and point
    std::vector<Bits<W>> outer_ring_;                 // the points two steps from a point
};

}  // namespace komadai
