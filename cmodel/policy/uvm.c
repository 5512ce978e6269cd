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

#include "policy/uvm_blocks.h"

enum { NOWHERE = UINT32_MAX };

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
    uint32_t in;     // number of resident pages, those that have not appeared included
} uvm_block;

typedef struct {
    uvm_page *pages;
    uint32_t cap;
    uvm_block *blocks;
    uint32_t block_cap;
    gmmu_move *moves;  // beyond those that an outcome has room for
    gmmu_uvm_blocks memory;
    // for notes, in pages and in chunks
    uint64_t came, fetched, used, left, chunks_left;
} uvm;

static void destroy(void *state) {
    uvm *s = state;
    free(s->pages);
    free(s->blocks);
    free(s->moves);
    gmmu_uvm_destroy(&s->memory);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uvm *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("uvm", err);
        return NULL;
    }
    if (!gmmu_uvm_create(&s->memory, config, err)) {
        destroy(s);
        return NULL;
    }
    s->moves = calloc((size_t)s->memory.chunk * 2, sizeof *s->moves);
    if (s->moves == NULL) {
        (void)gmmu_policy_no_memory("uvm", err);
        destroy(s);
        return NULL;
    }
    return s;
}

// PAGE appears: it joins its block, and may be resident already. False: no memory.
static bool appear(uvm *s, uint32_t page, const gmmu_walk *walk) {
    const uint32_t block = gmmu_uvm_block(&s->memory, walk->asid, walk->vpn);
    if (block == GMMU_NO_PAGE || !GMMU_ROOM(s->blocks, s->block_cap, block, 0xff)) {
        return false;
    }
    uvm_block *b = &s->blocks[block];
    if (b->first == GMMU_NO_PAGE) {
        *b = (uvm_block){.first = GMMU_NO_PAGE};
    }
    const uint32_t big = gmmu_uvm_big(&s->memory, walk->vpn);
    s->pages[page] =
        (uvm_page){.block = block,
                   .next = b->first,
                   .big = (uint8_t)big,
                   .flags = (s->memory.trees[block] >> big & 1U) != 0 ? IN | FETCHED : 0};
    b->first = page;
    return true;
}

// All pages of BLOCK leave.
static void evict(uvm *s, uint32_t block, gmmu_outcome *out) {
    uvm_block *b = &s->blocks[block];
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
    b->in = 0;
}

// A fault of PAGE brings pages of its block, whose chunk is resident.
static void bring(uvm *s, uint32_t page, gmmu_outcome *out) {
    uvm_page *p = &s->pages[page];
    uvm_block *b = &s->blocks[p->block];
    uint32_t count = 1;
    if (!s->memory.alone) {
        const uint32_t fresh = gmmu_uvm_fetch(&s->memory, p->block, 1U << p->big);
        count = (uint32_t)__builtin_popcount(fresh) * s->memory.big;
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
    if (!fault && !s->memory.by_access) {
        return GMMU_OK;
    }
    const uint32_t left = gmmu_uvm_use(&s->memory, p->block);
    if (left != GMMU_NO_PAGE) {
        evict(s, left, out);
    }
    if (fault) {
        bring(s, page, out);
    }
    return GMMU_OK;
}

static void note(const void *state, char *text, size_t size) {
    const uvm *s = state;
    (void)snprintf(
        text, size,
        "chunk=%" PRIu32 " chunks=%" PRIu32 " in=%" PRIu64 " prefetched=%" PRIu64 " used=%" PRIu64
        " out=%" PRIu64 " chunks_out=%" PRIu64 " bytes_in=%" PRIu64 " bytes_out=%" PRIu64,
        s->memory.chunk, s->memory.slots, s->came, s->fetched, s->used, s->left, s->chunks_left,
        s->came << s->memory.page_shift, s->left << s->memory.page_shift);
}

static void why(const void *state, char *text, size_t size) {
    const uvm *s = state;
    (void)snprintf(text, size, "its chunk leaves whole: the chunk whose last %s is oldest",
                   s->memory.by_access ? "access" : "fault");
}

const gmmu_policy gmmu_policy_uvm = {
    .name = "uvm",
    .help = "NVIDIA's driver: chunks of 2 MiB in the order of faults, tree prefetch",
    .options =
        "chunk=512 (pages of a chunk, a power of two; by default 2 MiB)\n"
        "order=fault|access, prefetch=tbn|none",
    .moves_many = true,
    .why = why,
    .create = create,
    .access = touch,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
};
