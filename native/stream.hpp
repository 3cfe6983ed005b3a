// Copies past the caches, for arrays that they do not hold: a line that is written whole need not be read before.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace komadai {

// More than the caches of a processor keep until the bytes are read.
constexpr size_t STREAMED = size_t(16) << 20;

inline void stream(uint8_t* to, const uint8_t* from, size_t bytes) {
#if defined(__SSE2__)
    constexpr size_t LANE = sizeof(__m128i);
    const size_t head = -reinterpret_cast<uintptr_t>(to) % LANE;
    if (bytes >= head + LANE) {
        std::memcpy(to, from, head);
        size_t at = head;
        for (; at + LANE <= bytes; at += LANE)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
        std::memcpy(to + at, from + at, bytes - at);
        _mm_sfence();  // so that other threads see them when they see what follows
        return;
    }
#endif
    std::memcpy(to, from, bytes);
}

}  // namespace komadai
