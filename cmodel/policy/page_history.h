// SPDX-License-Identifier: Apache-2.0
// page_history.h: time and instruction of the pages' last accesses, in a set-associative table of
// fixed size. A line holds 8 neighbouring pages of one address space (docs/reference/leu2.md).
#ifndef GMMU_POLICY_PAGE_HISTORY_H
#define GMMU_POLICY_PAGE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/crc32c.h"
#include "gmmu/config.h"

enum { GMMU_HISTORY_LINE = 8, GMMU_HISTORY_WAYS = 4 };

// The last access of a page: time, and the instruction's number.
typedef struct {
    uint32_t last;
    uint16_t pc;
    bool valid;
} gmmu_page_record;

typedef struct {
    uint64_t vpn;
    uint32_t asid;
} gmmu_page_name;

// The tag of a line. BLOCK is vpn / GMMU_HISTORY_LINE, or all ones: the line is empty.
typedef struct {
    uint64_t block;
    uint32_t asid, used;
} gmmu_history_tag;

typedef struct {
    gmmu_history_tag *tag;   // way w of set s is line s * WAYS + w
    gmmu_page_record *page;  // for each line its pages
    uint32_t *frame_of;      // for each record the frame of its page, all ones: none
    uint32_t *record_of;     // for each frame the record of its page, all ones: none
    uint32_t lines, limit, time_mask;
    unsigned asid_w, vpn_w;
    uint32_t scrub_next, scrub_every;
} gmmu_page_history;

// No record; no frame of a record.
#define GMMU_NO_RECORD UINT32_MAX
#define GMMU_NO_RECORD_FRAME UINT32_MAX

// Makes H with LINES lines, a power of two, for FRAMES frames. A time stamp LIMIT walks old is
// forgotten. False: no memory.
bool gmmu_page_history_init(gmmu_page_history *h, const gmmu_config *cfg, uint32_t lines,
                            uint32_t limit, uint32_t frames);
void gmmu_page_history_free(gmmu_page_history *h);

// Returns the first line of the set of BLOCK.
static inline size_t gmmu_page_history_set(const gmmu_page_history *h, uint32_t asid,
                                           uint64_t block) {
    const uint32_t hash = gmmu_hash(asid, h->asid_w, block, h->vpn_w);
    return (size_t)(hash & (h->lines / GMMU_HISTORY_WAYS - 1)) * GMMU_HISTORY_WAYS;
}
// Returns the line of BLOCK, or `lines`.
static inline size_t gmmu_page_history_find(const gmmu_page_history *h, uint32_t asid,
                                            uint64_t block) {
    const size_t set = gmmu_page_history_set(h, asid, block);
    for (size_t i = set; i < set + GMMU_HISTORY_WAYS; i++) {
        if (h->tag[i].block == block && h->tag[i].asid == asid) {
            return i;
        }
    }
    return h->lines;
}
// Returns the page of RECORD, which must be valid.
static inline gmmu_page_name gmmu_page_history_name(const gmmu_page_history *h, uint32_t record) {
    const gmmu_history_tag *tag = &h->tag[record / GMMU_HISTORY_LINE];
    return (gmmu_page_name){tag->block * GMMU_HISTORY_LINE + record % GMMU_HISTORY_LINE, tag->asid};
}
// Returns the records of the line of VPN, or NULL.
static inline const gmmu_page_record *gmmu_page_history_line(const gmmu_page_history *h,
                                                             uint32_t asid, uint64_t vpn) {
    const size_t line = gmmu_page_history_find(h, asid, vpn / GMMU_HISTORY_LINE);
    return line == h->lines ? NULL : &h->page[line * GMMU_HISTORY_LINE];
}
// Returns VPN's record in its LINE (which may be NULL), or NULL.
static inline const gmmu_page_record *gmmu_page_history_in(const gmmu_page_record *line,
                                                           uint64_t vpn) {
    const uint64_t at = vpn % GMMU_HISTORY_LINE;
    return line != NULL && line[at].valid ? &line[at] : NULL;
}

// Gives BLOCK, which has no line, a line of its set: an empty line, else the line used longest ago.
// Returns the line.
size_t gmmu_page_history_make(gmmu_page_history *h, uint32_t asid, uint64_t block, uint32_t time);
// An access at TIME by instruction PC. Returns the number of the page's record.
static inline uint32_t gmmu_page_history_note(gmmu_page_history *h, uint32_t asid, uint64_t vpn,
                                              uint16_t pc, uint32_t time) {
    const uint64_t block = vpn / GMMU_HISTORY_LINE;
    size_t line = gmmu_page_history_find(h, asid, block);
    if (line == h->lines) {
        line = gmmu_page_history_make(h, asid, block, time);
    }
    const size_t record = line * GMMU_HISTORY_LINE + vpn % GMMU_HISTORY_LINE;
    h->tag[line].used = time;
    h->page[record] = (gmmu_page_record){.last = time, .pc = pc, .valid = true};
    return (uint32_t)record;
}
// The page of RECORD, which was noted last, is in FRAME from now on.
static inline void gmmu_page_history_hold(gmmu_page_history *h, uint32_t record, uint32_t frame) {
    const uint32_t before = h->record_of[frame];
    if (before == record) {
        return;
    }
    if (before != GMMU_NO_RECORD) {  // the page before leaves the frame
        h->frame_of[before] = GMMU_NO_RECORD_FRAME;
    }
    h->record_of[frame] = record;
    h->frame_of[record] = frame;
}

// Forgets too old records of the next line, before time stamps wrap.
void gmmu_page_history_scrub_line(gmmu_page_history *h, uint32_t time);
// To be called for each walk; scrubs a line with some of the walks.
static inline void gmmu_page_history_scrub(gmmu_page_history *h, uint32_t time) {
    if ((time & (h->scrub_every - 1)) == 0) {
        gmmu_page_history_scrub_line(h, time);
    }
}

#endif
