// SPDX-License-Identifier: Apache-2.0
// lines.h: the line of a Python or R program that makes the call under way, by the interpreter's
// own functions.
#ifndef GMMU_BLAS_PRELOAD_LINES_H
#define GMMU_BLAS_PRELOAD_LINES_H

#include <stdbool.h>
#include <stddef.h>

// Writes "script.py:12 (function: library's function)" to TO. False: no interpreter is there, or
// this thread may not ask.
bool gmmu_blas_program_line(char *to, size_t size);
// Objects have come or gone: interpreters are looked for again.
void gmmu_blas_forget_interpreters(void);

#endif
