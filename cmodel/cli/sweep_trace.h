// SPDX-License-Identifier: Apache-2.0
// sweep_trace.h: the traces of a sweep: what each holds, read once and noted in the store.
#ifndef GMMU_CLI_SWEEP_TRACE_H
#define GMMU_CLI_SWEEP_TRACE_H

#include "cli/source_options.h"
#include "sweep/store.h"

// A trace as one way of reading it gives it.
typedef struct {
    const char *path;
    gmmu_source_form from;
    bool known;      // what follows is
    bool noted;      // it came from the store
    gmmu_error err;  // not known: why
    uint64_t digest, hint_digest, hints, walks;
    uint32_t distinct;  // pages
    unsigned page_shift;
} sweep_trace;

// Finds out what the COUNT traces hold, from the store's notes or by reading, on THREADS threads.
// IDENTITY: what stands for the program; another program's notes are not taken.
void sweep_traces_know(sweep_trace *traces, size_t count, unsigned threads, gmmu_store *store,
                       const char *identity);
// Whether DIGEST, of a later reading, is what T holds. If not, T's note in the store is void.
bool sweep_trace_same(const sweep_trace *t, const gmmu_source_digest *digest, gmmu_store *store,
                      const char *identity);

#endif
