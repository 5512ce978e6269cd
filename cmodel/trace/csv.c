// SPDX-License-Identifier: Apache-2.0
// csv.c: reads any table with columns of the usual names as walks (docs/reference/formats.md,
// "Imported traces").
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "trace/table.h"

#define OTHER(name, role) \
    { (name), (role), false, true }

static const gmmu_column columns[] = {{"vpn", COL_VPN, false, false},
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

// Words in the name of a column that looks as if it had a role.
static const struct {
    const char *word;
    gmmu_role role;
    const char *expected;
} looks_like[] = {
#define WRITE_COLUMN "a column rw (r or w), or no column of such a name"
    {"read", COL_RW, WRITE_COLUMN},
    {"isread", COL_RW, WRITE_COLUMN},
    {"rd", COL_RW, WRITE_COLUMN},
    {"load", COL_RW, WRITE_COLUMN},
    {"isload", COL_RW, WRITE_COLUMN},
    {"write", COL_RW, WRITE_COLUMN},
    {"iswrite", COL_RW, WRITE_COLUMN},
    {"wr", COL_RW, WRITE_COLUMN},
    {"store", COL_RW, WRITE_COLUMN},
    {"isstore", COL_RW, WRITE_COLUMN},
    {"rw", COL_RW, WRITE_COLUMN},
    {"dirty", COL_RW, WRITE_COLUMN},
    {"access", COL_RW, WRITE_COLUMN},
    {"op", COL_RW, WRITE_COLUMN},
    {"operation", COL_RW, WRITE_COLUMN},
    {"type", COL_RW, WRITE_COLUMN},
    {"pc", COL_REF, "a column ref, or no column of such a name"},
    {"ip", COL_REF, "a column ref, or no column of such a name"},
    {"ref", COL_REF, "a column ref, or no column of such a name"},
    {"asid", COL_ASID, "a column asid, or no column of such a name"},
    {"pid", COL_ASID, "a column asid, or no column of such a name"},
    {"size", COL_SIZE, "a column size, or no column of such a name"},
    {"bytes", COL_SIZE, "a column size, or no column of such a name"},
};

// True: WORD is one of the words of NAME.
static bool has_word(const char *name, const char *word) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (const char *p = name; *p != '\0';) {
        size_t length = strspn(p, letters);
        if (length == strlen(word) && strncasecmp(p, word, length) == 0) {
            return true;
        }
        p += length != 0 ? length : 1;
    }
    return false;
}

// No column is left out that looks like one that matters and that is missing.
static bool nothing_missed(const gmmu_table *t, const char *const *name, refusal *no) {
    for (size_t i = 0; i < t->columns; i++) {
        for (size_t k = 0; k < sizeof looks_like / sizeof looks_like[0]; k++) {
            gmmu_role role = looks_like[k].role;
            bool counts = !t->has[role] && (role != COL_SIZE || t->has[COL_ADDRESS]);
            if (t->roles[i] == COL_UNKNOWN && counts && has_word(name[i], looks_like[k].word)) {
                return gmmu_refused(no, name[i], looks_like[k].expected);
            }
        }
    }
    return true;
}

// A page is named, or an address.
static bool check(gmmu_table *t, const char *const *name, refusal *no) {
    if (t->has[COL_VPN] == t->has[COL_ADDRESS]) {
        return gmmu_refused(no, t->has[COL_VPN] ? "columns vpn and addr" : "no such column",
                            "either a column vpn or a column addr in the header");
    }
    if (!nothing_missed(t, name, no)) {
        return false;
    }
    if (t->has[COL_VPN] && t->has[COL_SIZE]) {
        t->has[COL_SIZE] = false;  // of an access in a page that is named
        gmmu_table_ignore(t, "size");
    }
    if (!t->has[COL_RW] && t->note[0] != '\0') {
        size_t used = strlen(t->note);
        (void)snprintf(t->note + used, sizeof t->note - used,
                       "; without a column rw each walk is a read");
    }
    return true;
}

static bool row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t sm = 0;
    uint64_t asid = 0;
    bool named = ((const gmmu_table *)m->form)->has[COL_VPN];
    NUMBER(COL_VPN, UINT64_MAX, named, "a page number below 2^64", w.vpn);
    NUMBER(COL_ADDRESS, UINT64_MAX, !named, "an address below 2^64", address);
    NUMBER(COL_SIZE, IMPORT_BYTES, false, "a size of at most 2^40 bytes", size);
    NUMBER(COL_REF, UINT64_MAX, false, "a reference below 2^64", w.ref);
    NUMBER(COL_SM, UINT32_MAX, false, "an sm below 2^32", sm);
    NUMBER(COL_ASID, UINT32_MAX, false, "an asid below 2^32", asid);
    NUMBER(COL_TIME, UINT64_MAX, false, "a time, a whole number below 2^64", w.time);
    if (!gmmu_table_write(value[COL_RW], &w.write, no)) {
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

static const gmmu_table_kind table = {.columns = columns, .check = check, .row = row};

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    return gmmu_table_start(r, &table, given->page_shift != 0, err);
}

static const gmmu_importer importer = {
    .size = sizeof(gmmu_table),
    .shift = USUAL_SHIFT,
    .start = start,
    .record = gmmu_import_record,
    .line = gmmu_table_line,
    .note = gmmu_table_note,
};

const gmmu_form_kind gmmu_form_csv = {.name = "csv", GMMU_IMPORTED(importer)};
