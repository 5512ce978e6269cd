// SPDX-License-Identifier: Apache-2.0
// frame_store.h: twin of rtl/frames/gmmu_frame_store.v: the frames, in a table on the chip or
// behind the memory port, with one interface.
//
// The two differ in walk hits: a hit in the table takes effect at once, a hit behind the memory
// port waits for its TOUCH.
#ifndef GMMU_FRAME_STORE_H
#define GMMU_FRAME_STORE_H

#include "blocks/frame_ages.h"
#include "blocks/frame_mem.h"
#include "blocks/segment.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_frame_table table;
    gmmu_frame_mem mem;  // hits that wait
    gmmu_segment segment;
    gmmu_frame_ages ages;
    bool behind;         // the frames are behind the memory port
    uint32_t age_limit;  // AGE sets an older time stamp to this age
} gmmu_frame_store;

// The outcome of a walk hit.
typedef struct {
    gmmu_reuse reuse;  // valid: the frame held the page
    unsigned waits;    // GMMU_REC_*: the hit waits for its TOUCH
    bool stale;        // the frame does not hold the page, or is not enabled; TOUCH: see there
} gmmu_stored_hit;

// Makes S for the sizes CFG, with all frames empty. The index of ages stays as it is: all 0, or
// made by gmmu_frame_ages_init. Not 0: ARENA is too small.
int gmmu_frame_store_init(gmmu_frame_store *s, const gmmu_config *cfg, gmmu_arena *arena);

// FRAME becomes protected (GUARDED) or not protected.
static inline void gmmu_frame_store_guard(gmmu_frame_store *s, uint32_t frame, bool guarded) {
    s->table.seen[frame].guarded = guarded;
    gmmu_segment_count(&s->segment, guarded);
}
// The page of FRAME was accessed; REUSE is the access before.
static inline void gmmu_frame_store_reused(gmmu_frame_store *s, uint32_t frame, gmmu_reuse reuse) {
    if (reuse.valid && !s->table.seen[frame].guarded &&
        gmmu_segment_takes(&s->segment, reuse.interval))
        gmmu_frame_store_guard(s, frame, true);
}

// A walk hit; FRAMES is the number of enabled frames.
static inline gmmu_stored_hit gmmu_frame_store_hit(gmmu_frame_store *s, const gmmu_mem_touch *hit,
                                                   uint32_t frames) {
    gmmu_stored_hit out = {};
    if (!s->behind) {
        out.reuse = gmmu_frame_table_hit(&s->table, hit->frame, hit->asid, hit->vpn, hit->cls,
                                         hit->write, hit->time);
        out.stale = !out.reuse.valid;
        gmmu_frame_store_reused(s, hit->frame, out.reuse);
        gmmu_frame_ages_note(&s->ages, hit->frame);
    } else if (hit->frame >= frames) {
        out.stale = true;
    } else {
        out.waits = gmmu_frame_mem_note(&s->mem, *hit) ? GMMU_REC_QUEUED : GMMU_REC_DROPPED;
    }
    return out;
}
// A replay that hits, with the page and the frame of HIT: no access, so there is no access before.
gmmu_stored_hit gmmu_frame_store_replay(gmmu_frame_store *s, const gmmu_mem_touch *hit,
                                        uint32_t frames);
// The oldest waiting hit or replay, which must exist, takes effect. Stale: the frame does not hold
// the page; for a hit, or was accessed later.
gmmu_stored_hit gmmu_frame_store_touch(gmmu_frame_store *s);

// FILL of a frame that exists, at TIME. PAGE may be fresh. RETURNS: the last access of the page
// before FILL was at WAS. Returns the last access of the page that left; not valid: the frame was
// empty.
static inline gmmu_reuse gmmu_frame_store_fill(gmmu_frame_store *s, uint32_t frame, gmmu_frame page,
                                               bool returns, uint32_t was, uint32_t time) {
    const gmmu_reuse left = gmmu_frame_table_fill(&s->table, frame, page, time);
    gmmu_frame_ages_note(&s->ages, frame);
    if (left.was_guarded)
        gmmu_segment_count(&s->segment, false);
    const uint32_t interval = (page.last - was) & s->table.time_mask;
    if (returns ? gmmu_segment_takes(&s->segment, interval) : gmmu_segment_takes_new(&s->segment))
        gmmu_frame_store_guard(s, frame, true);
    return left;
}
// FREE of a frame that exists, at TIME. Returns as FILL.
gmmu_reuse gmmu_frame_store_free(gmmu_frame_store *s, uint32_t frame, uint32_t time);

// PIN, UNPIN and CANCEL on an enabled frame. CANCEL returns true: the frame's page was leaving.
void gmmu_frame_store_pin(gmmu_frame_store *s, uint32_t frame, bool pinned);
bool gmmu_frame_store_stay(gmmu_frame_store *s, uint32_t frame);
// The page of FRAME is leaving: a place in Tier 2 becomes reserved for the page, or is returned.
static inline void gmmu_frame_store_promise(gmmu_frame_store *s, uint32_t frame, bool to2) {
    s->table.page[frame].to2 = to2;
}
// EXPIRE of an enabled frame: the frame's page is not fresh any more.
void gmmu_frame_store_expire(gmmu_frame_store *s, uint32_t frame);
// AGE: clamps a time stamp that is too old. True: the time stamp was too old.
bool gmmu_frame_store_age(gmmu_frame_store *s, uint32_t frame, uint32_t time);

// Is the page of FRAME eligible, with last access LAST? FORCE: a fresh page is eligible, too.
static inline bool gmmu_frame_store_stands(const gmmu_frame_store *s, uint32_t frame, uint32_t last,
                                           bool force) {
    return (force ? gmmu_frame_table_forcible(&s->table, frame)
                  : gmmu_frame_table_eligible(&s->table, frame)) &&
           s->table.seen[frame].last == last;
}
// DECIDE: the page of FRAME leaves, if the page is eligible and its last access is still LAST. *WAS
// is the frame before; dirty, if the page may be dirty.
static inline bool gmmu_frame_store_take(gmmu_frame_store *s, uint32_t frame, uint32_t last,
                                         gmmu_frame *was, bool force) {
    gmmu_frame_seen *f = &s->table.seen[frame];
    if (!gmmu_frame_store_stands(s, frame, last, force))
        return false;
    *was = gmmu_frame_table_get(&s->table, frame);
    was->dirty |= s->mem.lost;
    f->leaving = true;
    f->fresh = 0;
    gmmu_frame_ages_note(&s->ages, frame);
    if (f->guarded)
        gmmu_frame_store_guard(s, frame, false);
    return true;
}
// DECIDE: the page of FRAME is kept, under the same condition, and counts as used.
static inline bool gmmu_frame_store_keep(gmmu_frame_store *s, uint32_t frame, uint32_t last,
                                         bool force) {
    const bool stands = gmmu_frame_store_stands(s, frame, last, force);
    s->table.page[frame].used |= stands;
    return stands;
}
// A search meets FRAME at TIME. True: the frame is protected, and the search leaves the frame
// alone.
static inline bool gmmu_frame_store_guards(gmmu_frame_store *s, uint32_t frame, uint32_t time) {
    const gmmu_frame_seen f = s->table.seen[frame];
    if (!f.guarded)
        return false;
    if (gmmu_segment_lets_go(&s->segment, (time - f.last) & s->table.time_mask)) {
        gmmu_frame_store_guard(s, frame, false);
        return false;
    }
    return s->segment.limit != 0;
}

#ifdef __cplusplus
}
#endif
#endif
