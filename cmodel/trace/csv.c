// SPDX-License-Identifier: Apache-2.0
// csv.c: reads any table with columns of the usual names as walks (docs/reference/formats.md,
// "Imported traces").
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
