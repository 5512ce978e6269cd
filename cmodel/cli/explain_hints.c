// SPDX-License-Identifier: Apache-2.0
// explain_hints.c: see explain_hints.h.
#include "cli/explain_hints.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/output.h"

#define NAME(enumerator, name) #name,
static const char *const names[GMMU_HINT_KINDS] = {GMMU_HINT_TABLE(NAME)};
#undef NAME

const gmmu_hint *explain_give_hints(const gmmu_source *source, gmmu_sim *sim, size_t *count) {
    const gmmu_hint *hints = gmmu_source_hints(source, count);
    for (size_t i = 0; i < *count; i++) {
        gmmu_sim_hint(sim, &hints[i]);
    }
    return hints;
}

void explain_print_hints(const gmmu_hint *hints, size_t count, size_t most) {
    if (count > most) {
        (void)printf("… %zu hints before these\n", count - most);
    }
    for (size_t i = count > most ? count - most : 0; i < count; i++) {
        const gmmu_hint *h = &hints[i];
        (void)printf("hint: %s", names[h->kind]);
        if (h->kind != GMMU_HINT_FREE) {
            (void)printf(" 0x%" PRIx64, h->id);
        }
        if (h->kind != GMMU_HINT_LAUNCH) {
            (void)printf(", asid %u, vpn 0x%" PRIx64 ", %" PRIu64 " pages", h->asid, h->first,
                         h->pages);
        }
        (void)putchar('\n');
    }
}

json_t *explain_json_hints(const gmmu_hint *hints, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const gmmu_hint *h = &hints[i];
        json_t *object = json_object();
        (void)json_object_set_new(object, "kind", json_string(names[h->kind]));
        if (h->kind != GMMU_HINT_FREE) {
            output_hex(object, "id", h->id);
        }
        if (h->kind != GMMU_HINT_LAUNCH) {
            output_number(object, "asid", h->asid);
            output_hex(object, "vpn", h->first);
            output_number(object, "pages", h->pages);
        }
        (void)json_array_append_new(list, object);
    }
    return list;
}
