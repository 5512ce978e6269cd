// SPDX-License-Identifier: Apache-2.0
// random: splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014). The same seed gives the same numbers on each machine.
#ifndef PLACER_RANDOM_H
#define PLACER_RANDOM_H

#include <stdint.h>

typedef struct {
    uint64_t state;  // the seed at first
} random_source;

static inline uint32_t random_bits(random_source *r) {
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}
// 0 to N - 1
static inline int random_below(random_source *r, int n) {
    return (int)((uint64_t)random_bits(r) * (uint64_t)n >> 32);
}
// 0.0 to below 1.0
static inline double random_chance(random_source *r) {
    return random_bits(r) / 4294967296.0;
}

#endif
