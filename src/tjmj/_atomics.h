/* Atomic 64-bit words for compilers with and without GNU's builtins; every operation orders all others. */
#ifndef TJMJ_ATOMICS_H
#define TJMJ_ATOMICS_H

#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
static __inline int64_t tjmj_load(volatile int64_t *at) { return _InterlockedCompareExchange64(at, 0, 0); }
static __inline int64_t tjmj_swap(volatile int64_t *at, int64_t to) { return _InterlockedExchange64(at, to); }
static __inline int64_t tjmj_add(volatile int64_t *at, int64_t more) {
    return _InterlockedExchangeAdd64(at, more) + more;
}
static __inline int tjmj_replace(volatile int64_t *at, int64_t from, int64_t to) {
    return _InterlockedCompareExchange64(at, to, from) == from;
}
#if defined(_M_ARM64)
#define tjmj_pause() __yield()
#else
#define tjmj_pause() _mm_pause()
#endif
#else
static inline int64_t tjmj_load(volatile int64_t *at) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
static inline int64_t tjmj_swap(volatile int64_t *at, int64_t to) {
    return __atomic_exchange_n(at, to, __ATOMIC_SEQ_CST);
}
static inline int64_t tjmj_add(volatile int64_t *at, int64_t more) {
    return __atomic_add_fetch(at, more, __ATOMIC_SEQ_CST);
}
static inline int tjmj_replace(volatile int64_t *at, int64_t from, int64_t to) {
    return __atomic_compare_exchange_n(at, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#if defined(__x86_64__) || defined(__i386__)
#define tjmj_pause() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define tjmj_pause() __asm__ __volatile__("yield")
#else
#define tjmj_pause() ((void)0)
#endif
#endif

#endif
