// SPDX-License-Identifier: Apache-2.0
// record.h: runs a kernel on the SIMT front end and writes its walk trace.
#ifndef GMMU_SIMT_RECORD_H
#define GMMU_SIMT_RECORD_H

#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

// Memory behind the walks: for each walk that is recorded WALK calls LEAVES with MACHINE for each
// page that leaves. TLBs and caches forget the page, so that its next access walks again.
// (policy/shootdown.h has such a memory for each policy.)
typedef struct {
    int (*walk)(void *ctx, const gmmu_walk *walk, void (*leaves)(void *machine, uint64_t vpn),
                void *machine, gmmu_error *err);  // NULL: pages stay
    void *ctx;
    const char *policy;   // for the trace's header, as `gmmu record` takes them
    const char *options;  // of the policy; NULL: none
    uint32_t frames;
} gmmu_simt_memory;

typedef struct {
    const gmmu_simt_kernel *kernel;
    gmmu_simt_params params;
    const char *output;  // "-" is standard output
    bool with_time;      // also write each walk's time
    bool hints;          // also write launches, allocations and frees
    bool inject_fault;   // flip a bit of the result before it is checked
    gmmu_simt_memory memory;
    void (*progress)(void *ctx, double done);  // 0 to 1; may be NULL
    void *ctx;
} gmmu_simt_request;

enum { GMMU_RECORD_OK = 0, GMMU_RECORD_WRONG = 1, GMMU_RECORD_BAD = 2 };

// The distinct pages that the request's kernel walks if all stay, into *distinct, by running it
// once. GMMU_OK, or GMMU_BAD and *err.
int gmmu_simt_distinct(const gmmu_simt_request *r, uint64_t *distinct, gmmu_error *err);

// GMMU_RECORD_OK with *stats filled; else with *err filled GMMU_RECORD_WRONG (the kernel's result
// differs from the CPU's) or GMMU_RECORD_BAD (parameter, memory, file). A file appears under its
// name only when all went well, and until then what had that name stays; a pipe or a device is
// written as it goes.
int gmmu_simt_record(const gmmu_simt_request *r, gmmu_simt_stats *stats, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
