// SPDX-License-Identifier: Apache-2.0
// output.c: what the subcommands share when they print.
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *file;  // of output_to; NULL: standard output is where it was
static const char *besides;

static bool is_same(const char *path, const struct stat *other) {
    struct stat status;
    const bool found =
        strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &status) == 0 : stat(path, &status) == 0;
    return found && S_ISREG(status.st_mode) && status.st_dev == other->st_dev &&
           status.st_ino == other->st_ino;
}

bool output_is_new(const char *option, const char *path, const char *const *inputs, size_t count,
                   gmmu_error *err) {
    struct stat status;
    for (size_t i = 0; i < count && strcmp(path, "-") != 0 && stat(path, &status) == 0; i++) {
        if (inputs[i] != NULL && is_same(inputs[i], &status)) {
            (void)snprintf(err->text, sizeof err->text,
                           "%s: found %.200s, which is to be read, expected another file", option,
                           path);
            return false;
        }
    }
    return true;
}

bool output_to(const char *path, const char *const *inputs, size_t count, gmmu_error *err) {
    if (strcmp(path, "-") == 0) {
        return true;
    }
    if (!output_is_new("--output", path, inputs, count, err)) {
        return false;
    }
    const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (to < 0 || fflush(stdout) != 0 || dup2(to, STDOUT_FILENO) < 0) {
        (void)snprintf(err->text, sizeof err->text, "%.200s: %s, expected a file to write to", path,
                       strerror(errno));
        if (to >= 0) {
            (void)close(to);
        }
        return false;
    }
    (void)close(to);
    file = path;
    return true;
}

void output_besides(const char *path) {
    besides = path;
}

void output_discard(void) {
    struct stat status;
    if (file != NULL && fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode)) {
        (void)unlink(file);
    }
    if (besides != NULL && stat(besides, &status) == 0 && S_ISREG(status.st_mode)) {
        (void)unlink(besides);
    }
}

const char *output_name(void) {
    return file == NULL ? "standard output" : file;
}

void output_csv(const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, stdout);
        return;
    }
    (void)putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)putchar('"');
        }
        (void)putchar(*text);
    }
    (void)putchar('"');
}

static void *there(void *memory) {
    if (memory == NULL) {
        (void)fputs("gmmu: out of memory\n", stderr);
        output_discard();
        exit(2);
    }
    return memory;
}

// Jansson passes over what it had no memory for: the output would lack it, and nobody be told.
static void *allocate(size_t size) {
    return there(malloc(size));
}

void *output_room(size_t count, size_t size) {
    return there(calloc(count + 1, size));
}

void output_start(void) {
    file = besides = NULL;
    json_set_alloc_funcs(allocate, free);
}

json_t *output_text(const char *text) {
    json_t *value = json_string(text);
    if (value == NULL) {
        size_t size = strlen(text) + 1;
        char *copy = memcpy(allocate(size), text, size);
        for (char *p = copy; *p != '\0'; p++) {
            *p = (char)((unsigned char)*p < 0x80 ? *p : '?');
        }
        value = json_string(copy);
        free(copy);
    }
    return value;
}

void output_number(json_t *object, const char *key, uint64_t value) {
    (void)json_object_set_new(
        object, key,
        value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

void output_hex(json_t *object, const char *key, uint64_t value) {
    char text[24];
    (void)snprintf(text, sizeof text, "0x%" PRIx64, value);
    (void)json_object_set_new(object, key, json_string(text));
}

void output_json(json_t *value) {
    (void)json_dumpf(value, stdout, JSON_INDENT(2));
    (void)putchar('\n');
    json_decref(value);
}
