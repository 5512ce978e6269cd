// SPDX-License-Identifier: Apache-2.0
// space.h: a GPU's virtual address space: page-aligned arrays, each with its data on the host.
#ifndef GMMU_SPACE_H
#define GMMU_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GMMU_SPACE_ARRAYS = 32,       // the most arrays that a kernel may have
    GMMU_SPACE_FIRST_PAGE = 256,  // a low number, so that page numbers in a trace are short
    GMMU_SPACE_FOLD = 2 << 20     // bytes
};

typedef struct {
    const char *name;
    uint64_t base;   // virtual address of element 0, bytes
    uint64_t count;  // elements
    size_t element;  // bytes; a power of two, so that no element crosses a page
    void *data;      // the elements, zeroed at first
    size_t mapped;   // bytes of a folded array's mapping; 0: not folded
} gmmu_array;

typedef struct {
    unsigned page_shift;
    bool fold;       // arrays of gmmu_space_alloc are folded
    uint64_t pages;  // number of pages that are taken, from GMMU_SPACE_FIRST_PAGE on
    unsigned arrays;
    gmmu_array array[GMMU_SPACE_ARRAYS];
} gmmu_space;

void gmmu_space_init(gmmu_space *s, unsigned page_shift);
// Allocates COUNT elements of ELEMENT bytes at the next free page. COUNT = 0 takes one page. NULL
// and *err: no memory, or too many arrays. The array lives until gmmu_space_free.
//
// In a space that folds, an array of more than GMMU_SPACE_FOLD bytes has memory for so many bytes
// only: byte i is byte i modulo GMMU_SPACE_FOLD. All addresses stay, values are lost.
gmmu_array *gmmu_space_alloc(gmmu_space *s, const char *name, uint64_t count, size_t element,
                             gmmu_error *err);
// The same for an array whose values decide addresses: never folded.
gmmu_array *gmmu_space_alloc_whole(gmmu_space *s, const char *name, uint64_t count, size_t element,
                                   gmmu_error *err);
void gmmu_space_free(gmmu_space *s);
// Returns the number of pages that array A takes.
uint64_t gmmu_space_array_pages(const gmmu_space *s, const gmmu_array *a);

#ifdef __cplusplus
}
#endif
#endif
