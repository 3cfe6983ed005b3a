// The inputs of a net, made from the rules: every piece by the place where a royal piece sees it, and the hands.
#pragma once

#include <bit>
#include <memory>

#include "reached.hpp"

namespace komadai {

// Calls visit(number) for each bit.
template <class Visit>
void each_bit(uint32_t bits, Visit visit) {
    for (; bits; bits &= bits - 1) visit(std::countr_zero(bits));
}

// Each side has a view of a position, a list of features, which are numbers from 0 on. Among them are
// - every piece on the board but the side's royal one: own or not, its kind, and its place relative to the royal piece
//   in ranks and files, as the side sees them. Far from the royal piece places share a feature where the table would
//   have more than LARGEST of them.
// - the place of the royal piece, where the board has edges.
// - for each side and slot the number of pieces in hand, if there are any; HELD or more are one.
// - for each point within two steps of either royal piece how many own and how many enemy pieces reach it, if any do;
//   two or more are one. Games of compound moves have no such features.
//
// The royal piece is the rearmost of those that a side must not lose. Where a side has none on the board, the middle of
// its rearmost rank stands for it. Where left and right are the same, a side sees its royal piece in the left half.
template <int W>
class NetShape {
 public:
    static constexpr int HELD = 8;
    static constexpr int PHASES = 8;
    static constexpr int LARGEST = 30000;  // with 32 bytes each less than a megabyte
    static constexpr int STEPS = 2;        // from a royal piece: the window in which control of points is seen
    static constexpr int ACROSS = 2 * STEPS + 1, WINDOW = ACROSS * ACROSS;
    static constexpr int CONTROLS = 9;  // of a point: reached by none, one or more own pieces, and likewise of others

    // The points around a royal piece, as on the board, that the pieces of each side reach, and those that two or more
    // reach: a bit for each, by rank and file.
    struct Surroundings {
        std::array<uint32_t, 2> once{}, twice{};
        // The points whose control differs from that in another position.
        [[nodiscard]] uint32_t changes(const Surroundings& other) const {
            return (once[BLACK] ^ other.once[BLACK]) | (once[WHITE] ^ other.once[WHITE]) |
                   (twice[BLACK] ^ other.twice[BLACK]) | (twice[WHITE] ^ other.twice[WHITE]);
        }
    };
    // By side, whose royal piece it is.
    using Control = std::array<Surroundings, 2>;

    // `mirrored`: whether the rules are the same with left and right exchanged. `control`: whether the control of
    // points is among the features, as their last ones.
    [[gnu::cold]] NetShape(std::shared_ptr<const Rules<W>> rules, bool mirrored, bool control = true);

    [[nodiscard]] const std::shared_ptr<const Rules<W>>& rules() const { return rules_; }
    // The number of features; and the most that a view may have at once.
    [[nodiscard]] int features() const { return features_; }
    [[nodiscard]] int most() const {
        return rules_->points + 2 * rules_->hands() + 1 + (sees_control() ? 2 * WINDOW : 0);
    }
    [[nodiscard]] bool mirrored() const { return mirrored_; }

    // How a side sees the board from its royal piece on `royal`, or from where it would be: the numbers of places by
    // rank and file, whose sum with the number of a piece is its feature.
    struct View {
        Cell royal;
        const int *by_row, *by_column, *of_piece;
        int place;    // the feature of the royal piece's place, or -1
        bool turned;  // left and right are exchanged
    };
    [[nodiscard]] bool sees_control() const { return control_; }
    [[nodiscard]] Control control(const State<W>& state, const Reached<W>& reached) const;
    // The feature of a point around a royal piece, or -1 if no piece reaches it.
    [[nodiscard]] int controlled(Side viewer, const View& view, Side whose, int point, const Surroundings& here) const {
        const auto count = [&](Side by) { return int(here.once[by] >> point & 1) + int(here.twice[by] >> point & 1); };
        const int seen = 3 * count(viewer) + count(~viewer);
        if (!seen) return -1;
        int row = point / ACROSS, column = point % ACROSS;
        if (viewer == WHITE) row = ACROSS - 1 - row;
        if ((viewer == WHITE) != view.turned) column = ACROSS - 1 - column;
        const int place = (whose == viewer ? 0 : WINDOW) + row * ACROSS + column;
        return first_control_ + place * (CONTROLS - 1) + seen - 1;
    }
    [[nodiscard]] Cell royal(const State<W>& state, Side side) const;
    // False if the game has royal pieces and the side has none on the board, where royal() is `royal`, nor in hand: a
    // mate problem. No net has learned from such positions.
    [[nodiscard]] bool has_royal(const State<W>& state, Side side, Cell royal) const;
    [[nodiscard]] View view(Side side, Cell royal) const;
    [[nodiscard]] int feature(const View& view, Piece piece, Point point) const {
        return view.of_piece[piece] + view.by_row[row_[point]] + view.by_column[column_[point]];
    }
    // The feature of so many pieces in a hand, or -1 if there are none.
    [[nodiscard]] int in_hand(Side viewer, Side owner, int slot, int count) const {
        return count ? first_held_ + ((viewer != owner) * rules_->hands() + slot) * HELD + std::min(count, HELD) - 1
                     : -1;
    }

    // Calls visit(feature) for each feature of the view.
    template <class Visit>
    void each(const State<W>& state, Side side, const View& view, Visit visit) const {
        for (Side owner : {BLACK, WHITE})
            state.occupied[owner].each([&](Point point) {
                const Cell cell = rules_->cell_of[point];
                if (cell != view.royal) visit(feature(view, state.board[cell], point));
                return false;
            });
        if (view.place >= 0) visit(view.place);
        for (Side owner : {BLACK, WHITE})
            for (int slot = 0; slot < rules_->hands(); ++slot)
                if (const int held = in_hand(side, owner, slot, state.hand[owner][slot]); held >= 0) visit(held);
        if (!sees_control()) return;
        const Control all = control(state, reached_by_all(*rules_, state));
        for (Side whose : {side, ~side})
            each_bit(all[whose].once[BLACK] | all[whose].once[WHITE],
                     [&](int point) { visit(controlled(side, view, whose, point, all[whose])); });
    }

    // The phase of the game, from 0 to PHASES - 1: by the share of the pieces that are in hand or, where none go there,
    // of the points that are occupied; half of them or more are the last.
    [[nodiscard]] int phase(const State<W>& state) const;

 private:
    // The number of a distance: distances above `fine_` share numbers in groups of 2, 4, 8 and so on.
    [[nodiscard]] int step(int distance) const {
        return distance <= fine_ ? distance : fine_ + std::bit_width(unsigned(distance - fine_ + 1) / 2);
    }
    [[nodiscard]] uint32_t around(const Bits<W>& points, Point point) const;
    [[nodiscard]] int along(int distance) const { return distance < 0 ? -step(-distance) : step(distance); }
    [[nodiscard]] int left() const { return mirrored_ ? (rules_->width - 1) / 2 : rules_->width - 1; }
    [[nodiscard]] int columns() const { return step(left()) + 1 + step(rules_->width - 1); }
    [[nodiscard]] int rows() const { return 2 * step(rules_->height - 1) + 1; }
    [[nodiscard]] int kinds() const { return int(rules_->info.size() >> 2); }
    void fill_tables();

    std::shared_ptr<const Rules<W>> rules_;
    bool mirrored_, control_;
    int fine_, features_ = 0, first_place_ = 0, first_held_ = 0, first_control_ = 0;
    std::vector<uint8_t> row_, column_;  // by point
    // By side: the numbers by the royal piece's rank or file and that of a point, as on the board; and by piece.
    std::array<std::vector<int>, 2> by_row_, by_column_, of_piece_;
    std::vector<uint32_t> inside_;  // by point: the points around it that are on the board
};

KOMADAI_EXTERN_EACH_SIZE(class NetShape)

}  // namespace komadai
