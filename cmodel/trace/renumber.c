// SPDX-License-Identifier: Apache-2.0
// renumber.c: see renumber.h.
#include "trace/renumber.h"

#include <stdlib.h>

#include "trace/pages.h"

struct gmmu_renumber {
    gmmu_pages *pages, *spaces;
    uint32_t last_asid, last_space;  // of the last walk; GMMU_NO_PAGE: there is none
};

gmmu_renumber *gmmu_renumber_create(void) {
    gmmu_renumber *n = calloc(1, sizeof *n);
    if (n == NULL) {
        return NULL;
    }
    n->pages = gmmu_pages_create();
    n->spaces = gmmu_pages_create();
    n->last_space = GMMU_NO_PAGE;
    if (n->pages == NULL || n->spaces == NULL) {
        gmmu_renumber_free(n);
        return NULL;
    }
    return n;
}

// The number of the address space ASID, which most often is that of the walk before.
static inline uint32_t space_of(gmmu_renumber *n, uint32_t asid) {
    if (asid != n->last_asid || n->last_space == GMMU_NO_PAGE) {
        n->last_asid = asid;
        n->last_space = gmmu_pages_index(n->spaces, 0, asid);
    }
    return n->last_space;
}

size_t gmmu_renumber_walks(gmmu_renumber *n, gmmu_walk *walks, size_t count) {
    enum { PIECE = 256 };
    uint32_t page[PIECE];
    for (size_t at = 0; at < count; at += PIECE) {
        const size_t size = count - at < PIECE ? count - at : PIECE;
        const size_t good = gmmu_pages_index_walks(n->pages, walks + at, size, page);
        for (size_t i = 0; i < good; i++) {
            gmmu_walk *w = &walks[at + i];
            const uint32_t space = space_of(n, w->asid);
            if (space == GMMU_NO_PAGE) {
                return at + i;
            }
            w->vpn = page[i];
            w->asid = space;
        }
        if (good != size) {
            return at + good;
        }
    }
    return count;
}

void gmmu_renumber_free(gmmu_renumber *n) {
    if (n != NULL) {
        gmmu_pages_destroy(n->pages);
        gmmu_pages_destroy(n->spaces);
        free(n);
    }
}
