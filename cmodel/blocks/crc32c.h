// SPDX-License-Identifier: Apache-2.0
// crc32c.h: CRC-32C (Castagnoli) of a few bits, as hash (rtl/lib/crc32c.v).
#ifndef GMMU_CRC32C_H
#define GMMU_CRC32C_H

#include <stdint.h>

// Feeds the low BITS bits of X, least significant first, into the reflected CRC register.
// Start from 0xFFFFFFFF; the hash is the complement of the last result.
static inline uint32_t gmmu_crc32c_bits(uint32_t crc, uint64_t x, unsigned bits) {
    static const uint32_t four[16] = { // what four bits do
        0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u,
        0x417B1DBCu, 0x5125DAD3u, 0x61C69362u, 0x7198540Du,
        0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u,
        0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u};
    unsigned i = 0;
    for (; i + 4 <= bits; i += 4)
        crc = crc >> 4 ^ four[(crc ^ (uint32_t)(x >> i)) & 15u];
    for (; i < bits; i++) {
        const uint32_t mix = (crc ^ (uint32_t)(x >> i)) & 1u;
        crc = (crc >> 1) ^ (mix ? 0x82F63B78u : 0u);
    }
    return crc;
}

// Hash of {asid, key}: KEY_W bits of the key, then ASID_W bits of the address space.
static inline uint32_t gmmu_hash(uint32_t asid, unsigned asid_w, uint64_t key, unsigned key_w) {
    return ~gmmu_crc32c_bits(gmmu_crc32c_bits(0xFFFFFFFFu, key, key_w), asid, asid_w);
}

// A memory instruction's identity in REF_W bits: itself where it fits, else a hash of it.
static inline uint64_t gmmu_fold_ref(uint64_t ref, unsigned ref_w) {
    if (ref_w >= 64 || ref >> ref_w == 0)
        return ref;
    const uint64_t h = gmmu_hash(0, 0, ref, 64);
    return (h << 32 | h) & ((1ull << ref_w) - 1);
}

#endif
