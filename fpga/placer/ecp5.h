// SPDX-License-Identifier: Apache-2.0
// ecp5: where the block RAMs of an ECP5-85F are.
#ifndef PLACER_ECP5_H
#define PLACER_ECP5_H

enum { RAM_COLUMNS = 52, RAM_ROWS = 4, RAM_SITES = RAM_COLUMNS * RAM_ROWS };

// Site s is in column s % RAM_COLUMNS of row s / RAM_COLUMNS.
static const int ram_column_x[RAM_COLUMNS] = {
    4,  6,  8,  10, 13, 15, 17,  19,  22,  24,  26,  28,  31,  33,  35,  37, 40, 42,
    44, 46, 49, 51, 53, 55, 58,  60,  62,  64,  69,  71,  73,  75,  78,  80, 82, 84,
    87, 89, 91, 93, 96, 98, 100, 102, 105, 107, 109, 111, 114, 116, 118, 120};
static const int ram_row_y[RAM_ROWS] = {22, 46, 70, 82};

static inline int ram_x(int site) {
    return ram_column_x[site % RAM_COLUMNS];
}
static inline int ram_y(int site) {
    return ram_row_y[site / RAM_COLUMNS];
}

#endif
