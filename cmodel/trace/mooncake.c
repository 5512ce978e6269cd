// SPDX-License-Identifier: Apache-2.0
// mooncake.c: reads the requests of Mooncake's traces: a JSON object a line, with the blocks of the
// KV cache that the prompt consists of (docs/formats.md, "Imported traces").
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "trace/import.h"

struct gmmu_requests {
    json_t *request;  // that is being given; NULL: none
    json_t *blocks;   // in it
    size_t at;        // next block
    uint64_t time;
};

bool gmmu_requests_open(gmmu_reader *r, gmmu_error *err) {
    r->import->requests = calloc(1, sizeof *r->import->requests);
    if (r->import->requests == NULL) {
        FAIL(err, r->name, 0, "out of memory");
        return false;
    }
    return true;
}

void gmmu_requests_free(gmmu_requests *q) {
    if (q != NULL) {
        json_decref(q->request);
        free(q);
    }
}

// Adds a part of a value's text to what was found, as far as there is room.
static int add_part(const char *part, size_t size, void *context) {
    gmmu_import *m = context;
    size_t used = strlen(m->found);
    (void)snprintf(m->found + used, sizeof m->found - used, "%.*s", (int)size, part);
    return 0;
}

// What VALUE is, for a message.
static const char *show(gmmu_import *m, const json_t *value) {
    (void)snprintf(m->found, sizeof m->found, "%s", value == NULL ? "nothing" : "");
    (void)json_dump_callback(value, add_part, m, JSON_ENCODE_ANY | JSON_COMPACT);
    return m->found;
}

static bool refused(refusal *no, const char *found, const char *expected) {
    *no = (refusal){.at = found, .expected = expected};
    return false;
}

// Compares REQUEST with the form.
static bool check(gmmu_import *m, const json_t *request, refusal *no) {
    if (json_typeof(request) != JSON_OBJECT) {
        return refused(no, show(m, request), "an object with timestamp and hash_ids");
    }
    const json_t *time = json_object_get(request, "timestamp");
    const json_t *blocks = json_object_get(request, "hash_ids");
    if (!json_is_integer(time) || json_integer_value(time) < 0) {
        return refused(no, show(m, time), "a timestamp, a whole number");
    }
    if (!json_is_array(blocks)) {
        return refused(no, show(m, blocks), "hash_ids, a list of whole numbers");
    }
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *block = json_array_get(blocks, i);
        if (json_typeof(block) != JSON_INTEGER || json_integer_value(block) < 0) {
            return refused(no, show(m, block), "a whole number in hash_ids");
        }
    }
    return true;
}

bool gmmu_requests_line(gmmu_reader *r, const char *line, size_t length, refusal *no) {
    gmmu_import *m = r->import;
    gmmu_requests *q = m->requests;
    json_error_t error;
    size_t start = 0;
    while (start < length && (line[start] == ' ' || line[start] == '\t')) {
        start++;
    }
    if (start == length) {
        return true;  // a blank line
    }
    json_t *request = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (request == NULL) {
        (void)snprintf(m->found, sizeof m->found, "column %d: %s", error.column, error.text);
        return refused(no, m->found, "a request as a JSON object");
    }
    if (!check(m, request, no)) {
        json_decref(request);
        return false;
    }
    json_t *blocks = json_object_get(request, "hash_ids");
    if (json_array_size(blocks) == 0) {
        gmmu_import_skip(m, "requests without blocks", "");
        json_decref(request);
        return true;
    }
    *q = (gmmu_requests){
        .request = request,
        .blocks = blocks,
        .time = (uint64_t)json_integer_value(json_object_get(request, "timestamp"))};
    return true;
}

// The class of a block by its place in the prompt: 0, 1, 2…3, 4…7, … are 0, 1, 2, 3, …
static uint64_t place_class(size_t place) {
    uint64_t bits = 0;
    for (; place != 0; place >>= 1) {
        bits++;
    }
    return bits;
}

void gmmu_requests_fill(gmmu_import *m) {
    gmmu_requests *q = m->requests;
    if (q == NULL || q->request == NULL) {
        return;
    }
    size_t size = json_array_size(q->blocks);
    for (; q->at < size && m->count < IMPORT_WALKS; q->at++) {
        const json_t *block = json_array_get(q->blocks, q->at);
        m->walks[m->count++] = (gmmu_walk){
            .vpn = (uint64_t)json_integer_value(block), .ref = place_class(q->at), .time = q->time};
    }
    if (q->at == size) {
        json_decref(q->request);
        *q = (gmmu_requests){0};
    }
}
