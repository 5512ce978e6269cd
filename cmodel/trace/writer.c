// SPDX-License-Identifier: Apache-2.0
// writer.c: chooses the form in which a trace is written.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "trace/form.h"
#include "trace/hints.h"

gmmu_form gmmu_form_of_path(const char *path) {
    size_t length = strlen(path) - gmmu_pack_ending(path);
    bool gwt = length > 4 && strncmp(path + length - 4, ".gwt", 4) == 0;
    return gwt ? GMMU_FORM_GWT : GMMU_FORM_TEXT;
}

static void dispose(gmmu_writer *w) {
    if (w->form->close != NULL) {
        w->form->close(w->own);
    }
    free(w);
}

gmmu_writer *gmmu_writer_open_as(const char *path, gmmu_form form, const gmmu_about *about,
                                 gmmu_error *err) {
    if (about->page_shift < MIN_SHIFT || about->page_shift > MAX_SHIFT) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found page_shift %u, expected %d to %d", path, about->page_shift,
                       MIN_SHIFT, MAX_SHIFT);
        return NULL;
    }
    const gmmu_form_kind *kind = gmmu_form_kind_of(form);
    if (kind == NULL || kind->writer == NULL) {
        kind = gmmu_form_kind_of(gmmu_form_of_path(path));
    }
    gmmu_writer *w = malloc(sizeof *w);
    if (w == NULL) {
        (void)gmmu_output_fail(err, path, "out of memory");
        return NULL;
    }
    memset(w, 0, offsetof(gmmu_writer, out.buffer));
    if (gmmu_output_open(&w->out, path, err) != GMMU_OK) {
        free(w);
        return NULL;
    }
    w->form = kind->writer;
    if (w->form->start(w, about, err) != GMMU_OK) {
        gmmu_output_discard(&w->out, path);
        dispose(w);
        return NULL;
    }
    return w;
}

gmmu_writer *gmmu_writer_open(const char *path, unsigned page_shift, const char *comment,
                              gmmu_error *err) {
    gmmu_about about = {.page_shift = page_shift, .comment = comment};
    return gmmu_writer_open_as(path, GMMU_FORM_AUTO, &about, err);
}

int gmmu_writer_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    w->hints = 0;
    return w->form->put(w, walk, err);
}

int gmmu_writer_hint(gmmu_writer *w, const gmmu_hint *hint, gmmu_error *err) {
    const char *wrong = NULL;
    if (!gmmu_hint_sound(hint, &wrong)) {
        (void)snprintf(err->text, sizeof err->text, "%.200s: found another hint, expected %s",
                       w->out.name, wrong);
        return GMMU_BAD;
    }
    if (w->hints++ == GMMU_HINTS) {
        w->hints--;
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found more than %d hints, expected a walk behind so many",
                       w->out.name, GMMU_HINTS);
        return GMMU_BAD;
    }
    return w->form->hint(w, hint, err);
}

int gmmu_writer_close(gmmu_writer *w, gmmu_error *err) {
    int status = w->form->finish(w, err);
    status = gmmu_output_close(&w->out, status, err);
    dispose(w);
    return status;
}
