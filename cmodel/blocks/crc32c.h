// SPDX-License-Identifier: Apache-2.0
// crc32c.h: CRC-32C (Castagnoli) of a few bits, as hash (rtl/lib/crc32c.v).
#ifndef GMMU_CRC32C_H
#define GMMU_CRC32C_H

#include <stdint.h>

// Feeds the low BITS bits of X, least significant first, into the reflected CRC register.
// Start from 0xFFFFFFFF; the hash is the complement of the last result.
static inline uint32_t gmmu_crc32c_bits(uint32_t crc, uint64_t x, unsigned bits) {
    static const uint32_t four[16] = {// what four bits do
                                      0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u,
                                      0x417B1DBCu, 0x5125DAD3u, 0x61C69362u, 0x7198540Du,
                                      0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u,
                                      0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u};
    static const uint32_t four_more[16] = {// and with four zeros behind them
                                           0x00000000u, 0xF26B8303u, 0xE13B70F7u, 0x1350F3F4u,
                                           0xC79A971Fu, 0x35F1141Cu, 0x26A1E7E8u, 0xD4CA64EBu,
                                           0x8AD958CFu, 0x78B2DBCCu, 0x6BE22838u, 0x9989AB3Bu,
                                           0x4D43CFD0u, 0xBF284CD3u, 0xAC78BF27u, 0x5E133C24u};
    unsigned i = 0;
    for (; i + 8 <= bits; i += 8) {
        const uint32_t at = crc ^ (uint32_t)(x >> i);
        crc = crc >> 8 ^ four_more[at & 15u] ^ four[at >> 4 & 15u];
    }
    for (; i + 4 <= bits; i += 4) crc = crc >> 4 ^ four[(crc ^ (uint32_t)(x >> i)) & 15u];
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
