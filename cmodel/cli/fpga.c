// SPDX-License-Identifier: Apache-2.0
// fpga.c: `gmmu fpga`: plays a trace to the unit on a board, and compares its decisions with the C
// model's.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // isatty
#endif
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board/play.h"
#include "board/serial.h"
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/source_options.h"

enum {
    OPTION_TRACE = 256,
    OPTION_PORT,
    OPTION_BAUD,
    OPTION_SET,
    OPTION_LIMIT,
    OPTION_WAIT,
    OPTION_TRIES
};
enum { MOST_SETS = 32 };

typedef struct {
    const char *port, *trace;
    gmmu_source_form from;
    gmmu_size *frames;  // one, or none
    size_t sizes;
    uint64_t baud, limit, wait_ms, tries;
    const char *set[MOST_SETS];  // NAME=VALUE
    size_t sets;
    output_format format;
} request;

static bool parse_option(request *o, int key, const char *arg, gmmu_error *err) {
    switch (key) {
        case OPTION_PORT:
            o->port = arg;
            return true;
        case OPTION_TRACE:
            o->trace = arg;
            return true;
        case OPTION_BAUD:
            return parse_upto("--baud", arg, 1, UINT32_MAX, &o->baud, err);
        case OPTION_LIMIT:
            return parse_count("--limit", arg, &o->limit, err);
        case OPTION_WAIT:
            return parse_upto("--wait", arg, 1, 10000, &o->wait_ms, err);
        case OPTION_TRIES:
            return parse_upto("--tries", arg, 1, 1000, &o->tries, err);
        case OPTION_SET:
            if (o->sets < MOST_SETS) {
                o->set[o->sets++] = arg;
                return true;
            }
            (void)snprintf(err->text, sizeof err->text, "--set: found more than %d, expected less",
                           (int)MOST_SETS);
            return false;
        case ARGUMENT_FRAMES:
            free(o->frames);
            o->frames = NULL;
            if (!gmmu_parse_sizes(arg, &o->frames, &o->sizes, err))
                return false;
            if (o->sizes == 1 && !o->frames[0].multiple)
                return true;
            (void)snprintf(
                err->text, sizeof err->text,
                "--frames: found '%.100s', expected one number, amount of bytes or percentage",
                arg);
            return false;
        default:
            return parse_format(arg, FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, &o->format, err);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    request *o = state->input;
    gmmu_error err;
    if (key == ARGP_KEY_END && o->port == NULL)
        argp_error(state, "found no port, expected --port DEV, as /dev/ttyUSB0");
    if (key == ARGP_KEY_ARG || (key != ARGUMENT_FRAMES && key != ARGUMENT_FORMAT &&
                                (key < OPTION_TRACE || key > OPTION_TRIES)))
        return ARGP_ERR_UNKNOWN;
    if (!parse_option(o, key, arg, &err))
        argp_failure(state, 2, 0, "%s", err.text);
    return 0;
}

// NAME=VALUE of a register.
static bool set_register(gmmu_regs *regs, const gmmu_config *cfg, const char *text,
                         gmmu_error *err) {
    const gmmu_config *c = cfg;
    const size_t length = strcspn(text, "=");
    uint64_t value;
    if (text[length] == '\0' || !parse_number(text + length + 1, &value)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--set: found \"%.60s\", expected NAME=VALUE, as refresh=8", text);
        return false;
    }
#define SET(name, at, bits, reset, two_words, waits)                                           \
    if (strlen(#name) == length && strncmp(text, #name, length) == 0) {                        \
        if ((unsigned)(bits) < 64 && value >> (unsigned)(bits) != 0) {                         \
            (void)snprintf(err->text, sizeof err->text,                                        \
                           "--set " #name ": found %" PRIu64 ", expected a number of %u bits", \
                           value, (unsigned)(bits));                                           \
            return false;                                                                      \
        }                                                                                      \
        regs->name = (__typeof__(regs->name))value;                                            \
        return true;                                                                           \
    }
    GMMU_CSR_LIST(SET)
#undef SET
    (void)snprintf(
        err->text, sizeof err->text,
        "--set: found register \"%.60s\", expected one of docs/reference/registers.md, without "
        "cfg_",
        text);
    return false;
}

static bool choose(const request *o, const gmmu_config *cfg, unsigned page_shift, uint32_t distinct,
                   gmmu_regs *regs, gmmu_error *err) {
    *regs = gmmu_regs_default(cfg);
    for (size_t i = 0; i < o->sets; i++)
        if (!set_register(regs, cfg, o->set[i], err))
            return false;
    if (o->frames != NULL) {
        gmmu_size size = o->frames[0];
        if (!gmmu_size_in_pages(&size, "--frames", page_shift, err))
            return false;
        regs->frames = gmmu_size_frames(size, distinct);
    }
    if (regs->frames >= 1 && regs->frames <= cfg->frames)
        return true;
    (void)snprintf(err->text, sizeof err->text,
                   "found %" PRIu32 " frames, expected 1 to %u, which the board's unit has",
                   regs->frames, cfg->frames);
    return false;
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

static void print(const request *o, const gmmu_link *l, const gmmu_regs *regs,
                  const gmmu_board_score *s, double seconds) {
    static const table_column columns[] = {{"trace", 0},       {"frames", 8},    {"walks", 10},
                                           {"faults", 9},      {"evictions", 9}, {"decisions", 9},
                                           {"mismatches", 10}, {"seconds", 10},  {"walks_s", 9},
                                           {"packets", 8},     {"resent", 7},    {"damaged", 7}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const table_value values[COLUMNS] = {
        value_text(o->trace),
        value_number(regs->frames),
        value_number(s->walks),
        value_number(s->faults),
        value_number(s->evictions),
        value_number(s->decisions),
        value_number(s->mismatches),
        value_ratio(seconds),
        value_number(seconds > 0 ? (uint64_t)((double)s->walks / seconds) : 0),
        value_number(l->sent),
        value_number(l->resent),
        value_number(l->ear.dropped)};
    table t;
    if (o->format == FORMAT_TABLE)
        (void)printf("trace: %s\n", o->trace);
    table_begin(&t, o->format, columns, COLUMNS);
    table_row(&t, values, NULL);
    table_end(&t);
}

// What is there, when no trace is to be played.
static void describe(const request *o, const gmmu_link *l, const gmmu_config *cfg,
                     uint32_t version) {
    char text[32];
    (void)snprintf(text, sizeof text, "%u.%u.%u", version >> 16 & 255, version >> 8 & 255,
                   version & 255);
#define SIZE(name, at) {#name, offsetof(gmmu_config, name)},
    static const struct {
        const char *name;
        size_t at;
    } sizes[] = {GMMU_CSR_SIZE_LIST(SIZE)};
#undef SIZE
    enum { SIZES = sizeof sizes / sizeof sizes[0], FIRST = 4 };
    table_column columns[SIZES + FIRST] = {
        {"port", -16}, {"version", -8}, {"clock_hz", 10}, {"packet", 6}};
    table_value values[SIZES + FIRST] = {value_text(o->port), value_text(text),
                                         value_number(l->is.clock_hz), value_number(l->is.bytes)};
    for (size_t i = 0; i < SIZES; i++) {
        unsigned size;
        memcpy(&size, (const char *)cfg + sizes[i].at, sizeof size);
        columns[FIRST + i] = (table_column){sizes[i].name, 0};
        values[FIRST + i] = value_number(size);
    }
    table t;
    table_begin(&t, o->format, columns, SIZES + FIRST);
    table_row(&t, values, NULL);
    table_end(&t);
    if (o->format == FORMAT_TABLE) {
        for (size_t i = 0; i < SIZES; i++)
            (void)printf("%s%s %" PRIu64, i == 0 ? "" : ", ", sizes[i].name,
                         values[FIRST + i].number);
        (void)puts("");
    }
}

static bool play_walks(gmmu_board_play *p, gmmu_source *in, uint64_t limit, gmmu_error *err) {
    gmmu_walk w;
    int s = GMMU_OK;
    for (uint64_t n = 0; n < limit && (s = gmmu_source_next(in, &w, err)) == GMMU_OK; n++)
        if (!gmmu_board_play_walk(p, &w, err))
            return false;
    return s != GMMU_BAD && gmmu_board_play_end(p, err);
}

// 0: all was alike.
static int play(const request *o, gmmu_link *l, const gmmu_config *cfg, gmmu_error *err) {
    static gmmu_source in;
    gmmu_regs regs;
    const bool relative = o->frames != NULL && o->frames[0].relative;
    gmmu_pages *pages = gmmu_pages_create();
    gmmu_board_play *p = NULL;
    int status = 2;
    bool good = pages != NULL && source_open(&in, "gmmu fpga", o->trace, &o->from, relative, err);
    if (pages == NULL)
        (void)snprintf(err->text, sizeof err->text, "out of memory");
    gmmu_future none = {0};
    good = good && (!relative || gmmu_source_look_ahead(&in, pages, &none, false, err)) &&
           choose(o, cfg, in.page_shift, gmmu_pages_count(pages), &regs, err) &&
           (p = gmmu_board_play_create(l, cfg, &regs, err)) != NULL;
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    if (good) {
        good = play_walks(p, &in, o->limit, err);
        const gmmu_board_score score = gmmu_board_play_score(p);
        if (good || score.mismatches != 0) {
            print(o, l, &regs, &score, seconds_since(&start));
            status = score.mismatches != 0;
        }
        if (score.mismatches != 0)
            (void)snprintf(err->text, sizeof err->text, "%s", score.where);
    }
    gmmu_board_play_free(p);
    gmmu_future_free(&none);
    gmmu_pages_destroy(pages);
    gmmu_source_close(&in);
    return status;
}

int cmd_fpga(int argc, char **argv) {
    static const struct argp_option list[] = {
        {"port", OPTION_PORT, "DEV", 0, "the board's serial device, as /dev/ttyUSB0", 0},
        {"trace", OPTION_TRACE, "F", 0,
         "the walks to play; without this option the board is described", 0},
        {"frames", ARGUMENT_FRAMES, "N", 0,
         "memory: pages, bytes with a unit (16MiB), or a percentage of the distinct pages (all "
         "frames of the unit)",
         0},
        {"set", OPTION_SET, "NAME=VALUE", 0,
         "a register, such as refresh=8 (docs/reference/registers.md); may be repeated", 0},
        {"limit", OPTION_LIMIT, "N", 0, "number of walks at most", 0},
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table, csv or json (table)", 0},
        {"baud", OPTION_BAUD, "N", 0, "bits a second on the line (3000000)", 1},
        {"wait", OPTION_WAIT, "MS", 0,
         "milliseconds for an answer, at first; the time grows where it is too short (100)", 1},
        {"tries", OPTION_TRIES, "N", 0,
         "number of times that a packet is sent before an error (20)", 1},
        {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .doc =
            "Play a trace to the unit on a board, as the unit's page-table walker and driver. Each "
            "decision and all counters are compared with those of the C model.\vExit status: 0 "
            "everything was equal, 1 something differed, 2 wrong usage, bad input, or no board "
            "that answers."};
    request o = {
        .baud = 3000000, .limit = UINT64_MAX, .wait_ms = 100, .tries = 20, .format = FORMAT_TABLE};
    static gmmu_link link;
    gmmu_serial serial = {-1};
    gmmu_error err = {""};
    gmmu_config cfg;
    uint32_t version;
    int status = 2;
    if (!parse_options_from(&argp, argc, argv, &o, &o.from)) {
        free(o.frames);
        return 2;
    }
    link = (gmmu_link){.name = o.port, .wait_ms = (unsigned)o.wait_ms, .tries = (unsigned)o.tries};
    if (gmmu_serial_open(&serial, o.port, (uint32_t)o.baud, &link.line, &err) &&
        gmmu_link_open(&link, &err) && gmmu_board_play_config(&link, &cfg, &version, &err)) {
        if (o.trace != NULL) {
            status = play(&o, &link, &cfg, &err);
        } else {
            describe(&o, &link, &cfg, version);
            status = 0;
        }
    }
    if (status != 0)
        (void)fprintf(stderr, "gmmu fpga: %s\n", err.text);
    gmmu_serial_close(&serial);
    free(o.frames);
    return status;
}
