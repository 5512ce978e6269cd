// SPDX-License-Identifier: Apache-2.0
// rimm_host.h: the RIMM host: learns from the beats of m_axis_rit and names the page that leaves.
//
// Source: LEU (Chen et al., "Statistical Caching for Near Memory Management", MEMSYS 2019) §3.3,
// Fig. 4: the device sends (reference, RI) in batches; the host keeps the Ref RIT; at a fault
// (reference, TESLA, page) it takes the priorities of the pages and answers with the one that
// leaves. What the paper leaves open: docs/papers/leu.md, H1 to H6. In the driver's hands is
// residency: it tells fills, evictions and pins. No memory is taken after init; the work an event
// costs: docs/guide/rimm_host.md.
#ifndef GMMU_RIMM_HOST_H
#define GMMU_RIMM_HOST_H

#include "blocks/ppuc.h"
#include "blocks/rit_export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_config unit;  // widths of the beats; CLASSES, WAYS, BINS, CNT_W … of the host's own tables
    uint32_t frames;   // of memory
    bool pseudo;       // as cfg_pseudo
    unsigned refresh;  // log2 of the walks between two refreshes of the priorities
    bool touch;        // a record says that its page was accessed; false: only faults do
} gmmu_rimm_config;

// A fault that waits for an answer.
typedef struct {
    uint64_t vpn, ref;
    uint64_t time;  // of the access, in walks, not modulo
    uint32_t asid;
    gmmu_class cls;  // the reference's place in the host's Ref RIT
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
    uint64_t allocated;     // rows given to references; beyond their number: rows taken away
    uint64_t dropped;       // that the device told of
    uint64_t lost_packets;  // gaps in their numbers
    uint64_t bad_packets;   // length and tlast do not agree
} gmmu_rimm_stats;

typedef void gmmu_rimm_on_fault(void *ctx, const gmmu_rimm_fault *f);
typedef void gmmu_rimm_on_access(void *ctx, const gmmu_rimm_fault *a);

typedef struct gmmu_rimm_page gmmu_rimm_page;

typedef struct {
    gmmu_rimm_config cfg;
    gmmu_ref_rit rit;
    gmmu_ppuc ppuc;
    gmmu_rimm_page *page;         // of each frame
    uint32_t *bucket;             // hash (asid, vpn) -> frame
    uint32_t *oldest, *youngest;  // of each list [row][bin], a frame
    uint32_t buckets;             // a power of two
    uint64_t now;                 // walks, as far as heard of
    bool timed;                   // now is set
    uint32_t beats_left;          // of the packet; 0: a header is next
    bool skipping;                // to the end of a bad packet
    uint32_t next_seq, head_time;
    gmmu_rimm_on_fault *on_fault;    // called for each fault in the stream, in order; may be NULL
    gmmu_rimm_on_access *on_access;  // likewise for each access, fault or not, before on_fault
    void *ctx;
    gmmu_rimm_stats stats;
} gmmu_rimm_host;

// Bytes that init needs.
size_t gmmu_rimm_host_bytes(const gmmu_rimm_config *cfg);
// Nonzero: SIZE is too small, or no frames.
int gmmu_rimm_host_init(gmmu_rimm_host *h, const gmmu_rimm_config *cfg, void *mem, size_t size);

// One beat of m_axis_rit. GMMU_RIMM_LOST: packets before this header are missing (the packet itself
// is taken); GMMU_RIMM_BAD: n and tlast do not agree, all up to tlast is left out.
int gmmu_rimm_host_beat(gmmu_rimm_host *h, const uint32_t words[GMMU_RIT_WORDS], bool last);

// A fault that the driver heard of by another way than the stream, TIME in walks.
gmmu_rimm_fault gmmu_rimm_host_fault(gmmu_rimm_host *h, uint32_t asid, uint64_t vpn, uint64_t ref,
                                     uint64_t time);
// The page that leaves for F: the lowest priority; of equals the oldest, then the lowest frame. It
// is no candidate again until its frame is filled, freed or kept.
gmmu_rimm_victim gmmu_rimm_host_answer(gmmu_rimm_host *h, const gmmu_rimm_fault *f);

// What the driver does: F's page is in FRAME now, what was there is gone; FRAME is empty; its page
// stays after all; it must not leave, or may again.
void gmmu_rimm_host_fill(gmmu_rimm_host *h, uint32_t frame, const gmmu_rimm_fault *f);
void gmmu_rimm_host_free(gmmu_rimm_host *h, uint32_t frame);
void gmmu_rimm_host_keep(gmmu_rimm_host *h, uint32_t frame);
void gmmu_rimm_host_pin(gmmu_rimm_host *h, uint32_t frame, bool pinned);

#ifdef __cplusplus
}
#endif
#endif
