// SPDX-License-Identifier: Apache-2.0
// reader.c: opens a trace of any form, buffers the input, and hands the walks out.
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const form_names[GMMU_FORMS] = {"auto",   "text",           "gwt", "accelsim",
                                                   "lackey", "oracle-general", "csv", "uvm-csv",
                                                   "g10",    "mooncake"};

const char *gmmu_form_name(gmmu_form form) {
    return form < GMMU_FORMS ? form_names[form] : "";
}

gmmu_form gmmu_form_find(const char *name) {
    gmmu_form form = GMMU_FORM_AUTO;
    while (form < GMMU_FORMS && strcmp(name, form_names[form]) != 0) {
        form++;
    }
    return form;
}

void gmmu_reader_printable(char *to, size_t size, const char *from, size_t length, unsigned limit) {
    static const char hex[] = "0123456789abcdef";
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)from[i];
        if (n + 8 > size) {
            memcpy(to + n, "…", sizeof "…");
            return;
        }
        if (c < 0x20 || c == 0x7f || c >= limit) {
            to[n++] = '\\';
            to[n++] = 'x';
            to[n++] = hex[c / 16];
            to[n++] = hex[c % 16];
        } else {
            to[n++] = (char)c;
        }
    }
    to[n] = '\0';
}

size_t gmmu_reader_place(gmmu_error *err, const char *name, uint64_t line) {
    char shown[160];
    gmmu_reader_printable(shown, sizeof shown, name, strlen(name), 0x100);
    int n = line == 0 ? snprintf(err->text, sizeof err->text, "%s: ", shown)
                      : snprintf(err->text, sizeof err->text, "%s:%llu: ", shown,
                                 (unsigned long long)line);
    return (size_t)n;
}

ptrdiff_t gmmu_reader_raw(gmmu_reader *r, void *to, size_t size, gmmu_error *err) {
    ssize_t got = 0;
    do {
        got = read(r->fd, to, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        FAIL(err, r->name, 0, "found a read error (%s), expected a walk trace", strerror(errno));
        r->stuck = true;
    }
    return got;
}

// The same of what is read, which may be inflated.
static ptrdiff_t read_some(gmmu_reader *r, void *to, size_t size, gmmu_error *err) {
    ptrdiff_t got =
        r->gz != NULL ? gmmu_gz_read(r, to, size, err) : gmmu_reader_raw(r, to, size, err);
    if (got >= 0) {
        r->ended = got == 0;
        r->read += (uint64_t)got;
    }
    return got;
}

// Moves what is left to the front and reads until the buffer is full or the input ends.
bool gmmu_reader_refill(gmmu_reader *r, gmmu_error *err) {
    size_t left = (size_t)(r->end - r->at);
    memmove(r->buffer, r->at, left);
    r->at = r->buffer;
    ptrdiff_t got = 1;
    while (left < BUFFER && got > 0) {
        got = read_some(r, r->buffer + left, BUFFER - left, err);
        left += got > 0 ? (size_t)got : 0;
        if (left > MAX_LINE + 2) {
            break;  // a pipe delivers what it has: do not wait for more
        }
    }
    r->end = r->buffer + left;
    r->buffer[left] = '\0';
    return got >= 0;
}

bool gmmu_reader_fetch(gmmu_reader *r, void *to, size_t size, size_t *got, gmmu_error *err) {
    *got = 0;
    while (*got < size) {
        size_t left = (size_t)(r->end - r->at);
        if (left == 0 && (r->ended || !gmmu_reader_refill(r, err))) {
            return r->ended;
        }
        left = (size_t)(r->end - r->at);
        size_t n = left < size - *got ? left : size - *got;
        memcpy((char *)to + *got, r->at, n);
        r->at += n;
        *got += n;
        if (left == 0) {
            break;
        }
    }
    return true;
}

bool gmmu_reader_goto(gmmu_reader *r, uint64_t offset, gmmu_error *err) {
    if (lseek(r->fd, (off_t)offset, SEEK_SET) < 0) {
        FAIL(err, r->name, 0, "found that byte %llu cannot be reached (%s), expected a file",
             (unsigned long long)offset, strerror(errno));
        return false;
    }
    r->read = offset;
    r->at = r->end = r->buffer;
    r->buffer[0] = '\0';
    r->ended = false;
    return true;
}

// Finds the form, if it was not given, and reads the header.
static bool header(gmmu_reader *r, const gmmu_import_settings *settings, gmmu_error *err) {
    // what is at the start of every gzip file; the first record of oracle-general is a time
    static const char gzip[3] = {0x1f, (char)0x8b, 8};
    if (!gmmu_reader_ready(r, err)) {
        return false;
    }
    if (r->form != GMMU_FORM_ORACLE_GENERAL && r->end - r->at >= 3 &&
        memcmp(r->at, gzip, sizeof gzip) == 0 &&
        !(gmmu_gz_start(r, err) && gmmu_reader_ready(r, err))) {
        return false;
    }
    if (r->form >= GMMU_FORM_ACCELSIM) {
        return gmmu_import_open(r, settings, err);
    }
    if (r->form == GMMU_FORM_AUTO) {
        bool binary = r->at < r->end && (unsigned char)*r->at == 0x89;
        r->form = binary ? GMMU_FORM_GWT : GMMU_FORM_TEXT;
    }
    return r->form == GMMU_FORM_GWT ? gmmu_gwt_header(r, err) : gmmu_text_header(r, err);
}

// Opens PATH and fills in the rest; false and *err on failure.
static bool open_file(gmmu_reader *r, const char *path, const gmmu_import_settings *settings,
                      gmmu_error *err) {
    bool standard = strcmp(path, "-") == 0;
    r->fd = -1;
    r->at = r->end = r->buffer;
    r->name = strdup(standard ? "<stdin>" : path);
    if (r->name == NULL) {
        FAIL(err, path, 0, "out of memory");
        return false;
    }
    r->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (r->fd < 0 || fstat(r->fd, &status) != 0) {
        FAIL(err, r->name, 0, "found no readable file (%s), expected a walk trace",
             strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        FAIL(err, r->name, 0, "found a directory, expected a walk trace");
        return false;
    }
    r->total = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return header(r, settings, err);
}

gmmu_reader *gmmu_reader_open_import(const char *path, gmmu_form form,
                                     const gmmu_import_settings *settings, gmmu_error *err) {
    gmmu_reader *r = malloc(sizeof *r);
    if (r == NULL) {
        FAIL(err, path, 0, "out of memory");
        return NULL;
    }
    memset(r, 0, offsetof(gmmu_reader, buffer) + 1);
    r->form = form;
    r->about.walks = r->about.pages = GMMU_UNKNOWN;
    if (!open_file(r, path, settings, err)) {
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

int gmmu_reader_next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err) {
    if (r->form == GMMU_FORM_TEXT) {
        int status = gmmu_text_next(r, walk, err);
        r->walks += status == GMMU_OK ? 1 : 0;
        return status;
    }
    if (r->next == r->last) {
        int status = r->form == GMMU_FORM_GWT ? gmmu_gwt_fill(r, err) : gmmu_import_fill(r, err);
        if (status != GMMU_OK) {
            return status;
        }
    }
    *walk = *r->next++;
    r->walks++;
    r->line = r->form == GMMU_FORM_GWT ? r->walks : r->line;
    return GMMU_OK;
}

int gmmu_reader_batch(gmmu_reader *r, gmmu_walk *own, const gmmu_walk **walks, size_t *count,
                      gmmu_error *err) {
    size_t most = *count;
    *count = 0;
    if (r->form != GMMU_FORM_GWT || r->next == r->last) {
        // A walk read alone also reads the next block.
        int status = gmmu_reader_next(r, own, err);
        *walks = own;
        *count = status == GMMU_OK ? 1 : 0;
        while (status == GMMU_OK && r->form != GMMU_FORM_GWT && *count < most) {
            status = gmmu_reader_next(r, &own[*count], err);
            *count += status == GMMU_OK ? 1 : 0;
        }
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

int gmmu_reader_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err) {
    if (r->form == GMMU_FORM_GWT && r->total != 0 && r->gz == NULL) {
        int status = gmmu_gwt_seek(r, walk, err);
        if (status != GMMU_OK) {
            return status;
        }
    }
    if (walk < r->walks) {
        FAIL(err, r->name, 0, "found a way back to walk %llu from walk %llu, expected a .gwt file",
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
    if (r->stuck) {
        bool known = r->form == GMMU_FORM_GWT && r->about.walks != GMMU_UNKNOWN;
        uint64_t rest = known && r->about.walks > r->walks ? r->about.walks - r->walks : 0;
        r->loss.walks += rest;
        r->walks += rest;
        r->loss.rest = !known;
        return false;
    }
    if (r->form != GMMU_FORM_GWT) {
        gmmu_text_skip_line(r);
        r->loss.lines++;
    }
    return true;
}

gmmu_loss gmmu_reader_loss(const gmmu_reader *r) {
    return r->loss;
}

uint64_t gmmu_reader_skipped(const gmmu_reader *r, size_t reason, const char **what) {
    return gmmu_import_skipped(r->import, reason, what);
}

const char *gmmu_reader_note(const gmmu_reader *r) {
    return gmmu_import_note(r->import);
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
    *done = r->gz != NULL ? gmmu_gz_offset(r->gz) : gmmu_reader_offset(r);
    *total = r->total;
}

void gmmu_reader_close(gmmu_reader *r) {
    if (r != NULL) {
        if (r->fd > STDIN_FILENO) {
            (void)close(r->fd);
        }
        gmmu_gwt_free(r->gwt);
        gmmu_import_free(r->import);
        gmmu_gz_free(r->gz);
        free(r->texts);
        free(r->name);
        free(r);
    }
}
