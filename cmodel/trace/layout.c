// SPDX-License-Identifier: Apache-2.0
// layout.c: see layout.h.
#include "trace/layout.h"

#include <string.h>
#include <strings.h>

#include "trace/scan.h"

enum { LONGEST = 64 };  // bytes of a name

bool gmmu_column_same(const char *a, const char *b) {
    static const char between[] = " _-./[]()\t";
    for (;;) {
        a += strspn(a, between);
        b += strspn(b, between);
        if (*a == '\0' || strncasecmp(a, b, 1) != 0) {
            return *a == *b;
        }
        a++;
        b++;
    }
}

const gmmu_column *gmmu_column_find(const gmmu_column *known, const char *name) {
    while (known->name != NULL && !gmmu_column_same(known->name, name)) {
        known++;
    }
    return known;
}

static bool is(const char *at, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - at) == length && strncasecmp(at, word, length) == 0;
}

// ":hex", ":word", …: how the column is written. *AT is then behind it.
static bool modifier(gmmu_field *f, const char **at, const char *end, const char **expected) {
    const char *p = *at + 1;
    const char *stop = p;
    while (stop < end && *stop != ':' && *stop != '*' && *stop != '?') {
        stop++;
    }
    const bool number = f->role != COL_RW && f->role != COL_SAME && f->role < COL_USED;
    *at = stop;
    if (is(p, stop, "hex") && number) {
        f->hex = true;
    } else if (is(p, stop, "text") && (f->role == COL_VPN || f->role == COL_ASID)) {
        f->text = true;
    } else if (is(p, stop, "dec") && number) {
        f->decimal = true;
    } else if (is(p, stop, "0x") && number) {
        f->hex = f->prefix = true;
    } else if (is(p, stop, "colon") && number) {
        f->colon = true;
    } else if (is(p, stop, "bracket") && (number || f->role == COL_KNOWN)) {
        f->bracket = true;
        f->number = f->role == COL_KNOWN;
    } else if (is(p, stop, "number") && f->role == COL_KNOWN) {
        f->number = true;
    } else if (is(p, stop, "word") && f->role == COL_RW) {
        f->word = true;
    } else if (is(p, stop, "u") && f->role == COL_RW) {
        f->word = f->unknown = true;
    } else {
        *expected =
            "hex, 0x, dec, colon or bracket behind the colon of a number, text of a page or "
            "an asid, word of rw";
        return false;
    }
    return true;
}

static bool factor(gmmu_field *f, const char **at, const char *end, const char **expected) {
    char digits[24] = "";
    const char *p = ++*at;
    while (*at < end && **at >= '0' && **at <= '9') {
        ++*at;
    }
    const size_t length = (size_t)(*at - p);
    if (length < sizeof digits) {
        memcpy(digits, p, length);
    }
    const bool number = f->role < COL_USED && f->role != COL_RW && f->role != COL_SAME;
    *expected = "a number from 1 on behind the * of a number";
    return number && gmmu_scan_whole(digits, UINT64_MAX, &f->factor) && f->factor != 0;
}

bool gmmu_layout_item(gmmu_field *f, const gmmu_column *known, const char *item, const char *end,
                      bool *optional, const char **expected) {
    char name[LONGEST] = "";
    const char *p = item;
    while (p < end && *p != ':' && *p != '*' && *p != '?') {
        p++;
    }
    *f = (gmmu_field){.role = COL_UNKNOWN, .factor = 1};
    *optional = false;
    if (is(item, p, "-")) {
        f->role = COL_KNOWN;
    } else if ((size_t)(p - item) < sizeof name && p > item) {
        memcpy(name, item, (size_t)(p - item));
        f->role = gmmu_column_find(known, name)->role;
    }
    *expected =
        "page, addr, size, ref, rw, sm, asid, time, store, same, another name of these, or - for a "
        "column that is left out";
    bool good = f->role != COL_UNKNOWN;
    while (good && p < end) {
        if (*p == ':') {
            good = modifier(f, &p, end, expected);
        } else if (*p == '*') {
            good = factor(f, &p, end, expected);
        } else {
            *optional = true;
            p++;
            *expected = "nothing behind the ?";
            good = p == end;
        }
    }
    return good;
}

bool gmmu_layout_parse(gmmu_layout *l, const gmmu_column *known, const char *spec, const char **at,
                       const char **expected) {
    memset(l, 0, sizeof *l);
    bool any = false;  // an optional column
    for (const char *p = spec;; p++) {
        const char *end = p + strcspn(p, ",|");
        gmmu_field *f = &l->fields[l->count];
        bool optional = false;
        *at = p;
        if (is(p, end, "...") && l->count != 0 && *end != ',') {
            l->more = true;
            break;
        }
        if (l->count == TABLE_COLUMNS) {
            *expected = "at most 256 columns";
            return false;
        }
        if (!gmmu_layout_item(f, known, p, end, &optional, expected)) {
            return false;
        }
        if (any && !optional) {
            *expected = "a column with ? behind one with ?";
            return false;
        }
        if (f->role < COL_USED && l->has[f->role]) {
            *expected = "one column of that meaning";
            return false;
        }
        if (f->role < COL_USED) {
            l->has[f->role] = true;
        }
        any = optional;
        l->count++;
        l->least += optional ? 0 : 1;
        if (*end != ',') {
            break;
        }
        p = end;
    }
    *at = spec;
    return gmmu_layout_sound(l, expected);
}

bool gmmu_layout_sound(const gmmu_layout *l, const char **expected) {
    if (l->has[COL_SIZE] && (l->has[COL_VPN] || l->has[COL_STORE])) {
        *expected = "a column size beside a column addr alone";
        return false;
    }
    if (l->has[COL_STORE] && (l->has[COL_VPN] || l->has[COL_RW])) {
        *expected = "a column store beside a column addr, and no column rw";
        return false;
    }
    *expected = "either a column page or a column addr";
    return l->has[COL_VPN] != l->has[COL_ADDRESS];
}
