// SPDX-License-Identifier: Apache-2.0
// form.h: what a form of a trace is to the reader, and what a reader is to a form: the bytes of its
// input, and the walks that it gives next.
//
// A form is a file of its own with one gmmu_form_kind, and a line in GMMU_FORM_TABLE
// (gmmu/trace.h).
#ifndef GMMU_TRACE_FORM_H
#define GMMU_TRACE_FORM_H

#include "gmmu/trace.h"
#include "trace/bytes.h"
#include "trace/form_writer.h"
#include "trace/hints.h"

enum { MIN_SHIFT = 9, MAX_SHIFT = 30 };

typedef struct {
    const char *name;                 // on the command line
    const gmmu_form_writer *writer;   // NULL: it is only read
    const struct gmmu_importer *how;  // of imported forms (import.h)
    unsigned char
        first;        // with this first byte a trace is of this form, if none was asked for; 0: no
    bool never_gzip;  // it may begin as gzip's files do
    bool blocks;      // fill gives many walks at once, which are numbered, not in lines
    // Reads the header; fills r->about, and r->own if the form needs memory.
    bool (*open)(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
    // One of the two. NEXT: one walk, as gmmu_reader_next. FILL: makes r->next … r->last the next
    // walks, at least one, of which r->walks is the number of the first. Hints on the way are added
    // to r->hints.
    int (*next)(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err);
    int (*fill)(gmmu_reader *r, gmmu_error *err);
    // Optional, in a file: goes to a walk before or at WALK that can be gone to; r->walks is its
    // number.
    int (*seek)(gmmu_reader *r, uint64_t walk, gmmu_error *err);
    // Optional: goes behind a bad record. Without it, one is behind it already.
    void (*skip)(gmmu_reader *r);
    // Optional: gmmu_reader_skipped and gmmu_reader_note.
    uint64_t (*skipped)(const gmmu_reader *r, size_t reason, const char **what);
    const char *(*note)(const gmmu_reader *r);
    // Optional: gives r->own back, which may be NULL.
    void (*close)(void *own);
} gmmu_form_kind;

#define GMMU_FORM_KIND(enumerator, kind) extern const gmmu_form_kind gmmu_form_##kind;
GMMU_FORM_TABLE(GMMU_FORM_KIND)
#undef GMMU_FORM_KIND

// The form's description; NULL for GMMU_FORM_AUTO and what is no form.
const gmmu_form_kind *gmmu_form_kind_of(gmmu_form form);

struct gmmu_reader {
    const gmmu_form_kind *kind;
    void *own;  // the form's
    gmmu_about about;
    char *texts;     // that about points to
    uint64_t line;   // of the record read last
    uint64_t walks;  // given so far
    gmmu_loss loss;
    const gmmu_walk *next, *last;  // that FILL gave and are still to be handed out
    gmmu_hint_queue hints;
    bool hints_declared;  // in a text: what begins with "#!" is a hint
    bool ended;           // the last call said GMMU_END
    gmmu_bytes in;
};

#endif
