// SPDX-License-Identifier: Apache-2.0
// place.h: the name of an instruction's place. The function calls neither the dynamic linker, whose
// lock may be held by a thread that waits for our lock, nor malloc.
#ifndef GMMU_BLAS_PLACE_H
#define GMMU_BLAS_PLACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes "object+0x1234" with the offset from the object's first mapping, or "?+0x7f...": no
// object.
void gmmu_blas_place_name(char *to, size_t size, uint64_t code);

#ifdef __cplusplus
}
#endif
#endif
