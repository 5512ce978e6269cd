// SPDX-License-Identifier: Apache-2.0
// crc32c.h: CRC-32C (Castagnoli) of a few bits, as hash (rtl/lib/gmmu_crc32c.v).
#ifndef GMMU_CRC32C_H
#define GMMU_CRC32C_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The same as gmmu_crc32c_bits without the processor's CRC instruction.
uint32_t gmmu_crc32c_bits_portable(uint32_t crc, uint64_t x, unsigned bits);

#ifdef __x86_64__
// True: the processor has the CRC instruction (SSE4.2).
static inline bool gmmu_crc32c_by_instruction(void) {
    return __builtin_cpu_supports("sse4.2");
}
// Returns what a CRC register of 0 becomes by the 64 bits of X. The processor must have the
// instruction.
static inline uint32_t gmmu_crc32c_word(uint64_t x) {
    uint64_t crc = 0;
    __asm__("crc32q %1, %0" : "+r"(crc) : "r"(x));
    return (uint32_t)crc;
}
#else
// The same for other processors: none has the instruction.
static inline bool gmmu_crc32c_by_instruction(void) {
    return false;
}
// The same as above, without the instruction.
static inline uint32_t gmmu_crc32c_word(uint64_t x) {
    return gmmu_crc32c_bits_portable(0, x, 64);
}
#endif

// Feeds the low BITS bits (0 to 64) of X, least significant first, into the reflected CRC register,
// and returns the register. Start from 0xFFFFFFFF; the hash is the complement of the last result.
// Any number of bits is one instruction: what is fed reaches the register's low BITS bits, zeros
// before them change nothing in a register that is 0, and the register's other bits move down.
static inline uint32_t gmmu_crc32c_bits(uint32_t crc, uint64_t x, unsigned bits) {
    if (!gmmu_crc32c_by_instruction())
        return gmmu_crc32c_bits_portable(crc, x, bits);
    if (bits == 0)
        return crc;
    return (uint32_t)((uint64_t)crc >> (bits < 32 ? bits : 32)) ^
           gmmu_crc32c_word((crc ^ x) << (64 - bits));
}

// Returns the 32-bit hash of {asid, key}: KEY_W (0 to 64) bits of the key, then ASID_W (0 to 32)
// bits of the address space. Bits beyond the widths do not count.
static inline uint32_t gmmu_hash(uint32_t asid, unsigned asid_w, uint64_t key, unsigned key_w) {
    if (key_w == 0 || key_w >= 64 || key_w + asid_w > 64)
        return ~gmmu_crc32c_bits(gmmu_crc32c_bits(0xFFFFFFFFu, key, key_w), asid, asid_w);
    const uint64_t own = key << (64 - key_w) >> (64 - key_w), both = (uint64_t)asid << key_w | own;
    return ~gmmu_crc32c_bits(0xFFFFFFFFu, both, key_w + asid_w);  // one after the other, as one
}

// gmmu_hash of fixed widths, prepared.
typedef struct {
    unsigned asid_w, key_w;
    bool quick;  // the hash is one instruction: of UP bits fewer than 64, with REST of the start
    unsigned up;
    uint32_t rest;
    uint64_t key_mask;
} gmmu_hash_form;

// Prepares gmmu_hash of the widths ASID_W and KEY_W, with the limits of gmmu_hash.
static inline gmmu_hash_form gmmu_hash_form_of(unsigned asid_w, unsigned key_w) {
    gmmu_hash_form f = {};
    f.asid_w = asid_w;
    f.key_w = key_w;
    f.quick = gmmu_crc32c_by_instruction() && key_w > 0 && key_w < 64 && key_w + asid_w <= 64;
    if (f.quick) {
        const unsigned bits = key_w + asid_w;
        f.up = 64 - bits;
        f.rest = (uint32_t)(0xFFFFFFFFull >> (bits < 32 ? bits : 32));
        f.key_mask = (1ull << key_w) - 1;
    }
    return f;
}
// Returns gmmu_hash of ASID and KEY, of the widths of F: mostly by one instruction.
static inline uint32_t gmmu_hash_by(const gmmu_hash_form *f, uint32_t asid, uint64_t key) {
    if (!f->quick)
        return gmmu_hash(asid, f->asid_w, key, f->key_w);
    const uint64_t both = (uint64_t)asid << f->key_w | (key & f->key_mask);
    return ~(f->rest ^ gmmu_crc32c_word((both ^ 0xFFFFFFFFull) << f->up));
}

// A memory instruction's identity in REF_W bits, at least 1: itself where it fits, else the low
// bits of its hash, written twice.
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
