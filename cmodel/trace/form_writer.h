// SPDX-License-Identifier: Apache-2.0
// form_writer.h: what a form of a trace is to the writer, and what a writer is to a form.
#ifndef GMMU_TRACE_FORM_WRITER_H
#define GMMU_TRACE_FORM_WRITER_H

#include "gmmu/trace.h"
#include "trace/output.h"

typedef struct {
    int (*start)(gmmu_writer *w, const gmmu_about *about, gmmu_error *err);
    int (*put)(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err);
    // A sound hint, one of at most GMMU_HINTS before a walk.
    int (*hint)(gmmu_writer *w, const gmmu_hint *hint, gmmu_error *err);
    // Writes what is still to be written, and flushes.
    int (*finish)(gmmu_writer *w, gmmu_error *err);
    // Optional: gives w->own back, which may be NULL.
    void (*close)(void *own);
} gmmu_form_writer;

struct gmmu_writer {
    const gmmu_form_writer *form;
    void *own;      // the form's
    size_t hints;   // since the last walk
    bool declared;  // of a text: what begins with "#!" is a hint
    gmmu_output out;
};

#endif
