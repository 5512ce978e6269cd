// SPDX-License-Identifier: Apache-2.0
// place.h: the name of an instruction's place. Asks neither the dynamic linker, whose lock may be
// held by one that waits for ours, nor malloc.
#ifndef GMMU_BLAS_PLACE_H
#define GMMU_BLAS_PLACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// "object+0x1234", the offset from the object's first mapping, or "?+0x7f…".
void gmmu_blas_place_name(char *to, size_t size, uint64_t code);

#ifdef __cplusplus
}
#endif
#endif
