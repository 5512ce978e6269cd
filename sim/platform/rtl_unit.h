// SPDX-License-Identifier: Apache-2.0
// rtl_unit.h: the unit's RTL behind the same sockets as its twin.
//
// Its clock runs in delta cycles, as long as the unit is not `quiet` after a walk or an operation:
// for the platform that takes no time, and a decision takes unit.decision, as of the twin; or, with
// unit.time=measured, the cycles that it took. So LT and RTL see the same in the same order.
#pragma once
#include <memory>

#include "lt_unit.h"
#include "parameters.h"
#include "unit.h"

std::unique_ptr<Unit> make_rtl_unit(const Parameters &p, const UnitSize &size);
// The configuration that the RTL in this program has.
const char *rtl_config();
