// SPDX-License-Identifier: Apache-2.0
// parse.c: see parse.h.
#include "cli/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/choice.h"

bool parse_count(const char *option, const char *text, uint64_t *value, gmmu_error *err) {
    const char *p = text;
    if (!gmmu_parse_digits(&p, value) || *p != '\0' || *value == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found \"%.60s\", expected a whole number from 1 to 10^12 - 1", option,
                       text);
        return false;
    }
    return true;
}

bool parse_upto(const char *option, const char *text, uint64_t least, uint64_t most,
                uint64_t *value, gmmu_error *err) {
    if (!parse_count(option, text, value, err)) {
        return false;
    }
    bool good = *value >= least && *value <= most;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found \"%.60s\", expected %" PRIu64 " to %" PRIu64, option, text, least,
                       most);
    }
    return good;
}

bool parse_page(const char *option, const char *text, unsigned *shift, gmmu_error *err) {
    static const char units[] = "kmg";
    const char *p = text;
    uint64_t bytes = 0;
    bool good = gmmu_parse_digits(&p, &bytes);
    const char *unit = *p == '\0' ? NULL : strchr(units, *p | 0x20);
    if (unit != NULL) {
        const unsigned by = 10 * (unsigned)(unit - units + 1);
        good = good && bytes <= UINT64_MAX >> by;
        bytes <<= by;
        p++;
        p += strcmp(p, "iB") == 0 ? 2 : 0;
    }
    good = good && *p == '\0' && bytes > 1 && (bytes & (bytes - 1)) == 0;
    *shift = good ? (unsigned)__builtin_ctzll(bytes) : 0;
    good = good && *shift < 32;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found \"%.60s\", expected a power of two in bytes, as 4096, 64K, 64KiB "
                       "or 2M",
                       option, text);
    }
    return good;
}

bool parse_number(const char *text, uint64_t *value) {
    char *end = NULL;
    errno = 0;
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *value = strtoull(text, &end, hexadecimal ? 16 : 10);
    // strtoull would take a sign or blanks
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

bool parse_format(const char *name, unsigned allowed, output_format *format, gmmu_error *err) {
    static const struct {
        const char *name;
        output_format format;
    } known[] = {{"table", FORMAT_TABLE}, {"csv", FORMAT_CSV}, {"json", FORMAT_JSON}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0 && (allowed & (unsigned)known[i].format) != 0) {
            *format = known[i].format;
            return true;
        }
    }
    (void)snprintf(err->text, sizeof err->text,
                   "--format: found \"%.60s\", expected table%s or json", name,
                   (allowed & FORMAT_CSV) != 0 ? ", csv" : "");
    return false;
}

unsigned core_count(unsigned most) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > (long)most ? most : (unsigned)cores;
}
