// SPDX-License-Identifier: Apache-2.0
// cache.c: one parallel cache, step by step (RDGC §4.4). docs/rdgc.md, "A cache".
//
// A set is one row of bytes: how many blocks it holds; a 16-bit hash of each and its way, both in
// the order of the list; behind them, by way, the blocks and the counts of LFU. Eight hashes are
// compared at once, so that 192 ways cost no more than a few; moving a block to the front moves
// hashes and ways alone.
#include "rdgc/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 8,         // hashes compared at once
    PAD = 2 * LANES,   // a list of hashes is read in pieces of so many
    NONE = UINT32_MAX  // end of a linked list
};

typedef uint16_t hashes __attribute__((vector_size(2 * LANES), aligned(2), may_alias));
typedef uint64_t halves __attribute__((vector_size(2 * LANES)));

// Division by a number that stays the same (Lemire, Kaser and Kurz, "Faster Remainder by Direct
// Computation", 2019): exact below 2^32.
typedef struct {
    uint32_t by;
    uint64_t inverse;  // ⌊(2^64 - 1) / by⌋ + 1
} divider;

// Where a block lies, as the cache uses it.
typedef struct {
    uint32_t bank;  // partition * banks + bank
    uint32_t partition;
    uint32_t set;  // of the bank
} place;

// An access of the list that is being analysed.
typedef struct {
    uint64_t block;
    unsigned char *row;
    uint32_t bank;
    uint32_t place;  // in the list
    uint32_t next;   // in order of arbitration
    uint16_t hash;
    bool write;
} item;

// A hit, or an eviction by a write, that waits for the end of the step.
typedef struct {
    uint32_t item, at;  // position in the row when it was seen
} change;

typedef struct {
    uint64_t stamp;  // step in which `taken` and `left` are valid
    uint32_t taken;  // ports
    uint32_t left;   // accesses that could still take one in this step
    uint32_t pending;
    uint32_t mshr_set;
} bank_state;

struct gmmu_rdgc_cache {
    gmmu_rdgc_cache_config config;
    gmmu_rdgc_counts counts;
    const gmmu_rdgc_watch *watch;
    uint64_t random;

    // geometry
    divider by_partition_chunk, by_partitions, by_bank_chunk, by_banks, by_modulus;
    uint32_t sets;  // of a bank
    uint32_t index_bits;
    uint32_t partitions_an_mshr_set;

    unsigned char *rows;  // [bank][set]
    size_t row_size, ways_at, tags_at, counts_at;

    // Outstanding blocks head … tail - 1, in order of insertion.
    uint16_t *out_hash;
    uint16_t *out_merges;
    uint32_t *out_set;
    uint64_t *out_block, *out_due;
    unsigned char **out_row;
    uint32_t head, tail, room;
    bool ordered;       // the due steps do not fall along the queue
    uint64_t due;       // the first of them; UINT64_MAX if none
    uint32_t *busy;     // [MSHR set]
    uint64_t *latency;  // [busy MSHRs of the set]

    uint64_t step;
    size_t reserved;
    item *items;
    uint64_t *keys, *keys2;
    change *changes;
    bank_state *banks;
};

// ---------------------------------------------------------------- arithmetic

static divider divider_of(uint32_t by) {
    return (divider){.by = by, .inverse = UINT64_MAX / by + 1};
}

static inline uint64_t divide(const divider *d, uint64_t x) {
    if (d->by == 1)
        return x;
    return x <= UINT32_MAX ? (uint64_t)((unsigned __int128)d->inverse * x >> 64) : x / d->by;
}

static inline uint64_t modulo(const divider *d, uint64_t x) {
    return x - divide(d, x) * d->by;
}

static uint32_t largest_prime(uint32_t n) {
    for (; n > 2; n--) {
        bool prime = n % 2 != 0;
        for (uint32_t d = 3; prime && (uint64_t)d * d <= n; d += 2) prime = n % d != 0;
        if (prime)
            break;
    }
    return n;
}

static inline uint16_t hash_of(uint64_t block) {
    return (uint16_t)(block * UINT64_C(0x9E3779B97F4A7C15) >> 48);
}

static uint64_t draw(gmmu_rdgc_cache *c) {
    uint64_t z = (c->random += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

// The first of HASH[AT … N-1] that is WANTED, or N. Reads up to PAD - 1 further ones.
static inline uint32_t search(const uint16_t *hash, uint32_t at, uint32_t n, uint16_t wanted) {
    hashes all = (hashes){0} + wanted;
    for (; at < n; at += PAD) {
        halves a = (halves)(*(const hashes *)(hash + at) == all);
        halves b = (halves)(*(const hashes *)(hash + at + LANES) == all);
        halves both = a | b;
        if ((both[0] | both[1]) == 0)
            continue;
        while (at < n && hash[at] != wanted) at++;
        return at;
    }
    return n;
}

// ---------------------------------------------------------------- geometry

static inline place place_of(const gmmu_rdgc_cache *c, uint64_t block) {
    const gmmu_rdgc_cache_config *f = &c->config;
    place p = {0};
    uint64_t i = block;
    if (f->partitions > 1) {
        uint64_t chunk = divide(&c->by_partition_chunk, i);
        uint64_t round = divide(&c->by_partitions, chunk);
        p.partition = (uint32_t)(chunk - round * f->partitions);
        i = round * f->partition_chunk + (i - chunk * f->partition_chunk);
    }
    p.bank = p.partition;
    if (f->banks > 1) {
        uint64_t chunk = divide(&c->by_bank_chunk, i);
        uint64_t round = divide(&c->by_banks, chunk);
        p.bank = p.partition * f->banks + (uint32_t)(chunk - round * f->banks);
        i = round * f->bank_chunk + (i - chunk * f->bank_chunk);
    }
    if (f->index == GMMU_RDGC_SMOD)
        i >>= f->shift;
    else if (f->index == GMMU_RDGC_XOR)
        i = (i ^ i >> c->index_bits) & ((UINT64_C(1) << c->index_bits) - 1);
    p.set = (uint32_t)modulo(&c->by_modulus, i);
    return p;
}

static inline unsigned char *row_of(const gmmu_rdgc_cache *c, const place *p) {
    return c->rows + ((size_t)p->bank * c->sets + p->set) * c->row_size;
}

gmmu_rdgc_place gmmu_rdgc_cache_place(const gmmu_rdgc_cache *c, uint64_t block) {
    place p = place_of(c, block);
    return (gmmu_rdgc_place){.partition = p.partition,
                             .bank = p.bank - p.partition * c->config.banks,
                             .set = p.set,
                             .mshr_set = p.partition / c->partitions_an_mshr_set};
}

// ---------------------------------------------------------------- rows

static inline uint32_t *row_used(unsigned char *row) {
    return (uint32_t *)row;
}

static inline uint16_t *row_hash(unsigned char *row) {
    return (uint16_t *)(row + sizeof(uint64_t));
}

static inline uint16_t *row_ways(const gmmu_rdgc_cache *c, unsigned char *row) {
    return (uint16_t *)(row + c->ways_at);
}

static inline uint64_t *row_tags(const gmmu_rdgc_cache *c, unsigned char *row) {
    return (uint64_t *)(row + c->tags_at);
}

static inline uint64_t *row_counts(const gmmu_rdgc_cache *c, unsigned char *row) {
    return (uint64_t *)(row + c->counts_at);
}

// The block's position, or `ways`.
static inline uint32_t find(const gmmu_rdgc_cache *c, unsigned char *row, uint16_t hash,
                            uint64_t block) {
    uint32_t n = *row_used(row);
    for (uint32_t at = search(row_hash(row), 0, n, hash); at < n;
         at = search(row_hash(row), at + 1, n, hash))
        if (row_tags(c, row)[row_ways(c, row)[at]] == block)
            return at;
    return c->config.ways;
}

// Makes what is at position AT the first, as HASH and WAY.
static inline void to_front(const gmmu_rdgc_cache *c, unsigned char *row, uint32_t at,
                            uint16_t hash, uint16_t way) {
    uint16_t *hash_list = row_hash(row);
    uint16_t *way_list = row_ways(c, row);
    if (at < LANES) {
        for (uint32_t i = at; i > 0; i--) {
            hash_list[i] = hash_list[i - 1];
            way_list[i] = way_list[i - 1];
        }
    } else {
        memmove(hash_list + 1, hash_list, at * sizeof *hash_list);
        memmove(way_list + 1, way_list, at * sizeof *way_list);
    }
    hash_list[0] = hash;
    way_list[0] = way;
}

// What a hit at position AT does.
static inline void touch(const gmmu_rdgc_cache *c, unsigned char *row, uint32_t at) {
    gmmu_rdgc_replacement r = c->config.replacement;
    if (r != GMMU_RDGC_LRU && r != GMMU_RDGC_LFU)
        return;
    uint16_t way = row_ways(c, row)[at];
    if (r == GMMU_RDGC_LFU)
        row_counts(c, row)[way]++;
    if (at > 0)
        to_front(c, row, at, row_hash(row)[at], way);
}

static void remove_at(const gmmu_rdgc_cache *c, unsigned char *row, uint32_t at) {
    uint32_t behind = --*row_used(row) - at;
    uint16_t *hash_list = row_hash(row) + at;
    uint16_t *way_list = row_ways(c, row) + at;
    uint16_t way = *way_list;
    memmove(hash_list, hash_list + 1, behind * sizeof *hash_list);
    memmove(way_list, way_list + 1, behind * sizeof *way_list);
    way_list[behind] = way;
}

// Position of the block that leaves the full row.
static uint32_t victim(gmmu_rdgc_cache *c, unsigned char *row) {
    uint32_t last = c->config.ways - 1;
    if (c->config.replacement == GMMU_RDGC_RANDOM)
        return (uint32_t)((draw(c) >> 32) * c->config.ways >> 32);
    if (c->config.replacement != GMMU_RDGC_LFU)
        return last;
    const uint64_t *counts = row_counts(c, row);
    const uint16_t *way_list = row_ways(c, row);
    uint32_t best = last;
    for (uint32_t i = last; i-- > 0;)
        if (counts[way_list[i]] < counts[way_list[best]])
            best = i;
    return best;
}

static inline void fill(gmmu_rdgc_cache *c, unsigned char *row, uint16_t hash, uint64_t block) {
    uint32_t at = *row_used(row);
    if (at == c->config.ways) {
        at = victim(c, row);
        c->counts.evictions++;
    } else {
        *row_used(row) = at + 1;
    }
    uint16_t way = row_ways(c, row)[at];
    to_front(c, row, at, hash, way);
    row_tags(c, row)[way] = block;
    if (c->config.replacement == GMMU_RDGC_LFU)
        row_counts(c, row)[way] = 1;
    c->counts.fills++;
}

// The counter of an access that found its block at position AT (`ways`: not).
static inline uint64_t *counter(const gmmu_rdgc_cache *c, bool write, uint32_t at) {
    uint64_t *counts = write ? c->counts.w : c->counts.r;
    bool lru = c->config.replacement == GMMU_RDGC_LRU;
    return &counts[lru || at == c->config.ways ? at : 0];
}

// ---------------------------------------------------------------- outstanding blocks

static inline void arrive(gmmu_rdgc_cache *c, uint32_t i, uint64_t step) {
    fill(c, c->out_row[i], c->out_hash[i], c->out_block[i]);
    c->busy[c->out_set[i]]--;
    if (c->watch != NULL && c->watch->update != NULL)
        c->watch->update(c->watch->ctx, step, c->out_block[i]);
}

// All blocks that are due at step UNTIL or earlier arrive; STEP is for who watches.
static void arrive_until(gmmu_rdgc_cache *c, uint64_t until, uint64_t step) {
    if (until < c->due)
        return;
    if (c->ordered) {
        while (c->head < c->tail && c->out_due[c->head] <= until) arrive(c, c->head++, step);
        c->due = c->head < c->tail ? c->out_due[c->head] : UINT64_MAX;
    } else {
        uint32_t to = c->head;
        uint64_t last = 0;
        c->due = UINT64_MAX;
        c->ordered = true;
        for (uint32_t i = c->head; i < c->tail; i++) {
            uint64_t due = c->out_due[i];
            if (due <= until) {
                arrive(c, i, step);
                continue;
            }
            c->ordered &= due >= last;
            last = due;
            c->due = due < c->due ? due : c->due;
            c->out_hash[to] = c->out_hash[i];
            c->out_merges[to] = c->out_merges[i];
            c->out_set[to] = c->out_set[i];
            c->out_block[to] = c->out_block[i];
            c->out_row[to] = c->out_row[i];
            c->out_due[to++] = due;
        }
        c->tail = to;
    }
    if (c->head == c->tail)
        c->head = c->tail = 0;
}

// Makes room behind the queue.
static void compact(gmmu_rdgc_cache *c) {
    uint32_t n = c->tail - c->head;
    memmove(c->out_hash, c->out_hash + c->head, n * sizeof *c->out_hash);
    memmove(c->out_merges, c->out_merges + c->head, n * sizeof *c->out_merges);
    memmove(c->out_set, c->out_set + c->head, n * sizeof *c->out_set);
    memmove(c->out_block, c->out_block + c->head, n * sizeof *c->out_block);
    memmove(c->out_row, c->out_row + c->head, n * sizeof *c->out_row);
    memmove(c->out_due, c->out_due + c->head, n * sizeof *c->out_due);
    c->head = 0;
    c->tail = n;
}

// A read, or an unbypassed write, that is not in its set.
static inline gmmu_rdgc_status reserve_mshr(gmmu_rdgc_cache *c, const item *it) {
    for (uint32_t i = search(c->out_hash, c->head, c->tail, it->hash); i < c->tail;
         i = search(c->out_hash, i + 1, c->tail, it->hash)) {
        if (c->out_block[i] != it->block)
            continue;
        if (c->out_merges[i] == c->config.merges)
            return GMMU_RDGC_FAILED;
        c->out_merges[i]++;
        c->counts.merges++;
        return GMMU_RDGC_MERGED;
    }
    uint32_t set = c->banks[it->bank].mshr_set;
    if (c->busy[set] == c->config.mshrs)
        return GMMU_RDGC_FAILED;
    uint64_t due = c->step + c->latency[++c->busy[set]];
    if (c->tail == c->room)
        compact(c);
    uint32_t i = c->tail++;
    c->ordered &= i == c->head || due >= c->out_due[i - 1];
    c->due = due < c->due ? due : c->due;
    c->out_hash[i] = it->hash;
    c->out_merges[i] = 0;
    c->out_set[i] = set;
    c->out_block[i] = it->block;
    c->out_row[i] = it->row;
    c->out_due[i] = due;
    return GMMU_RDGC_MISS;
}

void gmmu_rdgc_cache_scale(gmmu_rdgc_cache *c, uint32_t numerator, uint32_t denominator) {
    const gmmu_rdgc_cache_config *f = &c->config;
    for (uint64_t busy = 0; busy <= f->mshrs; busy++) {
        uint64_t n = ((uint64_t)f->k1 * denominator + f->k2 * busy * numerator +
                      UINT64_C(500) * denominator) /
                     (UINT64_C(1000) * denominator);
        c->latency[busy] = !f->adaptive ? f->latency : n > 0 ? n : 1;
    }
}

// ---------------------------------------------------------------- lists

// Ascending order.
static void sort(uint64_t *keys, uint64_t *spare, size_t n) {
    // The list is in order of warps already, so that insertion is short, mostly.
    size_t moves = 16 * n;
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
        if (i - at <= moves) {
            moves -= i - at;
            continue;
        }
        // Too long: merge what is left, run by run.
        for (size_t run = 1; run < n; run *= 2) {
            for (size_t low = 0; low < n; low += 2 * run) {
                size_t mid = low + run < n ? low + run : n;
                size_t end = mid + run < n ? mid + run : n;
                size_t a = low;
                size_t b = mid;
                for (size_t to = low; to < end; to++)
                    spare[to] = a < mid && (b == end || keys[a] < keys[b]) ? keys[a++] : keys[b++];
            }
            memcpy(keys, spare, n * sizeof *keys);
        }
        return;
    }
}

// Fills c->items from the list, linked in order of arbitration. Returns the first.
static uint32_t prepare(gmmu_rdgc_cache *c, const gmmu_rdgc_access *list, uint32_t n,
                        uint32_t *banks_open) {
    uint32_t open = 0;
    for (uint32_t i = 0; i < n; i++) {
        place p = place_of(c, list[i].block);
        item *it = &c->items[i];
        *it = (item){.block = list[i].block,
                     .row = row_of(c, &p),
                     .bank = p.bank,
                     .place = i,
                     .next = i + 1,
                     .hash = hash_of(list[i].block),
                     .write = list[i].write};
        __builtin_prefetch(it->row);
        open += c->banks[p.bank].pending++ == 0;
    }
    *banks_open = open;
    c->items[n - 1].next = NONE;
    if (open == 1)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        c->keys[i] = (uint64_t)list[i].warp << 48 | (uint64_t)c->items[i].bank << 32 | i;
    sort(c->keys, c->keys2, n);
    uint32_t first = (uint32_t)c->keys[0];
    for (uint32_t i = 0; i + 1 < n; i++)
        c->items[(uint32_t)c->keys[i]].next = (uint32_t)c->keys[i + 1];
    c->items[(uint32_t)c->keys[n - 1]].next = NONE;
    return first;
}

// A hit, or a bypassed write that hit, changes its row.
static inline void apply(gmmu_rdgc_cache *c, const item *it, uint32_t at) {
    // Another access of this step may have moved it or made it leave.
    if (at >= *row_used(it->row) || row_tags(c, it->row)[row_ways(c, it->row)[at]] != it->block) {
        at = find(c, it->row, it->hash, it->block);
        if (at == c->config.ways)
            return;
    }
    if (it->write && c->config.bypass == GMMU_RDGC_WON) {
        remove_at(c, it->row, at);
        c->counts.write_evictions++;
    } else {
        touch(c, it->row, at);
    }
}

// One access at its port. *rd is the position, *change whether the set is to change.
static inline gmmu_rdgc_status attempt(gmmu_rdgc_cache *c, const item *it, uint32_t *rd,
                                       bool *changes) {
    *rd = c->config.ways;
    *changes = false;
    if (c->config.bypass == GMMU_RDGC_RWON) {
        c->counts.bypassed++;
        return GMMU_RDGC_PASSED;
    }
    *rd = find(c, it->row, it->hash, it->block);
    *changes = *rd != c->config.ways;
    gmmu_rdgc_status status = GMMU_RDGC_HIT;
    if (it->write && c->config.bypass == GMMU_RDGC_WON) {
        c->counts.bypassed++;
        status = GMMU_RDGC_PASSED;
    } else if (!*changes) {
        status = reserve_mshr(c, it);
        if (status == GMMU_RDGC_FAILED) {
            c->counts.rf++;
            return status;
        }
    }
    ++*counter(c, it->write, *rd);
    return status;
}

static uint32_t free_mshrs(const gmmu_rdgc_cache *c) {
    return c->config.mshrs * c->config.mshr_sets - (c->tail - c->head);
}

static void show(const gmmu_rdgc_cache *c, const gmmu_rdgc_access *list, const item *it,
                 uint32_t port, gmmu_rdgc_status status, uint32_t rd) {
    if (c->watch == NULL || c->watch->access == NULL)
        return;
    bool lru = c->config.replacement == GMMU_RDGC_LRU;
    place p = place_of(c, it->block);
    gmmu_rdgc_event e = {.access = &list[it->place],
                         .place = it->place,
                         .partition = p.partition,
                         .bank = p.bank - p.partition * c->config.banks,
                         .port = port,
                         .set = p.set,
                         .status = status,
                         .rd = lru || rd == c->config.ways ? rd : 0};
    c->watch->access(c->watch->ctx, c->step, &e);
}

size_t gmmu_rdgc_cache_profile(gmmu_rdgc_cache *c, const gmmu_rdgc_access *list, size_t count,
                               gmmu_rdgc_sent *sent) {
    if (count == 0)
        return 0;
    bool at_end = c->config.arrival == GMMU_RDGC_END;
    size_t sents = 0;
    uint32_t banks_open = 0;
    uint32_t first = prepare(c, list, (uint32_t)count, &banks_open);
    while (first != NONE) {
        uint64_t step = c->step;
        if (!at_end)
            arrive_until(c, step, step);
        uint32_t open = banks_open;
        uint32_t attempts = 0;
        uint32_t changes = 0;
        bool resolved = false;
        uint32_t *link = &first;
        while (open > 0) {
            item *it = &c->items[*link];
            bank_state *b = &c->banks[it->bank];
            if (b->stamp != step) {
                b->stamp = step;
                b->taken = 0;
                b->left = b->pending;
            }
            if (b->taken == c->config.ports) {
                link = &it->next;
                continue;
            }
            uint32_t port = b->taken++;
            open -= --b->left == 0 || b->taken == c->config.ports;
            attempts++;
            uint32_t rd = 0;
            bool change_set = false;
            gmmu_rdgc_status status = attempt(c, it, &rd, &change_set);
            show(c, list, it, port, status, rd);
            if (change_set && c->config.ports == 1)
                apply(c, it, rd);  // nothing else of this step sees the set
            else if (change_set)
                c->changes[changes++] = (change){.item = (uint32_t)(it - c->items), .at = rd};
            if (status == GMMU_RDGC_FAILED) {
                link = &it->next;
                continue;
            }
            if (status == GMMU_RDGC_MISS || status == GMMU_RDGC_PASSED)
                sent[sents++] = (gmmu_rdgc_sent){.step = step, .access = it->place};
            resolved = true;
            banks_open -= --b->pending == 0;
            *link = it->next;
        }
        for (uint32_t i = 0; i < changes; i++)
            apply(c, &c->items[c->changes[i].item], c->changes[i].at);
        uint32_t free_now = free_mshrs(c);
        if (at_end)
            arrive_until(c, step, step);
        c->step++;
        c->counts.steps++;
        if (c->watch != NULL) {
            if (c->watch->step != NULL)
                c->watch->step(c->watch->ctx, step, free_now);
        } else if (!resolved && free_mshrs(c) == free_now) {
            // Until the next block arrives every step fails as this one did.
            uint64_t skip = c->due - step - (at_end ? 0 : 1);
            c->counts.rf += skip * attempts;
            c->counts.steps += skip;
            c->step += skip;
            if (at_end)
                arrive_until(c, c->due, c->due);
        }
    }
    return sents;
}

gmmu_rdgc_status gmmu_rdgc_cache_access(gmmu_rdgc_cache *c, uint64_t block, bool write) {
    if (c->config.bypass == GMMU_RDGC_RWON) {
        c->counts.bypassed++;
        return GMMU_RDGC_PASSED;
    }
    place p = place_of(c, block);
    unsigned char *row = row_of(c, &p);
    uint16_t hash = hash_of(block);
    uint32_t at = find(c, row, hash, block);
    bool hit = at != c->config.ways;
    ++*counter(c, write, at);
    if (write && c->config.bypass == GMMU_RDGC_WON) {
        c->counts.bypassed++;
        if (hit) {
            remove_at(c, row, at);
            c->counts.write_evictions++;
        }
        return GMMU_RDGC_PASSED;
    }
    if (hit)
        touch(c, row, at);
    else
        fill(c, row, hash, block);
    return hit ? GMMU_RDGC_HIT : GMMU_RDGC_MISS;
}

// ---------------------------------------------------------------- life

bool gmmu_rdgc_cache_remove(gmmu_rdgc_cache *c, uint64_t block) {
    place p = place_of(c, block);
    unsigned char *row = row_of(c, &p);
    uint32_t at = find(c, row, hash_of(block), block);
    if (at == c->config.ways)
        return false;
    remove_at(c, row, at);
    return true;
}

uint64_t gmmu_rdgc_cache_step(const gmmu_rdgc_cache *c) {
    return c->step;
}

void gmmu_rdgc_cache_drain(gmmu_rdgc_cache *c) {
    // UINT64_MAX - 1 is beyond every due step.
    c->ordered = true;
    arrive_until(c, UINT64_MAX - 1, c->step);
}

void gmmu_rdgc_cache_flush(gmmu_rdgc_cache *c) {
    size_t rows = (size_t)c->sets * c->config.partitions * c->config.banks;
    for (size_t i = 0; i < rows; i++) *row_used(c->rows + i * c->row_size) = 0;
    memset(c->busy, 0, c->config.mshr_sets * sizeof *c->busy);
    c->head = c->tail = 0;
    c->ordered = true;
    c->due = UINT64_MAX;
}

void gmmu_rdgc_cache_watch(gmmu_rdgc_cache *c, const gmmu_rdgc_watch *watch) {
    c->watch = watch;
}

const gmmu_rdgc_counts *gmmu_rdgc_cache_counts(const gmmu_rdgc_cache *c) {
    return &c->counts;
}

void gmmu_rdgc_cache_clear_counts(gmmu_rdgc_cache *c) {
    gmmu_rdgc_counts *k = &c->counts;
    memset(k->r, 0, (k->ways + 1) * sizeof *k->r);
    memset(k->w, 0, (k->ways + 1) * sizeof *k->w);
    *k = (gmmu_rdgc_counts){.ways = k->ways, .r = k->r, .w = k->w};
}

int gmmu_rdgc_cache_reserve(gmmu_rdgc_cache *c, size_t n, gmmu_error *err) {
    if (n <= c->reserved)
        return GMMU_OK;
    free(c->items);
    free(c->keys);
    free(c->keys2);
    free(c->changes);
    c->reserved = 0;
    c->items = malloc(n * sizeof *c->items);
    c->keys = malloc(n * sizeof *c->keys);
    c->keys2 = malloc(n * sizeof *c->keys2);
    c->changes = malloc(n * sizeof *c->changes);
    if (c->items == NULL || c->keys == NULL || c->keys2 == NULL || c->changes == NULL) {
        snprintf(err->text, sizeof err->text, "rdgc: no memory for a list of %zu accesses", n);
        return GMMU_BAD;
    }
    c->reserved = n;
    return GMMU_OK;
}

void gmmu_rdgc_cache_destroy(gmmu_rdgc_cache *c) {
    if (c == NULL)
        return;
    free(c->counts.r);
    free(c->counts.w);
    free(c->rows);
    free(c->out_hash);
    free(c->out_merges);
    free(c->out_set);
    free(c->out_block);
    free(c->out_row);
    free(c->out_due);
    free(c->busy);
    free(c->latency);
    free(c->items);
    free(c->keys);
    free(c->keys2);
    free(c->changes);
    free(c->banks);
    free(c);
}

static void geometry(gmmu_rdgc_cache *c) {
    const gmmu_rdgc_cache_config *f = &c->config;
    c->sets = (uint32_t)(f->capacity / ((uint64_t)f->block * f->ways * f->partitions * f->banks));
    while ((UINT32_C(1) << c->index_bits) < c->sets) c->index_bits++;
    c->by_partition_chunk = divider_of(f->partition_chunk);
    c->by_partitions = divider_of(f->partitions);
    c->by_bank_chunk = divider_of(f->bank_chunk);
    c->by_banks = divider_of(f->banks);
    c->by_modulus = divider_of(f->index == GMMU_RDGC_PRI ? largest_prime(c->sets) : c->sets);
    c->partitions_an_mshr_set = (f->partitions + f->mshr_sets - 1) / f->mshr_sets;
    c->ways_at = sizeof(uint64_t) + ((size_t)f->ways + PAD - 1) / PAD * PAD * sizeof(uint16_t);
    c->tags_at = (c->ways_at + f->ways * sizeof(uint16_t) + 7) / 8 * 8;
    c->counts_at = c->tags_at + f->ways * sizeof(uint64_t);
    c->row_size = c->counts_at + (f->replacement == GMMU_RDGC_LFU ? f->ways * sizeof(uint64_t) : 0);
}

gmmu_rdgc_cache *gmmu_rdgc_cache_create(const gmmu_rdgc_cache_config *f, uint64_t seed,
                                        gmmu_error *err) {
    if (gmmu_rdgc_cache_check(f, "", err) != GMMU_OK)
        return NULL;
    gmmu_rdgc_cache *c = calloc(1, sizeof *c);
    if (c == NULL) {
        snprintf(err->text, sizeof err->text, "rdgc: no memory for a cache");
        return NULL;
    }
    c->config = *f;
    c->random = seed;
    geometry(c);
    size_t banks = (size_t)f->partitions * f->banks;
    size_t mshrs = (size_t)f->mshrs * f->mshr_sets;
    c->room = (uint32_t)(2 * mshrs);
    c->counts.ways = f->ways;
    c->counts.r = calloc(f->ways + 1, sizeof *c->counts.r);
    c->counts.w = calloc(f->ways + 1, sizeof *c->counts.w);
    c->rows = calloc(banks * c->sets, c->row_size);
    c->out_hash = calloc(c->room + PAD, sizeof *c->out_hash);
    c->out_merges = calloc(c->room, sizeof *c->out_merges);
    c->out_set = calloc(c->room, sizeof *c->out_set);
    c->out_block = calloc(c->room, sizeof *c->out_block);
    c->out_row = calloc(c->room, sizeof *c->out_row);
    c->out_due = calloc(c->room, sizeof *c->out_due);
    c->busy = calloc(f->mshr_sets, sizeof *c->busy);
    c->latency = calloc(f->mshrs + 1, sizeof *c->latency);
    c->banks = calloc(banks, sizeof *c->banks);
    if (c->counts.r == NULL || c->counts.w == NULL || c->rows == NULL || c->out_hash == NULL ||
        c->out_merges == NULL || c->out_set == NULL || c->out_block == NULL || c->out_row == NULL ||
        c->out_due == NULL || c->busy == NULL || c->latency == NULL || c->banks == NULL) {
        snprintf(err->text, sizeof err->text, "rdgc: no memory for a cache of %" PRIu64 " bytes",
                 f->capacity);
        gmmu_rdgc_cache_destroy(c);
        return NULL;
    }
    for (uint32_t i = 0; i < banks; i++) {
        c->banks[i].stamp = UINT64_MAX;
        c->banks[i].mshr_set = i / f->banks / c->partitions_an_mshr_set;
    }
    for (size_t i = 0; i < banks * c->sets; i++)
        for (uint32_t way = 0; way < f->ways; way++)
            row_ways(c, c->rows + i * c->row_size)[way] = (uint16_t)way;
    gmmu_rdgc_cache_scale(c, 1, 1);
    gmmu_rdgc_cache_flush(c);
    return c;
}
