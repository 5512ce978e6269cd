// SPDX-License-Identifier: Apache-2.0
// rit_export.h: twin of rtl/export/gmmu_rit_export.v: batches of records for the host, on
// m_axis_rit.
//
// One ordered stream carries reuses and faults. A full queue drops records and counts the drops. A
// table of the block, row -> (asid, ref), turns classes into references.
// Source: LEU §3.3, Fig. 4: the RIMM device reports each reuse (reference, RI) in batches to the
// RIMM host, and each fault (reference, TESLA, page).
#ifndef GMMU_RIT_EXPORT_H
#define GMMU_RIT_EXPORT_H

#include "blocks/ref_rit.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_RIT_BATCH = 128, GMMU_RIT_WORDS = 11 };  // most records of a batch; words of a beat

// A record beat (docs/reference/formats.md, m_axis_rit).
typedef struct {
    bool rec, censored, known;
    uint32_t r_asid, interval;
    uint64_t r_ref;
    bool access, fault;
    uint32_t asid, time;
    uint64_t vpn, ref;
} gmmu_rit_event;

// A header beat.
typedef struct {
    uint32_t seq, n, dropped, time;
} gmmu_rit_head;

typedef struct {
    gmmu_rit_head head;
    gmmu_rit_event event[GMMU_RIT_BATCH];
} gmmu_rit_packet;

typedef struct {
    uint64_t ref;
    uint32_t asid;
    uint16_t gen;
} gmmu_rit_name;

typedef struct {
    gmmu_rit_name *name;    // for each row its owner
    gmmu_rit_event *queue;  // SIZE entries (a power of two), a ring
    unsigned size, first, waiting;
    bool flush;        // a fault is among the waiting records
    uint32_t dropped;  // records dropped since the last batch
    uint32_t seq;
    uint32_t drops;  // records dropped in all; wraps
} gmmu_rit_export;

// Makes X for the sizes CFG. Not 0: ARENA is too small.
int gmmu_rit_export_init(gmmu_rit_export *x, const gmmu_config *cfg, gmmu_arena *arena);

// The row of CLS was given to (ASID, REF).
void gmmu_rit_export_name(gmmu_rit_export *x, gmmu_class cls, uint32_t asid, uint64_t ref);
// Fills EV's record part from REC. EV is `known` if the row of REC still has that generation.
void gmmu_rit_export_record(const gmmu_rit_export *x, gmmu_rit_record rec, gmmu_rit_event *ev);
// Queues EV, or drops EV at a full queue. Returns GMMU_RIT_*. A queued fault makes a batch due.
unsigned gmmu_rit_export_put(gmmu_rit_export *x, const gmmu_rit_event *ev);
// True: a batch is due, as the batch is full or has a fault. BATCH is cfg_rit_batch; 0 and values
// above SIZE mean SIZE.
bool gmmu_rit_export_due(const gmmu_rit_export *x, unsigned batch);
// SEND at TIME: closes a batch of at most BATCH waiting records. At least one record must wait.
void gmmu_rit_export_send(gmmu_rit_export *x, unsigned batch, uint32_t time, gmmu_rit_packet *out);

// Make the beat of a header and of a record: bit 0 of WORDS[0] is bit 0 of the beat; unused bits
// are 0.
void gmmu_rit_pack_head(const gmmu_config *cfg, const gmmu_rit_head *h,
                        uint32_t words[GMMU_RIT_WORDS]);
void gmmu_rit_pack_event(const gmmu_config *cfg, const gmmu_rit_event *e,
                         uint32_t words[GMMU_RIT_WORDS]);
// Takes a beat; WORDS are valid in the call. LAST marks the last beat of a packet.
typedef void gmmu_rit_on_beat(void *ctx, const uint32_t words[GMMU_RIT_WORDS], bool last);
// Calls BEAT with CTX for each beat of the packet P, in order: the header, then head.n records.
void gmmu_rit_beats(const gmmu_config *cfg, const gmmu_rit_packet *p, gmmu_rit_on_beat *beat,
                    void *ctx);
// Return the header and the record of a beat.
gmmu_rit_head gmmu_rit_unpack_head(const gmmu_config *cfg, const uint32_t words[GMMU_RIT_WORDS]);
gmmu_rit_event gmmu_rit_unpack_event(const gmmu_config *cfg, const uint32_t words[GMMU_RIT_WORDS]);

#ifdef __cplusplus
}
#endif
#endif
