// SPDX-License-Identifier: Apache-2.0
// memo.h: computation caches for factorisations (SemCache §5). A factorisation overwrites its
// operand, so a result is found by the operand's content: a digest finds a candidate, and the whole
// content is compared.
//
// The results are in the GPU; this file keeps copies of the contents, which say that a result is
// there. The functions are for one thread at a time.
#ifndef GMMU_BLAS_MEMO_H
#define GMMU_BLAS_MEMO_H

#include "blas/routines.h"

#ifdef __cplusplus
extern "C" {
#endif

// The factorisation in a call of GETRF, POTRF or GESV.
typedef struct {
    const unsigned char *start;
    uint64_t rows, columns, ld;  // elements
    unsigned element;            // bytes
    char triangle;               // U, L: only this triangle is read; 0: the whole matrix
    uint64_t flops;
    uint64_t result;  // bytes of the result: factors and pivots
    char name[16];    // such as "dgetrf", "dpotrf-U"
} gmmu_blas_computation;

// Finds the factorisation in CALL. False: CALL has none, or has no operands.
bool gmmu_blas_computation_of(const gmmu_blas_call *call, gmmu_blas_computation *c);

enum { GMMU_BLAS_MOST_CONTENTS = 4096 };

typedef struct {
    uint64_t asked, found;        // factorisations in all; those whose content had been kept
    uint64_t flops, found_flops;  // floating-point operations of both
    uint64_t ns, found_ns;        // time of both on the CPU
    uint64_t refused;             // contents that were too large, or without memory
    uint64_t left;                // contents that made room for others
    uint64_t contents, bytes;     // contents that are kept now, and their bytes
} gmmu_blas_memo_counts;

// A kept content. Its bytes are at [start, last], without gaps.
typedef struct gmmu_blas_content gmmu_blas_content;
struct gmmu_blas_content {
    gmmu_blas_content *next;           // next content of the bucket
    gmmu_blas_content *older, *newer;  // neighbours in order of the last use
    uint64_t digest, start, last;
    gmmu_blas_computation of;
    unsigned running;  // calls that use the content; the content stays meanwhile
};

typedef struct gmmu_blas_memos gmmu_blas_memos;
// Called with a content that is not kept any more.
typedef void gmmu_blas_left(void *context, uint64_t start, uint64_t last);

// Creates a cache for LIMIT bytes of contents. Only the bits in MASK of a digest count (tests use
// few bits). NULL: no memory.
gmmu_blas_memos *gmmu_blas_memos_create(uint64_t limit, uint64_t mask);
void gmmu_blas_memos_destroy(gmmu_blas_memos *m);
// Drops all contents and counts. Calls that run lose their contents.
void gmmu_blas_memos_clear(gmmu_blas_memos *m);

// A call with C is about to run. Returns the content of C, which stays until the call is done.
// *FOUND: the content had been kept; else the content is kept from now on, in place of the contents
// that were used longest ago, with which LEFT is called. NULL: the content does not fit, or no
// memory.
gmmu_blas_content *gmmu_blas_memos_begin(gmmu_blas_memos *m, const gmmu_blas_computation *c,
                                         bool *found, gmmu_blas_left *left, void *context);
// The call has run; its factorisation took NS nanoseconds.
void gmmu_blas_memos_end(gmmu_blas_memos *m, gmmu_blas_content *content, bool found, uint64_t ns);
// Splits CALL, which has the factorisation of CONTENT. Returns the event of the factorisation,
// which depends on the kept content. CALL becomes the rest of the call, which writes the factors
// and solves with them.
gmmu_sem_event gmmu_blas_memo_split(const gmmu_blas_content *content, gmmu_sem_event *call);
gmmu_blas_memo_counts gmmu_blas_memos_counted(const gmmu_blas_memos *m);

#ifdef __cplusplus
}
#endif
#endif
