// SPDX-License-Identifier: Apache-2.0
// leu_config.c: see leu_config.h.
#include "policy/leu_config.h"

#include <stdio.h>
#include <string.h>

#include "blocks/config.h"

bool gmmu_leu_config(void *cfg, const char *text, size_t length) {
    char name[16];
    if (length >= sizeof name) {
        return false;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
    const gmmu_config *found = gmmu_config_find(name);
    if (found != NULL) {
        *(gmmu_config *)cfg = *found;
    }
    return found != NULL;
}

const char *gmmu_leu_larger(const char *options, uint32_t frames) {
    const gmmu_config *cfg = gmmu_config_find("default");
    const bool named = options != NULL &&
                       (strncmp(options, "config=", 7) == 0 || strstr(options, ":config=") != NULL);
    return named || gmmu_index_bits(frames) + 6 <= cfg->time_w ? NULL : "config=large";
}
