// SPDX-License-Identifier: Apache-2.0
// blocks.c: see blocks.h.
#include "blas/blocks.h"

enum { HEADER_BITS = 7, MAPPED = 2 };  // of a chunk's size: what kind it is; mapped by itself

// glibc's header of a block that is mapped by itself: 0, and its size with one bit.
static uint64_t size_of_block(uint64_t page, uint64_t bytes) {
    const volatile uint64_t *header = (const volatile uint64_t *)(uintptr_t)page;
    const uint64_t before = header[0], size = header[1];
    const bool is = before == 0 && (size & HEADER_BITS) == MAPPED && (size - MAPPED) % bytes == 0 &&
                    size - MAPPED >= bytes && size >> 46 == 0;
    return is ? size - MAPPED : 0;
}

bool gmmu_blas_blocks_alone(void *context, uint64_t start, uint64_t last) {
    gmmu_blas_blocks *b = context;
    for (size_t i = 0; i < b->used; i++)
        if (b->block[i].start <= start && last <= b->block[i].last)
            return true;
    const uint64_t size = size_of_block(start, last - start + 1);
    if (size == 0 || b->used == GMMU_BLAS_BLOCKS)
        return false;
    b->block[b->used].start = start;
    b->block[b->used++].last = start + size - 1;
    return true;
}

void gmmu_blas_blocks_drop(gmmu_blas_blocks *b, uint64_t start, uint64_t last) {
    for (size_t i = 0; i < b->used;)
        if (b->block[i].start <= last && start <= b->block[i].last)
            b->block[i] = b->block[--b->used];
        else
            i++;
}
