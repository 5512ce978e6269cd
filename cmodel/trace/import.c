// SPDX-License-Identifier: Apache-2.0
// import.c: see import.h.
#include "trace/import.h"

#include <stdlib.h>
#include <string.h>

#include "trace/message.h"

void gmmu_import_skip(gmmu_import *m, const char *what, const char *name) {
    char text[sizeof m->skipped[0].what];
    (void)snprintf(text, sizeof text, "%s%s%s", what, *name == '\0' ? "" : " ", name);
    gmmu_import_skip_many(m, text, 1);
}

void gmmu_import_skip_many(gmmu_import *m, const char *what, uint64_t count) {
    char text[sizeof m->skipped[0].what];
    (void)snprintf(text, sizeof text, "%s", what);
    size_t i = 0;
    while (i < m->reasons && strcmp(m->skipped[i].what, text) != 0) {
        i++;
    }
    if (i == IMPORT_REASONS) {
        i--;
        (void)snprintf(m->skipped[i].what, sizeof text, "other records");
    } else if (i == m->reasons) {
        memcpy(m->skipped[i].what, text, sizeof text);
        m->reasons++;
    }
    m->skipped[i].count += count;
}

uint64_t gmmu_import_skipped(const gmmu_reader *r, size_t reason, const char **what) {
    const gmmu_import *m = r->own;
    if (reason >= m->reasons) {
        return 0;
    }
    *what = m->skipped[reason].what;
    return m->skipped[reason].count;
}

const char *gmmu_import_note(const gmmu_reader *r) {
    const gmmu_import *m = r->own;
    return m->how->note == NULL ? NULL : m->how->note(m->form);
}

void gmmu_import_close(void *own) {
    gmmu_import *m = own;
    if (m != NULL) {
        if (m->how->free != NULL) {
            m->how->free(m->form);
        }
        free(m->form);
        free(m);
    }
}

bool gmmu_import_open(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    const gmmu_importer *how = r->kind->how;
    unsigned shift = given->page_shift != 0 ? given->page_shift : how->shift;
    if (shift < MIN_SHIFT || shift > MAX_SHIFT) {
        FAIL(err, r->in.file.name, 0, "found page_shift %u, expected %d to %d", shift, MIN_SHIFT,
             MAX_SHIFT);
        return false;
    }
    gmmu_import *m = r->own = calloc(1, sizeof *m);
    if (m == NULL) {
        FAIL(err, r->in.file.name, 0, "out of memory");
        return false;
    }
    m->how = how;
    m->shift = shift;
    if (r->in.at == r->in.end) {
        FAIL(err, r->in.file.name, 0, "found the end of the file, expected a trace in the form %s",
             r->kind->name);
        return false;
    }
    m->form = how->size == 0 ? NULL : calloc(1, how->size);
    if (how->size != 0 && m->form == NULL) {
        FAIL(err, r->in.file.name, 0, "out of memory");
        return false;
    }
    bool good = how->start == NULL || how->start(r, given, err);
    r->about.page_shift = m->shift;
    return good;
}

void gmmu_import_range(gmmu_import *m, uint64_t address, uint64_t size, gmmu_walk walk) {
    uint64_t last = address > UINT64_MAX - (size - 1) ? UINT64_MAX : address + (size - 1);
    walk.vpn = address >> m->shift;
    m->range = (import_range){.open = true, .walk = walk, .last = last >> m->shift};
}

void gmmu_import_repeat(gmmu_import *m, uint64_t count, gmmu_walk walk) {
    m->range = (import_range){.open = true, .walk = walk, .repeats = count};
}

bool gmmu_import_hint(gmmu_reader *r, gmmu_hint hint) {
    gmmu_import *m = r->own;
    hint.walk = r->walks + m->count;
    if (r->hints.count - gmmu_hint_queue_before(&r->hints, hint.walk) >= GMMU_HINTS) {
        gmmu_import_skip(m, "hints", "");
        return true;
    }
    return gmmu_hint_queue_add(&r->hints, &hint);
}

// Adds the page of VPN, unless the record has it already. There is room for two pages a lane.
static void add_page(gmmu_import *m, uint64_t vpn, uint64_t ref, bool write) {
    for (size_t i = 0; i < m->count; i++) {
        if (m->walks[i].vpn == vpn) {
            return;
        }
    }
    m->walks[m->count++] = (gmmu_walk){.vpn = vpn, .ref = ref, .write = write};
}

void gmmu_import_access(gmmu_import *m, uint64_t address, uint64_t size, uint64_t ref, bool write) {
    uint64_t more = size == 0 ? 0 : size - 1;
    // it does not wrap at the end of the memory
    uint64_t last = address > UINT64_MAX - more ? UINT64_MAX : address + more;
    add_page(m, address >> m->shift, ref, write);
    add_page(m, last >> m->shift, ref, write);
}

int gmmu_import_refuse(gmmu_reader *r, const refusal *no, gmmu_error *err) {
    gmmu_import *m = r->own;
    char shown[60];
    m->count = 0;
    m->range.open = false;
    gmmu_printable(shown, sizeof shown, no->at, strlen(no->at), 0x80);
    FAIL(err, r->in.file.name, r->line, "found \"%s\", expected %s", shown, no->expected);
    return GMMU_BAD;
}

bool gmmu_import_measure(gmmu_reader *r, size_t longest, size_t *length, size_t *whole,
                         gmmu_error *err) {
    const char *at = r->in.at;
    size_t left = (size_t)(r->in.end - at);
    left = left > longest + 2 ? longest + 2 : left;
    const char *newline = memchr(at, '\n', left);
    *length = newline != NULL ? (size_t)(newline - at) : left;
    *whole = *length + (newline != NULL ? 1 : 0);
    *length -= *length > 0 && at[*length - 1] == '\r' ? 1 : 0;
    if (*length > longest) {
        FAIL(err, r->in.file.name, r->line,
             "found a line of more than %zu bytes, expected a record of %s", longest,
             r->kind->name);
    }
    return *length <= longest;
}

int gmmu_import_line(gmmu_reader *r, char *line, size_t *whole, gmmu_error *err) {
    size_t length = 0;
    if (!gmmu_bytes_ready(&r->in, err)) {
        return GMMU_BAD;
    }
    if (r->in.at == r->in.end) {
        return GMMU_END;
    }
    r->line++;
    const size_t left = (size_t)(r->in.end - r->in.at);
    if (gmmu_import_of(r)->how->long_lines && left > MAX_LINE &&
        memchr(r->in.at, '\n', MAX_LINE + 1) == NULL) {
        length = MAX_LINE;
        *whole = 0;  // gmmu_import_record skips the line
    } else if (!gmmu_import_measure(r, MAX_LINE, &length, whole, err)) {
        return GMMU_BAD;
    }
    memcpy(line, r->in.at, length);
    line[length] = '\0';
    refusal no = {.at = line, .expected = "a line without NUL"};
    return memchr(line, '\0', length) == NULL ? GMMU_OK : gmmu_import_refuse(r, &no, err);
}

int gmmu_import_record(gmmu_reader *r, gmmu_error *err) {
    char line[MAX_LINE + 1];
    size_t whole = 0;
    const gmmu_importer *how = gmmu_import_of(r)->how;
    refusal no = {.at = "", .expected = ""};
    int status = gmmu_import_line(r, line, &whole, err);
    if (status == GMMU_END && how->end != NULL && !how->end(r->own, &no)) {
        r->in.stuck = true;
        return gmmu_import_refuse(r, &no, err);
    }
    if (status != GMMU_OK) {
        return status;
    }
    no.at = line;
    if (!how->line(r, line, &no)) {
        return gmmu_import_refuse(r, &no, err);
    }
    r->in.at += whole;
    if (whole == 0) {
        gmmu_bytes_skip_line(&r->in);
    }
    return GMMU_OK;
}

int gmmu_import_fixed(gmmu_reader *r, unsigned char *record, size_t size, gmmu_error *err) {
    size_t got = 0;
    const uint64_t offset = gmmu_bytes_offset(&r->in);
    if (!gmmu_bytes_fetch(&r->in, record, size, &got, err)) {
        return GMMU_BAD;
    }
    if (got == 0) {
        return GMMU_END;
    }
    r->line++;
    if (got < size) {
        FAIL(err, r->in.file.name, 0, "record %llu at byte %llu: found %zu bytes, expected %zu",
             (unsigned long long)r->line, (unsigned long long)offset, got, size);
        r->in.stuck = true;
        return GMMU_BAD;
    }
    return GMMU_OK;
}

int gmmu_import_refuse_fixed(gmmu_reader *r, size_t size, const char *found, const char *expected,
                             gmmu_error *err) {
    FAIL(err, r->in.file.name, 0, "record %llu at byte %llu: found %s, expected %s",
         (unsigned long long)r->line, (unsigned long long)(gmmu_bytes_offset(&r->in) - size), found,
         expected);
    r->in.stuck = true;
    return GMMU_BAD;
}

void gmmu_import_skip_line(gmmu_reader *r) {
    gmmu_bytes_skip_line(&r->in);
}

// The next walks of the range of pages that is being given.
static void fill_range(gmmu_import *m) {
    import_range *g = &m->range;
    while (g->open && m->count < IMPORT_WALKS) {
        m->walks[m->count++] = g->walk;
        g->open = g->repeats != 0 ? --g->repeats != 0 : g->walk.vpn++ < g->last;
    }
}

int gmmu_import_fill(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    int status = GMMU_OK;
    m->count = 0;
    for (;;) {
        fill_range(m);
        if (m->how->more != NULL) {
            m->how->more(m);
        }
        if (m->count != 0 || status != GMMU_OK) {
            break;
        }
        status = m->how->record(r, err);
    }
    r->next = m->walks;
    r->last = m->walks + m->count;
    return m->count != 0 ? GMMU_OK : status;
}
