// SPDX-License-Identifier: Apache-2.0
// config.c: see config.h.
#include "blocks/config.h"

#include <string.h>

#include "blocks/frame_table.h"
#include "blocks/rit_export.h"
#include "blocks/victim_select.h"

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

// Of a configuration with tiers.
static const char *tiers_error(const gmmu_config *c) {
    if (c->frame_mem != 0)
        return "FRAME_MEM 1 needs T2_SLOTS 0";
    if (!power_of_two(c->tp_sets) || !power_of_two(c->tp_ways) || c->tp_ways > 65536 ||
        c->tp_tag_w < 1 || c->tp_tag_w > 32 || gmmu_log2(c->tp_sets) + c->tp_tag_w > 32)
        return "TP_SETS and TP_WAYS must be powers of two, a page's hash at most 32 bits";
    if (c->tp_cnt_w < 1 || c->tp_cnt_w > 8)
        return "TP_CNT_W must be 1..8";
    // AGE comes every 2^(TIME_W-2-AGE_W) walks and takes up to 8 cycles
    if (c->t2_slots > 1u << 24 || gmmu_log2(c->tp_sets) + gmmu_log2(c->tp_ways) > 24 ||
        gmmu_config_age_w(c) + 5 > c->time_w)
        return "T2_SLOTS must be at most 2^24, all time stamps at most 2^(TIME_W-5)";
    return NULL;
}

const char *gmmu_config_error(const gmmu_config *c) {
    const gmmu_hir_config hir = gmmu_config_hir(c);
    if (c->vpn_w < 1 || c->vpn_w > 64 || c->ref_w < 1 || c->ref_w > 64)
        return "VPN_W and REF_W must be 1..64";
    if (c->asid_w < 1 || c->asid_w > 32 || c->sm_w < 1 || c->sm_w > 32)
        return "ASID_W and SM_W must be 1..32";
    if (c->time_w < 8 || c->time_w > 32)
        return "TIME_W must be 8..32";
    // AGE comes every 2^(TIME_W-3) / FRAMES walks and takes up to 8 cycles
    if (c->frames < 1 || c->faults < 1 || gmmu_index_bits(c->frames) + 6 > c->time_w)
        return "FRAMES must be 1..2^(TIME_W-6), FAULTS at least 1";
    if (c->faults > c->frames && c->faults > 1)
        return "FAULTS must not exceed FRAMES";
    if (c->seq_w < 32 && c->faults >= 1u << c->seq_w)  // else two may have one number
        return "FAULTS must be below 2^SEQ_W";
    if (c->faults > 1u << 20 || c->late > 1u << 20 || (c->late != 0 && !power_of_two(c->late)))
        return "FAULTS must be at most 2^20, LATE 0 or a power of two, at most 2^20";
    if (!power_of_two(c->notes) || c->notes < 2 || c->notes > 65536)
        return "NOTES must be a power of two, 2..65536";
    if (c->ways < 1 || c->classes % c->ways != 0 || !power_of_two(c->classes / c->ways) ||
        c->classes > GMMU_MOST_ROWS)
        return "CLASSES must be WAYS times a power of two, at most 4096";
    // SCRUB comes every 2^(TIME_W-3) / SAMPLER walks and may take 258 cycles
    if (c->sways < 1 || c->sampler % c->sways != 0 || !power_of_two(c->sampler / c->sways) ||
        c->sampler < 8 || gmmu_index_bits(c->sampler) + 12 > c->time_w ||
        c->sampler / c->sways > 65536)
        return "SAMPLER must be SWAYS times a power of two, 8..2^(TIME_W-12)";
    if (c->bins < 16 || c->bins > 116)
        return "BINS must be 16..116";
    if (c->cnt_w < 2 || c->cnt_w > 16 || c->exec_w < 2 || c->exec_w > 16 || c->gen_w < 1 ||
        c->gen_w > GMMU_MOST_GEN_W)
        return "CNT_W and EXEC_W must be 2..16, GEN_W 1..15";
    if (c->seq_w < 1 || c->seq_w > 32)
        return "SEQ_W must be 1..32";
    if (!power_of_two(c->pool) || c->pool > GMMU_MOST_POOL)
        return "POOL must be a power of two, at most 64";
    if (c->k < 1)
        return "K must be at least 1";
    if (!power_of_two(c->recq) || !power_of_two(c->sideq) || c->recq < 4 || c->sideq < 4)
        return "RECQ and SIDEQ must be powers of two, at least 4";
    if (!power_of_two(c->touchq) || !power_of_two(c->lines) || c->touchq < 4 || c->lines < 4)
        return "TOUCHQ and LINES must be powers of two, at least 4";
    if (!power_of_two(c->ritq) || c->ritq < 4 || c->ritq > GMMU_RIT_BATCH)
        return "RITQ must be a power of two, 4..128";
    if (c->ranges == 1 || c->ranges > 1024 || (c->ranges != 0 && c->vpn_w > 52))
        return "RANGES must be 2..1024 with VPN_W at most 52, or 0";
    if (c->t2_slots != 0 && tiers_error(c) != NULL)
        return tiers_error(c);
    return gmmu_hir_config_error(&hir);
}
