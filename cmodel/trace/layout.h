// SPDX-License-Identifier: Apache-2.0
// layout.h: the columns of a table, from left to right: what each means and how it is written
// (docs/reference/formats.md, "Tables").
#ifndef GMMU_TRACE_LAYOUT_H
#define GMMU_TRACE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS = 256, TABLE_LAYOUTS = 6 };

// Meaning of a column.
typedef enum {
    COL_VPN,
    COL_ADDRESS,
    COL_STORE,  // address of a write behind the access
    COL_SIZE,
    COL_REF,
    COL_RW,
    COL_SM,
    COL_ASID,
    COL_TIME,
    COL_SAME,  // the same text in all rows
    COL_TYPE,
    COL_COUNT,
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

// How a column is written.
typedef struct {
    gmmu_role role;
    bool hex;         // hexadecimal, with or without 0x; else decimal or 0x hexadecimal
    bool decimal;     // decimal alone
    bool prefix;      // hexadecimal with 0x alone
    bool word;        // of COL_RW: neither 0 nor 1
    bool unknown;     // of COL_RW: "u" is counted and is no walk
    bool text;        // any text: it gets a number
    bool colon;       // ends in a colon, which does not count
    bool bracket;     // stands in round brackets
    bool number;      // of a column that is left out: a number
    uint64_t factor;  // by which the number is multiplied; unless 1 it may have a fraction
} gmmu_field;

typedef struct {
    size_t count, least;  // fields of a row: at most, unless MORE, and at least
    bool more;            // further fields are left out
    bool has[COL_USED];
    gmmu_field fields[TABLE_COLUMNS];
} gmmu_layout;

// Reads SPEC, "addr:hex,rw,-,time*1000000": the columns from left to right, with names of KNOWN.
// False: *at and *expected say what is wrong.
bool gmmu_layout_parse(gmmu_layout *l, const gmmu_column *known, const char *spec, const char **at,
                       const char **expected);
// Reads one item, up to END: a name and how the column is written.
bool gmmu_layout_item(gmmu_field *f, const gmmu_column *known, const char *item, const char *end,
                      bool *optional, const char **expected);
// True: the columns go together. False: *expected says what does.
bool gmmu_layout_sound(const gmmu_layout *l, const char **expected);
// Returns the column of NAME, or the last entry, whose name is NULL.
const gmmu_column *gmmu_column_find(const gmmu_column *known, const char *name);
// True: the two names differ at most in case, and in characters between their words.
bool gmmu_column_same(const char *a, const char *b);

#endif
