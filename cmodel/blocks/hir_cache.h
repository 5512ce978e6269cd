// SPDX-License-Identifier: Apache-2.0
// hir_cache.h: the hit information record cache: counts how often walks hit each page, for the
// driver, on m_axis_hir. Twin of rtl/export/gmmu_hir_cache.v (docs/reference/blocks/hir_cache.md).
//
// Source: HPE §IV.B, §V.C. An entry is a page set with a counter for each page. A walk hit counts.
// Every n-th fault the touched entries leave in the order of their first touch, and the cache is
// empty again. There is one function for each action, and no notion of cycles: whether the other
// bank is free at DRAIN_SWAP is an input.
#ifndef GMMU_HIR_CACHE_H
#define GMMU_HIR_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/arena.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_HIR_WORDS = 5 };        // most words of a beat
enum { GMMU_HIR_ENTRIES = 65535 };  // most SETS * WAYS: n has 16 bits

typedef struct {
    unsigned sets;    // HIR_SETS: a power of two
    unsigned ways;    // HIR_WAYS, at least 1
    unsigned pages;   // HIR_PAGES, pages of a set; a power of two; PAGES * CNT_W at most 64
    unsigned cnt_w;   // HIR_CNT_W, bits of a counter, at least 1; counters saturate
    unsigned vpn_w;   // 1 to 64, more than log2 PAGES
    unsigned asid_w;  // 1 to 32
} gmmu_hir_config;

// A record beat: a page set with at least one hit. The page set is vpn / PAGES; page p of the
// set has the CNT_W bits from p * CNT_W on.
typedef struct {
    uint32_t asid;
    uint64_t set, counters;
} gmmu_hir_record;

// A header beat: number of the packet (wraps at 2^16), number of records that follow, hits dropped
// since the packet before (stays at 65535).
typedef struct {
    uint32_t seq, n, dropped;
} gmmu_hir_head;

// The n records, in the order of their first touch, lie in the cache until the next DRAIN_SWAP that
// is not skipped.
typedef struct {
    gmmu_hir_head head;
    const gmmu_hir_record *record;
} gmmu_hir_packet;

typedef struct {
    uint64_t gen;    // generation of the interval in which the set was written last
    unsigned count;  // ways taken, from way 0 on; counts only if GEN is the cache's
} gmmu_hir_set;

typedef struct {
    gmmu_hir_config cfg;
    unsigned shift, psa_w;    // log2 PAGES; bits of a page set's number
    gmmu_hir_set *set;        // SETS
    uint16_t *slot;           // SETS * WAYS: place of a way's entry in the log
    gmmu_hir_record *log[2];  // of each bank: SETS * WAYS records, in the order of first touch
    unsigned bank, n;         // the bank that records, and the number of its entries
    uint64_t gen;             // generation; each swap starts a new one; 64 bits do not wrap
    uint32_t faults;          // faults since the last due fault
    uint32_t seq, dropped;    // fields of the next header
    uint32_t drops, skipped;  // hits dropped, swaps skipped, since reset; both wrap
} gmmu_hir_cache;

// The error in CFG, as "NAME: what was expected"; NULL: CFG is right.
const char *gmmu_hir_config_error(const gmmu_hir_config *cfg);

// Makes an empty cache in ARENA's memory. Not 0: CFG is wrong, or the memory does not suffice (an
// ARENA without memory reports the needed size).
int gmmu_hir_cache_init(gmmu_hir_cache *h, const gmmu_hir_config *cfg, gmmu_arena *arena);

// The set of the directory in which the page set SET may be.
unsigned gmmu_hir_cache_index(const gmmu_hir_cache *h, uint32_t asid, uint64_t set);

// HIT: a walk found its page in Tier 1; returns GMMU_HIR_*. ASID and VPN have no bits beyond ASID_W
// and VPN_W.
unsigned gmmu_hir_cache_hit(gmmu_hir_cache *h, uint32_t asid, uint64_t vpn);
// FAULT: counts a fault. True: the fault is due, as the TRANSFER-th since the last due fault or the
// start; DRAIN_SWAP has to follow before any other action. TRANSFER (cfg_transfer) 0: no fault is
// due, and counting starts anew.
bool gmmu_hir_cache_fault(gmmu_hir_cache *h, uint32_t transfer);
// DRAIN_SWAP. True: the other bank is free; the records leave as packet OUT, and the cache is
// empty. False: the swap counts as skipped, and recording goes on.
bool gmmu_hir_cache_drain_swap(gmmu_hir_cache *h, bool other_free, gmmu_hir_packet *out);

// Bits of a beat of m_axis_hir, for a header or a record, whichever is wider.
unsigned gmmu_hir_beat_bits(const gmmu_hir_config *cfg);
// Make the beat of a header and of a record: bit 0 of WORDS[0] is bit 0 of the beat; unused bits
// are 0.
void gmmu_hir_pack_head(const gmmu_hir_head *head, uint32_t words[GMMU_HIR_WORDS]);
void gmmu_hir_pack_record(const gmmu_hir_config *cfg, const gmmu_hir_record *record,
                          uint32_t words[GMMU_HIR_WORDS]);
// Return the header and the record of a beat.
gmmu_hir_head gmmu_hir_unpack_head(const uint32_t words[GMMU_HIR_WORDS]);
gmmu_hir_record gmmu_hir_unpack_record(const gmmu_hir_config *cfg,
                                       const uint32_t words[GMMU_HIR_WORDS]);

#ifdef __cplusplus
}
#endif
#endif
