/* Rows of counts turned into keys with AVX2, checks included: what _batch.pyx does row by row elsewhere.

   A row's bytes are laid out in four lanes, so that four ranks in a row make one base-6 key by two
   multiplications with addition. Each lane comes from one load of 16 bytes, and each byte is kept in one lane only,
   so what has been checked is what is used. Measured against 64-bit words: half the time of is_win. */

#include <stdint.h>
#include <string.h>

enum {
    TJMJ_LANES = 64,       /* bytes a row is laid out in */
    TJMJ_BLOCK_KEYS = 10,  /* numbers that come of it, see BlockKeys in _rows.pxd */
};

/* A batch's arguments that a row is read with; a step of 0 says the same for all rows. */
typedef struct {
    const uint8_t *counts;
    int width;              /* 34 or 42 */
    const int32_t *flip;
    intptr_t flip_step;
    int flips;              /* flipped kinds there can be, and one for none */
    const int32_t *melds;   /* how many */
    intptr_t melds_step;
    int over;               /* tiles of a hand over three for each set: 2, or 1 where it waits */
    const uint8_t *lanes;   /* of no flipped tile: its copies at each place, and behind them its naturals' most */
    intptr_t lanes_stride;  /* to those of the next kind */
} TjmjRows;

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>

enum { NOWHERE = 0x80 };  /* what the shuffle makes 0 */
static uint8_t TJMJ_PLACE[2][TJMJ_LANES], TJMJ_WEIGHT[TJMJ_LANES];  /* places in a row of 34 and of 42 */

/* Get ready to read rows so, `kinds` saying which kind lies at which place (others from 42 on). Returns
   whether this processor can. */
static int tjmj_prepare_avx2(const uint8_t *kinds) {
    static const uint8_t base[2][4] = {{0, 18, 9, 18}, {0, 18, 9, 26}}, power[4] = {1, 6, 1, 6};
    for (int i = 0; i < TJMJ_LANES; i++) {
        for (int flowers = 0; flowers < 2; flowers++)
            TJMJ_PLACE[flowers][i] = kinds[i] < 34 + 8 * flowers ? kinds[i] - base[flowers][i / 16] : NOWHERE;
        TJMJ_WEIGHT[i] = kinds[i] < 27 && kinds[i] % 9 == 8 ? 36 : kinds[i] < 34 ? power[i % 4] : 0;
    }
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

#define LOAD16(p) _mm_loadu_si128((const __m128i *)(p))
#define LOAD32(p) _mm256_loadu_si256((const __m256i *)(p))
#define BOTH(low, high) _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1)

/* Keys of rows first to first + n - 1. Returns whether all of them are hands; if not, the keys mean nothing. */
__attribute__((target("avx2"), always_inline))
static inline int tjmj_keys_avx2_of(const TjmjRows *rows, intptr_t first, int n, int width, uint32_t *keys) {
    const __m256i place0 = LOAD32(TJMJ_PLACE[width == 42]), place1 = LOAD32(TJMJ_PLACE[width == 42] + 32);
    const __m256i weight0 = LOAD32(TJMJ_WEIGHT), weight1 = LOAD32(TJMJ_WEIGHT + 32);
    const __m256i pairs = _mm256_set1_epi32(36 << 16 | 1), zero = _mm256_setzero_si256();
    __m256i beyond = zero;
    uint32_t wrong = 0;
    const uint8_t *p = rows->counts + first * width;
    /* in locals: after a store anything behind a pointer may have changed */
    const intptr_t flip_step = rows->flip_step, melds_step = rows->melds_step, stride = rows->lanes_stride;
    const volatile int32_t *flips = rows->flip + first * flip_step, *many = rows->melds + first * melds_step;
    const uint8_t *no_flip = rows->lanes;
    const uint32_t most_flip = rows->flips, most_tiles = 12 + rows->over;
    for (int i = 0; i < n; i++, p += width, keys += TJMJ_BLOCK_KEYS, flips += flip_step, many += melds_step) {
        uint32_t flip = 1 + (uint32_t)*flips, melds = *many;
        if (flip >= most_flip || melds > 4)
            return 0;
        const uint8_t *lanes = no_flip + flip * stride;
        const uint8_t *natural = lanes + TJMJ_LANES;
        __m256i x0 = _mm256_shuffle_epi8(BOTH(LOAD16(p), LOAD16(p + 18)), place0);
        __m256i x1 = _mm256_shuffle_epi8(BOTH(LOAD16(p + 9), LOAD16(p + (width == 42 ? 26 : 18))), place1);
        beyond = _mm256_or_si256(beyond, _mm256_subs_epu8(x0, LOAD32(lanes)));
        beyond = _mm256_or_si256(beyond, _mm256_subs_epu8(x1, LOAD32(lanes + 32)));
        __m256i sums = _mm256_sad_epu8(_mm256_add_epi8(x0, x1), zero);  /* too large for it are wrong anyway */
        __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        sum = _mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum));
        wrong |= (uint32_t)_mm_cvtsi128_si32(sum) ^ (most_tiles - 3 * melds);
        x0 = _mm256_min_epu8(x0, LOAD32(natural));
        x1 = _mm256_min_epu8(x1, LOAD32(natural + 32));
        x0 = _mm256_madd_epi16(_mm256_maddubs_epi16(x0, weight0), pairs);
        x1 = _mm256_madd_epi16(_mm256_maddubs_epi16(x1, weight1), pairs);
        _mm256_storeu_si256((__m256i *)keys, _mm256_hadd_epi32(x0, x1));
        keys[8] = flip;
        keys[9] = 4 - melds;
    }
    return !wrong && _mm256_testz_si256(beyond, beyond);
}

__attribute__((target("avx2")))
static int tjmj_keys_avx2(const TjmjRows *rows, intptr_t first, int n, uint32_t *keys) {
    return rows->width == 34 ? tjmj_keys_avx2_of(rows, first, n, 34, keys)
                             : tjmj_keys_avx2_of(rows, first, n, 42, keys);
}
#undef LOAD16
#undef LOAD32
#undef BOTH
#else
static int tjmj_prepare_avx2(const uint8_t *kinds) { return (void)kinds, 0; }
static int tjmj_keys_avx2(const TjmjRows *rows, intptr_t first, int n, uint32_t *keys) {
    (void)rows, (void)first, (void)n, (void)keys;
    return 0;
}
#endif
