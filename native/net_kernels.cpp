// Compiled once for each instruction set, with KOMADAI_KERNELS the name of what it makes. The loops are made of vectors
// by hand, since the build forbids the compiler to do so where sets of points would suffer. No inline function of
// another header may be used here: the linker keeps one copy of it for all, perhaps one that other processors cannot
// run.
#include "net_kernels.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
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

using Numbers = int16_t __attribute__((vector_size(sizeof(Lanes))));
using Sums = int32_t __attribute__((vector_size(sizeof(Lanes))));

Numbers clipped(Numbers sums) {
    const Numbers zero{}, most = zero + int16_t(NetKernels::UNIT), positive = sums > zero ? sums : zero;
    return positive < most ? positive : most;
}

// The products of numbers, each with that of its neighbour added to it.
Sums products(Numbers a, Numbers b) {
#ifdef __AVX2__
    return Sums(_mm256_madd_epi16(__m256i(a), __m256i(b)));
#elif defined(__SSE2__)
    return Sums(_mm_madd_epi16(__m128i(a), __m128i(b)));
#elif defined(__wasm_simd128__)
    return Sums(wasm_i32x4_dot_i16x8(v128_t(a), v128_t(b)));
#else
    Sums sums;
    for (int i = 0; i < LANES / 2; ++i) sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return sums;
#endif
}

int32_t total(Sums sums) {
    int32_t found = 0;
    for (int i = 0; i < LANES / 2; ++i) found += sums[i];
    return found;
}

int weighted(const int16_t* sums, const int16_t* weights, int units) {
    Sums found{};
    for (int i = 0; i < units; i += LANES) {
        const Numbers active = clipped(Numbers(load(sums + i)));
        found += products(active * Numbers(load(weights + i)), active);
    }
    return total(found);
}

void pair(int16_t* products, const int16_t* sums, int units) {
    const int half = units / 2;
    for (int i = 0; i < half; i += LANES)
        store(products + i,
              Lanes(clipped(Numbers(load(sums + i)))) * Lanes(clipped(Numbers(load(sums + half + i)))) >> 8);
}

// Some vectors of totals at once, so that a pair of inputs is loaded once for all of them.
template <int VECTORS>
void multiply_some(int32_t* totals, const int16_t* inputs, int pairs, const int16_t* weights, int rows) {
    Sums kept[VECTORS];
    __builtin_memcpy(kept, totals, sizeof kept);
    for (int pair = 0; pair < pairs; ++pair) {
        int32_t both = 0;
        __builtin_memcpy(&both, inputs + 2 * pair, sizeof both);
        const Sums zero{}, input = zero + both;
        for (int v = 0; v < VECTORS; ++v)
            kept[v] += products(Numbers(input), Numbers(load(weights + 2 * pair * rows + v * LANES)));
    }
    __builtin_memcpy(totals, kept, sizeof kept);
}

void multiply(int32_t* totals, const int16_t* inputs, int pairs, const int16_t* weights, int rows) {
    constexpr int VECTORS = NetKernels::ROWS / (LANES / 2);
    int row = 0;
    for (; row + 2 * NetKernels::ROWS <= rows; row += 2 * NetKernels::ROWS)
        multiply_some<2 * VECTORS>(totals + row, inputs, pairs, weights + 2 * row, rows);
    for (; row < rows; row += NetKernels::ROWS)
        multiply_some<VECTORS>(totals + row, inputs, pairs, weights + 2 * row, rows);
}

}  // namespace

const NetKernels KOMADAI_KERNELS{KOMADAI_KERNELS_NAME, change, weighted, pair, multiply};

}  // namespace komadai
