// SPDX-License-Identifier: Apache-2.0
// walk_pipe.c: see walk_pipe.h and docs/reference/blocks/gmmu_tier.md.
#include "blocks/walk_pipe.h"

#include "blocks/config.h"

// Walks between two AGE actions: a round over all stamps takes at most 2^(TIME_W-2) walks. With
// more stamps than a legal configuration has, an AGE comes with every walk.
static uint32_t age_every(const gmmu_config *cfg) {
    const unsigned age_w = gmmu_config_age_w(cfg);
    return age_w + 2 < cfg->time_w ? 1u << (cfg->time_w - 2 - age_w) : 1;
}

// Walks between two SCRUBs: each entry is visited every 2^(TIME_W-3) walks, so that no stamp
// outlives 2^(TIME_W-1) walks, delays included.
static uint32_t scrub_every(const gmmu_config *cfg) {
    return 1u << (cfg->time_w - 3 - gmmu_index_bits(cfg->sampler));
}

void gmmu_walk_pipe_init(gmmu_walk_pipe *w, const gmmu_config *cfg) {
    w->time = w->went = 0;
    w->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    w->age_mask = age_every(cfg) - 1;
    w->scrub_mask = scrub_every(cfg) - 1;
}
