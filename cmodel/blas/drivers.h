// SPDX-License-Identifier: Apache-2.0
// drivers.h: LAPACK's routines that programs call and that call many others: their signatures,
// operands, scratch memory and operations. A part of routines.h; the rows are those of
// table.def.
#ifndef GMMU_BLAS_DRIVERS_H
#define GMMU_BLAS_DRIVERS_H

#include <stddef.h>

#include "blas/call.h"
#include "blas/table.def"

#ifdef __cplusplus
extern "C" {
#endif

static inline bool gmmu_blas_is_driver(gmmu_blas_family family) {
    return family >= GMMU_BLAS_GESDD;
}

// True: the routine iterates, and its number of operations is an estimate.
static inline bool gmmu_blas_is_estimated(gmmu_blas_family family) {
    return (family >= GMMU_BLAS_GESDD && family <= GMMU_BLAS_GGEVX) ||
           (family >= GMMU_BLAS_GELSD && family <= GMMU_BLAS_SYSVX);
}

// What an argument is; each is a pointer. AT: the field of gmmu_blas_call, from its beginning.
typedef enum {
    GMMU_BLAS_CHAR,
    GMMU_BLAS_INT,
    GMMU_BLAS_ARRAY,
    GMMU_BLAS_INFO,
    GMMU_BLAS_VALUE,     // a real number that is read
    GMMU_BLAS_FOUND,     // an integer that is written
    GMMU_BLAS_ESTIMATE,  // a real number that is written
    GMMU_BLAS_CODE,      // a function of the program
    GMMU_BLAS_LETTER     // one character that is read and written
} gmmu_blas_kind;

// True: the length of the argument is given behind all arguments.
static inline bool gmmu_blas_has_length(gmmu_blas_kind kind) {
    return kind == GMMU_BLAS_CHAR || kind == GMMU_BLAS_LETTER;
}

enum { GMMU_BLAS_MOST_ARGUMENTS = 29 };
typedef struct {
    unsigned count;
    struct {
        gmmu_blas_kind kind;
        size_t at;
    } argument[GMMU_BLAS_MOST_ARGUMENTS];
} gmmu_blas_signature;

#define GMMU_BLAS_SIGNATURE_NAME(signature) GMMU_BLAS_SIGNATURE_##signature,
enum { GMMU_BLAS_SIGNATURES(GMMU_BLAS_SIGNATURE_NAME) GMMU_BLAS_SIGNATURE_COUNT };
extern const gmmu_blas_signature gmmu_blas_signatures[GMMU_BLAS_SIGNATURE_COUNT];

// Fills CALL, whose family, type and size of an integer are known, from its arguments.
void gmmu_blas_driver_fill(gmmu_blas_call *call, const gmmu_blas_signature *signature,
                           void *const *argument);
// True: the call asks for the size of its scratch memory, and does no work.
bool gmmu_blas_driver_asks(const gmmu_blas_call *call);
// As gmmu_blas_operands, of a driver. An argument that is refused for its scratch memory's size
// alone is not found.
unsigned gmmu_blas_driver_operands(const gmmu_blas_call *call, gmmu_sem_operand *out);
// Writes to OUT the scratch memory of a call that has operands, and returns the number of pieces:
// what is there before is not read, and what is there after has no meaning, but for the first
// element.
unsigned gmmu_blas_driver_scratch(const gmmu_blas_call *call, gmmu_sem_operand *out);
// Of a call that has returned, with EQUED as the call left it: which of its N operands might have
// been scaled and were not, a bit each. They were read alone.
uint32_t gmmu_blas_driver_unwritten(const gmmu_blas_call *call, const gmmu_sem_operand *operand,
                                    unsigned n);
// Operations of real numbers, as by gmmu_blas_flops.
uint64_t gmmu_blas_driver_flops(const gmmu_blas_call *call);

#ifdef __cplusplus
}
#endif
#endif
