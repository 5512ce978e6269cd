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

enum {
    GMMU_CSR_SIZE_OF_MAP = 0x400,
    GMMU_CSR_PATIENCE = 4096,  // cycles for which a word of a register of two waits for the other
};

// A word of a register of two words that waits for the other.
typedef struct {
    unsigned words;  // which is written: bit 0 the lower, bit 1 the upper
    unsigned left;   // cycles
} gmmu_csr_half;

typedef struct {
    const gmmu_config *cfg;
    gmmu_regs in_force, written;
    gmmu_csr_half half[GMMU_CSR_SIZE_OF_MAP / 8];  // by register
    gmmu_counters snapshot;
    uint32_t happened, enabled;  // bits of GMMU_CSR_IRQ
    uint32_t errors, drops;      // sums of the counters of errors and of drops, a cycle ago
    unsigned left;               // cycles left of a reset by register
    bool keep;                   // the reset keeps the registers
    bool irq, pending;
} gmmu_csr;

typedef struct {
    bool valid, write;
    uint32_t address;  // byte address, a multiple of 4
    uint32_t data;
    uint8_t strobes;  // a bit for each byte that is written
} gmmu_csr_request;

// The unit's outputs in a cycle.
typedef struct {
    bool quiet, comes;  // nothing is under way; a walk or an operation is offered
    bool rests;         // nothing is under way at the memory port: a reset may begin
    uint32_t events;    // GMMU_CSR_IRQ_RIT, _HIR, _XFER, _DECISION
    gmmu_counters counters;
} gmmu_csr_unit;

typedef struct {
    bool bad;       // the word cannot be read or written now
    uint32_t data;  // the word that was read; else 0
} gmmu_csr_answer;

// Makes C as at power-up, for a unit of sizes CFG.
void gmmu_csr_init(gmmu_csr *c, const gmmu_config *cfg);
// True: the unit is in reset in this cycle. RESTS: nothing is under way at the memory port.
bool gmmu_csr_resets(const gmmu_csr *c, bool rests);
// A cycle: returns the answer to the request R (with R.valid), then does all other effects.
gmmu_csr_answer gmmu_csr_cycle(gmmu_csr *c, gmmu_csr_request r, const gmmu_csr_unit *unit);

#ifdef __cplusplus
}
#endif
#endif
