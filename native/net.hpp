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

#include "net_kernels.hpp"
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
    static constexpr int UNIT = NetKernels::UNIT;
    static constexpr int WEIGHT = 64;                // of output_weights
    static constexpr int SCALE = 400;                // what an output of 1 is in hundredths of the least piece
    static constexpr int BLOCK = NetKernels::BLOCK;  // the hidden units are a multiple of it
    static constexpr int WIDEST = 128;               // hidden units, so that sums of the output layer fit in 32 bits
    static constexpr int HEAVIEST = 127;             // of output_weights, without sign, for the same reason

    // Throws std::invalid_argument if the sizes do not fit each other or that number of features, or if output weights
    // are out of range.
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

    NetArrays arrays_;
    NetKernels kernels_;
    int hidden_, phases_;
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
