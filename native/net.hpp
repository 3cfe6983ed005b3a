// A net that adds to the hand-made evaluation: a table of features for each side's view, one hidden layer, one output.
//
//   sums[i]  = feature_bias[i] + the sum of feature_weights[f][i] over the features f of a view      (16 bits,
//   wrapping) active   = (sums clipped to 0 .. UNIT) squared, first of the side to move, then of the other score    =
//   (the sum of active[i] * output_weights[phase][i] / UNIT + output_bias[phase]) * SCALE / (UNIT * WEIGHT)
//
// All of it in whole numbers, divisions towards 0, so that it is the same on every machine.
#pragma once

#include <optional>
#include <string>

#include "net_shape.hpp"

namespace komadai {

// The arrays of a net as a file has them.
struct NetArrays {
    std::vector<int16_t> feature_weights;  // by feature and unit
    std::vector<int16_t> feature_bias;     // by unit
    std::vector<int16_t> output_weights;   // by phase and unit, those of the side to move first
    std::vector<int32_t> output_bias;      // by phase
};

// Some features of a view.
struct NetFeatures {
    static constexpr size_t MOST = 64;
    std::array<int, MOST> list;
    size_t size = 0;
    void add(int feature) { list[size++] = feature; }
};

// What a net does to its sums. It knows no rules.
class NetLayers {
 public:
    static constexpr int UNIT = 255;      // of the sums: what is 1
    static constexpr int WEIGHT = 64;     // of output_weights
    static constexpr int SCALE = 400;     // what an output of 1 is in hundredths of the least piece
    static constexpr int BLOCK = 16;      // the hidden units are a multiple of it
    static constexpr int WIDEST = 128;    // hidden units, so that sums of the output layer fit in 32 bits
    static constexpr int HEAVIEST = 127;  // of output_weights, without sign, for the same reason

    // Throws std::invalid_argument if the sizes do not fit each other or that number of features, or if output weights
    // are out of range.
    NetLayers(NetArrays arrays, int features);

    [[nodiscard]] int hidden() const { return hidden_; }
    // The sums of a view without features.
    [[nodiscard]] const int16_t* bias() const { return arrays_.feature_bias.data(); }
    // Writes to `sums` what `from`, which may be the same, becomes as features leave and enter the view.
    void change(int16_t* sums, const int16_t* from, const NetFeatures& gone, const NetFeatures& come) const;
    // The score, from the sums of the side to move and of the other; `phase` is one of `phases`.
    [[nodiscard]] int output(const int16_t* mine, const int16_t* theirs, int phase, int phases) const;

 private:
    [[nodiscard]] const int16_t* row(int feature) const {
        return arrays_.feature_weights.data() + size_t(feature) * size_t(hidden_);
    }

    NetArrays arrays_;
    int hidden_, phases_;
};

template <int W>
class Net {
 public:
    // Throws std::invalid_argument as NetLayers does.
    Net(std::shared_ptr<const Rules<W>> rules, NetArrays arrays)
        : shape_(std::move(rules)), layers_(std::move(arrays), shape_.features()) {}

    [[nodiscard]] const NetShape<W>& shape() const { return shape_; }
    [[nodiscard]] const NetLayers& layers() const { return layers_; }
    // The score for the side to move, from scratch.
    [[nodiscard]] int score(const Position<W>& position) const;
    // The sums of a side's view, from scratch.
    void sum(const State<W>& state, Side side, int16_t* sums) const;

 private:
    NetShape<W> shape_;
    NetLayers layers_;
};

// The sums along a line of play, each made from those of a position nearby by what differs between the two boards, so
// that it does not matter how moves change a board. Used by one thread; it allocates nothing once it is made.
template <int W>
class NetStack {
 public:
    NetStack(const Net<W>& net, size_t plies);
    // As Net::score(), of a position so many plies from where the line begins.
    [[nodiscard]] int score(const Position<W>& position, size_t ply);

 private:
    struct Entry {
        bool known = false;
        uint64_t key = 0;
        std::array<Cell, 2> royal{NO_CELL, NO_CELL};
        std::vector<Piece> board;  // by cell
        std::array<std::array<uint8_t, MAX_HAND>, 2> hand{};
        std::array<std::array<int16_t, NetLayers::WIDEST>, 2> sums;  // by side
    };
    static constexpr size_t CHANGES = 16;  // cells that may differ; where more do, sums are made from scratch
    static constexpr size_t NEAR = 3;      // plies before a position in which its sums are made from theirs

    [[nodiscard]] const Entry& nearest(const Position<W>& position, size_t ply) const;
    void update(const State<W>& state, Entry& here, const Entry& base) const;

    const Net<W>& net_;
    std::vector<Entry> entries_;  // by ply
};

KOMADAI_EXTERN_EACH_SIZE(class NetStack)
KOMADAI_EXTERN_EACH_SIZE(class Net)

}  // namespace komadai
