// The inner loops of a net, in vectors of 16 bytes, which every processor has that matters: the build forbids the
// compiler to make vectors of loops where it would do so with sets of points, too.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "net.hpp"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace komadai {

namespace {

constexpr int LANES = 8;
using Lanes = uint16_t __attribute__((vector_size(LANES * sizeof(uint16_t))));  // sums wrap around

Lanes load(const int16_t* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

void store(int16_t* to, Lanes lanes) { std::memcpy(to, &lanes, sizeof lanes); }

// A share of the output: the squares of clipped sums, weighted. A sum times its weight fits in 16 bits, see HEAVIEST.
#ifdef __SSE2__
int weighted(const int16_t* sums, const int16_t* weights, int hidden) {
    const auto at = [](const int16_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); };
    const __m128i least = _mm_setzero_si128(), most = _mm_set1_epi16(NetLayers::UNIT);
    __m128i total = least;
    for (int i = 0; i < hidden; i += LANES) {
        const __m128i active = _mm_min_epi16(_mm_max_epi16(at(sums + i), least), most);
        total = _mm_add_epi32(total, _mm_madd_epi16(_mm_mullo_epi16(active, at(weights + i)), active));
    }
    std::array<int, 4> parts{};
    _mm_storeu_si128(reinterpret_cast<__m128i*>(parts.data()), total);
    return parts[0] + parts[1] + parts[2] + parts[3];
}
#else
int weighted(const int16_t* sums, const int16_t* weights, int hidden) {
    int total = 0;
    for (int i = 0; i < hidden; ++i) {
        const int active = std::clamp<int>(sums[i], 0, NetLayers::UNIT);
        total += active * active * weights[i];
    }
    return total;
}
#endif

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

void NetLayers::change(int16_t* sums, const int16_t* from, const NetFeatures& gone, const NetFeatures& come) const {
    for (int i = 0; i < hidden_; i += BLOCK) {
        Lanes low = load(from + i), high = load(from + i + LANES);
        for (size_t k = 0; k < gone.size; ++k) {
            const int16_t* weights = row(gone.list[k]) + i;
            low -= load(weights);
            high -= load(weights + LANES);
        }
        for (size_t k = 0; k < come.size; ++k) {
            const int16_t* weights = row(come.list[k]) + i;
            low += load(weights);
            high += load(weights + LANES);
        }
        store(sums + i, low);
        store(sums + i + LANES, high);
    }
}

int NetLayers::output(const int16_t* mine, const int16_t* theirs, int phase, int phases) const {
    const int bucket = phase * phases_ / phases;
    const int16_t* weights = arrays_.output_weights.data() + size_t(bucket) * 2 * size_t(hidden_);
    const int total = weighted(mine, weights, hidden_) + weighted(theirs, weights + hidden_, hidden_);
    const int64_t out = int64_t(total / UNIT) + arrays_.output_bias[size_t(bucket)];
    return int(std::clamp<int64_t>(out * SCALE / (UNIT * WEIGHT), INT16_MIN, INT16_MAX));
}

}  // namespace komadai
