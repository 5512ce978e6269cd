// SPDX-License-Identifier: Apache-2.0
// page_history.c: see page_history.h.
#include "policy/page_history.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = GMMU_HISTORY_LINE, WAYS = GMMU_HISTORY_WAYS };
#define NO_BLOCK UINT64_MAX

// No frame has a record there any more.
static void let_go(gmmu_page_history *h, size_t record) {
    if (h->frame_of[record] != GMMU_NO_RECORD_FRAME) {
        h->record_of[h->frame_of[record]] = GMMU_NO_RECORD;
        h->frame_of[record] = GMMU_NO_RECORD_FRAME;
    }
}

static void empty(gmmu_page_history *h, size_t line) {
    h->tag[line].block = NO_BLOCK;
    for (size_t i = line * LINE; i < (line + 1) * LINE; i++) {
        let_go(h, i);
    }
    memset(&h->page[line * LINE], 0, LINE * sizeof *h->page);
}

bool gmmu_page_history_init(gmmu_page_history *h, const gmmu_config *cfg, uint32_t lines,
                            uint32_t limit, uint32_t frames) {
    *h = (gmmu_page_history){.tag = malloc(lines * sizeof *h->tag),
                             .page = malloc((size_t)lines * LINE * sizeof *h->page),
                             .frame_of = malloc((size_t)lines * LINE * sizeof *h->frame_of),
                             .record_of = malloc(frames * sizeof *h->record_of),
                             .lines = lines,
                             .limit = limit,
                             .time_mask = (uint32_t)((1ULL << cfg->time_w) - 1),
                             .asid_w = cfg->asid_w,
                             .vpn_w = cfg->vpn_w,
                             .scrub_every = (1U << (cfg->time_w - 3)) / lines};
    if (h->tag == NULL || h->page == NULL || h->frame_of == NULL || h->record_of == NULL) {
        return false;
    }
    memset(h->frame_of, 0xff, (size_t)lines * LINE * sizeof *h->frame_of);
    memset(h->record_of, 0xff, frames * sizeof *h->record_of);
    for (size_t i = 0; i < lines; i++) {
        empty(h, i);
    }
    return true;
}

void gmmu_page_history_free(gmmu_page_history *h) {
    free(h->tag);
    free(h->page);
    free(h->frame_of);
    free(h->record_of);
}

size_t gmmu_page_history_make(gmmu_page_history *h, uint32_t asid, uint64_t block, uint32_t time) {
    const size_t set = gmmu_page_history_set(h, asid, block);
    size_t old = set;
    for (size_t i = set; i < set + WAYS && h->tag[old].block != NO_BLOCK; i++) {
        const gmmu_history_tag *t = &h->tag[i], *o = &h->tag[old];
        if (t->block == NO_BLOCK ||
            ((time - t->used) & h->time_mask) > ((time - o->used) & h->time_mask)) {
            old = i;
        }
    }
    empty(h, old);
    h->tag[old] = (gmmu_history_tag){.block = block, .asid = asid};
    return old;
}

void gmmu_page_history_scrub_line(gmmu_page_history *h, uint32_t time) {
    const size_t line = h->scrub_next;
    h->scrub_next = (h->scrub_next + 1) & (h->lines - 1);
    for (size_t i = line * LINE; i < (line + 1) * LINE; i++) {
        h->page[i].valid = h->page[i].valid && ((time - h->page[i].last) & h->time_mask) < h->limit;
        if (!h->page[i].valid) {
            let_go(h, i);
        }
    }
    if (((time - h->tag[line].used) & h->time_mask) >= h->limit) {
        h->tag[line].block = NO_BLOCK;
    }
}
