// Compiled once for each instruction set, with KOMADAI_KERNELS the name of what it makes. The loops are made of vectors
// by hand, since the build forbids the compiler to do so where sets of points would suffer. No inline function of
// another header may be used here: the linker keeps one copy of it for all, perhaps one that other processors cannot
// run.
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

#ifdef __SSE2__
using Numbers = int16_t __attribute__((vector_size(sizeof(Lanes))));
using Sums = int32_t __attribute__((vector_size(sizeof(Lanes))));

// The products of numbers, each with that of its neighbour added to it.
Sums products(Numbers a, Numbers b) {
#ifdef __AVX2__
    return Sums(_mm256_madd_epi16(__m256i(a), __m256i(b)));
#else
    return Sums(_mm_madd_epi16(__m128i(a), __m128i(b)));
#endif
}

int weighted(const int16_t* sums, const int16_t* weights, int units) {
    Sums total{};
    for (int i = 0; i < units; i += LANES) {
        const Numbers sum = Numbers(load(sums + i)), zero{}, most = zero + int16_t(NetKernels::UNIT);
        const Numbers positive = sum > zero ? sum : zero, active = positive < most ? positive : most;
        total += products(active * Numbers(load(weights + i)), active);
    }
    int found = 0;
    for (int i = 0; i < LANES / 2; ++i) found += total[i];
    return found;
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

const NetKernels KOMADAI_KERNELS{KOMADAI_KERNELS_NAME, change, weighted};

}  // namespace komadai
