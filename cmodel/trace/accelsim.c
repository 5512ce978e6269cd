// SPDX-License-Identifier: Apache-2.0
// accelsim.c: reads the .traceg of NVBit and Accel-Sim (docs/reference/formats.md, "Imported
// traces").
#include <string.h>

#include "trace/import.h"
#include "trace/message.h"
#include "trace/sass.h"
#include "trace/scan.h"
#include "trace/texts.h"

// An NVBit window of shared or of local memory.
#define WINDOW (UINT64_C(1) << 24)

enum { LANES = IMPORT_LANES };

// What the lines before the instructions say, and what has come of it.
typedef struct {
    bool line_numbers;               // a source line stands before the PC
    uint64_t shared, local;          // bases of the windows, 0: none
    bool named;                      // a kernel has begun
    bool inside;                     // of a thread block, behind #BEGIN_TB
    bool stated;                     // the warp's number of instructions
    uint64_t insts, read;            // instructions of the warp: stated, and read
    uint64_t grid, blocks;           // thread blocks of the kernel: stated, 0: not; and read
    const gmmu_kernel_watch *watch;  // NULL: nobody; the rest is for it
    uint64_t size[3];                // of the grid, 0: not stated
    uint64_t threads;                // of a block, 0: not stated
    bool announced;                  // of the kernel
    bool in_block, in_warp;          // BLOCK, WARP are known
    uint64_t block, warp;
} settings;

static bool in_window(uint64_t base, uint64_t address) {
    return base != 0 && address - base < WINDOW;
}

// Sets *no to NUMBER things and the expectation.
static bool refuse_count(gmmu_import *m, uint64_t number, const char *things, const char *expected,
                         refusal *no) {
    (void)snprintf(m->found, sizeof m->found, "%llu %s", (unsigned long long)number, things);
    return gmmu_refused(no, m->found, expected);
}

// The warp ends: it has as many instructions as was stated.
static bool end_warp(gmmu_import *m, refusal *no) {
    settings *s = m->form;
    bool good = !s->stated || s->read == s->insts;
    s->stated = false;
    return good || refuse_count(m, s->read, "instructions",
                                "as many as the line insts of the warp states", no);
}

// The kernel ends: it has as many thread blocks as its grid, and the last one has ended.
static bool end_kernel(gmmu_import *m, refusal *no) {
    settings *s = m->form;
    bool open = s->inside;
    bool none = s->named && s->blocks == 0;
    bool good = s->grid == 0 || s->blocks == s->grid;
    s->inside = s->named = s->announced = s->in_block = s->in_warp = false;
    s->grid = s->threads = 0;
    if (!end_warp(m, no)) {
        return false;
    }
    if (open) {
        return gmmu_refused(no, "the end of the kernel", "#END_TB before");
    }
    if (none) {
        return gmmu_refused(no, "the end of the kernel", "thread blocks before");
    }
    return good ||
           refuse_count(m, s->blocks, "thread blocks", "as many as the line -grid dim states", no);
}

// "(x,y,z)": the size of a grid or of a block; *all is the product.
static bool dimensions(const char *p, uint64_t size[3], uint64_t *all, refusal *no) {
    uint64_t is[3];
    uint64_t product = 1;
    for (int i = 0; i < 3; i++) {
        NEED(*p++ == "(,,"[i] && gmmu_scan_digits(&p, 10, &is[i]) && is[i] > 0 &&
                 is[i] <= UINT32_MAX && product <= UINT64_MAX / is[i],
             "the grid's or block's size (x,y,z)");
        product *= is[i];
    }
    NEED(*p == ')', "a bracket behind the size");
    memcpy(size, is, sizeof is);
    *all = product;
    return true;
}

// "-name = value": a base address, the grid, or whether lines have source lines. A kernel begins
// with its name.
static bool setting(gmmu_reader *r, const char *p, refusal *no) {
    gmmu_import *m = r->own;
    settings *s = m->form;
    static const struct {
        const char *name;
        size_t field;
    } bases[] = {{"-shmem base_addr", offsetof(settings, shared)},
                 {"-local mem base_addr", offsetof(settings, local)}};
    const char *equal = strchr(p, '=');
    NEED(equal != NULL, "\"-name = value\"");
    if (strncmp(p, "-kernel name", 12) == 0) {
        bool good = end_kernel(m, no);
        s->named = true;
        s->blocks = 0;
        p = equal + 1 + strspn(equal + 1, " \t");
        gmmu_hint launch = {.kind = GMMU_HINT_LAUNCH, .id = gmmu_text_hash(0, p, strlen(p))};
        return good &&
               (gmmu_import_hint(r, launch) || gmmu_refused(no, "no memory", "memory for a hint"));
    }
    if (s->announced && (strncmp(p, "-grid dim", 9) == 0 || strncmp(p, "-block dim", 10) == 0)) {
        return gmmu_refused(no, p, "-kernel name before");
    }
    if (strncmp(p, "-grid dim", 9) == 0) {
        s->blocks = 0;
        return dimensions(equal + 1, s->size, &s->grid, no);
    }
    if (s->watch != NULL && strncmp(p, "-block dim", 10) == 0) {
        uint64_t size[3];
        return dimensions(equal + 1, size, &s->threads, no);
    }
    for (size_t i = 0; i < 2; i++) {
        if (strncmp(p, bases[i].name, strlen(bases[i].name)) == 0) {
            p = equal + 1;
            uint64_t value = 0;
            NEED(gmmu_scan_number(&p, 16, &value), "a base address in hexadecimal");
            memcpy((char *)s + bases[i].field, &value, sizeof value);
            return true;
        }
    }
    if (strncmp(p, "-enable lineinfo", 16) == 0) {
        p = equal + 1;
        uint64_t value = 0;
        NEED(gmmu_scan_number(&p, 10, &value) && value <= 1, "0 or 1");
        s->line_numbers = value == 1;
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
            NEED(gmmu_scan_number(&p, 16, a), "an address in hexadecimal");
        } else if (mode == 2) {
            NEED(gmmu_scan_signed(&p, &step), "a difference of addresses");
            *a = a[-1] + step;
        } else {
            *a = a[-1] + step;
        }
        if (mode == 1 && *lanes == 0) {
            NEED(gmmu_scan_signed(&p, &step), "a stride");
        }
        ++*lanes;
    }
    *at = p;
    return true;
}

// COUNT registers, each "R", or "UR", and a number.
static bool registers(const char **at, uint64_t count, refusal *no) {
    const char *p = *at;
    uint64_t unused = 0;
    for (uint64_t i = 0; i < count; i++) {
        NEED((p += *p == 'U' ? 1 : 0, *p++ == 'R') && gmmu_scan_number(&p, 10, &unused),
             "a register");
    }
    *at = p;
    return true;
}

// ---------------------------------------------------------------- who follows the warps

// The kernel begins for the one who follows, at its first thread block.
static bool announce(settings *s, const char *line, refusal *no) {
    const char *expected = s->announced ? NULL
                           : s->grid == 0 || s->threads == 0
                               ? "the lines -grid dim and -block dim before"
                               : s->watch->kernel(s->watch->context, s->grid, s->threads);
    s->announced = expected == NULL;
    return expected == NULL || gmmu_refused(no, line, expected);
}

// "x,y,z" of a thread block.
static bool thread_block(settings *s, const char *p, refusal *no) {
    uint64_t at[3];
    s->in_block = s->in_warp = false;
    NEED(s->announced && s->inside, "#BEGIN_TB before");
    for (int i = 0; i < 3; i++) {
        NEED((i == 0 || *p++ == ',') && gmmu_scan_digits(&p, 10, &at[i]) && at[i] < s->size[i],
             "a thread block x,y,z of the grid");
    }
    s->block = (at[2] * s->size[1] + at[1]) * s->size[0] + at[0];
    s->in_block = true;
    return true;
}

static bool warp_number(settings *s, const char *p, refusal *no) {
    s->in_warp = false;
    NEED(s->in_block && gmmu_scan_number(&p, 10, &s->warp) && s->warp <= (s->threads - 1) / LANES,
         "a warp of a thread block");
    s->in_warp = true;
    return true;
}

// Lanes MASK access ADDRESS, one after the other; OUTSIDE are no accesses to device memory.
static bool follow(const settings *s, const char *p, bool write, bool atomic, uint64_t mask,
                   uint32_t outside, const uint64_t *address, refusal *no) {
    uint64_t at[LANES];
    const uint64_t first = s->warp * LANES;
    uint32_t active = 0;
    size_t next = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        active |= (outside >> next & 1) == 0 ? UINT32_C(1) << lane : 0;
        at[lane] = address[next++];
    }
    NEED(s->in_warp, "thread block and warp before");
    NEED(active == 0 || first + (31 - (unsigned)__builtin_clz(active)) < s->threads,
         "lanes below the threads of a block");
    const char *expected = active == 0 ? NULL
                                       : s->watch->access(s->watch->context, s->block, s->warp,
                                                          write, atomic, active, at);
    return expected == NULL || gmmu_refused(no, p, expected);
}

// "PC mask dest_num [regs] opcode src_num [regs] width [code addresses] …"
static bool instruction(gmmu_import *m, const char *p, refusal *no) {
    const settings *s = m->form;
    const char *line = p;
    uint64_t pc = 0;
    uint64_t mask = 0;
    uint64_t count = 0;
    uint64_t width = 0;
    uint64_t mode = 0;
    size_t length = 0;
    if (s->line_numbers) {
        NEED(gmmu_scan_number(&p, 10, &count), "a source line");
    }
    NEED(gmmu_scan_number(&p, 16, &pc), "a PC in hexadecimal");
    NEED(gmmu_scan_number(&p, 16, &mask) && mask <= UINT32_MAX, "an active mask of 32 bits");
    NEED(gmmu_scan_number(&p, 10, &count) && count <= LANES, "the number of destinations");
    if (!registers(&p, count, no)) {
        return false;
    }
    const char *opcode = NULL;
    NEED((opcode = gmmu_scan_word(&p, &length)) != NULL && *opcode >= 'A' && *opcode <= 'Z',
         "an opcode; a raw .trace is to be post-processed first");
    NEED(gmmu_scan_number(&p, 10, &count) && count <= LANES, "the number of sources");
    if (!registers(&p, count, no)) {
        return false;
    }
    NEED(gmmu_scan_number(&p, 10, &width) && width <= 128, "the bytes of an access, 0 to 128");
    if (width == 0) {
        return true;
    }
    uint64_t address[LANES] = {0};
    size_t lanes = 0;
    NEED(gmmu_scan_number(&p, 10, &mode) && mode <= 2, "0, 1 or 2, the code of the addresses");
    if (!lane_addresses(&p, mode, mask, address, &lanes, no)) {
        return false;
    }
    bool generic = false;
    gmmu_sass kind = gmmu_sass_kind(opcode, length, &generic);
    const char *dot = memchr(opcode, '.', length);
    length = dot != NULL ? (size_t)(dot - opcode) : length;
    bool outside = kind == GMMU_SASS_NO_WALK && lanes > 0 && gmmu_sass_inside(opcode, length);
    uint32_t others = 0;
    if (kind == GMMU_SASS_NO_WALK && lanes > 0 && !outside) {
        char name[24];
        gmmu_printable(name, sizeof name, opcode, length, 0x80);
        gmmu_import_skip(m, "accesses by", name);
    }
    for (size_t i = 0; kind != GMMU_SASS_NO_WALK && i < lanes; i++) {
        if (generic && (in_window(s->shared, address[i]) || in_window(s->local, address[i]))) {
            outside = true;
            others |= UINT32_C(1) << i;
        } else {
            gmmu_import_access(m, address[i], width, pc, kind == GMMU_SASS_STORE);
        }
    }
    if (outside) {
        gmmu_import_skip(m, "accesses to shared, local or constant memory", "");
    }
    const bool write = kind == GMMU_SASS_STORE;
    return s->watch == NULL || kind == GMMU_SASS_NO_WALK ||
           follow(s, line, write, write && *opcode != 'S', mask, others, address, no);
}

// "#BEGIN_TB", "#END_TB", or a comment.
static bool mark(gmmu_import *m, const char *line, refusal *no) {
    settings *s = m->form;
    bool begin = strncmp(line, "#BEGIN_TB", 9) == 0;
    bool end = strncmp(line, "#END_TB", 7) == 0;
    if (!begin && !end) {
        return true;
    }
    bool inside = s->inside;
    s->inside = begin;
    s->in_block = s->in_warp = false;
    s->blocks += begin ? 1 : 0;
    if (!end_warp(m, no) || (begin && s->watch != NULL && !announce(s, line, no))) {
        return false;
    }
    return inside == end || gmmu_refused(no, line, begin ? "#END_TB before" : "#BEGIN_TB before");
}

static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    static const char *const others[] = {"thread block = ", "cluster "};
    gmmu_import *m = r->own;
    settings *s = m->form;
    const char *p = line;
    if (*line == '-') {
        return setting(r, line, no);
    }
    if (*line == '#') {
        return mark(m, line, no);
    }
    if (strncmp(line, "kernel-", 7) == 0 || strncmp(line, "Memcpy", 6) == 0) {
        return gmmu_refused(no, line,
                            "a line of a kernel; a list of kernels is --from accelsim-list");
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const size_t length = strlen(others[i]);
        if (strncmp(line, others[i], length) == 0) {
            return i != 0 || s->watch == NULL || thread_block(s, line + length, no);
        }
    }
    if (strncmp(line, "warp = ", 7) == 0) {
        return end_warp(m, no) && (s->watch == NULL || warp_number(s, line + 7, no));
    }
    if (strncmp(line, "insts = ", 8) == 0) {
        uint64_t insts = 0;
        p += 8;
        NEED(gmmu_scan_number(&p, 10, &insts), "the number of instructions");
        s->insts = insts;
        s->stated = true;
        s->read = 0;
        return true;
    }
    if (line[strspn(line, " \t")] == '\0') {
        return true;
    }
    s->read++;
    return instruction(m, line, no);
}

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    (void)err;
    ((settings *)gmmu_import_of(r)->form)->watch = given->watch;
    return true;
}

static const gmmu_importer importer = {
    .size = sizeof(settings),
    .shift = USUAL_SHIFT,
    .start = start,
    .record = gmmu_import_record,
    .line = line_in,
    .end = end_kernel,
};

const gmmu_form_kind gmmu_form_accelsim = {.name = "accelsim", GMMU_IMPORTED(importer)};
