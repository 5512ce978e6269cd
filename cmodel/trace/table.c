// SPDX-License-Identifier: Apache-2.0
// table.c: reads tables with a header, whose columns may stand in any order (docs/formats.md,
// "Imported traces"): csv, uvm-csv and g10.
//
// g10 is read whole, as it is repeated and a kernel's reads come before its writes: its memory
// grows with the table, not with the pages in it.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/import.h"

enum { COLUMNS = 256, OPERAND_BITS = 16 };

// Most bytes of a range: more is a mistake.
#define MOST_BYTES (UINT64_C(1) << 40)

typedef enum {
    VPN,
    ADDRESS,
    SIZE,
    REF,
    RW,
    SM,
    ASID,
    TIME,
    TYPE,
    KERNEL,
    CYCLES,
    WEIGHT,
    ROLES,          // those before are used
    KNOWN = ROLES,  // and not used
    UNKNOWN
} role;

typedef struct {
    const char *name;
    role role;
    bool needed;
} column;

static const column csv_columns[] = {
    {"vpn", VPN, false},         {"page", VPN, false},  {"addr", ADDRESS, false},
    {"address", ADDRESS, false}, {"size", SIZE, false}, {"ref", REF, false},
    {"pc", REF, false},          {"rw", RW, false},     {"write", RW, false},
    {"sm", SM, false},           {"asid", ASID, false}, {"time", TIME, false},
    {NULL, UNKNOWN, false}};
static const column uvm_columns[] = {
    {"start", TIME, true}, {"end", KNOWN, false}, {"type", TYPE, true},  {"addr", ADDRESS, true},
    {"size", SIZE, true},  {"sm", SM, false},     {NULL, UNKNOWN, false}};
static const column g10_columns[] = {{"kernel_id", KERNEL, true},    {"kernel_name", KNOWN, false},
                                     {"exec_cycles", CYCLES, false}, {"rw", RW, true},
                                     {"tensor_id", KNOWN, false},    {"is_weight", WEIGHT, true},
                                     {"bytes", SIZE, true},          {"va_start", ADDRESS, true},
                                     {NULL, UNKNOWN, false}};

// A tensor of a kernel.
typedef struct {
    uint64_t address, size, kernel, time, line;
    uint64_t group;  // kernels in their order
    size_t order;    // in the file; then the number of the operand
    bool write, weight;
} tensor;

struct gmmu_table {
    const column *known;
    char separator;
    size_t columns;
    role roles[COLUMNS];
    bool has[ROLES];
    char note[400];  // columns that are ignored
    // g10
    tensor *tensors;
    size_t count, room, at;
    uint64_t iteration;
    uint64_t group, kernel, operands;  // of the row read last
    uint64_t time, next_time;          // cycles before that kernel, and behind it
    bool sorted;
};

void gmmu_table_free(gmmu_table *t) {
    if (t != NULL) {
        free(t->tensors);
        free(t);
    }
}

const char *gmmu_table_note(const gmmu_table *t) {
    return t->note[0] == '\0' ? NULL : t->note;
}

static bool refused(refusal *no, const char *found, const char *expected) {
    *no = (refusal){.at = found, .expected = expected};
    return false;
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

// Splits LINE in place: FIELD gets up to COLUMNS fields without the blanks around them.
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
                return refused(no, line, "a closing quote on the line");
            }
            while (blank(*p, separator)) {
                p++;
            }
            if (*p != separator && *p != '\0') {
                return refused(no, p, "a separator behind the closing quote");
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
        if (*count == COLUMNS) {
            return refused(no, "more than 256 fields", "fewer");
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
        if (gmmu_import_number(digits, MAX_SHIFT, &shift) && shift >= MIN_SHIFT) {
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

static role find_role(const column *known, const char *name) {
    while (known->name != NULL && strcasecmp(known->name, name) != 0) {
        known++;
    }
    return known->role;
}

// Adds NAME to the columns that are ignored.
static void ignore(gmmu_table *t, const char *name) {
    char shown[40];
    size_t used = strlen(t->note);
    gmmu_reader_printable(shown, sizeof shown, name, strlen(name), 0x80);
    if (used + sizeof shown + 8 < sizeof t->note) {
        (void)snprintf(t->note + used, sizeof t->note - used, "%s\"%s\"",
                       used == 0 ? "columns ignored: " : ", ", shown);
    } else if (t->note[used - 1] == '"') {
        (void)snprintf(t->note + used, sizeof t->note - used, ", …");
    }
}

static bool header_line(gmmu_reader *r, char *line, refusal *no) {
    gmmu_table *t = r->import->table;
    const char *field[COLUMNS];
    t->separator = find_separator(line);
    if (!split(line, t->separator, field, &t->columns, no)) {
        return false;
    }
    for (size_t i = 0; i < t->columns; i++) {
        role c = find_role(t->known, field[i]);
        if (c < ROLES && t->has[c]) {
            return refused(no, field[i], "one column of that meaning");
        }
        t->roles[i] = c;
        if (c < ROLES) {
            t->has[c] = true;
        } else if (c == UNKNOWN) {
            ignore(t, field[i]);
        }
    }
    for (const column *c = t->known; c->name != NULL; c++) {
        if (c->needed && !t->has[c->role]) {
            (void)snprintf(r->import->found, sizeof r->import->found, "a column %s", c->name);
            return refused(no, "no such column", r->import->found);
        }
    }
    if (t->known == csv_columns) {
        if (t->has[VPN] == t->has[ADDRESS]) {
            return refused(no, t->has[VPN] ? "both" : "neither",
                           "either a column vpn or a column addr in the header");
        }
        if (t->has[VPN] && t->has[SIZE]) {
            t->has[SIZE] = false;  // of an access in a page that is named
            ignore(t, "size");
        }
    }
    return true;
}

bool gmmu_table_open(gmmu_reader *r, bool shift_given, gmmu_error *err) {
    gmmu_import *m = r->import;
    gmmu_table *t = m->table = calloc(1, sizeof *t);
    if (t == NULL) {
        FAIL(err, r->name, 0, "out of memory");
        return false;
    }
    t->known = r->form == GMMU_FORM_CSV       ? csv_columns
               : r->form == GMMU_FORM_UVM_CSV ? uvm_columns
                                              : g10_columns;
    if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) {
        r->at += 3;
    }
    for (;;) {
        char line[MAX_LINE + 1];
        size_t whole = 0;
        int status = gmmu_import_line(r, line, &whole, err);
        if (status != GMMU_OK) {
            if (status == GMMU_END) {
                FAIL(err, r->name, r->line, "found the end of the file, expected a header");
            }
            return false;
        }
        r->at += whole;
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

// A number in the field of ROLE; 0 when it is empty or not there, and not needed.
static bool field_number(const char *const *value, role c, uint64_t most, bool needed,
                         const char *expected, uint64_t *number, refusal *no) {
    *number = 0;
    const char *text = value[c];
    if (*text == '\0' && !needed) {
        return true;
    }
    if (!gmmu_import_number(text, most, number)) {
        return refused(no, text, expected);
    }
    return true;
}

static bool field_write(const char *const *value, bool *write, refusal *no) {
    static const struct {
        const char *name;
        bool write;
    } known[] = {{"r", false},    {"read", false}, {"0", false},    {"false", false},
                 {"load", false}, {"ld", false},   {"w", true},     {"write", true},
                 {"1", true},     {"true", true},  {"store", true}, {"st", true}};
    *write = false;
    const char *text = value[RW];
    if (*text == '\0') {
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(text, known[i].name) == 0) {
            *write = known[i].write;
            return true;
        }
    }
    return refused(no, text, "r or w (or read, write, load, store, ld, st, 0, 1, false, true)");
}

#define NUMBER(c, most, needed, expected, number)                               \
    if (!field_number(value, (c), (most), (needed), (expected), &(number), no)) \
    return false

static bool csv_row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->import;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t sm = 0;
    uint64_t asid = 0;
    bool named = m->table->has[VPN];
    NUMBER(VPN, UINT64_MAX, named, "a page number below 2^64", w.vpn);
    NUMBER(ADDRESS, UINT64_MAX, !named, "an address below 2^64", address);
    NUMBER(SIZE, MOST_BYTES, false, "a size of at most 2^40 bytes", size);
    NUMBER(REF, UINT64_MAX, false, "a reference below 2^64", w.ref);
    NUMBER(SM, UINT32_MAX, false, "an sm below 2^32", sm);
    NUMBER(ASID, UINT32_MAX, false, "an asid below 2^32", asid);
    NUMBER(TIME, UINT64_MAX, false, "a time, a whole number below 2^64", w.time);
    if (!field_write(value, &w.write, no)) {
        return false;
    }
    w.sm = (uint32_t)sm;
    w.asid = (uint32_t)asid;
    if (named) {
        m->walks[m->count++] = w;
    } else {
        gmmu_import_range(m, address, size == 0 ? 1 : size, w);
    }
    return true;
}

// Events that bring pages in, as GPGPU-Sim's UVM Smart names them; prefetch_breakdown are the
// transfers that a prefetch consists of. Other events are counted.
static bool is_page_in(const char *type, size_t length) {
    static const char *const known[] = {"memcpy_h2d", "prefetch_breakdown", "page_in"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == length && strncasecmp(type, known[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool uvm_row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->import;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t sm = 0;
    size_t length = strcspn(value[TYPE], " (");  // memcpy_h2d(1.25): with its duration
    if (length == 0) {
        return refused(no, value[TYPE], "a type of event");
    }
    if (!is_page_in(value[TYPE], length)) {
        char shown[48];
        gmmu_reader_printable(shown, sizeof shown, value[TYPE], length, 0x80);
        gmmu_import_skip(m, "events of type", shown);
        return true;
    }
    NUMBER(TIME, UINT64_MAX, true, "a start, a whole number below 2^64", w.time);
    NUMBER(ADDRESS, UINT64_MAX, true, "an address below 2^64", address);
    NUMBER(SIZE, MOST_BYTES, true, "a size of at most 2^40 bytes", size);
    NUMBER(SM, UINT32_MAX, false, "an sm below 2^32", sm);
    w.sm = (uint32_t)sm;
    if (size == 0) {
        gmmu_import_skip(m, "page-ins of 0 bytes", "");
    } else {
        gmmu_import_range(m, address, size, w);
    }
    return true;
}

static bool g10_row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_table *t = r->import->table;
    tensor x = {.order = t->count, .line = r->line};
    uint64_t cycles = 0;
    uint64_t weight = 0;
    NUMBER(KERNEL, UINT64_MAX >> OPERAND_BITS, true, "a kernel_id below 2^48", x.kernel);
    NUMBER(CYCLES, UINT64_MAX, false, "exec_cycles below 2^64", cycles);
    NUMBER(WEIGHT, 1, true, "is_weight, 0 or 1", weight);
    NUMBER(SIZE, MOST_BYTES, true, "at most 2^40 bytes", x.size);
    NUMBER(ADDRESS, UINT64_MAX, true, "a va_start below 2^64", x.address);
    if (*value[RW] == '\0') {
        return refused(no, "", "r or w");
    }
    if (!field_write(value, &x.write, no)) {
        return false;
    }
    if (x.size == 0) {
        gmmu_import_skip(r->import, "tensors of 0 bytes", "");
        return true;
    }
    bool new = t->count == 0 || t->kernel != x.kernel;
    t->operands = new ? 0 : t->operands + 1;
    if (t->operands >> OPERAND_BITS != 0) {
        return refused(no, value[KERNEL], "at most 65536 tensors of a kernel");
    }
    if (t->count == t->room) {
        size_t room = t->room == 0 ? 1024 : 2 * t->room;
        tensor *bigger = realloc(t->tensors, room * sizeof *bigger);
        if (bigger == NULL) {
            return refused(no, "no memory", "memory for the table");
        }
        t->tensors = bigger;
        t->room = room;
    }
    if (new) {
        t->group++;
        t->kernel = x.kernel;
        t->time = t->next_time;
        t->next_time += cycles;
    }
    x.group = t->group;
    x.time = t->time;
    x.weight = weight == 1;
    t->tensors[t->count++] = x;
    return true;
}

bool gmmu_table_line(gmmu_reader *r, char *line, refusal *no) {
    gmmu_table *t = r->import->table;
    const char *field[COLUMNS];
    const char *value[ROLES];
    size_t count = 0;
    if (skipped(line)) {
        return true;
    }
    if (!split(line, t->separator, field, &count, no)) {
        return false;
    }
    if (count != t->columns) {
        (void)snprintf(r->import->found, sizeof r->import->found, "%zu fields", count);
        return refused(no, r->import->found, "as many as the header has");
    }
    for (size_t i = 0; i < ROLES; i++) {
        value[i] = "";
    }
    for (size_t i = 0; i < count; i++) {
        if (t->roles[i] < ROLES && t->has[t->roles[i]]) {
            value[t->roles[i]] = field[i];
        }
    }
    return r->form == GMMU_FORM_CSV       ? csv_row(r, value, no)
           : r->form == GMMU_FORM_UVM_CSV ? uvm_row(r, value, no)
                                          : g10_row(r, value, no);
}

// Kernels in their order, of each the reads first.
static int compare(const void *a, const void *b) {
    const tensor *x = a;
    const tensor *y = b;
    if (x->group != y->group) {
        return (x->group > y->group) - (x->group < y->group);
    }
    if (x->write != y->write) {
        return x->write ? 1 : -1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

// Sorts the tensors and numbers the operands of each kernel.
static void sort(gmmu_table *t) {
    if (t->count > 1) {
        qsort(t->tensors, t->count, sizeof *t->tensors, compare);
    }
    size_t operand = 0;
    for (size_t i = 0; i < t->count; i++) {
        operand = i > 0 && t->tensors[i].group == t->tensors[i - 1].group ? operand + 1 : 0;
        t->tensors[i].order = operand;
    }
    t->sorted = true;
}

bool gmmu_table_tensor(gmmu_reader *r) {
    gmmu_import *m = r->import;
    gmmu_table *t = m->table;
    if (!t->sorted) {
        sort(t);
    }
    if (t->count == 0 || t->iteration == m->iterations) {
        return false;
    }
    const tensor *x = &t->tensors[t->at];
    gmmu_walk w = {.ref = x->kernel << OPERAND_BITS | x->order,
                   .time = x->time + t->iteration * t->next_time,
                   .asid = x->weight ? 1 : 0,
                   .write = x->write};
    r->line = x->line;
    gmmu_import_range(m, x->address, x->size, w);
    if (++t->at == t->count) {
        t->at = 0;
        t->iteration++;
    }
    return true;
}
