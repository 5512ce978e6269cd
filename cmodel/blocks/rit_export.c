// SPDX-License-Identifier: Apache-2.0
// rit_export.c: see rit_export.h and docs/reference/blocks/rit_export.md.
#include "blocks/rit_export.h"

#include "blocks/beat.h"

enum { MOST_DROPPED = 65535, SEQ_MASK = 65535 };

int gmmu_rit_export_init(gmmu_rit_export *x, const gmmu_config *cfg, gmmu_arena *arena) {
    *x = (gmmu_rit_export){.size = cfg->ritq};
    x->name = gmmu_take(arena, cfg->classes, sizeof *x->name);
    x->queue = gmmu_take(arena, cfg->ritq, sizeof *x->queue);
    return x->queue == NULL;
}

void gmmu_rit_export_name(gmmu_rit_export *x, gmmu_class cls, uint32_t asid, uint64_t ref) {
    x->name[cls.row] = (gmmu_rit_name){ref, asid, cls.gen};
}

void gmmu_rit_export_record(const gmmu_rit_export *x, gmmu_rit_record rec, gmmu_rit_event *ev) {
    const gmmu_rit_name *name = &x->name[rec.cls.row];
    ev->rec = true;
    ev->censored = rec.censored;
    ev->interval = rec.interval;
    ev->known = rec.cls.row != 0 && name->gen == rec.cls.gen;
    ev->r_asid = ev->known ? name->asid : 0;
    ev->r_ref = ev->known ? name->ref : 0;
}

unsigned gmmu_rit_export_put(gmmu_rit_export *x, const gmmu_rit_event *ev) {
    if (x->waiting == x->size) {
        x->drops++;
        if (x->dropped < MOST_DROPPED)
            x->dropped++;
        return GMMU_RIT_DROPPED;
    }
    x->queue[(x->first + x->waiting++) & (x->size - 1)] = *ev;
    x->flush |= ev->fault;
    return GMMU_RIT_QUEUED;
}

static unsigned full(const gmmu_rit_export *x, unsigned batch) {
    return batch == 0 || batch > x->size ? x->size : batch;
}

bool gmmu_rit_export_due(const gmmu_rit_export *x, unsigned batch) {
    return x->flush || x->waiting >= full(x, batch);
}

void gmmu_rit_export_send(gmmu_rit_export *x, unsigned batch, uint32_t time, gmmu_rit_packet *out) {
    const unsigned most = full(x, batch), n = x->waiting < most ? x->waiting : most;
    out->head = (gmmu_rit_head){x->seq, n, x->dropped, time};
    for (unsigned i = 0; i < n; i++) out->event[i] = x->queue[(x->first + i) & (x->size - 1)];
    x->first = (x->first + n) & (x->size - 1);
    x->waiting -= n;
    x->flush &= x->waiting != 0;
    x->dropped = 0;
    x->seq = (x->seq + 1) & SEQ_MASK;
}

void gmmu_rit_pack_head(const gmmu_config *cfg, const gmmu_rit_head *h,
                        uint32_t words[GMMU_RIT_WORDS]) {
    const gmmu_rit_head_layout l = gmmu_rit_head_layout_of(cfg);
    memset(words, 0, GMMU_RIT_WORDS * sizeof *words);
    gmmu_beat_put(words, l.seq, h->seq);
    gmmu_beat_put(words, l.n, h->n);
    gmmu_beat_put(words, l.dropped, h->dropped);
    gmmu_beat_put(words, l.time, h->time);
}

gmmu_rit_head gmmu_rit_unpack_head(const gmmu_config *cfg, const uint32_t words[GMMU_RIT_WORDS]) {
    const gmmu_rit_head_layout l = gmmu_rit_head_layout_of(cfg);
    return (gmmu_rit_head){
        (uint32_t)gmmu_beat_get(words, l.seq), (uint32_t)gmmu_beat_get(words, l.n),
        (uint32_t)gmmu_beat_get(words, l.dropped), (uint32_t)gmmu_beat_get(words, l.time)};
}

void gmmu_rit_pack_event(const gmmu_config *cfg, const gmmu_rit_event *e,
                         uint32_t words[GMMU_RIT_WORDS]) {
    const gmmu_rit_layout l = gmmu_rit_layout_of(cfg);
    memset(words, 0, GMMU_RIT_WORDS * sizeof *words);
    gmmu_beat_put(words, l.rec, e->rec);
    gmmu_beat_put(words, l.censored, e->censored);
    gmmu_beat_put(words, l.known, e->known);
    gmmu_beat_put(words, l.r_asid, e->r_asid);
    gmmu_beat_put(words, l.r_ref, e->r_ref);
    gmmu_beat_put(words, l.interval, e->interval);
    gmmu_beat_put(words, l.access, e->access);
    gmmu_beat_put(words, l.fault, e->fault);
    gmmu_beat_put(words, l.asid, e->asid);
    gmmu_beat_put(words, l.vpn, e->vpn);
    gmmu_beat_put(words, l.ref, e->ref);
    gmmu_beat_put(words, l.time, e->time);
}

void gmmu_rit_beats(const gmmu_config *cfg, const gmmu_rit_packet *p, gmmu_rit_on_beat *beat,
                    void *ctx) {
    uint32_t words[GMMU_RIT_WORDS];
    gmmu_rit_pack_head(cfg, &p->head, words);
    beat(ctx, words, false);
    for (unsigned i = 0; i < p->head.n; i++) {
        gmmu_rit_pack_event(cfg, &p->event[i], words);
        beat(ctx, words, i + 1 == p->head.n);
    }
}

gmmu_rit_event gmmu_rit_unpack_event(const gmmu_config *cfg, const uint32_t words[GMMU_RIT_WORDS]) {
    const gmmu_rit_layout l = gmmu_rit_layout_of(cfg);
    return (gmmu_rit_event){.rec = gmmu_beat_get(words, l.rec) != 0,
                            .censored = gmmu_beat_get(words, l.censored) != 0,
                            .known = gmmu_beat_get(words, l.known) != 0,
                            .r_asid = (uint32_t)gmmu_beat_get(words, l.r_asid),
                            .interval = (uint32_t)gmmu_beat_get(words, l.interval),
                            .r_ref = gmmu_beat_get(words, l.r_ref),
                            .access = gmmu_beat_get(words, l.access) != 0,
                            .fault = gmmu_beat_get(words, l.fault) != 0,
                            .asid = (uint32_t)gmmu_beat_get(words, l.asid),
                            .time = (uint32_t)gmmu_beat_get(words, l.time),
                            .vpn = gmmu_beat_get(words, l.vpn),
                            .ref = gmmu_beat_get(words, l.ref)};
}
