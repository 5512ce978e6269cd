// SPDX-License-Identifier: Apache-2.0
// routines.h: the operands and the number of operations of a call of a BLAS or LAPACK routine, from
// the arguments alone. The routines are the rows of table.def.
#ifndef GMMU_BLAS_ROUTINES_H
#define GMMU_BLAS_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blas/call.h"
#include "blas/table.def"
#include "semcache/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// True: NAME, as in a trace, is a routine of the table, by whatever interface, in single precision.
__attribute__((pure)) bool gmmu_blas_is_single(const char *name);
// Classifies a value of the type s, d, c or z.
gmmu_blas_scalar gmmu_blas_scalar_of(char type, const void *value);
// Returns the Fortran letter of a value of a cblas enumeration; 0: there is none.
__attribute__((const)) char gmmu_blas_letter(int cblas);
// Turns CALL, whose matrices are stored by rows, into the call on the transposed matrices that does
// the same to the same memory.
void gmmu_blas_row_major(gmmu_blas_call *call);
// Writes the operands of CALL to OUT, one for each array, and returns their number. 0: the call
// touches no memory, because the call has nothing to do or has wrong arguments. Scalars and INFO
// are no operands.
unsigned gmmu_blas_operands(const gmmu_blas_call *call,
                            gmmu_sem_operand out[GMMU_BLAS_MOST_OPERANDS]);

#ifdef __cplusplus
}
#endif
#endif
