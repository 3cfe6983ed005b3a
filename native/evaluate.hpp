// Static evaluation: a sum of weights, each times the number of occurrences of its feature, and what a net adds to it
// if there is one. The same functions serve the search, which needs the sum, and the tuner, which needs the terms, so
// that the two cannot differ.
#pragma once

#include <string>

#include "net.hpp"

namespace komadai {

// A block of weights: its name and shape, and its first index in the list of all weights.
struct Block {
    std::string name;
    std::vector<int> shape;
    int at;
    int parts = 1;  // the unit of its terms: 1, or 100 for hundredths
    [[nodiscard]] int size() const {
        int product = 1;
        for (int side : shape) product *= side;
        return product;
    }
};

// Two sums in one word: of the weights with nothing in hand, and of what is added to them with many pieces in hand.
using Tapered = int64_t;
inline Tapered tapered(int early, int more) { return int64_t(more) * (int64_t(1) << 32) + early; }
inline int early(Tapered sum) { return int32_t(sum); }
inline int more(Tapered sum) { return int((sum + (int64_t(1) << 31)) >> 32); }

template <int W>
class Evaluation {
 public:
    static constexpr int MOBILITY = 24;     // counts of points reached that are distinguished, from 0
    static constexpr int RING = 9;          // points beside a royal piece that are attacked, from 0
    static constexpr int HANDS = 6;         // counts of pieces in the attacker's hand that are distinguished, from 0
    static constexpr int AROUND = 17;       // points two steps from a royal piece that are attacked, from 0
    static constexpr int THREATS = 3;       // attacked and covered; attacked alone, of the side to move, of the other
    static constexpr int MEAN_WORTH = 550;  // of shogi's kinds
    static constexpr int ALL_IN_HAND =
        14;                              // pieces in hand, of both sides, from which on the late weights count in full
    static constexpr int PERCENT = 100;  // the unit of dependencies, survival and late weights

    [[gnu::cold]] explicit Evaluation(std::shared_ptr<const Rules<W>> rules);

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::shared_ptr<const Rules<W>>& rules() const { return rules_; }

    // Sets the weights, in the order of blocks().
    void load(const std::vector<int>& weights);
    // Sets the net; null: none.
    void load(std::shared_ptr<const Net<W>> net) { net_ = std::move(net); }
    [[nodiscard]] const Net<W>* net() const { return net_.get(); }

    // The worth of a piece on the board, and that worth plus its worth in the hand of the side that captures it.
    [[nodiscard]] int value(Piece piece) const { return value_[piece]; }
    [[nodiscard]] int exchange(Piece piece) const { return exchange_[piece]; }

    // The most worth that a piece gains by promotion.
    [[nodiscard]] int most_change() const { return most_change_; }

    // The mean worth of the kinds, in percent of MEAN_WORTH: the search scales its margins by it.
    [[nodiscard]] int scale() const { return scale_; }

    // The score for the side to move: the sum of the terms, and what the net adds.
    [[nodiscard]] int score(const Position<W>& position) const {
        return static_score(position) + (net_ ? net_->score(position) : 0);
    }
    // The sum of the terms alone.
    [[nodiscard]] int static_score(const Position<W>& position) const {
        const Cells kings = this->kings(position.state());
        Reached<W> reached;
        return static_score(position, placed(position.state(), kings), reached);
    }
    // The terms of that sum as (weight, times) for the side to move, in the unit of their block.
    [[nodiscard]] std::vector<std::pair<int, int>> terms(const Position<W>& position) const;

    // For each side: where the piece is that it must not lose; and the sum of those terms of its pieces that depend on
    // nothing but their places and these two.
    using Cells = std::array<Cell, 2>;
    using Placed = std::array<Tapered, 2>;
    [[nodiscard]] Cells kings(const State<W>& state) const;
    [[nodiscard]] Placed placed(const State<W>& state, const Cells& kings) const;
    // The part of that sum which a piece on a point is.
    [[nodiscard]] Tapered placed(Piece piece, Point point, const Cells& kings) const;
    // The sum of the terms, where that of those by place is known. `reached` becomes what the pieces reach, but not in
    // games of compound moves.
    [[nodiscard]] int static_score(const Position<W>& position, const Placed& placed, Reached<W>& reached) const;

 private:
    struct Adder;
    struct Lister;

    int add(std::string name, std::vector<int> shape, int parts = 1);
    // The weight between early and late.
    [[nodiscard]] int worth(int index) const { return weights_[index] + weights_[late_ + index] / 2; }
    // The share of the late weights, in percent, with so many pieces in hand.
    static int lateness(int held) { return std::min(held, ALL_IN_HAND) * PERCENT / ALL_IN_HAND; }
    // The place of a point relative to a king: ranks ahead as its side sees it, counted from the rearmost, and files
    // away.
    [[nodiscard]] uint16_t from_king(Side side, int king, int point) const;
    [[nodiscard]] const uint16_t* around(Side side, Cell king) const {
        return &from_king_[side][size_t(rules_->point_of[king] * rules_->points)];
    }

    // Passes to `terms` each term that depends on a piece's place and the kings alone.
    template <class Terms>
    void each_placed_term(Piece piece, Point point, const Cells& kings, Terms terms) const;
    // Passes each other term to `terms`; returns the number of pieces in hand. `reached`: as static_score() has it.
    template <class Terms>
    int each_term(const Position<W>& position, Terms terms, Reached<W>& reached) const;

    std::shared_ptr<const Rules<W>> rules_;
    std::shared_ptr<const Net<W>> net_;
    std::vector<Block> blocks_;
    int board_, hand_, first_, square_, own_king_, foe_king_, mobility_, ring_, escape_, bare_, twice_, guard_, around_,
        threat_, dependencies_, survival_, tempo_, late_;
    std::vector<int> weights_;
    std::vector<Tapered> tapered_;  // each weight with its late weight
    bool kings_ = false, reaches_ = false;
    int scale_ = 100, most_change_ = 0;
    std::vector<int> value_, exchange_;  // by piece
    std::vector<Tapered> placed_;        // by piece * points + point
    std::array<std::vector<int>, 2> fold_;
    std::array<std::vector<uint16_t>, 2> from_king_;  // by side, king and point
    std::vector<Bits<W>> outer_ring_;                 // the points two steps from a point
};

KOMADAI_EXTERN_EACH_SIZE(class Evaluation)

}  // namespace komadai
