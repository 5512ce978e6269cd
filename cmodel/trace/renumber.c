// SPDX-License-Identifier: Apache-2.0
// renumber.c: see renumber.h.
#include "trace/renumber.h"

#include <stdlib.h>

#include "trace/pages.h"

struct gmmu_renumber {
    gmmu_pages *pages, *spaces;
};

gmmu_renumber *gmmu_renumber_create(void) {
    gmmu_renumber *n = calloc(1, sizeof *n);
    if (n == NULL) {
        return NULL;
    }
    n->pages = gmmu_pages_create();
    n->spaces = gmmu_pages_create();
    if (n->pages == NULL || n->spaces == NULL) {
        gmmu_renumber_free(n);
        return NULL;
    }
    return n;
}

size_t gmmu_renumber_walks(gmmu_renumber *n, gmmu_walk *walks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t page = gmmu_pages_index(n->pages, walks[i].asid, walks[i].vpn);
        const uint32_t space = gmmu_pages_index(n->spaces, 0, walks[i].asid);
        if (page == GMMU_NO_PAGE || space == GMMU_NO_PAGE) {
            return i;
        }
        walks[i].vpn = page;
        walks[i].asid = space;
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
