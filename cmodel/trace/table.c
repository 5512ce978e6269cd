// SPDX-License-Identifier: Apache-2.0
// table.c: see table.h.
#include "trace/table.h"

#include <string.h>
#include <strings.h>

#include "trace/message.h"
#include "trace/scan.h"

const char *gmmu_table_note(const void *form) {
    const gmmu_table *t = form;
    return t->note[0] == '\0' ? NULL : t->note;
}

static bool blank(char c, char separator) {
    return (c == ' ' || c == '\t') && c != separator;
}

// Takes the quotes off the field at *FROM; *FROM is then behind it. NULL: no closing quote.
static char *unquote(char **from) {
    char *to = ++*from;
    char *field = to;
    for (char *p = to;; p++) {
        if (*p == '\0') {
            return NULL;
        }
        if (*p == '"' && *++p != '"') {
            *from = p;
            *to = '\0';
            return field;
        }
        *to++ = *p;
    }
}

// Splits LINE in place: FIELD gets up to TABLE_COLUMNS fields without the blanks around them.
static bool split(char *line, char separator, const char **field, size_t *count, refusal *no) {
    char *p = line;
    *count = 0;
    for (;;) {
        while (blank(*p, separator)) {
            p++;
        }
        char *start = p;
        char *end = NULL;
        if (*p == '"') {
            start = unquote(&p);
            if (start == NULL) {
                return gmmu_refused(no, line, "a closing quote on the line");
            }
            while (blank(*p, separator)) {
                p++;
            }
            if (*p != separator && *p != '\0') {
                return gmmu_refused(no, p, "a separator behind the closing quote");
            }
        } else {
            p += strcspn(p, (char[]){separator, '\0'});
            end = p;
            while (end > start && blank(end[-1], separator)) {
                end--;
            }
        }
        bool last = *p == '\0';
        *p = '\0';
        if (end != NULL) {
            *end = '\0';
        }
        if (*count == TABLE_COLUMNS) {
            return gmmu_refused(no, "more than 256 fields", "fewer");
        }
        field[(*count)++] = start;
        if (last) {
            return true;
        }
        p++;
    }
}

// Comments and blank lines. The comments before the header may say "page_shift=N".
static bool skipped(const char *line) {
    return *line == '#' || line[strspn(line, " \t")] == '\0';
}

static void comment_shift(gmmu_import *m, const char *line) {
    static const char key[] = "page_shift=";
    const char *p = strstr(line, key);
    if (p == NULL) {
        return;
    }
    char digits[4] = "";
    size_t length = strspn(p += sizeof key - 1, "0123456789");
    uint64_t shift = 0;
    if (length < sizeof digits) {
        memcpy(digits, p, length);
        if (gmmu_scan_whole(digits, MAX_SHIFT, &shift) && shift >= MIN_SHIFT) {
            m->shift = (unsigned)shift;
        }
    }
}

// The separator that the header has most of; a comma if it has none.
static char find_separator(const char *header) {
    static const char tried[] = ",\t;";
    size_t best = 0;
    size_t most = 0;
    for (size_t i = 0; i < 3; i++) {
        size_t n = 0;
        bool quoted = false;
        for (const char *p = header; *p != '\0'; p++) {
            quoted ^= *p == '"';
            n += !quoted && *p == tried[i] ? 1 : 0;
        }
        best = n > most ? i : best;
        most = n > most ? n : most;
    }
    return tried[best];
}

// True: the two names differ at most in case, and in characters between their words.
static bool same_name(const char *a, const char *b) {
    static const char between[] = " _-./[]()\t";
    for (;;) {
        a += strspn(a, between);
        b += strspn(b, between);
        if (*a == '\0' || strncasecmp(a, b, 1) != 0) {
            return *a == *b;
        }
        a++;
        b++;
    }
}

static const gmmu_column *find_column(const gmmu_column *known, const char *name) {
    while (known->name != NULL && !same_name(known->name, name)) {
        known++;
    }
    return known;
}

// True: one of the COUNT columns has a name of our own for the role of C.
static bool own_name(const gmmu_column *known, const gmmu_column *c, const char *const *field,
                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        const gmmu_column *x = find_column(known, field[i]);
        if (x->role == c->role && !x->other) {
            return true;
        }
    }
    return false;
}

void gmmu_table_ignore(gmmu_table *t, const char *name) {
    char shown[40];
    size_t used = strlen(t->note);
    gmmu_printable(shown, sizeof shown, name, strlen(name), 0x80);
    if (used + sizeof shown + 80 < sizeof t->note) {
        (void)snprintf(t->note + used, sizeof t->note - used, "%s\"%s\"",
                       used == 0 ? "columns ignored: " : ", ", shown);
    } else if (t->note[used - 1] == '"') {
        (void)snprintf(t->note + used, sizeof t->note - used, ", …");
    }
}

static bool header_line(gmmu_reader *r, char *line, refusal *no) {
    gmmu_table *t = gmmu_import_of(r)->form;
    const char *field[TABLE_COLUMNS];
    t->separator = find_separator(line);
    if (!split(line, t->separator, field, &t->columns, no)) {
        return false;
    }
    for (size_t i = 0; i < t->columns; i++) {
        const gmmu_column *known = find_column(t->kind->columns, field[i]);
        bool second = known->other && own_name(t->kind->columns, known, field, t->columns);
        gmmu_role c = second ? COL_UNKNOWN : known->role;
        if (c < COL_USED && t->has[c]) {
            return gmmu_refused(no, field[i], "one column of that meaning");
        }
        t->roles[i] = c;
        if (c < COL_USED) {
            t->has[c] = true;
        } else if (c == COL_UNKNOWN) {
            gmmu_table_ignore(t, field[i]);
        }
    }
    for (const gmmu_column *c = t->kind->columns; c->name != NULL; c++) {
        if (c->needed && !t->has[c->role]) {
            (void)snprintf(gmmu_import_of(r)->found, sizeof gmmu_import_of(r)->found, "a column %s",
                           c->name);
            return gmmu_refused(no, "no such column", gmmu_import_of(r)->found);
        }
    }
    return t->kind->check == NULL || t->kind->check(t, field, no);
}

bool gmmu_table_start(gmmu_reader *r, const gmmu_table_kind *kind, bool shift_given,
                      gmmu_error *err) {
    gmmu_import *m = r->own;
    ((gmmu_table *)m->form)->kind = kind;
    for (;;) {
        char line[MAX_LINE + 1];
        size_t whole = 0;
        int status = gmmu_import_line(r, line, &whole, err);
        if (status != GMMU_OK) {
            if (status == GMMU_END) {
                FAIL(err, r->in.file.name, r->line, "found the end of the file, expected a header");
            }
            return false;
        }
        r->in.at += whole;
        if (skipped(line)) {
            if (!shift_given) {
                comment_shift(m, line);
            }
            continue;
        }
        refusal no = {.at = line, .expected = "a header"};
        bool good = header_line(r, line, &no);
        if (!good) {
            (void)gmmu_import_refuse(r, &no, err);
        }
        return good;
    }
}

bool gmmu_table_number(const char *text, uint64_t most, bool needed, const char *expected,
                       uint64_t *number, refusal *no) {
    *number = 0;
    if (*text == '\0' && !needed) {
        return true;
    }
    return gmmu_scan_whole(text, most, number) || gmmu_refused(no, text, expected);
}

bool gmmu_table_write(const char *text, bool *write, refusal *no) {
    static const struct {
        const char *name;
        bool write;
    } known[] = {{"r", false},    {"read", false}, {"0", false},    {"false", false},
                 {"load", false}, {"ld", false},   {"w", true},     {"write", true},
                 {"1", true},     {"true", true},  {"store", true}, {"st", true},
                 {"rd", false},   {"wr", true}};
    *write = false;
    if (*text == '\0') {
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(text, known[i].name) == 0) {
            *write = known[i].write;
            return true;
        }
    }
    return gmmu_refused(no, text,
                        "r or w (or read, write, load, store, ld, st, 0, 1, false, true)");
}

bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no) {
    gmmu_table *t = gmmu_import_of(r)->form;
    const char *field[TABLE_COLUMNS];
    const char *value[COL_USED];
    size_t count = 0;
    if (skipped(line)) {
        return true;
    }
    if (!split(line, t->separator, field, &count, no)) {
        return false;
    }
    if (count != t->columns) {
        (void)snprintf(gmmu_import_of(r)->found, sizeof gmmu_import_of(r)->found, "%zu fields",
                       count);
        return gmmu_refused(no, gmmu_import_of(r)->found, "as many as the header has");
    }
    for (size_t i = 0; i < COL_USED; i++) {
        value[i] = "";
    }
    for (size_t i = 0; i < count; i++) {
        if (t->roles[i] < COL_USED && t->has[t->roles[i]]) {
            value[t->roles[i]] = field[i];
        }
    }
    return t->kind->row(r, value, no);
}
