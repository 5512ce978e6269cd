// SPDX-License-Identifier: Apache-2.0
// record.h: runs a kernel on the SIMT front end, and writes the walk trace of the run.
#ifndef GMMU_SIMT_RECORD_H
#define GMMU_SIMT_RECORD_H

#include "policy/policy.h"
#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const gmmu_simt_kernel *kernel;
    gmmu_simt_params params;
    const char *output;  // "-" is standard output
    bool with_time;      // also write each walk's time
    bool hints;          // also write launches, allocations and frees
    bool inject_fault;   // flip a bit of the result before the check
    // A policy that needs no future, or NULL: pages stay. The policy replays the walks as they
    // come. TLBs and caches forget a page that leaves, so the page's next access walks again.
    // `memory` has the frames and options; its fields `pages` and `future` are filled here.
    const gmmu_policy *shootdown;
    gmmu_policy_config memory;
    void (*progress)(void *ctx, double done);  // DONE is 0 to 1; the function may be NULL
    void *ctx;
} gmmu_simt_request;

enum { GMMU_RECORD_OK = 0, GMMU_RECORD_WRONG = 1, GMMU_RECORD_BAD = 2 };

// Counts the distinct pages that the kernel walks without a shootdown, into *distinct, by one run
// of the kernel. GMMU_OK, or GMMU_BAD and *err.
int gmmu_simt_distinct(const gmmu_simt_request *r, uint64_t *distinct, gmmu_error *err);

// Runs the kernel and writes the trace. GMMU_RECORD_OK: *stats is filled. GMMU_RECORD_WRONG and
// *err: the kernel's result differs from the CPU's. GMMU_RECORD_BAD and *err: parameter, memory,
// file. A regular file appears under its name only at the end of a run that succeeded; until then
// an earlier file of that name stays. A pipe or a device is written during the run.
int gmmu_simt_record(const gmmu_simt_request *r, gmmu_simt_stats *stats, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
