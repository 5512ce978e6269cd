// SPDX-License-Identifier: Apache-2.0
// frame_table.h: twin of rtl/frames/gmmu_frame_table.v: the page of each frame, the page's last
// access, and the frame's state.
//
// Source: LEU §3.1 (the last access of each page, for TESLA), §3.2 (the reference of that access).
// A reference is kept as row and generation of the Ref RIT. Times are walk counts modulo 2^TIME_W.
#ifndef GMMU_FRAME_TABLE_H
#define GMMU_FRAME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/arena.h"
#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// The reference of an access: a row of the Ref RIT and the row's generation.
typedef struct {
    uint16_t row;
    uint16_t gen;
} gmmu_class;

typedef struct {
    uint64_t vpn;
    uint32_t asid;
    uint32_t last;   // time of the last access
    gmmu_class cls;  // reference of the last access
    bool valid, pinned, leaving, dirty;
    bool fresh;    // filled for a fault and not used yet: the page may not leave
    bool guarded;  // in the protected segment
    bool to2;      // leaving: a place in Tier 2 is reserved
} gmmu_frame;

// The part of a frame that a search reads: 8 bytes, in an array of its own.
typedef struct {
    uint32_t last;
    uint16_t gen : 15, fresh : 1;
    uint16_t row : 12, valid : 1, pinned : 1, leaving : 1, guarded : 1;
} gmmu_frame_seen;

// Most bits of a generation, and number of rows, that gmmu_frame_seen can name.
enum { GMMU_MOST_GEN_W = 15, GMMU_MOST_GENS = 1 << GMMU_MOST_GEN_W, GMMU_MOST_ROWS = 1 << 12 };

// The other part of a frame.
typedef struct {
    uint64_t vpn;
    uint32_t asid;
    bool dirty;
    bool to2;   // leaving: a place in Tier 2 is reserved
    bool used;  // the page was hit since FILL, or since a hand passed the frame
} gmmu_frame_page;

typedef struct {
    gmmu_frame_seen *seen;  // FRAMES elements, as of `page`
    gmmu_frame_page *page;
    unsigned frames;
    uint32_t time_mask;
} gmmu_frame_table;

// The previous access of a page that is hit, or that leaves.
typedef struct {
    bool valid;  // HIT: the frame holds the page; FILL, FREE: the frame held a page
    bool was_leaving, was_guarded;
    bool was_to2;  // FILL, FREE: a place in Tier 2 was reserved
    gmmu_class cls;
    uint32_t interval;  // walks since that access: RI of a hit, age of a page that leaves
} gmmu_reuse;

// Makes FT for the sizes CFG, with all frames empty. Not 0: ARENA is too small.
int gmmu_frame_table_init(gmmu_frame_table *ft, const gmmu_config *cfg, gmmu_arena *arena);

// A time stamp at least LIMIT walks old becomes LIMIT walks old. True: the time stamp was as old.
// An empty frame has no time stamp.
bool gmmu_frame_table_age(gmmu_frame_table *ft, uint32_t frame, uint32_t time, uint32_t limit);

// Reads the whole of FRAME, which exists.
static inline gmmu_frame gmmu_frame_table_get(const gmmu_frame_table *ft, uint32_t frame) {
    const gmmu_frame_seen s = ft->seen[frame];
    const gmmu_frame_page p = ft->page[frame];
    return (gmmu_frame){.vpn = p.vpn,
                        .asid = p.asid,
                        .last = s.last,
                        .cls = {s.row, s.gen},
                        .valid = s.valid != 0,
                        .pinned = s.pinned != 0,
                        .leaving = s.leaving != 0,
                        .dirty = p.dirty,
                        .fresh = s.fresh != 0,
                        .guarded = s.guarded != 0,
                        .to2 = p.to2};
}
// Writes the whole of FRAME, which exists, and then counts as not used. Of the class only the bits
// that gmmu_frame_seen has are kept.
static inline void gmmu_frame_table_put(gmmu_frame_table *ft, uint32_t frame, gmmu_frame is) {
    ft->page[frame] = (gmmu_frame_page){is.vpn, is.asid, is.dirty, is.to2, false};
    ft->seen[frame] = (gmmu_frame_seen){.last = is.last,
                                        .gen = (uint16_t)(is.cls.gen & (GMMU_MOST_GENS - 1)),
                                        .fresh = is.fresh,
                                        .row = (uint16_t)(is.cls.row & (GMMU_MOST_ROWS - 1)),
                                        .valid = is.valid,
                                        .pinned = is.pinned,
                                        .leaving = is.leaving,
                                        .guarded = is.guarded};
}

// The last access of the page in a frame with the state S; its interval is the age at TIME, in
// walks.
static inline gmmu_reuse gmmu_frame_table_told(const gmmu_frame_table *ft, gmmu_frame_seen s,
                                               uint32_t time) {
    return (gmmu_reuse){.valid = true,
                        .was_leaving = s.leaving != 0,
                        .was_guarded = s.guarded != 0,
                        .was_to2 = false,
                        .cls = {s.row, s.gen},
                        .interval = (time - s.last) & ft->time_mask};
}
// Does FRAME exist and hold the page?
static inline bool gmmu_frame_table_holds(const gmmu_frame_table *ft, uint32_t frame, uint32_t asid,
                                          uint64_t vpn) {
    return frame < ft->frames && ft->seen[frame].valid && ft->page[frame].asid == asid &&
           ft->page[frame].vpn == vpn;
}
// Walk hit at TIME. Returns the access before; its interval is the reuse interval, in walks. A
// frame that does not hold the page, or does not exist, stays as it is, and the result is not
// valid.
static inline gmmu_reuse gmmu_frame_table_hit(gmmu_frame_table *ft, uint32_t frame, uint32_t asid,
                                              uint64_t vpn, gmmu_class cls, bool write,
                                              uint32_t time) {
    if (!gmmu_frame_table_holds(ft, frame, asid, vpn))
        return (gmmu_reuse){};
    gmmu_frame_seen *s = &ft->seen[frame];
    gmmu_frame_page *p = &ft->page[frame];
    gmmu_reuse was = gmmu_frame_table_told(ft, *s, time);
    was.was_leaving = was.was_guarded = false;
    gmmu_frame_seen is = *s;
    is.row = cls.row & (GMMU_MOST_ROWS - 1);
    is.gen = cls.gen & (GMMU_MOST_GENS - 1);
    is.fresh = 0;
    is.last = time;
    *s = is;
    p->dirty |= write;
    p->used = true;
    return was;
}
// A replay that hits: the page is dirty if the replay writes, and not fresh any more; nothing else
// changes. True: the frame holds the page.
static inline bool gmmu_frame_table_replay(gmmu_frame_table *ft, uint32_t frame, uint32_t asid,
                                           uint64_t vpn, bool write) {
    if (!gmmu_frame_table_holds(ft, frame, asid, vpn))
        return false;
    ft->seen[frame].fresh = 0;
    ft->page[frame].dirty |= write;
    return true;
}
// Puts the page of a fault of class CLS at TIME into FRAME, which exists; a page in the frame is
// replaced.
static inline void gmmu_frame_table_answer(gmmu_frame_table *ft, uint32_t frame, uint32_t asid,
                                           uint64_t vpn, gmmu_class cls, bool dirty,
                                           uint32_t time) {
    ft->page[frame] = (gmmu_frame_page){vpn, asid, dirty, false, false};
    ft->seen[frame] = (gmmu_frame_seen){.last = time,
                                        .gen = (uint16_t)(cls.gen & (GMMU_MOST_GENS - 1)),
                                        .row = (uint16_t)(cls.row & (GMMU_MOST_ROWS - 1)),
                                        .valid = true};
}
// Empties a frame, which exists, at TIME. Returns the last access of the page that left; not valid:
// the frame was empty.
static inline gmmu_reuse gmmu_frame_table_free(gmmu_frame_table *ft, uint32_t frame,
                                               uint32_t time) {
    const gmmu_frame_seen s = ft->seen[frame];
    const bool to2 = ft->page[frame].to2;
    gmmu_frame_table_put(ft, frame, (gmmu_frame){});
    if (!s.valid)
        return (gmmu_reuse){};
    gmmu_reuse was = gmmu_frame_table_told(ft, s, time);
    was.was_to2 = to2;
    return was;
}
// Puts a page into a frame, which exists, at TIME; a page in the frame is replaced, and its last
// access returned, as by gmmu_frame_table_free. The page may be fresh.
static inline gmmu_reuse gmmu_frame_table_fill(gmmu_frame_table *ft, uint32_t frame,
                                               gmmu_frame page, uint32_t time) {
    const gmmu_reuse was = gmmu_frame_table_free(ft, frame, time);
    page.valid = true;
    page.pinned = false;
    page.leaving = false;
    page.to2 = false;
    gmmu_frame_table_put(ft, frame, page);
    return was;
}

// May this frame's page leave?
static inline bool gmmu_frame_table_eligible(const gmmu_frame_table *ft, uint32_t frame) {
    const gmmu_frame_seen s = ft->seen[frame];
    return s.valid && !s.pinned && !s.leaving && !s.fresh;
}
// May this frame's page leave by force, fresh or not?
static inline bool gmmu_frame_table_forcible(const gmmu_frame_table *ft, uint32_t frame) {
    const gmmu_frame_seen s = ft->seen[frame];
    return s.valid && !s.pinned && !s.leaving;
}
// A hand passes a frame whose page may leave. True: the page was used. The page counts as not used
// from now on.
static inline bool gmmu_frame_table_pass(gmmu_frame_table *ft, uint32_t frame) {
    const bool used = ft->page[frame].used;
    ft->page[frame].used = false;
    return used;
}
// The reference of a frame's last access.
static inline gmmu_class gmmu_frame_table_class(const gmmu_frame_table *ft, uint32_t frame) {
    return (gmmu_class){ft->seen[frame].row, ft->seen[frame].gen};
}

#ifdef __cplusplus
}
#endif
#endif
