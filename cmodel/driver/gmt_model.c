// SPDX-License-Identifier: Apache-2.0
// gmt_model.c: see gmt_model.h.
#include "driver/gmt_model.h"

#include <stdlib.h>

#include "blocks/crc32c.h"

static void on_access(void *ctx, const gmmu_rimm_fault *a) {
    gmmu_gmt_model_access(ctx, a->asid, a->vpn, a->time);
}

static gmmu_rimm_config ear_of(const gmmu_gmt_model_config *cfg) {
    return (gmmu_rimm_config){.unit = cfg->unit, .frames = 1, .refresh = 31};
}

size_t gmmu_gmt_model_bytes(const gmmu_gmt_model_config *cfg) {
    const gmmu_rimm_config ear = ear_of(cfg);
    return gmmu_rimm_host_bytes(&ear);
}

int gmmu_gmt_model_init(gmmu_gmt_model *m, const gmmu_gmt_model_config *cfg, void *mem,
                        size_t size) {
    const gmmu_rimm_config ear = ear_of(cfg);
    *m = (gmmu_gmt_model){.cfg = *cfg};
    if (cfg->sample > 31 || cfg->tier1 > UINT32_MAX || cfg->limit > UINT32_MAX ||
        gmmu_rimm_host_init(&m->ear, &ear, mem, size) != 0)
        return 1;
    m->ear.on_access = on_access;
    m->ear.ctx = m;
    gmmu_gmt_host_init(&m->host, cfg->tier1, cfg->limit);
    return 0;
}

void gmmu_gmt_model_free(gmmu_gmt_model *m) {
    gmmu_gmt_host_free(&m->host);
    free(m->name);
    m->name = NULL;
}

int gmmu_gmt_model_beat(gmmu_gmt_model *m, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    return gmmu_rimm_host_beat(&m->ear, words, last);
}

// The place of a page among NAMES of them, or the free one where it belongs.
static gmmu_gmt_name *place_of(const gmmu_gmt_model *m, gmmu_gmt_name *name, uint32_t names,
                               uint32_t asid, uint64_t vpn) {
    uint32_t at = gmmu_hash(asid, m->cfg.unit.asid_w, vpn, m->cfg.unit.vpn_w);
    for (;; at++) {
        gmmu_gmt_name *n = &name[at & (names - 1)];
        if (n->number == 0 || (n->asid == asid && n->vpn == vpn))
            return n;
    }
}

// Twice as many places. False: no memory.
static bool grow(gmmu_gmt_model *m) {
    const uint32_t names = m->names == 0 ? 1024 : 2 * m->names;
    gmmu_gmt_name *name = names > 1u << 30 ? NULL : calloc(names, sizeof *name);
    if (name == NULL)
        return false;
    for (uint32_t i = 0; i < m->names; i++)
        if (m->name[i].number != 0)
            *place_of(m, name, names, m->name[i].asid, m->name[i].vpn) = m->name[i];
    free(m->name);
    m->name = name;
    m->names = names;
    return true;
}

// A number for the page. False: no memory.
static bool number_of(gmmu_gmt_model *m, uint32_t asid, uint64_t vpn, uint32_t *page) {
    if (2 * (uint64_t)m->pages >= m->names && !grow(m))
        return false;
    gmmu_gmt_name *n = place_of(m, m->name, m->names, asid, vpn);
    if (n->number == 0)
        *n = (gmmu_gmt_name){vpn, asid, ++m->pages};
    *page = n->number - 1;
    return true;
}

void gmmu_gmt_model_access(gmmu_gmt_model *m, uint32_t asid, uint64_t vpn, uint64_t time) {
    const gmmu_config *u = &m->cfg.unit;
    // a page in the unit's first sample of one in 2^sample, by the hash of the trace sampler
    if (m->cfg.sample != 0 && gmmu_hash(asid, u->asid_w, vpn, u->vpn_w) >> (32 - m->cfg.sample))
        return;
    uint32_t page;
    if (!number_of(m, asid, vpn, &page) ||
        !gmmu_gmt_host_access(&m->host, page, time, m->cfg.sample))
        m->no_memory = true;
}

gmmu_gmt_registers gmmu_gmt_registers_of(const gmmu_gmt_host *h, unsigned time_w) {
    const uint64_t most = (1ull << time_w) - 1;
    return (gmmu_gmt_registers){.model = h->line.known,
                                .near = (uint32_t)(h->near < most ? h->near : most),
                                .far = (uint32_t)(h->far < most ? h->far : most)};
}

gmmu_gmt_registers gmmu_gmt_model_registers(const gmmu_gmt_model *m) {
    return gmmu_gmt_registers_of(&m->host, m->cfg.unit.time_w);
}
