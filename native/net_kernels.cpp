// Compiled once for each instruction set, with KOMADAI_KERNELS the name of what it makes. The loops are made of vectors by hand, since
// the build forbids the compiler to do so where sets of points would suffer. No inline function of another header may
// be used here: the linker keeps one copy of it for all, perhaps one that other processors cannot run.
#include "net_kernels.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifndef KOMADAI_KERNELS
#define KOMADAI_KERNELS KERNELS_BASE
#define KOMADAI_KERNELS_NAME "baseline"
#endif

namespace komadai {

namespace {

#ifdef __AVX2__
constexpr int LANES = 16;
#else
constexpr int LANES = 8;
#endif
using Lanes = uint16_t __attribute__((vector_size(LANES * sizeof(uint16_t))));  // sums wrap around
constexpr int STRIDE = NetKernels::BLOCK / LANES;

Lanes load(const int16_t* from) {
    Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

void store(int16_t* to, Lanes lanes) { __builtin_memcpy(to, &lanes, sizeof lanes); }

// The units from `first` on that are kept in registers at once.
template <int VECTORS>
void change_some(int16_t* sums, const int16_t* from, const int16_t* const* gone, size_t lost,
                 const int16_t* const* come, size_t won, int first) {
    Lanes kept[VECTORS];
    for (int v = 0; v < VECTORS; ++v) kept[v] = load(from + first + v * LANES);
    for (size_t k = 0; k < lost; ++k)
        for (int v = 0; v < VECTORS; ++v) kept[v] -= load(gone[k] + first + v * LANES);
    for (size_t k = 0; k < won; ++k)
        for (int v = 0; v < VECTORS; ++v) kept[v] += load(come[k] + first + v * LANES);
    for (int v = 0; v < VECTORS; ++v) store(sums + first + v * LANES, kept[v]);
}

void change(int16_t* sums, const int16_t* from, const int16_t* const* gone, size_t lost, const int16_t* const* come,
            size_t won, int units) {
    int first = 0;
    for (; first + 4 * NetKernels::BLOCK <= units; first += 4 * NetKernels::BLOCK)
        change_some<4 * STRIDE>(sums, from, gone, lost, come, won, first);
    for (; first < units; first += NetKernels::BLOCK) change_some<STRIDE>(sums, from, gone, lost, come, won, first);
}

#if defined(__AVX2__)
int weighted(const int16_t* sums, const int16_t* weights, int units) {
    const __m256i least = _mm256_setzero_si256(), most = _mm256_set1_epi16(NetKernels::UNIT);
    __m256i total = least;
    for (int i = 0; i < units; i += LANES) {
        const __m256i sum = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums + i));
        const __m256i weight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights + i));
        const __m256i active = _mm256_min_epi16(_mm256_max_epi16(sum, least), most);
        total = _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_mullo_epi16(active, weight), active));
    }
    int parts[8];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(parts), total);
    int found = 0;
    for (const int part : parts) found += part;
    return found;
}
#elif defined(__SSE2__)
int weighted(const int16_t* sums, const int16_t* weights, int units) {
    const __m128i least = _mm_setzero_si128(), most = _mm_set1_epi16(NetKernels::UNIT);
    __m128i total = least;
    for (int i = 0; i < units; i += LANES) {
        const __m128i sum = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sums + i));
        const __m128i weight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + i));
        const __m128i active = _mm_min_epi16(_mm_max_epi16(sum, least), most);
        total = _mm_add_epi32(total, _mm_madd_epi16(_mm_mullo_epi16(active, weight), active));
    }
    int parts[4];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(parts), total);
    return parts[0] + parts[1] + parts[2] + parts[3];
}
#else
int weighted(const int16_t* sums, const int16_t* weights, int units) {
    int total = 0;
    for (int i = 0; i < units; ++i) {
        const int active = sums[i] < 0 ? 0 : sums[i] > NetKernels::UNIT ? NetKernels::UNIT : sums[i];
        total += active * active * weights[i];
    }
    return total;
}
#endif

}  // namespace

extern const NetKernels KOMADAI_KERNELS;
const NetKernels KOMADAI_KERNELS{KOMADAI_KERNELS_NAME, change, weighted};

}  // namespace komadai
