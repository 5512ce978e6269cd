// SPDX-License-Identifier: Apache-2.0
// shortage.h: a system that has less: allocations of the C code that fail now and then, a Linux
// before 6.11. The linker sends the calls here (--wrap in tb/rules.mk).
#ifndef GMMU_TB_SEM_SHORTAGE_H
#define GMMU_TB_SEM_SHORTAGE_H

#include <cstdint>

namespace shortage {

// One allocation in so many fails, which ones by a random sequence; 0: none.
extern unsigned one_in;
extern uint64_t failed;
// /proc/self/maps cannot be asked (PROCMAP_QUERY): it is to be read.
extern bool old_kernel;

}  // namespace shortage

#endif
