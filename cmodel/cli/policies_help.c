// SPDX-License-Identifier: Apache-2.0
// policies_help.c: the policies and their options in the help texts of commands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "policy/plugin.h"
#include "policy/registry.h"

// Ends a line, of which COLUMN characters are there, with TEXT. What would go beyond argp's margin,
// whose further lines begin in column 0, continues two columns to the right of TEXT.
static void end_line(FILE *f, size_t column, const char *text, size_t length) {
    enum { MARGIN = 78 };
    const size_t indent = column + 2;
    while (column + length > MARGIN) {
        size_t cut = MARGIN - column;
        while (cut != 0 && text[cut] != ' ') {
            cut--;
        }
        if (cut == 0) {
            break;  // a path is one word
        }
        (void)fprintf(f, "%.*s\n%*s", (int)cut, text, (int)indent, "");
        text += cut + 1;
        length -= cut + 1;
        column = indent;
    }
    (void)fprintf(f, "%.*s\n", (int)length, text);
}

char *policies_help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    char *list = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&list, &size);
    if (f == NULL) {
        return NULL;
    }
    (void)fputs("Policies:\n", f);
    const gmmu_policy *p = NULL;
    for (size_t i = 0; (p = gmmu_policy_at(i)) != NULL; i++) {
        const int column = fprintf(f, "  %-13s ", p->name);
        end_line(f, column > 0 && column < 40 ? (size_t)column : 16, p->help, strlen(p->help));
        const char *mark = "options:";
        for (const char *line = p->options; line != NULL; mark = "") {
            const size_t length = strcspn(line, "\n");
            (void)fprintf(f, "    %-8s ", mark);
            end_line(f, 13, line, length);
            line = line[length] == '\0' ? NULL : line + length + 1;
        }
        if (gmmu_plugin_of(p) != NULL) {
            (void)fprintf(f, "    %-8s %s\n", "plugin:", gmmu_plugin_of(p));
        }
    }
    (void)fputs(
        "\nOptions of a policy follow its name: name:key=value:key=value. A value in\n"
        "brackets is the default.\n"
        "TRACE is a walk trace, or - for standard input.",
        f);
    if (fclose(f) != 0) {
        free(list);
        list = NULL;
    }
    return list;
}
