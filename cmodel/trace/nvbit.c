// SPDX-License-Identifier: Apache-2.0
// nvbit.c: reads what NVBit's tool mem_trace prints, among the lines of the program itself
// (docs/reference/formats.md, "Imported traces").
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memmem
#endif
#include <stdlib.h>
#include <string.h>

#include "trace/import.h"
#include "trace/pages.h"
#include "trace/sass.h"
#include "trace/scan.h"
#include "trace/texts.h"

enum { LAUNCHES = 1024 };

typedef struct {
    gmmu_pages *contexts;  // numbers of the CUDA contexts
    // The last launches: number of the grid, and PC of the kernel.
    struct {
        uint64_t grid, pc;
        bool used;
    } launches[LAUNCHES];
} nvbit;

static void dispose(void *form) {
    if (form != NULL) {
        gmmu_pages_destroy(((nvbit *)form)->contexts);
    }
}

// Goes behind TEXT if it stands next.
static bool word(const char **p, const char *text) {
    gmmu_scan_blanks(p);
    const size_t length = strlen(text);
    const bool there = strncmp(*p, text, length) == 0;
    *p += there ? length : 0;
    return there;
}

// A hexadecimal number with 0x.
static bool hexadecimal(const char **p, uint64_t *value) {
    gmmu_scan_blanks(p);
    return (*p)[0] == '0' && (*p)[1] == 'x' && gmmu_scan_number(p, 16, value);
}

// What stands in the line from TEXT on, of a line that is longer than MAX_LINE, up to MAX_LINE
// bytes into TO. False: TEXT is not in it.
static bool find_in_long(gmmu_reader *r, const char *text, char *to) {
    gmmu_bytes *b = &r->in;
    gmmu_error ignored;
    while (!b->ended && b->end - b->at < BUFFER &&
           memchr(b->at, '\n', (size_t)(b->end - b->at)) == NULL &&
           gmmu_bytes_refill(b, &ignored)) {
    }
    const char *stop = memchr(b->at, '\n', (size_t)(b->end - b->at));
    stop = stop == NULL ? b->end : stop;
    const char *found = memmem(b->at, (size_t)(stop - b->at), text, strlen(text));
    if (found == NULL) {
        return false;
    }
    size_t length = (size_t)(stop - found) < MAX_LINE ? (size_t)(stop - found) : MAX_LINE;
    length -= found[length - 1] == '\r' ? 1 : 0;
    memcpy(to, found, length);
    to[length] = '\0';
    return true;
}

// " - LAUNCH - Kernel pc 0x… - Kernel name … - grid launch id N - …"
static bool launch(gmmu_reader *r, const char *p, refusal *no) {
    nvbit *n = gmmu_import_of(r)->form;
    uint64_t pc = 0;
    uint64_t grid = 0;
    NEED((word(&p, "Kernel pc") || word(&p, "Kernel")) && hexadecimal(&p, &pc) && word(&p, "-"),
         "Kernel pc 0x… of a LAUNCH");
    char rest[MAX_LINE + 1];
    const char *id = strstr(p, "grid launch id");
    if (id == NULL && find_in_long(r, "grid launch id", rest)) {  // behind a long name
        id = rest;
    }
    if (id != NULL) {
        p = id + strlen("grid launch id");
        NEED(gmmu_scan_number(&p, 10, &grid), "the number of the grid launch");
        n->launches[grid % LAUNCHES].grid = grid;
        n->launches[grid % LAUNCHES].pc = pc;
        n->launches[grid % LAUNCHES].used = true;
    }
    return gmmu_import_hint(r, (gmmu_hint){.kind = GMMU_HINT_LAUNCH, .id = pc}) ||
           gmmu_refused(no, "no memory", "memory for a hint");
}

// Stands for the instruction: the tool prints the opcode, not the PC.
static uint64_t reference(const nvbit *n, uint64_t grid, const char *opcode, size_t length) {
    const size_t i = grid % LAUNCHES;
    const bool known = n->launches[i].used && n->launches[i].grid == grid;
    return gmmu_text_hash(known ? n->launches[i].pc : 0, opcode, length);
}

// An access by an opcode that is no walk.
static void leave_out(gmmu_import *m, const char *opcode, size_t length) {
    const char *dot = memchr(opcode, '.', length);
    char name[24];
    (void)snprintf(name, sizeof name, "%.*s", (int)(dot != NULL ? (size_t)(dot - opcode) : length),
                   opcode);
    const bool inside = gmmu_sass_inside(name, strlen(name));
    gmmu_import_skip(m, inside ? "accesses to shared, local or constant memory" : "accesses by",
                     inside ? "" : name);
}

// " N - CTA x,y,z - warp w - OPCODE - 32 addresses, 0 in lanes that are not active"
static bool access_line(gmmu_import *m, uint32_t asid, const char *p, refusal *no) {
    const nvbit *n = m->form;
    uint64_t grid = 0;
    uint64_t number = 0;
    uint64_t address[IMPORT_LANES];
    size_t length = 0;
    bool any = false;
    bool generic = false;
    NEED(gmmu_scan_number(&p, 10, &grid) && word(&p, "-"), "the number of the grid launch");
    NEED(word(&p, "CTA"), "CTA x,y,z");
    gmmu_scan_blanks(&p);
    for (int i = 0; i < 3; i++) {
        NEED(gmmu_scan_digits(&p, 10, &number) && (i == 2 || *p++ == ','), "CTA x,y,z");
    }
    NEED(word(&p, "-") && word(&p, "warp") && gmmu_scan_number(&p, 10, &number) && word(&p, "-"),
         "warp and a number");
    const char *opcode = NULL;
    NEED((opcode = gmmu_scan_word(&p, &length)) != NULL && *opcode >= 'A' && *opcode <= 'Z',
         "an opcode");
    NEED(word(&p, "-"), "- and addresses");
    for (size_t i = 0; i < IMPORT_LANES; i++) {
        NEED(hexadecimal(&p, &address[i]), "32 addresses with 0x");
        any |= address[i] != 0;
    }
    NEED(*p == '\0', "32 addresses and no more");
    const gmmu_sass kind = gmmu_sass_kind(opcode, length, &generic);
    if (kind == GMMU_SASS_NO_WALK) {
        if (any) {
            leave_out(m, opcode, length);
        }
        return true;
    }
    const uint64_t ref = reference(n, grid, opcode, length);
    for (size_t i = 0; i < IMPORT_LANES; i++) {
        if (address[i] != 0) {
            gmmu_import_access(m, address[i], 1, ref, kind == GMMU_SASS_STORE);
        }
    }
    for (size_t i = 0; i < m->count; i++) {
        m->walks[i].asid = asid;
    }
    return true;
}

static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    static const char mark[] = "MEMTRACE:";
    gmmu_import *m = r->own;
    nvbit *n = m->form;
    const char *p = strstr(line, mark);  // the program may have left its own line unended
    uint64_t context = 0;
    if (p == NULL && strlen(line) == MAX_LINE && find_in_long(r, mark, line)) {
        p = line;
    }
    if (p == NULL) {
        gmmu_import_skip(m, "lines of the program", "");
        return true;
    }
    p += sizeof mark - 1;
    if (!word(&p, "CTX")) {
        gmmu_import_skip(m, "remarks of the tool", "");
        return true;
    }
    NEED(hexadecimal(&p, &context) && word(&p, "-"), "a context with 0x");
    if (word(&p, "LAUNCH -")) {
        return launch(r, p, no);
    }
    NEED(word(&p, "grid_launch_id"), "LAUNCH or grid_launch_id");
    if (n->contexts == NULL) {
        n->contexts = gmmu_pages_create();
    }
    const uint32_t asid =
        n->contexts == NULL ? GMMU_NO_PAGE : gmmu_pages_index(n->contexts, 0, context);
    return asid == GMMU_NO_PAGE ? gmmu_refused(no, "no memory", "memory for the contexts")
                                : access_line(m, asid, p, no);
}

static const gmmu_importer importer = {
    .size = sizeof(nvbit),
    .shift = USUAL_SHIFT,
    .record = gmmu_import_record,
    .line = line_in,
    .free = dispose,
    .long_lines = true,
};

const gmmu_form_kind gmmu_form_nvbit = {.name = "nvbit", GMMU_IMPORTED(importer)};
