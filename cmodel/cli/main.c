// SPDX-License-Identifier: Apache-2.0
// main.c: `gmmu`: finds the subcommand and runs it.
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "gmmu/trace.h"
#include "gmmu/version.h"

// Also makes every subcommand take --version (argp).
const char *argp_program_version = "gmmu " GMMU_VERSION;

static const struct {
    const char *name;
    const char *full;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"replay", "gmmu replay", cmd_replay, "faults, evictions and write-backs of policies"},
    {"sweep", "gmmu sweep", cmd_sweep, "many replays, kept in a folder that machines share"},
    {"diff", "gmmu diff", cmd_diff, "what changed between two results of replay or mrc"},
    {"mrc", "gmmu mrc", cmd_mrc, "miss-ratio curves: all memory sizes at once"},
    {"explain", "gmmu explain", cmd_explain, "why a page was the victim"},
    {"trace", "gmmu trace", cmd_trace, "content of a trace; convert, cut, head, digest"},
    {"record", "gmmu record", cmd_record, "execute a GPU kernel and record its walks"},
    {"rdgc", "gmmu rdgc", cmd_rdgc, "hit ratios of a kernel's accesses in a GPU's caches"},
    {"gen", "gmmu gen", cmd_gen, "write a synthetic trace"},
    {"semcache", "gmmu semcache", cmd_semcache, "bytes that offloaded library calls would move"},
    {"fpga", "gmmu fpga", cmd_fpga, "play a trace to a board, and compare with the C model"},
};

// The option's text: the forms by name, in lines of at most LIMIT columns.
static void help_from(FILE *to) {
    enum { INDENT = 20, LIMIT = 86 };
    size_t column =
        (size_t)fprintf(to, "  --from FORMAT     auto (a walk trace, or the form that fits)");
    for (gmmu_form f = GMMU_FORM_AUTO + 1; f < GMMU_FORMS; f++) {
        const char *name = gmmu_form_name(f);
        if (column + strlen(", ,") + strlen(name) > LIMIT) {
            (void)fprintf(to, ",\n%*s%s", INDENT, "", name);
            column = INDENT + strlen(name);
        } else {
            column += (size_t)fprintf(to, ", %s", name);
        }
    }
    (void)fputs(
        "; each also compressed with gzip,\n"
        "                    xz or zstd\n",
        to);
}

static void help(FILE *to) {
    (void)fputs(
        "Usage: gmmu COMMAND [OPTION…]\n"
        "Replay GPU page-walk traces through replacement policies.\n\nCommands:\n",
        to);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        (void)fprintf(to, "  %-8s  %s\n", commands[i].name, commands[i].help);
    }
    (void)fputs("\nEvery command that reads a trace also takes:\n", to);
    help_from(to);
    (void)fputs(
        "  --page SIZE       larger pages than the trace's: 64K, 2M or any power of two in\n"
        "                    bytes; sizes of memory then count these pages\n"
        "  --page-shift N    log2 of the page size of an imported trace (12; g10 and\n"
        "                    chunk-trace: 21)\n"
        "  --columns LIST    --from table: the columns from left to right, as addr,rw,time\n"
        "  --separator C     --from table: blank, tab, comma, … (found in the first line)\n"
        "  --no-header       --from table: no line of names stands first\n"
        "  --renumber        pages and address spaces become 0, 1, 2… as they appear\n"
        "  --iterations N    repetitions of the training step, with --from g10 (3)\n"
        "\n`gmmu COMMAND --help` lists the options; a value in brackets is the default.\n"
        "`gmmu --version` prints the version.\n"
        "Exit status: 0 done, 1 a check failed, 2 wrong usage or bad input.\n",
        to);
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        (void)puts(argp_program_version);
        return 0;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            char name[32];
            (void)snprintf(name, sizeof name, "%s", commands[i].full);
            argv[1] = name;
            argc--;
            argv++;
            return commands[i].run(argc, argv);
        }
    }
    (void)fprintf(stderr, "gmmu: found the command \"%.60s\", expected one of", argv[1]);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        (void)fprintf(stderr, "%s%s", i == 0 ? " " : ", ", commands[i].name);
    }
    (void)fputs("\n", stderr);
    return 2;
}

int main(int argc, char **argv) {
    argp_err_exit_status = 2;
    output_start();
    int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        (void)fprintf(stderr, "gmmu: %s: %s\n", output_name(), strerror(errno));
        output_discard();
        return 2;
    }
    return status;
}
