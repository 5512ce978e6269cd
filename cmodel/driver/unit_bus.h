// SPDX-License-Identifier: Apache-2.0
// unit_bus.h: the unit's registers for software, over any bus that reads and writes words of 32
// bits (docs/reference/registers.md, "Behind the bus").
#ifndef GMMU_DRIVER_UNIT_BUS_H
#define GMMU_DRIVER_UNIT_BUS_H

#include <stdbool.h>

#include "gmmu/config.h"
#include "gmmu/csr.h"

#ifdef __cplusplus
extern "C" {
#endif

// Access to a word. ADDRESS is a byte address, a multiple of 4. False: the bus answered with an
// error.
typedef struct {
    void *context;
    bool (*read32)(void *context, uint32_t address, uint32_t *data);
    bool (*write32)(void *context, uint32_t address, uint32_t data);
} gmmu_bus;

// Each function returns false if the bus answered with an error. A function that waits returns
// false after MOST reads of `status`, too.

// Identifies the unit: *SIZES (without a name) and *VERSION, major << 16 | minor << 8 | patch.
// False: there is no unit.
bool gmmu_bus_identify(const gmmu_bus *b, gmmu_config *sizes, uint32_t *version);
// Writes, reads all registers. A register that waits for a quiet unit is not in force at once.
bool gmmu_bus_write_regs(const gmmu_bus *b, const gmmu_regs *r);
bool gmmu_bus_read_regs(const gmmu_bus *b, gmmu_regs *r);
// Waits until all written registers are in force. The unit must be quiet in some cycles.
bool gmmu_bus_wait_regs(const gmmu_bus *b, unsigned most);
// Takes all counters, of one cycle.
bool gmmu_bus_counters(const gmmu_bus *b, gmmu_counters *n);
// Flushes address space ASID, which has ASID_W bits, and waits until the flush is done. The context
// of ASID must have ended. The next context of ASID then finds nothing that the unit learnt before.
// Takes the counters. After a false the flush may still be under way, and the next call would
// take its end for that of its own: GMMU_CSR_QUIET in `status` says that none is.
bool gmmu_bus_flush(const gmmu_bus *b, uint32_t asid, unsigned most);
// Resets the unit, and waits until the reset is done. KEEP: the registers keep their values;
// registers like cfg_sample then come into force. Else all is as at power-up.
bool gmmu_bus_reset(const gmmu_bus *b, bool keep, unsigned most);

#ifdef __cplusplus
}
#endif
#endif
