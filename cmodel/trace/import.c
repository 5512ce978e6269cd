// SPDX-License-Identifier: Apache-2.0
// import.c: reads traces of other tools as walks (docs/formats.md, "Imported traces").
//
#include "trace/import.h"

#include <stdlib.h>
#include <string.h>

#include "trace/gwt.h"

// An NVBit window of shared or of local memory.
#define WINDOW (UINT64_C(1) << 24)

enum { LANES = IMPORT_LANES, ORACLE = 24, SHIFT = 12, G10_SHIFT = 21, G10_ITERATIONS = 3 };

void gmmu_import_skip(gmmu_import *m, const char *what, const char *name) {
    char text[sizeof m->skipped[0].what];
    (void)snprintf(text, sizeof text, "%s%s%s", what, *name == '\0' ? "" : " ", name);
    size_t i = 0;
    while (i < m->reasons && strcmp(m->skipped[i].what, text) != 0) {
        i++;
    }
    if (i == IMPORT_REASONS) {
        i--;
        (void)snprintf(m->skipped[i].what, sizeof text, "other records");
    } else if (i == m->reasons) {
        memcpy(m->skipped[i].what, text, sizeof text);
        m->reasons++;
    }
    m->skipped[i].count++;
}

uint64_t gmmu_import_skipped(const gmmu_import *m, size_t reason, const char **what) {
    if (m == NULL || reason >= m->reasons) {
        return 0;
    }
    *what = m->skipped[reason].what;
    return m->skipped[reason].count;
}

const char *gmmu_import_note(const gmmu_import *m) {
    return m != NULL && m->table != NULL ? gmmu_table_note(m->table) : NULL;
}

void gmmu_import_free(gmmu_import *m) {
    if (m != NULL) {
        gmmu_table_free(m->table);
        gmmu_requests_free(m->requests);
        free(m);
    }
}

bool gmmu_import_open(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    unsigned shift = given->page_shift != 0     ? given->page_shift
                     : r->form == GMMU_FORM_G10 ? (unsigned)G10_SHIFT
                                                : (unsigned)SHIFT;
    if (shift < MIN_SHIFT || shift > MAX_SHIFT) {
        FAIL(err, r->name, 0, "found page_shift %u, expected %d to %d", shift, MIN_SHIFT,
             MAX_SHIFT);
        return false;
    }
    r->import = calloc(1, sizeof *r->import);
    if (r->import == NULL) {
        FAIL(err, r->name, 0, "out of memory");
        return false;
    }
    r->import->shift = shift;
    r->import->iterations = given->iterations == 0 ? G10_ITERATIONS : given->iterations;
    if (r->at == r->end) {
        FAIL(err, r->name, 0, "found the end of the file, expected a trace in the form %s",
             gmmu_form_name(r->form));
        return false;
    }
    bool good = true;
    if (r->form == GMMU_FORM_CSV || r->form == GMMU_FORM_UVM_CSV || r->form == GMMU_FORM_G10) {
        good = gmmu_table_open(r, given->page_shift != 0, err);
    } else if (r->form == GMMU_FORM_MOONCAKE) {
        good = gmmu_requests_open(r, err);
    }
    r->about.page_shift = r->import->shift;
    return good;
}

void gmmu_import_range(gmmu_import *m, uint64_t address, uint64_t size, gmmu_walk walk) {
    uint64_t last = address > UINT64_MAX - (size - 1) ? UINT64_MAX : address + (size - 1);
    walk.vpn = address >> m->shift;
    m->range = (import_range){.open = true, .walk = walk, .last = last >> m->shift};
}

bool gmmu_import_number(const char *text, uint64_t most, uint64_t *value) {
    uint64_t base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
    text += base == 16 ? 2 : 0;
    *value = 0;
    const char *first = text;
    for (; *text != '\0'; text++) {
        uint64_t d = (uint64_t)(unsigned char)*text - '0';
        uint64_t letter = ((uint64_t)(unsigned char)*text | 0x20U) - 'a';
        d = base == 16 && letter <= 5 ? letter + 10 : d;
        if (d >= base || *value > (most - d) / base || d > most) {
            return false;
        }
        *value = *value * base + d;
    }
    return text != first;
}

// Adds the page of VPN, unless the line has it already. There is room for two pages a lane.
static void add_page(gmmu_import *m, uint64_t vpn, uint64_t ref, bool write) {
    for (size_t i = 0; i < m->count; i++) {
        if (m->walks[i].vpn == vpn) {
            return;
        }
    }
    m->walks[m->count++] = (gmmu_walk){.vpn = vpn, .ref = ref, .write = write};
}

// Adds the first and the last page of an access; it does not wrap at the end of the memory.
static void add_access(gmmu_import *m, uint64_t address, uint64_t size, uint64_t ref, bool write) {
    uint64_t more = size == 0 ? 0 : size - 1;
    uint64_t last = address > UINT64_MAX - more ? UINT64_MAX : address + more;
    add_page(m, address >> m->shift, ref, write);
    add_page(m, last >> m->shift, ref, write);
}

// The digits of a number in BASE 10 or 16, without 0x; leaves *p behind it.
static bool digits(const char **p, unsigned base, uint64_t *value) {
    const char *first = *p;
    uint64_t v = 0;
    for (;; ++*p) {
        unsigned d = (unsigned)**p - '0';
        unsigned a = ((unsigned)**p | 0x20U) - 'a';
        if (d > 9 && base == 16 && a <= 5) {
            d = a + 10;
        }
        if (d >= base || v > (UINT64_MAX - d) / base) {
            break;
        }
        v = v * base + d;
    }
    *value = v;
    unsigned next = (unsigned)**p;
    return *p != first && next - '0' > 9 && !(base == 16 && (next | 0x20U) - 'a' <= 5);
}

static void blanks(const char **p) {
    while (**p == ' ' || **p == '\t') {
        ++*p;
    }
}

// A line ends at a 0 here: the line was cut out.
static bool at_end(const char *p) {
    return *p == '\0';
}

// Takes the next word; NULL when there is none.
static const char *word(const char **p, size_t *length) {
    blanks(p);
    const char *first = *p;
    *p += strcspn(first, " \t");
    *length = (size_t)(*p - first);
    return *length == 0 ? NULL : first;
}

// A word that is a number in BASE. BASE 16 may have 0x.
static bool number(const char **p, unsigned base, uint64_t *value) {
    blanks(p);
    if (base == 16 && (*p)[0] == '0' && ((*p)[1] | 0x20) == 'x') {
        *p += 2;
    }
    return digits(p, base, value) && (**p == ' ' || **p == '\t' || at_end(*p));
}

// A word that is a decimal number with a sign.
static bool signed_number(const char **p, uint64_t *value) {
    blanks(p);
    bool minus = **p == '-';
    *p += minus ? 1 : 0;
    bool good = number(p, 10, value);
    *value = minus ? 0 - *value : *value;
    return good;
}

#define NEED(condition, what)  \
    do {                       \
        blanks(&p);            \
        no->at = p;            \
        no->expected = (what); \
        if (!(condition)) {    \
            return false;      \
        }                      \
    } while (0)

// " L 04222c08,4"; "I  …" is counted, the tool's own messages are left out.
static bool lackey_line(gmmu_reader *r, const char *line, refusal *no) {
    const char *p = line;
    uint64_t address = 0;
    uint64_t size = 0;
    if (strncmp(p, "==", 2) == 0 || strncmp(p, "--", 2) == 0 || p[strspn(p, " \t")] == '\0') {
        return true;
    }
    p += *p == ' ' ? 1 : 0;
    char kind = *p;
    if ((kind == 'I') != (p == line)) {
        kind = '\0';  // all but I stand behind a blank
    }
    NEED(kind == 'I' || kind == 'L' || kind == 'S' || kind == 'M',
         "\"I  \", \" L \", \" S \" or \" M \"");
    p++;
    NEED(digits(&p, 16, &address) && *p == ',', "an address in hexadecimal and a comma");
    p++;
    NEED(digits(&p, 10, &size) && at_end(p), "a size in bytes at the line's end");
    if (kind == 'I') {
        gmmu_import_skip(r->import, "instruction fetches", "");
    } else {
        add_access(r->import, address, size, 0, kind != 'L');
    }
    return true;
}

typedef enum { NO_WALK, LOAD, STORE } access_kind;

// The kind of access to device memory, by the opcode up to its first dot.
static access_kind opcode_kind(const char *opcode, size_t length, bool *generic) {
    static const struct {
        const char *name;
        access_kind kind;
        bool generic;
    } known[] = {{"LDG", LOAD, false}, {"STG", STORE, false},   {"LD", LOAD, true},
                 {"ST", STORE, true},  {"ATOM", STORE, true},   {"ATOMG", STORE, false},
                 {"RED", STORE, true}, {"LDGSTS", LOAD, false}, {"REDG", STORE, false}};
    const char *dot = memchr(opcode, '.', length);
    length = dot != NULL ? (size_t)(dot - opcode) : length;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == length && memcmp(known[i].name, opcode, length) == 0) {
            *generic = known[i].generic;
            return known[i].kind;
        }
    }
    return NO_WALK;
}

static bool in_window(uint64_t base, uint64_t address) {
    return base != 0 && address - base < WINDOW;
}

// "-name = value": a base address, or whether lines have source lines.
static bool accelsim_setting(gmmu_import *m, const char *p, refusal *no) {
    static const struct {
        const char *name;
        size_t field;
    } bases[] = {{"-shmem base_addr", offsetof(gmmu_import, shared)},
                 {"-local mem base_addr", offsetof(gmmu_import, local)}};
    const char *equal = strchr(p, '=');
    NEED(equal != NULL, "\"-name = value\"");
    for (size_t i = 0; i < 2; i++) {
        if (strncmp(p, bases[i].name, strlen(bases[i].name)) == 0) {
            p = equal + 1;
            uint64_t value = 0;
            NEED(number(&p, 16, &value), "a base address in hexadecimal");
            memcpy((char *)m + bases[i].field, &value, sizeof value);
            return true;
        }
    }
    if (strncmp(p, "-enable lineinfo", 16) == 0) {
        p = equal + 1;
        uint64_t value = 0;
        NEED(number(&p, 10, &value) && value <= 1, "0 or 1");
        m->line_numbers = value == 1;
    }
    return true;
}

// The addresses of the active lanes, in one of the three codes.
static bool lane_addresses(const char **at, uint64_t mode, uint64_t mask, uint64_t *address,
                           size_t *lanes, refusal *no) {
    const char *p = *at;
    uint64_t step = 0;
    *lanes = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        uint64_t *a = &address[*lanes];
        if (mode == 0 || *lanes == 0) {
            NEED(number(&p, 16, a), "an address in hexadecimal");
        } else if (mode == 2) {
            NEED(signed_number(&p, &step), "a difference of addresses");
            *a = a[-1] + step;
        } else {
            *a = a[-1] + step;
        }
        if (mode == 1 && *lanes == 0) {
            NEED(signed_number(&p, &step), "a stride");
        }
        ++*lanes;
    }
    *at = p;
    return true;
}

// COUNT registers, each "R" and a number.
static bool registers(const char **at, uint64_t count, refusal *no) {
    const char *p = *at;
    uint64_t unused = 0;
    for (uint64_t i = 0; i < count; i++) {
        NEED(*p++ == 'R' && number(&p, 10, &unused), "a register");
    }
    *at = p;
    return true;
}

// "PC mask dest_num [regs] opcode src_num [regs] width [code addresses] …"
static bool accelsim_instruction(gmmu_reader *r, const char *p, refusal *no) {
    gmmu_import *m = r->import;
    uint64_t pc = 0;
    uint64_t mask = 0;
    uint64_t count = 0;
    uint64_t width = 0;
    uint64_t mode = 0;
    size_t length = 0;
    if (m->line_numbers) {
        NEED(number(&p, 10, &count), "a source line");
    }
    NEED(number(&p, 16, &pc), "a PC in hexadecimal");
    NEED(number(&p, 16, &mask) && mask <= UINT32_MAX, "an active mask of 32 bits");
    NEED(number(&p, 10, &count) && count <= LANES, "the number of destinations");
    if (!registers(&p, count, no)) {
        return false;
    }
    const char *opcode = NULL;
    NEED((opcode = word(&p, &length)) != NULL && *opcode >= 'A' && *opcode <= 'Z', "an opcode");
    NEED(number(&p, 10, &count) && count <= LANES, "the number of sources");
    if (!registers(&p, count, no)) {
        return false;
    }
    NEED(number(&p, 10, &width) && width <= 128, "the bytes of an access, 0 to 128");
    if (width == 0) {
        return true;
    }
    uint64_t address[LANES] = {0};
    size_t lanes = 0;
    NEED(number(&p, 10, &mode) && mode <= 2, "0, 1 or 2, the code of the addresses");
    if (!lane_addresses(&p, mode, mask, address, &lanes, no)) {
        return false;
    }
    bool generic = false;
    access_kind kind = opcode_kind(opcode, length, &generic);
    bool outside = kind == NO_WALK && lanes > 0;
    for (size_t i = 0; kind != NO_WALK && i < lanes; i++) {
        if (generic && (in_window(m->shared, address[i]) || in_window(m->local, address[i]))) {
            outside = true;
        } else {
            add_access(m, address[i], width, pc, kind == STORE);
        }
    }
    if (outside) {
        gmmu_import_skip(m, "accesses to shared, local or constant memory", "");
    }
    return true;
}

static bool accelsim_line(gmmu_reader *r, const char *p, refusal *no) {
    static const char *const others[] = {"thread block = ", "warp = ", "insts = "};
    if (*p == '-') {
        return accelsim_setting(r->import, p, no);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strncmp(p, others[i], strlen(others[i])) == 0) {
            return true;
        }
    }
    if (*p == '#' || p[strspn(p, " \t")] == '\0') {
        return true;
    }
    return accelsim_instruction(r, p, no);
}

int gmmu_import_refuse(gmmu_reader *r, const refusal *no, gmmu_error *err) {
    char shown[60];
    r->import->count = 0;
    r->import->range.open = false;
    gmmu_reader_printable(shown, sizeof shown, no->at, strlen(no->at), 0x80);
    FAIL(err, r->name, r->line, "found \"%s\", expected %s", shown, no->expected);
    return GMMU_BAD;
}

// The length of the next line, at most LONGEST bytes without its end, and with it in *WHOLE. False
// and *err when it is longer.
static bool measure(gmmu_reader *r, size_t longest, size_t *length, size_t *whole,
                    gmmu_error *err) {
    size_t left = (size_t)(r->end - r->at);
    left = left > longest + 2 ? longest + 2 : left;
    const char *newline = memchr(r->at, '\n', left);
    *length = newline != NULL ? (size_t)(newline - r->at) : left;
    *whole = *length + (newline != NULL ? 1 : 0);
    *length -= *length > 0 && r->at[*length - 1] == '\r' ? 1 : 0;
    if (*length > longest) {
        FAIL(err, r->name, r->line, "found a line of more than %zu bytes, expected a record of %s",
             longest, gmmu_form_name(r->form));
    }
    return *length <= longest;
}

static bool convert(gmmu_reader *r, char *line, refusal *no) {
    switch (r->form) {
        case GMMU_FORM_LACKEY:
            return lackey_line(r, line, no);
        case GMMU_FORM_ACCELSIM:
            return accelsim_line(r, line, no);
        default:
            return gmmu_table_line(r, line, no);
    }
}

int gmmu_import_line(gmmu_reader *r, char *line, size_t *whole, gmmu_error *err) {
    size_t length = 0;
    if (!gmmu_reader_ready(r, err)) {
        return GMMU_BAD;
    }
    if (r->at == r->end) {
        return GMMU_END;
    }
    r->line++;
    if (!measure(r, MAX_LINE, &length, whole, err)) {
        return GMMU_BAD;
    }
    memcpy(line, r->at, length);
    line[length] = '\0';
    refusal no = {.at = line, .expected = "a line without NUL"};
    return memchr(line, '\0', length) == NULL ? GMMU_OK : gmmu_import_refuse(r, &no, err);
}

static int next_line(gmmu_reader *r, gmmu_error *err) {
    char line[MAX_LINE + 1];
    size_t whole = 0;
    int status = gmmu_import_line(r, line, &whole, err);
    if (status != GMMU_OK) {
        return status;
    }
    refusal no = {.at = line, .expected = ""};
    if (!convert(r, line, &no)) {
        return gmmu_import_refuse(r, &no, err);
    }
    r->at += whole;
    return GMMU_OK;
}

// A line of mooncake may be as long as the buffer.
static int next_request(gmmu_reader *r, gmmu_error *err) {
    size_t length = 0;
    size_t whole = 0;
    if (!gmmu_reader_ready(r, err)) {
        return GMMU_BAD;
    }
    if (r->at == r->end) {
        return GMMU_END;
    }
    r->line++;
    while (!r->ended && r->end - r->at < BUFFER &&
           memchr(r->at, '\n', (size_t)(r->end - r->at)) == NULL) {
        if (!gmmu_reader_refill(r, err)) {
            return GMMU_BAD;
        }
    }
    if (!measure(r, BUFFER - 2, &length, &whole, err)) {
        return GMMU_BAD;
    }
    refusal no = {.at = "", .expected = ""};
    if (!gmmu_requests_line(r, r->at, length, &no)) {
        return gmmu_import_refuse(r, &no, err);
    }
    r->at += whole;
    return GMMU_OK;
}

// uint32 time, uint64 object, uint32 size, int64 next access, packed and little-endian.
static int oracle_record(gmmu_reader *r, gmmu_error *err) {
    unsigned char record[ORACLE];
    size_t got = 0;
    uint64_t offset = gmmu_reader_offset(r);
    if (!gmmu_reader_fetch(r, record, sizeof record, &got, err)) {
        return GMMU_BAD;
    }
    if (got == 0) {
        return GMMU_END;
    }
    r->line++;
    if (got < sizeof record) {
        FAIL(err, r->name, 0, "record %llu at byte %llu: found %zu bytes, expected %d",
             (unsigned long long)r->line, (unsigned long long)offset, got, ORACLE);
        r->stuck = true;
        return GMMU_BAD;
    }
    r->import->walks[0] = (gmmu_walk){.time = gwt_get32(record), .vpn = gwt_get64(record + 4)};
    r->import->count = 1;
    return GMMU_OK;
}

// The next walks of the range of pages that is being given.
static void fill_range(gmmu_import *m) {
    import_range *g = &m->range;
    while (g->open && m->count < IMPORT_WALKS) {
        m->walks[m->count++] = g->walk;
        g->open = g->walk.vpn++ < g->last;
    }
}

static int next_record(gmmu_reader *r, gmmu_error *err) {
    int status = GMMU_OK;
    switch (r->form) {
        case GMMU_FORM_ORACLE_GENERAL:
            return oracle_record(r, err);
        case GMMU_FORM_MOONCAKE:
            return next_request(r, err);
        case GMMU_FORM_G10:
            status = next_line(r, err);
            return status == GMMU_END && gmmu_table_tensor(r) ? GMMU_OK : status;
        default:
            return next_line(r, err);
    }
}

int gmmu_import_fill(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->import;
    int status = GMMU_OK;
    m->count = 0;
    for (;;) {
        fill_range(m);
        gmmu_requests_fill(m);
        if (m->count != 0 || status != GMMU_OK) {
            break;
        }
        status = next_record(r, err);
    }
    r->next = m->walks;
    r->last = m->walks + m->count;
    return m->count != 0 ? GMMU_OK : status;
}
