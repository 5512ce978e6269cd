// SPDX-License-Identifier: Apache-2.0
// front.c: data caches in front of the TLBs.
#include "simt/front.h"

#include <stdlib.h>
#include <string.h>

#include "rdgc/rdgc.h"

struct gmmu_front {
    unsigned sms;
    gmmu_front_level up_to;
    unsigned page_shift;
    unsigned l1_shift, l2_shift;  // log2 of the block sizes
    bool l1_passes;               // L1 is bypassed by all: it maps by L2's blocks
    bool atomics_past;            // atomics pass L1 without a look
    bool l1_partial;              // L2's blocks are smaller than L1's
    gmmu_rdgc_cache *l2;          // NULL: translation comes before it
    gmmu_front_counts counts;
    gmmu_rdgc_cache *l1[];
};

static unsigned log2_of(uint32_t power) {
    unsigned n = 0;
    while (power >> n > 1) n++;
    return n;
}

void gmmu_front_destroy(gmmu_front *f) {
    if (f == NULL)
        return;
    for (unsigned i = 0; i < f->sms; i++) gmmu_rdgc_cache_destroy(f->l1[i]);
    gmmu_rdgc_cache_destroy(f->l2);
    free(f);
}

static bool fits_page(const char *name, uint32_t block, unsigned page_shift, gmmu_error *err) {
    if (block <= UINT64_C(1) << page_shift)
        return true;
    snprintf(err->text, sizeof err->text,
             "%s.block: found %u, expected no more than a page of %u bytes", name, block,
             1U << page_shift);
    return false;
}

gmmu_front *gmmu_front_create(const gmmu_rdgc_config *c, unsigned sms, gmmu_front_level up_to,
                              unsigned page_shift, gmmu_error *err) {
    bool l2 = up_to == GMMU_FRONT_L2;
    if (gmmu_rdgc_config_check(c, err) != GMMU_OK ||
        !fits_page("l1", c->l1.block, page_shift, err) ||
        !fits_page("l2", c->l2.block, page_shift, err))
        return NULL;
    gmmu_front *f = calloc(1, sizeof *f + sms * sizeof(gmmu_rdgc_cache *));
    if (f == NULL) {
        snprintf(err->text, sizeof err->text, "no memory for the caches");
        return NULL;
    }
    f->sms = sms;
    f->up_to = up_to;
    f->page_shift = page_shift;
    f->l1_shift = log2_of(c->l1.block);
    f->l2_shift = log2_of(c->l2.block);
    f->l1_passes = c->l1.bypass == GMMU_RDGC_RWON;
    f->atomics_past = c->atomics == GMMU_RDGC_PAST_L1;
    f->l1_partial = f->l2_shift < f->l1_shift;
    bool good = true;
    for (unsigned i = 0; good && i < sms; i++)
        good = (f->l1[i] = gmmu_rdgc_cache_create(&c->l1, c->seed + 1 + i, err)) != NULL;
    if (good && l2)
        good = (f->l2 = gmmu_rdgc_cache_create(&c->l2, c->seed + 1 + sms, err)) != NULL;
    if (!good) {
        gmmu_front_destroy(f);
        return NULL;
    }
    return f;
}

static unsigned add_page(uint64_t vpn[GMMU_WARP], unsigned n, uint64_t page) {
    unsigned k = n;
    while (k > 0 && vpn[k - 1] != page) k--;
    if (k == 0)
        vpn[n++] = page;
    return n;
}

unsigned gmmu_front_access(gmmu_front *f, unsigned sm, const uint64_t addr[GMMU_WARP],
                           uint32_t mask, bool write, bool atomic, uint64_t vpn[GMMU_WARP]) {
    const bool past = atomic && f->atomics_past;
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    unsigned shift = f->l1_passes ? f->l2_shift : f->l1_shift;
    unsigned count = gmmu_rdgc_coalesce(addr, mask, shift, f->l2_shift, block, sectors);
    unsigned n = 0;
    f->counts.accesses += count;
    for (unsigned i = 0; i < count; i++) {
        gmmu_rdgc_status status =
            past ? GMMU_RDGC_PASSED : gmmu_rdgc_cache_access(f->l1[sm], block[i], write);
        if (status == GMMU_RDGC_HIT) {
            f->counts.l1_hits++;
            continue;
        }
        bool missed = true;
        if (f->l2 != NULL) {
            // As RDGC's lists of L2: a miss fetches the whole L1 block, what is bypassed its
            // sectors.
            bool parts = f->l1_partial && !f->l1_passes;
            uint32_t wanted = !parts ? 1
                              : status == GMMU_RDGC_MISS
                                  ? UINT32_MAX >> (32 - (1U << (f->l1_shift - f->l2_shift)))
                                  : sectors[i];
            uint64_t first = shift >= f->l2_shift ? block[i] << (shift - f->l2_shift)
                                                  : block[i] >> (f->l2_shift - shift);
            missed = false;
            for (unsigned k = 0; k < GMMU_RDGC_MAX_SECTORS; k++) {
                if (!(wanted >> k & 1))
                    continue;
                bool hit = gmmu_rdgc_cache_access(f->l2, first + k, write) == GMMU_RDGC_HIT;
                f->counts.l2_accesses++;
                f->counts.l2_hits += hit;
                missed |= !hit;
            }
        }
        if (missed)
            n = add_page(vpn, n, block[i] << shift >> f->page_shift);
    }
    return n;
}

void gmmu_front_remove(gmmu_front *f, uint64_t vpn) {
    uint64_t first = vpn << f->page_shift;
    uint64_t end = first + (UINT64_C(1) << f->page_shift);
    for (uint64_t a = first; a < end; a += UINT64_C(1) << f->l1_shift)
        for (unsigned i = 0; i < f->sms; i++)
            (void)gmmu_rdgc_cache_remove(f->l1[i], a >> f->l1_shift);
    for (uint64_t a = first; f->l2 != NULL && a < end; a += UINT64_C(1) << f->l2_shift)
        (void)gmmu_rdgc_cache_remove(f->l2, a >> f->l2_shift);
}

gmmu_front_counts gmmu_front_counted(const gmmu_front *f) {
    return f->counts;
}
