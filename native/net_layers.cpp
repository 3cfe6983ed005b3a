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
      phases_(int(arrays_.output_bias.size())) {
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

void NetLayers::change(int16_t* sums, const int16_t* from, const NetFeatures& gone, const NetFeatures& come) const {
    std::array<const int16_t*, NetFeatures::MOST> lost, won;
    for (size_t k = 0; k < gone.size; ++k) lost[k] = row(gone.list[k]);
    for (size_t k = 0; k < come.size; ++k) won[k] = row(come.list[k]);
    kernels_.change(sums, from, lost.data(), gone.size, won.data(), come.size, hidden_);
}

int NetLayers::output(const int16_t* mine, const int16_t* theirs, int phase, int phases) const {
    const int bucket = phase * phases_ / phases;
    const int16_t* weights = arrays_.output_weights.data() + size_t(bucket) * 2 * size_t(hidden_);
    const int total = kernels_.weighted(mine, weights, hidden_) + kernels_.weighted(theirs, weights + hidden_, hidden_);
    const int64_t out = int64_t(total / UNIT) + arrays_.output_bias[size_t(bucket)];
    return int(std::clamp<int64_t>(out * SCALE / (UNIT * WEIGHT), INT16_MIN, INT16_MAX));
}

}  // namespace komadai
