// SPDX-License-Identifier: Apache-2.0
// uvm_blocks.c: see uvm_blocks.h.
#include "policy/uvm_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "policy/list.h"
#include "policy/option.h"

enum {
    RESIDENT,  // the only list
    CHUNK_SHIFT = 21,
    USUAL_PAGE_SHIFT = 12,
    MOST_CHUNK = 1 << 16,
    BIG_PAGES = 32,  // in a block: 2 MiB / 64 KiB
    THRESHOLD = 51,  // per cent of a subtree
};

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

bool gmmu_uvm_create(gmmu_uvm_blocks *m, const gmmu_policy_config *config, gmmu_error *err) {
    *m = (gmmu_uvm_blocks){0};
    m->page_shift = config->page_shift == 0 ? USUAL_PAGE_SHIFT : config->page_shift;
    m->chunk = m->page_shift < CHUNK_SHIFT ? 1U << (CHUNK_SHIFT - m->page_shift) : 1;
    const gmmu_option options[] = {
        GMMU_POWER("chunk", &m->chunk, 1, MOST_CHUNK),
        GMMU_WORD("order", &m->by_access, order_word),
        GMMU_WORD("prefetch", &m->alone, prefetch_word),
    };
    if (!gmmu_options_take("uvm", config, options, sizeof options / sizeof *options,
                           "chunk=1..65536, a power of two, order=fault|access, prefetch=tbn|none",
                           err)) {
        return false;
    }
    while (m->chunk > config->frames) {
        m->chunk /= 2;
    }
    m->big = m->chunk > BIG_PAGES ? m->chunk / BIG_PAGES : 1;
    m->slots = config->frames / m->chunk;
    m->numbers = gmmu_pages_create();
    m->resident = calloc(1, sizeof *m->resident);
    if (m->numbers == NULL || m->resident == NULL || !gmmu_lists_create(m->resident)) {
        (void)gmmu_policy_no_memory("uvm", err);
        gmmu_uvm_destroy(m);
        return false;
    }
    return true;
}

void gmmu_uvm_destroy(gmmu_uvm_blocks *m) {
    gmmu_pages_destroy(m->numbers);
    if (m->resident != NULL) {
        gmmu_lists_destroy(m->resident);
    }
    free(m->resident);
    free(m->trees);
    *m = (gmmu_uvm_blocks){0};
}

uint32_t gmmu_uvm_block(gmmu_uvm_blocks *m, uint32_t asid, uint64_t vpn) {
    const uint32_t block = gmmu_pages_index(m->numbers, asid, vpn / m->chunk);
    const bool room = block != GMMU_NO_PAGE && GMMU_ROOM(m->trees, m->cap, block, 0) &&
                      gmmu_lists_reserve(m->resident, block);
    return room ? block : GMMU_NO_PAGE;
}

uint32_t gmmu_uvm_use(gmmu_uvm_blocks *m, uint32_t block) {
    uint32_t left = GMMU_NO_PAGE;
    if (gmmu_list_of(m->resident, block) == RESIDENT) {
        gmmu_list_remove(m->resident, block);
    } else if (m->resident->length[RESIDENT] == m->slots) {
        left = gmmu_list_pop(m->resident, RESIDENT);
        m->trees[left] = 0;
    }
    gmmu_list_push(m->resident, RESIDENT, block);
    return left;
}

// Returns the big pages of the largest subtree around BIG that is more than THRESHOLD full, if HAVE
// are resident or asked for. What a smaller subtree brings does not count for a larger one.
static uint32_t subtree(const gmmu_uvm_blocks *m, uint32_t have, uint32_t big) {
    uint32_t chosen = 0;
    for (uint32_t size = 1; size <= m->chunk / m->big; size *= 2) {
        const uint32_t all = (uint32_t)((UINT64_C(1) << size) - 1) << (big & ~(size - 1));
        if ((uint32_t)__builtin_popcount(have & all) * 100 > size * THRESHOLD) {
            chosen = all;
        }
    }
    return chosen;
}

uint32_t gmmu_uvm_fetch(gmmu_uvm_blocks *m, uint32_t block, uint32_t faults) {
    const uint32_t had = m->trees[block];
    uint32_t all = had;
    for (uint32_t rest = faults; rest != 0; rest &= rest - 1) {
        all |= subtree(m, had | faults, (uint32_t)__builtin_ctz(rest));
    }
    m->trees[block] = all;
    return all & ~had;
}
