// SPDX-License-Identifier: Apache-2.0
// crc32c.c: see crc32c.h. CRC-32C where the processor has no instruction for it.
#include "blocks/crc32c.h"

// One to three bits, bit by bit.
static inline uint32_t few_bits(uint32_t crc, uint64_t x, unsigned bits) {
    for (unsigned i = 0; i < bits; i++) {
        const uint32_t mix = (crc ^ (uint32_t)(x >> i)) & 1u;
        crc = (crc >> 1) ^ (mix ? 0x82F63B78u : 0u);
    }
    return crc;
}

// What four bits do.
static const uint32_t four[16] = {0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u,
                                  0x417B1DBCu, 0x5125DAD3u, 0x61C69362u, 0x7198540Du,
                                  0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u,
                                  0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u};
// And with four zeros behind them.
static const uint32_t four_more[16] = {0x00000000u, 0xF26B8303u, 0xE13B70F7u, 0x1350F3F4u,
                                       0xC79A971Fu, 0x35F1141Cu, 0x26A1E7E8u, 0xD4CA64EBu,
                                       0x8AD958CFu, 0x78B2DBCCu, 0x6BE22838u, 0x9989AB3Bu,
                                       0x4D43CFD0u, 0xBF284CD3u, 0xAC78BF27u, 0x5E133C24u};

// Fewer than eight bits.
static inline uint32_t rest_bits(uint32_t crc, uint64_t x, unsigned bits) {
    if (bits >= 4) {
        crc = crc >> 4 ^ four[(crc ^ (uint32_t)x) & 15u];
        x >>= 4;
        bits -= 4;
    }
    return few_bits(crc, x, bits);
}

uint32_t gmmu_crc32c_bits_portable(uint32_t crc, uint64_t x, unsigned bits) {
    for (; bits >= 8; bits -= 8) {
        const uint32_t at = crc ^ (uint32_t)x;
        crc = crc >> 8 ^ four_more[at & 15u] ^ four[at >> 4 & 15u];
        x >>= 8;
    }
    return rest_bits(crc, x, bits);
}
