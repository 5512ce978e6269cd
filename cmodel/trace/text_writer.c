// SPDX-License-Identifier: Apache-2.0
// text_writer.c: writes the text form of a walk trace (docs/reference/formats.md, "Walk trace").
//
// Page numbers and references are written in hexadecimal, as they are read everywhere else.
#include "trace/text_writer.h"

#include <string.h>

#include "trace/text_hint.h"

#define NAME(enumerator, name) "#!" #name ",",

// A record's longest form is well below RECORD; a comment line is broken before COMMENT bytes.
enum { RECORD = 128, COMMENT = 1000 };

static void put_text(gmmu_writer *w, const char *text, size_t length) {
    memcpy(w->out.buffer + w->out.used, text, length);
    w->out.used += length;
}

static void put_number(gmmu_writer *w, uint64_t value, unsigned base) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    if (base == 16) {
        digits[--at] = 'x';
        digits[--at] = '0';
    }
    put_text(w, digits + at, sizeof digits - at);
}

static int put_comment(gmmu_writer *w, const char *start, const char *comment, gmmu_error *err) {
    if (comment == NULL) {
        return GMMU_OK;
    }
    while (*comment != '\0') {
        if (w->out.used + COMMENT + RECORD > WRITE_BUFFER &&
            gmmu_output_flush(&w->out, err) != GMMU_OK) {
            return GMMU_BAD;
        }
        size_t length = strcspn(comment, "\r\n");
        length = length > COMMENT ? COMMENT : length;
        put_text(w, start, strlen(start));
        put_text(w, comment, length);
        put_text(w, "\n", 1);
        comment += length;
        comment += *comment == '\r' ? 1 : 0;
        comment += *comment == '\n' ? 1 : 0;
    }
    return GMMU_OK;
}

static int start(gmmu_writer *w, const gmmu_about *about, gmmu_error *err) {
    w->out.used = (size_t)snprintf(w->out.buffer, WRITE_BUFFER, "# gmmu-walk 1 page_shift=%u\n",
                                   about->page_shift);
    int status = put_comment(w, "# source: ", about->source, err);
    status = status == GMMU_OK ? put_comment(w, "# licence: ", about->licence, err) : status;
    return status == GMMU_OK ? put_comment(w, "# ", about->comment, err) : status;
}

static int put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    if (w->out.used + RECORD > WRITE_BUFFER && gmmu_output_flush(&w->out, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    put_number(w, walk->vpn, 16);
    put_text(w, ",", 1);
    put_number(w, walk->ref, 16);
    put_text(w, walk->write ? ",w" : ",r", 2);
    if (walk->sm != 0 || walk->asid != 0 || walk->time != 0) {
        put_text(w, ",", 1);
        put_number(w, walk->sm, 10);
    }
    if (walk->asid != 0 || walk->time != 0) {
        put_text(w, ",", 1);
        put_number(w, walk->asid, 10);
    }
    if (walk->time != 0) {
        put_text(w, ",", 1);
        put_number(w, walk->time, 10);
    }
    put_text(w, "\n", 1);
    return GMMU_OK;
}

// Before the first hint stands the line that says what "#!" means.
static int put_hint(gmmu_writer *w, const gmmu_hint *hint, gmmu_error *err) {
    static const char declared[] = GMMU_TEXT_HINTS "\n";
    static const char *const names[] = {GMMU_HINT_TABLE(NAME)};
    if (w->out.used + RECORD > WRITE_BUFFER && gmmu_output_flush(&w->out, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (!w->declared) {
        put_text(w, declared, sizeof declared - 1);
        w->declared = true;
    }
    put_text(w, names[hint->kind], strlen(names[hint->kind]));
    if (hint->kind != GMMU_HINT_LAUNCH) {
        put_number(w, hint->first, 16);
        put_text(w, ",", 1);
        put_number(w, hint->pages, 10);
    }
    if (hint->kind == GMMU_HINT_ALLOC) {
        put_text(w, ",", 1);
    }
    if (hint->kind != GMMU_HINT_FREE) {
        put_number(w, hint->id, 10);
    }
    if (hint->kind != GMMU_HINT_LAUNCH && hint->asid != 0) {
        put_text(w, ",", 1);
        put_number(w, hint->asid, 10);
    }
    put_text(w, "\n", 1);
    return GMMU_OK;
}

static int finish(gmmu_writer *w, gmmu_error *err) {
    return gmmu_output_flush(&w->out, err);
}

const gmmu_form_writer gmmu_text_writer = {
    .start = start,
    .put = put,
    .hint = put_hint,
    .finish = finish,
};
