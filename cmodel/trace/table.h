// SPDX-License-Identifier: Apache-2.0
// table.h: what the forms share that are tables: lines of fields under a header, whose columns may
// stand in any order (docs/reference/formats.md, "Imported traces").
#ifndef GMMU_TRACE_TABLE_H
#define GMMU_TRACE_TABLE_H

#include "trace/import.h"

enum { TABLE_COLUMNS = 256 };

// Most bytes of a range: more is a mistake.
#define TABLE_BYTES (UINT64_C(1) << 40)

// What a column means.
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
    COL_USED,              // those before are used
    COL_KNOWN = COL_USED,  // and not used
    COL_UNKNOWN
} gmmu_role;

typedef struct {
    const char *name;
    gmmu_role role;
    bool needed;
} gmmu_column;

struct gmmu_table;

typedef struct {
    const gmmu_column *columns;  // ended by a name NULL
    // Optional: whether the columns that are there go together.
    bool (*check)(struct gmmu_table *t, refusal *no);
    // A line: VALUE[role] is its field, "" where there is none.
    bool (*row)(gmmu_reader *r, const char *const *value, refusal *no);
} gmmu_table_kind;

// What a table needs; the first member of import->form.
typedef struct gmmu_table {
    const gmmu_table_kind *kind;
    char separator;
    size_t columns;
    gmmu_role roles[TABLE_COLUMNS];
    bool has[COL_USED];
    char note[400];  // columns that are ignored
} gmmu_table;

// Reads the header. SHIFT_GIVEN: what comments say of page_shift does not count.
bool gmmu_table_start(gmmu_reader *r, const gmmu_table_kind *kind, bool shift_given,
                      gmmu_error *err);
// As gmmu_importer's line and note.
bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no);
const char *gmmu_table_note(const void *form);
// Adds NAME to the columns that are ignored.
void gmmu_table_ignore(gmmu_table *t, const char *name);

// A number in the field TEXT; 0 when it is empty and not NEEDED.
bool gmmu_table_number(const char *text, uint64_t most, bool needed, const char *expected,
                       uint64_t *number, refusal *no);
// Whether the field TEXT says that the access writes; empty: it reads.
bool gmmu_table_write(const char *text, bool *write, refusal *no);

// In a row function: the number in VALUE's field of role C, or the refusal.
#define NUMBER(c, most, needed, expected, number)                                  \
    if (!gmmu_table_number(value[c], (most), (needed), (expected), &(number), no)) \
    return false

#endif
