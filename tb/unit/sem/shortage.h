// SPDX-License-Identifier: Apache-2.0
// shortage.h: allocations of the C code that fail now and then. The linker sends them here (--wrap
// in tb/rules.mk).
#ifndef GMMU_TB_SEM_SHORTAGE_H
#define GMMU_TB_SEM_SHORTAGE_H

#include <cstdint>

namespace shortage {

// One allocation in so many fails, which ones by a random sequence; 0: none.
extern unsigned one_in;
extern uint64_t failed;

}  // namespace shortage

#endif
