// SPDX-License-Identifier: Apache-2.0
// gmt_model.h: the driver's model of reuse: from the beats of m_axis_rit to the registers
// cfg_tier_model, cfg_tier_near and cfg_tier_far.
//
// Source: GMT (Chang et al., ASPLOS '24) §2.1.3: a sample of accesses gives pairs of virtual time
// distance and reuse distance, through which a line is fitted every 10000 pairs (gmt_host.h). The
// unit tells accesses of the pages in its trace sampler; of those the model follows one page in
// 2^sample, few enough that the sampler has room for all of them.
#ifndef GMMU_GMT_MODEL_H
#define GMMU_GMT_MODEL_H

#include "driver/gmt_host.h"
#include "driver/rimm_host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_config unit;       // widths of the beats
    unsigned sample;        // log2 of the pages for one that is followed; at least cfg_sample
    uint64_t tier1, limit;  // pages: below tier1 in Tier 1, else below limit in Tier 2
} gmmu_gmt_model_config;

typedef struct {
    uint64_t vpn;
    uint32_t asid, number;  // number: 1 + the page's; 0: the place is free
} gmmu_gmt_name;

typedef struct {
    gmmu_gmt_model_config cfg;
    gmmu_rimm_host ear;  // takes the beats apart
    gmmu_gmt_host host;
    gmmu_gmt_name *name;    // pages that are followed, by hash; at most half full
    uint32_t names, pages;  // places, a power of two; pages
    bool no_memory;         // an access was not taken
} gmmu_gmt_model;

// What the registers shall be.
typedef struct {
    bool model;
    uint32_t near, far;
} gmmu_gmt_registers;

// Bytes that init needs; what it learns lies elsewhere, and grows with the pages that it follows.
size_t gmmu_gmt_model_bytes(const gmmu_gmt_model_config *cfg);
// Nonzero: SIZE is too small, a size is 2^32 or more, or there is no memory.
int gmmu_gmt_model_init(gmmu_gmt_model *m, const gmmu_gmt_model_config *cfg, void *mem,
                        size_t size);
void gmmu_gmt_model_free(gmmu_gmt_model *m);

// One beat: GMMU_RIMM_OK, _LOST, _BAD, as gmmu_rimm_host_beat.
int gmmu_gmt_model_beat(gmmu_gmt_model *m, const uint32_t words[GMMU_RIT_WORDS], bool last);
// An access at TIME, in walks; of a page that is not followed: nothing.
void gmmu_gmt_model_access(gmmu_gmt_model *m, uint32_t asid, uint64_t vpn, uint64_t time);
// Thresholds are walks; those that TIME_W bits cannot hold are the largest that they can.
gmmu_gmt_registers gmmu_gmt_registers_of(const gmmu_gmt_host *h, unsigned time_w);
gmmu_gmt_registers gmmu_gmt_model_registers(const gmmu_gmt_model *m);

#ifdef __cplusplus
}
#endif
#endif
