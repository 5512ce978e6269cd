// SPDX-License-Identifier: Apache-2.0
// csr.h: C twin of the block csr: the unit's registers, counters and interrupts
// (docs/reference/registers.md, "Behind the bus"), a clock cycle at a time.
#ifndef GMMU_BLOCK_CSR_H
#define GMMU_BLOCK_CSR_H

#include <stdbool.h>

#include "gmmu/config.h"
#include "gmmu/csr.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_CSR_SIZE_OF_MAP = 0x400 };

typedef struct {
    const gmmu_config *cfg;
    gmmu_regs in_force, written;
    uint32_t upper[GMMU_CSR_SIZE_OF_MAP / 8];  // words that were written first, by register
    gmmu_counters snapshot;
    uint32_t happened, enabled;  // bits of GMMU_CSR_IRQ
    uint32_t errors, drops;      // sums of the counters that events watch, a cycle ago
    unsigned left;               // cycles of a reset by register that are to come
    bool keep;                   // in which registers stay
    bool irq, pending;
} gmmu_csr;

typedef struct {
    bool valid, write;
    uint32_t address;  // of a byte, a multiple of 4
    uint32_t data;
    uint8_t strobes;  // a bit a byte
} gmmu_csr_request;

// What the unit shows in a cycle.
typedef struct {
    bool quiet, comes;  // nothing is under way; a walk or an operation is offered
    bool rests;         // nothing is under way at the memory port: a reset may begin
    uint32_t events;    // GMMU_CSR_IRQ_RIT, _HIR, _XFER, _DECISION
    gmmu_counters counters;
} gmmu_csr_unit;

typedef struct {
    bool bad;       // there is nothing to read or write there now
    uint32_t data;  // of a read; else 0
} gmmu_csr_answer;

// As at power-up, of a unit of sizes CFG.
void gmmu_csr_init(gmmu_csr *c, const gmmu_config *cfg);
// Is the unit in reset, in this cycle, in which its memory port RESTS or does not?
bool gmmu_csr_resets(const gmmu_csr *c, bool rests);
// A cycle: what its request, if there is one, is answered; then all else.
gmmu_csr_answer gmmu_csr_cycle(gmmu_csr *c, gmmu_csr_request r, const gmmu_csr_unit *unit);

#ifdef __cplusplus
}
#endif
#endif
