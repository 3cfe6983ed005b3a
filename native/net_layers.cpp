// The inner loops of a net. The build lets the compiler make vectors of them, as for no other file that works on small
// boards.
#include <algorithm>
#include <stdexcept>

#include "net.hpp"

namespace komadai {

namespace {

// Sums wrap around: then they are the same in whatever order features come and go.
int16_t wrapped(int sum) { return int16_t(uint16_t(sum)); }

// A share of the output: the squares of clipped sums, weighted.
int weighted(const int16_t* sums, const int16_t* weights, int hidden) {
    int total = 0;
    for (int i = 0; i < hidden; ++i) {
        const int16_t active = std::clamp<int16_t>(sums[i], 0, NetLayers::UNIT);
        const auto once = int16_t(active * weights[i]);  // it fits, see HEAVIEST
        total += int(active) * int(once);
    }
    return total;
}

}  // namespace

NetLayers::NetLayers(NetArrays arrays, int features)
    : arrays_(std::move(arrays)), hidden_(int(arrays_.feature_bias.size())), phases_(int(arrays_.output_bias.size())) {
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
}

void NetLayers::begin(int16_t* sums) const { std::ranges::copy(arrays_.feature_bias, sums); }

void NetLayers::add(int16_t* __restrict sums, int feature) const {
    const int16_t* weights = row(feature);
    for (int i = 0; i < hidden_; ++i) sums[i] = wrapped(sums[i] + weights[i]);
}

void NetLayers::remove(int16_t* __restrict sums, int feature) const {
    const int16_t* weights = row(feature);
    for (int i = 0; i < hidden_; ++i) sums[i] = wrapped(sums[i] - weights[i]);
}

void NetLayers::replace(int16_t* __restrict sums, const int16_t* from, int gone, int come) const {
    const int16_t *less = row(gone), *more = row(come);
    for (int i = 0; i < hidden_; ++i) sums[i] = wrapped(from[i] - less[i] + more[i]);
}

int NetLayers::output(const int16_t* mine, const int16_t* theirs, int phase, int phases) const {
    const int bucket = phase * phases_ / phases;
    const int16_t* weights = arrays_.output_weights.data() + size_t(bucket) * 2 * size_t(hidden_);
    const int total = weighted(mine, weights, hidden_) + weighted(theirs, weights + hidden_, hidden_);
    const int64_t out = int64_t(total / UNIT) + arrays_.output_bias[size_t(bucket)];
    return int(std::clamp<int64_t>(out * SCALE / (UNIT * WEIGHT), INT16_MIN, INT16_MAX));
}

}  // namespace komadai
