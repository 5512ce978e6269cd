// SPDX-License-Identifier: Apache-2.0
// table.h: the common part of the forms that are tables: lines of fields, under a header or in a
// known order (docs/reference/formats.md, "Imported traces").
#ifndef GMMU_TRACE_TABLE_H
#define GMMU_TRACE_TABLE_H

#include "trace/import.h"
#include "trace/layout.h"
#include "trace/texts.h"

struct gmmu_table;

typedef struct {
    const gmmu_column *columns;  // ended by a name NULL
    // Optional: true if the present columns, with the names NAME, go together.
    bool (*check)(struct gmmu_table *t, const char *const *name, refusal *no);
    // Takes a line. VALUE[role] is the line's field, "" without such a field.
    bool (*row)(gmmu_reader *r, const char *const *value, refusal *no);
} gmmu_table_kind;

// How a table is laid out that has no header with the names of its kind's columns.
typedef struct {
    // The columns from left to right (layout.h); several layouts, divided by |, of which each row
    // fits one; or ROLE=NAME,…: the names in the header.
    const char *columns;
    const char *separators;  // NULL: found. With a blank among these, several count as one
    bool header;             // a line of names stands first
} gmmu_table_plan;

// Data of a table; the first member of import->form.
typedef struct gmmu_table {
    const gmmu_table_kind *kind;
    char separators[8];  // "": not known yet
    bool merged;         // several separators count as one
    bool header;         // the first line is one of names
    const char *plan;    // the plan's columns; NULL: by the names in the header
    size_t layouts;
    const gmmu_layout *used;  // of the row
    gmmu_layout layout[TABLE_LAYOUTS];
    gmmu_texts *pages, *spaces;  // numbers of texts
    bool digits, letters;        // a hexadecimal number was read; one with 0x or a letter
    bool started;                // SAME is known
    char same[64];
    char names[64];  // of a header in which a column is missing
    char note[480];  // text about the ignored columns
} gmmu_table;

// Reads the header. SHIFT_GIVEN: page_shift in comments does not count. False and *err on failure.
bool gmmu_table_start(gmmu_reader *r, const gmmu_table_kind *kind, bool shift_given,
                      gmmu_error *err);
// Begins a table by PLAN. False and *err on failure; NAME stands before what is wrong in the plan.
bool gmmu_table_start_plan(gmmu_reader *r, const gmmu_table_kind *kind, const gmmu_table_plan *plan,
                           const char *name, gmmu_error *err);
// As gmmu_importer's free, for a FORM that begins with a gmmu_table.
void gmmu_table_free(void *form);
// As gmmu_importer's line and note.
bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no);
const char *gmmu_table_note(const void *form);
// gmmu_form_kind's doubt.
const char *gmmu_table_doubt(const gmmu_reader *r);
// Adds NAME to the ignored columns.
void gmmu_table_ignore(gmmu_table *t, const char *name);

// Reads the number in the field TEXT, at most MOST; an empty field that is not NEEDED is 0. False
// and *no: no such number.
bool gmmu_table_number(const char *text, uint64_t most, bool needed, const char *expected,
                       uint64_t *number, refusal *no);
// The same of the field of role C in VALUE, as the row's layout says that the field is written.
bool gmmu_table_value(gmmu_import *m, const char *const *value, gmmu_role c, bool needed,
                      uint64_t most, const char *expected, uint64_t *number, refusal *no);
// Sets *number to that of the text in the field, a new one at the first appearance.
bool gmmu_table_text(gmmu_texts **texts, const char *text, uint64_t *number, refusal *no);
// Sets *write from the field TEXT; an empty field is a read. False and *no: neither.
bool gmmu_table_write(const char *text, bool *write, refusal *no);
// True: a command of gem5's packets, r, w or u.
bool gmmu_table_command(const char *text);
// The COUNT names FIELD of the header's columns, for a refusal.
const char *gmmu_table_names(gmmu_table *t, const char *const *field, size_t count);

// In a row function: reads the number in VALUE's field of role C, or returns the refusal.
#define NUMBER(c, most, needed, expected, number)                                  \
    if (!gmmu_table_number(value[c], (most), (needed), (expected), &(number), no)) \
    return false

#endif
