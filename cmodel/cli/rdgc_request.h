// SPDX-License-Identifier: Apache-2.0
// rdgc_request.h: what the files of `gmmu rdgc` share: the request, the cases to compute, their
// models.
//
//   command line -> rdgc_request -> cases (one GPU each) -> grid by grid through two models a case
//   -> metrics
#ifndef GMMU_CLI_RDGC_REQUEST_H
#define GMMU_CLI_RDGC_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/table.h"
#include "rdgc/gpu.h"
#include "rdgc/rdgc.h"
#include "simt/simt.h"

enum {
    RDGC_TOGETHER = 8,    // keys of a --vary
    RDGC_VALUES = 64,     // values of it
    RDGC_VARIATIONS = 8,  // --vary
    RDGC_CASES = 4096,
    RDGC_RANGES = 32  // of --grid
};

// --vary: keys that are set together, and the values that they take in turn.
typedef struct {
    char *text;  // cut in pieces, to which the others point
    const char *key[RDGC_TOGETHER];
    size_t keys;
    const char *value[RDGC_VALUES][RDGC_TOGETHER];
    size_t values;
} rdgc_variation;

// Grids FIRST, FIRST + STEP … up to LAST.
typedef struct {
    uint64_t first, last, step;
} rdgc_range;

enum { RDGC_L1_ON = 1, RDGC_L1_OFF = 2 };

typedef struct {
    const char *source;              // as given
    const gmmu_simt_kernel *kernel;  // NULL: SOURCE is a file
    bool traced;                     // the file is a kernel trace, else of threads' accesses
    gmmu_form form;                  // of the kernel trace
    gmmu_simt_params params;         // of the kernel
    bool inject_fault;
    bool stop;            // the kernel ends behind the last grid of `range`, unchecked
    bool twice;           // each grid runs twice, and the first time is not counted
    const char *without;  // arrays whose accesses no model sees; NULL: none
    rdgc_range range[RDGC_RANGES];
    size_t ranges;  // 0: all grids
    gmmu_gpu gpu;   // after --set
    rdgc_variation *variation;
    size_t variations;
    unsigned l1;         // the models wanted: RDGC_L1_ON, RDGC_L1_OFF or both
    const char *output;  // NULL: none
    unsigned threads;
    bool profile;
    bool ways;         // print the hit ratios of all numbers of ways
    bool more;         // further columns
    uint32_t time[3];  // of an L1 hit, an L2 hit and memory, for AMAT
    output_format format;
} rdgc_request;

// One GPU.
typedef struct {
    gmmu_gpu gpu;
    gmmu_rdgc *on;   // L1 as described; NULL: not wanted, or bypassed anyway
    gmmu_rdgc *off;  // L1 bypassed; NULL: not wanted
} rdgc_case;

// The grids taken.
typedef struct {
    uint64_t grids;
    uint64_t blocks;       // of all
    uint32_t threads;      // of a block, the largest
    uint32_t longest;      // L, the largest
    uint64_t longest_sum;  // the sum of all grids' L
    uint64_t reads, writes;
    uint64_t models_accesses;  // coalesced, of all models
    double models_seconds;
    bool stopped;  // by --stop, before the kernel's end
} rdgc_totals;

// "all", or a list of K, A-B and A- (to the last), each with /STEP. False and *err on bad input.
bool rdgc_parse_grids(const char *list, rdgc_request *r, gmmu_error *err);
bool rdgc_wants_grid(const rdgc_request *r, uint64_t number);
// Is NUMBER behind all grids that are wanted?
bool rdgc_behind_last(const rdgc_request *r, uint64_t number);
// "KEY+KEY=V:V,V:V": one more variation. False and *err on bad input or without memory.
bool rdgc_parse_variation(const char *text, rdgc_request *r, gmmu_error *err);
void rdgc_free_variations(rdgc_request *r);
// The cases: every combination of the variations' values, the last changing first. NULL and *err
// on bad values or without memory.
rdgc_case *rdgc_make_cases(const rdgc_request *r, size_t *count, gmmu_error *err);
void rdgc_free_cases(rdgc_case *cases, size_t count);
// The value that variation number V gives to its key number K in case number CASE.
const char *rdgc_value(const rdgc_request *r, size_t number, size_t v, size_t k);

// Does the file SOURCE begin as a kernel trace? Then *form is its form, found by the content if
// packed. False for a pipe.
bool rdgc_is_traced(const char *source, gmmu_form *form);
// Reads the kernel trace SOURCE for WATCH. GMMU_OK, or GMMU_BAD and *err.
int rdgc_read_traced(const rdgc_request *r, const gmmu_kernel_watch *watch, gmmu_error *err);

// Runs the source's grids through the cases' models. The exit status: 0, 1 (the kernel's result is
// wrong) or 2, then *err is filled.
int rdgc_run(const rdgc_request *r, rdgc_case *cases, size_t count, rdgc_totals *totals,
             gmmu_error *err);
void rdgc_print(const rdgc_request *r, const rdgc_case *cases, size_t count,
                const rdgc_totals *totals);

#endif
