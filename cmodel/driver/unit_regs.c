// SPDX-License-Identifier: Apache-2.0
// unit_regs.c: see unit_regs.h.
#include "driver/unit_regs.h"

#include <inttypes.h>
#include <stdio.h>

#include "gmmu/codes.h"
#include "gmmu/csr.h"

// False and *err: VALUE of register NAME is not LEAST..MOST.
static bool within(const char *name, uint64_t value, uint64_t least, uint64_t most,
                   gmmu_error *err) {
    if (value >= least && value <= most)
        return true;
    (void)snprintf(err->text, sizeof err->text,
                   "cfg_%s: found %" PRIu64 ", expected %" PRIu64 "..%" PRIu64, name, value, least,
                   most);
    return false;
}

bool gmmu_unit_regs_legal(const gmmu_config *cfg, const gmmu_regs *regs, gmmu_error *err) {
    const gmmu_config *c = cfg;
#define FITS(name, address, bits, reset, wide, waits)                                         \
    if (!within(#name, regs->name, 0, UINT64_MAX >> (64 - ((bits) < 64 ? (bits) : 64)), err)) \
        return false;
    GMMU_CSR_LIST(FITS)
#undef FITS
    const uint32_t search = cfg->frame_mem != 0 ? GMMU_SEARCH_SAMPLE : 0;
    return within("frames", regs->frames, 1, cfg->frames, err) &&
           within("search", regs->search, search, search != 0 ? search : GMMU_SEARCH_CLOCK, err) &&
           within("rit_batch", regs->rit_batch, 0, cfg->ritq, err) &&
           within("t2_slots", regs->t2_slots, 0, cfg->t2_slots, err) &&
           within("tier", regs->tier, 0, cfg->t2_slots != 0 ? GMMU_PLACE_PRIORITY : 0, err) &&
           within("protect", regs->protect, 0, cfg->frame_mem != 0 ? 0 : 255, err) &&
           within("ahead", regs->ahead, 0, regs->frames / 4, err);
}
