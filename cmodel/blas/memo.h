// SPDX-License-Identifier: Apache-2.0
// memo.h: computation caches (SemCache §5) for factorisations, which overwrite what they are made
// from: a result is found by its operand's content. A digest finds it, the comparison is whole.
//
// The results themselves are the GPU's; here is what tells that one is there: copies of contents.
// For one thread at a time.
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
    char triangle;               // U, L: of it alone; 0: all
    uint64_t flops;
    uint64_t result;  // bytes: factors and pivots
    char name[16];    // as "dgetrf", "dpotrf-U"
} gmmu_blas_computation;

// False: there is none in CALL, or it has no operands.
bool gmmu_blas_computation_of(const gmmu_blas_call *call, gmmu_blas_computation *c);

enum { GMMU_BLAS_MOST_CONTENTS = 4096 };

typedef struct {
    uint64_t asked, found;        // factorisations; of contents that were kept
    uint64_t flops, found_flops;  // of their operations
    uint64_t ns, found_ns;        // and their time on the CPU
    uint64_t refused;             // too large, or no memory
    uint64_t left;                // contents that made room for others
    uint64_t contents, bytes;     // that are kept now
} gmmu_blas_memo_counts;

// A content that is kept. Its bytes, densely, are at [start, last].
typedef struct gmmu_blas_content gmmu_blas_content;
struct gmmu_blas_content {
    gmmu_blas_content *next;           // of the same bucket
    gmmu_blas_content *older, *newer;  // by their last use
    uint64_t digest, start, last;
    gmmu_blas_computation of;
    unsigned running;  // calls that use it: it stays
};

typedef struct gmmu_blas_memos gmmu_blas_memos;
// Content that is kept no more.
typedef void gmmu_blas_left(void *context, uint64_t start, uint64_t last);

// For LIMIT bytes of contents, of a digest of which the bits in MASK count (tests: few). NULL: no
// memory.
gmmu_blas_memos *gmmu_blas_memos_create(uint64_t limit, uint64_t mask);
void gmmu_blas_memos_destroy(gmmu_blas_memos *m);
// All contents go, and the counts; calls that run lose theirs.
void gmmu_blas_memos_clear(gmmu_blas_memos *m);

// A call with C is about to run: its content, *FOUND if it had been kept, else kept from now on,
// in place of those that were used longest ago; LEFT hears of these. It stays until the call is
// done. NULL: the content does not fit, or there is no memory.
gmmu_blas_content *gmmu_blas_memos_begin(gmmu_blas_memos *m, const gmmu_blas_computation *c,
                                         bool *found, gmmu_blas_left *left, void *context);
// It has run; the factorisation took NS.
void gmmu_blas_memos_end(gmmu_blas_memos *m, gmmu_blas_content *content, bool found, uint64_t ns);
// CALL with the factorisation of CONTENT in it: the event for that, which depends on the content
// that is kept, and CALL becomes the rest: it writes the factors, and solves with them.
gmmu_sem_event gmmu_blas_memo_split(const gmmu_blas_content *content, gmmu_sem_event *call);
gmmu_blas_memo_counts gmmu_blas_memos_counted(const gmmu_blas_memos *m);

#ifdef __cplusplus
}
#endif
#endif
