// SPDX-License-Identifier: Apache-2.0
// imports.h: what the loaded objects import from one another, from their relocations in memory.
#ifndef GMMU_BLAS_IMPORTS_H
#define GMMU_BLAS_IMPORTS_H

#include <stdbool.h>

typedef struct {
    const char *object;  // its file; "": the program
    const char *name;
    void **slot;     // where the object has the symbol's address
    bool weak;       // the object can do without
    bool read_only;  // the slot was made read-only after the object was loaded
} gmmu_blas_import;

// Calls EACH for each function, or symbol of unknown type, that a loaded object other than this
// library imports. EACH may not load or look up objects.
void gmmu_blas_imports(void (*each)(void *context, const gmmu_blas_import *import), void *context);

#endif
