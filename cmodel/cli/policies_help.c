// SPDX-License-Identifier: Apache-2.0
// policies_help.c: the policies and their options in the help texts of commands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "policy/plugin.h"
#include "policy/registry.h"

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
        (void)fprintf(f, "  %-13s %s\n", p->name, p->help);
        const char *mark = "options:";
        for (const char *line = p->options; line != NULL; mark = "") {
            const size_t length = strcspn(line, "\n");
            (void)fprintf(f, "    %-8s %.*s\n", mark, (int)length, line);
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
