// SPDX-License-Identifier: Apache-2.0
// share_duel.h: shall a part of memory be protected (docs/reference/blocks/segment.md)? A driver
// finds out from the beats of m_axis_rit and writes the answer to cfg_protect
// (docs/guide/share_duel.md).
//
// Two small shadow memories, one with a protected segment and one without, replay the pages of a
// sample by the priorities of a RIMM host. Accesses that miss in one of them only are counted; if
// one has more of them by two standard deviations, the other is followed; back to protection only
// by half a shadow's frames as well. Sources: set dueling (Qureshi et al., ISCA 2007); pages
// selected by their hash (Waldspurger et al., FAST '15); the test for paired counts is McNemar's
// (Psychometrika 12, 1947).
#ifndef GMMU_SHARE_DUEL_H
#define GMMU_SHARE_DUEL_H

#include "blocks/segment.h"
#include "driver/rimm_host.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SHARE_PLAIN, GMMU_SHARE_GUARDED, GMMU_SHARE_SHADOWS };
enum { GMMU_SHARE_WAYS = 8 };

typedef struct {
    gmmu_config unit;        // widths of the beats; tables of the host; K
    uint32_t frames;         // of memory
    unsigned sample;         // as cfg_sample: one page in 2^sample, or fewer, is heard of
    unsigned refresh;        // as cfg_refresh
    bool pseudo;             // as cfg_pseudo
    unsigned share;          // 1/256 of the frames that shall be protected, if any
    uint32_t shadow_frames;  // a shadow has fewer
    unsigned decay;          // counts lose 2^-decay after as many walks as memory has frames
    unsigned deviations;     // standard deviations that make a difference
    unsigned back;           // and back to protection: 1/64 of a shadow's frames, too
} gmmu_share_duel_config;

// For a unit with these registers; share 248, shadow_frames 1024, decay 4, deviations 2,
// back 32.
gmmu_share_duel_config gmmu_share_duel_default(const gmmu_config *unit, const gmmu_regs *regs);

// A sampled page, as it was last accessed. RESIDENT: bit I, in shadow I.
typedef struct {
    uint64_t vpn, last;
    uint32_t asid;
    gmmu_class cls;
    uint8_t resident;
    bool valid;
    bool guarded;  // protected, in that shadow
} gmmu_share_page;

typedef struct {
    uint32_t resident;  // pages
    uint32_t hand;      // the entry at which its next search begins
    uint64_t alone;     // accesses that missed here and not in the other, in 1/256, decayed
} gmmu_share_shadow;

typedef struct {
    gmmu_rimm_host host;    // learns; has no pages of its own
    gmmu_share_page *page;  // way w of set s is entry s * WAYS + w
    gmmu_share_shadow shadow[GMMU_SHARE_SHADOWS];
    gmmu_segment segment;  // of the shadow that has one
    gmmu_share_duel_config cfg;
    uint32_t frames;     // of a shadow
    uint32_t threshold;  // a page is in the sample if its hash's upper half is below
    uint32_t sets;
    uint64_t decayed;  // the time up to which counts did
    unsigned chosen;   // the shadow that is followed
    uint32_t changes;  // of it
} gmmu_share_duel;

// Bytes that init needs.
size_t gmmu_share_duel_bytes(const gmmu_share_duel_config *cfg);
// Nonzero: SIZE is too small, or a number is out of range. Begins with protection.
int gmmu_share_duel_init(gmmu_share_duel *d, const gmmu_share_duel_config *cfg, void *mem,
                         size_t size);
// One beat of m_axis_rit; what it returns, and WORDS and LAST: as gmmu_rimm_host_beat.
int gmmu_share_duel_beat(gmmu_share_duel *d, const uint32_t words[GMMU_RIT_WORDS], bool last);
// An access of class CLS at TIME, in walks, in order; PPUC scores the pages. For those who have a
// RIMM host of their own: what beat does with each access in the stream.
void gmmu_share_duel_access(gmmu_share_duel *d, const gmmu_ppuc *ppuc, uint32_t asid, uint64_t vpn,
                            gmmu_class cls, uint64_t time);
// What cfg_protect shall be.
static inline unsigned gmmu_share_duel_protect(const gmmu_share_duel *d) {
    return d->chosen == GMMU_SHARE_GUARDED ? d->cfg.share : 0;
}

#ifdef __cplusplus
}
#endif
#endif
