// SPDX-License-Identifier: Apache-2.0
// unit_regs.h: checks the values of the unit's registers (docs/reference/registers.md).
#ifndef GMMU_DRIVER_UNIT_REGS_H
#define GMMU_DRIVER_UNIT_REGS_H

#include <stdbool.h>

#include "gmmu/config.h"
#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// True: a unit of CFG can have REGS. False, and *err with register, value and what is expected.
bool gmmu_unit_regs_legal(const gmmu_config *cfg, const gmmu_regs *regs, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
