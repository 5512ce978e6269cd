// SPDX-License-Identifier: Apache-2.0
// search_wide.c: a round with 16 places and AVX-512: a block of 16 frames is one register.
//
// A candidate is one number, its key: priority, age and frame, so that of two candidates the lower
// key leaves first. Frames meet the places by a minimum of keys. The priorities of one row are in
// registers, too, while frames of the row follow each other: a frame's bin picks its priority
// without a look at memory.
#include "blocks/search_round.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512cd")))
#define WIDE AVX512 static inline __attribute__((always_inline))

enum { SLOTS = 16, TABLE = 128, PART = TABLE / 4 };  // places; most bins, and bins of a register
// Bits of a key, from the lowest: frame, youth, priority. The highest bit is set if the page may
// not leave, or the place is empty.
enum { FRAME_W = 23, TIME_W = 24, HIGH_W = FRAME_W + TIME_W - 32 };
enum { NO_CLASS = -1, FRESH = 1 << 15, VALID = 1 << 28 };  // flags in a gmmu_frame_seen's `rest`

// A round. The priorities of frames of class CLS are in A to D, bin by bin.
typedef struct {
    const gmmu_searched *u;
    const uint16_t *priority;  // these and BINS as in gmmu_ppuc
    const uint32_t *ready;
    unsigned bins;
    bool young;
    uint32_t cls;
    __m512i a, b, c, d;
} wide_round;

// Eight and eight keys.
typedef struct {
    __m512i low, high;
} wide_keys;

// 16 frames: `last`, the other half of each gmmu_frame_seen, and the number. The frames stand in
// the order 0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15, in which two shuffles take the halves apart, and
// join halves to keys.
typedef struct {
    __m512i last, rest, frame;
} wide_seen;

// gmmu_bin of 16 intervals. From 8 on an interval's highest three bits are 4 to 7, and there are
// four bins an octave; below, the interval has at most three bits.
WIDE __m512i bins_of(__m512i x, unsigned bins) {
    // the bits below the highest three; a lane's number is below 2^16, and does not fall below 0
    const __m512i below = _mm512_subs_epu16(_mm512_set1_epi32(29), _mm512_lzcnt_epi32(x));
    const __m512i bin = _mm512_add_epi32(_mm512_srlv_epi32(x, below), _mm512_slli_epi32(below, 2));
    return _mm512_min_epu32(bin, _mm512_set1_epi32((int)bins - 1));
}

// Loads the priorities of the row that serves frames of class CLS.
WIDE void load_row(wide_round *r, uint32_t cls) {
    const uint32_t row = cls >> 16, gen = cls & 0xFFFF;
    const uint16_t *of = &r->priority[r->ready[row] == gen + 1 ? row * r->bins : 0];
    const size_t part = PART;
    r->a = _mm512_loadu_si512(of);
    r->b = _mm512_loadu_si512(of + part);
    r->c = _mm512_loadu_si512(of + 2 * part);
    r->d = _mm512_loadu_si512(of + 3 * part);
    r->cls = cls;
}

// The loaded priorities of the bins BIN; the upper halves of the lanes are undefined.
WIDE __m512i loaded(const wide_round *r, __m512i bin) {
    const __m512i low = _mm512_permutex2var_epi16(r->a, bin, r->b);
    const __m512i high = _mm512_permutex2var_epi16(r->c, bin, r->d);
    const __mmask16 is_high = _mm512_test_epi32_mask(bin, _mm512_set1_epi32(TABLE / 2));
    return _mm512_mask_mov_epi32(low, is_high, high);
}

// The same of frames of classes CLS, whose rows lie in memory.
WIDE __m512i gathered(const wide_round *r, __m512i cls, __m512i bin) {
    const __m512i row = _mm512_srli_epi32(cls, 16);
    const __m512i owner =
        _mm512_add_epi32(_mm512_and_si512(cls, _mm512_set1_epi32(0xFFFF)), _mm512_set1_epi32(1));
    const __m512i ready = _mm512_i32gather_epi32(row, r->ready, 4);
    const __m512i base = _mm512_maskz_mullo_epi32(_mm512_cmpeq_epi32_mask(ready, owner), row,
                                                  _mm512_set1_epi32((int)r->bins));
    return _mm512_i32gather_epi32(_mm512_add_epi32(base, bin), r->priority, 2);
}

// The frames of S that may leave; *CLS are the classes of all, of which the loaded row serves one.
WIDE __mmask16 classes_of(wide_round *r, wide_seen s, __m512i *cls) {
    const __m512i state = _mm512_set1_epi32(7 << 28 | FRESH), valid = _mm512_set1_epi32(VALID);
    const __mmask16 may = _mm512_cmpeq_epi32_mask(_mm512_and_si512(s.rest, state), valid);
    *cls = _mm512_andnot_si512(_mm512_set1_epi32(-VALID | FRESH), s.rest);
    if (_mm512_mask_cmpneq_epi32_mask(may, *cls, _mm512_set1_epi32((int)r->cls)) != 0)
        load_row(r, (uint32_t)_mm512_cvtsi512_si32(_mm512_maskz_compress_epi32(may, *cls)));
    return may;
}

// The keys of the frames S, 0 to 7 and 8 to 15.
WIDE wide_keys keys_of(wide_round *r, wide_seen s) {
    const __m512i age =
        _mm512_and_si512(_mm512_sub_epi32(_mm512_set1_epi32((int)r->u->now.time), s.last),
                         _mm512_set1_epi32((int)r->u->now.time_mask));
    const __m512i bin = bins_of(age, r->bins);
    const __m512i youth =
        r->young ? age : _mm512_xor_si512(age, _mm512_set1_epi32((1 << TIME_W) - 1));
    const __m512i low = _mm512_or_si512(_mm512_slli_epi32(youth, FRAME_W), s.frame);
    __mmask16 may = (__mmask16)-1;
    __m512i two;
    if (__builtin_expect(
            _mm512_cmpneq_epi32_mask(s.rest, _mm512_set1_epi32((int)(r->cls | VALID))) == 0, 1)) {
        two = loaded(r, bin);  // all may leave, and one row serves all
    } else {
        __m512i cls;
        may = classes_of(r, s, &cls);
        const bool one =
            _mm512_mask_cmpneq_epi32_mask(may, cls, _mm512_set1_epi32((int)r->cls)) == 0;
        two = one ? loaded(r, bin) : gathered(r, cls, bin);
    }
    const __m512i priority = _mm512_and_si512(two, _mm512_set1_epi32(0xFFFF));
    const __m512i high =
        _mm512_mask_or_epi32(_mm512_set1_epi32(-1), may, _mm512_slli_epi32(priority, HIGH_W),
                             _mm512_srli_epi32(youth, TIME_W - HIGH_W));
    return (wide_keys){_mm512_unpacklo_epi32(low, high), _mm512_unpackhi_epi32(low, high)};
}

WIDE wide_keys first_of(wide_keys a, wide_keys b) {
    return (wide_keys){_mm512_min_epu64(a.low, b.low), _mm512_min_epu64(a.high, b.high)};
}

// The frames whose states are A and B, eight each.
WIDE wide_seen seen_of(__m512i a, __m512i b, __m512i frame) {
    const __m512 front = _mm512_castsi512_ps(a), back = _mm512_castsi512_ps(b);
    return (wide_seen){_mm512_castps_si512(_mm512_shuffle_ps(front, back, 0x88)),
                       _mm512_castps_si512(_mm512_shuffle_ps(front, back, 0xDD)), frame};
}

// The order of wide_seen.
WIDE __m512i in_order(void) {
    return _mm512_setr_epi32(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
}

// Rotates the places: the place at BY becomes the first.
WIDE wide_keys turn_slots(wide_keys k, uint32_t by) {
    if (by % SLOTS == 0)
        return k;
    const __m512i at =
        _mm512_add_epi64(_mm512_set1_epi64(by), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i behind = _mm512_add_epi64(at, _mm512_set1_epi64(SLOTS / 2));
    return (wide_keys){_mm512_permutex2var_epi64(k.low, at, k.high),
                       _mm512_permutex2var_epi64(k.low, behind, k.high)};
}

// N frames from FIRST on meet the places; the first place is FIRST's.
WIDE wide_keys run(wide_round *r, wide_keys held, uint32_t first, uint32_t n) {
    const gmmu_frame_seen *seen = &r->u->frames->table.seen[first];
    __m512i frame = _mm512_add_epi32(_mm512_set1_epi32((int)first), in_order());
    for (; n >= SLOTS; n -= SLOTS, seen += SLOTS) {
        const __m512i a = _mm512_loadu_si512(seen), b = _mm512_loadu_si512(seen + SLOTS / 2);
        held = first_of(held, keys_of(r, seen_of(a, b, frame)));
        frame = _mm512_add_epi32(frame, _mm512_set1_epi32(SLOTS));
    }
    if (n != 0) {  // entries beyond the last frame may not leave
        const unsigned some = (1u << n) - 1;
        const __m512i a = _mm512_maskz_loadu_epi64((__mmask8)some, seen);
        const __m512i b = _mm512_maskz_loadu_epi64((__mmask8)(some >> 8), seen + SLOTS / 2);
        held = first_of(held, keys_of(r, seen_of(a, b, frame)));
    }
    return held;
}

// The kept frames in their places; the frame of any other place exists, too.
WIDE wide_keys kept_of(wide_round *r) {
    const gmmu_victim_select *v = r->u->select;
    const long long *all = (const long long *)r->u->frames->table.seen;
    const uint32_t *at = v->frame;
    const __m512i none = _mm512_set1_epi64(-1);
    const __m512i a = _mm512_setr_epi64(all[at[0]], all[at[1]], all[at[2]], all[at[3]], all[at[4]],
                                        all[at[5]], all[at[6]], all[at[7]]);
    const __m512i b = _mm512_setr_epi64(all[at[8]], all[at[9]], all[at[10]], all[at[11]],
                                        all[at[12]], all[at[13]], all[at[14]], all[at[15]]);
    const __m512i frame = _mm512_permutexvar_epi32(in_order(), _mm512_loadu_si512(at));
    const wide_keys k = keys_of(r, seen_of(a, b, frame));
    return (wide_keys){_mm512_mask_mov_epi64(none, (__mmask8)v->kept, k.low),
                       _mm512_mask_mov_epi64(none, (__mmask8)(v->kept >> 8), k.high)};
}

// The lowest of the keys.
WIDE uint64_t least_of(__m512i low, __m512i high) {
    return _mm512_reduce_min_epu64(_mm512_min_epu64(low, high));
}

// The time of the last access of a page whose youth is YOUTH, as the search keeps it.
WIDE uint32_t last_of(const wide_round *r, uint32_t youth) {
    const uint32_t time = r->u->now.time;
    return (r->young ? youth - time : time - (youth ^ ((1 << TIME_W) - 1))) & r->u->now.time_mask;
}

// Stores the candidates of the places, with the best candidate and the next best.
WIDE void finish(const wide_round *r, wide_keys k) {
    gmmu_victim_select *v = r->u->select;
    const uint64_t best = least_of(k.low, k.high);
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i low = _mm512_permutex2var_epi32(k.low, even, k.high);
    const __m512i high =
        _mm512_permutex2var_epi32(k.low, _mm512_add_epi32(even, _mm512_set1_epi32(1)), k.high);
    const __mmask16 is = _mm512_cmpge_epi32_mask(high, _mm512_setzero_si512());
    const __m512i youth = _mm512_or_si512(_mm512_srli_epi32(low, FRAME_W),
                                          _mm512_and_si512(_mm512_slli_epi32(high, TIME_W - HIGH_W),
                                                           _mm512_set1_epi32((1 << TIME_W) - 1)));
    const __m512i time = _mm512_set1_epi32((int)r->u->now.time);
    const __m512i last =
        r->young
            ? _mm512_sub_epi32(youth, time)
            : _mm512_sub_epi32(time, _mm512_xor_si512(youth, _mm512_set1_epi32((1 << TIME_W) - 1)));
    _mm512_storeu_si512(v->frame,
                        _mm512_maskz_and_epi32(is, low, _mm512_set1_epi32((1 << FRAME_W) - 1)));
    _mm512_storeu_si512(v->last,
                        _mm512_and_si512(last, _mm512_set1_epi32((int)r->u->now.time_mask)));
    _mm512_storeu_si512(v->priority, _mm512_srli_epi32(high, HIGH_W));
    v->valid = is;
    if (is == 0)
        return;
    v->best.frame = (uint32_t)best & ((1 << FRAME_W) - 1);
    v->best.last = last_of(r, (uint32_t)(best >> FRAME_W) & ((1 << TIME_W) - 1));
    v->best.priority = (uint32_t)(best >> (FRAME_W + TIME_W));
    const __m512i it = _mm512_set1_epi64((int64_t)best), none = _mm512_set1_epi64(-1);
    v->likely = (uint32_t)least_of(
                    _mm512_mask_mov_epi64(k.low, _mm512_cmpeq_epi64_mask(k.low, it), none),
                    _mm512_mask_mov_epi64(k.high, _mm512_cmpeq_epi64_mask(k.high, it), none)) &
                ((1 << FRAME_W) - 1);
    v->likely = v->likely < r->u->enabled ? v->likely : v->best.frame;
}

WIDE void make(const gmmu_searched *u, bool young) {
    gmmu_victim_select *v = u->select;
    wide_round r = {.u = u,
                    .priority = u->now.ppuc->priority,
                    .ready = u->now.ppuc->ready,
                    .bins = u->now.ppuc->bins,
                    .young = young,
                    .cls = (uint32_t)NO_CLASS};
    wide_keys held = {_mm512_set1_epi64(-1), _mm512_set1_epi64(-1)};
    if (v->kept != 0)
        held = kept_of(&r);
    uint32_t first = 0, hand = v->hand, left = v->left;
    while (left != 0) {
        const uint32_t n = gmmu_round_least(left, u->enabled - hand);
        held = run(&r, turn_slots(held, hand - first), hand, n);
        first = hand;
        hand = hand + n == u->enabled ? 0 : hand + n;
        left -= n;
    }
    finish(&r, turn_slots(held, 0 - first));
    v->kept = 0;
    v->hand = hand;
    v->left = 0;
}

AVX512 static void make_older(const gmmu_searched *u) {
    make(u, false);
}
AVX512 static void make_younger(const gmmu_searched *u) {
    make(u, true);
}

bool gmmu_round_wide(const gmmu_searched *u) {
    if (u->select->pool != SLOTS || u->select->valid != 0 || u->force ||
        u->frames->segment.count != 0 || u->now.ppuc->bins > TABLE ||
        u->now.time_mask >> TIME_W != 0 || u->enabled >> FRAME_W != 0 ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd"))
        return false;
    if (u->young)
        make_younger(u);
    else
        make_older(u);
    return true;
}
#else
bool gmmu_round_wide(const gmmu_searched *u) {
    (void)u;
    return false;
}
#endif
