// SPDX-License-Identifier: Apache-2.0
// form.h: the interface between the reader and a form of a trace: the bytes of the input, and the
// walks that the form gives next.
//
// A form is a file of its own with one gmmu_form_kind, and a line in GMMU_FORM_TABLE
// (gmmu/trace.h).
#ifndef GMMU_TRACE_FORM_H
#define GMMU_TRACE_FORM_H

#include "gmmu/trace.h"
#include "trace/bytes.h"
#include "trace/form_writer.h"
#include "trace/hints.h"
#include "trace/renumber.h"

enum { MIN_SHIFT = 9, MAX_SHIFT = 30 };

typedef struct {
    const char *name;                 // on the command line
    const gmmu_form_writer *writer;   // NULL: the form is only read
    const struct gmmu_importer *how;  // of imported forms (import.h)
    unsigned char
        first;        // with this first byte a trace is of this form, if none was asked for; 0: no
    bool binary;      // no text, so without a byte order mark
    bool identities;  // pages have no addresses, so none is beside another
    bool any_number;  // identities of any 64 bits: they are numbered
    bool vague;       // many a file fits: it is not taken unless asked for
    bool others;      // the walks are in other files
    bool blocks;      // `fill` gives many walks at once; walks have numbers, not lines
    bool records;     // each record is a walk, and `fill` may read several
    // Reads the header; fills r->about, and r->own if the form needs memory. False and *err on
    // failure.
    bool (*open)(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
    // One of the two. `next` gives one walk, as gmmu_reader_next. `fill` makes r->next … r->last
    // the next walks, at least one; r->walks is the number of the first. Both add hints on the way
    // to r->hints.
    int (*next)(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err);
    int (*fill)(gmmu_reader *r, gmmu_error *err);
    // Optional, with `records`: puts into WALKS the walks of up to MOST records that are in the
    // buffer, and returns how many; 0: `fill` must read. r->walks is the number of the first.
    size_t (*take)(gmmu_reader *r, gmmu_walk *walks, size_t most);
    // Optional, for files: goes to the nearest possible walk at or before WALK; r->walks is its
    // number.
    int (*seek)(gmmu_reader *r, uint64_t walk, gmmu_error *err);
    // Optional: goes behind a bad record. Without `skip` the reader is behind the record already.
    void (*skip)(gmmu_reader *r);
    // Optional: as gmmu_reader_skipped and gmmu_reader_note.
    uint64_t (*skipped)(const gmmu_reader *r, size_t reason, const char **what);
    const char *(*note)(const gmmu_reader *r);
    // Optional, for a reader of a probe (guess.c): why what was read may be of another form; NULL:
    // there is no doubt.
    const char *(*doubt)(const gmmu_reader *r);
    // Optional: frees r->own, which may be NULL.
    void (*close)(void *own);
} gmmu_form_kind;

#define GMMU_FORM_KIND(enumerator, kind) extern const gmmu_form_kind gmmu_form_##kind;
GMMU_FORM_TABLE(GMMU_FORM_KIND)
#undef GMMU_FORM_KIND

// Returns the form's description; NULL for GMMU_FORM_AUTO and any value that is no form.
const gmmu_form_kind *gmmu_form_kind_of(gmmu_form form);

struct gmmu_reader {
    const gmmu_form_kind *kind;
    void *own;  // the form's own data
    gmmu_about about;
    char *texts;       // texts of `about`
    uint64_t line;     // line of the last read record
    uint64_t walks;    // number of walks given so far
    unsigned coarser;  // bits that page numbers lose
    gmmu_loss loss;
    const gmmu_walk *next, *last;  // walks of `fill` that are still to be given
    gmmu_hint_queue hints;
    bool identities;          // pages have no addresses
    bool probe;               // the form is being guessed: other files are not opened
    bool near;                // of a table: the header has a column of pages or addresses
    gmmu_renumber *renumber;  // NULL: pages stay
    bool hints_declared;      // in a text: lines with "#!" are hints
    bool ended;               // the last call returned GMMU_END
    gmmu_bytes in;
};

#endif
