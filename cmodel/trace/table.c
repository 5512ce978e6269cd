// SPDX-License-Identifier: Apache-2.0
// table.c: see table.h.
#include "trace/table.h"

#include <string.h>
#include <strings.h>

#include "trace/message.h"
#include "trace/scan.h"

enum { LONGEST_NUMBER = 64 };  // characters

// Of a fraction the digits up to 10^-9 count.
#define DIGITS UINT64_C(1000000000)

const char *gmmu_table_note(const void *form) {
    const gmmu_table *t = form;
    return t->note[0] == '\0' ? NULL : t->note;
}

static bool is_separator(const gmmu_table *t, char c) {
    return c != '\0' && strchr(t->separators, c) != NULL;
}

static bool blank(const gmmu_table *t, char c) {
    return (c == ' ' || c == '\t') && !is_separator(t, c);
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

// Takes the field at *FROM; *FROM is then at the separator behind it, or at the line's end, and
// *STOP behind its last character. NULL and *no: a quote is missing.
static char *one_field(const gmmu_table *t, char *line, char **from, char **stop, refusal *no) {
    char *p = *from;
    char *start = p;
    if (*p == '"') {
        start = unquote(&p);
        if (start == NULL) {
            (void)gmmu_refused(no, line, "a closing quote on the line");
            return NULL;
        }
        *stop = start + strlen(start);
        while (blank(t, *p)) {
            p++;
        }
        if (!is_separator(t, *p) && *p != '\0') {
            (void)gmmu_refused(no, p, "a separator behind the closing quote");
            return NULL;
        }
    } else {
        p += strcspn(p, t->separators);
        *stop = p;
        while (*stop > start && blank(t, (*stop)[-1])) {
            --*stop;
        }
    }
    *from = p;
    return start;
}

// Splits LINE in place: FIELD gets up to TABLE_COLUMNS fields without the blanks around them.
static bool split(const gmmu_table *t, char *line, const char **field, size_t *count, refusal *no) {
    char *p = line;
    *count = 0;
    p += t->merged ? strspn(p, t->separators) : 0;
    for (;;) {
        while (blank(t, *p)) {
            p++;
        }
        char *stop = NULL;
        char *start = one_field(t, line, &p, &stop, no);
        if (start == NULL) {
            return false;
        }
        const char *next = t->merged ? p + strspn(p, t->separators) : p + (*p != '\0' ? 1 : 0);
        const bool last = t->merged ? *next == '\0' : *p == '\0';
        *stop = '\0';
        if (*count == TABLE_COLUMNS) {
            return gmmu_refused(no, "more than 256 fields", "fewer");
        }
        field[(*count)++] = start;
        if (last) {
            return true;
        }
        p += next - p;
    }
}

// Comments and blank lines. The comments before the header may say "page_shift=N".
static bool skipped(const char *line) {
    return *line == '#' || line[strspn(line, " \t")] == '\0';
}

static bool comment_shift(gmmu_import *m, const char *line, refusal *no) {
    static const char key[] = "page_shift=";
    const char *p = strstr(line, key);
    if (p == NULL) {
        return true;
    }
    const char *value = p += sizeof key - 1;
    uint64_t shift = 0;
    if (!gmmu_scan_digits(&p, 10, &shift) || shift < MIN_SHIFT || shift > MAX_SHIFT ||
        (*p != '\0' && strchr(" \t,;)", *p) == NULL)) {
        return gmmu_refused(no, value, "a page_shift of 9 to 30, or no comment with page_shift=");
    }
    m->shift = (unsigned)shift;
    return true;
}

static void use_separators(gmmu_table *t, const char *separators) {
    t->merged = strchr(separators, ' ') != NULL;
    (void)snprintf(t->separators, sizeof t->separators, "%s%s", separators,
                   t->merged && strchr(separators, '\t') == NULL ? "\t" : "");
}

// Finds the separator that LINE has most of; the last of TRIED only if LINE has none of the others.
// Blanks at the line's end do not count.
static void find_separator(gmmu_table *t, const char *line, const char *tried) {
    size_t most = 0;
    char best = ',';
    if (t->separators[0] != '\0') {
        return;
    }
    const char *end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    for (const char *c = tried; *c != '\0'; c++) {
        size_t n = 0;
        bool quoted = false;
        for (const char *p = line; p < end; p++) {
            quoted ^= *p == '"';
            n += !quoted && *p == *c ? 1 : 0;
        }
        if (n > most && (*c != ' ' || most == 0)) {
            best = *c;
            most = n;
        }
    }
    use_separators(t, (char[]){best, '\0'});
}

// True: one of the COUNT columns has a name of our own for the role of C.
static bool own_name(const gmmu_column *known, const gmmu_column *c, const char *const *field,
                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        const gmmu_column *x = gmmu_column_find(known, field[i]);
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

// Adds a column of the header to the layout.
static bool add_column(gmmu_table *t, gmmu_field f, const char *name, refusal *no) {
    gmmu_layout *l = &t->layout[0];
    if (f.role < COL_USED && l->has[f.role]) {
        return gmmu_refused(no, name, "one column of that meaning");
    }
    l->fields[l->count++] = f;
    l->least = l->count;
    if (f.role < COL_USED) {
        l->has[f.role] = true;
    } else if (f.role == COL_UNKNOWN) {
        gmmu_table_ignore(t, name);
    }
    return true;
}

const char *gmmu_table_names(gmmu_table *t, const char *const *field, size_t count) {
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof t->names; i++) {
        used += (size_t)snprintf(t->names + used, sizeof t->names - used, "%s%s", i == 0 ? "" : ",",
                                 field[i]);
    }
    return t->names;
}

static bool header_line(gmmu_reader *r, char *line, refusal *no) {
    gmmu_table *t = gmmu_import_of(r)->form;
    const char *field[TABLE_COLUMNS];
    size_t count = 0;
    find_separator(t, line, ",\t;");
    if (!split(t, line, field, &count, no)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const gmmu_column *known = gmmu_column_find(t->kind->columns, field[i]);
        r->near |= known->role == COL_VPN || known->role == COL_ADDRESS;
        bool second = known->other && own_name(t->kind->columns, known, field, count);
        gmmu_field f = {.role = second ? COL_UNKNOWN : known->role, .factor = 1};
        if (!add_column(t, f, field[i], no)) {
            return false;
        }
    }
    for (const gmmu_column *c = t->kind->columns; c->name != NULL; c++) {
        if (c->needed && !t->layout[0].has[c->role]) {
            (void)snprintf(gmmu_import_of(r)->found, sizeof gmmu_import_of(r)->found, "a column %s",
                           c->name);
            return gmmu_refused(no, gmmu_table_names(t, field, count), gmmu_import_of(r)->found);
        }
    }
    return t->kind->check == NULL || t->kind->check(t, field, no);
}

// Reads up to the first line that is no comment, takes it, and gives it to TAKE.
static bool first_line(gmmu_reader *r, bool shift_given,
                       bool (*take)(gmmu_reader *r, char *line, refusal *no), gmmu_error *err) {
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
            refusal wrong;
            if (!shift_given && !comment_shift(r->own, line, &wrong)) {
                (void)gmmu_import_refuse(r, &wrong, err);
                return false;
            }
            continue;
        }
        refusal no = {.at = line, .expected = "a header"};
        bool good = take(r, line, &no);
        if (!good) {
            (void)gmmu_import_refuse(r, &no, err);
        }
        return good;
    }
}

bool gmmu_table_start(gmmu_reader *r, const gmmu_table_kind *kind, bool shift_given,
                      gmmu_error *err) {
    gmmu_table *t = gmmu_import_of(r)->form;
    t->kind = kind;
    t->header = true;
    t->layouts = 1;
    return first_line(r, shift_given, header_line, err);
}

// The layouts of a plan.
static bool plan_layouts(gmmu_table *t, const char *spec, const char **at, const char **expected) {
    for (;;) {
        if (t->layouts == TABLE_LAYOUTS) {
            *at = spec;
            *expected = "at most 6 layouts";
            return false;
        }
        if (!gmmu_layout_parse(&t->layout[t->layouts++], t->kind->columns, spec, at, expected)) {
            return false;
        }
        spec += strcspn(spec, "|");
        if (*spec == '\0') {
            return true;
        }
        spec++;
    }
}

// Finds in the header FIELD the names of the plan ROLE=NAME,….
static bool named_columns(gmmu_table *t, const char *spec, const char *const *field, size_t count,
                          char *found, size_t room, refusal *no) {
    gmmu_field of[TABLE_COLUMNS];
    for (size_t i = 0; i < count; i++) {
        of[i] = (gmmu_field){.role = COL_UNKNOWN, .factor = 1};
    }
    for (const char *p = spec; *p != '\0'; p += *p == ',' ? 1 : 0) {
        const char *end = p + strcspn(p, ",");
        const char *equal = memchr(p, '=', (size_t)(end - p));
        const char *expected = "ROLE=NAME";
        bool optional = false;
        gmmu_field f;
        size_t at = 0;
        (void)snprintf(found, room, "%.*s", (int)(end - p), p);
        if (equal == NULL ||
            !gmmu_layout_item(&f, t->kind->columns, p, equal, &optional, &expected)) {
            for (size_t i = 0; equal != NULL && i < count; i++) {
                const size_t length = strlen(field[i]);
                if (length == (size_t)(equal - p) && strncmp(field[i], p, length) == 0) {
                    expected = "the meaning first, then the column's name: addr=NAME";
                }
            }
            return gmmu_refused(no, found, expected);
        }
        (void)snprintf(found, room, "a column %.*s", (int)(end - equal - 1), equal + 1);
        while (at < count && strcmp(field[at], found + strlen("a column ")) != 0) {
            at++;
        }
        if (at == count) {
            return gmmu_refused(no, gmmu_table_names(t, field, count), found);
        }
        of[at] = f;
        p = end;
    }
    for (size_t i = 0; i < count; i++) {
        if (!add_column(t, of[i], field[i], no)) {
            return false;
        }
    }
    const char *expected = "";
    return gmmu_layout_sound(&t->layout[0], &expected) || gmmu_refused(no, spec, expected);
}

static bool fits(const gmmu_table *t, const gmmu_layout *l, const char *const *field, size_t count);

// The header of a table with a plan: its names are looked up, or it only must not be a row.
static bool plan_header(gmmu_reader *r, char *line, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_table *t = m->form;
    const char *field[TABLE_COLUMNS];
    size_t count = 0;
    find_separator(t, line, ",\t; ");
    if (!split(t, line, field, &count, no)) {
        return false;
    }
    if (t->layouts == 0) {
        t->layouts = 1;
        return named_columns(t, t->plan, field, count, m->found, sizeof m->found, no);
    }
    for (size_t i = 0; i < t->layouts; i++) {
        if (fits(t, &t->layout[i], field, count)) {
            return gmmu_refused(no, "values", "a line of names first, or --no-header");
        }
    }
    return true;
}

bool gmmu_table_start_plan(gmmu_reader *r, const gmmu_table_kind *kind, const gmmu_table_plan *plan,
                           const char *name, gmmu_error *err) {
    gmmu_table *t = gmmu_import_of(r)->form;
    const char *at = plan->columns;
    const char *expected = "";
    t->kind = kind;
    t->plan = plan->columns;
    t->header = plan->header;
    if (plan->separators != NULL) {
        use_separators(t, plan->separators);
    }
    const bool names = strchr(plan->columns, '=') != NULL;
    if (names && !plan->header) {
        expected = "columns without names, as there is no header";
    }
    if ((names && !plan->header) || (!names && !plan_layouts(t, at, &at, &expected))) {
        char shown[60];
        gmmu_printable(shown, sizeof shown, at, strcspn(at, ",|"), 0x80);
        FAIL(err, r->in.file.name, 0, "%s: found \"%s\", expected %s", name, shown, expected);
        return false;
    }
    for (size_t i = 0; i < t->layouts; i++) {
        for (size_t k = 0; k < t->layout[i].count; k++) {
            const gmmu_field *f = &t->layout[i].fields[k];
            r->identities |= f->role == COL_VPN && f->text;
        }
    }
    return !plan->header || first_line(r, true, plan_header, err);
}

const char *gmmu_table_doubt(const gmmu_reader *r) {
    const gmmu_import *m = r->own;
    const gmmu_table *t = m->form;
    return t->digits && !t->letters ? "with hexadecimal addresses, here without 0x and letters"
                                    : NULL;
}

void gmmu_table_free(void *form) {
    gmmu_table *t = form;
    if (t != NULL) {
        gmmu_texts_free(t->pages);
        gmmu_texts_free(t->spaces);
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

// A number with a fraction, times FACTOR; the product is whole, or rounded down. HEX: hexadecimal
// with or without 0x.
static bool scaled(const char *text, uint64_t factor, bool hex, uint64_t most, uint64_t *number) {
    char whole[32] = "";
    const char *point = strchr(text, '.');
    const size_t length = point == NULL ? strlen(text) : (size_t)(point - text);
    if (length == 0 || length >= sizeof whole) {
        return false;
    }
    (void)snprintf(whole, sizeof whole, "%.*s", (int)length, text);
    uint64_t n = 0;
    const char *end = whole;
    if (hex ? point != NULL || !gmmu_scan_number(&end, 16, &n) || *end != '\0'
            : !gmmu_scan_whole(whole, UINT64_MAX, &n)) {
        return false;
    }
    if (n > most / factor) {
        return false;
    }
    n *= factor;
    uint64_t rest = 0;
    uint64_t scale = 1;
    for (const char *p = point == NULL ? "" : point + 1; *p != '\0'; p++) {
        if (*p < '0' || *p > '9') {
            return false;
        }
        if (scale < DIGITS) {  // further digits do not count
            scale *= 10;
            rest = rest * 10 + (uint64_t)(*p - '0');
        }
    }
    if (rest != 0 && factor > UINT64_MAX / DIGITS) {
        return false;
    }
    const uint64_t more = rest * factor / scale;
    *number = n + more;
    return more <= most && n <= most - more;
}

// Reads a field that is written as F says.
static bool read_field(const gmmu_field *f, const char *text, uint64_t most, uint64_t *number) {
    char bare[LONGEST_NUMBER];
    *number = 0;
    if (f->colon || f->bracket) {
        const char last = f->colon ? ':' : ')';
        const size_t before = f->colon ? 0 : 1;
        const size_t length = strlen(text);
        if (length < before + 2 || length >= sizeof bare || text[length - 1] != last ||
            (f->bracket && *text != '(')) {
            return false;
        }
        (void)snprintf(bare, sizeof bare, "%.*s", (int)(length - before - 1), text + before);
        text = bare;
    }
    const bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if ((f->decimal && prefixed) || (f->prefix && !prefixed)) {
        return false;
    }
    if (f->factor != 1) {
        return scaled(text, f->factor, f->hex, most, number);
    }
    if (f->hex) {
        const char *p = text;
        return gmmu_scan_number(&p, 16, number) && *p == '\0' && *number <= most;
    }
    return gmmu_scan_whole(text, most, number);
}

static const gmmu_field *field_of(const gmmu_layout *l, gmmu_role c) {
    const gmmu_field *f = l->fields;
    while (f->role != c) {
        f++;
    }
    return f;
}

bool gmmu_table_value(gmmu_import *m, const char *const *value, gmmu_role c, bool needed,
                      uint64_t most, const char *expected, uint64_t *number, refusal *no) {
    gmmu_table *t = m->form;
    *number = 0;
    if (*value[c] == '\0') {
        return !needed || gmmu_refused(no, "", expected);
    }
    const gmmu_field *f = field_of(t->used, c);
    if (read_field(f, value[c], most, number)) {
        t->digits |= f->hex;
        t->letters |= f->hex && strpbrk(value[c], "xXabcdefABCDEF") != NULL;
        return true;
    }
    const bool letters = !f->hex && value[c][strspn(value[c], "0123456789abcdefABCDEF")] == '\0';
    if (letters && strpbrk(value[c], "abcdefABCDEF") != NULL) {
        (void)snprintf(m->found, sizeof m->found,
                       "%s; hexadecimal digits need 0x, or --columns with addr:hex", expected);
        expected = m->found;
    }
    return gmmu_refused(no, value[c], expected);
}

bool gmmu_table_text(gmmu_texts **texts, const char *text, uint64_t *number, refusal *no) {
    uint32_t n = 0;
    if (*text == '\0') {
        return gmmu_refused(no, "", "a text");
    }
    if (*texts == NULL) {
        *texts = gmmu_texts_create();
    }
    if (*texts == NULL || !gmmu_texts_number(*texts, text, strlen(text), &n)) {
        return gmmu_refused(no, "no memory", "memory for the texts");
    }
    *number = n;
    return true;
}

bool gmmu_table_write(const char *text, bool *write, refusal *no) {
    static const struct {
        const char *name;
        bool write;
    } known[] = {{"r", false},
                 {"read", false},
                 {"0", false},
                 {"false", false},
                 {"load", false},
                 {"ld", false},
                 {"w", true},
                 {"write", true},
                 {"1", true},
                 {"true", true},
                 {"store", true},
                 {"st", true},
                 {"rd", false},
                 {"wr", true},
                 {"l", false},
                 {"s", true},
                 // DRAMsim3's
                 {"p_mem_rd", false},
                 {"p_mem_wr", true},
                 {"p_fetch", false},
                 {"boff", true}};
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

bool gmmu_table_command(const char *text) {
    return strcmp(text, "r") == 0 || strcmp(text, "w") == 0 || strcmp(text, "u") == 0;
}

// True: a row of COUNT fields may be one of the layout L.
static bool fits(const gmmu_table *t, const gmmu_layout *l, const char *const *field,
                 size_t count) {
    (void)t;
    if (count < l->least || (count > l->count && !l->more)) {
        return false;
    }
    for (size_t i = 0; i < count && i < l->count; i++) {
        const gmmu_field *f = &l->fields[i];
        refusal ignored;
        uint64_t number = 0;
        bool write = false;
        if (f->role == COL_RW) {
            if (f->word && (*field[i] == '0' || *field[i] == '1' || *field[i] == '\0')) {
                return false;
            }
            if (f->unknown ? !gmmu_table_command(field[i])
                           : !gmmu_table_write(field[i], &write, &ignored)) {
                return false;
            }
        } else if ((f->role < COL_USED ? f->role != COL_SAME && !f->text : f->number) &&
                   !read_field(f, field[i], UINT64_MAX, &number)) {
            return false;
        }
    }
    return true;
}

// Chooses the layout of a row: the one that fits, or else the first with as many fields. NULL: no
// layout has as many.
static const gmmu_layout *choose(const gmmu_table *t, const char *const *field, size_t count) {
    const gmmu_layout *some = NULL;
    for (size_t i = 0; i < t->layouts; i++) {
        const gmmu_layout *l = &t->layout[i];
        if (count < l->least || (count > l->count && !l->more)) {
            continue;
        }
        if (t->layouts == 1 || fits(t, l, field, count)) {
            return l;
        }
        some = some == NULL ? l : some;
    }
    return some;
}

static bool refuse_fields(gmmu_import *m, size_t count, refusal *no) {
    const gmmu_table *t = m->form;
    (void)snprintf(m->found, sizeof m->found, "%zu field%s", count, count == 1 ? "" : "s");
    char *text = m->found + strlen(m->found) + 1;
    const size_t room = (size_t)(m->found + sizeof m->found - text);
    if (t->plan == NULL) {
        (void)snprintf(text, room, "%zu, as many as the header has", t->layout[0].count);
    } else {
        size_t least = TABLE_COLUMNS;
        size_t most = 0;
        bool more = false;
        for (size_t i = 0; i < t->layouts; i++) {
            least = t->layout[i].least < least ? t->layout[i].least : least;
            most = t->layout[i].count > most ? t->layout[i].count : most;
            more |= t->layout[i].more;
        }
        if (more) {
            (void)snprintf(text, room, "%zu or more", least);
        } else if (least == most) {
            (void)snprintf(text, room, "%zu", most);
        } else {
            (void)snprintf(text, room, "%zu to %zu", least, most);
        }
    }
    return gmmu_refused(no, m->found, text);
}

bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no) {
    gmmu_table *t = gmmu_import_of(r)->form;
    const char *field[TABLE_COLUMNS];
    const char *value[COL_USED];
    size_t count = 0;
    if (skipped(line)) {
        return true;
    }
    find_separator(t, line, ",\t; ");
    if (!split(t, line, field, &count, no)) {
        return false;
    }
    t->used = choose(t, field, count);
    if (t->used == NULL) {
        return refuse_fields(r->own, count, no);
    }
    for (size_t i = 0; i < COL_USED; i++) {
        value[i] = "";
    }
    for (size_t i = 0; i < count && i < t->used->count; i++) {
        const gmmu_field *f = &t->used->fields[i];
        uint64_t number = 0;
        if (f->number && !read_field(f, field[i], UINT64_MAX, &number)) {
            return gmmu_refused(no, field[i], "a number");
        }
        if (f->role < COL_USED && t->used->has[f->role]) {
            value[f->role] = field[i];
        }
    }
    return t->kind->row(r, value, no);
}
