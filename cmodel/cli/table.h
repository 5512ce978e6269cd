// SPDX-License-Identifier: Apache-2.0
// table.h: rows of values, printed as a table, as CSV or as JSON.
#ifndef GMMU_CLI_TABLE_H
#define GMMU_CLI_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { FORMAT_TABLE = 1, FORMAT_CSV = 2, FORMAT_JSON = 4 } output_format;

typedef struct {
    const char *name;
    int width;  // of a table's column; negative: to the left; 0: not in a table
} table_column;

// A value. RATIO has six decimals, ABOUT six digits.
typedef struct {
    enum { VALUE_NONE, VALUE_TEXT, VALUE_NUMBER, VALUE_HEX, VALUE_RATIO, VALUE_ABOUT } kind;
    const char *text;
    uint64_t number;
    double real;
} table_value;

static inline table_value value_text(const char *text) {
    return (table_value){.kind = VALUE_TEXT, .text = text};
}
static inline table_value value_number(uint64_t number) {
    return (table_value){.kind = VALUE_NUMBER, .number = number};
}
static inline table_value value_hex(uint64_t number) {
    return (table_value){.kind = VALUE_HEX, .number = number};
}
static inline table_value value_ratio(double real) {
    return (table_value){.kind = VALUE_RATIO, .real = real};
}

typedef struct {
    output_format format;
    const table_column *columns;
    size_t count;
    json_t *rows;
} table;

// A table of COUNT columns whose names are not printed.
void table_open(table *t, output_format format, const table_column *columns, size_t count);
// Prints the names of the columns; of JSON nothing.
void table_names(const table *t);
// Both.
void table_begin(table *t, output_format format, const table_column *columns, size_t count);
// Prints a row of as many values. REMARK, if it is not NULL, stands behind it in a table.
void table_row(const table *t, const table_value *values, const char *remark);
void table_end(table *t);

// Adds the values to a JSON object, under their columns' names.
void table_members(json_t *object, const table_column *columns, const table_value *values,
                   size_t count);

#endif
