// SPDX-License-Identifier: Apache-2.0
// csv.c: reads any table with columns of the usual names as walks (docs/reference/formats.md,
// "Imported traces").
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "trace/walk_table.h"

// Words in the name of a column that looks as if it had a role.
static const struct {
    const char *word;
    gmmu_role role;
    const char *expected;
} looks_like[] = {
#define WRITE_COLUMN "a column rw (r or w), or no column of such a name"
#define ASID_COLUMN "a column asid, or no column of such a name"
#define SIZE_COLUMN "a column size, or no column of such a name"
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
    {"ld", COL_RW, WRITE_COLUMN},
    {"st", COL_RW, WRITE_COLUMN},
    {"cmd", COL_RW, WRITE_COLUMN},
    {"command", COL_RW, WRITE_COLUMN},
    {"opcode", COL_RW, WRITE_COLUMN},
    {"mnemonic", COL_RW, WRITE_COLUMN},
    {"dir", COL_RW, WRITE_COLUMN},
    {"direction", COL_RW, WRITE_COLUMN},
    {"rnw", COL_RW, WRITE_COLUMN},
    {"we", COL_RW, WRITE_COLUMN},
    {"modified", COL_RW, WRITE_COLUMN},
    {"pc", COL_REF, "a column ref, or no column of such a name"},
    {"ip", COL_REF, "a column ref, or no column of such a name"},
    {"ref", COL_REF, "a column ref, or no column of such a name"},
    {"asid", COL_ASID, ASID_COLUMN},
    {"pid", COL_ASID, ASID_COLUMN},
    {"tgid", COL_ASID, ASID_COLUMN},
    {"process", COL_ASID, ASID_COLUMN},
    {"context", COL_ASID, ASID_COLUMN},
    {"ctx", COL_ASID, ASID_COLUMN},
    {"vmid", COL_ASID, ASID_COLUMN},
    {"size", COL_SIZE, SIZE_COLUMN},
    {"bytes", COL_SIZE, SIZE_COLUMN},
    {"nbytes", COL_SIZE, SIZE_COLUMN},
    {"len", COL_SIZE, SIZE_COLUMN},
    {"length", COL_SIZE, SIZE_COLUMN},
};

// True: WORD is one of the words in the LENGTH letters and digits at P: all of them, or the parts
// that begin with a capital behind a small letter ("memWrite").
static bool is_word(const char *p, size_t length, const char *word) {
    size_t first = 0;
    if (length == strlen(word) && strncasecmp(p, word, length) == 0) {
        return true;
    }
    for (size_t i = 1; i <= length; i++) {
        if (i == length ||
            (isupper((unsigned char)p[i]) != 0 && isupper((unsigned char)p[i - 1]) == 0)) {
            if (i - first == strlen(word) && strncasecmp(p + first, word, i - first) == 0) {
                return true;
            }
            first = i;
        }
    }
    return false;
}

// True: WORD is one of the words of NAME.
static bool has_word(const char *name, const char *word) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (const char *p = name; *p != '\0';) {
        const size_t length = strspn(p, letters);
        if (is_word(p, length, word)) {
            return true;
        }
        p += length != 0 ? length : 1;
    }
    return false;
}

// No column is left out that looks like one that matters and that is missing.
static bool nothing_missed(const gmmu_table *t, const char *const *name, refusal *no) {
    for (size_t i = 0; i < t->layout[0].count; i++) {
        for (size_t k = 0; k < sizeof looks_like / sizeof looks_like[0]; k++) {
            gmmu_role role = looks_like[k].role;
            bool counts =
                !t->layout[0].has[role] && (role != COL_SIZE || t->layout[0].has[COL_ADDRESS]);
            if (t->layout[0].fields[i].role == COL_UNKNOWN && counts &&
                has_word(name[i], looks_like[k].word)) {
                return gmmu_refused(no, name[i], looks_like[k].expected);
            }
        }
    }
    return true;
}

// A page is named, or an address.
static bool check(gmmu_table *t, const char *const *name, refusal *no) {
    if (t->layout[0].has[COL_VPN] && t->layout[0].has[COL_ADDRESS]) {
        return gmmu_refused(no, "columns vpn and addr",
                            "either a column vpn or a column addr in the header");
    }
    if (!t->layout[0].has[COL_VPN] && !t->layout[0].has[COL_ADDRESS]) {
        return gmmu_refused(no, gmmu_table_names(t, name, t->layout[0].count),
                            "either a column vpn or a column addr in the header; other names, or "
                            "no header: --from table");
    }
    if (!nothing_missed(t, name, no)) {
        return false;
    }
    if (t->layout[0].has[COL_VPN] && t->layout[0].has[COL_SIZE]) {
        t->layout[0].has[COL_SIZE] = false;  // of an access in a page that is named
        gmmu_table_ignore(t, "size");
    }
    if (!t->layout[0].has[COL_RW] && t->note[0] != '\0') {
        size_t used = strlen(t->note);
        (void)snprintf(t->note + used, sizeof t->note - used,
                       "; without a column rw each walk is a read");
    }
    return true;
}

static const gmmu_table_kind table = {
    .columns = gmmu_walk_columns, .check = check, .row = gmmu_walk_row};

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
    .free = gmmu_table_free,
};

const gmmu_form_kind gmmu_form_csv = {.name = "csv", GMMU_IMPORTED(importer)};
