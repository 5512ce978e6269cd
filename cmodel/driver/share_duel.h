// SPDX-License-Identifier: Apache-2.0
// share_duel.h: decides from the beats of m_axis_rit whether a part of memory is protected
// (docs/reference/blocks/segment.md). The driver writes the answer to cfg_protect
// (docs/guide/share_duel.md).
//
// Two small shadow memories, one with a protected segment and one without, replay the pages of a
// sample by the priorities of a RIMM host. Accesses that miss in one shadow alone are counted. If
// one shadow has more of these by two standard deviations, the other shadow is followed. The way
// back to protection needs a lead of half a shadow's frames as well.
//
// Sources: set dueling (Qureshi et al., ISCA 2007); pages selected by their hash (Waldspurger et
// al., FAST '15); McNemar's test for paired counts (Psychometrika 12, 1947).
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
    gmmu_config unit;        // widths of the beats; sizes of the host's tables; K
    uint32_t frames;         // number of frames of memory
    unsigned sample;         // as cfg_sample: at most one page in 2^sample is in the stream
    unsigned refresh;        // as cfg_refresh
    bool pseudo;             // as cfg_pseudo
    unsigned share;          // share of the frames to be protected, in 1/256
    uint32_t shadow_frames;  // a shadow has fewer frames than this
    unsigned decay;          // counts lose 2^-decay after `frames` walks
    unsigned deviations;     // lead that decides, in standard deviations
    unsigned back;           // further lead for protection, in 1/64 of a shadow's frames
} gmmu_share_duel_config;

// Returns the settings for a unit with sizes UNIT and registers REGS: share 248, shadow_frames
// 1024, decay 4, deviations 2, back 32.
gmmu_share_duel_config gmmu_share_duel_default(const gmmu_config *unit, const gmmu_regs *regs);

// A sampled page with its last access. Bit I of RESIDENT: the page is in shadow I.
typedef struct {
    uint64_t vpn, last;
    uint32_t asid;
    gmmu_class cls;
    uint8_t resident;
    bool valid;
    bool guarded;  // protected, in GMMU_SHARE_GUARDED
} gmmu_share_page;

typedef struct {
    uint32_t resident;  // number of resident pages
    uint32_t hand;      // the entry at which the shadow's next search begins
    uint64_t alone;     // accesses that missed in this shadow alone, in 1/256, decayed
} gmmu_share_shadow;

typedef struct {
    gmmu_rimm_host host;    // learns the priorities; holds no pages
    gmmu_share_page *page;  // way w of set s is entry s * WAYS + w
    gmmu_share_shadow shadow[GMMU_SHARE_SHADOWS];
    gmmu_segment segment;  // segment of GMMU_SHARE_GUARDED
    gmmu_share_duel_config cfg;
    uint32_t frames;     // number of frames of a shadow
    uint64_t threshold;  // a page is in the sample if its hash is below
    uint32_t sets;
    uint64_t decayed;  // time of the last decay, in walks
    unsigned chosen;   // the shadow that is followed
    uint32_t changes;  // number of changes of `chosen`
} gmmu_share_duel;

// Returns the bytes that init needs; 0: a number is out of range.
size_t gmmu_share_duel_bytes(const gmmu_share_duel_config *cfg);
// Makes D in the SIZE bytes at MEM; begins with protection. Nonzero: SIZE is too small, or a number
// is out of range.
int gmmu_share_duel_init(gmmu_share_duel *d, const gmmu_share_duel_config *cfg, void *mem,
                         size_t size);
// Takes one beat of m_axis_rit. Arguments and result are those of gmmu_rimm_host_beat.
int gmmu_share_duel_beat(gmmu_share_duel *d, const uint32_t words[GMMU_RIT_WORDS], bool last);
// An access of class CLS at TIME, in walks, in order; PPUC gives the priorities. For callers with a
// RIMM host of their own; gmmu_share_duel_beat does the same with each access in the stream.
void gmmu_share_duel_access(gmmu_share_duel *d, const gmmu_ppuc *ppuc, uint32_t asid, uint64_t vpn,
                            gmmu_class cls, uint64_t time);
// Returns the value for cfg_protect.
static inline unsigned gmmu_share_duel_protect(const gmmu_share_duel *d) {
    return d->chosen == GMMU_SHARE_GUARDED ? d->cfg.share : 0;
}

#ifdef __cplusplus
}
#endif
#endif
