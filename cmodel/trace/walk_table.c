// SPDX-License-Identifier: Apache-2.0
// walk_table.c: see walk_table.h.
#include "trace/walk_table.h"

#include <string.h>

#define OTHER(name, role) \
    { (name), (role), false, true }

const gmmu_column gmmu_walk_columns[] = {{"vpn", COL_VPN, false, false},
                                         {"page", COL_VPN, false, false},
                                         {"addr", COL_ADDRESS, false, false},
                                         {"address", COL_ADDRESS, false, false},
                                         {"size", COL_SIZE, false, false},
                                         {"ref", COL_REF, false, false},
                                         {"pc", COL_REF, false, false},
                                         {"rw", COL_RW, false, false},
                                         {"write", COL_RW, false, false},
                                         {"sm", COL_SM, false, false},
                                         {"asid", COL_ASID, false, false},
                                         {"time", COL_TIME, false, false},
                                         {"store", COL_STORE, false, false},
                                         {"same", COL_SAME, false, false},
                                         OTHER("vpage", COL_VPN),
                                         OTHER("page number", COL_VPN),
                                         OTHER("page id", COL_VPN),
                                         OTHER("page no", COL_VPN),
                                         OTHER("virtual page", COL_VPN),
                                         OTHER("virtual page number", COL_VPN),
                                         OTHER("vaddr", COL_ADDRESS),
                                         OTHER("vaddress", COL_ADDRESS),
                                         OTHER("va", COL_ADDRESS),
                                         OTHER("virtual addr", COL_ADDRESS),
                                         OTHER("virtual address", COL_ADDRESS),
                                         OTHER("mem addr", COL_ADDRESS),
                                         OTHER("mem address", COL_ADDRESS),
                                         OTHER("memory address", COL_ADDRESS),
                                         OTHER("fault addr", COL_ADDRESS),
                                         OTHER("fault address", COL_ADDRESS),
                                         OTHER("byte address", COL_ADDRESS),
                                         OTHER("effective address", COL_ADDRESS),
                                         OTHER("data address", COL_ADDRESS),
                                         OTHER("bytes", COL_SIZE),
                                         OTHER("nbytes", COL_SIZE),
                                         OTHER("size bytes", COL_SIZE),
                                         OTHER("access size", COL_SIZE),
                                         OTHER("len", COL_SIZE),
                                         OTHER("length", COL_SIZE),
                                         OTHER("ip", COL_REF),
                                         OTHER("inst pc", COL_REF),
                                         OTHER("instr pc", COL_REF),
                                         OTHER("program counter", COL_REF),
                                         OTHER("instruction pointer", COL_REF),
                                         OTHER("instruction address", COL_REF),
                                         OTHER("r/w", COL_RW),
                                         OTHER("read/write", COL_RW),
                                         OTHER("rd/wr", COL_RW),
                                         OTHER("load/store", COL_RW),
                                         OTHER("is write", COL_RW),
                                         OTHER("is store", COL_RW),
                                         OTHER("write flag", COL_RW),
                                         OTHER("type", COL_RW),
                                         OTHER("op", COL_RW),
                                         OTHER("op type", COL_RW),
                                         OTHER("operation", COL_RW),
                                         OTHER("access", COL_RW),
                                         OTHER("access type", COL_RW),
                                         OTHER("access kind", COL_RW),
                                         OTHER("request type", COL_RW),
                                         OTHER("req type", COL_RW),
                                         OTHER("cmd", COL_RW),
                                         OTHER("command", COL_RW),
                                         OTHER("kind", COL_RW),
                                         OTHER("sm id", COL_SM),
                                         OTHER("pid", COL_ASID),
                                         OTHER("process id", COL_ASID),
                                         OTHER("pasid", COL_ASID),
                                         {NULL, COL_UNKNOWN, false, false}};

// The address space of a row.
static bool space(gmmu_table *t, gmmu_import *m, const char *const *value, uint64_t *asid,
                  refusal *no) {
    for (size_t i = 0; i < t->used->count; i++) {
        if (t->used->fields[i].role == COL_ASID && t->used->fields[i].text) {
            return gmmu_table_text(&t->spaces, value[COL_ASID], asid, no);
        }
    }
    return gmmu_table_value(m, value, COL_ASID, false, UINT32_MAX, "an asid below 2^32", asid, no);
}

// The page that a row names.
static bool page(gmmu_table *t, gmmu_import *m, const char *const *value, uint64_t *vpn,
                 refusal *no) {
    for (size_t i = 0; i < t->used->count; i++) {
        if (t->used->fields[i].role == COL_VPN && t->used->fields[i].text) {
            return gmmu_table_text(&t->pages, value[COL_VPN], vpn, no);
        }
    }
    return gmmu_table_value(m, value, COL_VPN, t->used->has[COL_VPN], UINT64_MAX,
                            "a page number below 2^64", vpn, no);
}

static bool same(gmmu_table *t, const char *text, refusal *no) {
    if (!t->started) {
        if (strlen(text) >= sizeof t->same) {
            return gmmu_refused(no, text, "a text of at most 63 bytes");
        }
        (void)snprintf(t->same, sizeof t->same, "%s", text);
        t->started = true;
    }
    return strcmp(t->same, text) == 0 ||
           gmmu_refused(no, text, "the same text as in the rows before");
}

// Sets *write; *skip: the row is no walk.
static bool direction(const gmmu_table *t, gmmu_import *m, const char *text, bool *write,
                      bool *skip, refusal *no) {
    const gmmu_field *f = t->used->fields;
    *write = false;
    *skip = false;
    if (!t->used->has[COL_RW]) {
        return true;
    }
    while (f->role != COL_RW) {
        f++;
    }
    if (f->unknown && strcmp(text, "u") == 0) {
        gmmu_import_skip(m, "commands u, neither read nor write,", "");
        *skip = true;
        return true;
    }
    if (f->unknown && !gmmu_table_command(text)) {
        return gmmu_refused(no, text, "r, w or u, as gem5 writes the commands");
    }
    if (f->word && (*text == '0' || *text == '1' || *text == '\0')) {
        return gmmu_refused(no, text, "a word for read or write");
    }
    return gmmu_table_write(text, write, no);
}

#define VALUE(c, most, expected, number) \
    gmmu_table_value(m, value, (c), false, (most), (expected), (number), no)

bool gmmu_walk_row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_table *t = m->form;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t store = 0;
    uint64_t size = 0;
    uint64_t sm = 0;
    uint64_t asid = 0;
    bool skip = false;
    const bool named = t->used->has[COL_VPN];
    if (!page(t, m, value, &w.vpn, no) || !space(t, m, value, &asid, no) ||
        !gmmu_table_value(m, value, COL_ADDRESS, !named, UINT64_MAX, "an address below 2^64",
                          &address, no) ||
        !VALUE(COL_STORE, UINT64_MAX, "an address below 2^64", &store) ||
        !VALUE(COL_SIZE, IMPORT_BYTES, "a size of at most 2^40 bytes", &size) ||
        !VALUE(COL_REF, UINT64_MAX, "a reference below 2^64", &w.ref) ||
        !VALUE(COL_SM, UINT32_MAX, "an sm below 2^32", &sm) ||
        !VALUE(COL_TIME, UINT64_MAX, "a time, a whole number below 2^64", &w.time) ||
        (t->used->has[COL_SAME] && !same(t, value[COL_SAME], no)) ||
        !direction(t, m, value[COL_RW], &w.write, &skip, no)) {
        return false;
    }
    w.sm = (uint32_t)sm;
    w.asid = (uint32_t)asid;
    if (skip) {
        return true;
    }
    if (named) {
        m->walks[m->count++] = w;
    } else if (*value[COL_STORE] != '\0') {
        w.vpn = address >> m->shift;
        m->walks[m->count++] = w;
        w.vpn = store >> m->shift;
        w.write = true;
        m->walks[m->count++] = w;
    } else {
        gmmu_import_range(m, address, size == 0 ? 1 : size, w);
    }
    return true;
}
