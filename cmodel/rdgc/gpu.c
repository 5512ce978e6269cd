// SPDX-License-Identifier: Apache-2.0
// gpu.c: descriptions of GPUs: `key = value` a line, # begins a comment.
#include "rdgc/gpu.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ENTRIES = 1 << 20,  // of a TLB
    MIN_SHIFT = 9,          // of a page
    MAX_SHIFT = 30,
    MAX_LINE = 256,  // bytes of key or value; longer ones are cut in messages only
    MAX_KEYS = 64
};

// Keys beside those of the cache model, in the order in which they are listed: the name first.
enum { NAME, L1_TLB, L2_TLB, L2_TLB_WAYS, PAGE_SIZES, OWN_KEYS };
static const char *const own_keys[OWN_KEYS] = {"name", "l1_tlb", "l2_tlb", "l2_tlb_ways",
                                               "page_sizes"};

static int bad(gmmu_error *err, const char *format, ...) {
    va_list list;
    va_start(list, format);
    (void)vsnprintf(err->text, sizeof err->text, format, list);
    va_end(list);
    return GMMU_BAD;
}

gmmu_gpu gmmu_gpu_defaults(void) {
    return (gmmu_gpu){.name = "no name",
                      .rdgc = gmmu_rdgc_defaults(),
                      .l1_tlb = 128,
                      .l2_tlb = 512,
                      .l2_tlb_ways = 16,
                      .page_shift = {12, 16, 21},
                      .page_sizes = 3};
}

static int set_name(gmmu_gpu *g, const char *value, gmmu_error *err) {
    size_t length = strlen(value);
    if (length == 0 || length >= sizeof g->name) {
        return bad(err, "name: found %zu bytes, expected 1 to %zu", length, sizeof g->name - 1);
    }
    memcpy(g->name, value, length + 1);
    return GMMU_OK;
}

static int set_entries(uint32_t *entries, const char *key, uint32_t least, const char *value,
                       gmmu_error *err) {
    char *end = NULL;
    unsigned long n = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || n < least || n > MAX_ENTRIES) {
        return bad(err, "%s: found \"%.60s\", expected %" PRIu32 " to %d", key, value, least,
                   MAX_ENTRIES);
    }
    *entries = (uint32_t)n;
    return GMMU_OK;
}

// log2 of the page size at *text, which goes behind it; 0: there is none.
static uint32_t page_shift(const char **text) {
    char *end = NULL;
    unsigned long size = **text >= '0' && **text <= '9' ? strtoul(*text, &end, 10) : 0;
    if (size == 0 || size > 1UL << MAX_SHIFT) {
        return 0;
    }
    uint32_t shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    *text = end + (shift != 0 ? 1 : 0);
    for (; size % 2 == 0; size /= 2) {
        shift++;
    }
    return size == 1 && shift >= MIN_SHIFT && shift <= MAX_SHIFT ? shift : 0;
}

static int set_pages(gmmu_gpu *g, const char *value, gmmu_error *err) {
    uint32_t shift[GMMU_GPU_PAGES];
    uint32_t n = 0;
    const char *at = value;
    for (bool more = true; more; n++) {
        uint32_t s = n < GMMU_GPU_PAGES ? page_shift(&at) : 0;
        bool good = s != 0 && (*at == ',' || *at == '\0');
        for (uint32_t i = 0; good && i < n; i++) {
            good = shift[i] != s;
        }
        if (!good) {
            return bad(
                err,
                "page_sizes: found \"%.60s\", expected up to %d different powers of two from "
                "512 to 1024M, as 4K,64K,2M",
                value, GMMU_GPU_PAGES);
        }
        shift[n] = s;
        more = *at++ == ',';
    }
    memcpy(g->page_shift, shift, n * sizeof *shift);
    g->page_sizes = n;
    return GMMU_OK;
}

// Which of the own keys KEY is; OWN_KEYS: none.
static size_t own_key(const char *key) {
    size_t i = 0;
    while (i < OWN_KEYS && strcmp(key, own_keys[i]) != 0) {
        i++;
    }
    return i;
}

int gmmu_gpu_set(gmmu_gpu *g, const char *key, const char *value, gmmu_error *err) {
    switch (own_key(key)) {
        case NAME:
            return set_name(g, value, err);
        case L1_TLB:
            return set_entries(&g->l1_tlb, key, 0, value, err);
        case L2_TLB:
            return set_entries(&g->l2_tlb, key, 0, value, err);
        case L2_TLB_WAYS:
            return set_entries(&g->l2_tlb_ways, key, 1, value, err);
        case PAGE_SIZES:
            return set_pages(g, value, err);
        default:
            return gmmu_rdgc_config_set(&g->rdgc, key, value, err);
    }
}

int gmmu_gpu_check(const gmmu_gpu *g, gmmu_error *err) {
    if (g->l2_tlb % g->l2_tlb_ways != 0) {
        return bad(err, "l2_tlb: found %" PRIu32 ", expected a multiple of l2_tlb_ways = %" PRIu32,
                   g->l2_tlb, g->l2_tlb_ways);
    }
    return gmmu_rdgc_config_check(&g->rdgc, err);
}

// The keys: the name, those of the cache model, the TLBs'.
const char *gmmu_gpu_key(size_t i) {
    size_t model = 0;
    while (gmmu_rdgc_config_key(model) != NULL) {
        model++;
    }
    if (i >= 1 && i <= model) {
        return gmmu_rdgc_config_key(i - 1);
    }
    i -= i > model ? model : 0;
    return i < OWN_KEYS ? own_keys[i] : NULL;
}

static int pages_text(const gmmu_gpu *g, char *text, size_t size) {
    int used = 0;
    for (uint32_t i = 0; i < g->page_sizes; i++) {
        uint32_t s = g->page_shift[i];
        used += snprintf(text + used, size - (size_t)used, "%s%u%s", i == 0 ? "" : ",",
                         1U << s % 10 << (s == MAX_SHIFT ? 10 : 0),
                         s < 10   ? ""
                         : s < 20 ? "K"
                                  : "M");
    }
    return used;
}

void gmmu_gpu_get(const gmmu_gpu *g, size_t i, char *text, size_t size) {
    switch (own_key(gmmu_gpu_key(i))) {
        case NAME:
            (void)snprintf(text, size, "%s", g->name);
            break;
        case L1_TLB:
            (void)snprintf(text, size, "%" PRIu32, g->l1_tlb);
            break;
        case L2_TLB:
            (void)snprintf(text, size, "%" PRIu32, g->l2_tlb);
            break;
        case L2_TLB_WAYS:
            (void)snprintf(text, size, "%" PRIu32, g->l2_tlb_ways);
            break;
        case PAGE_SIZES:
            (void)pages_text(g, text, size);
            break;
        default:
            gmmu_rdgc_config_get(&g->rdgc, i - 1, text, size);
    }
}

// One description while it is read.
typedef struct {
    gmmu_gpu *gpu;
    const char *file;
    unsigned line;
    bool seen[MAX_KEYS];
} reading;

// Puts file and line before what *err says.
static int at_line(const reading *r, gmmu_error *err) {
    char said[sizeof err->text];
    memcpy(said, err->text, sizeof said);
    return bad(err, "%.200s:%u: %.250s", r->file, r->line, said);
}

// Cuts blanks off both ends of the N bytes at TEXT, into OUT.
static bool trimmed(const char *text, size_t n, char out[MAX_LINE]) {
    while (n > 0 && isspace((unsigned char)text[0])) {
        text++;
        n--;
    }
    while (n > 0 && isspace((unsigned char)text[n - 1])) {
        n--;
    }
    if (n >= MAX_LINE) {
        return false;
    }
    memcpy(out, text, n);
    out[n] = '\0';
    return true;
}

static int take_line(reading *r, const char *text, size_t n, gmmu_error *err) {
    char key[MAX_LINE];
    char value[MAX_LINE];
    const char *comment = memchr(text, '#', n);
    n = comment != NULL ? (size_t)(comment - text) : n;
    const char *equals = memchr(text, '=', n);
    size_t left = equals != NULL ? (size_t)(equals - text) : n;
    size_t right = equals != NULL ? n - left - 1 : 0;
    if (!trimmed(text, left, key) || !trimmed(text + n - right, right, value)) {
        (void)bad(err, "found a key or value of more than %d bytes, expected key = value",
                  MAX_LINE - 1);
        return at_line(r, err);
    }
    if (equals == NULL && key[0] == '\0') {
        return GMMU_OK;
    }
    if (equals == NULL) {
        (void)bad(err, "found \"%.60s\", expected key = value", key);
        return at_line(r, err);
    }
    if (gmmu_gpu_set(r->gpu, key, value, err) != GMMU_OK) {
        return at_line(r, err);
    }
    size_t i = 0;
    while (strcmp(gmmu_gpu_key(i), key) != 0) {
        i++;
    }
    if (r->seen[i]) {
        (void)bad(err, "found %s a second time, expected it once", key);
        return at_line(r, err);
    }
    r->seen[i] = true;
    return GMMU_OK;
}

int gmmu_gpu_parse(gmmu_gpu *g, const char *text, const char *name, gmmu_error *err) {
    *g = gmmu_gpu_defaults();
    reading r = {.gpu = g, .file = name, .line = 1};
    for (const char *at = text; *at != '\0'; r.line++) {
        const char *end = strchr(at, '\n');
        size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
        if (take_line(&r, at, n, err) != GMMU_OK) {
            return GMMU_BAD;
        }
        at += n + (end != NULL ? 1 : 0);
    }
    if (gmmu_gpu_check(g, err) == GMMU_OK) {
        return GMMU_OK;
    }
    char said[sizeof err->text];
    memcpy(said, err->text, sizeof said);
    return bad(err, "%.200s: %.250s", name, said);
}

int gmmu_gpu_read(gmmu_gpu *g, FILE *in, const char *name, gmmu_error *err) {
    char text[GMMU_GPU_TEXT + 1];
    size_t n = fread(text, 1, sizeof text, in);
    if (ferror(in)) {
        return bad(err, "%.200s: %s, expected a GPU description", name, strerror(errno));
    }
    if (n == sizeof text || memchr(text, '\0', n) != NULL) {
        return bad(err, "%.200s: found %s, expected a GPU description", name,
                   n == sizeof text ? "more than 64 KB" : "a byte 0");
    }
    text[n] = '\0';
    return gmmu_gpu_parse(g, text, name, err);
}

int gmmu_gpu_find(gmmu_gpu *g, const char *name_or_path, gmmu_error *err) {
    for (const gmmu_gpu_file *f = gmmu_gpu_files; f->name != NULL; f++) {
        if (strcmp(f->name, name_or_path) == 0) {
            return gmmu_gpu_parse(g, f->text, name_or_path, err);
        }
    }
    FILE *in = fopen(name_or_path, "r");
    if (in == NULL) {
        char names[128] = "";
        for (const gmmu_gpu_file *f = gmmu_gpu_files; f->name != NULL; f++) {
            size_t used = strlen(names);
            (void)snprintf(names + used, sizeof names - used, "%s, ", f->name);
        }
        return bad(err, "%.200s: %s, expected %sor a file", name_or_path, strerror(errno), names);
    }
    int status = gmmu_gpu_read(g, in, name_or_path, err);
    (void)fclose(in);
    return status;
}
