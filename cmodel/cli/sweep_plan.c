// SPDX-License-Identifier: Apache-2.0
// sweep_plan.c: see sweep_plan.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // asprintf
#endif
#include "cli/sweep_plan.h"

#include <glob.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/config.h"
#include "cli/parse.h"
#include "trace/pages.h"

enum { PLACE = 120 };

// Where a value stands in the plan, for messages.
typedef struct {
    const char *path;
    char place[PLACE];
} where;

static bool no_memory(gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "out of memory");
    return false;
}

static where inside(const where *w, const char *name) {
    where in = {.path = w->path};
    (void)snprintf(in.place, sizeof in.place, "%.80s%s%.30s", w->place,
                   w->place[0] == '\0' ? "" : ".", name);
    return in;
}

static where item(const where *w, size_t i) {
    where in = {.path = w->path};
    (void)snprintf(in.place, sizeof in.place, "%.90s[%zu]", w->place, i);
    return in;
}

static bool wrong(const where *w, const json_t *found, const char *expected, gmmu_error *err) {
    char *text = json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT);
    (void)snprintf(err->text, sizeof err->text, "%.150s: %s: found %.80s, expected %s", w->path,
                   w->place[0] == '\0' ? "the plan" : w->place, text == NULL ? "nothing" : text,
                   expected);
    free(text);
    return false;
}

// The same with what a parser of options has said.
static bool wrong_value(const where *w, gmmu_error *err) {
    const gmmu_error said = *err;
    (void)snprintf(err->text, sizeof err->text, "%.120s: %.80s: %.300s", w->path, w->place,
                   said.text);
    return false;
}

// Each member of OBJECT is one of the COUNT names.
static bool known_members(const where *w, const json_t *object, const char *const *names,
                          size_t count, const char *expected, gmmu_error *err) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)object, key, value) {
        bool known = false;
        for (size_t i = 0; i < count; i++) {
            known |= strcmp(key, names[i]) == 0;
        }
        if (!known) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.150s: %s: found the member \"%.60s\", expected one of %s", w->path,
                           w->place[0] == '\0' ? "the plan" : w->place, key, expected);
            return false;
        }
    }
    return true;
}

// ---- traces
static bool add_trace(sweep_matrix *m, const char *name, const char *path, gmmu_error *err) {
    char **traces = gmmu_grow(m->traces, m->trace_count, m->trace_count + 1, sizeof *traces, 0);
    m->traces = traces == NULL ? m->traces : traces;
    char **paths = traces == NULL
                       ? NULL
                       : gmmu_grow(m->paths, m->trace_count, m->trace_count + 1, sizeof *paths, 0);
    if (paths == NULL) {
        return no_memory(err);
    }
    m->paths = paths;
    traces[m->trace_count] = strdup(name);
    paths[m->trace_count] = strdup(path);
    m->trace_count++;
    return (traces[m->trace_count - 1] != NULL && paths[m->trace_count - 1] != NULL) ||
           no_memory(err);
}

// The files that PATTERN, relative to the plan's folder, stands for, in the order of their names.
static bool add_pattern(sweep_matrix *m, const where *w, const json_t *value, gmmu_error *err) {
    const char *pattern = json_string_value(value);
    if (pattern == NULL || *pattern == '\0') {
        return wrong(w, value, "the path of a trace, or a pattern with *, ? and []", err);
    }
    const char *slash = strrchr(w->path, '/');
    const int folder = *pattern == '/' || slash == NULL ? 0 : (int)(slash - w->path + 1);
    char *whole = NULL;
    if (asprintf(&whole, "%.*s%s", folder, w->path, pattern) < 0) {
        return no_memory(err);
    }
    if (strpbrk(pattern, "*?[") == NULL) {
        const bool good = add_trace(m, pattern, whole, err);
        free(whole);
        return good;
    }
    glob_t found = {0};
    const int status = glob(whole, 0, NULL, &found);
    bool good = status == 0;
    if (!good) {
        (void)wrong(w, value, "a pattern that fits a file", err);
    }
    for (size_t i = 0; good && i < found.gl_pathc; i++) {
        good = add_trace(m, found.gl_pathv[i] + folder, found.gl_pathv[i], err);
    }
    globfree(&found);
    free(whole);
    return good;
}

// ---- configurations
static bool has_unit(const gmmu_choice *p) {
    return p->policy->larger != NULL || strcmp(p->policy->name, "tier") == 0;
}

static bool is_unit(const char *name) {
    return gmmu_config_find(name) != NULL;
}

static const char unit_expected[] = "tiny, default, onchip or large";

static sweep_setting *add_setting(sweep_matrix *m, const sweep_setting *base, const char *name) {
    sweep_setting *more =
        gmmu_grow(m->settings, m->setting_count, m->setting_count + 1, sizeof *more, 0);
    if (more == NULL) {
        return NULL;
    }
    m->settings = more;
    sweep_setting *s = &more[m->setting_count++];
    *s = *base;
    s->name = name == NULL ? NULL : strdup(name);
    return name == NULL || s->name != NULL ? s : NULL;
}

static bool take_text(const where *w, const json_t *object, const char *name, const char **text,
                      gmmu_error *err) {
    const json_t *value = json_object_get(object, name);
    *text = json_string_value(value);
    const where in = inside(w, name);
    return value == NULL || (*text != NULL && **text != '\0') || wrong(&in, value, "a text", err);
}

static bool take_setting(const where *w, const json_t *object, sweep_setting *s, gmmu_error *err) {
    const char *tier2 = NULL;
    const char *page = NULL;
    const char *form = NULL;
    const char *unit = NULL;
    if (!take_text(w, object, "tier2", &tier2, err) || !take_text(w, object, "page", &page, err) ||
        !take_text(w, object, "from", &form, err) || !take_text(w, object, "config", &unit, err)) {
        return false;
    }
    if (tier2 != NULL) {
        s->tiers = true;
        if (!gmmu_parse_tier2(tier2, &s->tier2, err)) {
            return wrong_value(w, err);
        }
    }
    if (page != NULL && !parse_page("page", page, &s->from.coarse_shift, err)) {
        return wrong_value(w, err);
    }
    if (form != NULL) {
        s->from.form = gmmu_form_find(form);
        if (s->from.form >= GMMU_FORMS) {
            const where in = inside(w, "from");
            return wrong(&in, json_object_get(object, "from"), "a form of gmmu --help", err);
        }
    }
    if (unit != NULL) {
        if (!is_unit(unit)) {
            const where in = inside(w, "config");
            return wrong(&in, json_object_get(object, "config"), unit_expected, err);
        }
        s->unit = strdup(unit);
    }
    const json_t *seed = json_object_get(object, "seed");
    const json_t *as_opt = json_object_get(object, "as_opt");
    if (seed != NULL && (!json_is_integer(seed) || json_integer_value(seed) < 1)) {
        const where in = inside(w, "seed");
        return wrong(&in, seed, "a whole number from 1", err);
    }
    s->seed = seed == NULL ? s->seed : (uint64_t)json_integer_value(seed);
    if (as_opt != NULL && !json_is_boolean(as_opt)) {
        const where in = inside(w, "as_opt");
        return wrong(&in, as_opt, "true or false", err);
    }
    s->as_opt = as_opt == NULL ? s->as_opt : json_is_true(as_opt);
    return unit == NULL || s->unit != NULL || no_memory(err);
}

static bool read_setting(sweep_matrix *m, const where *w, const json_t *value,
                         const sweep_setting *base, gmmu_error *err) {
    static const char *const names[] = {"name", "config", "tier2", "seed",
                                        "page", "from",   "as_opt"};
    const char *unit = json_string_value(value);
    if (unit != NULL) {
        if (!is_unit(unit)) {
            return wrong(w, value, unit_expected, err);
        }
        sweep_setting *s = add_setting(m, base, unit);
        if (s != NULL) {
            s->unit = strdup(unit);
        }
        return (s != NULL && s->unit != NULL) || no_memory(err);
    }
    if (!json_is_object(value)) {
        return wrong(w, value, "an object, or tiny, default, onchip or large", err);
    }
    const char *name = NULL;
    if (!known_members(w, value, names, sizeof names / sizeof names[0],
                       "name, config, tier2, seed, page, from, as_opt", err) ||
        !take_text(w, value, "name", &name, err)) {
        return false;
    }
    if (name == NULL) {
        const where in = inside(w, "name");
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: %s: found nothing, expected the name of the configuration", in.path,
                       in.place);
        return false;
    }
    sweep_setting *s = add_setting(m, base, name);
    return s != NULL ? take_setting(w, value, s, err) : no_memory(err);
}

static bool units_of_list(sweep_matrix *m, const char *list, const sweep_setting *base,
                          gmmu_error *err) {
    while (list != NULL) {
        char name[16];
        const size_t length = strcspn(list, ",");
        (void)snprintf(name, sizeof name, "%.*s", length > 15 ? 15 : (int)length, list);
        if (!is_unit(name)) {
            (void)snprintf(err->text, sizeof err->text, "--config: found \"%.*s\", expected %s",
                           length > 60 ? 60 : (int)length, list, unit_expected);
            return false;
        }
        sweep_setting *s = add_setting(m, base, name);
        if (s == NULL || (s->unit = strdup(name)) == NULL) {
            return no_memory(err);
        }
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return true;
}

// ---- lists
// The texts of a list, comma-separated as on the command line; NULL: *err has what is wrong.
static char *joined(const where *w, const json_t *list, const char *expected, gmmu_error *err) {
    size_t size = 1;
    size_t i = 0;
    const json_t *value = NULL;
    if (!json_is_array(list) || json_array_size(list) == 0) {
        (void)wrong(w, list, expected, err);
        return NULL;
    }
    json_array_foreach(list, i, value) {
        const char *text = json_string_value(value);
        if ((text == NULL && !json_is_integer(value)) ||
            (text != NULL && strchr(text, ',') != NULL)) {
            const where in = item(w, i);
            (void)wrong(&in, value, expected, err);
            return NULL;
        }
        size += text == NULL ? 24 : strlen(text) + 1;
    }
    char *all = malloc(size);
    size_t at = 0;
    json_array_foreach(list, i, value) {
        const char *text = json_string_value(value);
        if (all != NULL && text != NULL) {
            at += (size_t)snprintf(all + at, size - at, "%s%s", i == 0 ? "" : ",", text);
        } else if (all != NULL) {
            at += (size_t)snprintf(all + at, size - at, "%s%" JSON_INTEGER_FORMAT,
                                   i == 0 ? "" : ",", json_integer_value(value));
        }
    }
    if (all == NULL) {
        (void)no_memory(err);
    }
    return all;
}

static bool copy_policies(sweep_matrix *m, const sweep_request *o, gmmu_error *err) {
    for (size_t i = 0; i < o->a.policy_count; i++) {
        gmmu_choice *more =
            gmmu_grow(m->policies, m->policy_count, m->policy_count + 1, sizeof *more, 0);
        char *label = more == NULL ? NULL : strdup(o->a.policies[i].label);
        m->policies = more == NULL ? m->policies : more;
        if (label == NULL) {
            return no_memory(err);
        }
        const char *colon = strchr(label, ':');
        more[m->policy_count++] = (gmmu_choice){.policy = o->a.policies[i].policy,
                                                .label = label,
                                                .options = colon == NULL ? NULL : colon + 1};
    }
    return true;
}

static bool copy_sizes(sweep_matrix *m, const sweep_request *o, gmmu_error *err) {
    m->sizes = gmmu_grow(NULL, 0, o->a.size_count, sizeof *m->sizes, 0);
    if (m->sizes == NULL) {
        return no_memory(err);
    }
    memcpy(m->sizes, o->a.sizes, o->a.size_count * sizeof *m->sizes);
    m->size_count = o->a.size_count;
    return true;
}

static bool read_traces(sweep_matrix *m, const where *w, const json_t *list, const sweep_request *o,
                        gmmu_error *err) {
    size_t i = 0;
    const json_t *value = NULL;
    if (list != NULL && (!json_is_array(list) || json_array_size(list) == 0)) {
        return wrong(w, list, "a list of paths of traces", err);
    }
    json_array_foreach(list, i, value) {
        const where in = item(w, i);
        if (!add_pattern(m, &in, value, err)) {
            return false;
        }
    }
    for (size_t j = 0; list == NULL && j < o->trace_count; j++) {
        if (!add_trace(m, o->traces[j], o->traces[j], err)) {
            return false;
        }
    }
    if (m->trace_count == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: %s: found no list, and no trace on the command line, expected "
                       "either",
                       w->path, w->place);
    }
    return m->trace_count != 0;
}

static bool read_matrix(sweep_matrix *m, const where *w, const json_t *object,
                        const sweep_request *o, gmmu_error *err) {
    static const char *const names[] = {"traces", "policies", "sizes", "configurations"};
    if (!json_is_object(object)) {
        return wrong(w, object, "an object with traces, policies and sizes", err);
    }
    if (!known_members(w, object, names, sizeof names / sizeof names[0],
                       "traces, policies, sizes, configurations", err)) {
        return false;
    }
    const where of_traces = inside(w, "traces");
    if (!read_traces(m, &of_traces, json_object_get(object, "traces"), o, err)) {
        return false;
    }
    const json_t *policies = json_object_get(object, "policies");
    const json_t *sizes = json_object_get(object, "sizes");
    const json_t *settings = json_object_get(object, "configurations");
    bool good = true;
    if (policies != NULL) {
        const where in = inside(w, "policies");
        char *list = joined(&in, policies, "a list of policies", err);
        good = list != NULL && (gmmu_parse_policies(list, &m->policies, &m->policy_count, err) ||
                                wrong_value(&in, err));
        free(list);
    } else {
        good = copy_policies(m, o, err);
    }
    if (good && sizes != NULL) {
        const where in = inside(w, "sizes");
        char *list = joined(&in, sizes, "a list of memory sizes", err);
        good = list != NULL &&
               (gmmu_parse_sizes(list, &m->sizes, &m->size_count, err) || wrong_value(&in, err));
        free(list);
    } else if (good) {
        good = copy_sizes(m, o, err);
    }
    if (good && settings != NULL) {
        const where in = inside(w, "configurations");
        size_t i = 0;
        const json_t *value = NULL;
        if (!json_is_array(settings) || json_array_size(settings) == 0) {
            return wrong(&in, settings, "a list of configurations", err);
        }
        json_array_foreach(settings, i, value) {
            const where at = item(&in, i);
            good = good && read_setting(m, &at, value, &o->base, err);
        }
        return good;
    }
    return good &&
           (o->configurations != NULL ? units_of_list(m, o->configurations, &o->base, err)
                                      : add_setting(m, &o->base, NULL) != NULL || no_memory(err));
}

static bool read_file(sweep_plan *plan, const sweep_request *o, gmmu_error *err) {
    json_error_t bad;
    const where w = {.path = o->plan};
    json_t *all = json_load_file(o->plan, JSON_REJECT_DUPLICATES, &bad);
    if (all == NULL) {
        (void)snprintf(err->text, sizeof err->text, "%.200s:%d:%d: found %.150s, expected %s",
                       o->plan, bad.line < 1 ? 1 : bad.line, bad.column < 1 ? 1 : bad.column,
                       bad.text, "a plan in JSON");
        return false;
    }
    const bool one = json_is_object(all);
    const size_t count = one ? 1 : json_array_size(all);
    bool good = count != 0 || wrong(&w, all, "a matrix, or a list of matrices", err);
    plan->matrices = good ? gmmu_grow(NULL, 0, count, sizeof *plan->matrices, 0) : NULL;
    if (good && plan->matrices == NULL) {
        good = no_memory(err);
    }
    bool named = true;  // all matrices name their traces
    for (size_t i = 0; good && i < count; i++) {
        const where in = item(&w, i);
        const json_t *matrix = one ? all : json_array_get(all, i);
        named = named && json_object_get(matrix, "traces") != NULL;
        plan->count++;
        good = read_matrix(&plan->matrices[i], one ? &w : &in, matrix, o, err);
    }
    if (good && named && o->trace_count != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "found the trace %.150s beside %.150s, expected none: the plan names its "
                       "traces",
                       o->traces[0], o->plan);
        good = false;
    }
    json_decref(all);
    return good;
}

// ---- policies of a configuration
// A policy that has the option gets it before its own options. False: no memory.
static bool add_unit(gmmu_choice *p, const char *unit) {
    char *label = NULL;
    const char *rest = p->options == NULL ? "" : p->options;
    if (asprintf(&label, "%s:config=%s%s%s", p->policy->name, unit, *rest == '\0' ? "" : ":",
                 rest) < 0) {
        return false;
    }
    free(p->label);
    p->label = label;
    p->options = strchr(label, ':') + 1;
    return true;
}

// The policies of configuration S: those of the unit have its sizes.
static bool of_setting(const sweep_matrix *m, const sweep_setting *s, gmmu_choice **policies,
                       gmmu_error *err) {
    const sweep_request copied = {.a = {.policies = m->policies, .policy_count = m->policy_count}};
    sweep_matrix one = {0};
    if (!copy_policies(&one, &copied, err)) {
        gmmu_choices_free(one.policies, one.policy_count);
        return false;
    }
    *policies = one.policies;
    for (size_t i = 0; i < one.policy_count && s->unit != NULL; i++) {
        if (has_unit(&one.policies[i]) && !add_unit(&one.policies[i], s->unit)) {
            return no_memory(err);
        }
    }
    return true;
}

// Lays out the policies configuration by configuration.
static bool spread(sweep_matrix *m, gmmu_error *err) {
    const size_t count = m->policy_count;
    gmmu_choice *all = gmmu_grow(NULL, 0, count * m->setting_count, sizeof *all, 0);
    bool good = all != NULL || no_memory(err);
    size_t done = 0;
    for (size_t i = 0; good && i < m->setting_count; i++) {
        gmmu_choice *policies = NULL;
        good = of_setting(m, &m->settings[i], &policies, err);
        if (policies != NULL) {
            memcpy(all + done, policies, count * sizeof *all);
            done += count;
        }
        free(policies);
    }
    gmmu_choices_free(m->policies, count);
    m->policies = all;
    m->policy_count = done;
    return good;
}

bool sweep_plan_make(sweep_plan *plan, const sweep_request *o, gmmu_error *err) {
    *plan = (sweep_plan){0};
    bool good = false;
    if (o->plan != NULL) {
        good = read_file(plan, o, err);
    } else {
        plan->matrices = gmmu_grow(NULL, 0, 1, sizeof *plan->matrices, 0);
        plan->count = plan->matrices == NULL ? 0 : 1;
        json_t *empty = json_object();
        const where w = {.path = "the command line"};
        good =
            plan->count == 0 ? no_memory(err) : read_matrix(&plan->matrices[0], &w, empty, o, err);
        json_decref(empty);
    }
    for (size_t i = 0; good && i < plan->count; i++) {
        good = spread(&plan->matrices[i], err);
    }
    return good;
}

void sweep_plan_free(sweep_plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        sweep_matrix *m = &plan->matrices[i];
        for (size_t j = 0; j < m->trace_count; j++) {
            free(m->traces[j]);
            free(m->paths[j]);
        }
        for (size_t j = 0; j < m->setting_count; j++) {
            free(m->settings[j].name);
            free(m->settings[j].unit);
        }
        gmmu_choices_free(m->policies, m->policy_count);
        free(m->sizes);
        free(m->settings);
        free(m->traces);
        free(m->paths);
    }
    free(plan->matrices);
    *plan = (sweep_plan){0};
}
