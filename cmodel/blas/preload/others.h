// SPDX-License-Identifier: Apache-2.0
// others.h: routines of the loaded BLAS and LAPACK that the table does not have: they are counted
// and timed, by their names alone.
#ifndef GMMU_BLAS_OTHERS_H
#define GMMU_BLAS_OTHERS_H

#include <stdbool.h>
#include <stdio.h>

// Looks at what the loaded objects import, if there are objects that have not been looked at.
void gmmu_blas_others_look(void);
// True: CODE is a stub that stands for such a routine.
bool gmmu_blas_is_other(const void *code);
// Writes the lines of the report.
void gmmu_blas_others_report(FILE *to);
// In a child of fork: nothing was counted here.
void gmmu_blas_others_clear(void);

#endif
