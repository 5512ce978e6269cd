// SPDX-License-Identifier: Apache-2.0
// trace_copy.h: `gmmu trace convert`, `cut`, `head` and `digest`.
#ifndef GMMU_CLI_TRACE_COPY_H
#define GMMU_CLI_TRACE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/source_options.h"
#include "gmmu/trace.h"

typedef struct {
    const char *trace;
    gmmu_source_form from;
    const char *output;    // NULL: standard output
    gmmu_form form;        // of the output; AUTO: by its path
    gmmu_about about;      // texts that replace the trace's own
    uint64_t first, last;  // walks first … last - 1; last 0 with neither given: all
    bool walks_given, head_given;
    bool keep_going;
    bool filtered;            // convert: TLBs stand before the walks
    uint64_t l1_tlb, l2_tlb;  // their entries
} copy_request;

// "A:B", either left out. False and *err on bad input.
bool parse_range(const char *text, uint64_t *first, uint64_t *last, gmmu_error *err);
// Both return the exit status.
int trace_copy(const copy_request *c);
int trace_digest(const copy_request *c);

#endif
