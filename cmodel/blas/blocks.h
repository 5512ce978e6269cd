// SPDX-License-Identifier: Apache-2.0
// blocks.h: blocks of malloc that have their pages for themselves: those that glibc maps one by
// one, 128 KiB and more. An operand's first and last page are of nobody else there.
#ifndef GMMU_BLAS_BLOCKS_H
#define GMMU_BLAS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_BLAS_BLOCKS = 4096 };

// All zero: none.
typedef struct {
    struct {
        uint64_t start, last;
    } block[GMMU_BLAS_BLOCKS];
    size_t used;
} gmmu_blas_blocks;

// Is the page [start, last], in which an operand begins or ends, of one block alone? A block is
// known from its first page; CONTEXT is a gmmu_blas_blocks. Asks nobody for memory.
bool gmmu_blas_blocks_alone(void *context, uint64_t start, uint64_t last);
// The memory [start, last] goes, and what was known of blocks there.
void gmmu_blas_blocks_drop(gmmu_blas_blocks *b, uint64_t start, uint64_t last);

#ifdef __cplusplus
}
#endif
#endif
