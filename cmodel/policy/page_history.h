// SPDX-License-Identifier: Apache-2.0
// page_history.h: when and by which instruction pages were last accessed: a set-associative table
// of fixed size, a line for each 8 neighbours in one address space (docs/leu2.md).
#ifndef GMMU_POLICY_PAGE_HISTORY_H
#define GMMU_POLICY_PAGE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/config.h"

enum { GMMU_HISTORY_LINE = 8, GMMU_HISTORY_WAYS = 4 };

// A page as it was last accessed.
typedef struct {
    uint32_t last;
    uint16_t pc;
    bool valid;
} gmmu_page_record;

// What a line holds: vpn / GMMU_HISTORY_LINE, all ones if nothing.
typedef struct {
    uint64_t block;
    uint32_t asid, used;
} gmmu_history_tag;

typedef struct {
    gmmu_history_tag *tag;   // way w of set s is line s * WAYS + w
    gmmu_page_record *page;  // of each line its pages
    uint32_t lines, limit, time_mask;
    unsigned asid_w, vpn_w;
    uint32_t scrub_next, scrub_every;
} gmmu_page_history;

// LINES of them, a power of two; stamps of LIMIT walks are too old. False: no memory.
bool gmmu_page_history_init(gmmu_page_history *h, const gmmu_config *cfg, uint32_t lines,
                            uint32_t limit);
void gmmu_page_history_free(gmmu_page_history *h);

// The pages of the line of VPN, or NULL.
const gmmu_page_record *gmmu_page_history_line(const gmmu_page_history *h, uint32_t asid,
                                               uint64_t vpn);
// VPN's record in its LINE (which may be NULL), or NULL.
static inline const gmmu_page_record *gmmu_page_history_in(const gmmu_page_record *line,
                                                           uint64_t vpn) {
    const uint64_t at = vpn % GMMU_HISTORY_LINE;
    return line != NULL && line[at].valid ? &line[at] : NULL;
}

// An access at TIME, by instruction PC.
void gmmu_page_history_note(gmmu_page_history *h, uint32_t asid, uint64_t vpn, uint16_t pc,
                            uint32_t time);
// Comes with each walk: forgets what is so old that time stamps would run into it.
void gmmu_page_history_scrub(gmmu_page_history *h, uint32_t time);

#endif
