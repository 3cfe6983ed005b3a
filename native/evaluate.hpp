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
    [[nodiscard]] int size() const {
        int product = 1;
        for (int side : shape) product *= side;
        return product;
    }
};

template <int W>
class Evaluation {
 public:
    static constexpr int MOBILITY = 24;     // counts of points reached that are told apart, less one from 0
    static constexpr int RING = 9;          // points beside a royal piece that are attacked, from 0
    static constexpr int HANDS = 6;         // pieces in the attacker's hand that are told apart, from 0
    static constexpr int SECTORS = 3;       // before, beside and behind a king
    static constexpr int THREATS = 3;       // attacked and covered; attacked alone, of the side to move, of the other
    static constexpr int MEAN_WORTH = 550;  // of shogi's kinds
    static constexpr int PERCENT = 100;     // what ties and command are counted in

    explicit Evaluation(std::shared_ptr<const Rules<W>> rules) : rules_(std::move(rules)) {
        const auto& r = *rules_;
        const int kinds = int(r.info.size() >> 2);
        board_ = add("board", {kinds});
        hand_ = add("hand", {r.hands()});
        first_ = add("first", {r.hands()});
        square_ = add("square", {kinds, r.height * ((r.width + 1) / 2)});
        own_king_ = add("own_king", {kinds, distances(), SECTORS});
        foe_king_ = add("foe_king", {kinds, distances(), SECTORS});
        mobility_ = add("mobility", {kinds, MOBILITY});
        ring_ = add("ring", {RING, HANDS});
        escape_ = add("escape", {RING});
        threat_ = add("threat", {THREATS, kinds});
        ties_ = add("ties", {1});
        command_ = add("command", {1});
        tempo_ = add("tempo", {1});
        weights_.assign(size_t(blocks_.back().at + blocks_.back().size()), 0);
        for (int point = 0; point < r.points; ++point) {
            const int x = point % r.width, y = point / r.width, folded = std::min(x, r.width - 1 - x);
            fold_[BLACK].push_back(y * ((r.width + 1) / 2) + folded);
            fold_[WHITE].push_back((r.height - 1 - y) * ((r.width + 1) / 2) + folded);
        }
        for (Side side : {BLACK, WHITE})
            for (int king = 0; king < r.points; ++king)
                for (int point = 0; point < r.points; ++point)
                    from_king_[side].push_back(king == point ? uint16_t(0) : from_king(side, king, point));
        load(weights_);
    }

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::shared_ptr<const Rules<W>>& rules() const { return rules_; }

    // Takes the weights over, in the order of blocks().
    void load(const std::vector<int>& weights) {
        if (weights.size() != weights_.size()) throw std::invalid_argument("the wrong number of weights");
        weights_ = weights;
        auto used = [&](int at, int size) {
            return std::any_of(weights_.begin() + at, weights_.begin() + at + size, [](int weight) { return weight; });
        };
        const int kinds = int(rules_->info.size() >> 2);
        reaches_ = used(mobility_, kinds * MOBILITY) || used(ring_, RING * HANDS) || used(escape_, RING) ||
                   used(threat_, THREATS * kinds);
        kings_ = used(own_king_, 2 * (foe_king_ - own_king_));
        const auto& r = *rules_;
        int total = 0, counted = 0;
        for (int kind = 0; kind < kinds; ++kind)
            if (const int worth = weights_[board_ + kind]; worth > 0) {
                total += worth;
                ++counted;
            }
        scale_ = std::clamp(counted ? total * 100 / counted / MEAN_WORTH : 100, 10, 200);
        most_change_ = 0;
        for (size_t piece = 0; piece < r.info.size(); ++piece)
            for (const auto& changes : r.info[piece].changes)
                for (const Change& change : changes)
                    most_change_ = std::max(most_change_, weights_[board_ + kind_of(change.piece)] -
                                                              weights_[board_ + kind_of(Piece(piece))]);
        value_.assign(r.info.size(), 0);
        exchange_.assign(r.info.size(), 0);
        placed_.assign(r.info.size() * size_t(r.points), 0);
        for (size_t piece = 0; piece < r.info.size(); ++piece) {
            if ((piece & 3) == EMPTY || (piece & 3) == WALL) continue;
            const int kind = kind_of(Piece(piece)), slot = r.info[piece].captured;
            const Side side = side_of(Piece(piece));
            value_[piece] = weights_[board_ + kind];
            exchange_[piece] = value_[piece] + (slot >= 0 ? weights_[hand_ + slot] : 0);
            for (int point = 0; point < r.points; ++point)
                placed_[piece * r.points + point] =
                    value_[piece] + weights_[square_ + kind * (r.height * ((r.width + 1) / 2)) + fold_[side][point]];
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
        int score[2] = {0, 0};
        each_term(position, Adder{*this, score});
        const Side us = position.turn();
        return score[us] - score[~us] + weights_[tempo_];
    }
    // The terms that make up the score, as (weight, times) from the side to move; those of PERCENT count hundredths.
    [[nodiscard]] std::vector<std::pair<int, int>> terms(const Position<W>& position) const {
        std::vector<std::pair<int, int>> found;
        const Side us = position.turn();
        each_term(position, Lister{*this, us, found});
        found.emplace_back(tempo_, 1);
        return found;
    }
    [[nodiscard]] bool in_percent(int index) const { return index == ties_ || index == command_; }

 private:
    struct Adder {
        const Evaluation& of;
        int* score;
        void piece(Side side, Piece piece, Point point) {
            score[side] += of.placed_[piece * of.rules_->points + point];
        }
        void add(Side side, int index, int times) { score[side] += of.weights_[index] * times; }
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

    int add(std::string name, std::vector<int> shape) {
        int at = blocks_.empty() ? 0 : blocks_.back().at + blocks_.back().size();
        blocks_.push_back({std::move(name), std::move(shape), at});
        return at;
    }
    [[nodiscard]] int distances() const { return std::max(rules_->width, rules_->height) - 1; }
    // Where a point lies from a king, seen from its side: king's steps away, and before, beside or behind it.
    [[nodiscard]] uint16_t from_king(Side side, int king, int point) const {
        const int ahead = (king / rules_->width - point / rules_->width) * (side == BLACK ? 1 : -1);
        const int distance = std::max(std::abs(king % rules_->width - point % rules_->width), std::abs(ahead));
        return uint16_t((distance - 1) * SECTORS + (ahead > 0 ? 0 : ahead == 0 ? 1 : 2));
    }
    [[nodiscard]] const uint16_t* around(Side side, Cell king) const {
        return king == NO_CELL ? nullptr : &from_king_[side][size_t(rules_->point_of[king] * rules_->points)];
    }

    template <class Terms>
    void each_term(const Position<W>& position, Terms terms) const {
        const auto& r = *rules_;
        const int near = distances() * SECTORS, kinds = int(r.info.size() >> 2);
        int held[2] = {0, 0};
        std::array<Bits<W>, 2> ring{}, covered{};
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
                    covered[side] |= leaps;
                    position.each_slide(cell, [&](Cell to) {
                        covered[side].set(r.point_of[to]);
                        count += !owned(position.at(to), side);
                    });
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
    }

    std::shared_ptr<const Rules<W>> rules_;
    std::vector<Block> blocks_;
    int board_, hand_, first_, square_, own_king_, foe_king_, mobility_, ring_, escape_, threat_, ties_, command_,
        tempo_;
    std::vector<int> weights_;
    bool kings_ = false, reaches_ = false;
    int scale_ = 100, most_change_ = 0;
    std::vector<int> value_, exchange_, placed_;  // by piece; placed_: piece * points + point
    std::array<std::vector<int>, 2> fold_;
    std::array<std::vector<uint16_t>, 2> from_king_;  // by side, king and point
};

}  // namespace komadai
