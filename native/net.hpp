// A net that adds to the hand-made evaluation: a table of features for each side's view, one hidden layer, and an
// output that is the sum of two. One is linear in the squares of the hidden units; the other, which a net may lack,
// goes through two small layers. Each phase of the game has its own weights after the hidden layer.
//
//   sums[i]   = feature_bias[i] + the sum of feature_weights[f][i] over the features f of a view    (16 bits, wrapping)
//   unit[i]   = sums[i] clipped to 0 .. UNIT
//   linear    = the sum of unit[i] * unit[i] * output_weights[i] / UNIT + output_bias
//   pair[i]   = unit[i] * unit[i + hidden / 2] / 256, for i < hidden / 2
//   first[j]  = (first_bias[j] + the sum of pair[i] * first_weights[j][i]) / FINE, clipped to -UNIT .. UNIT
//   second[k] = (second_bias[k] + the sum of input[j] * second_weights[k][j]) / FINE, clipped to 0 .. UNIT, where the
//               inputs are first[j], but at least 0, and then first[j] * first[j] / UNIT
//   small     = the sum of second[k] * last_weights[k] / (FINE / WEIGHT)
//   score     = (linear + small) * SCALE / (UNIT * WEIGHT)
//
// Sums over i take the units of the side to move first, then those of the other. All of it is in whole numbers, with
// divisions towards 0, so that it is the same on every machine.
#pragma once

#include <optional>
#include <string>

#include "net_kernels.hpp"
#include "net_shape.hpp"

namespace komadai {

// The arrays of a net as a file has them.
struct NetArrays {
    std::vector<int16_t> feature_weights;  // by feature and unit
    std::vector<int16_t> feature_bias;     // by unit
    std::vector<int16_t> output_weights;   // by phase and unit, those of the side to move first
    std::vector<int32_t> output_bias;      // by phase
    // Of the small layers; all are empty if there are none.
    std::vector<int16_t> first_weights;   // by phase, unit and pair, those of the side to move first
    std::vector<int32_t> first_bias;      // by phase and unit
    std::vector<int16_t> second_weights;  // by phase, unit and input
    std::vector<int32_t> second_bias;     // by phase and unit
    std::vector<int16_t> last_weights;    // by phase and unit
};

// Some features of a view.
struct NetFeatures {
    static constexpr size_t MOST = 192;  // more than hands (64), control (50) and cells (16) that change at once
    std::array<int, MOST> list;
    size_t size = 0;
    void add(int feature) { list[size++] = feature; }
};

// What a net does to its sums. It knows no rules.
class NetLayers {
 public:
    static constexpr int UNIT = NetKernels::UNIT;
    static constexpr int WEIGHT = 64;                // of output_weights
    static constexpr int SCALE = 400;                // what an output of 1 is in hundredths of the least piece
    static constexpr int BLOCK = NetKernels::BLOCK;  // the hidden units are a multiple of it
    static constexpr int WIDEST = 256;               // hidden units, so that sums of the output layer fit in 32 bits
    static constexpr int HEAVIEST = 127;             // of output_weights, without sign, for the same reason
    static constexpr int FINE = 1024;                // of the weights of the small layers
    static constexpr int SMALL = 32;                 // the most units of a small layer; multiples of 8 and of 16
    static constexpr int HEAVIEST_SMALL = 8191;      // of the weights of the small layers, without sign
    static constexpr int HIGHEST = 1 << 28;          // of their biases, likewise; sums with them fit in 32 bits

    // Throws std::invalid_argument if the sizes do not fit each other or that number of features, or if weights are out
    // of range.
    NetLayers(NetArrays arrays, int features, const NetKernels& kernels = net_kernels().front());

    [[nodiscard]] int hidden() const { return hidden_; }
    // The sums of a view without features.
    [[nodiscard]] const int16_t* bias() const { return arrays_.feature_bias.data(); }
    void prefetch(const NetFeatures& features) const {
        for (size_t k = 0; k < features.size; ++k)
            for (int i = 0; i < hidden_; i += 32) __builtin_prefetch(row(features.list[k]) + i);
    }
    // Writes to `sums` what `from`, which may be the same, becomes as features leave and enter the view.
    void change(int16_t* sums, const int16_t* from, const NetFeatures& gone, const NetFeatures& come) const;
    // The score, from the sums of the side to move and of the other; `phase` is one of `phases`.
    [[nodiscard]] int output(const int16_t* mine, const int16_t* theirs, int phase, int phases) const;

 private:
    [[nodiscard]] const int16_t* row(int feature) const {
        return arrays_.feature_weights.data() + size_t(feature) * size_t(hidden_);
    }

    [[nodiscard]] int small(const int16_t* mine, const int16_t* theirs, size_t bucket) const;
    void check_small() const;
    [[nodiscard]] std::vector<int16_t> paired(const std::vector<int16_t>& weights, int inputs, int units) const;

    NetArrays arrays_;  // the weights of its small layers as paired() has them
    NetKernels kernels_;
    int hidden_, phases_, first_, second_;
};

template <int W>
class Net {
 public:
    // Throws std::invalid_argument as NetLayers does.
    Net(NetShape<W> shape, NetArrays arrays)
        : shape_(std::move(shape)), layers_(std::move(arrays), shape_.features()) {}

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

KOMADAI_EXTERN_EACH_SIZE(class Net)

}  // namespace komadai
