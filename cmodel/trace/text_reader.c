// SPDX-License-Identifier: Apache-2.0
// text_reader.c: reads the text form of a walk trace (docs/reference/formats.md, "Walk trace").
//
// A record is parsed straight from the read buffer, which is refilled whenever less than one
// longest line is left in it. Only when that fails is the line looked at again, to say what was
// found and what was expected.
#include <stdio.h>
#include <string.h>

#include "trace/form.h"
#include "trace/message.h"
#include "trace/text_hint.h"
#include "trace/text_line.h"
#include "trace/text_writer.h"

static const char header_mark[] = "# gmmu-walk ";
static const char header_key[] = " page_shift=";
// The header, and what a file of another tool needs: with GUESS the reader's user has --from.
static const char *header_form(const gmmu_import_settings *given) {
    return given->guess
               ? "\"# gmmu-walk 1 page_shift=12\" (forms of other tools: --from, any table: "
                 "--from table)"
               : "\"# gmmu-walk 1 page_shift=12\" (forms of other tools: gmmu trace "
                 "convert)";
}

// Parses a record. On success *at is behind its line end; else *no says what is wrong.
static inline bool record(const gmmu_reader *r, const char **at, gmmu_walk *walk, refusal *no) {
    const char *p = *at;
    uint64_t sm = 0;
    uint64_t asid = 0;
    walk->time = 0;
    FIELD("vpn, a number below 2^64", UINT64_MAX, walk->vpn);
    if (*p != ',') {
        return missing(r, p, "a comma and ref", no);
    }
    p++;
    FIELD("ref, a number below 2^64", UINT64_MAX, walk->ref);
    if (*p != ',') {
        return missing(r, p, "a comma and rw", no);
    }
    no->at = ++p;
    no->expected = "rw, r or w";
    if (*p != 'r' && *p != 'w') {
        return false;
    }
    walk->write = *p++ == 'w';
    if (*p == ',') {
        p++;
        FIELD("sm, a number below 2^32", UINT32_MAX, sm);
    }
    if (*p == ',') {
        p++;
        FIELD("asid, a number below 2^32", UINT32_MAX, asid);
    }
    if (*p == ',') {
        p++;
        FIELD("time, a number below 2^64", UINT64_MAX, walk->time);
        if (*p == ',') {
            no->at = p + 1;
            no->expected = "the end of the line, after at most 6 fields";
            no->why = TRAILING;
            return false;
        }
    }
    walk->sm = (uint32_t)sm;
    walk->asid = (uint32_t)asid;
    *at = p;
    return line_end(r, at);
}

// The number of characters from AT up to the line's end, at most MAX_LINE + 2.
static size_t rest_of_line(const gmmu_reader *r, const char *at) {
    size_t left = (size_t)(r->in.end - at);
    left = left > MAX_LINE + 2 ? MAX_LINE + 2 : left;
    const char *newline = memchr(at, '\n', left);
    size_t length = newline != NULL ? (size_t)(newline - at) : left;
    return newline != NULL && length > 0 && at[length - 1] == '\r' ? length - 1 : length;
}

static int refuse(const gmmu_reader *r, const refusal *no, gmmu_error *err) {
    size_t length = rest_of_line(r, r->in.at);
    if (length > MAX_LINE) {
        FAIL(err, r->in.file.name, r->line,
             "found a line of more than %d bytes, expected a walk record", MAX_LINE);
        return GMMU_BAD;
    }
    size_t rest = rest_of_line(r, no->at);
    const char *comma = no->why == TRAILING ? NULL : memchr(no->at, ',', rest);
    size_t found = comma != NULL ? (size_t)(comma - no->at) : rest;
    char shown[60];
    gmmu_printable(shown, sizeof shown, no->at, found, 0x80);
    if (rest == 0) {
        FAIL(err, r->in.file.name, r->line, "found the end of the line, expected %s", no->expected);
    } else {
        FAIL(err, r->in.file.name, r->line, "found \"%s\", expected %s", shown, no->expected);
    }
    return GMMU_BAD;
}

// Skips a comment or a blank line: true if there was one. *at is then behind it.
static bool skip_line(const gmmu_reader *r, const char **at) {
    const char *p = *at;
    size_t length = rest_of_line(r, p);
    if (length > MAX_LINE || (*p == '#' && memchr(p, '\0', length) != NULL)) {
        return false;
    }
    if (*p == '#') {
        p += length;
    } else {
        p += strspn(p, " \t");
    }
    *at = p;
    return line_end(r, at);
}

// True: AT is the header of a further trace behind this one, of another page size.
static bool other_size(const gmmu_reader *r, const char *at) {
    char same[64];
    const int length = snprintf(same, sizeof same, "%s1%s%u", header_mark, header_key,
                                r->about.page_shift - r->coarser);
    return strncmp(at, header_mark, sizeof header_mark - 1) == 0 &&
           (strncmp(at, same, (size_t)length) != 0 || (at[length] >= '0' && at[length] <= '9'));
}

// Takes a line that declares hints, or is one; *at is then behind it.
static bool take_hint(gmmu_reader *r, const char **at, refusal *no) {
    gmmu_hint hint;
    if (rest_of_line(r, *at) > MAX_LINE) {
        return false;
    }
    if (gmmu_text_declares(*at)) {
        bool good = gmmu_text_declaration(r, at, no);
        r->hints_declared |= good;
        return good;
    }
    if (r->hints.count - gmmu_hint_queue_before(&r->hints, r->walks) >= GMMU_HINTS) {
        *no = (refusal){.why = TRAILING, .at = *at, .expected = "a walk behind so many hints"};
        return false;
    }
    const char *line = *at;
    if (!gmmu_text_hint(r, at, &hint, no)) {
        return false;
    }
    *no = (refusal){.why = TRAILING, .at = line, .expected = "memory for the hint"};
    return gmmu_hint_queue_add(&r->hints, &hint);
}

static int next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err) {
    for (;;) {
        if (!gmmu_bytes_ready(&r->in, err)) {
            return GMMU_BAD;
        }
        const char *at = r->in.at;
        if (at == r->in.end) {
            return GMMU_END;
        }
        r->line++;
        refusal no = {.why = WRONG};
        if (record(r, &at, walk, &no) &&
            (at - r->in.at <= MAX_LINE || rest_of_line(r, r->in.at) <= MAX_LINE)) {
            r->in.at = at;
            return GMMU_OK;
        }
        at = r->in.at;
        if (at[0] == '#' && at[1] == '!' && (r->hints_declared || gmmu_text_declares(at))) {
            if (!take_hint(r, &at, &no)) {
                return refuse(r, &no, err);
            }
            r->in.at = at;
            continue;
        }
        if (other_size(r, at)) {
            no = (refusal){.why = TRAILING,
                           .at = at,
                           .expected = "the page_shift of the first line, if a trace follows"};
            return refuse(r, &no, err);
        }
        if (!skip_line(r, &at)) {
            if (*r->in.at == '#') {
                no =
                    (refusal){.why = TRAILING, .at = r->in.at, .expected = "a comment without NUL"};
            }
            return refuse(r, &no, err);
        }
        r->in.at = at;
    }
}

// Keeps the comment lines that follow the header and end within the first MAX_LINE bytes.
static bool keep_comment(gmmu_reader *r, const char *at, gmmu_error *err) {
    const char *end = r->in.end - r->in.buffer > MAX_LINE ? r->in.buffer + MAX_LINE : r->in.end;
    char text[MAX_LINE];
    size_t used = 0;
    while (at < end && *at == '#' && !gmmu_text_declares(at)) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL) {
            break;
        }
        const char *from = at + (at[1] == ' ' ? 2 : 1);
        size_t length = (size_t)(newline - from);
        length -= length > 0 && from[length - 1] == '\r' ? 1 : 0;
        if (memchr(from, '\0', length) != NULL) {
            break;
        }
        memcpy(text + used, from, length);
        used += length;
        text[used++] = '\n';
        at = newline + 1;
    }
    if (used == 0) {
        return true;
    }
    r->texts = strndup(text, used - 1);
    if (r->texts == NULL) {
        FAIL(err, r->in.file.name, 0, "out of memory");
        return false;
    }
    r->about.comment = r->texts;
    return true;
}

static bool header(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    if (!gmmu_bytes_ready(&r->in, err)) {
        return false;
    }
    if (r->in.at == r->in.end) {
        FAIL(err, r->in.file.name, 1, "found the end of the file, expected %s", header_form(given));
        return false;
    }
    r->line = 1;
    size_t length = rest_of_line(r, r->in.at);
    char shown[80];
    gmmu_printable(shown, sizeof shown, r->in.at, length, 0x80);
    const char *p = r->in.at;
    uint64_t version = 0;
    uint64_t shift = 0;
    if (length > MAX_LINE || strncmp(p, header_mark, sizeof header_mark - 1) != 0) {
        FAIL(err, r->in.file.name, 1, "found \"%s\", expected %s", shown, header_form(given));
        return false;
    }
    p += sizeof header_mark - 1;
    if (number(&p, UINT32_MAX, &version) != FINE || version != 1) {
        FAIL(err, r->in.file.name, 1, "found \"%s\", expected format version 1", shown);
        return false;
    }
    if (strncmp(p, header_key, sizeof header_key - 1) != 0) {
        FAIL(err, r->in.file.name, 1, "found \"%s\", expected %s", shown, header_form(given));
        return false;
    }
    p += sizeof header_key - 1;
    if (number(&p, MAX_SHIFT, &shift) != FINE || shift < MIN_SHIFT || !line_end(r, &p)) {
        FAIL(err, r->in.file.name, 1,
             "found \"%s\", expected a page_shift of %d to %d at the line's end", shown, MIN_SHIFT,
             MAX_SHIFT);
        return false;
    }
    r->about.page_shift = (unsigned)shift;
    r->in.at = p;
    return keep_comment(r, p, err);
}

static void skip(gmmu_reader *r) {
    gmmu_bytes_skip_line(&r->in);
}

const gmmu_form_kind gmmu_form_text = {
    .name = "text",
    .writer = &gmmu_text_writer,
    .open = header,
    .next = next,
    .skip = skip,
};
