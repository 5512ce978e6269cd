// SPDX-License-Identifier: Apache-2.0
// crc32c.h: CRC-32C (Castagnoli) of a few bits, as hash (rtl/lib/crc32c.v).
#ifndef GMMU_CRC32C_H
#define GMMU_CRC32C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Feeds the low BITS bits of X, least significant first, into the reflected CRC register.
// Start from 0xFFFFFFFF; the hash is the complement of the last result.
uint32_t gmmu_crc32c_bits(uint32_t crc, uint64_t x, unsigned bits);
// The same without the processor's CRC instruction.
uint32_t gmmu_crc32c_bits_portable(uint32_t crc, uint64_t x, unsigned bits);

// Hash of {asid, key}: KEY_W bits of the key, then ASID_W bits of the address space.
uint32_t gmmu_hash(uint32_t asid, unsigned asid_w, uint64_t key, unsigned key_w);

// A memory instruction's identity in REF_W bits: itself where it fits, else a hash of it.
static inline uint64_t gmmu_fold_ref(uint64_t ref, unsigned ref_w) {
    if (ref_w >= 64 || ref >> ref_w == 0)
        return ref;
    const uint64_t h = gmmu_hash(0, 0, ref, 64);
    return (h << 32 | h) & ((1ull << ref_w) - 1);
}

#ifdef __cplusplus
}
#endif
#endif
