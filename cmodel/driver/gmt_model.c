// SPDX-License-Identifier: Apache-2.0
// gmt_model.c: see gmt_model.h.
#include "driver/gmt_model.h"

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
    m->pages = gmmu_pages_create();
    return m->pages == NULL;
}

void gmmu_gmt_model_free(gmmu_gmt_model *m) {
    gmmu_gmt_host_free(&m->host);
    gmmu_pages_destroy(m->pages);
    m->pages = NULL;
}

int gmmu_gmt_model_beat(gmmu_gmt_model *m, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    return gmmu_rimm_host_beat(&m->ear, words, last);
}

void gmmu_gmt_model_access(gmmu_gmt_model *m, uint32_t asid, uint64_t vpn, uint64_t time) {
    const gmmu_config *u = &m->cfg.unit;
    // a page in the unit's first sample of one in 2^sample, by the hash of the trace sampler
    if (m->cfg.sample != 0 && gmmu_hash(asid, u->asid_w, vpn, u->vpn_w) >> (32 - m->cfg.sample))
        return;
    const uint32_t page = gmmu_pages_index(m->pages, asid, vpn);
    m->accesses++;
    if (page == GMMU_NO_PAGE || !gmmu_gmt_host_access(&m->host, page, time, m->cfg.sample))
        m->no_memory = true;
}

gmmu_gmt_registers gmmu_gmt_model_registers(const gmmu_gmt_model *m) {
    const uint64_t most = (1ull << m->cfg.unit.time_w) - 1;
    const gmmu_gmt_host *h = &m->host;
    return (gmmu_gmt_registers){.model = h->line.known,
                                .near = (uint32_t)(h->near < most ? h->near : most),
                                .far = (uint32_t)(h->far < most ? h->far : most)};
}
