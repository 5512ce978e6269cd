// SPDX-License-Identifier: Apache-2.0
// gwt_header.c: reads the header of a .gwt, with its texts.
#include <stdlib.h>
#include <string.h>

#include "trace/gwt_state.h"

// Reads the header's texts, which are LENGTH bytes, and checks the header's CRC.
static bool texts(gmmu_reader *r, const gwt_crc *crc, const unsigned char *head, gmmu_error *err) {
    size_t length[3];
    static const char *const names[] = {"source", "licence", "comment"};
    const char **to[] = {&r->about.source, &r->about.licence, &r->about.comment};
    size_t all = 0;
    for (size_t i = 0; i < 3; i++) {
        unsigned most = i < 2 ? GWT_TEXT : GWT_COMMENT;
        length[i] = gwt_get32(head + 32 + 4 * i);
        if (length[i] > most) {
            FAIL(err, r->in.file.name, 0, "header: found a %s of %zu bytes, expected at most %u",
                 names[i], length[i], most);
            return false;
        }
        all += length[i];
    }
    char *packed = malloc(all + 1);
    r->texts = malloc(all + 3);
    size_t got = 0;
    bool good = packed != NULL && r->texts != NULL;
    if (!good) {
        FAIL(err, r->in.file.name, 0, "out of memory");
    }
    good = good && gmmu_bytes_fetch(&r->in, packed, all, &got, err);
    if (good && got < all) {
        FAIL(err, r->in.file.name, 0,
             "header: found the end of the file at byte %zu, expected %zu bytes", GWT_HEADER + got,
             GWT_HEADER + all);
        good = false;
    }
    uint32_t found = 0;
    uint32_t stated = gwt_get32(head + 44);
    if (good) {
        found = gwt_crc_add(crc, 0, head, 44);
        found = gwt_crc_add(crc, found, packed, all);
    }
    if (good && gwt_crc_bad(found, stated)) {
        FAIL(err, r->in.file.name, 0, "header: found CRC-32C %08x, expected %08x", found, stated);
        good = false;
    }
    size_t from = 0;
    for (size_t i = 0; good && i < 3; i++) {
        char *text = r->texts + from + i;
        memcpy(text, packed + from, length[i]);
        text[length[i]] = '\0';
        *to[i] = length[i] == 0 ? NULL : text;
        from += length[i];
    }
    free(packed);
    return good;
}

bool gmmu_gwt_header(gmmu_reader *r, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    unsigned char head[GWT_HEADER] = {0};
    size_t got = 0;
    if (!gmmu_bytes_fetch(&r->in, head, sizeof head, &got, err)) {
        return false;
    }
    size_t magic = got < GWT_MAGIC ? got : GWT_MAGIC;
    if (memcmp(head, gwt_magic, magic) != 0) {
        char shown[40];
        gmmu_printable(shown, sizeof shown, (const char *)head, magic, 0x80);
        FAIL(err, r->in.file.name, 0,
             "header: found \"%s\", expected \"\\x89GWT\\x0d\\x0a\\x1a\\x0a\"", shown);
        return false;
    }
    if (got < sizeof head) {
        FAIL(err, r->in.file.name, 0,
             "header: found the end of the file at byte %zu, expected %zu bytes", got, sizeof head);
        return false;
    }
    uint32_t version = gwt_get32(head + 8);
    uint32_t shift = gwt_get32(head + 12);
    if (version != GWT_VERSION) {
        FAIL(err, r->in.file.name, 0, "header: found version %u, expected %d", version,
             GWT_VERSION);
        return false;
    }
    if (!texts(r, &g->crc, head, err)) {
        return false;
    }
    if (shift < MIN_SHIFT || shift > MAX_SHIFT) {
        FAIL(err, r->in.file.name, 0, "header: found page_shift %u, expected %d to %d", shift,
             MIN_SHIFT, MAX_SHIFT);
        return false;
    }
    r->about.page_shift = shift;
    r->about.walks = gwt_get64(head + 16);
    r->about.pages = gwt_get64(head + 24);
    g->data = gmmu_bytes_offset(&r->in);
    return true;
}
