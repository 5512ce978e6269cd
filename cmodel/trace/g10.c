// SPDX-License-Identifier: Apache-2.0
// g10.c: reads G10's table of the tensors of each kernel (docs/reference/formats.md, "Imported
// traces").
//
// It is read whole, as it is repeated and a kernel's reads come before its writes: its memory grows
// with the table, not with the pages in it.
#include <stdlib.h>

#include "trace/message.h"
#include "trace/table.h"

enum { OPERAND_BITS = 16, G10_SHIFT = 21, ITERATIONS = 3 };

static const gmmu_column columns[] = {
    {"kernel_id", COL_KERNEL, true, false},    {"kernel_name", COL_KNOWN, false, false},
    {"exec_cycles", COL_CYCLES, false, false}, {"rw", COL_RW, true, false},
    {"tensor_id", COL_KNOWN, false, false},    {"is_weight", COL_WEIGHT, true, false},
    {"bytes", COL_SIZE, true, false},          {"va_start", COL_ADDRESS, true, false},
    {NULL, COL_UNKNOWN, false, false}};

// A tensor of a kernel.
typedef struct {
    uint64_t address, size, kernel, time, line;
    uint64_t group;  // kernels in their order
    size_t order;    // in the file; then the number of the operand
    size_t id;       // of the memory, in the order of the table
    bool write, weight;
    bool first, last;  // use of the memory in the table
} tensor;

typedef struct {
    gmmu_table table;
    tensor *tensors;
    size_t count, room, at;
    uint64_t iteration, iterations;
    uint64_t group, kernel, operands;  // of the row read last
    uint64_t time, next_time;          // cycles before that kernel, and behind it
    bool began, sorted, over;
} g10;

static bool row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    g10 *t = m->form;
    tensor x = {.order = t->count, .line = r->line};
    uint64_t cycles = 0;
    uint64_t weight = 0;
    NUMBER(COL_KERNEL, UINT64_MAX >> OPERAND_BITS, true, "a kernel_id below 2^48", x.kernel);
    NUMBER(COL_CYCLES, UINT64_MAX, false, "exec_cycles below 2^64", cycles);
    NUMBER(COL_WEIGHT, 1, true, "is_weight, 0 or 1", weight);
    NUMBER(COL_SIZE, IMPORT_BYTES, true, "at most 2^40 bytes", x.size);
    NUMBER(COL_ADDRESS, UINT64_MAX, true, "a va_start below 2^64", x.address);
    if (*value[COL_RW] == '\0') {
        return gmmu_refused(no, "", "r or w");
    }
    if (!gmmu_table_write(value[COL_RW], &x.write, no)) {
        return false;
    }
    // a kernel takes its cycles, too, if all its tensors have 0 bytes
    if (!t->began || t->kernel != x.kernel) {
        if (cycles > UINT64_MAX - t->next_time) {
            return gmmu_refused(no, value[COL_CYCLES], "exec_cycles below 2^64 in all");
        }
        t->began = true;
        t->group++;
        t->kernel = x.kernel;
        t->operands = 0;
        t->time = t->next_time;
        t->next_time += cycles;
    }
    if (x.size == 0) {
        gmmu_import_skip(m, "tensors of 0 bytes", "");
        return true;
    }
    if (t->operands >> OPERAND_BITS != 0) {
        return gmmu_refused(no, value[COL_KERNEL], "at most 65536 tensors of a kernel");
    }
    if (t->count == t->room) {
        size_t room = t->room == 0 ? 1024 : 2 * t->room;
        tensor *bigger = realloc(t->tensors, room * sizeof *bigger);
        if (bigger == NULL) {
            return gmmu_refused(no, "no memory", "memory for the table");
        }
        t->tensors = bigger;
        t->room = room;
    }
    t->operands++;
    x.group = t->group;
    x.time = t->time;
    x.weight = weight == 1;
    t->tensors[t->count++] = x;
    return true;
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

// By the memory; then in the order of the table.
static int compare_memory(const void *a, const void *b) {
    const tensor *x = a;
    const tensor *y = b;
    if (x->weight != y->weight) {
        return x->weight ? 1 : -1;
    }
    if (x->address != y->address) {
        return (x->address > y->address) - (x->address < y->address);
    }
    return (x->order > y->order) - (x->order < y->order);
}

// Finds the first and the last use of each tensor's memory, and numbers it.
static void find_lives(g10 *t) {
    qsort(t->tensors, t->count, sizeof *t->tensors, compare_memory);
    for (size_t i = 0; i < t->count; i++) {
        tensor *x = &t->tensors[i];
        const tensor *before = i == 0 ? NULL : x - 1;
        x->first = before == NULL || before->weight != x->weight || before->address != x->address;
        x->id = x->first ? x->order : before->id;
        if (i > 0) {
            t->tensors[i - 1].last = x->first;
        }
    }
    t->tensors[t->count - 1].last = true;
}

// Sorts the tensors and numbers the operands of each kernel.
static void sort(g10 *t) {
    if (t->count > 0) {
        find_lives(t);
        qsort(t->tensors, t->count, sizeof *t->tensors, compare);
    }
    size_t operand = 0;
    for (size_t i = 0; i < t->count; i++) {
        operand = i > 0 && t->tensors[i].group == t->tensors[i - 1].group ? operand + 1 : 0;
        t->tensors[i].order = operand;
    }
    t->sorted = true;
}

// Pages that the tensor alone is on; none: *pages is 0.
static uint64_t whole_pages(const tensor *x, unsigned shift, uint64_t *pages) {
    const uint64_t mask = (UINT64_C(1) << shift) - 1;
    uint64_t first = (x->address >> shift) + ((x->address & mask) != 0 ? 1 : 0);
    uint64_t most = UINT64_MAX - x->address;
    uint64_t end = (x->address + (x->size > most ? most : x->size)) >> shift;
    *pages = end > first ? end - first : 0;
    return first;
}

// The memory of tensor X is taken, or is free.
static bool say_memory(gmmu_reader *r, const tensor *x, gmmu_hint_kind kind) {
    unsigned shift = gmmu_import_of(r)->shift;
    gmmu_hint hint = {.kind = kind, .asid = x->weight ? 1 : 0};
    hint.first = whole_pages(x, shift, &hint.pages);
    if (kind == GMMU_HINT_ALLOC) {
        uint64_t last =
            x->size - 1 > UINT64_MAX - x->address ? UINT64_MAX : x->address + x->size - 1;
        hint.first = x->address >> shift;
        hint.pages = (last >> shift) - hint.first + 1;
        hint.id = x->id;
    }
    return hint.pages == 0 || gmmu_import_hint(r, hint);
}

// Whether tensor I is one of the kernel of tensor J.
static bool same_kernel(const g10 *t, size_t i, size_t j) {
    return t->tensors[i].group == t->tensors[j].group;
}

// Between two kernels: what the one before used last is free, but for weights; what the next one
// uses first is allocated; then it starts. False: no memory.
static bool between_kernels(gmmu_reader *r, const g10 *t) {
    bool good = true;
    const size_t before = t->at != 0 || t->iteration == 0 ? t->at : t->count;
    for (size_t i = before; good && i > 0 && same_kernel(t, i - 1, before - 1); i--) {
        const tensor *x = &t->tensors[i - 1];
        good = !x->last || x->weight || say_memory(r, x, GMMU_HINT_FREE);
    }
    if (t->iteration == t->iterations) {
        return good;
    }
    for (size_t i = t->at; good && i < t->count && same_kernel(t, i, t->at); i++) {
        const tensor *x = &t->tensors[i];
        bool new = x->first && (!x->weight || t->iteration == 0);
        good = !new || say_memory(r, x, GMMU_HINT_ALLOC);
    }
    const gmmu_hint launch = {.kind = GMMU_HINT_LAUNCH, .id = t->tensors[t->at].kernel};
    return good && gmmu_import_hint(r, launch);
}

// Behind the last line: opens the range of the next tensor; GMMU_END when all were given.
static int next_tensor(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    g10 *t = m->form;
    if (!t->sorted) {
        sort(t);
    }
    if (t->count == 0 || t->over) {
        return GMMU_END;
    }
    const tensor *x = &t->tensors[t->at];
    if ((t->at == 0 || x->group != x[-1].group) && !between_kernels(r, t)) {
        FAIL(err, r->in.file.name, 0, "found no memory for hints, expected some");
        return GMMU_BAD;
    }
    if (t->iteration == t->iterations) {
        t->over = true;
        return GMMU_END;
    }
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
    return GMMU_OK;
}

static int record(gmmu_reader *r, gmmu_error *err) {
    int status = gmmu_import_record(r, err);
    return status == GMMU_END ? next_tensor(r, err) : status;
}

static const gmmu_table_kind table = {.columns = columns, .row = row};

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    g10 *t = gmmu_import_of(r)->form;
    t->iterations = given->iterations == 0 ? ITERATIONS : given->iterations;
    return gmmu_table_start(r, &table, given->page_shift != 0, err);
}

static void dispose(void *form) {
    if (form != NULL) {
        free(((g10 *)form)->tensors);
    }
}

static const gmmu_importer importer = {
    .size = sizeof(g10),
    .shift = G10_SHIFT,
    .start = start,
    .record = record,
    .line = gmmu_table_line,
    .note = gmmu_table_note,
    .free = dispose,
};

const gmmu_form_kind gmmu_form_g10 = {.name = "g10", GMMU_IMPORTED(importer)};
