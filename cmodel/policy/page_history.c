// SPDX-License-Identifier: Apache-2.0
// page_history.c: see page_history.h.
#include "policy/page_history.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/crc32c.h"

enum { LINE = GMMU_HISTORY_LINE, WAYS = GMMU_HISTORY_WAYS };
#define NO_BLOCK UINT64_MAX

static void empty(gmmu_page_history *h, size_t line) {
    h->tag[line].block = NO_BLOCK;
    memset(&h->page[line * LINE], 0, LINE * sizeof *h->page);
}

bool gmmu_page_history_init(gmmu_page_history *h, const gmmu_config *cfg, uint32_t lines,
                            uint32_t limit) {
    *h = (gmmu_page_history){.tag = malloc(lines * sizeof *h->tag),
                             .page = malloc((size_t)lines * LINE * sizeof *h->page),
                             .lines = lines,
                             .limit = limit,
                             .time_mask = (uint32_t)((1ULL << cfg->time_w) - 1),
                             .asid_w = cfg->asid_w,
                             .vpn_w = cfg->vpn_w,
                             .scrub_every = (1U << (cfg->time_w - 3)) / lines};
    if (h->tag == NULL || h->page == NULL) {
        return false;
    }
    for (size_t i = 0; i < lines; i++) {
        empty(h, i);
    }
    return true;
}

void gmmu_page_history_free(gmmu_page_history *h) {
    free(h->tag);
    free(h->page);
}

// The first line of the set of BLOCK.
static size_t set_of(const gmmu_page_history *h, uint32_t asid, uint64_t block) {
    const uint32_t hash = gmmu_hash(asid, h->asid_w, block, h->vpn_w);
    return (size_t)(hash & (h->lines / WAYS - 1)) * WAYS;
}

const gmmu_page_record *gmmu_page_history_line(const gmmu_page_history *h, uint32_t asid,
                                               uint64_t vpn) {
    const uint64_t block = vpn / LINE;
    const size_t set = set_of(h, asid, block);
    for (size_t i = set; i < set + WAYS; i++) {
        if (h->tag[i].block == block && h->tag[i].asid == asid) {
            return &h->page[i * LINE];
        }
    }
    return NULL;
}

// The line of BLOCK. One that holds nothing, else the one that was used longest ago, makes room.
static size_t take_line(gmmu_page_history *h, uint32_t asid, uint64_t block, uint32_t time) {
    const size_t set = set_of(h, asid, block);
    size_t old = set;
    for (size_t i = set; i < set + WAYS; i++) {
        const gmmu_history_tag *t = &h->tag[i], *o = &h->tag[old];
        if (t->block == block && t->asid == asid) {
            return i;
        }
        if (o->block != NO_BLOCK &&
            (t->block == NO_BLOCK ||
             ((time - t->used) & h->time_mask) > ((time - o->used) & h->time_mask))) {
            old = i;
        }
    }
    empty(h, old);
    h->tag[old] = (gmmu_history_tag){.block = block, .asid = asid};
    return old;
}

void gmmu_page_history_note(gmmu_page_history *h, uint32_t asid, uint64_t vpn, uint16_t pc,
                            uint32_t time) {
    const size_t line = take_line(h, asid, vpn / LINE, time);
    h->tag[line].used = time;
    h->page[line * LINE + vpn % LINE] = (gmmu_page_record){.last = time, .pc = pc, .valid = true};
}

void gmmu_page_history_scrub(gmmu_page_history *h, uint32_t time) {
    if ((time & (h->scrub_every - 1)) != 0) {
        return;
    }
    const size_t line = h->scrub_next;
    h->scrub_next = (h->scrub_next + 1) & (h->lines - 1);
    for (size_t i = line * LINE; i < (line + 1) * LINE; i++) {
        h->page[i].valid = h->page[i].valid && ((time - h->page[i].last) & h->time_mask) < h->limit;
    }
    if (((time - h->tag[line].used) & h->time_mask) >= h->limit) {
        h->tag[line].block = NO_BLOCK;
    }
}
