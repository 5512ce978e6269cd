// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 32 };  // characters of an integer

_Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("ERROR: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p)
        fail("found no memory, expected %zu times %zu bytes", count, size);
    return p;
}

input input_open(const char *path) {
    input in = {fopen(path, "r"), path, 1, "file", -1};
    if (!in.file)
        fail("%s: %s, expected a file to read", path, strerror(errno));
    return in;
}

void input_record(input *in, const char *record, int index) {
    in->record = record;
    in->index = index;
}

static void say_where(const input *in) {
    fprintf(stderr, "ERROR: %s:%d: %s", in->path, in->line, in->record);
    if (in->index >= 0)
        fprintf(stderr, " %d", in->index);
    fputs(": ", stderr);
}

_Noreturn void input_fail(const input *in, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_where(in);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

// The next word's length, its first characters in WORD; 0 at the end of the file
static int word_of(input *in, char *word) {
    int c = getc(in->file), length = 0;
    for (; c != EOF && isspace(c); c = getc(in->file)) in->line += c == '\n';
    for (; c != EOF && !isspace(c); c = getc(in->file), length += length < LONGEST)
        if (length < LONGEST)
            word[length] = (char)c;
    word[length < LONGEST ? length : LONGEST] = '\0';
    if (c != EOF)
        ungetc(c, in->file);
    if (ferror(in->file))
        fail("%s:%d: %s", in->path, in->line, strerror(errno));
    return length;
}

int input_number(input *in, const char *what, int low, int high) {
    char word[LONGEST + 1], *after = word;
    if (!word_of(in, word))
        input_fail(in, "found the end of the file, expected %s, %d to %d", what, low, high);
    errno = 0;
    const long long n = strtoll(word, &after, 10);
    if (*after || after == word || errno || n < low || n > high)
        input_fail(in, "found %s %s, expected %d to %d", what, word, low, high);
    return (int)n;
}

void input_close(input *in) {
    char word[LONGEST + 1];
    input_record(in, "file", -1);
    if (word_of(in, word))
        input_fail(in, "found %s, expected the end of the file", word);
    fclose(in->file);
    in->file = NULL;
}

unsigned long long argument(const char *text, const char *what, unsigned long long low,
                            unsigned long long high) {
    char *after = NULL;
    errno = 0;
    const unsigned long long n = strtoull(text, &after, 10);
    if (!isdigit((unsigned char)*text) || *after || errno || n < low || n > high)
        fail("arguments: found %s \"%s\", expected %llu to %llu", what, text, low, high);
    return n;
}

FILE *output_open(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        fail("%s: %s, expected a file to write", path, strerror(errno));
    return file;
}

void output_close(FILE *file, const char *path) {
    const int bad = ferror(file);
    if (fclose(file) || bad)
        fail("%s: %s, expected room for all lines", path, strerror(errno));
}
