// SPDX-License-Identifier: Apache-2.0
// source_options.c: see source_options.h.
#include "cli/source_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/parse.h"

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

bool source_options(int *argc, char **argv, gmmu_source_form *from, gmmu_error *err) {
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

static void say(void *context, const char *text) {
    (void)fprintf(stderr, "%s: %s\n", (const char *)context, text);
}

// A line on a terminal, which the next one replaces.
static void show_progress(void *context, const gmmu_progress *now) {
    if (now == NULL) {
        (void)fputs("\r\033[K", stderr);
        return;
    }
    const char *command = context;
    const double seconds = now->seconds + 1e-9;
    const double rate = (double)now->walks / seconds;
    const char *unit = rate < 1e5 ? "" : "M ";
    const int digits = rate < 1e5 ? 0 : 2;
    const double scaled = rate < 1e5 ? rate : rate * 1e-6;
    if (now->total != 0 && now->done != 0) {
        (void)fprintf(stderr, "\r%s: %3u %%, %.*f %swalks/s, %.0f s left\033[K", command,
                      (unsigned)((double)now->done * 100 / (double)now->total), digits, scaled,
                      unit, seconds * (double)(now->total - now->done) / (double)now->done);
    } else {
        (void)fprintf(stderr, "\r%s: %llu walks, %.*f %swalks/s\033[K", command,
                      (unsigned long long)now->walks, digits, scaled, unit);
    }
}

bool source_open(gmmu_source *s, const char *command, const char *path,
                 const gmmu_source_form *from, bool twice, gmmu_error *err) {
    const gmmu_listener listener = {.context = (void *)command,
                                    .say = say,
                                    .progress = isatty(STDERR_FILENO) != 0 ? show_progress : NULL};
    return gmmu_source_open(s, path, from, twice, &listener, err);
}
