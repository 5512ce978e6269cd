// SPDX-License-Identifier: Apache-2.0
// diff_read.h: the rows of a result that `gmmu replay` or `gmmu mrc` printed as CSV or as JSON.
#ifndef GMMU_CLI_DIFF_READ_H
#define GMMU_CLI_DIFF_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "gmmu/trace.h"

enum { DIFF_KEYS = 3 };
extern const char *const diff_keys[DIFF_KEYS];  // columns by which rows are matched

typedef struct {
    const char *path;
    char **names;  // of the columns
    size_t columns;
    char **cells;  // row by row, `columns` of each; NULL: nothing stands there
    size_t rows;
} diff_result;

// Reads PATH, or standard input for "-". False and *err on failure; diff_free in any case.
bool diff_read(diff_result *r, const char *path, gmmu_error *err);
void diff_free(diff_result *r);
// The number of the column NAME; `columns` if there is none.
size_t diff_column(const diff_result *r, const char *name);
// The text at ROW and COLUMN, or NULL.
const char *diff_cell(const diff_result *r, size_t row, size_t column);

#endif
