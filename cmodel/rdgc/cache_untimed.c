// SPDX-License-Identifier: Apache-2.0
// cache_untimed.c: the same cache without time, one call an access.
#include "rdgc/cache_place.h"
#include "rdgc/cache_row.h"

gmmu_rdgc_status gmmu_rdgc_cache_access(gmmu_rdgc_cache *c, uint64_t block, bool write) {
    if (c->config.bypass == GMMU_RDGC_RWON) {
        c->counts.bypassed++;
        return GMMU_RDGC_PASSED;
    }
    place p = place_of(c, block);
    unsigned char *row = row_of(c, &p);
    uint16_t hash = hash_of(block);
    uint32_t at = find(c, row, hash, block);
    bool hit = at != c->config.ways;
    ++*counter(c, write, at);
    if (write && c->config.bypass == GMMU_RDGC_WON) {
        c->counts.bypassed++;
        if (hit) {
            remove_at(c, row, at);
            c->counts.write_evictions++;
        }
        return GMMU_RDGC_PASSED;
    }
    if (hit)
        touch(c, row, at);
    else
        fill(c, row, hash, block);
    return hit ? GMMU_RDGC_HIT : GMMU_RDGC_MISS;
}

bool gmmu_rdgc_cache_remove(gmmu_rdgc_cache *c, uint64_t block) {
    place p = place_of(c, block);
    unsigned char *row = row_of(c, &p);
    uint32_t at = find(c, row, hash_of(block), block);
    if (at == c->config.ways)
        return false;
    remove_at(c, row, at);
    return true;
}
