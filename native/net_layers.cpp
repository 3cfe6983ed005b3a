#include <algorithm>
#include <stdexcept>

#include "net.hpp"

namespace komadai {

const std::vector<NetKernels>& net_kernels() {
    static const std::vector<NetKernels> found = [] {
        std::vector<NetKernels> list;
#ifdef KOMADAI_KERNELS_AVX2
        if (__builtin_cpu_supports("avx2")) list.push_back(KERNELS_AVX2);
#endif
        list.push_back(KERNELS_BASE);
        return list;
    }();
    return found;
}

NetLayers::NetLayers(NetArrays arrays, int features, const NetKernels& kernels)
    : arrays_(std::move(arrays)),
      kernels_(kernels),
      hidden_(int(arrays_.feature_bias.size())),
      phases_(int(arrays_.output_bias.size())),
      first_(phases_ ? int(arrays_.first_bias.size()) / phases_ : 0),
      second_(phases_ ? int(arrays_.second_bias.size()) / phases_ : 0) {
    if (hidden_ == 0 || hidden_ % BLOCK != 0 || hidden_ > WIDEST)
        throw std::invalid_argument("a net has " + std::to_string(hidden_) + " hidden units; expected a multiple of " +
                                    std::to_string(BLOCK) + " up to " + std::to_string(WIDEST));
    if (phases_ == 0) throw std::invalid_argument("a net has no output");
    if (arrays_.feature_weights.size() != size_t(features) * size_t(hidden_))
        throw std::invalid_argument("a net has " + std::to_string(arrays_.feature_weights.size()) +
                                    " feature weights; expected " + std::to_string(features) + " features times " +
                                    std::to_string(hidden_) + " hidden units");
    if (arrays_.output_weights.size() != size_t(phases_) * 2 * size_t(hidden_))
        throw std::invalid_argument("a net has " + std::to_string(arrays_.output_weights.size()) +
                                    " output weights; expected " + std::to_string(phases_) + " phases times 2 times " +
                                    std::to_string(hidden_) + " hidden units");
    if (std::ranges::any_of(arrays_.output_weights, [](int weight) { return std::abs(weight) > HEAVIEST; }))
        throw std::invalid_argument("an output weight of a net is out of range; expected at most " +
                                    std::to_string(HEAVIEST) + " without its sign");
    check_small();
    arrays_.first_weights = paired(arrays_.first_weights, hidden_, first_);
    arrays_.second_weights = paired(arrays_.second_weights, 2 * first_, second_);
}

// The weights of a small layer in the order in which they are multiplied: by phase, pair of inputs, unit and input.
std::vector<int16_t> NetLayers::paired(const std::vector<int16_t>& weights, int inputs, int units) const {
    std::vector<int16_t> found;
    for (int phase = 0; phase < phases_; ++phase)
        for (int pair = 0; pair < inputs / 2; ++pair)
            for (int unit = 0; unit < units; ++unit)
                for (int input : {2 * pair, 2 * pair + 1})
                    found.push_back(weights[size_t((phase * units + unit) * inputs + input)]);
    return found;
}

void NetLayers::check_small() const {
    const auto phases = size_t(phases_), first = size_t(first_), second = size_t(second_);
    if (!first_ != !second_ || first_ % 8 != 0 || second_ % 16 != 0 || std::max(first_, second_) > SMALL ||
        (first_ && hidden_ % (2 * BLOCK) != 0))
        throw std::invalid_argument("a net has small layers of " + std::to_string(first_) + " and " +
                                    std::to_string(second_) + " units over " + std::to_string(hidden_) +
                                    " hidden ones; expected a multiple of 8 and one of 16 up to " +
                                    std::to_string(SMALL) + " over a multiple of " + std::to_string(2 * BLOCK));
    if (arrays_.first_bias.size() != phases * first || arrays_.second_bias.size() != phases * second ||
        arrays_.first_weights.size() != phases * first * size_t(hidden_) ||
        arrays_.second_weights.size() != phases * second * 2 * first || arrays_.last_weights.size() != phases * second)
        throw std::invalid_argument("the arrays of the small layers of a net do not fit each other");
    for (const auto* weights : {&arrays_.first_weights, &arrays_.second_weights, &arrays_.last_weights})
        if (std::ranges::any_of(*weights, [](int weight) { return std::abs(weight) > HEAVIEST_SMALL; }))
            throw std::invalid_argument("a weight of a small layer is out of range; expected at most " +
                                        std::to_string(HEAVIEST_SMALL) + " without its sign");
    for (const auto* biases : {&arrays_.first_bias, &arrays_.second_bias})
        if (std::ranges::any_of(*biases, [](int bias) { return bias > HIGHEST || bias < -HIGHEST; }))
            throw std::invalid_argument("a bias of a small layer is out of range; expected at most " +
                                        std::to_string(HIGHEST) + " without its sign");
}

void NetLayers::change(int16_t* sums, const int16_t* from, const NetFeatures& gone, const NetFeatures& come) const {
    std::array<const int16_t*, NetFeatures::MOST> lost, won;
    for (size_t k = 0; k < gone.size; ++k) lost[k] = row(gone.list[k]);
    for (size_t k = 0; k < come.size; ++k) won[k] = row(come.list[k]);
    kernels_.change(sums, from, lost.data(), gone.size, won.data(), come.size, hidden_);
}

int NetLayers::output(const int16_t* mine, const int16_t* theirs, int phase, int phases) const {
    const int bucket = phase * phases_ / phases;
    const int16_t* weights = arrays_.output_weights.data() + size_t(bucket) * 2 * size_t(hidden_);
    const int64_t total =
        int64_t(kernels_.weighted(mine, weights, hidden_)) + kernels_.weighted(theirs, weights + hidden_, hidden_);
    int64_t out = total / UNIT + arrays_.output_bias[size_t(bucket)];
    if (first_) out += small(mine, theirs, size_t(bucket));
    return int(std::clamp<int64_t>(out * SCALE / (UNIT * WEIGHT), INT16_MIN, INT16_MAX));
}

int NetLayers::small(const int16_t* mine, const int16_t* theirs, size_t bucket) const {
    const auto first = size_t(first_), second = size_t(second_);
    std::array<int16_t, WIDEST> pairs;
    kernels_.pair(pairs.data(), mine, hidden_);
    kernels_.pair(pairs.data() + hidden_ / 2, theirs, hidden_);
    std::array<int32_t, SMALL> totals;
    std::copy_n(&arrays_.first_bias[bucket * first], first, totals.begin());
    kernels_.multiply(totals.data(), pairs.data(), hidden_ / 2,
                      &arrays_.first_weights[bucket * first * size_t(hidden_)], first_);
    std::array<int16_t, 2 * SMALL> inputs;
    for (size_t j = 0; j < first; ++j) {
        const int unit = std::clamp(totals[j] / FINE, -UNIT, UNIT);
        inputs[j] = int16_t(std::max(unit, 0));
        inputs[first + j] = int16_t(unit * unit / UNIT);
    }
    std::copy_n(&arrays_.second_bias[bucket * second], second, totals.begin());
    kernels_.multiply(totals.data(), inputs.data(), first_, &arrays_.second_weights[bucket * second * 2 * first],
                      second_);
    int out = 0;
    for (size_t k = 0; k < second; ++k) {
        const int unit = std::clamp(totals[k] / FINE, 0, UNIT);
        out += unit * arrays_.last_weights[bucket * second + k];
    }
    return out / (FINE / WEIGHT);
}

}  // namespace komadai
