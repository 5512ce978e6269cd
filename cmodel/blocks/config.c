// SPDX-License-Identifier: Apache-2.0
// config.c: see config.h.
#include "blocks/config.h"

#include <string.h>

#include "blocks/frame_table.h"
#include "blocks/limits.h"
#include "blocks/rit_export.h"
#include "blocks/victim_select.h"

_Static_assert(GMMU_MOST_ROWS == 4096 && GMMU_MOST_GEN_W == 15 && GMMU_MOST_POOL == 64 &&
                   GMMU_RIT_BATCH == 128,
               "as the limits of config/gmmu.json");

const gmmu_config *gmmu_config_find(const char *name) {
    for (const gmmu_config *c = gmmu_configs; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

gmmu_hir_config gmmu_config_hir(const gmmu_config *c) {
    return (gmmu_hir_config){c->hir_sets,  c->hir_ways, c->hir_pages,
                             c->hir_cnt_w, c->vpn_w,    c->asid_w};
}

uint32_t gmmu_config_stamps(const gmmu_config *c) {
    return c->frames + c->faults + (c->t2_slots == 0 ? 0 : c->t2_slots + c->tp_sets * c->tp_ways);
}

unsigned gmmu_config_age_w(const gmmu_config *c) {
    const unsigned least = gmmu_index_bits(c->frames) + 1;
    const unsigned w = c->t2_slots == 0 ? least : gmmu_index_bits(gmmu_config_stamps(c));
    return w > least ? w : least;
}

static bool power_of_two(unsigned n) {
    return n != 0 && (n & (n - 1)) == 0;
}

const char *gmmu_config_error(const gmmu_config *c) {
#define LIMIT(rule, good) \
    if (!(good))          \
        return rule;
    GMMU_LIMITS(LIMIT)
#undef LIMIT
    return NULL;
}
