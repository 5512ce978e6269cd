// SPDX-License-Identifier: Apache-2.0
// link.h: reads the file of a machine: the rates and times of the model (docs/guide/semcache.md,
// "Machines").
#ifndef GMMU_SEM_LINK_H
#define GMMU_SEM_LINK_H

#include "semcache/play.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads PATH to *l; members that the file does not have stay as they are, but that operations in
// single precision take the rate of double precision if the file has only the latter. False: *err
// says "PATH:LINE: found X, expected Y"; *l is not defined.
bool gmmu_sem_link_read(const char *path, gmmu_sem_link *l, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
