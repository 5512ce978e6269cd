// SPDX-License-Identifier: Apache-2.0
// sweep_jobs.c: see sweep_jobs.h.
#include "cli/sweep_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "policy/plugin.h"
#include "sweep/sha256.h"

static bool no_memory(gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "out of memory");
    return false;
}

static bool same_form(const gmmu_source_form *a, const gmmu_source_form *b) {
    return a->form == b->form && a->coarse_shift == b->coarse_shift;  // the rest is of the command
}

// The number of the trace at PATH, read as FROM says; a new one if there is none. SIZE_MAX: no
// memory.
static size_t trace_of(sweep_jobs *j, size_t *room, const char *path,
                       const gmmu_source_form *from) {
    for (size_t i = 0; i < j->trace_count; i++) {
        if (strcmp(j->traces[i].path, path) == 0 && same_form(&j->traces[i].from, from)) {
            return i;
        }
    }
    if (j->trace_count == *room) {
        const size_t more = *room == 0 ? 64 : 2 * *room;
        sweep_trace *bigger = gmmu_grow(j->traces, *room, more, sizeof *bigger, 0);
        if (bigger == NULL) {
            return SIZE_MAX;
        }
        j->traces = bigger;
        *room = more;
    }
    j->traces[j->trace_count] = (sweep_trace){.path = path, .from = *from};
    return j->trace_count++;
}

// A configuration changes nothing for a policy: an earlier one has the same line.
static bool is_again(const sweep_matrix *m, size_t setting, const gmmu_choice *choice) {
    const size_t each = m->policy_count / m->setting_count;
    const sweep_setting *s = &m->settings[setting];
    const size_t policy = (size_t)(choice - m->policies) % each;
    for (size_t i = 0; i < setting; i++) {
        const sweep_setting *t = &m->settings[i];
        if (same_form(&s->from, &t->from) && s->tiers == t->tiers &&
            strcmp(s->tier2.text, t->tier2.text) == 0 && s->as_opt == t->as_opt &&
            s->seed == t->seed &&
            strcmp(m->policies[i * each + policy].label, choice->label) == 0) {
            return true;
        }
    }
    return false;
}

// The lines of a matrix, whose traces are known by their numbers NUMBERS, setting by setting.
static bool add_lines(sweep_jobs *j, const sweep_matrix *m, const size_t *numbers, size_t *room,
                      gmmu_error *err) {
    const size_t each = m->policy_count / m->setting_count;
    const size_t more = j->line_count + m->trace_count * m->policy_count * m->size_count;
    sweep_line *lines = gmmu_grow(j->lines, *room, more, sizeof *lines, 0);
    if (lines == NULL) {
        return no_memory(err);
    }
    j->lines = lines;
    *room = more;
    for (size_t t = 0; t < m->trace_count; t++) {
        for (size_t p = 0; p < m->policy_count; p++) {
            const size_t s = p / each;
            if (is_again(m, s, &m->policies[p])) {
                continue;
            }
            for (size_t k = 0; k < m->size_count; k++) {
                lines[j->line_count++] =
                    (sweep_line){.matrix = m,
                                 .setting = &m->settings[s],
                                 .choice = &m->policies[p],
                                 .size = &m->sizes[k],
                                 .name = m->traces[t],
                                 .job = numbers[t * m->setting_count + s]};  // at first the trace
            }
        }
    }
    return true;
}

static bool expand(sweep_jobs *j, const sweep_plan *plan, gmmu_error *err) {
    size_t trace_room = 0;
    size_t line_room = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const sweep_matrix *m = &plan->matrices[i];
        size_t *numbers = calloc(m->trace_count * m->setting_count, sizeof *numbers);
        bool good = numbers != NULL;
        for (size_t t = 0; good && t < m->trace_count * m->setting_count; t++) {
            numbers[t] = trace_of(j, &trace_room, m->paths[t / m->setting_count],
                                  &m->settings[t % m->setting_count].from);
            good = numbers[t] != SIZE_MAX;
        }
        good = good ? add_lines(j, m, numbers, &line_room, err) : no_memory(err);
        free(numbers);
        if (!good) {
            return false;
        }
    }
    return true;
}

// The policy without empty options. Their order stays: of some policies a later option overrules
// an earlier one.
static void add_policy(gmmu_sha256 *sum, const gmmu_choice *p) {
    gmmu_sha256_add(sum, p->policy->name, strlen(p->policy->name));
    for (const char *at = p->options; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ":");
        if (length != 0) {
            gmmu_sha256_add(sum, ":", 1);
            gmmu_sha256_add(sum, at, length);
        }
        at += at[length] == ':' ? length + 1 : length;
    }
}

// The digests of the plugins, in the order of loading.
typedef struct {
    char (*hex)[GMMU_SHA256_HEX];
    size_t count;
} plugin_digests;

static bool digest_plugins(plugin_digests *plugins, gmmu_error *err) {
    size_t count = 0;
    while (gmmu_plugin_path(count) != NULL) {
        count++;
    }
    plugins->hex = calloc(count + 1, sizeof *plugins->hex);
    bool good = plugins->hex != NULL || no_memory(err);
    for (; good && plugins->count < count; plugins->count++) {
        good =
            gmmu_sha256_file(gmmu_plugin_path(plugins->count), plugins->hex[plugins->count], err);
    }
    return good;
}

// The digest of the plugin that has POLICY; "": none has it.
static const char *plugin_of(const plugin_digests *plugins, const gmmu_policy *policy) {
    const char *path = gmmu_plugin_of(policy);
    for (size_t i = 0; path != NULL && i < plugins->count; i++) {
        if (strcmp(gmmu_plugin_path(i), path) == 0) {
            return plugins->hex[i];
        }
    }
    return "";
}

static void make_key(sweep_job *job, const char *identity, const plugin_digests *plugins) {
    char text[400];
    char hex[GMMU_SHA256_HEX];
    const sweep_trace *t = job->trace;
    const char *plugin = plugin_of(plugins, job->choice->policy);
    gmmu_sha256 sum = gmmu_sha256_start();
    (void)snprintf(text, sizeof text,
                   "gmmu sweep 1\nwalks %" PRIx64 " %" PRIu64 "\nhints %" PRIx64 " %" PRIu64
                   "\npage_shift %u\nframes %u\ntier2 %u\nseed %" PRIu64 "\nas_opt %d\nprogram ",
                   t->digest, t->walks, t->hint_digest, t->hints, t->page_shift, job->frames,
                   job->tier2, job->seed, job->as_opt ? 1 : 0);
    gmmu_sha256_add(&sum, text, strlen(text));
    gmmu_sha256_add(&sum, identity, strlen(identity));  // of any length
    (void)snprintf(text, sizeof text, "\nplugin %s\npolicy ", plugin);
    gmmu_sha256_add(&sum, text, strlen(text));
    add_policy(&sum, job->choice);
    gmmu_sha256_end(&sum, hex);
    (void)snprintf(job->key, sizeof job->key, "%.32s", hex);
}

// The job of a line. False: *err says why there is none.
static bool job_of(const sweep_line *line, sweep_job *job, gmmu_error *err) {
    const sweep_trace *t = line->trace;
    gmmu_size size = *line->size;
    gmmu_size tier2 = line->setting->tier2;
    if (!t->known) {
        *err = t->err;
        return false;
    }
    if (!gmmu_size_in_pages(&size, "--frames", t->page_shift, err) ||
        (line->setting->tiers && !gmmu_size_in_pages(&tier2, "--tier2", t->page_shift, err))) {
        return false;
    }
    *job = (sweep_job){.trace = t,
                       .choice = line->choice,
                       .frames = gmmu_size_frames(size, t->distinct),
                       .seed = line->setting->seed,
                       .as_opt = line->setting->as_opt,
                       .shard = 1};
    job->tier2 = line->setting->tiers ? gmmu_size_tier2(tier2, t->distinct, job->frames) : 0;
    return true;
}

typedef struct {
    char key[GMMU_STORE_KEY];
    size_t line;
} keyed;

static int by_key(const void *a, const void *b) {
    const keyed *x = a;
    const keyed *y = b;
    const int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

// One job for all lines with its key, and its lines' numbers of it.
static bool unite(sweep_jobs *j, const char *identity, const plugin_digests *plugins,
                  gmmu_error *err) {
    keyed *keys = calloc(j->line_count + 1, sizeof *keys);
    j->jobs = calloc(j->line_count + 1, sizeof *j->jobs);
    if (keys == NULL || j->jobs == NULL) {
        free(keys);
        return no_memory(err);
    }
    size_t count = 0;
    bool good = true;
    for (size_t i = 0; good && i < j->line_count; i++) {
        sweep_line *line = &j->lines[i];
        gmmu_error why;
        if (job_of(line, &j->jobs[i], &why)) {
            make_key(&j->jobs[i], identity, plugins);
            memcpy(keys[count].key, j->jobs[i].key, GMMU_STORE_KEY);
            keys[count++].line = i;
        } else {
            line->problem = strdup(why.text);
            good = line->problem != NULL;
        }
    }
    qsort(keys, count, sizeof *keys, by_key);
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        first = i == 0 || strcmp(keys[i].key, keys[i - 1].key) != 0 ? keys[i].line : first;
        j->lines[keys[i].line].job = first;
    }
    free(keys);
    // the first line of each job keeps it; jobs move together, and lines follow
    for (size_t i = 0; good && i < j->line_count; i++) {
        sweep_line *line = &j->lines[i];
        if (line->problem == NULL && line->job == i) {
            j->jobs[j->job_count] = j->jobs[i];
            line->job = j->job_count++;
        } else if (line->problem == NULL) {
            line->job = j->lines[line->job].job;
        }
    }
    return good || no_memory(err);
}

bool sweep_jobs_make(sweep_jobs *j, const sweep_plan *plan, unsigned threads, gmmu_store *store,
                     const char *identity, gmmu_error *err) {
    *j = (sweep_jobs){0};
    if (!expand(j, plan, err)) {
        return false;
    }
    for (size_t i = 0; i < j->line_count; i++) {
        j->lines[i].trace = &j->traces[j->lines[i].job];
    }
    sweep_traces_know(j->traces, j->trace_count, threads, store, identity);
    plugin_digests plugins = {0};
    const bool good = digest_plugins(&plugins, err) && unite(j, identity, &plugins, err);
    free(plugins.hex);
    return good;
}

void sweep_jobs_free(sweep_jobs *j) {
    for (size_t i = 0; i < j->line_count; i++) {
        free(j->lines[i].problem);
    }
    free(j->lines);
    free(j->jobs);
    free(j->traces);
    *j = (sweep_jobs){0};
}
