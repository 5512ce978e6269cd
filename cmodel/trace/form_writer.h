// SPDX-License-Identifier: Apache-2.0
// form_writer.h: the interface between the writer and a form of a trace.
#ifndef GMMU_TRACE_FORM_WRITER_H
#define GMMU_TRACE_FORM_WRITER_H

#include "gmmu/trace.h"
#include "trace/output.h"

typedef struct {
    int (*start)(gmmu_writer *w, const gmmu_about *about, gmmu_error *err);
    int (*put)(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err);
    // Writes a valid hint, one of at most GMMU_HINTS before a walk.
    int (*hint)(gmmu_writer *w, const gmmu_hint *hint, gmmu_error *err);
    // Writes all data still to be written, and flushes.
    int (*finish)(gmmu_writer *w, gmmu_error *err);
    // Optional: frees w->own, which may be NULL.
    void (*close)(void *own);
} gmmu_form_writer;

struct gmmu_writer {
    const gmmu_form_writer *form;
    void *own;      // the form's own data
    size_t hints;   // number of hints since the last walk
    bool declared;  // in a text: lines with "#!" are hints
    gmmu_output out;
};

#endif
