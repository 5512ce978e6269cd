// SPDX-License-Identifier: Apache-2.0
// sha256.h: SHA-256 (FIPS 180-4), for the names of results by what made them.
#ifndef GMMU_SWEEP_SHA256_H
#define GMMU_SWEEP_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

enum { GMMU_SHA256_HEX = 65 };  // bytes of a digest as text, with the 0 behind

typedef struct {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
} gmmu_sha256;

gmmu_sha256 gmmu_sha256_start(void);
void gmmu_sha256_add(gmmu_sha256 *s, const void *data, size_t size);
// The digest of what was added, as 64 hexadecimal digits. S is used up.
void gmmu_sha256_end(gmmu_sha256 *s, char hex[GMMU_SHA256_HEX]);
// The digest of the file PATH. False and *err: the file cannot be read.
bool gmmu_sha256_file(const char *path, char hex[GMMU_SHA256_HEX], gmmu_error *err);

#endif
