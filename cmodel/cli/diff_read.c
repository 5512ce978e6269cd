// SPDX-License-Identifier: Apache-2.0
// diff_read.c: see diff_read.h.
#include "cli/diff_read.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/pages.h"

// A file in memory, with a 0 behind.
typedef struct {
    char *text;
    size_t length;
} content;

static bool no_memory(gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "out of memory");
    return false;
}

static const char *shown(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

static bool read_file(const char *path, content *c, gmmu_error *err) {
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    bool good = f != NULL;
    size_t room = 0;
    while (good && (c->text == NULL || (feof(f) == 0 && ferror(f) == 0))) {
        if (room - c->length < 2) {
            const size_t more = room == 0 ? 1 << 16 : 2 * room;
            char *text = gmmu_grow(c->text, room, more, 1, 0);
            if (text == NULL) {
                good = no_memory(err);
                break;
            }
            c->text = text;
            room = more;
        }
        c->length += fread(c->text + c->length, 1, room - c->length - 1, f);
        c->text[c->length] = '\0';
    }
    if (f == NULL || (good && ferror(f) != 0)) {
        (void)snprintf(err->text, sizeof err->text, "%.200s: %s, expected a result of gmmu replay",
                       shown(path), strerror(errno));
        good = false;
    }
    if (f != NULL && f != stdin) {
        (void)fclose(f);
    }
    return good;
}

// One more column. False: no memory.
static bool add_column(diff_result *r, const char *name, size_t length) {
    char **names = gmmu_grow(r->names, r->columns, r->columns + 1, sizeof *names, 0);
    if (names == NULL) {
        return false;
    }
    r->names = names;
    r->names[r->columns] = strndup(name, length);
    return r->names[r->columns] != NULL && ++r->columns != 0;
}

// One more row of empty cells. False: no memory.
static bool add_row(diff_result *r, size_t *room) {
    if (r->rows == *room) {
        const size_t more = *room == 0 ? 64 : 2 * *room;
        char **cells = gmmu_grow(r->cells, *room * r->columns, more * r->columns, sizeof *cells, 0);
        if (cells == NULL) {
            return false;
        }
        r->cells = cells;
        *room = more;
    }
    r->rows++;
    return true;
}

// Takes a field of a CSV line off *P, in place (RFC 4180). NULL: no quote ends it.
static char *take_field(char **p) {
    char *field = *p;
    if (*field != '"') {
        *p += strcspn(*p, ",\n");
        return field;
    }
    char *to = field;
    for (char *from = field + 1; *from != '\0'; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            *p = from;
            return field;
        }
        *to++ = *from;
    }
    return NULL;
}

static uint64_t lines_to(const content *c, const char *at) {
    uint64_t lines = 1;
    for (const char *p = c->text; p < at; p++) {
        lines += *p == '\n' ? 1U : 0U;
    }
    return lines;
}

// Takes the fields of a line off *P: names of columns, or at most as many cells of the row ROW.
// Returns how many there were; SIZE_MAX: no memory, or a quote without end (*open).
static size_t take_line(diff_result *r, char **p, bool names, size_t row, bool *open) {
    size_t count = 0;
    for (bool more = true; more; count++) {
        char *field = take_field(p);
        if (field == NULL) {
            *open = true;
            return SIZE_MAX;
        }
        *p += (*p)[0] == '\r' && (*p)[1] == '\n' ? 1 : 0;  // behind a field in quotes
        more = **p == ',';
        char *end = *p;
        const char last = *end;
        *p += last != '\0' ? 1 : 0;
        *end = '\0';
        const size_t length = strlen(field);
        const bool returns = last == '\n' && length != 0 && field[length - 1] == '\r';
        if (returns) {
            field[length - 1] = '\0';
        }
        if (names) {
            if (!add_column(r, field, strlen(field))) {
                return SIZE_MAX;
            }
        } else if (count < r->columns && *field != '\0') {
            char *copy = strdup(field);
            if (copy == NULL) {
                return SIZE_MAX;
            }
            r->cells[row * r->columns + count] = copy;
        }
    }
    return count;
}

static bool read_csv(diff_result *r, const char *path, const content *c, gmmu_error *err) {
    char *p = c->text;
    size_t room = 0;
    for (uint64_t line = 1; *p != '\0'; line++) {
        const bool names = line == 1;
        if (!names && !add_row(r, &room)) {
            return no_memory(err);
        }
        bool open = false;
        const size_t count = take_line(r, &p, names, r->rows - (names ? 0 : 1), &open);
        if (open) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: record %" PRIu64 ": found a quote without end, expected \"",
                           shown(path), line);
            return false;
        }
        if (count == SIZE_MAX) {
            return no_memory(err);
        }
        if (count != r->columns) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: record %" PRIu64 ": found %zu fields, expected %zu",
                           shown(path), line, count, r->columns);
            return false;
        }
    }
    return true;
}

// The text of a JSON value that is no list and no object: NULL for null. False: no memory.
static bool json_cell(const json_t *value, char **cell) {
    char text[40] = "";
    *cell = NULL;
    if (json_is_null(value)) {
        return true;
    }
    if (json_is_integer(value)) {
        (void)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        (void)snprintf(text, sizeof text, "%.17g", json_real_value(value));
    } else if (json_is_boolean(value)) {
        (void)snprintf(text, sizeof text, "%s", json_is_true(value) ? "true" : "false");
    }
    *cell = strdup(json_is_string(value) ? json_string_value(value) : text);
    return *cell != NULL;
}

static bool take_object(diff_result *r, const char *path, size_t row, json_t *object,
                        gmmu_error *err) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value) {
        if (json_is_array(value) || json_is_object(value)) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: object %zu: found a list or an object as \"%.60s\", expected a "
                           "number or a text",
                           shown(path), row + 1, key);
            return false;
        }
        if (!json_cell(value, &r->cells[row * r->columns + diff_column(r, key)])) {
            return no_memory(err);
        }
    }
    return true;
}

static bool read_json(diff_result *r, const char *path, const content *c, gmmu_error *err) {
    json_error_t bad;
    json_t *all = json_loadb(c->text, c->length, JSON_REJECT_DUPLICATES, &bad);
    if (all == NULL || !json_is_array(all)) {
        (void)snprintf(err->text, sizeof err->text, "%.200s:%d: found %.100s, expected %s",
                       shown(path), all == NULL ? bad.line : 1,
                       all == NULL ? bad.text : "one value", "a list of objects in JSON");
        json_decref(all);
        return false;
    }
    bool good = true;
    size_t i = 0;
    json_t *object = NULL;
    json_array_foreach(all, i, object) {
        const char *key = NULL;
        json_t *value = NULL;
        if (!json_is_object(object)) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: value %zu: found no object, expected one for each row",
                           shown(path), i + 1);
            json_decref(all);
            return false;
        }
        json_object_foreach(object, key, value) {
            if (diff_column(r, key) == r->columns && !add_column(r, key, strlen(key))) {
                good = no_memory(err);
            }
        }
    }
    size_t room = 0;
    json_array_foreach(all, i, object) {
        good =
            good && (add_row(r, &room) || no_memory(err)) && take_object(r, path, i, object, err);
    }
    json_decref(all);
    return good;
}

const char *const diff_keys[DIFF_KEYS] = {"trace", "policy", "frames"};

// The rows must have what they are matched by.
static bool check(const diff_result *r, bool is_json, gmmu_error *err) {
    for (size_t i = 0; i < r->columns; i++) {
        if (diff_column(r, r->names[i]) != i) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s:1: found the column \"%.60s\" twice, expected it once",
                           shown(r->path), r->names[i]);
            return false;
        }
    }
    for (size_t i = 0; i < DIFF_KEYS && !(is_json && r->rows == 0); i++) {
        if (diff_column(r, diff_keys[i]) == r->columns) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s:1: found no column \"%s\", expected rows with trace, policy and "
                           "frames, as CSV with its line of names or as JSON",
                           shown(r->path), diff_keys[i]);
            return false;
        }
    }
    return true;
}

bool diff_read(diff_result *r, const char *path, gmmu_error *err) {
    *r = (diff_result){.path = path};
    content c = {0};
    bool good = read_file(path, &c, err);
    if (good && memchr(c.text, '\0', c.length) != NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s:%" PRIu64 ": found a NUL, expected text: CSV or JSON", shown(path),
                       lines_to(&c, c.text + strlen(c.text)));
        good = false;
    }
    if (good) {
        const char *first = c.text + strspn(c.text, " \t\r\n");
        const bool is_json = *first == '[' || *first == '{';
        good = (is_json ? read_json : read_csv)(r, path, &c, err) && check(r, is_json, err);
    }
    free(c.text);
    return good;
}

void diff_free(diff_result *r) {
    for (size_t i = 0; r->cells != NULL && i < r->rows * r->columns; i++) {
        free(r->cells[i]);
    }
    for (size_t i = 0; i < r->columns; i++) {
        free(r->names[i]);
    }
    free(r->cells);
    free(r->names);
    *r = (diff_result){0};
}

size_t diff_column(const diff_result *r, const char *name) {
    size_t i = 0;
    while (i < r->columns && strcmp(r->names[i], name) != 0) {
        i++;
    }
    return i;
}

const char *diff_cell(const diff_result *r, size_t row, size_t column) {
    return column == r->columns ? NULL : r->cells[row * r->columns + column];
}
