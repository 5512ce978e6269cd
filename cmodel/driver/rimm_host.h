// SPDX-License-Identifier: Apache-2.0
// rimm_host.h: the RIMM host: learns from the beats of m_axis_rit and names the page that leaves.
//
// The device sends records (reference, RI) in batches, and the host keeps the Ref RIT. At a fault
// (reference, TESLA, page) the host takes the priorities of the pages, and answers with the page
// that leaves. The driver owns residency: the driver reports fills, evictions and pins to the host.
// No memory is taken after init. The cost of each event: docs/guide/rimm_host.md.
//
// Source: LEU (Chen et al., "Statistical Caching for Near Memory Management", MEMSYS 2019) §3.3,
// Fig. 4. Questions that the paper leaves open: docs/papers/leu.md, H1 to H6.
#ifndef GMMU_RIMM_HOST_H
#define GMMU_RIMM_HOST_H

#include "blocks/ppuc.h"
#include "blocks/rit_export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_config unit;  // widths of the beats; CLASSES, WAYS, BINS, CNT_W … of the host's own tables
    uint32_t frames;   // number of frames of memory
    bool pseudo;       // as cfg_pseudo
    unsigned refresh;  // log2 of the walks between two refreshes of the priorities
    bool touch;        // records count as accesses to their pages; false: only faults count
} gmmu_rimm_config;

// A fault that waits for an answer.
typedef struct {
    uint64_t vpn, ref;
    uint64_t time;  // time of the access in walks, not modulo
    uint32_t asid;
    gmmu_class cls;  // class of the reference in the host's Ref RIT
} gmmu_rimm_fault;

typedef struct {
    bool found;  // false: no page may leave
    uint32_t frame, asid;
    uint64_t vpn, tesla;
    uint16_t priority;
} gmmu_rimm_victim;

enum { GMMU_RIMM_OK, GMMU_RIMM_LOST, GMMU_RIMM_BAD };

typedef struct {
    uint64_t packets, records, known, touches, faults, refreshes;
    uint64_t allocated;     // number of rows given to references
    uint64_t dropped;       // records that the device reported as dropped
    uint64_t lost_packets;  // packets missing by their numbers
    uint64_t bad_packets;   // packets whose length and tlast do not agree
} gmmu_rimm_stats;

typedef void gmmu_rimm_on_fault(void *ctx, const gmmu_rimm_fault *f);
typedef void gmmu_rimm_on_access(void *ctx, const gmmu_rimm_fault *a);

typedef struct gmmu_rimm_page gmmu_rimm_page;

typedef struct {
    gmmu_rimm_config cfg;
    gmmu_ref_rit rit;
    gmmu_ppuc ppuc;
    gmmu_rimm_page *page;         // for each frame its page
    uint32_t *bucket;             // hash (asid, vpn) -> frame
    uint32_t *oldest, *youngest;  // for each list [row][bin]: its oldest and youngest frame
    uint32_t buckets;             // a power of two
    uint64_t now;                 // time in walks, by the last beat
    bool timed;                   // `now` is valid
    uint32_t beats_left;          // beats left of the packet; 0: a header is next
    bool skipping;                // all beats to the end of a bad packet are left out
    uint32_t next_seq, head_time;
    gmmu_rimm_on_fault *on_fault;    // called for each fault in the stream, in order, or NULL
    gmmu_rimm_on_access *on_access;  // the same for each access, faults included, before on_fault
    void *ctx;
    gmmu_rimm_stats stats;
} gmmu_rimm_host;

// Returns the bytes that init needs.
size_t gmmu_rimm_host_bytes(const gmmu_rimm_config *cfg);
// Makes H in the SIZE bytes at MEM. Nonzero: SIZE is too small, or there are no frames.
int gmmu_rimm_host_init(gmmu_rimm_host *h, const gmmu_rimm_config *cfg, void *mem, size_t size);

// Takes one beat of m_axis_rit; LAST is tlast. GMMU_RIMM_LOST: packets before this header are
// missing; this packet is taken. GMMU_RIMM_BAD: n and tlast do not agree, and all beats up to tlast
// are left out.
int gmmu_rimm_host_beat(gmmu_rimm_host *h, const uint32_t words[GMMU_RIT_WORDS], bool last);

// Returns a fault that did not come by the stream, for gmmu_rimm_host_answer. TIME is in walks.
gmmu_rimm_fault gmmu_rimm_host_fault(gmmu_rimm_host *h, uint32_t asid, uint64_t vpn, uint64_t ref,
                                     uint64_t time);
// Returns the page that leaves for F: the page of lowest priority; of equals the oldest, then the
// lowest frame. The page is no candidate again until its frame is filled, freed or kept.
gmmu_rimm_victim gmmu_rimm_host_answer(gmmu_rimm_host *h, const gmmu_rimm_fault *f);

// Reports of the driver. fill: F's page is in FRAME, and the page before is gone. free: FRAME is
// empty. keep: the page in FRAME stays after all. pin: the page in FRAME must not leave, or may
// leave again.
void gmmu_rimm_host_fill(gmmu_rimm_host *h, uint32_t frame, const gmmu_rimm_fault *f);
void gmmu_rimm_host_free(gmmu_rimm_host *h, uint32_t frame);
void gmmu_rimm_host_keep(gmmu_rimm_host *h, uint32_t frame);
void gmmu_rimm_host_pin(gmmu_rimm_host *h, uint32_t frame, bool pinned);

#ifdef __cplusplus
}
#endif
#endif
