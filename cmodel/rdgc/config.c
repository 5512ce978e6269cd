// SPDX-License-Identifier: Apache-2.0
// config.c: the parameters of the GPU cache model by name, their defaults, their limits.
#include "rdgc/config.h"

#include <inttypes.h>
#include <string.h>

typedef enum { NUMBER, SIZE, WIDE, MILLI, WORD, INDEX, LATENCY, YES } form;

static const char *const replacements[] = {"lru", "lfu", "fifo", "random", "nru", NULL};
static const char *const bypasses[] = {"off", "won", "rwon", NULL};
static const char *const arrivals[] = {"start", "end", NULL};
static const char *const indexes[] = {"mod", "smod", "pri", "xor", "fermi", NULL};
static const char *const merges[] = {"miss", "hit", NULL};
static const char *const allocates[] = {"fill", "miss", NULL};
static const char *const schedules[] = {"lists", "lrr", "gto", "loose", NULL};
static const char *const atomics[] = {"write", "past", NULL};
static const char *const answers[] = {"no", "yes", NULL};
static const char *const mappings[] = {"rr", "bpart1", "bpart2", "rand", "demand", NULL};

typedef struct {
    const char *name;
    form form;
    size_t offset;             // in gmmu_rdgc_config
    const char *const *words;  // of a choice, in the order of its enum
    uint64_t low, high;        // of NUMBER and MILLI (in thousandths); of LATENCY the steps
    const char *expected;      // of the forms that are no number
} parameter;

#define AT(field) offsetof(gmmu_rdgc_config, field)
#define IN(cache, field) ((cache) + offsetof(gmmu_rdgc_cache_config, field))
#define COUNT(name, offset, low, high) \
    { name, NUMBER, offset, NULL, low, high, NULL }
#define THOUSANDTHS(name, offset) \
    { name, MILLI, offset, NULL, 0, GMMU_RDGC_MAX_LATENCY *UINT64_C(1000), NULL }
#define CHOICE(name, form, offset, words, expected) \
    { name, form, offset, words, 0, GMMU_RDGC_MAX_SHIFT, expected }
#define OTHER(name, form, offset, low, high, expected) \
    { name, form, offset, NULL, low, high, expected }

// NAME: "l1" or "l2"; CACHE: offset of its parameters.
#define CACHE(name, cache)                                                                         \
    OTHER(name ".size", SIZE, IN(cache, capacity), 1, UINT64_C(1) << 40,                           \
          "bytes, or with K or M behind"),                                                         \
        COUNT(name ".ways", IN(cache, ways), 1, GMMU_RDGC_MAX_WAYS),                               \
        COUNT(name ".block", IN(cache, block), GMMU_RDGC_MIN_BLOCK, GMMU_RDGC_MAX_BLOCK),          \
        COUNT(name ".partitions", IN(cache, partitions), 1, GMMU_RDGC_MAX_PARTITIONS),             \
        COUNT(name ".banks", IN(cache, banks), 1, GMMU_RDGC_MAX_BANKS),                            \
        COUNT(name ".ports", IN(cache, ports), 1, GMMU_RDGC_MAX_PORTS),                            \
        COUNT(name ".partition_chunk", IN(cache, partition_chunk), 1, GMMU_RDGC_MAX_CHUNK),        \
        COUNT(name ".bank_chunk", IN(cache, bank_chunk), 1, GMMU_RDGC_MAX_CHUNK),                  \
        CHOICE(name ".index", INDEX, IN(cache, index), indexes, "mod, smod-n, pri, xor or fermi"), \
        CHOICE(name ".replace", WORD, IN(cache, replacement), replacements,                        \
               "lru, lfu, fifo, random or nru"),                                                   \
        CHOICE(name ".bypass", WORD, IN(cache, bypass), bypasses, "off, won or rwon"),             \
        COUNT(name ".mshr_sets", IN(cache, mshr_sets), 1, GMMU_RDGC_MAX_PARTITIONS),               \
        COUNT(name ".mshrs", IN(cache, mshrs), 1, GMMU_RDGC_MAX_MSHRS),                            \
        COUNT(name ".merges", IN(cache, merges), 0, GMMU_RDGC_MAX_MERGES),                         \
        OTHER(name ".latency", LATENCY, IN(cache, latency), 1, GMMU_RDGC_MAX_LATENCY,              \
              "steps or adaptive"),                                                                \
        THOUSANDTHS(name ".k1", IN(cache, k1)), THOUSANDTHS(name ".k2", IN(cache, k2)),            \
        CHOICE(name ".arrival", WORD, IN(cache, arrival), arrivals, "start or end"),               \
        CHOICE(name ".merged", YES, IN(cache, merged), merges, "miss or hit"),                     \
        CHOICE(name ".allocate", WORD, IN(cache, allocate), allocates, "fill or miss"),            \
        COUNT(name ".hit", IN(cache, hit), 1, GMMU_RDGC_MAX_LATENCY)

static const parameter parameters[] = {
    CACHE("l1", AT(l1)),
    CACHE("l2", AT(l2)),
    COUNT("sms", AT(sms), 1, GMMU_RDGC_MAX_SMS),
    COUNT("schedulers", AT(schedulers), 1, GMMU_RDGC_MAX_SCHEDULERS),
    COUNT("max_warps", AT(max_warps), 1, GMMU_RDGC_MAX_INFLIGHT),
    COUNT("max_blocks", AT(max_blocks), 1, GMMU_RDGC_MAX_INFLIGHT),
    CHOICE("mapping", WORD, AT(mapping), mappings, "rr, bpart1, bpart2, rand or demand"),
    CHOICE("schedule", WORD, AT(schedule), schedules, "lists, lrr, gto or loose"),
    COUNT("reads", AT(reads), 1, GMMU_RDGC_MAX_READS),
    COUNT("gap", AT(gap), 1, GMMU_RDGC_MAX_LATENCY),
    CHOICE("atomics", WORD, AT(atomics), atomics, "write or past"),
    CHOICE("quads", YES, AT(quads), answers, "yes or no"),
    CHOICE("keep_l1", YES, AT(keep_l1), answers, "yes or no"),
    CHOICE("keep_l2", YES, AT(keep_l2), answers, "yes or no"),
    OTHER("seed", WIDE, AT(seed), 0, UINT64_MAX, "a number below 2^64"),
};
// What the text of a MILLI counts in.
#define UNIT(p) ((p)->form == MILLI ? 1000 : 1)
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

gmmu_rdgc_config gmmu_rdgc_defaults(void) {
    gmmu_rdgc_cache_config l1 = {.capacity = 32 << 10,
                                 .ways = 4,
                                 .block = 128,
                                 .partitions = 1,
                                 .banks = 1,
                                 .ports = 2,
                                 .partition_chunk = 1,
                                 .bank_chunk = 1,
                                 .index = GMMU_RDGC_PRI,
                                 .replacement = GMMU_RDGC_LRU,
                                 .bypass = GMMU_RDGC_WON,
                                 .mshr_sets = 1,
                                 .mshrs = 32,
                                 .merges = 8,
                                 .adaptive = true,
                                 .latency = 1,
                                 .k1 = 2000,
                                 .k2 = 250,
                                 .arrival = GMMU_RDGC_START,
                                 .merged = false,
                                 .allocate = GMMU_RDGC_ON_FILL,
                                 .hit = 1};
    gmmu_rdgc_cache_config l2 = l1;
    l2.capacity = 1024 << 10;
    l2.ways = 8;
    l2.partitions = 4;
    l2.banks = 2;
    l2.ports = 1;
    l2.bypass = GMMU_RDGC_OFF;
    l2.mshr_sets = 4;
    return (gmmu_rdgc_config){.l1 = l1,
                              .l2 = l2,
                              .sms = 8,
                              .schedulers = 4,
                              .max_warps = 64,
                              .max_blocks = 32,
                              .mapping = GMMU_RDGC_RR,
                              .schedule = GMMU_RDGC_LISTS,
                              .reads = 1,
                              .gap = 1,
                              .atomics = GMMU_RDGC_AS_WRITES,
                              .quads = false,
                              .keep_l1 = false,
                              .keep_l2 = true,
                              .seed = 1};
}

// Decimal digits off *text; false if there are none or the value is above MOST.
static bool digits(const char **text, uint64_t most, uint64_t *value) {
    const char *p = *text;
    uint64_t v = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t d = (uint64_t)(*p - '0');
        if (v > (UINT64_MAX - d) / 10)
            return false;
        v = v * 10 + d;
    }
    bool some = p != *text;
    *text = p;
    *value = v;
    return some && v <= most;
}

// VALUE as a number of P's form: bytes, thousandths or as it is.
static bool number(const parameter *p, const char *value, uint64_t *out) {
    uint64_t v = 0;
    bool ok = digits(&value, UINT64_MAX, &v);
    uint64_t unit = 1;
    if (p->form == MILLI) {
        unit = 1000;
    } else if (p->form == SIZE && (*value == 'K' || *value == 'M')) {
        unit = *value++ == 'K' ? 1 << 10 : 1 << 20;
    }
    ok &= v <= p->high / unit;
    v *= ok ? unit : 0;
    if (p->form == MILLI && *value == '.') {
        uint64_t part = 0;
        const char *first = ++value;
        ok &= digits(&value, 999, &part);
        for (; value - first < 3; first--) part *= 10;
        ok &= value - first == 3;
        v += part;
    }
    *out = v;
    return ok && *value == '\0' && v >= p->low && v <= p->high;
}

static bool choice(const char *const *words, const char *value, uint64_t *out) {
    for (*out = 0; words[*out] != NULL; ++*out)
        if (strcmp(value, words[*out]) == 0)
            return true;
    return false;
}

// What P's field holds; of INDEX and LATENCY without the field beside it.
static uint64_t load(const gmmu_rdgc_config *c, const parameter *p) {
    const char *at = (const char *)c + p->offset;
    uint64_t wide = 0;
    uint32_t word = 0;
    bool yes = false;
    if (p->form == SIZE || p->form == WIDE) {
        memcpy(&wide, at, sizeof wide);
    } else if (p->form == YES) {
        memcpy(&yes, at, sizeof yes);
        wide = yes;
    } else {
        memcpy(&word, at, sizeof word);
        wide = word;
    }
    return wide;
}

static void store(gmmu_rdgc_config *c, const parameter *p, uint64_t value) {
    char *at = (char *)c + p->offset;
    uint32_t word = (uint32_t)value;
    bool yes = value != 0;
    if (p->form == SIZE || p->form == WIDE)
        memcpy(at, &value, sizeof value);
    else if (p->form == YES)
        memcpy(at, &yes, sizeof yes);
    else
        memcpy(at, &word, sizeof word);
}

static bool set(gmmu_rdgc_config *c, const parameter *p, const char *value) {
    gmmu_rdgc_cache_config *cache = p->offset < AT(l2) ? &c->l1 : &c->l2;
    uint64_t v = 0;
    if (p->form == LATENCY) {
        bool adaptive = strcmp(value, "adaptive") == 0;
        if (!adaptive && !number(p, value, &v))
            return false;
        cache->adaptive = adaptive;
        if (!adaptive)
            store(c, p, v);
        return true;
    }
    if (p->form == INDEX && strncmp(value, "smod", 4) == 0) {
        if (value[4] != '-' || !number(p, value + 5, &v))
            return false;
        cache->shift = (uint32_t)v;
        v = GMMU_RDGC_SMOD;
    } else if (p->words != NULL ? !choice(p->words, value, &v) : !number(p, value, &v)) {
        return false;
    }
    store(c, p, v);
    return true;
}

int gmmu_rdgc_config_set(gmmu_rdgc_config *c, const char *key, const char *value, gmmu_error *err) {
    for (size_t i = 0; i < PARAMETERS; i++) {
        const parameter *p = &parameters[i];
        if (strcmp(key, p->name) != 0)
            continue;
        if (set(c, p, value))
            return GMMU_OK;
        if (p->expected != NULL)
            snprintf(err->text, sizeof err->text, "%s: found \"%.100s\", expected %s", key, value,
                     p->expected);
        else
            snprintf(err->text, sizeof err->text,
                     "%s: found \"%.100s\", expected %" PRIu64 " to %" PRIu64 "%s", key, value,
                     p->low / UNIT(p), p->high / UNIT(p),
                     p->form == MILLI ? " with at most three decimals" : "");
        return GMMU_BAD;
    }
    snprintf(err->text, sizeof err->text,
             "found \"%.100s\", expected a parameter as l1.ways or sms", key);
    return GMMU_BAD;
}

const char *gmmu_rdgc_config_key(size_t i) {
    return i < PARAMETERS ? parameters[i].name : NULL;
}

void gmmu_rdgc_config_get(const gmmu_rdgc_config *c, size_t i, char *text, size_t size) {
    const parameter *p = &parameters[i];
    const gmmu_rdgc_cache_config *cache = p->offset < AT(l2) ? &c->l1 : &c->l2;
    uint64_t v = load(c, p);
    if (p->form == LATENCY && cache->adaptive)
        snprintf(text, size, "adaptive");
    else if (p->form == INDEX && v == GMMU_RDGC_SMOD)
        snprintf(text, size, "smod-%" PRIu32, cache->shift);
    else if (p->words != NULL)
        snprintf(text, size, "%s", p->words[v]);
    else if (p->form == MILLI)
        snprintf(text, size, "%" PRIu64 ".%03u", v / 1000, (unsigned)(v % 1000));
    else
        snprintf(text, size, "%" PRIu64, v);
}

// The field of parameter P, by its limits.
static int check_field(const gmmu_rdgc_config *c, const parameter *p, const char *name,
                       const char *key, gmmu_error *err) {
    uint64_t v = load(c, p);
    uint64_t low = p->low;
    uint64_t high = p->high;
    if (p->words != NULL) {
        low = 0;
        for (high = 0; p->words[high + 1] != NULL;) high++;
    }
    if (v >= low && v <= high)
        return GMMU_OK;
    snprintf(err->text, sizeof err->text,
             "%s%s: found %" PRIu64 ", expected %" PRIu64 " to %" PRIu64 "%s", name, key, v, low,
             high, p->form == MILLI ? " thousandths" : "");
    return GMMU_BAD;
}

int gmmu_rdgc_cache_check(const gmmu_rdgc_cache_config *c, const char *name, gmmu_error *err) {
    gmmu_rdgc_config whole = {.l1 = *c};
    for (const parameter *p = parameters; p->offset < AT(l2); p++)
        if (check_field(&whole, p, name, p->name + 3, err) != GMMU_OK)
            return GMMU_BAD;
    uint64_t row = (uint64_t)c->block * c->ways * c->partitions * c->banks;
    if (c->shift > GMMU_RDGC_MAX_SHIFT)
        snprintf(err->text, sizeof err->text,
                 "%sindex: found smod-%" PRIu32 ", expected smod-0 to smod-%d", name, c->shift,
                 GMMU_RDGC_MAX_SHIFT);
    else if ((c->block & (c->block - 1)) != 0)
        snprintf(err->text, sizeof err->text, "%sblock: found %" PRIu32 ", expected a power of two",
                 name, c->block);
    else if (c->capacity % row != 0)
        snprintf(err->text, sizeof err->text,
                 "%ssize: found %" PRIu64 ", expected a multiple of %" PRIu64
                 " (block, ways, partitions and banks)",
                 name, c->capacity, row);
    else if (c->capacity / c->block > GMMU_RDGC_MAX_LINES)
        snprintf(err->text, sizeof err->text,
                 "%ssize: found %" PRIu64 " blocks, expected at most %u", name,
                 c->capacity / c->block, GMMU_RDGC_MAX_LINES);
    else if (c->index == GMMU_RDGC_FERMI && c->capacity / row != 32 && c->capacity / row != 64)
        snprintf(err->text, sizeof err->text,
                 "%sindex: found fermi with %" PRIu64 " sets, expected it with 32 or 64", name,
                 c->capacity / row);
    else if (c->allocate == GMMU_RDGC_ON_MISS &&
             (c->replacement == GMMU_RDGC_LFU || c->replacement == GMMU_RDGC_RANDOM))
        snprintf(err->text, sizeof err->text,
                 "%sallocate: found miss with replace = %s, expected it with lru, fifo or nru",
                 name, replacements[c->replacement]);
    else if (c->mshr_sets > c->partitions)
        snprintf(err->text, sizeof err->text,
                 "%smshr_sets: found %" PRIu32 ", expected at most partitions = %" PRIu32, name,
                 c->mshr_sets, c->partitions);
    else
        return GMMU_OK;
    return GMMU_BAD;
}

int gmmu_rdgc_config_check(const gmmu_rdgc_config *c, gmmu_error *err) {
    if (gmmu_rdgc_cache_check(&c->l1, "l1.", err) != GMMU_OK ||
        gmmu_rdgc_cache_check(&c->l2, "l2.", err) != GMMU_OK)
        return GMMU_BAD;
    for (const parameter *p = parameters; p < parameters + PARAMETERS; p++)
        if (p->offset >= AT(sms) && check_field(c, p, "", p->name, err) != GMMU_OK)
            return GMMU_BAD;
    if (c->mapping == GMMU_RDGC_DEMAND && c->schedule == GMMU_RDGC_LISTS) {
        snprintf(err->text, sizeof err->text,
                 "mapping: found demand with schedule = lists, expected it with lrr, gto or loose");
        return GMMU_BAD;
    }
    if (c->l1.block / c->l2.block <= GMMU_RDGC_MAX_SECTORS)
        return GMMU_OK;
    snprintf(err->text, sizeof err->text,
             "l1.block: found %" PRIu32 ", expected at most %d times l2.block = %" PRIu32,
             c->l1.block, GMMU_RDGC_MAX_SECTORS, c->l2.block);
    return GMMU_BAD;
}
