// SPDX-License-Identifier: Apache-2.0
// leu_config.c: see leu_config.h.
#include "policy/leu_config.h"

#include <stdio.h>

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
