// SPDX-License-Identifier: Apache-2.0
// mooncake.c: reads the requests of Mooncake's traces: a JSON object a line, with the blocks of the
// KV cache that the prompt consists of (docs/reference/formats.md, "Imported traces").
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "trace/import.h"

typedef struct {
    json_t *request;  // that is being given; NULL: none
    json_t *blocks;   // in it
    size_t at;        // next block
    uint64_t time;
} requests;

static void dispose(void *form) {
    if (form != NULL) {
        json_decref(((requests *)form)->request);
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

// Compares REQUEST with the form.
static bool check(gmmu_import *m, const json_t *request, refusal *no) {
    if (json_typeof(request) != JSON_OBJECT) {
        return gmmu_refused(no, show(m, request), "an object with timestamp and hash_ids");
    }
    const json_t *time = json_object_get(request, "timestamp");
    const json_t *blocks = json_object_get(request, "hash_ids");
    if (!json_is_integer(time) || json_integer_value(time) < 0) {
        return gmmu_refused(no, show(m, time), "a timestamp, a whole number");
    }
    if (!json_is_array(blocks)) {
        return gmmu_refused(no, show(m, blocks), "hash_ids, a list of whole numbers");
    }
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *block = json_array_get(blocks, i);
        if (json_typeof(block) != JSON_INTEGER || json_integer_value(block) < 0) {
            return gmmu_refused(no, show(m, block), "a whole number in hash_ids");
        }
    }
    return true;
}

// A line of LENGTH bytes becomes the request that is being given.
static bool take_request(gmmu_reader *r, const char *line, size_t length, refusal *no) {
    gmmu_import *m = r->own;
    requests *q = m->form;
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
        return gmmu_refused(no, m->found, "a request as a JSON object");
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
    *q = (requests){.request = request,
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

static void more(gmmu_import *m) {
    requests *q = m->form;
    if (q->request == NULL) {
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
        *q = (requests){0};
    }
}

// A line may be as long as the buffer.
static int record(gmmu_reader *r, gmmu_error *err) {
    size_t length = 0;
    size_t whole = 0;
    if (!gmmu_bytes_ready(&r->in, err)) {
        return GMMU_BAD;
    }
    if (r->in.at == r->in.end) {
        return GMMU_END;
    }
    r->line++;
    while (!r->in.ended && r->in.end - r->in.at < BUFFER &&
           memchr(r->in.at, '\n', (size_t)(r->in.end - r->in.at)) == NULL) {
        if (!gmmu_bytes_refill(&r->in, err)) {
            return GMMU_BAD;
        }
    }
    if (!gmmu_import_measure(r, BUFFER - 2, &length, &whole, err)) {
        return GMMU_BAD;
    }
    refusal no = {.at = "", .expected = ""};
    if (!take_request(r, r->in.at, length, &no)) {
        return gmmu_import_refuse(r, &no, err);
    }
    r->in.at += whole;
    return GMMU_OK;
}

static const gmmu_importer importer = {
    .size = sizeof(requests),
    .shift = USUAL_SHIFT,
    .record = record,
    .more = more,
    .free = dispose,
};

const gmmu_form_kind gmmu_form_mooncake = {
    .name = "mooncake", .identities = true, GMMU_IMPORTED(importer)};
