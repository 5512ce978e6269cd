// SPDX-License-Identifier: Apache-2.0
// table.c: see table.h.
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"

enum { NUMBER = 32 };

// The value as a table or a CSV line has it; TEXT is for those that are no text.
static const char *shown(const table_value *v, const char *none, char text[NUMBER]) {
    switch (v->kind) {
        case VALUE_TEXT:
            return v->text;
        case VALUE_NUMBER:
            (void)snprintf(text, NUMBER, "%" PRIu64, v->number);
            return text;
        case VALUE_HEX:
            (void)snprintf(text, NUMBER, "0x%" PRIx64, v->number);
            return text;
        case VALUE_RATIO:
            (void)snprintf(text, NUMBER, "%.6f", v->real);
            return text;
        case VALUE_ABOUT:
            (void)snprintf(text, NUMBER, "%.6g", v->real);
            return text;
        default:
            return none;
    }
}

// One field of a line: of a table its width, and blanks between; of CSV commas.
static void put_field(const table *t, size_t column, const char *text) {
    int width = t->columns[column].width;
    if (t->format == FORMAT_CSV) {
        if (column != 0) {
            (void)putchar(',');
        }
        output_csv(text);
        return;
    }
    if (width == 0) {
        return;
    }
    bool first = true;
    for (size_t i = 0; i < column; i++) {
        first = first && t->columns[i].width == 0;
    }
    if (!first) {
        (void)putchar(' ');
    }
    (void)printf("%*s", width, text);
}

void table_open(table *t, output_format format, const table_column *columns, size_t count) {
    *t = (table){.format = format, .columns = columns, .count = count};
    t->rows = format == FORMAT_JSON ? json_array() : NULL;
}

void table_names(const table *t) {
    for (size_t i = 0; t->format != FORMAT_JSON && i < t->count; i++) {
        put_field(t, i, t->columns[i].name);
    }
    if (t->format != FORMAT_JSON) {
        (void)putchar('\n');
    }
}

void table_begin(table *t, output_format format, const table_column *columns, size_t count) {
    table_open(t, format, columns, count);
    table_names(t);
}

void table_members(json_t *object, const table_column *columns, const table_value *values,
                   size_t count) {
    for (size_t i = 0; i < count; i++) {
        const table_value *v = &values[i];
        if (v->kind == VALUE_HEX) {
            output_hex(object, columns[i].name, v->number);
        } else if (v->kind == VALUE_NUMBER) {
            output_number(object, columns[i].name, v->number);
        } else {
            (void)json_object_set_new(object, columns[i].name,
                                      v->kind == VALUE_TEXT   ? output_text(v->text)
                                      : v->kind == VALUE_NONE ? json_null()
                                                              : json_real(v->real));
        }
    }
}

void table_row(const table *t, const table_value *values, const char *remark) {
    if (t->format == FORMAT_JSON) {
        json_t *object = json_object();
        table_members(object, t->columns, values, t->count);
        (void)json_array_append_new(t->rows, object);
        return;
    }
    for (size_t i = 0; i < t->count; i++) {
        char text[NUMBER];
        put_field(t, i, shown(&values[i], t->format == FORMAT_CSV ? "" : "-", text));
    }
    if (remark != NULL && t->format == FORMAT_TABLE) {
        (void)fputs(remark, stdout);
    }
    (void)putchar('\n');
}

void table_end(table *t) {
    if (t->format == FORMAT_JSON) {
        output_json(t->rows);
    }
}
