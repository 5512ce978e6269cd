// SPDX-License-Identifier: Apache-2.0
// source.c: see source.h.
#include "cli/source.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/parse.h"

// Walks between two lines of progress, and between two looks at the clock, minus one. A slow policy
// takes a millisecond a walk: then the time decides.
static const uint64_t progress_mask = (1U << 18) - 1;
static const uint64_t clock_mask = (1U << 8) - 1;
static const double first_seconds = 0.5;  // to the first line
static const double next_seconds = 0.2;   // to a further one

// The value of the option NAME at argv[*at], "--name=value" or the next argument; NULL when it is
// another option. *at is then at the last argument that was taken.
static const char *option_value(const char *name, int argc, char **argv, int *at) {
    size_t length = strlen(name);
    const char *arg = argv[*at];
    if (strncmp(arg, name, length) != 0 || (arg[length] != '=' && arg[length] != '\0')) {
        return NULL;
    }
    if (arg[length] == '=') {
        return arg + length + 1;
    }
    return *at + 1 < argc ? argv[++*at] : "";
}

static bool parse_form(const char *name, gmmu_form *form, gmmu_error *err) {
    *form = gmmu_form_find(name);
    if (*form < GMMU_FORMS) {
        return true;
    }
    (void)snprintf(err->text, sizeof err->text, "--from: found \"%.60s\", expected one of", name);
    for (gmmu_form f = GMMU_FORM_AUTO; f < GMMU_FORMS; f++) {
        size_t used = strlen(err->text);
        (void)snprintf(err->text + used, sizeof err->text - used, "%s %s",
                       f == GMMU_FORM_AUTO ? "" : ",", gmmu_form_name(f));
    }
    return false;
}

static bool parse_shift(const char *text, unsigned *page_shift, gmmu_error *err) {
    uint64_t shift = 0;
    if (!parse_count("--page-shift", text, &shift, err)) {
        return false;
    }
    *page_shift = (unsigned)shift;
    if (shift < 9 || shift > 30) {
        (void)snprintf(err->text, sizeof err->text,
                       "--page-shift: found \"%.60s\", expected 9 to 30", text);
    }
    return shift >= 9 && shift <= 30;
}

// A separator by its name, or the characters that separate fields.
static bool parse_separator(const char *text, gmmu_import_settings *settings, gmmu_error *err) {
    static const struct {
        const char *name, *characters;
    } known[] = {{"blank", " "}, {"space", " "}, {"tab", "\t"},      {"\\t", "\t"},
                 {"comma", ","}, {"bar", "|"},   {"semicolon", ";"}, {"colon", ":"}};
    settings->separators = text;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(text, known[i].name) == 0) {
            settings->separators = known[i].characters;
            return true;
        }
    }
    const size_t length = strlen(text);
    bool good = length >= 1 && length <= 6;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        const unsigned char letter = (unsigned char)((c | 0x20U) - 'a');
        good = good && (c == '\t' || (c >= ' ' && c < 0x7f)) && c != '"' && c != '#' && c != '.' &&
               c != '-' && letter > 25 && (unsigned)(c - '0') > 9;
    }
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "--separator: found \"%.60s\", expected blank, tab, comma, semicolon, bar, "
                       "colon, or up to 6 characters that are in no field",
                       text);
    }
    return good;
}

// True: --from table stands among the options. --no-header is then of the table that is read.
static bool asks_for_table(int argc, char **argv) {
    for (int i = 0; i < argc && argv[i] != NULL && strcmp(argv[i], "--") != 0; i++) {
        int at = i;
        const char *form = option_value("--from", argc, argv, &at);
        if (form != NULL && gmmu_form_find(form) == GMMU_FORM_TABLE) {
            return true;
        }
    }
    return false;
}

bool source_options(int *argc, char **argv, source_form *from, gmmu_error *err) {
    gmmu_import_settings *settings = &from->settings;
    int kept = 0;
    bool over = false;  // behind "--"
    const bool of_table = asks_for_table(*argc, argv);
    for (int i = 0; i < *argc; i++) {
        int at = i;
        over |= strcmp(argv[i], "--") == 0;
        const char *form = over ? NULL : option_value("--from", *argc, argv, &at);
        const char *shift = over ? NULL : option_value("--page-shift", *argc, argv, &at);
        const char *page = over ? NULL : option_value("--page", *argc, argv, &at);
        const char *times = over ? NULL : option_value("--iterations", *argc, argv, &at);
        const char *columns = over ? NULL : option_value("--columns", *argc, argv, &at);
        const char *separator = over ? NULL : option_value("--separator", *argc, argv, &at);
        const bool renumber = !over && strcmp(argv[i], "--renumber") == 0;
        const bool headless = !over && of_table && strcmp(argv[i], "--no-header") == 0;
        if ((form != NULL && !parse_form(form, &from->form, err)) ||
            (shift != NULL && !parse_shift(shift, &settings->page_shift, err)) ||
            (page != NULL && !parse_page("--page", page, &from->coarse_shift, err)) ||
            (times != NULL && !parse_count("--iterations", times, &settings->iterations, err)) ||
            (separator != NULL && !parse_separator(separator, settings, err))) {
            return false;
        }
        settings->columns = columns != NULL ? columns : settings->columns;
        settings->renumber |= renumber;
        settings->no_header |= headless;
        if (form == NULL && shift == NULL && page == NULL && times == NULL && columns == NULL &&
            separator == NULL && !renumber && !headless) {
            argv[kept++] = argv[i];
        }
        i = at;
    }
    *argc = kept;
    argv[kept] = NULL;
    if (settings->iterations != 0 && from->form != GMMU_FORM_G10) {
        (void)snprintf(err->text, sizeof err->text,
                       "found --iterations, expected it with --from g10");
        return false;
    }
    if (from->form != GMMU_FORM_TABLE &&
        (settings->columns != NULL || settings->separators != NULL || settings->no_header)) {
        (void)snprintf(err->text, sizeof err->text, "found %s, expected it with --from table",
                       settings->columns != NULL      ? "--columns"
                       : settings->separators != NULL ? "--separator"
                                                      : "--no-header");
        return false;
    }
    if (settings->page_shift != 0 &&
        (from->form == GMMU_FORM_AUTO || from->form == GMMU_FORM_TEXT ||
         from->form == GMMU_FORM_GWT)) {
        (void)snprintf(
            err->text, sizeof err->text,
            "found --page-shift, expected it with --from and another tool's form; larger "
            "pages of a walk trace: --page");
        return false;
    }
    return true;
}

static gmmu_reader *open_reader(const trace_source *s, gmmu_error *err) {
    gmmu_import_settings settings = s->from.settings;
    settings.guess = true;
    gmmu_reader *r = gmmu_reader_open_import(s->path, s->from.form, &settings, err);
    const unsigned shift = s->from.coarse_shift;
    if (r != NULL && shift != 0 && gmmu_reader_coarsen(r, shift, err) != GMMU_OK) {
        gmmu_reader_close(r);
        r = NULL;
    }
    return r;
}

bool source_open(trace_source *s, const char *command, const char *path, const source_form *from,
                 bool twice, gmmu_error *err) {
    *s = (trace_source){
        .command = command, .path = path, .from = *from, .progress = isatty(STDERR_FILENO) != 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &s->start);
    s->last = s->start;
    s->reader = open_reader(s, err);
    if (s->reader == NULL) {
        return false;
    }
    const gmmu_form form = gmmu_reader_form(s->reader);
    if (from->form == GMMU_FORM_AUTO && form != GMMU_FORM_TEXT && form != GMMU_FORM_GWT) {
        s->from.form = form;
        (void)fprintf(stderr, "%s: %s is read with --from %s, the one form that fits\n", command,
                      strcmp(path, "-") == 0 ? "<stdin>" : path, gmmu_form_name(form));
    }
    s->page_shift = gmmu_reader_page_shift(s->reader);
    if (gmmu_reader_note(s->reader) != NULL) {
        (void)fprintf(stderr, "%s: %s\n", command, gmmu_reader_note(s->reader));
    }
    uint64_t done = 0;
    uint64_t total = 0;
    gmmu_reader_progress(s->reader, &done, &total);
    s->keep = twice && (total == 0 || strcmp(path, "-") == 0);
    if (s->keep) {
        (void)fprintf(stderr, "%s: %s is kept in memory, since it must be read twice\n", command,
                      strcmp(path, "-") == 0 ? "<stdin>" : path);
    }
    return true;
}

static double seconds_between(const struct timespec *from, const struct timespec *to) {
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void show_progress(trace_source *s, const struct timespec *now) {
    uint64_t done = 0;
    uint64_t total = 0;
    if (s->expected != 0) {
        done = s->walks;
        total = s->expected > done ? s->expected : done;
    } else if (s->reader != NULL) {
        gmmu_reader_progress(s->reader, &done, &total);
    }
    const double seconds = seconds_between(&s->start, now) + 1e-9;
    const double rate = (double)s->walks / seconds;
    const char *unit = rate < 1e5 ? "" : "M ";
    const int digits = rate < 1e5 ? 0 : 2;
    const double scaled = rate < 1e5 ? rate : rate * 1e-6;
    if (total != 0 && done != 0) {
        (void)fprintf(stderr, "\r%s: %3u %%, %.*f %swalks/s, %.0f s left\033[K", s->command,
                      (unsigned)((double)done * 100 / (double)total), digits, scaled, unit,
                      seconds * (double)(total - done) / (double)done);
    } else {
        (void)fprintf(stderr, "\r%s: %llu walks, %.*f %swalks/s\033[K", s->command,
                      (unsigned long long)s->walks, digits, scaled, unit);
    }
    s->shown = true;
    s->last = *now;
}

// After more walks, of which there were BEFORE: shows the progress, if it is time.
static void look_at_progress(trace_source *s, uint64_t before) {
    if (!s->progress || (before ^ s->walks) <= clock_mask) {
        return;
    }
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if ((before ^ s->walks) > progress_mask ||
        seconds_between(&s->last, &now) > (s->shown ? next_seconds : first_seconds)) {
        show_progress(s, &now);
    }
}

void source_advance(trace_source *s, size_t count) {
    const uint64_t before = s->walks;
    s->walks += count;
    look_at_progress(s, before);
}

void source_hush(trace_source *s) {
    if (s->shown) {
        (void)fputs("\r\033[K", stderr);
    }
    s->shown = false;
}

// Room for COUNT more items of SIZE bytes behind *USED ones; false when there is no memory.
static bool make_room(void **items, size_t used, size_t *room, size_t count, size_t size) {
    if (used + count <= *room) {
        return true;
    }
    size_t more = *room == 0 ? 4 * (size_t)SOURCE_BATCH : *room * 2;
    more = more < used + count ? used + count : more;
    void *bigger = gmmu_grow(*items, *room, more, size, 0);
    if (bigger != NULL) {
        *items = bigger;
        *room = more;
    }
    return bigger != NULL;
}

// Keeps COUNT walks, and the hints that stand before them.
static int keep_walks(trace_source *s, const gmmu_walk *walks, size_t count, gmmu_error *err) {
    size_t hints = 0;
    const gmmu_hint *before = gmmu_reader_hints(s->reader, &hints);
    if (!make_room((void **)&s->kept, s->count, &s->room, count, sizeof *walks) ||
        !make_room((void **)&s->kept_hints, s->hint_count, &s->hint_room, hints, sizeof *before)) {
        (void)snprintf(err->text, sizeof err->text, "out of memory after %zu walks", s->count);
        return GMMU_BAD;
    }
    if (count != 0) {
        memcpy(s->kept + s->count, walks, count * sizeof *walks);
    }
    if (hints != 0) {
        memcpy(s->kept_hints + s->hint_count, before, hints * sizeof *before);
    }
    s->count += count;
    s->hint_count += hints;
    return GMMU_OK;
}

// Says in one line what an imported trace holds beside walks: "N what, N what were not converted".
static void report_skipped(const trace_source *s) {
    const char *what = NULL;
    uint64_t count = 0;
    for (size_t i = 0; (count = gmmu_reader_skipped(s->reader, i, &what)) != 0; i++) {
        (void)fprintf(stderr, "%s%s%llu %s", i == 0 ? s->command : "", i == 0 ? ": " : ", ",
                      (unsigned long long)count, what);
    }
    if (what != NULL) {
        (void)fputs(" were not converted\n", stderr);
    }
}

// After COUNT more walks and STATUS: counts and keeps them, shows the progress.
static int took(trace_source *s, const gmmu_walk *walks, size_t count, int status,
                gmmu_error *err) {
    if (status == GMMU_END && !s->reported) {
        s->reported = true;
        report_skipped(s);
        if (gmmu_reader_unended(s->reader)) {
            (void)fprintf(stderr, "%s: %s: the last line has no newline: the file may be cut\n",
                          s->command, strcmp(s->path, "-") == 0 ? "<stdin>" : s->path);
        }
    }
    uint64_t before = s->walks;
    s->walks += count;
    look_at_progress(s, before);
    if (status != GMMU_OK) {
        source_hush(s);
    }
    if (s->keep && keep_walks(s, walks, count, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    return status;
}

// Out of memory: COUNT more walks were given; at the end of the trace COUNT is 0.
static void give_hints(trace_source *s, size_t count) {
    source_advance(s, count);
    if (count == 0) {
        source_hush(s);
    }
    s->hint_at = s->hint_end;
    while (s->hint_end < s->hint_count &&
           (count == 0 || s->kept_hints[s->hint_end].walk < s->walks)) {
        s->hint_end++;
    }
}

const gmmu_hint *source_hints(const trace_source *s, size_t *count) {
    if (s->reader != NULL) {
        return gmmu_reader_hints(s->reader, count);
    }
    *count = s->hint_end - s->hint_at;
    return s->kept_hints + s->hint_at;
}

int source_batch(trace_source *s, const gmmu_walk **walks, size_t *count, gmmu_error *err) {
    *count = SOURCE_BATCH;
    if (s->reader == NULL) {
        size_t left = s->count - s->at;
        *count = left < *count ? left : *count;
        give_hints(s, *count);
        if (left == 0) {
            *walks = s->batch;  // where there are none; of an empty trace nothing was kept
            return GMMU_END;
        }
        *walks = s->kept + s->at;
        s->at += *count;
        return GMMU_OK;
    }
    int status = gmmu_reader_batch(s->reader, s->batch, walks, count, err);
    return took(s, *walks, *count, status, err);
}

int source_next(trace_source *s, gmmu_walk *walk, gmmu_error *err) {
    if (s->reader == NULL) {
        give_hints(s, s->at == s->count ? 0 : 1);
        if (s->at == s->count) {
            return GMMU_END;
        }
        *walk = s->kept[s->at++];
        return GMMU_OK;
    }
    int status = gmmu_reader_next(s->reader, walk, err);
    return took(s, walk, status == GMMU_OK ? 1 : 0, status, err);
}

bool source_rewind(trace_source *s, gmmu_error *err) {
    (void)clock_gettime(CLOCK_MONOTONIC, &s->start);
    s->last = s->start;
    s->expected = s->walks;
    s->walks = 0;
    s->at = s->hint_at = s->hint_end = 0;
    gmmu_reader_close(s->reader);
    s->reader = s->keep ? NULL : open_reader(s, err);
    return s->keep || s->reader != NULL;
}

int source_index(gmmu_pages *pages, const gmmu_walk *walks, size_t count, uint32_t *index,
                 gmmu_error *err) {
    return gmmu_pages_index_walks(pages, walks, count, index) == count
               ? GMMU_OK
               : gmmu_policy_no_memory("page map", err);
}

// Room for COUNT more walks in FUTURE; at first for as many as the header states, if that is
// believable.
static bool grow_future(const trace_source *s, gmmu_future *future, size_t *room, size_t count) {
    if (future->count + count <= *room) {
        return true;
    }
    static const uint64_t most = 1 << 28;
    uint64_t stated = gmmu_reader_about(s->reader)->walks;
    size_t more = *room != 0 ? *room * 2 : stated <= most ? (size_t)stated + SOURCE_BATCH : 1 << 16;
    uint32_t *pages = gmmu_grow(future->pages, *room, more, sizeof *pages, 0);
    future->pages = pages == NULL ? future->pages : pages;
    uint8_t *writes = pages == NULL ? NULL : gmmu_grow(future->writes, *room, more, 1, 0);
    future->writes = writes == NULL ? future->writes : writes;
    *room = writes == NULL ? *room : more;
    return writes != NULL;
}

// The kernels launched before the walks read last.
static bool note_launches(const trace_source *s, gmmu_future *future, size_t *room) {
    size_t count = 0;
    const gmmu_hint *hints = source_hints(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (hints[i].kind != GMMU_HINT_LAUNCH) {
            continue;
        }
        if (!make_room((void **)&future->launches, future->launch_count, room, 1,
                       sizeof *future->launches)) {
            return false;
        }
        future->launches[future->launch_count++] = hints[i].id;
    }
    return true;
}

bool source_look_ahead(trace_source *s, gmmu_pages *pages, gmmu_future *future, bool keep,
                       gmmu_error *err) {
    size_t room = 0;
    size_t launch_room = 0;
    int status = GMMU_OK;
    while (status == GMMU_OK) {
        const gmmu_walk *walks = NULL;
        size_t count = 0;
        uint32_t other[SOURCE_BATCH];
        uint32_t *index = other;
        status = source_batch(s, &walks, &count, err);
        if (status == GMMU_BAD) {
            return false;
        }
        if (keep) {
            if (!grow_future(s, future, &room, count) || !note_launches(s, future, &launch_room)) {
                return gmmu_policy_no_memory("look-ahead", err) == GMMU_OK;
            }
            index = future->pages + future->count;
            for (size_t i = 0; i < count; i++) {
                future->writes[future->count + i] = walks[i].write;
            }
        }
        if (source_index(pages, walks, count, index, err) != GMMU_OK) {
            return false;
        }
        future->count += count;
    }
    if (keep && gmmu_future_build(future, gmmu_pages_count(pages)) != GMMU_OK) {
        return gmmu_policy_no_memory("look-ahead", err) == GMMU_OK;
    }
    return source_rewind(s, err);
}

void source_close(trace_source *s) {
    gmmu_reader_close(s->reader);
    free(s->kept);
    free(s->kept_hints);
    s->reader = NULL;
    s->kept = NULL;
    s->kept_hints = NULL;
}
