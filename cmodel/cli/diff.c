// SPDX-License-Identifier: Apache-2.0
// diff.c: `gmmu diff`: what changed between two results of `gmmu replay` or `gmmu mrc`.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/diff_read.h"
#include "cli/parse.h"

enum { A = 0, B = 1 };

typedef struct {
    shared_arguments shared;
    const char *paths[2];
    size_t path_count;
    double tolerance;
} request;

// One difference. A row or a column in one result alone has "found" as its value there.
typedef struct {
    const char *key[DIFF_KEYS];  // NULL: of a column
    const char *column;
    const char *value[2];
} difference;

typedef struct {
    const request *o;
    diff_result result[2];
    size_t *order[2];  // the rows by their keys, equal ones as they stand
    size_t *match;     // of each row of A its row of B; SIZE_MAX: none
    bool *matched;     // rows of B
    difference *list;
    size_t count, room;
    size_t both, changed, alone[2];  // rows
} comparison;

static bool parse_tolerance(const char *text, double *tolerance, gmmu_error *err) {
    char *end = NULL;
    const bool digit = (*text >= '0' && *text <= '9') || *text == '.';
    *tolerance = digit ? strtod(text, &end) : 0;
    bool good = digit && end != text && strpbrk(text, "xX") == NULL;
    if (good && *end == '%') {
        *tolerance /= 100;
        end++;
    }
    good = good && *end == '\0' && *tolerance >= 0 && *tolerance <= 1;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "--tolerance: found \"%.60s\", expected a part from 0 to 1, or up to 100%%",
                       text);
    }
    return good;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    request *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->shared;
            break;
        case 't':
            good = parse_tolerance(arg, &o->tolerance, &err);
            break;
        case ARGP_KEY_ARG:
            if (o->path_count == 2) {
                argp_failure(state, 2, 0, "found a third result \"%s\", expected two", arg);
            }
            o->paths[o->path_count++] = arg;
            break;
        case ARGP_KEY_END:
            if (o->path_count != 2) {
                argp_failure(state, 2, 0, "found %zu results, expected two, A and B",
                             o->path_count);
            }
            if (strcmp(o->paths[A], "-") == 0 && strcmp(o->paths[B], "-") == 0) {
                argp_failure(state, 2, 0, "found - twice, expected it once");
            }
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static bool is_whole(const char *text) {
    const size_t length = strlen(text);
    return length != 0 && length < 20 && strspn(text, "0123456789") == length;
}

static bool is_number(const char *text, double *number) {
    if (*text == '\0' || strspn(text, "0123456789+-.eE") != strlen(text)) {
        return false;
    }
    char *end = NULL;
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

// True: the values are the same as far as TOLERANCE goes. CSV has fractions to six decimals, so
// that is how far fractions are compared.
static bool alike(const char *a, const char *b, double tolerance) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    double x = 0;
    double y = 0;
    if (strcmp(a, b) == 0) {
        return true;
    }
    if (!is_number(a, &x) || !is_number(b, &y)) {
        return false;
    }
    const double apart = fabs(x - y);
    const double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    const bool whole = is_whole(a) && is_whole(b);
    return (tolerance > 0 && apart <= tolerance * larger) ||
           (!whole && apart <= 0.501e-6 + larger * 1e-15);
}

static int compare_keys(const diff_result *x, size_t i, const diff_result *y, size_t j) {
    int order = 0;
    for (size_t k = 0; k < DIFF_KEYS && order == 0; k++) {
        const char *a = diff_cell(x, i, diff_column(x, diff_keys[k]));
        const char *b = diff_cell(y, j, diff_column(y, diff_keys[k]));
        order = strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
    }
    return order;
}

// qsort has no context.
static const diff_result *sorted;

static int by_keys(const void *a, const void *b) {
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    const int order = compare_keys(sorted, x, sorted, y);
    return order != 0 ? order : (x > y) - (x < y);
}

static bool sort_rows(comparison *c, size_t side) {
    const diff_result *r = &c->result[side];
    c->order[side] = calloc(r->rows + 1, sizeof *c->order[side]);
    if (c->order[side] == NULL) {
        return false;
    }
    for (size_t i = 0; i < r->rows; i++) {
        c->order[side][i] = i;
    }
    sorted = r;
    qsort(c->order[side], r->rows, sizeof *c->order[side], by_keys);
    return true;
}

// Pairs the rows with equal keys, the first with the first and so on. False: no memory.
static bool match_rows(comparison *c) {
    const diff_result *a = &c->result[A];
    const diff_result *b = &c->result[B];
    c->match = calloc(a->rows + 1, sizeof *c->match);
    c->matched = calloc(b->rows + 1, sizeof *c->matched);
    if (c->match == NULL || c->matched == NULL || !sort_rows(c, A) || !sort_rows(c, B)) {
        return false;
    }
    size_t j = 0;
    for (size_t i = 0; i < a->rows; i++) {
        const size_t row = c->order[A][i];
        while (j < b->rows && compare_keys(a, row, b, c->order[B][j]) > 0) {
            j++;
        }
        c->match[row] = SIZE_MAX;
        if (j < b->rows && compare_keys(a, row, b, c->order[B][j]) == 0) {
            c->match[row] = c->order[B][j];
            c->matched[c->order[B][j++]] = true;
        }
    }
    return true;
}

// SIDE and ROW give the keys; ROW SIZE_MAX: a column. False: no memory.
static bool add(comparison *c, size_t side, size_t row, const char *column, const char *a,
                const char *b) {
    if (c->count == c->room) {
        const size_t room = 2 * c->room + 64;
        difference *list = gmmu_grow(c->list, c->room, room, sizeof *list, 0);
        if (list == NULL) {
            return false;
        }
        c->list = list;
        c->room = room;
    }
    difference *d = &c->list[c->count++];
    *d = (difference){.column = column, .value = {a, b}};
    for (size_t k = 0; row != SIZE_MAX && k < DIFF_KEYS; k++) {
        d->key[k] = diff_cell(&c->result[side], row, diff_column(&c->result[side], diff_keys[k]));
    }
    return true;
}

static bool compare_columns(comparison *c) {
    bool good = true;
    for (size_t side = A; side <= B; side++) {
        const diff_result *other = &c->result[1 - side];
        for (size_t i = 0; i < c->result[side].columns && other->rows != 0; i++) {
            const char *name = c->result[side].names[i];
            if (diff_column(other, name) == other->columns) {
                good = good && add(c, side, SIZE_MAX, name, side == A ? "found" : NULL,
                                   side == B ? "found" : NULL);
            }
        }
    }
    return good;
}

static bool compare_row(comparison *c, size_t row, size_t other) {
    const diff_result *a = &c->result[A];
    const diff_result *b = &c->result[B];
    const size_t before = c->count;
    bool good = true;
    for (size_t i = 0; i < a->columns; i++) {
        const size_t j = diff_column(b, a->names[i]);
        const char *x = diff_cell(a, row, i);
        const char *y = diff_cell(b, other, j);
        if (j != b->columns && !alike(x, y, c->o->tolerance)) {
            good = good && add(c, A, row, a->names[i], x, y);
        }
    }
    c->both++;
    c->changed += c->count != before ? 1 : 0;
    return good;
}

// All differences: of columns, of the rows of A in their order, of the rows of B that A lacks.
static bool compare(comparison *c) {
    bool good = match_rows(c) && compare_columns(c);
    for (size_t i = 0; good && i < c->result[A].rows; i++) {
        if (c->match[i] != SIZE_MAX) {
            good = compare_row(c, i, c->match[i]);
        } else {
            c->alone[A]++;
            good = add(c, A, i, "row", "found", NULL);
        }
    }
    for (size_t j = 0; good && j < c->result[B].rows; j++) {
        if (!c->matched[j]) {
            c->alone[B]++;
            good = add(c, B, j, "row", NULL, "found");
        }
    }
    return good;
}

static table_value value_of(const char *text) {
    double number = 0;
    if (text == NULL) {
        return (table_value){.kind = VALUE_NONE};
    }
    return is_whole(text)             ? value_number(strtoull(text, NULL, 10))
           : is_number(text, &number) ? value_ratio(number)
                                      : value_text(text);
}

// A name is a text, whatever it looks like.
static table_value name_of(const char *text) {
    return text == NULL ? (table_value){.kind = VALUE_NONE} : value_text(text);
}

static table_value change(const difference *d) {
    double a = 0;
    double b = 0;
    const bool numbers = d->value[A] != NULL && d->value[B] != NULL && is_number(d->value[A], &a) &&
                         is_number(d->value[B], &b);
    return numbers && a != 0 ? value_ratio(b / a - 1) : (table_value){.kind = VALUE_NONE};
}

static void widen(int *width, const char *text) {
    const size_t length = text == NULL ? 1 : strlen(text);
    *width = (int)length > *width ? (int)length : *width;
}

static void print(const comparison *c) {
    int width[DIFF_KEYS + 1] = {5, 6, 6, 6};
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < DIFF_KEYS; k++) {
            widen(&width[k], c->list[i].key[k]);
        }
        widen(&width[DIFF_KEYS], c->list[i].column);
    }
    const table_column columns[] = {{"trace", -width[0]},
                                    {"policy", -width[1]},
                                    {"frames", width[2]},
                                    {"column", -width[3]},
                                    {"a", 14},
                                    {"b", 14},
                                    {"change", 12}};
    table t;
    table_open(&t, c->o->shared.format, columns, sizeof columns / sizeof columns[0]);
    if (c->count != 0 || c->o->shared.format == FORMAT_CSV) {
        table_names(&t);
    }
    for (size_t i = 0; i < c->count; i++) {
        const difference *d = &c->list[i];
        const table_value values[] = {name_of(d->key[0]),
                                      name_of(d->key[1]),
                                      value_of(d->key[2]),
                                      value_text(d->column),
                                      value_of(d->value[A]),
                                      value_of(d->value[B]),
                                      change(d)};
        table_row(&t, values, NULL);
    }
    table_end(&t);
    (void)fprintf(stderr,
                  "gmmu diff: %zu rows in both, %zu of them differ; %zu rows in A alone, %zu in B "
                  "alone\n",
                  c->both, c->changed, c->alone[A], c->alone[B]);
}

static int run(const request *o) {
    comparison c = {.o = o};
    gmmu_error err = {""};
    bool good =
        diff_read(&c.result[A], o->paths[A], &err) && diff_read(&c.result[B], o->paths[B], &err);
    if (good && !compare(&c)) {
        (void)snprintf(err.text, sizeof err.text, "out of memory");
        good = false;
    }
    if (good) {
        print(&c);
    } else {
        (void)fprintf(stderr, "gmmu diff: %s\n", err.text);
    }
    diff_free(&c.result[A]);
    diff_free(&c.result[B]);
    free(c.order[A]);
    free(c.order[B]);
    free(c.match);
    free(c.matched);
    free(c.list);
    return !good ? 2 : c.count != 0 ? 1 : 0;
}

int cmd_diff(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table, csv or json (table)", 0}, {0}};
    static const struct argp_option list[] = {
        {"tolerance", 't', "PART", 0,
         "numbers are alike that differ by at most PART of the larger one: 0.01, 1% (0)", 0},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "A B",
        .doc =
            "Print what changed between two results of gmmu replay or gmmu mrc, each CSV or "
            "JSON; - is standard input. Rows are matched by trace, policy and frames; of rows "
            "with equal ones the first with the first. Fractions are compared to six decimals. "
            "Exit status: 0 nothing differs, 1 something does, 2 a result cannot be read.\v",
        .children = children};
    request o = {
        .shared = {.formats = FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, .format = FORMAT_TABLE}};
    return parse_options(&argp, argc, argv, &o) ? run(&o) : 2;
}
