// SPDX-License-Identifier: Apache-2.0
// reader.h: what the readers of all forms share: the buffer, the place in the input, messages.
#ifndef GMMU_TRACE_READER_H
#define GMMU_TRACE_READER_H

#include <stddef.h>

#include "gmmu/trace.h"

enum { BUFFER = 1 << 20, MAX_LINE = 4096, MIN_SHIFT = 9, MAX_SHIFT = 30 };

typedef struct gmmu_gwt gmmu_gwt;
typedef struct gmmu_import gmmu_import;
typedef struct gmmu_gz gmmu_gz;

struct gmmu_reader {
    int fd;
    bool ended;  // everything has been read into the buffer
    bool stuck;  // what follows the error cannot be read
    gmmu_form form;
    gmmu_about about;
    char *texts;     // that about points to
    uint64_t line;   // of the record read last
    uint64_t walks;  // given so far
    gmmu_loss loss;
    uint64_t read, total;          // bytes
    const char *at, *end;          // what is left in the buffer; *end is 0
    const gmmu_walk *next, *last;  // walks of the block or line read last (not of the text form)
    gmmu_gwt *gwt;
    gmmu_import *import;
    gmmu_gz *gz;  // NULL: the input is not compressed
    char *name;
    char buffer[BUFFER + 1];
};

// Copies FROM to TO with control characters and those of LIMIT or more escaped, and "…" where it
// was cut.
void gmmu_reader_printable(char *to, size_t size, const char *from, size_t length, unsigned limit);
// Puts "FILE: " or, if LINE is not 0, "FILE:LINE: " into *err; returns its length.
size_t gmmu_reader_place(gmmu_error *err, const char *name, uint64_t line);

// Sets *err to the place and a printf-like message. (A macro: clang-tidy 14 takes every va_list
// for uninitialised when it checks several files in one run.)
#define FAIL(err, name, line, ...)                                                   \
    do {                                                                             \
        size_t used_ = gmmu_reader_place((err), (name), (line));                     \
        (void)snprintf((err)->text + used_, sizeof(err)->text - used_, __VA_ARGS__); \
    } while (0)

bool gmmu_reader_refill(gmmu_reader *r, gmmu_error *err);

// Makes the whole next line, if it is no longer than MAX_LINE, lie in the buffer.
static inline bool gmmu_reader_ready(gmmu_reader *r, gmmu_error *err) {
    return r->end - r->at > MAX_LINE + 2 || r->ended || gmmu_reader_refill(r, err);
}

// The offset in the input of what is read next.
static inline uint64_t gmmu_reader_offset(const gmmu_reader *r) {
    return r->read - (uint64_t)(r->end - r->at);
}

// Reads SIZE bytes, or fewer at the end of the input: *got. False on a read error.
bool gmmu_reader_fetch(gmmu_reader *r, void *to, size_t size, size_t *got, gmmu_error *err);
// Goes to OFFSET of a regular file.
bool gmmu_reader_goto(gmmu_reader *r, uint64_t offset, gmmu_error *err);

// gz.c: has the input inflated, of which what is buffered is the beginning.
bool gmmu_gz_start(gmmu_reader *r, gmmu_error *err);
// Up to SIZE bytes: their number, 0 at the end, -1 and *err.
ptrdiff_t gmmu_gz_read(gmmu_reader *r, void *to, size_t size, gmmu_error *err);
// Compressed bytes taken so far.
uint64_t gmmu_gz_offset(const gmmu_gz *z);
void gmmu_gz_free(gmmu_gz *z);
// One read(2) that is not interrupted, as it lies in the file: as gmmu_gz_read.
ptrdiff_t gmmu_reader_raw(gmmu_reader *r, void *to, size_t size, gmmu_error *err);

bool gmmu_text_header(gmmu_reader *r, gmmu_error *err);
int gmmu_text_next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err);
void gmmu_text_skip_line(gmmu_reader *r);

bool gmmu_gwt_header(gmmu_reader *r, gmmu_error *err);
// Makes r->next … r->last the next walks, at least one.
int gmmu_gwt_fill(gmmu_reader *r, gmmu_error *err);
// Goes to the block of walk WALK; r->walks is then that block's first walk.
int gmmu_gwt_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err);
void gmmu_gwt_free(gmmu_gwt *g);

// import.c. The default settings are those of the form.
bool gmmu_import_open(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err);
int gmmu_import_fill(gmmu_reader *r, gmmu_error *err);
uint64_t gmmu_import_skipped(const gmmu_import *m, size_t reason, const char **what);
const char *gmmu_import_note(const gmmu_import *m);
void gmmu_import_free(gmmu_import *m);

#endif
