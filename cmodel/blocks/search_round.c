// SPDX-License-Identifier: Apache-2.0
// search_round.c: a round with 16 places: a block of 16 frames side by side meets all places at
// once.
#include "blocks/search_round.h"

#ifdef __x86_64__
#include <string.h>

#include "blocks/frame_lanes.h"

enum { SLOTS = 16 };

// The content of eight places. An empty place has the priority GMMU_STAYS.
typedef struct {
    __m256i priority, age, frame;
} eight;

// The content of the places, the place of the hand's frame first.
typedef struct {
    eight half[2];
} sixteen;

// Lane by lane, of A and B the candidate that leaves first. Ages and frames are below 2^31.
LANES eight first_of(eight a, eight b) {
    const __m256i frame = _mm256_cmpgt_epi32(a.frame, b.frame);
    const __m256i age = _mm256_or_si256(_mm256_cmpgt_epi32(b.age, a.age),
                                        _mm256_and_si256(_mm256_cmpeq_epi32(b.age, a.age), frame));
    const __m256i is_b =
        _mm256_or_si256(_mm256_cmpgt_epi32(a.priority, b.priority),
                        _mm256_and_si256(_mm256_cmpeq_epi32(a.priority, b.priority), age));
    return (eight){_mm256_blendv_epi8(a.priority, b.priority, is_b),
                   _mm256_blendv_epi8(a.age, b.age, is_b),
                   _mm256_blendv_epi8(a.frame, b.frame, is_b)};
}

// The priorities of E. The candidates of GUARDED, a bit each, are protected: they go behind all
// others, or are let go.
AVX2 static __attribute__((noinline)) __m256i guard(const gmmu_searched *u, unsigned guarded,
                                                    eight e) {
    uint32_t priority[SLOTS / 2], frame[SLOTS / 2];
    _mm256_storeu_si256((__m256i *)priority, e.priority);
    _mm256_storeu_si256((__m256i *)frame, e.frame);
    for (; guarded != 0; guarded &= guarded - 1) {
        const int i = __builtin_ctz(guarded);
        if (gmmu_frame_store_guards(u->frames, frame[i], u->now.time))
            priority[i] |= GMMU_GUARDED;
    }
    return _mm256_loadu_si256((const __m256i *)priority);
}

// An age as the places hold it. If the younger leaves first, a younger page has a larger value.
LANES __m256i turned(bool young, __m256i age) {
    return young ? _mm256_xor_si256(age, _mm256_set1_epi32(INT32_MAX)) : age;
}

// The frames FRAME, with states SEEN, meet the candidates of the places HELD.
LANES eight meet(const gmmu_searched *u, const gmmu_ppuc *ppuc, bool young, gmmu_lanes_seen seen,
                 __m256i frame, eight held) {
    enum { IN_TURN = 0xD8 };  // the permutation that puts pairs of frames in order
    seen.last = _mm256_permute4x64_epi64(seen.last, IN_TURN);
    seen.rest = _mm256_permute4x64_epi64(seen.rest, IN_TURN);
    const gmmu_lanes l = gmmu_lanes_of(ppuc, u->now.time, u->now.time_mask, seen);
    eight e = {l.priority, turned(young, l.age), frame};
    const unsigned guarded = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(seen.rest));
    if (__builtin_expect(guarded != 0, 0))
        e.priority = guard(u, guarded, e);
    return first_of(held, e);
}

// N frames from FIRST on meet the places; the first place is FIRST's.
LANES void run(const gmmu_searched *u, bool young, sixteen *s, uint32_t first, uint32_t n) {
    const gmmu_ppuc ppuc = *u->now.ppuc;
    const gmmu_frame_seen *seen = &u->frames->table.seen[first];
    const __m256i step = _mm256_set1_epi32(SLOTS);
    __m256i frame =
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i behind = _mm256_add_epi32(frame, _mm256_set1_epi32(SLOTS / 2));
    eight a = s->half[0], b = s->half[1];
    for (; n >= SLOTS; n -= SLOTS, seen += SLOTS) {
        a = meet(u, &ppuc, young, gmmu_lanes_load(seen), frame, a);
        b = meet(u, &ppuc, young, gmmu_lanes_load(seen + SLOTS / 2), behind, b);
        frame = _mm256_add_epi32(frame, step);
        behind = _mm256_add_epi32(behind, step);
    }
    if (n != 0) {
        gmmu_frame_seen last[SLOTS] = {};  // entries beyond the last frame may not leave
        memcpy(last, seen, n * sizeof *seen);
        a = meet(u, &ppuc, young, gmmu_lanes_load(last), frame, a);
        b = meet(u, &ppuc, young, gmmu_lanes_load(last + SLOTS / 2), behind, b);
    }
    s->half[0] = a;
    s->half[1] = b;
}

// The lanes AT of A and of B; in the lanes HIGH of B and of A.
LANES void turn_lanes(__m256i *a, __m256i *b, __m256i at, __m256i high) {
    const __m256i of_a = _mm256_permutevar8x32_epi32(*a, at);
    const __m256i of_b = _mm256_permutevar8x32_epi32(*b, at);
    *a = _mm256_blendv_epi8(of_a, of_b, high);
    *b = _mm256_blendv_epi8(of_b, of_a, high);
}

// Rotates the places: the place at BY becomes the first.
LANES void turn_slots(sixteen *s, uint32_t by) {
    eight *const a = &s->half[0], *const b = &s->half[1];
    const __m256i at =
        _mm256_add_epi32(_mm256_set1_epi32((int)by), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i bit = _mm256_set1_epi32(SLOTS / 2);
    const __m256i high = _mm256_cmpeq_epi32(_mm256_and_si256(at, bit), bit);
    turn_lanes(&a->priority, &b->priority, at, high);
    turn_lanes(&a->age, &b->age, at, high);
    turn_lanes(&a->frame, &b->frame, at, high);
}

// Lane masks of eight places from FIRST on, from a bit a place.
LANES __m256i named(uint64_t bits, unsigned first) {
    const __m256i one = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(bits >> first & 0xFF)), one),
                              one);
}

// The states of eight frames FRAME; 0 for the lanes that are not in WHICH.
LANES gmmu_lanes_seen seen_of(const gmmu_searched *u, __m256i frame, __m256i which) {
    const long long *all = (const long long *)u->frames->table.seen;
    const __m256i none = _mm256_setzero_si256();
    const __m256i a =
        _mm256_mask_i32gather_epi64(none, all, _mm256_castsi256_si128(frame),
                                    _mm256_cvtepi32_epi64(_mm256_castsi256_si128(which)), 8);
    const __m256i b =
        _mm256_mask_i32gather_epi64(none, all, _mm256_extracti128_si256(frame, 1),
                                    _mm256_cvtepi32_epi64(_mm256_extracti128_si256(which, 1)), 8);
    return gmmu_lanes_apart(a, b);
}

// Loads the places of a round that begins or is under way, with the kept frames in their places.
LANES void begin(const gmmu_searched *u, bool young, sixteen *s) {
    const gmmu_victim_select *v = u->select;
    const __m256i time = _mm256_set1_epi32((int)u->now.time);
    const __m256i mask = _mm256_set1_epi32((int)u->now.time_mask);
    const __m256i stays = _mm256_set1_epi32(GMMU_STAYS), oldest = _mm256_set1_epi32(INT32_MAX);
    for (unsigned i = 0; i < SLOTS; i += SLOTS / 2) {
        const __m256i frame = _mm256_loadu_si256((const __m256i *)&v->frame[i]);
        eight e = {stays, oldest, _mm256_setzero_si256()};
        if (v->valid != 0) {
            const __m256i is = named(v->valid, i);
            const __m256i last = _mm256_loadu_si256((const __m256i *)&v->last[i]);
            const __m256i priority = _mm256_loadu_si256((const __m256i *)&v->priority[i]);
            e.priority = _mm256_blendv_epi8(stays, priority, is);
            const __m256i age = young ? _mm256_add_epi32(last, time) : _mm256_sub_epi32(time, last);
            e.age = _mm256_blendv_epi8(oldest, turned(young, _mm256_and_si256(age, mask)), is);
            e.frame = _mm256_and_si256(frame, is);
        }
        if (v->kept != 0)
            e = meet(u, u->now.ppuc, young, seen_of(u, frame, named(v->kept, i)), frame, e);
        s->half[i / (SLOTS / 2)] = e;
    }
}

// In each lane the candidate that leaves first of all eight.
LANES eight first_of_all(eight e) {
    const __m256i half = _mm256_setr_epi32(4, 5, 6, 7, 0, 1, 2, 3);
    e = first_of(e, (eight){_mm256_permutevar8x32_epi32(e.priority, half),
                            _mm256_permutevar8x32_epi32(e.age, half),
                            _mm256_permutevar8x32_epi32(e.frame, half)});
    e = first_of(e,
                 (eight){_mm256_shuffle_epi32(e.priority, 0x4E), _mm256_shuffle_epi32(e.age, 0x4E),
                         _mm256_shuffle_epi32(e.frame, 0x4E)});
    return first_of(
        e, (eight){_mm256_shuffle_epi32(e.priority, 0xB1), _mm256_shuffle_epi32(e.age, 0xB1),
                   _mm256_shuffle_epi32(e.frame, 0xB1)});
}

// E without the candidate whose frame is in all lanes of BEST.
LANES eight without(eight e, __m256i best) {
    const __m256i is = _mm256_cmpeq_epi32(e.frame, best);
    e.priority = _mm256_blendv_epi8(e.priority, _mm256_set1_epi32(GMMU_STAYS), is);
    return e;
}

// Stores the places, which are in order, with the best candidate and the next best.
LANES void finish(const gmmu_searched *u, bool young, const sixteen *s) {
    gmmu_victim_select *v = u->select;
    const __m256i time = _mm256_set1_epi32((int)u->now.time);
    const __m256i mask = _mm256_set1_epi32((int)u->now.time_mask);
    const __m256i stays = _mm256_set1_epi32(GMMU_STAYS);
    for (unsigned i = 0; i < SLOTS; i += SLOTS / 2) {
        const eight e = s->half[i / (SLOTS / 2)];
        _mm256_storeu_si256((__m256i *)&v->priority[i], e.priority);
        const __m256i age = turned(young, e.age);
        _mm256_storeu_si256(
            (__m256i *)&v->last[i],
            _mm256_and_si256(young ? _mm256_sub_epi32(age, time) : _mm256_sub_epi32(time, age),
                             mask));
        const __m256i is = _mm256_cmpgt_epi32(stays, e.priority);
        _mm256_storeu_si256((__m256i *)&v->frame[i], _mm256_and_si256(e.frame, is));
        v->valid |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is)) << i;
    }
    const eight a = s->half[0], b = s->half[1], best = first_of_all(first_of(a, b));
    v->best.priority = (uint32_t)_mm256_cvtsi256_si32(best.priority);
    const uint32_t age = (uint32_t)_mm256_cvtsi256_si32(turned(young, best.age));
    v->best.last = (young ? age - u->now.time : u->now.time - age) & u->now.time_mask;
    v->best.frame = (uint32_t)_mm256_cvtsi256_si32(best.frame);
    const eight next = first_of_all(first_of(without(a, best.frame), without(b, best.frame)));
    v->likely = (uint32_t)_mm256_cvtsi256_si32(next.frame);
}

LANES void make(const gmmu_searched *u, bool young) {
    gmmu_victim_select *v = u->select;
    sixteen s;
    uint32_t turned = 0;
    begin(u, young, &s);
    v->kept = 0;
    while (v->left != 0) {
        const uint32_t first = v->hand, n = gmmu_round_least(v->left, u->enabled - first);
        turn_slots(&s, (first - turned) % SLOTS);
        turned = first;
        run(u, young, &s, first, n);
        v->hand = first + n == u->enabled ? 0 : first + n;
        v->left -= n;
    }
    turn_slots(&s, (0 - turned) % SLOTS);
    finish(u, young, &s);
}

AVX2 static void make_older(const gmmu_searched *u) {
    make(u, false);
}
AVX2 static void make_younger(const gmmu_searched *u) {
    make(u, true);
}

bool gmmu_round_sixteen(const gmmu_searched *u) {
    if (u->select->pool != SLOTS || u->force || !__builtin_cpu_supports("avx2"))
        return false;
    if (u->young)
        make_younger(u);
    else
        make_older(u);
    return true;
}
#else
bool gmmu_round_sixteen(const gmmu_searched *u) {
    (void)u;
    return false;
}
#endif
