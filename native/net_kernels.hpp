// The inner loops of a net, once for each instruction set that gains by one of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace komadai {

// All of them give the same numbers. The number of units is a multiple of BLOCK.
struct NetKernels {
    static constexpr int BLOCK = 16, ROWS = 8;
    static constexpr int UNIT = 255;  // of the sums: what is 1

    const char* name;
    // Writes to `sums` what `from`, which may be the same, becomes as some rows are subtracted and others added.
    void (*change)(int16_t* sums, const int16_t* from, const int16_t* const* gone, size_t lost,
                   const int16_t* const* come, size_t won, int units);
    // The sum of the squares of sums, clipped to 0 .. UNIT, times their weights, which are at most 127 without sign.
    int (*weighted)(const int16_t* sums, const int16_t* weights, int units);
    // Writes, for each sum of the first half, its product with that of the second half, both clipped to 0 .. UNIT, by
    // 256. The number of units is a multiple of 2 * BLOCK.
    void (*pair)(int16_t* products, const int16_t* sums, int units);
    // Adds to each of `rows` totals, a multiple of ROWS, the inputs times its weights. The inputs are taken in pairs:
    // weights[pair][row][2].
    void (*multiply)(int32_t* totals, const int16_t* inputs, int pairs, const int16_t* weights, int rows);
};

// Made by net_kernels.cpp; that for AVX2 where the build has it (KOMADAI_KERNELS_AVX2).
extern const NetKernels KERNELS_BASE, KERNELS_AVX2;

// Those that this processor can run, the fastest first.
const std::vector<NetKernels>& net_kernels();

}  // namespace komadai
