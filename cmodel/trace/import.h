// SPDX-License-Identifier: Apache-2.0
// import.h: the common part of the imported forms (docs/reference/formats.md, "Imported traces").
//
// A line or record becomes no walk, one walk, or several. Few walks are put into import->walks at
// once. A range of pages or a list of blocks is given piece by piece, so that the content of a
// record never decides how much memory is taken.
#ifndef GMMU_TRACE_IMPORT_H
#define GMMU_TRACE_IMPORT_H

#include "trace/form.h"

enum { IMPORT_LANES = 32, IMPORT_WALKS = 2 * IMPORT_LANES, IMPORT_REASONS = 16, USUAL_SHIFT = 12 };

// Most bytes of a range; more bytes are a mistake.
#define IMPORT_BYTES (UINT64_C(1) << 40)

// A range of pages whose walks are still to be given, from WALK.vpn to LAST.
// With REPEATS the walks are to one page.
typedef struct {
    bool open;
    gmmu_walk walk;
    uint64_t last;
    uint64_t repeats;
} import_range;

// The reader's r->own.
typedef struct {
    const struct gmmu_importer *how;
    void *form;  // the form's data, how->size bytes
    unsigned shift;
    size_t count;  // number of walks that are ready
    gmmu_walk walks[IMPORT_WALKS];
    import_range range;
    char found[256];  // a text for a refusal
    size_t reasons;   // number of reasons why records are no walks
    struct {
        uint64_t count;
        char what[80];
    } skipped[IMPORT_REASONS];
} gmmu_import;

// The reason why a line was refused: the found text, up to a 0, and the expectation.
typedef struct {
    const char *at;
    const char *expected;
} refusal;

// The importer of a form.
typedef struct gmmu_importer {
    size_t size;     // bytes of the form's data, all 0 at first; 0: none
    unsigned shift;  // the usual page_shift
    // Optional: reads the part before the first record.
    bool (*start)(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
    // Turns the next record into walks, a range, or nothing: GMMU_OK, GMMU_END or GMMU_BAD.
    int (*record)(gmmu_reader *r, gmmu_error *err);
    // The same for one line, if `record` is gmmu_import_record. False and *no: the line is refused.
    bool (*line)(gmmu_reader *r, char *line, refusal *no);
    // Optional: checks at the end of the input that nothing is missing. False and *no: something
    // is.
    bool (*end)(gmmu_import *m, refusal *no);
    // Optional: adds walks that are left of the record to import->walks.
    void (*more)(gmmu_import *m);
    // Optional: gmmu_reader_note.
    const char *(*note)(const void *form);
    // Optional: frees the memory to which FORM (may be NULL) points.
    void (*free)(void *form);
    const void *preset;  // for `start`
    bool long_lines;     // lines may be longer than MAX_LINE: the rest does not count
} gmmu_importer;

// The members of a gmmu_form_kind that all imported forms share.
#define GMMU_IMPORTED(importer)                                                              \
    .how = &(importer), .open = gmmu_import_open, .fill = gmmu_import_fill,                  \
    .skip = gmmu_import_skip_line, .skipped = gmmu_import_skipped, .note = gmmu_import_note, \
    .close = gmmu_import_close
// As the members open, fill, skip, skipped, note and close of a gmmu_form_kind (form.h).
bool gmmu_import_open(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
int gmmu_import_fill(gmmu_reader *r, gmmu_error *err);
void gmmu_import_skip_line(gmmu_reader *r);
uint64_t gmmu_import_skipped(const gmmu_reader *r, size_t reason, const char **what);
const char *gmmu_import_note(const gmmu_reader *r);
void gmmu_import_close(void *own);

// Returns the import of R, a reader of an imported form.
static inline gmmu_import *gmmu_import_of(gmmu_reader *r) {
    return r->own;
}

// Fills *NO, and returns false. Both texts must outlive *NO.
static inline bool gmmu_refused(refusal *no, const char *found, const char *expected) {
    *no = (refusal){.at = found, .expected = expected};
    return false;
}

// Sets *LENGTH of the next line, at most LONGEST bytes, and *WHOLE, the length with the line's end.
// False and *err: the line is longer.
bool gmmu_import_measure(gmmu_reader *r, size_t longest, size_t *length, size_t *whole,
                         gmmu_error *err);
// Copies the next line to LINE, which has MAX_LINE + 1 bytes. *WHOLE is the length with the line's
// end. The line is still the next to be read. GMMU_OK, GMMU_END, or GMMU_BAD and *err.
int gmmu_import_line(gmmu_reader *r, char *line, size_t *whole, gmmu_error *err);
// Takes the next record of a form whose records are lines: GMMU_OK, GMMU_END, or GMMU_BAD and *err.
int gmmu_import_record(gmmu_reader *r, gmmu_error *err);
// Sets *err from NO. Returns GMMU_BAD.
int gmmu_import_refuse(gmmu_reader *r, const refusal *no, gmmu_error *err);
// Counts a record that is no walk: "WHAT" or "WHAT NAME".
void gmmu_import_skip(gmmu_import *m, const char *what, const char *name);
// The same for COUNT records.
void gmmu_import_skip_many(gmmu_import *m, const char *what, uint64_t count);
// Reads the next record of SIZE bytes. GMMU_END at the end, GMMU_BAD if only a part is there.
int gmmu_import_fixed(gmmu_reader *r, unsigned char *record, size_t size, gmmu_error *err);
// Refuses the record that was read last, of SIZE bytes. Returns GMMU_BAD.
int gmmu_import_refuse_fixed(gmmu_reader *r, size_t size, const char *found, const char *expected,
                             gmmu_error *err);
// Adds the pages of an access of one lane, of at most 2^MIN_SHIFT bytes: one page or two. A record
// has at most IMPORT_LANES such accesses. A page of the record is not added twice.
void gmmu_import_access(gmmu_import *m, uint64_t address, uint64_t size, uint64_t ref, bool write);
// Adds a hint before the next walk. Hints beyond GMMU_HINTS are counted as records that are no
// walks. False: no memory.
bool gmmu_import_hint(gmmu_reader *r, gmmu_hint hint);
// Gives the walks of the pages of SIZE bytes from ADDRESS on, SIZE at least 1, up to the end of
// memory.
void gmmu_import_range(gmmu_import *m, uint64_t address, uint64_t size, gmmu_walk walk);
// Gives WALK COUNT times, at least once.
void gmmu_import_repeat(gmmu_import *m, uint64_t count, gmmu_walk walk);

#endif
