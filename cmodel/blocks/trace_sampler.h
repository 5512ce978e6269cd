// SPDX-License-Identifier: Apache-2.0
// trace_sampler.h: twin of rtl/learner/gmmu_trace_sampler.v: reuse intervals of a hash-selected
// sample of pages.
//
// Source: LEU §3.3 (Trace Sampler); SHARDS (Waldspurger et al., FAST '15): pages are selected by
// their hash, so that every access of a selected page is seen; fixed size, the threshold falls when
// the table fills. The sampler sees hits and faults. Times are numbers of walks modulo 2^TIME_W.
#ifndef GMMU_TRACE_SAMPLER_H
#define GMMU_TRACE_SAMPLER_H

#include "blocks/ref_rit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SAMPLER_ALL = 65536 };  // the threshold that selects every page

// Bits of a page's name beyond its hash, to which the rest of {asid, vpn} is folded (REST_W of the
// RTL).
enum { GMMU_SAMPLER_REST = 13 };

typedef struct {
    uint64_t name;   // name of the page: {folded rest, hash}
    uint32_t last;   // time of the last access
    gmmu_class cls;  // reference of the last access
    uint16_t rank;   // hash[31:16]: the page is in the sample while its rank is below the threshold
    bool valid;
} gmmu_sampler_entry;

typedef struct {
    gmmu_sampler_entry *entry;  // way w of set s is entry s * ways + w
    gmmu_config cfg;
    unsigned entries, ways, sets;
    uint32_t time_mask;
    uint32_t threshold;  // 1..GMMU_SAMPLER_ALL
    unsigned occupied;   // number of valid entries
    unsigned next;       // the entry that SCRUB visits next
    unsigned pass_left;  // SCRUBs that are left of the pass after the last THRESH
    bool thresh_owed;
    uint32_t stolen;  // selected accesses whose turn went to a SCRUB
} gmmu_trace_sampler;

// The result of ACCESS.
typedef struct {
    bool selected, stolen, hit;
    bool record;  // REC is valid: a reuse (hit), or the censored record of the replaced entry
    gmmu_rit_record rec;
} gmmu_sampled;

// The result of SCRUB.
typedef struct {
    unsigned index;
    bool removed;  // the entry is removed; REC is its censored record
    gmmu_rit_record rec;
} gmmu_scrubbed;

// Makes TS for the widths of CFG. ENTRIES is WAYS times a power of two; the first threshold is
// GMMU_SAMPLER_ALL >> SAMPLE, with SAMPLE (cfg_sample) 0 to 15. Not 0: ARENA is too small.
int gmmu_trace_sampler_init(gmmu_trace_sampler *ts, const gmmu_config *cfg, unsigned entries,
                            unsigned ways, unsigned sample, gmmu_arena *arena);

// The name of a page in the table, whose hash is HASH (docs/reference/blocks/trace_sampler.md, "The
// page's name").
static inline uint64_t gmmu_trace_sampler_named(const gmmu_config *cfg, uint32_t asid, uint64_t vpn,
                                                uint32_t hash) {
    const unsigned key_w = cfg->asid_w + cfg->vpn_w;
    uint64_t rest = 0, fold = 0;
    if (cfg->vpn_w > 32)
        rest = vpn >> 32 << cfg->asid_w | asid;
    else if (key_w > 32)
        rest = ((uint64_t)asid << cfg->vpn_w | vpn) >> 32;
    for (; rest != 0; rest >>= GMMU_SAMPLER_REST) fold ^= rest & ((1u << GMMU_SAMPLER_REST) - 1);
    return fold << 32 | hash;
}
// The same, with the hash computed.
static inline uint64_t gmmu_trace_sampler_name(const gmmu_config *cfg, uint32_t asid,
                                               uint64_t vpn) {
    return gmmu_trace_sampler_named(cfg, asid, vpn, gmmu_hash(asid, cfg->asid_w, vpn, cfg->vpn_w));
}

// A walk of class CLS at TIME, of the selected page NAME; *DID gets the result.
void gmmu_trace_sampler_take(gmmu_trace_sampler *ts, uint64_t name, gmmu_class cls, uint32_t time,
                             gmmu_sampled *did);
// Is a page with this HASH in the sample?
static inline bool gmmu_trace_sampler_selects(const gmmu_trace_sampler *ts, uint32_t hash) {
    return hash >> 16 < ts->threshold;
}
// ACCESS: a walk of class CLS at TIME. STOLEN: its turn went to a SCRUB.
static inline gmmu_sampled gmmu_trace_sampler_access(gmmu_trace_sampler *ts, uint32_t asid,
                                                     uint64_t vpn, gmmu_class cls, uint32_t time,
                                                     bool stolen) {
    gmmu_sampled did = {};
    const uint32_t hash = gmmu_hash(asid, ts->cfg.asid_w, vpn, ts->cfg.vpn_w);
    if (!gmmu_trace_sampler_selects(ts, hash))
        return did;
    did.selected = true;
    did.stolen = stolen;
    ts->stolen += stolen;
    if (!stolen)
        gmmu_trace_sampler_take(ts, gmmu_trace_sampler_named(&ts->cfg, asid, vpn, hash), cls, time,
                                &did);
    return did;
}
// SCRUB: visits the next entry; TIME is the number of accesses so far.
gmmu_scrubbed gmmu_trace_sampler_scrub(gmmu_trace_sampler *ts, uint32_t time);
// THRESH: lowers the threshold by an eighth, at least by 1, never below 1; asks for a pass of
// SCRUBs over all entries. Returns the new threshold.
uint32_t gmmu_trace_sampler_thresh(gmmu_trace_sampler *ts);

// Is a THRESH pending?
static inline bool gmmu_trace_sampler_thresh_owed(const gmmu_trace_sampler *ts) {
    return ts->thresh_owed;
}
// SCRUBs that are left of the pass under way, without those that the caller's clock asks for.
static inline unsigned gmmu_trace_sampler_pass_left(const gmmu_trace_sampler *ts) {
    return ts->pass_left;
}
// The entry that the next SCRUB visits.
static inline unsigned gmmu_trace_sampler_next(const gmmu_trace_sampler *ts) {
    return ts->next;
}

#ifdef __cplusplus
}
#endif
#endif
