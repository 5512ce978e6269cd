// SPDX-License-Identifier: Apache-2.0
// trace_filter.h: TLBs before the walks of a trace: an L1 for each SM, and a shared L2, as those of
// `gmmu record`. What hits there is no walk.
#ifndef GMMU_CLI_TRACE_FILTER_H
#define GMMU_CLI_TRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/trace.h"

enum { FILTER_L2_WAYS = 16, FILTER_ENTRIES = 1 << 20 };

typedef struct trace_filter trace_filter;

// L1 and L2 are numbers of entries, at most FILTER_ENTRIES; L2 is a multiple of FILTER_L2_WAYS.
// NULL: no memory.
trace_filter *trace_filter_create(unsigned l1, unsigned l2);
// Sets *hit: WALK hits a TLB. GMMU_BAD and *err: no memory, or a page beyond 2^52.
int trace_filter_access(trace_filter *f, const gmmu_walk *walk, bool *hit, gmmu_error *err);
void trace_filter_free(trace_filter *f);

#endif
