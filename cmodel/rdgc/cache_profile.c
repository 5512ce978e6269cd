// SPDX-License-Identifier: Apache-2.0
// cache_profile.c: one parallel cache, step by step (RDGC §4.4). docs/guide/rdgc.md, "A cache".
#include <string.h>

#include "rdgc/cache_mshr.h"
#include "rdgc/cache_place.h"

enum { NONE = UINT32_MAX };  // end of a linked list

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
                     .write = list[i].write,
                     .past = list[i].past};
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
    if (it->past || c->config.bypass == GMMU_RDGC_RWON) {
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
    } else if (c->config.allocate == GMMU_RDGC_ON_MISS) {
        uint32_t joined = outstanding(c, it->hash, it->block);
        if (joined != NO_MSHR) {
            status = join_mshr(c, joined);
            *changes = status == GMMU_RDGC_MERGED;
            *rd = c->config.ways;
        }
    }
    if (status == GMMU_RDGC_FAILED) {
        c->counts.rf++;
        return status;
    }
    bool hit = status == GMMU_RDGC_MERGED && c->config.merged;
    ++*counter(c, it->write, hit ? 0 : *rd);
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
            if (c->due_of != NULL)
                c->due_of[it->place] = status == GMMU_RDGC_HIT      ? step + c->config.hit
                                       : status == GMMU_RDGC_PASSED ? step
                                                                    : c->last_due;
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

void gmmu_rdgc_cache_idle(gmmu_rdgc_cache *c, uint64_t until) {
    while (c->due < until) arrive_until(c, c->due, c->due);
    c->counts.steps += until - c->step;
    c->step = until;
}

void gmmu_rdgc_cache_ask_due(gmmu_rdgc_cache *c, uint64_t *due) {
    c->due_of = due;
}

void gmmu_rdgc_cache_drain(gmmu_rdgc_cache *c) {
    // UINT64_MAX - 1 is beyond every due step.
    c->ordered = true;
    arrive_until(c, UINT64_MAX - 1, c->step);
}
