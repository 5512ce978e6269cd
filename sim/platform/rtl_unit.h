// SPDX-License-Identifier: Apache-2.0
// rtl_unit.h: the unit's RTL behind the same sockets as its twin: rtl_unit.cpp has its streams,
// ring_unit.cpp (--model rtl-ring) its registers and its rings in memory.
//
// Its clock runs, without time of the kernel, as long as the unit is not `quiet` after a walk or an
// operation: for the platform that takes no time, and a decision takes unit.decision, as of the
// twin; or, with unit.time=measured, the cycles that it took. So LT and RTL see the same in the
// same order.
#pragma once
#include <memory>

#include "lt_unit.h"
#include "parameters.h"
#include "unit.h"

// The RTL that a program has: its name for --model, its configuration, and what makes its unit.
struct Rtl {
    const char *model = "", *config = "";
    std::unique_ptr<Unit> (*make)(const Parameters &p, const UnitSize &size) = nullptr;
};
Rtl rtl_of_program();
