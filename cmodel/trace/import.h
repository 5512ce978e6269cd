// SPDX-License-Identifier: Apache-2.0
// import.h: what the importers share (docs/formats.md, "Imported traces").
//
// A line or record becomes no walk, one, or several. Few are put into import->walks at once; a
// range of pages or a list of blocks is given piece by piece, so that no record takes memory by
// what it says.
#ifndef GMMU_TRACE_IMPORT_H
#define GMMU_TRACE_IMPORT_H

#include "trace/reader.h"

enum { IMPORT_LANES = 32, IMPORT_WALKS = 2 * IMPORT_LANES, IMPORT_REASONS = 16 };

typedef struct gmmu_table gmmu_table;
typedef struct gmmu_requests gmmu_requests;

// A range of pages of which the walks are still to be given, from WALK.vpn to LAST.
typedef struct {
    bool open;
    gmmu_walk walk;
    uint64_t last;
} import_range;

struct gmmu_import {
    unsigned shift;
    uint64_t iterations;     // g10
    bool line_numbers;       // accelsim: a source line stands before the PC
    uint64_t shared, local;  // accelsim: bases of the windows, 0: none
    size_t count;            // walks that are ready
    gmmu_walk walks[IMPORT_WALKS];
    import_range range;
    gmmu_table *table;        // csv, uvm-csv, g10
    gmmu_requests *requests;  // mooncake
    char found[256];          // a text for a refusal
    size_t reasons;           // why records are no walks
    struct {
        uint64_t count;
        char what[80];
    } skipped[IMPORT_REASONS];
};

// Why a line was refused: what was found, to its 0, and what was expected.
typedef struct {
    const char *at;
    const char *expected;
} refusal;

// Copies the next line to LINE, MAX_LINE + 1 bytes; it is WHOLE bytes long with its end, and is
// still what is read next.
int gmmu_import_line(gmmu_reader *r, char *line, size_t *whole, gmmu_error *err);
// Sets *err; returns GMMU_BAD.
int gmmu_import_refuse(gmmu_reader *r, const refusal *no, gmmu_error *err);
// Counts a record that is no walk: "WHAT" or "WHAT NAME".
void gmmu_import_skip(gmmu_import *m, const char *what, const char *name);
// Has the pages of SIZE bytes from ADDRESS given, SIZE at least 1; they end with the memory.
void gmmu_import_range(gmmu_import *m, uint64_t address, uint64_t size, gmmu_walk walk);
// A whole number, decimal or 0x hexadecimal, up to MOST.
bool gmmu_import_number(const char *text, uint64_t most, uint64_t *value);

// table.c: lines of fields under a header.
bool gmmu_table_open(gmmu_reader *r, bool shift_given, gmmu_error *err);
bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no);
// g10, behind the last line: opens the range of the next tensor; false when all were given.
bool gmmu_table_tensor(gmmu_reader *r);
const char *gmmu_table_note(const gmmu_table *t);
void gmmu_table_free(gmmu_table *t);

// mooncake.c: a JSON object a line.
bool gmmu_requests_open(gmmu_reader *r, gmmu_error *err);
// A line of LENGTH bytes.
bool gmmu_requests_line(gmmu_reader *r, const char *line, size_t length, refusal *no);
// Puts the next walks of the line's request into import->walks, if any are left.
void gmmu_requests_fill(gmmu_import *m);
void gmmu_requests_free(gmmu_requests *q);

#endif
