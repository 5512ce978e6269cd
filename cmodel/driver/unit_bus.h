// SPDX-License-Identifier: Apache-2.0
// unit_bus.h: the unit's registers from software: over any bus that reads and writes words of 32
// bits (docs/reference/registers.md, "Behind the bus").
#ifndef GMMU_DRIVER_UNIT_BUS_H
#define GMMU_DRIVER_UNIT_BUS_H

#include <stdbool.h>

#include "gmmu/config.h"
#include "gmmu/csr.h"

#ifdef __cplusplus
extern "C" {
#endif

// A word at a byte's address, a multiple of 4. False: the bus said that nothing is there.
typedef struct {
    void *context;
    bool (*read32)(void *context, uint32_t address, uint32_t *data);
    bool (*write32)(void *context, uint32_t address, uint32_t data);
} gmmu_bus;

// Each is false where the bus refused, or, of the waits, after MOST reads of the status.

// Is a unit there? Its sizes (of no name); its version, major << 16 | minor << 8 | patch.
bool gmmu_bus_identify(const gmmu_bus *b, gmmu_config *sizes, uint32_t *version);
// All registers. What waits for a quiet unit is not in force at once.
bool gmmu_bus_write_regs(const gmmu_bus *b, const gmmu_regs *r);
bool gmmu_bus_read_regs(const gmmu_bus *b, gmmu_regs *r);
// Until all that was written is in force: there must be cycles in which the unit is quiet.
bool gmmu_bus_wait_regs(const gmmu_bus *b, unsigned most);
// All counters, of one cycle.
bool gmmu_bus_counters(const gmmu_bus *b, gmmu_counters *n);
// Flushes an address space, until that is done: what the unit learnt from ASID serves no context
// that gets it next. Its context has ended. Takes the counters; the unit's ASIDs have ASID_W bits.
bool gmmu_bus_flush(const gmmu_bus *b, uint32_t asid, unsigned most);
// Resets the unit, until that is done. KEEP: registers stay, as what is taken at reset needs
// (cfg_sample); else all is as at power-up.
bool gmmu_bus_reset(const gmmu_bus *b, bool keep, unsigned most);

#ifdef __cplusplus
}
#endif
#endif
