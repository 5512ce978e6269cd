// SPDX-License-Identifier: Apache-2.0
// gmt_model.h: the driver's model of reuse: from the beats of m_axis_rit to the registers
// cfg_tier_model, cfg_tier_near and cfg_tier_far.
//
// A sample of accesses gives pairs of virtual time distance and reuse distance. A line is fitted
// through the pairs every 10000 pairs (gmt_host.h). The unit reports accesses to the pages of its
// trace sampler. Of these pages the model follows one in 2^sample, so few that the sampler has room
// for all of them. Source: GMT (Chang et al., ASPLOS '24) §2.1.3.
#ifndef GMMU_GMT_MODEL_H
#define GMMU_GMT_MODEL_H

#include "driver/gmt_host.h"
#include "driver/rimm_host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_config unit;       // widths of the beats
    unsigned sample;        // the model follows one page in 2^sample; at least cfg_sample
    uint64_t tier1, limit;  // reuse distances in pages: below tier1 Tier 1, below limit Tier 2
} gmmu_gmt_model_config;

typedef struct {
    uint64_t vpn;
    uint32_t asid, number;  // number: 1 + the page's number; 0: the entry is free
} gmmu_gmt_name;

typedef struct {
    gmmu_gmt_model_config cfg;
    gmmu_rimm_host ear;  // decodes the beats
    gmmu_gmt_host host;
    gmmu_gmt_name *name;    // hash table of the followed pages, at most half full
    uint32_t names, pages;  // entries, a power of two; followed pages
    bool no_memory;         // an access was lost for lack of memory
} gmmu_gmt_model;

// Values for cfg_tier_model, cfg_tier_near and cfg_tier_far.
typedef struct {
    bool model;
    uint32_t near, far;
} gmmu_gmt_registers;

// Returns the bytes that init needs. More memory is taken later, and grows with the followed pages.
size_t gmmu_gmt_model_bytes(const gmmu_gmt_model_config *cfg);
// Makes M in the SIZE bytes at MEM. Nonzero: SIZE is too small, a tier's size is 2^32 or more, or
// no memory.
int gmmu_gmt_model_init(gmmu_gmt_model *m, const gmmu_gmt_model_config *cfg, void *mem,
                        size_t size);
void gmmu_gmt_model_free(gmmu_gmt_model *m);

// Takes one beat of m_axis_rit. Returns GMMU_RIMM_OK, _LOST or _BAD, as gmmu_rimm_host_beat.
int gmmu_gmt_model_beat(gmmu_gmt_model *m, const uint32_t words[GMMU_RIT_WORDS], bool last);
// An access at TIME, in walks. An access to a page that is not followed has no effect.
void gmmu_gmt_model_access(gmmu_gmt_model *m, uint32_t asid, uint64_t vpn, uint64_t time);
// Returns the values for the registers. Thresholds are in walks; a threshold beyond TIME_W bits
// becomes 2^TIME_W - 1.
gmmu_gmt_registers gmmu_gmt_registers_of(const gmmu_gmt_host *h, unsigned time_w);
gmmu_gmt_registers gmmu_gmt_model_registers(const gmmu_gmt_model *m);

#ifdef __cplusplus
}
#endif
#endif
