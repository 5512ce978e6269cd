// SPDX-License-Identifier: Apache-2.0
// blocks.h: blocks of malloc that share no page with other blocks: blocks that glibc maps one by
// one, from 128 KiB on. The first and the last page of an operand in such a block belong to the
// block alone.
#ifndef GMMU_BLAS_BLOCKS_H
#define GMMU_BLAS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_BLAS_BLOCKS = 4096 };

// The known blocks; all zero: no block.
typedef struct {
    struct {
        uint64_t start, last;
    } block[GMMU_BLAS_BLOCKS];
    size_t used;
} gmmu_blas_blocks;

// True: the page [start, last], in which an operand begins or ends, belongs to one block alone. A
// block is recognised by its first page. CONTEXT is a gmmu_blas_blocks. The function allocates no
// memory.
bool gmmu_blas_blocks_alone(void *context, uint64_t start, uint64_t last);
// The memory [start, last] is freed: the blocks there are forgotten.
void gmmu_blas_blocks_drop(gmmu_blas_blocks *b, uint64_t start, uint64_t last);

#ifdef __cplusplus
}
#endif
#endif
