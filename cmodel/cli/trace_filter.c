// SPDX-License-Identifier: Apache-2.0
// trace_filter.c: see trace_filter.h.
#include "cli/trace_filter.h"

#include <stdlib.h>

#include "simt/tlb.h"
#include "trace/pages.h"

enum { PAGE_BITS = 52, MOST_SMS = 1 << 16, MOST_SPACES = 1 << (64 - PAGE_BITS) };

struct trace_filter {
    unsigned entries;          // of an L1
    gmmu_pages *sms, *spaces;  // numbers of both, in order of appearance
    gmmu_tlb *l1;
    size_t room;  // number of L1 TLBs
    gmmu_tlb l2;
};

trace_filter *trace_filter_create(unsigned l1, unsigned l2) {
    trace_filter *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    f->entries = l1;
    f->sms = gmmu_pages_create();
    f->spaces = gmmu_pages_create();
    if (f->sms == NULL || f->spaces == NULL || !gmmu_tlb_init(&f->l2, l2, FILTER_L2_WAYS)) {
        trace_filter_free(f);
        return NULL;
    }
    return f;
}

// The L1 of SM number INDEX; NULL: no memory.
static gmmu_tlb *l1_of(trace_filter *f, size_t index) {
    while (f->room <= index) {
        gmmu_tlb *bigger = realloc(f->l1, (f->room + 1) * sizeof *bigger);
        if (bigger == NULL) {
            return NULL;
        }
        f->l1 = bigger;
        if (!gmmu_tlb_init(&f->l1[f->room], f->entries, f->entries)) {
            return NULL;
        }
        f->room++;
    }
    return &f->l1[index];
}

static int refuse(gmmu_error *err, const char *found, const char *expected) {
    (void)snprintf(err->text, sizeof err->text, "found %s, expected %s", found, expected);
    return GMMU_BAD;
}

int trace_filter_access(trace_filter *f, const gmmu_walk *walk, bool *hit, gmmu_error *err) {
    const uint32_t sm = gmmu_pages_index(f->sms, 0, walk->sm);
    const uint32_t space = gmmu_pages_index(f->spaces, 0, walk->asid);
    if (sm == GMMU_NO_PAGE || space == GMMU_NO_PAGE) {
        return refuse(err, "no memory left", "some for the TLBs");
    }
    if (sm >= MOST_SMS || space >= MOST_SPACES || walk->vpn >> PAGE_BITS != 0) {
        return refuse(err, "a page beyond 2^52, or more than 65536 SMs or 4096 address spaces",
                      "fewer before TLBs, or --renumber for pages");
    }
    gmmu_tlb *l1 = l1_of(f, sm);
    if (l1 == NULL) {
        return refuse(err, "no memory left", "some for the TLBs");
    }
    const uint64_t page = walk->vpn | (uint64_t)space << PAGE_BITS;
    *hit = gmmu_tlb_access(l1, page) || gmmu_tlb_access(&f->l2, page);
    return GMMU_OK;
}

void trace_filter_free(trace_filter *f) {
    if (f == NULL) {
        return;
    }
    for (size_t i = 0; i < f->room; i++) {
        gmmu_tlb_free(&f->l1[i]);
    }
    free(f->l1);
    gmmu_tlb_free(&f->l2);
    gmmu_pages_destroy(f->sms);
    gmmu_pages_destroy(f->spaces);
    free(f);
}
