// SPDX-License-Identifier: Apache-2.0
// table.h: the common part of the forms that are tables: lines of fields under a header, with
// columns in any order (docs/reference/formats.md, "Imported traces").
#ifndef GMMU_TRACE_TABLE_H
#define GMMU_TRACE_TABLE_H

#include "trace/import.h"

enum { TABLE_COLUMNS = 256 };

// Meaning of a column.
typedef enum {
    COL_VPN,
    COL_ADDRESS,
    COL_SIZE,
    COL_REF,
    COL_RW,
    COL_SM,
    COL_ASID,
    COL_TIME,
    COL_TYPE,
    COL_KERNEL,
    COL_CYCLES,
    COL_WEIGHT,
    COL_USED,              // number of used roles
    COL_KNOWN = COL_USED,  // a known column that is not used
    COL_UNKNOWN
} gmmu_role;

typedef struct {
    const char *name;
    gmmu_role role;
    bool needed;
    bool other;  // a name that other tools use: it counts if no column has a name of our own
} gmmu_column;

struct gmmu_table;

typedef struct {
    const gmmu_column *columns;  // ended by a name NULL
    // Optional: true if the present columns, with the names NAME, go together.
    bool (*check)(struct gmmu_table *t, const char *const *name, refusal *no);
    // Takes a line. VALUE[role] is the line's field, "" without such a field.
    bool (*row)(gmmu_reader *r, const char *const *value, refusal *no);
} gmmu_table_kind;

// Data of a table; the first member of import->form.
typedef struct gmmu_table {
    const gmmu_table_kind *kind;
    char separator;
    size_t columns;
    gmmu_role roles[TABLE_COLUMNS];
    bool has[COL_USED];
    char note[480];  // text about the ignored columns
} gmmu_table;

// Reads the header. SHIFT_GIVEN: page_shift in comments does not count. False and *err on failure.
bool gmmu_table_start(gmmu_reader *r, const gmmu_table_kind *kind, bool shift_given,
                      gmmu_error *err);
// As gmmu_importer's line and note.
bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no);
const char *gmmu_table_note(const void *form);
// Adds NAME to the ignored columns.
void gmmu_table_ignore(gmmu_table *t, const char *name);

// Reads the number in the field TEXT, at most MOST; an empty field that is not NEEDED is 0. False
// and *no: no such number.
bool gmmu_table_number(const char *text, uint64_t most, bool needed, const char *expected,
                       uint64_t *number, refusal *no);
// Sets *write from the field TEXT; an empty field is a read. False and *no: neither.
bool gmmu_table_write(const char *text, bool *write, refusal *no);

// In a row function: reads the number in VALUE's field of role C, or returns the refusal.
#define NUMBER(c, most, needed, expected, number)                                  \
    if (!gmmu_table_number(value[c], (most), (needed), (expected), &(number), no)) \
    return false

#endif
