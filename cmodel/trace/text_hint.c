// SPDX-License-Identifier: Apache-2.0
// text_hint.c: see text_hint.h.
#include "trace/text_hint.h"

#include <string.h>

#include "trace/hints.h"

#define NAME(enumerator, name) "#!" #name,
static const char *const names[GMMU_HINT_KINDS] = {GMMU_HINT_TABLE(NAME)};
#undef NAME

bool gmmu_text_declares(const char *p) {
    return strncmp(p, GMMU_TEXT_HINTS, sizeof GMMU_TEXT_HINTS - 2) == 0;
}

bool gmmu_text_declaration(const gmmu_reader *r, const char **at, refusal *no) {
    const char *p = *at + sizeof GMMU_TEXT_HINTS - 2;
    uint64_t version = 0;
    *no = (refusal){.why = WRONG, .at = p, .expected = "version 1 of hints"};
    if (number(&p, UINT64_MAX, &version) != FINE || version != 1 || !line_end(r, &p)) {
        return false;
    }
    *at = p;
    return true;
}

// Takes NAME off *AT.
static bool word(const char **at, const char *name) {
    size_t length = strlen(name);
    if (strncmp(*at, name, length) != 0) {
        return false;
    }
    *at += length;
    return true;
}

// The fields of a hint whose kind is known; P is behind the kind.
static bool fields(const gmmu_reader *r, const char *p, const char **end, gmmu_hint *hint,
                   refusal *no) {
    uint64_t asid = 0;
    if (*p != ',') {
        return missing(r, p,
                       hint->kind == GMMU_HINT_LAUNCH ? "a comma and id" : "a comma and first", no);
    }
    p++;
    if (hint->kind == GMMU_HINT_LAUNCH) {
        FIELD("id, a number below 2^64", UINT64_MAX, hint->id);
    } else {
        FIELD("first, a number below 2^64", UINT64_MAX, hint->first);
        if (*p != ',') {
            return missing(r, p, "a comma and pages", no);
        }
        p++;
        const char *pages = p;
        FIELD("pages, a number below 2^64", UINT64_MAX, hint->pages);
        if (!gmmu_hint_sound(hint, &no->expected)) {
            no->at = pages;
            return false;
        }
        if (hint->kind == GMMU_HINT_ALLOC) {
            if (*p != ',') {
                return missing(r, p, "a comma and id", no);
            }
            p++;
            FIELD("id, a number below 2^64", UINT64_MAX, hint->id);
        }
        if (*p == ',') {
            p++;
            FIELD("asid, a number below 2^32", UINT32_MAX, asid);
            hint->asid = (uint32_t)asid;
        }
    }
    if (*p == ',') {
        *no = (refusal){.why = TRAILING, .at = p + 1, .expected = "the end of the hint"};
        return false;
    }
    *end = p;
    return line_end(r, end);
}

bool gmmu_text_hint(const gmmu_reader *r, const char **at, gmmu_hint *hint, refusal *no) {
    *hint = (gmmu_hint){.walk = r->walks};
    *no = (refusal){.why = WRONG, .at = *at, .expected = "#!launch, #!alloc or #!free"};
    for (unsigned k = 0; k < GMMU_HINT_KINDS; k++) {
        const char *p = *at;
        if (word(&p, names[k])) {
            hint->kind = (gmmu_hint_kind)k;
            return fields(r, p, at, hint, no);
        }
    }
    return false;
}
