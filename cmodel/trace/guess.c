// SPDX-License-Identifier: Apache-2.0
// guess.c: see guess.h.
//
// A form fits if its reader takes all lines or records at the input's begin, and at least one of
// them is a walk. A form with a doubt about these counts only if no other form fits.
#include "trace/guess.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/import.h"
#include "trace/message.h"

enum { LOOK_AT = 1 << 18, WALKS = 1 << 12 };

typedef enum { NO, DOUBTFUL, YES } fit;

// The text form whose reader went farthest before it refused a line.
typedef struct {
    const gmmu_form_kind *kind;  // NULL: no reader took a header or a walk
    uint64_t went;               // walks, twice, and 1 for a header
    gmmu_error err;              // what it refused
} nearest;

// A reader of KIND, of the first bytes of R. *CUT: R has more.
static void prepare(gmmu_reader *probe, const gmmu_reader *r, const gmmu_form_kind *kind,
                    bool *cut) {
    size_t size = (size_t)(r->in.end - r->in.at);
    memset(probe, 0, offsetof(gmmu_reader, in.buffer));
    *cut = !r->in.ended || size > LOOK_AT;
    size = size > LOOK_AT ? LOOK_AT : size;
    while (*cut && !kind->binary && size > 0 && r->in.at[size - 1] != '\n') {
        size--;
    }
    memcpy(probe->in.buffer, r->in.at, size);
    probe->in.buffer[size] = '\0';
    probe->kind = kind;
    probe->probe = true;
    probe->in.file = (gmmu_file){.fd = -1, .name = r->in.file.name};
    probe->in.at = probe->in.buffer;
    probe->in.end = probe->in.buffer + size;
    probe->in.read = size;
    probe->in.ended = true;
}

static void end(gmmu_reader *probe) {
    if (probe->kind->close != NULL) {
        probe->kind->close(probe->own);
    }
    gmmu_hint_queue_free(&probe->hints);
    free(probe->texts);
}

// *MEMORY: there was none, which says nothing of the form. *DOUBT: why the form may be another.
static fit fits(gmmu_reader *probe, const gmmu_reader *r, const gmmu_form_kind *kind, bool *memory,
                const char **doubt, nearest *near) {
    static const gmmu_import_settings settings = {0};
    gmmu_error err;
    bool cut = false;
    prepare(probe, r, kind, &cut);
    errno = 0;
    bool good = kind->open(probe, &settings, &err);
    const bool header = probe->near || (good && probe->line != 0);
    int status = good ? GMMU_OK : GMMU_BAD;
    while (status == GMMU_OK && probe->walks < WALKS) {
        gmmu_hint_queue_drop(&probe->hints, probe->hints.count);
        status = kind->fill(probe, &err);
        probe->walks += status == GMMU_OK ? (uint64_t)(probe->last - probe->next) : 0;
    }
    // what is missing at the end may follow
    good = good && (status != GMMU_BAD || (cut && probe->in.at == probe->in.end)) &&
           (probe->walks != 0 || kind->others);
    *memory = !good && errno == ENOMEM;
    const uint64_t went = 2 * probe->walks + (header ? 1 : 0);
    if (!good && status == GMMU_BAD && !kind->binary && !kind->vague && went > near->went) {
        *near = (nearest){.kind = kind, .went = went, .err = err};
    }
    *doubt = good && kind->doubt != NULL ? kind->doubt(probe) : NULL;
    end(probe);
    return !good ? NO : *doubt == NULL ? YES : DOUBTFUL;
}

// Adds NAME to the candidates in TEXT, with the DOUBT if there is one.
static void add(char *text, size_t size, const char *name, const char *doubt) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, doubt == NULL ? "%s%s" : "%s%s (%s)",
                   used == 0 ? "" : ", ", name, doubt);
}

bool gmmu_guess(gmmu_reader *r, gmmu_error *err) {
    gmmu_reader *probe = malloc(sizeof *probe);
    char candidates[240] = "";
    char doubtful[240] = "";
    size_t count = 0;
    bool memory = probe == NULL;
    nearest near = {.kind = NULL};
    r->kind = NULL;
    for (gmmu_form form = GMMU_FORM_ACCELSIM; form < GMMU_FORMS && !memory; form++) {
        const gmmu_form_kind *kind = gmmu_form_kind_of(form);
        const char *doubt = NULL;
        if (form == GMMU_FORM_TABLE) {
            continue;
        }
        switch (fits(probe, r, kind, &memory, &doubt, &near)) {
            case YES:
                add(candidates, sizeof candidates, kind->name, NULL);
                r->kind = kind;
                count++;
                break;
            case DOUBTFUL:
                add(doubtful, sizeof doubtful, kind->name, doubt);
                break;
            case NO:
                break;
        }
    }
    free(probe);
    if (memory) {
        FAIL(err, r->in.file.name, 0, "out of memory");
        return false;
    }
    if (count > 1 || (count == 1 && r->kind->vague) || (count == 0 && *doubtful != '\0')) {
        FAIL(err, r->in.file.name, 0,
             "found what may be of the form %s, expected --from and the form",
             count == 0 ? doubtful : candidates);
        return false;
    }
    if (count == 0 && near.kind != NULL) {
        (void)snprintf(err->text, sizeof err->text, "%.*s (with --from %s, the form nearest)",
                       (int)(sizeof err->text - 64), near.err.text, near.kind->name);
        return false;
    }
    return true;
}
