// SPDX-License-Identifier: Apache-2.0
// record.h: runs a kernel on the SIMT front end, and writes the walk trace of the run.
#ifndef GMMU_SIMT_RECORD_H
#define GMMU_SIMT_RECORD_H

#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

// Memory behind the walks. WALK is called for each recorded walk, and calls LEAVES with MACHINE for
// each page that leaves. TLBs and caches forget such a page, so the page's next access walks again.
// (policy/shootdown.h has such a memory for each policy.)
typedef struct {
    int (*walk)(void *ctx, const gmmu_walk *walk, void (*leaves)(void *machine, uint64_t vpn),
                void *machine, gmmu_error *err);  // NULL: pages stay
    void *ctx;
    const char *policy;   // policy for the trace's header, in the form of `gmmu record`
    const char *options;  // options of the policy; NULL: none
    uint32_t frames;
} gmmu_simt_memory;

typedef struct {
    const gmmu_simt_kernel *kernel;
    gmmu_simt_params params;
    const char *output;  // "-" is standard output
    gmmu_form form;      // GMMU_FORM_AUTO: by the output's name
    bool with_time;      // also write each walk's time
    bool hints;          // also write launches, allocations and frees
    bool inject_fault;   // flip a bit of the result before the check
    gmmu_simt_memory memory;
    void (*progress)(void *ctx, double done);  // DONE is 0 to 1; the function may be NULL
    void *ctx;
} gmmu_simt_request;

enum { GMMU_RECORD_OK = 0, GMMU_RECORD_WRONG = 1, GMMU_RECORD_BAD = 2 };

// Counts the distinct pages that the kernel walks if all pages stay, into *distinct, by one run of
// the kernel. GMMU_OK, or GMMU_BAD and *err.
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
