// SPDX-License-Identifier: Apache-2.0
// hir_cache.c: see hir_cache.h and docs/reference/blocks/hir_cache.md.
#include "blocks/hir_cache.h"

#include "blocks/beat.h"

enum { MOST_DROPPED = 65535, SEQ_MASK = 65535 };

static bool power_of_two(unsigned x) {
    return x != 0 && (x & (x - 1)) == 0;
}

const char *gmmu_hir_config_error(const gmmu_hir_config *cfg) {
    if (!power_of_two(cfg->sets))
        return "HIR_SETS: expected a power of two";
    if (cfg->ways == 0 || cfg->ways > GMMU_HIR_ENTRIES / cfg->sets)
        return "HIR_WAYS: expected 1 or more, HIR_SETS * HIR_WAYS at most 65535";
    if (!power_of_two(cfg->pages))
        return "HIR_PAGES: expected a power of two";
    if (cfg->cnt_w == 0 || cfg->cnt_w > 64 / cfg->pages)
        return "HIR_CNT_W: expected 1 or more, HIR_PAGES * HIR_CNT_W at most 64";
    if (cfg->vpn_w > 64 || cfg->vpn_w <= gmmu_log2(cfg->pages))
        return "VPN_W: expected more than log2(HIR_PAGES), at most 64";
    if (cfg->asid_w == 0 || cfg->asid_w > 32)
        return "ASID_W: expected 1 to 32";
    return NULL;
}

int gmmu_hir_cache_init(gmmu_hir_cache *h, const gmmu_hir_config *cfg, gmmu_arena *arena) {
    *h = (gmmu_hir_cache){.cfg = *cfg, .gen = 1};  // no set has generation 1 yet
    if (gmmu_hir_config_error(cfg) != NULL)
        return 1;
    const size_t entries = (size_t)cfg->sets * cfg->ways;
    h->shift = gmmu_log2(cfg->pages);
    h->psa_w = cfg->vpn_w - h->shift;
    h->set = gmmu_take(arena, cfg->sets, sizeof *h->set);
    h->slot = gmmu_take(arena, entries, sizeof *h->slot);
    h->log[0] = gmmu_take(arena, entries, sizeof *h->log[0]);
    h->log[1] = gmmu_take(arena, entries, sizeof *h->log[1]);
    return h->log[1] == NULL;
}

unsigned gmmu_hir_cache_index(const gmmu_hir_cache *h, uint32_t asid, uint64_t set) {
    return (unsigned)(set ^ asid) & (h->cfg.sets - 1);
}

// Counts a hit of the page of VPN, unless the page's counter is full.
static void count(const gmmu_hir_cache *h, gmmu_hir_record *entry, uint64_t vpn) {
    const unsigned at = (unsigned)(vpn & (h->cfg.pages - 1)) * h->cfg.cnt_w;
    const uint64_t full = UINT64_MAX >> (64 - h->cfg.cnt_w);
    if ((entry->counters >> at & full) != full)
        entry->counters += UINT64_C(1) << at;
}

unsigned gmmu_hir_cache_hit(gmmu_hir_cache *h, uint32_t asid, uint64_t vpn) {
    const uint64_t page_set = vpn >> h->shift;
    const unsigned index = gmmu_hir_cache_index(h, asid, page_set);
    gmmu_hir_set *set = &h->set[index];
    uint16_t *slot = &h->slot[(size_t)index * h->cfg.ways];
    gmmu_hir_record *log = h->log[h->bank];
    if (set->gen != h->gen)
        *set = (gmmu_hir_set){h->gen, 0};
    for (unsigned way = 0; way < set->count; way++) {
        gmmu_hir_record *entry = &log[slot[way]];
        if (entry->set == page_set && entry->asid == asid) {
            count(h, entry, vpn);
            return GMMU_HIR_COUNTED;
        }
    }
    if (set->count == h->cfg.ways) {
        h->drops++;
        if (h->dropped < MOST_DROPPED)
            h->dropped++;
        return GMMU_HIR_DROPPED;
    }
    slot[set->count++] = (uint16_t)h->n;
    log[h->n] = (gmmu_hir_record){asid, page_set, 0};
    count(h, &log[h->n++], vpn);
    return GMMU_HIR_TOUCHED;
}

bool gmmu_hir_cache_fault(gmmu_hir_cache *h, uint32_t transfer) {
    // a register lowered below the count makes the next fault a multiple
    const bool due = transfer != 0 && ++h->faults >= transfer;
    if (transfer == 0 || due)
        h->faults = 0;
    return due;
}

bool gmmu_hir_cache_drain_swap(gmmu_hir_cache *h, bool other_free, gmmu_hir_packet *out) {
    if (!other_free) {
        h->skipped++;
        return false;
    }
    *out = (gmmu_hir_packet){{h->seq, h->n, h->dropped}, h->log[h->bank]};
    h->seq = (h->seq + 1) & SEQ_MASK;
    h->dropped = 0;
    h->bank ^= 1;
    h->n = 0;
    h->gen++;
    return true;
}

// ---- beats
static gmmu_hir_layout layout_of(const gmmu_hir_config *cfg) {
    const gmmu_config sizes = {.vpn_w = cfg->vpn_w,
                               .asid_w = cfg->asid_w,
                               .hir_pages = cfg->pages,
                               .hir_cnt_w = cfg->cnt_w};
    return gmmu_hir_layout_of(&sizes);
}

unsigned gmmu_hir_beat_bits(const gmmu_hir_config *cfg) {
    const unsigned record = layout_of(cfg).bits, head = gmmu_hir_head_layout_of().bits;
    return record > head ? record : head;
}

void gmmu_hir_pack_head(const gmmu_hir_head *head, uint32_t words[GMMU_HIR_WORDS]) {
    const gmmu_hir_head_layout l = gmmu_hir_head_layout_of();
    memset(words, 0, GMMU_HIR_WORDS * sizeof *words);
    gmmu_beat_put(words, l.seq, head->seq);
    gmmu_beat_put(words, l.n, head->n);
    gmmu_beat_put(words, l.dropped, head->dropped);
}

void gmmu_hir_pack_record(const gmmu_hir_config *cfg, const gmmu_hir_record *record,
                          uint32_t words[GMMU_HIR_WORDS]) {
    const gmmu_hir_layout l = layout_of(cfg);
    memset(words, 0, GMMU_HIR_WORDS * sizeof *words);
    gmmu_beat_put(words, l.asid, record->asid);
    gmmu_beat_put(words, l.set, record->set);
    gmmu_beat_put(words, l.counters, record->counters);
}

gmmu_hir_head gmmu_hir_unpack_head(const uint32_t words[GMMU_HIR_WORDS]) {
    const gmmu_hir_head_layout l = gmmu_hir_head_layout_of();
    return (gmmu_hir_head){(uint32_t)gmmu_beat_get(words, l.seq),
                           (uint32_t)gmmu_beat_get(words, l.n),
                           (uint32_t)gmmu_beat_get(words, l.dropped)};
}

gmmu_hir_record gmmu_hir_unpack_record(const gmmu_hir_config *cfg,
                                       const uint32_t words[GMMU_HIR_WORDS]) {
    const gmmu_hir_layout l = layout_of(cfg);
    return (gmmu_hir_record){(uint32_t)gmmu_beat_get(words, l.asid), gmmu_beat_get(words, l.set),
                             gmmu_beat_get(words, l.counters)};
}
