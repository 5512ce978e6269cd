// SPDX-License-Identifier: Apache-2.0
// reader.c: chooses the form of a trace, and hands its walks out.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "trace/form.h"
#include "trace/guess.h"
#include "trace/magic.h"
#include "trace/message.h"

// The form by the first byte; text, if that byte is no other's.
static const gmmu_form_kind *by_content(const gmmu_bytes *in) {
    for (gmmu_form form = GMMU_FORM_AUTO; in->at < in->end && form < GMMU_FORMS; form++) {
        const gmmu_form_kind *kind = gmmu_form_kind_of(form);
        if (kind != NULL && kind->first != 0 && (unsigned char)*in->at == kind->first) {
            return kind;
        }
    }
    return &gmmu_form_text;
}

// Refuses what the first bytes say to be no trace of the form r->kind; NULL: any of our own.
static bool refuse_foreign(const gmmu_reader *r, gmmu_error *err) {
    const gmmu_magic *is = gmmu_magic_find(r->in.at, (size_t)(r->in.end - r->in.at));
    if (is == NULL || (is->weak && r->kind != NULL && r->kind->binary) ||
        (is->own && (r->kind == NULL || r->kind->how == NULL))) {
        return true;
    }
    FAIL(err, r->in.file.name, 0,
         "found %s by the first bytes, expected a trace of the form %s%s%s", is->name,
         r->kind == NULL ? "text or gwt" : r->kind->name, is->way == NULL ? "" : ": ",
         is->way == NULL ? "" : is->way);
    return false;
}

// True: the first bytes are those of a walk trace, or there are none.
static bool is_own(const gmmu_bytes *in) {
    static const char text[] = "# gmmu-walk";
    const size_t size = (size_t)(in->end - in->at);
    return size == 0 || by_content(in) != &gmmu_form_text ||
           (size >= sizeof text - 1 && memcmp(in->at, text, sizeof text - 1) == 0);
}

// Goes behind the byte order mark with which editors begin a text.
static void skip_mark(gmmu_bytes *in) {
    if (in->end - in->at >= 3 && memcmp(in->at, "\xef\xbb\xbf", 3) == 0) {
        in->at += 3;
    }
}

static bool open_form(gmmu_reader *r, const char *path, const gmmu_import_settings *settings,
                      gmmu_error *err) {
    if (!gmmu_bytes_open(&r->in, path, err) || !gmmu_bytes_ready(&r->in, err)) {
        return false;
    }
    if (!gmmu_bytes_unpack(&r->in, err) || !refuse_foreign(r, err)) {
        return false;
    }
    if (r->kind == NULL || !r->kind->binary) {
        skip_mark(&r->in);
    }
    if (r->kind == NULL && settings->guess && !is_own(&r->in) && !gmmu_guess(r, err)) {
        return false;
    }
    if (r->kind == NULL) {
        r->kind = by_content(&r->in);
    }
    r->identities = r->kind->identities;
    if (settings->renumber || r->kind->any_number) {
        r->renumber = gmmu_renumber_create();
        r->hints.launches_only = true;  // ranges of pages have no meaning any more
        if (r->renumber == NULL) {
            FAIL(err, path, 0, "out of memory");
            return false;
        }
    }
    return r->kind->open(r, settings, err);
}

gmmu_reader *gmmu_reader_open_import(const char *path, gmmu_form form,
                                     const gmmu_import_settings *settings, gmmu_error *err) {
    gmmu_reader *r = malloc(sizeof *r);
    if (r == NULL) {
        FAIL(err, path, 0, "out of memory");
        return NULL;
    }
    memset(r, 0, offsetof(gmmu_reader, in.buffer));
    r->kind = gmmu_form_kind_of(form);
    r->about.walks = r->about.pages = GMMU_UNKNOWN;
    if (!open_form(r, path, settings, err)) {
        gmmu_reader_close(r);
        return NULL;
    }
    return r;
}

gmmu_reader *gmmu_reader_open_as(const char *path, gmmu_form form, unsigned page_shift,
                                 gmmu_error *err) {
    gmmu_import_settings settings = {.page_shift = page_shift};
    return gmmu_reader_open_import(path, form, &settings, err);
}

gmmu_reader *gmmu_reader_open(const char *path, gmmu_error *err) {
    return gmmu_reader_open_as(path, GMMU_FORM_AUTO, 0, err);
}

// The line of the walk given last, of a form whose `fill` may have read further.
static void set_line(gmmu_reader *r) {
    r->line = r->kind->blocks || r->kind->records ? r->walks : r->line;
}

// The next walk; hints stay.
static int next_walk(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err) {
    if (r->kind->next != NULL) {
        int status = r->kind->next(r, walk, err);
        r->walks += status == GMMU_OK ? 1 : 0;
        return status;
    }
    if (r->next == r->last) {
        int status = r->kind->fill(r, err);
        if (status != GMMU_OK) {
            return status;
        }
    }
    *walk = *r->next++;
    r->walks++;
    set_line(r);
    return GMMU_OK;
}

// Drops the hints that were there after the last call.
static inline void drop_hints(gmmu_reader *r) {
    if (r->hints.count != 0) {
        gmmu_hint_queue_drop(
            &r->hints, r->ended ? r->hints.count : gmmu_hint_queue_before(&r->hints, r->walks));
    }
}

const gmmu_hint *gmmu_reader_hints(const gmmu_reader *r, size_t *count) {
    *count = r->ended ? r->hints.count : gmmu_hint_queue_before(&r->hints, r->walks);
    return *count == 0 ? NULL : r->hints.items + r->hints.at;
}

int gmmu_reader_coarsen(gmmu_reader *r, unsigned page_shift, gmmu_error *err) {
    if (r->identities || r->renumber != NULL) {
        FAIL(err, r->in.file.name, 0, "found pages %s, expected no other page size (form %s)",
             r->identities ? "without addresses" : "that get numbers", r->kind->name);
        return GMMU_BAD;
    }
    if (page_shift < r->about.page_shift || page_shift > MAX_SHIFT) {
        FAIL(
            err, r->in.file.name, 0,
            "found pages of %llu bytes asked for, expected a power of two from the trace's %llu to "
            "%llu",
            1ULL << page_shift, 1ULL << r->about.page_shift, 1ULL << MAX_SHIFT);
        return GMMU_BAD;
    }
    const unsigned bits = page_shift - r->about.page_shift;
    r->coarser += bits;
    gmmu_hint_queue_coarsen(&r->hints, bits);
    r->about.page_shift = page_shift;
    r->about.pages = bits == 0 ? r->about.pages : GMMU_UNKNOWN;
    return GMMU_OK;
}

// Numbers the pages of COUNT walks; GMMU_BAD: of *COUNT alone.
static int renumber(gmmu_reader *r, gmmu_walk *walks, size_t *count, gmmu_error *err) {
    const size_t done = gmmu_renumber_walks(r->renumber, walks, *count);
    if (done == *count) {
        return GMMU_OK;
    }
    *count = done;
    r->in.stuck = true;
    FAIL(err, r->in.file.name, 0, "found no memory left, expected some for the numbers of pages");
    return GMMU_BAD;
}

int gmmu_reader_next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err) {
    size_t one = 1;
    drop_hints(r);
    int status = next_walk(r, walk, err);
    if (status == GMMU_OK && r->renumber != NULL) {
        status = renumber(r, walk, &one, err);
    }
    if (status == GMMU_OK) {
        walk->vpn >>= r->coarser;
    }
    r->ended = status == GMMU_END;
    return status;
}

// Adds walks that are at hand to the *COUNT at OWN, up to MOST.
static void take_more(gmmu_reader *r, gmmu_walk *own, size_t *count, size_t most) {
    const size_t left = (size_t)(r->last - r->next);
    size_t more = left < most - *count ? left : most - *count;
    memcpy(own + *count, r->next, more * sizeof *own);
    r->next += more;
    r->walks += more;
    *count += more;
    if (r->kind->take != NULL && r->next == r->last) {
        more = r->kind->take(r, own + *count, most - *count);
        r->walks += more;
        *count += more;
    }
    set_line(r);
}

// Fills OWN with up to *COUNT walks, one after the other; fewer, if there are many hints.
static int next_walks(gmmu_reader *r, gmmu_walk *own, size_t *count, gmmu_error *err) {
    size_t most = *count;
    int status = GMMU_OK;
    *count = 0;
    do {
        status = next_walk(r, &own[*count], err);
        *count += status == GMMU_OK ? 1 : 0;
        if (status == GMMU_OK && r->kind->records) {
            take_more(r, own, count, most);
        }
    } while (status == GMMU_OK && *count < most && r->hints.count <= GMMU_HINTS);
    return status;
}

static int next_batch(gmmu_reader *r, gmmu_walk *own, const gmmu_walk **walks, size_t *count,
                      gmmu_error *err) {
    size_t most = *count;
    drop_hints(r);
    if (!r->kind->blocks || r->next == r->last) {
        // A walk read alone also reads the next block.
        *walks = own;
        *count = r->kind->blocks ? 1 : most;
        int status = next_walks(r, own, count, err);
        r->ended = status == GMMU_END;
        return status;
    }
    size_t left = (size_t)(r->last - r->next);
    *count = left < most ? left : most;
    *walks = r->next;
    r->next += *count;
    r->walks += *count;
    r->line = r->walks;
    return GMMU_OK;
}

int gmmu_reader_batch(gmmu_reader *r, gmmu_walk *own, const gmmu_walk **walks, size_t *count,
                      gmmu_error *err) {
    int status = next_batch(r, own, walks, count, err);
    if (r->renumber != NULL) {
        if (*walks != own && *count != 0) {
            memcpy(own, *walks, *count * sizeof *own);
            *walks = own;
        }
        gmmu_error more;
        if (renumber(r, own, count, &more) != GMMU_OK) {
            *err = more;
            status = GMMU_BAD;
        }
    }
    if (r->coarser != 0) {
        for (size_t i = 0; i < *count; i++) {
            own[i] = (*walks)[i];
            own[i].vpn >>= r->coarser;
        }
        *walks = own;
    }
    return status;
}

int gmmu_reader_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err) {
    // numbers depend on all walks before
    if (r->kind->seek != NULL && r->renumber == NULL && gmmu_bytes_seekable(&r->in)) {
        gmmu_hint_queue_drop(&r->hints, r->hints.count);
        int status = r->kind->seek(r, walk, err);
        if (status != GMMU_OK) {
            return status;
        }
    }
    if (walk < r->walks) {
        FAIL(err, r->in.file.name, 0,
             "found a way back to walk %llu from walk %llu, expected a .gwt file",
             (unsigned long long)walk, (unsigned long long)r->walks);
        return GMMU_BAD;
    }
    gmmu_walk ignored;
    int status = GMMU_OK;
    while (status == GMMU_OK && r->walks < walk) {
        status = gmmu_reader_next(r, &ignored, err);
    }
    return status == GMMU_BAD ? GMMU_BAD : GMMU_OK;
}

bool gmmu_reader_recover(gmmu_reader *r) {
    if (r->in.stuck) {
        bool known = r->about.walks != GMMU_UNKNOWN;
        uint64_t rest = known && r->about.walks > r->walks ? r->about.walks - r->walks : 0;
        r->loss.walks += rest;
        r->walks += rest;
        r->loss.rest = !known;
        return false;
    }
    if (r->kind->skip != NULL) {
        r->kind->skip(r);
        r->loss.lines++;
    }
    return true;
}

gmmu_loss gmmu_reader_loss(const gmmu_reader *r) {
    return r->loss;
}

uint64_t gmmu_reader_skipped(const gmmu_reader *r, size_t reason, const char **what) {
    return r->kind->skipped == NULL ? 0 : r->kind->skipped(r, reason, what);
}

bool gmmu_reader_unended(const gmmu_reader *r) {
    return r->ended && !r->kind->binary && !r->kind->blocks && r->in.at == r->in.end &&
           r->in.end > r->in.buffer && r->in.end[-1] != '\n';
}

const char *gmmu_reader_note(const gmmu_reader *r) {
    return r->kind->note == NULL ? NULL : r->kind->note(r);
}

gmmu_form gmmu_reader_form(const gmmu_reader *r) {
    gmmu_form form = GMMU_FORM_TEXT;
    while (gmmu_form_kind_of(form) != r->kind) {
        form++;
    }
    return form;
}

unsigned gmmu_reader_page_shift(const gmmu_reader *r) {
    return r->about.page_shift;
}

const gmmu_about *gmmu_reader_about(const gmmu_reader *r) {
    return &r->about;
}

uint64_t gmmu_reader_line(const gmmu_reader *r) {
    return r->line;
}

void gmmu_reader_progress(const gmmu_reader *r, uint64_t *done, uint64_t *total) {
    *done = gmmu_bytes_used(&r->in);
    *total = r->in.file.size;
}

void gmmu_reader_close(gmmu_reader *r) {
    if (r != NULL) {
        if (r->kind != NULL && r->kind->close != NULL) {
            r->kind->close(r->own);
        }
        gmmu_hint_queue_free(&r->hints);
        gmmu_renumber_free(r->renumber);
        gmmu_bytes_close(&r->in);
        free(r->texts);
        free(r);
    }
}
