/* A mask of bits as bytes of 0 and 1. */

#ifndef TJMJ_MASK_H
#define TJMJ_MASK_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>

/* 64 bytes: each of eight bytes is spread over eight lanes, of which each keeps its own bit. */
static inline void tjmj_spread_word(uint64_t word, uint8_t *row, const uint64_t *by_byte) {
    const __m128i own = _mm_set1_epi64x((int64_t)0x8040201008040201ULL), one = _mm_set1_epi8(1);
    __m128i x = _mm_cvtsi64_si128((int64_t)word), twice = _mm_unpacklo_epi8(x, x);
    __m128i low = _mm_unpacklo_epi16(twice, twice), high = _mm_unpackhi_epi16(twice, twice);
    (void)by_byte;
#define TJMJ_LANES(lanes) _mm_min_epu8(_mm_and_si128(lanes, own), one)
    _mm_storeu_si128((__m128i *)row, TJMJ_LANES(_mm_unpacklo_epi32(low, low)));
    _mm_storeu_si128((__m128i *)(row + 16), TJMJ_LANES(_mm_unpackhi_epi32(low, low)));
    _mm_storeu_si128((__m128i *)(row + 32), TJMJ_LANES(_mm_unpacklo_epi32(high, high)));
    _mm_storeu_si128((__m128i *)(row + 48), TJMJ_LANES(_mm_unpackhi_epi32(high, high)));
#undef TJMJ_LANES
}

#else

static inline void tjmj_spread_word(uint64_t word, uint8_t *row, const uint64_t *by_byte) {
    for (int byte = 0; byte < 8; byte++)
        memcpy(row + 8 * byte, &by_byte[word >> 8 * byte & 0xFF], 8);
}

#endif
#endif
