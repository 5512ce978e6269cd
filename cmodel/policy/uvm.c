// SPDX-License-Identifier: Apache-2.0
// uvm.c: NVIDIA's UVM driver as it is by default. Memory is whole chunks of 2 MiB. A chunk has the
// pages of one block, an aligned range of the same size. The chunk whose last fault is oldest
// leaves whole. A fault brings its big page (64 KiB) and, by a tree over the block, what is around.
//
// Parameters: chunk= pages of a chunk, a power of two (2 MiB / size of a page); order=fault|access:
// a chunk is young after a fault, or after each access; prefetch=tbn|none: the tree, or the page
// alone. The facts with their places in the driver's source, and what is left out:
// docs/reference/policies.md, "uvm".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/list.h"
#include "policy/option.h"

enum {
    RESIDENT_CHUNKS,  // the list: the front is the chunk of the last fault
    CHUNK_SHIFT = 21,
    USUAL_PAGE_SHIFT = 12,
    MOST_CHUNK = 1 << 16,
    BIG_PAGES = 32,  // in a block: 2 MiB / 64 KiB
    THRESHOLD = 51,  // per cent of a subtree
    NOWHERE = UINT32_MAX,
};

enum {
    IN = 1,       // the page is resident
    FETCHED = 2,  // the page came without a fault of its own, and was not accessed since
};

typedef struct {
    uint32_t block;  // number of the page's block; NOWHERE: the page has not appeared
    uint32_t next;   // next page of the block that has appeared, or GMMU_NO_PAGE
    uint8_t big;     // number of the page's big page in the block
    uint8_t flags;
} uvm_page;

typedef struct {
    uint32_t first;  // first page of the block that has appeared
    uint32_t big;    // tree: the big pages that are resident, a bit each
    uint32_t in;     // number of resident pages, those that have not appeared included
} uvm_block;

typedef struct {
    uvm_page *pages;
    uint32_t cap;
    uvm_block *blocks;
    uint32_t block_cap;
    gmmu_pages *number_of;  // of the blocks
    gmmu_lists chunks;      // the resident chunks, by the numbers of their blocks
    gmmu_move *moves;       // beyond those that an outcome has room for
    uint32_t chunk, big;    // pages of a chunk, of a big page
    uint32_t slots;         // chunks that memory has room for
    unsigned page_shift;
    bool by_access, alone;
    // for notes, in pages and in chunks
    uint64_t came, fetched, used, left, chunks_left;
} uvm;

static void destroy(void *state) {
    uvm *s = state;
    free(s->pages);
    free(s->blocks);
    free(s->moves);
    gmmu_pages_destroy(s->number_of);
    gmmu_lists_destroy(&s->chunks);
    free(s);
}

static bool one_of(bool *value, const char *text, size_t length, const char *no, const char *yes) {
    *value = length == strlen(yes) && memcmp(text, yes, length) == 0;
    return *value || (length == strlen(no) && memcmp(text, no, length) == 0);
}

static bool order_word(void *value, const char *text, size_t length) {
    return one_of(value, text, length, "fault", "access");
}

static bool prefetch_word(void *value, const char *text, size_t length) {
    return one_of(value, text, length, "tbn", "none");
}

static bool read_options(uvm *s, const gmmu_policy_config *config, gmmu_error *err) {
    const gmmu_option options[] = {
        GMMU_POWER("chunk", &s->chunk, 1, MOST_CHUNK),
        GMMU_WORD("order", &s->by_access, order_word),
        GMMU_WORD("prefetch", &s->alone, prefetch_word),
    };
    return gmmu_options_take(
        "uvm", config, options, sizeof options / sizeof *options,
        "chunk=1..65536, a power of two, order=fault|access, prefetch=tbn|none", err);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uvm *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("uvm", err);
        return NULL;
    }
    s->page_shift = config->page_shift == 0 ? USUAL_PAGE_SHIFT : config->page_shift;
    s->chunk = s->page_shift < CHUNK_SHIFT ? 1U << (CHUNK_SHIFT - s->page_shift) : 1;
    if (!read_options(s, config, err)) {
        destroy(s);
        return NULL;
    }
    while (s->chunk > config->frames) {
        s->chunk /= 2;
    }
    s->big = s->chunk > BIG_PAGES ? s->chunk / BIG_PAGES : 1;
    s->slots = config->frames / s->chunk;
    s->number_of = gmmu_pages_create();
    s->moves = calloc((size_t)s->chunk * 2, sizeof *s->moves);
    if (s->number_of == NULL || s->moves == NULL || !gmmu_lists_create(&s->chunks)) {
        (void)gmmu_policy_no_memory("uvm", err);
        destroy(s);
        return NULL;
    }
    return s;
}

// PAGE appears: it joins its block, and may be resident already. False: no memory.
static bool appear(uvm *s, uint32_t page, const gmmu_walk *walk) {
    const uint32_t block = gmmu_pages_index(s->number_of, walk->asid, walk->vpn / s->chunk);
    if (block == GMMU_NO_PAGE || !GMMU_ROOM(s->blocks, s->block_cap, block, 0xff) ||
        !gmmu_lists_reserve(&s->chunks, block)) {
        return false;
    }
    uvm_block *b = &s->blocks[block];
    if (b->first == GMMU_NO_PAGE) {
        *b = (uvm_block){.first = GMMU_NO_PAGE};
    }
    const uint32_t big = (uint32_t)(walk->vpn % s->chunk) / s->big;
    s->pages[page] = (uvm_page){.block = block,
                                .next = b->first,
                                .big = (uint8_t)big,
                                .flags = (b->big >> big & 1U) != 0 ? IN | FETCHED : 0};
    b->first = page;
    return true;
}

// The oldest chunk leaves, with all its pages.
static void evict(uvm *s, gmmu_outcome *out) {
    uvm_block *b = &s->blocks[gmmu_list_pop(&s->chunks, RESIDENT_CHUNKS)];
    uint32_t untouched = b->in;
    for (uint32_t page = b->first; page != GMMU_NO_PAGE; page = s->pages[page].next) {
        if ((s->pages[page].flags & IN) == 0) {
            continue;
        }
        s->pages[page].flags = 0;
        untouched--;
        if (out->count == 1) {
            gmmu_outcome_evict(out, page);
        } else {
            s->moves[out->after_count++] =
                (gmmu_move){.page = page, .from = GMMU_NEAR, .to = GMMU_FAR};
        }
    }
    out->untouched_out = untouched;
    s->left += b->in;
    s->chunks_left++;
    b->in = b->big = 0;
}

// Returns the big pages of the largest subtree around BIG that is more than THRESHOLD full, if HAVE
// are resident or asked for. What a smaller subtree brings does not count for a larger one.
static uint32_t subtree(const uvm *s, uint32_t have, uint32_t big) {
    uint32_t chosen = 0;
    for (uint32_t size = 1; size <= s->chunk / s->big; size *= 2) {
        const uint32_t all = (uint32_t)((UINT64_C(1) << size) - 1) << (big & ~(size - 1));
        if ((uint32_t)__builtin_popcount(have & all) * 100 > size * THRESHOLD) {
            chosen = all;
        }
    }
    return chosen;
}

// A fault of PAGE brings pages of block B, whose chunk is resident.
static void bring(uvm *s, uvm_block *b, uint32_t page, gmmu_outcome *out) {
    uvm_page *p = &s->pages[page];
    uint32_t count = 1;
    if (!s->alone) {
        const uint32_t fresh = subtree(s, b->big | 1U << p->big, p->big) & ~b->big;
        count = (uint32_t)__builtin_popcount(fresh) * s->big;
        uint32_t known = 0;
        for (uint32_t i = b->first; i != GMMU_NO_PAGE; i = s->pages[i].next) {
            if ((fresh >> s->pages[i].big & 1U) == 0) {
                continue;
            }
            known++;
            s->pages[i].flags = IN | FETCHED;
            if (i != page) {
                s->moves[out->after_count++] =
                    (gmmu_move){.page = i, .from = GMMU_FAR, .to = GMMU_NEAR};
            }
        }
        out->untouched_in = count - known;
        b->big |= fresh;
    }
    p->flags = IN;
    b->in += count;
    s->came += count;
    s->fetched += count - 1;
}

static void prefetch(const void *state, uint32_t page) {
    const uvm *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->pages[page], 1);
    }
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    uvm *s = state;
    if (!GMMU_ROOM(s->pages, s->cap, page, 0xff) ||
        (s->pages[page].block == NOWHERE && !appear(s, page, walk))) {
        return gmmu_policy_no_memory("uvm", err);
    }
    uvm_page *p = &s->pages[page];
    const bool fault = (p->flags & IN) == 0;
    gmmu_outcome_begin(out, page, fault);
    out->after = s->moves;
    s->used += (p->flags & FETCHED) != 0 ? 1U : 0U;
    p->flags &= IN;
    if (!fault && !s->by_access) {
        return GMMU_OK;
    }
    if (gmmu_list_of(&s->chunks, p->block) == RESIDENT_CHUNKS) {
        gmmu_list_remove(&s->chunks, p->block);
    } else if (s->chunks.length[RESIDENT_CHUNKS] == s->slots) {
        evict(s, out);
    }
    gmmu_list_push(&s->chunks, RESIDENT_CHUNKS, p->block);
    if (fault) {
        bring(s, &s->blocks[p->block], page, out);
    }
    return GMMU_OK;
}

static void note(const void *state, char *text, size_t size) {
    const uvm *s = state;
    (void)snprintf(text, size,
                   "chunk=%" PRIu32 " chunks=%" PRIu32 " in=%" PRIu64 " prefetched=%" PRIu64
                   " used=%" PRIu64 " out=%" PRIu64 " chunks_out=%" PRIu64 " bytes_in=%" PRIu64
                   " bytes_out=%" PRIu64,
                   s->chunk, s->slots, s->came, s->fetched, s->used, s->left, s->chunks_left,
                   s->came << s->page_shift, s->left << s->page_shift);
}

const gmmu_policy gmmu_policy_uvm = {
    .name = "uvm",
    .help = "NVIDIA's driver: chunks of 2 MiB in the order of faults, tree prefetch",
    .options =
        "chunk=512 (pages of a chunk, a power of two; by default 2 MiB), order=fault|access, "
        "prefetch=tbn|none",
    .create = create,
    .access = touch,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
};
