// SPDX-License-Identifier: Apache-2.0
// lackey.c: reads valgrind --tool=lackey --trace-mem=yes (docs/reference/formats.md, "Imported
// traces").
#include <string.h>

#include "trace/import.h"
#include "trace/scan.h"

// " L 04222c08,4"; "I  …" is counted, the tool's own messages are left out.
static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    const char *p = line;
    uint64_t address = 0;
    uint64_t size = 0;
    if (strncmp(p, "==", 2) == 0 || strncmp(p, "--", 2) == 0 || p[strspn(p, " \t")] == '\0') {
        return true;
    }
    if (strncmp(p, "SB ", 3) == 0) {
        gmmu_import_skip(r->own, "superblocks", "");
        return true;
    }
    p += *p == ' ' ? 1 : 0;
    char kind = *p;
    if ((kind == 'I') != (p == line)) {
        kind = '\0';  // all but I stand behind a blank
    }
    NEED(kind == 'I' || kind == 'L' || kind == 'S' || kind == 'M',
         "\"I  \", \" L \", \" S \" or \" M \"");
    p++;
    NEED(gmmu_scan_digits(&p, 16, &address) && *p == ',', "an address in hexadecimal and a comma");
    p++;
    NEED(gmmu_scan_digits(&p, 10, &size) && size <= IMPORT_BYTES && p[strspn(p, " \t")] == '\0',
         "a size of at most 2^40 bytes at the line's end");
    if (kind == 'I') {
        gmmu_import_skip(r->own, "instruction fetches", "");
    } else {
        gmmu_import_range(r->own, address, size == 0 ? 1 : size, (gmmu_walk){.write = kind != 'L'});
    }
    return true;
}

static const gmmu_importer importer = {
    .shift = USUAL_SHIFT,
    .record = gmmu_import_record,
    .line = line_in,
};

const gmmu_form_kind gmmu_form_lackey = {.name = "lackey", GMMU_IMPORTED(importer)};
