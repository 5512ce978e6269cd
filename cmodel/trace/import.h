// SPDX-License-Identifier: Apache-2.0
// import.h: what the imported forms share (docs/reference/formats.md, "Imported traces").
//
// A line or record becomes no walk, one, or several. Few are put into import->walks at once; a
// range of pages or a list of blocks is given piece by piece, so that no record takes memory by
// what it says.
#ifndef GMMU_TRACE_IMPORT_H
#define GMMU_TRACE_IMPORT_H

#include "trace/form.h"

enum { IMPORT_LANES = 32, IMPORT_WALKS = 2 * IMPORT_LANES, IMPORT_REASONS = 16, USUAL_SHIFT = 12 };

// A range of pages of which the walks are still to be given, from WALK.vpn to LAST.
typedef struct {
    bool open;
    gmmu_walk walk;
    uint64_t last;
} import_range;

// The reader's r->own.
typedef struct {
    const struct gmmu_importer *how;
    void *form;  // how->size bytes, of the form
    unsigned shift;
    size_t count;  // walks that are ready
    gmmu_walk walks[IMPORT_WALKS];
    import_range range;
    char found[256];  // a text for a refusal
    size_t reasons;   // why records are no walks
    struct {
        uint64_t count;
        char what[80];
    } skipped[IMPORT_REASONS];
} gmmu_import;

// Why a line was refused: what was found, to its 0, and what was expected.
typedef struct {
    const char *at;
    const char *expected;
} refusal;

// How a form is imported.
typedef struct gmmu_importer {
    size_t size;     // bytes that the form needs, all 0 at first; 0: none
    unsigned shift;  // the usual page_shift
    // Optional: reads what is before the first record.
    bool (*start)(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
    // Makes the next record walks, a range, or nothing: GMMU_OK, GMMU_END or GMMU_BAD.
    int (*record)(gmmu_reader *r, gmmu_error *err);
    // The same for one line, if record is gmmu_import_record; false and *no.
    bool (*line)(gmmu_reader *r, char *line, refusal *no);
    // Optional: adds walks to import->walks that are left of the record.
    void (*more)(gmmu_import *m);
    // Optional: gmmu_reader_note.
    const char *(*note)(const void *form);
    // Optional: gives back what FORM, which may be NULL, points to.
    void (*free)(void *form);
} gmmu_importer;

// The members of a gmmu_form_kind that all imported forms share.
#define GMMU_IMPORTED(importer)                                                              \
    .how = &(importer), .open = gmmu_import_open, .fill = gmmu_import_fill,                  \
    .skip = gmmu_import_skip_line, .skipped = gmmu_import_skipped, .note = gmmu_import_note, \
    .close = gmmu_import_close
bool gmmu_import_open(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
int gmmu_import_fill(gmmu_reader *r, gmmu_error *err);
void gmmu_import_skip_line(gmmu_reader *r);
uint64_t gmmu_import_skipped(const gmmu_reader *r, size_t reason, const char **what);
const char *gmmu_import_note(const gmmu_reader *r);
void gmmu_import_close(void *own);

static inline gmmu_import *gmmu_import_of(gmmu_reader *r) {
    return r->own;
}

static inline bool gmmu_refused(refusal *no, const char *found, const char *expected) {
    *no = (refusal){.at = found, .expected = expected};
    return false;
}

// The length of the next line, at most LONGEST bytes without its end, and with it in *WHOLE. False
// and *err when it is longer.
bool gmmu_import_measure(gmmu_reader *r, size_t longest, size_t *length, size_t *whole,
                         gmmu_error *err);
// Copies the next line to LINE, MAX_LINE + 1 bytes; it is WHOLE bytes long with its end, and is
// still what is read next.
int gmmu_import_line(gmmu_reader *r, char *line, size_t *whole, gmmu_error *err);
// The next record of a form whose records are lines.
int gmmu_import_record(gmmu_reader *r, gmmu_error *err);
// Sets *err; returns GMMU_BAD.
int gmmu_import_refuse(gmmu_reader *r, const refusal *no, gmmu_error *err);
// Counts a record that is no walk: "WHAT" or "WHAT NAME".
void gmmu_import_skip(gmmu_import *m, const char *what, const char *name);
// Adds the first and the last page of an access of one lane, at most IMPORT_LANES of them in a
// record; a page that the record has already is not added again.
void gmmu_import_access(gmmu_import *m, uint64_t address, uint64_t size, uint64_t ref, bool write);
// Adds a hint before the next walk; more than GMMU_HINTS are counted with what is no walk. False:
// no memory.
bool gmmu_import_hint(gmmu_reader *r, gmmu_hint hint);
// Has the pages of SIZE bytes from ADDRESS given, SIZE at least 1; they end with the memory.
void gmmu_import_range(gmmu_import *m, uint64_t address, uint64_t size, gmmu_walk walk);

#endif
