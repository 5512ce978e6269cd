// SPDX-License-Identifier: Apache-2.0
// space.c: a GPU's virtual address space.
#include "simt/space.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void gmmu_space_init(gmmu_space *s, unsigned page_shift) {
    *s = (gmmu_space){.page_shift = page_shift};
}

uint64_t gmmu_space_array_pages(const gmmu_space *s, const gmmu_array *a) {
    uint64_t bytes = a->count * a->element;
    return bytes == 0 ? 1 : ((bytes - 1) >> s->page_shift) + 1;
}

gmmu_array *gmmu_space_alloc(gmmu_space *s, const char *name, uint64_t count, size_t element,
                             gmmu_error *err) {
    if (s->arrays == GMMU_SPACE_ARRAYS) {
        snprintf(err->text, sizeof err->text, "array %s: found %u arrays already, expected fewer",
                 name, s->arrays);
        return NULL;
    }
    bool fits = count <= PTRDIFF_MAX / element;
    void *data = fits ? calloc(count == 0 ? 1 : (size_t)count, element) : NULL;
    if (data == NULL) {
        snprintf(err->text, sizeof err->text,
                 "array %s: no memory for %" PRIu64 " elements of %zu bytes", name, count, element);
        return NULL;
    }
    gmmu_array *a = &s->array[s->arrays++];
    *a = (gmmu_array){.name = name,
                      .base = (GMMU_SPACE_FIRST_PAGE + s->pages) << s->page_shift,
                      .count = count,
                      .element = element,
                      .data = data};
    s->pages += gmmu_space_array_pages(s, a);
    return a;
}

void gmmu_space_free(gmmu_space *s) {
    for (unsigned i = 0; i < s->arrays; i++) free(s->array[i].data);
    gmmu_space_init(s, s->page_shift);
}
