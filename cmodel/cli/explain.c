// SPDX-License-Identifier: Apache-2.0
// explain.c: `gmmu explain`: replays up to one walk and shows why its victim left.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/explain_hints.h"
#include "cli/explain_series.h"
#include "cli/explain_stay.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/source_options.h"
#include "policy/replay.h"

__extension__ typedef unsigned __int128 u128;

typedef struct {
    shared_arguments a;
    uint64_t event, top, every;
    bool tiers;  // --tier2
    gmmu_size tier2;
} options;

// The candidates of the decision, in the order in which they would leave.
typedef struct {
    gmmu_candidate *list;
    size_t count, room;
    bool full;         // no memory for all
    bool some_unseen;  // there are such among them
    gmmu_fact facts[GMMU_MOST_FACTS];
    size_t fact_count;
} candidates;

// What is known once the walk was replayed.
typedef struct {
    gmmu_walk walk;
    gmmu_outcome out;
    gmmu_counts before, after;
    uint32_t victim;  // GMMU_NO_PAGE: none left
    bool shown;       // the policy shows its candidates
    bool
        said;  // the policy shows none: the victim's stay is shown, and `why` if the policy says it
    char why[256];
    explain_stay stay;
    uint32_t frames;
    const gmmu_hint *hints;  // before the walk
    size_t hint_count;
} verdict;

enum { FRACTION = 96, MOST_HINTS = 8, EVERY = 0x2000, TIER2 };

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
    gmmu_error err;
    bool good = true;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &o->a;
            break;
        case 'e':
            good = parse_count("--event", arg, &o->event, &err);
            break;
        case 't':
            good = parse_count("--top", arg, &o->top, &err);
            break;
        case TIER2:
            o->tiers = true;
            good = gmmu_parse_tier2(arg, &o->tier2, &err);
            break;
        case EVERY:
            good = parse_count("--every", arg, &o->every, &err);
            break;
        case ARGP_KEY_END:
            if (o->event != 0 && o->every != 0) {
                argp_failure(state, 2, 0, "found --event and --every, expected one of them");
            }
            if (o->event == 0 && o->every == 0) {
                argp_failure(state, 2, 0, "found no --event, expected %s", o->a.expected);
            }
            if (o->a.policy_count != 1 || o->a.size_count != 1) {
                argp_failure(state, 2, 0, "found a list, expected one policy and one memory size");
            }
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good) {
        argp_failure(state, 2, 0, "%s", err.text);
    }
    return 0;
}

static void collect(void *context, const gmmu_candidate *c) {
    candidates *all = context;
    if (all->count == all->room) {
        size_t room = all->room * 2 + 64;
        gmmu_candidate *list = gmmu_grow(all->list, all->room, room, sizeof *list, 0);
        if (list == NULL) {
            all->full = true;
            return;
        }
        all->list = list;
        all->room = room;
    }
    all->some_unseen |= c->unseen;
    all->list[all->count++] = *c;
}

static void learn_facts(void *context, const gmmu_fact *facts, size_t count) {
    candidates *all = context;
    memcpy(all->facts, facts, count * sizeof *facts);
    all->fact_count = count;
}

static bool is_zero(const gmmu_candidate *c) {
    return c->profit == 0 || c->left == 0 || c->cost == 0;
}

// Of the priorities. Policies keep each factor below 2^42, so that the products fit.
static int compare_priority(const gmmu_candidate *a, const gmmu_candidate *b) {
    if (is_zero(a) || is_zero(b)) {
        return (int)is_zero(b) - (int)is_zero(a);
    }
    u128 x = (u128)a->profit * b->left * b->cost;
    u128 y = (u128)b->profit * a->left * a->cost;
    return (x > y) - (x < y);
}

// What comes before the priority: the search looks at it, and it is not protected.
static int compare_standing(const gmmu_candidate *a, const gmmu_candidate *b) {
    if (a->unseen != b->unseen) {
        return a->unseen - b->unseen;
    }
    return (a->guard == GMMU_GUARD_KEPT) - (b->guard == GMMU_GUARD_KEPT);
}

static int leaves_first(const void *a, const void *b) {
    const gmmu_candidate *x = a;
    const gmmu_candidate *y = b;
    int order = compare_standing(x, y);
    order = order != 0 ? order : compare_priority(x, y);
    return order != 0 ? order : (x->tau < y->tau) - (x->tau > y->tau);
}

static uint64_t divide_out(uint64_t *a, uint64_t b) {
    uint64_t x = *a;
    uint64_t y = b;
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    *a /= x;
    return b / x;
}

// The priority in lowest terms, "n/d" in decimal.
static void fraction(const gmmu_candidate *c, char text[FRACTION]) {
    if (is_zero(c)) {
        (void)snprintf(text, FRACTION, "0");
        return;
    }
    uint64_t num = c->profit;
    uint64_t left = divide_out(&num, c->left);
    u128 den = (u128)left * divide_out(&num, c->cost);
    char digits[48];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + (int)(den % 10));
        den /= 10;
    } while (den != 0);
    (void)snprintf(text, FRACTION, "%" PRIu64 "/%s", num, digits + at);
}

static double decimal(const gmmu_candidate *c) {
    return is_zero(c) ? 0 : (double)c->profit / ((double)c->left * (double)c->cost);
}

static const char *kind(const options *o, const verdict *v) {
    if (!v->out.fault) {
        return "hit";
    }
    if (o->a.policies[0].policy->size_sum != NULL) {  // no size at which memory is full
        return v->after.cold != v->before.cold ? "cold fault" : "fault";
    }
    if (v->victim == GMMU_NO_PAGE) {
        return v->after.cold != v->before.cold ? "cold fault, memory has room"
                                               : "fault, memory has room";
    }
    return v->after.cold != v->before.cold ? "cold fault, memory is full" : "fault, memory is full";
}

// Those of which the first left have been chosen, when it is not of all.
static const char *among_whom(const candidates *all) {
    size_t kept = 0;
    size_t seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        seen += !all->list[i].unseen;
        kept += !all->list[i].unseen && all->list[i].guard == GMMU_GUARD_KEPT;
    }
    if (kept == seen) {
        return " of those that the search met, which are all protected";
    }
    if (seen == all->count) {
        return kept == 0 ? "" : " of those that are not protected";
    }
    return kept == 0 ? " of those that the search met"
                     : " of those that the search met and that are not protected";
}

// Why the first of the candidates left; NULL when that was not asked.
static const char *reason(const options *o, const verdict *v, const candidates *all, char *text,
                          size_t size) {
    if (v->victim == GMMU_NO_PAGE || (!v->said && all->count == 0)) {
        return NULL;
    }
    if (v->said) {
        return v->why[0] != '\0' ? v->why : NULL;
    }
    size_t equal = 1;
    while (equal < all->count && compare_standing(&all->list[0], &all->list[equal]) == 0 &&
           compare_priority(&all->list[0], &all->list[equal]) == 0) {
        equal++;
    }
    const char *tie = o->a.policies[0].policy->tie_rule;
    const char *among = among_whom(all);
    if (equal == 1 || tie == NULL) {
        (void)snprintf(text, size, "the lowest priority%s, alone", among);
    } else {
        (void)snprintf(text, size, "the lowest priority%s, shared by %zu pages; of these %s", among,
                       equal, tie);
    }
    return text;
}

// In words, of a candidate.
static const char *protection(const gmmu_candidate *c) {
    static const char *const words[] = {[GMMU_GUARD_NONE] = "no",
                                        [GMMU_GUARD_LET_GO] = "let go",
                                        [GMMU_GUARD_UNHEEDED] = "by name",
                                        [GMMU_GUARD_KEPT] = "yes"};
    return words[c->guard];
}

// The victim's protection, where pages may have it.
static const char *standing(const verdict *v, const candidates *all) {
    static const char *const words[] = {
        [GMMU_GUARD_NONE] = ", not protected",
        [GMMU_GUARD_LET_GO] = ", let go by this search: too many are protected, and it is T old",
        [GMMU_GUARD_UNHEEDED] = ", protected by name only: the share is 0",
        [GMMU_GUARD_KEPT] = ", protected: the search met no other"};
    for (size_t i = 0; all->fact_count != 0 && i < all->count; i++) {
        if (all->list[i].page == v->victim) {
            return words[all->list[i].guard];
        }
    }
    return "";
}

// The tier to which the victim goes, where there are three.
static const char *destination(const options *o, const verdict *v) {
    for (uint32_t i = 0; o->tiers && i < v->out.count; i++) {
        if (v->out.move[i].page == v->victim && v->out.move[i].from == GMMU_NEAR) {
            return v->out.move[i].to == GMMU_HOST ? ", to Tier 2" : ", to Tier 3";
        }
    }
    return "";
}

// A 0 stands alone.
static table_value address(uint64_t number) {
    return number == 0 ? value_number(0) : value_hex(number);
}

static void print_facts(const candidates *all) {
    for (size_t i = 0; i < all->fact_count; i++) {
        const gmmu_fact *f = &all->facts[i];
        (void)printf("%s%s %.6g%s", i == 0 ? "state: " : ", ", f->name, fact_number(f),
                     i + 1 == all->fact_count ? "\n" : "");
    }
}

static void print_table(const options *o, const verdict *v, const candidates *all,
                        const gmmu_pages *pages) {
    const table_column columns[] = {{"asid", 6},
                                    {"vpn", 18},
                                    {"ref", 18},
                                    {"tau", 10},
                                    {"lease", 10},
                                    {"PPUC", 24},
                                    {"decimal", 12},
                                    {"protected", all->fact_count != 0 ? 10 : 0},
                                    {"met", all->some_unseen ? 4 : 0}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    (void)printf("event %" PRIu64 ": asid %u, vpn 0x%" PRIx64 ", ref 0x%" PRIx64
                 ", %s\n"
                 "policy %s, %u frames: %s\n",
                 o->event, v->walk.asid, v->walk.vpn, v->walk.ref, v->walk.write ? "write" : "read",
                 o->a.policies[0].label, v->frames, kind(o, v));
    explain_print_hints(v->hints, v->hint_count, MOST_HINTS);
    if (v->victim == GMMU_NO_PAGE) {
        return;
    }
    (void)printf("victim: asid %u, vpn 0x%" PRIx64 "%s%s\n", gmmu_pages_asid(pages, v->victim),
                 gmmu_pages_number(pages, v->victim), standing(v, all), destination(o, v));
    char own[256];
    const char *why = reason(o, v, all, own, sizeof own);
    if (why != NULL) {
        (void)printf("why: %s\n", why);
    }
    if (v->said) {
        explain_print_stay(&v->stay);
    }
    print_facts(all);
    if (all->count == 0) {
        return;
    }
    (void)putchar('\n');
    table t;
    table_begin(&t, FORMAT_TABLE, columns, COLUMNS);
    for (size_t i = 0; i < all->count && i < o->top; i++) {
        const gmmu_candidate *c = &all->list[i];
        char text[FRACTION];
        fraction(c, text);
        const table_value values[COLUMNS] = {
            value_number(gmmu_pages_asid(pages, c->page)),
            address(gmmu_pages_number(pages, c->page)),
            address(c->ref),
            value_number(c->tau),
            c->lease == 0 ? (table_value){.kind = VALUE_NONE} : value_number(c->lease),
            value_text(text),
            {.kind = VALUE_ABOUT, .real = decimal(c)},
            value_text(protection(c)),
            value_text(c->unseen ? "no" : "yes")};
        table_row(&t, values, c->page == v->victim ? "  <- victim" : NULL);
    }
    if (all->count > o->top) {
        (void)printf("… %zu more\n", all->count - (size_t)o->top);
    }
}

static json_t *json_page(const gmmu_pages *pages, uint32_t page) {
    json_t *object = json_object();
    output_number(object, "asid", gmmu_pages_asid(pages, page));
    output_hex(object, "vpn", gmmu_pages_number(pages, page));
    return object;
}

static json_t *json_facts(const candidates *all) {
    json_t *object = json_object();
    for (size_t i = 0; i < all->fact_count; i++) {
        const table_column column = {all->facts[i].name, 0};
        const table_value value = fact_value(&all->facts[i]);
        table_members(object, &column, &value, 1);
    }
    return object;
}

static void print_json(const options *o, const verdict *v, const candidates *all,
                       const gmmu_pages *pages) {
    json_t *root = json_object();
    output_number(root, "event", o->event);
    output_number(root, "asid", v->walk.asid);
    output_hex(root, "vpn", v->walk.vpn);
    output_hex(root, "ref", v->walk.ref);
    (void)json_object_set_new(root, "write", json_boolean(v->walk.write));
    (void)json_object_set_new(root, "policy", output_text(o->a.policies[0].label));
    output_number(root, "frames", v->frames);
    (void)json_object_set_new(root, "outcome", json_string(kind(o, v)));
    if (v->victim != GMMU_NO_PAGE) {
        (void)json_object_set_new(root, "victim", json_page(pages, v->victim));
    }
    if (v->hint_count != 0) {
        (void)json_object_set_new(root, "hints", explain_json_hints(v->hints, v->hint_count));
    }
    if (all->fact_count != 0) {
        (void)json_object_set_new(root, "state", json_facts(all));
    }
    if (v->victim != GMMU_NO_PAGE && v->said) {
        (void)json_object_set_new(root, "stay", explain_json_stay(&v->stay));
    }
    char own[256];
    const char *why = reason(o, v, all, own, sizeof own);
    if (why != NULL) {
        (void)json_object_set_new(root, "why", json_string(why));
    }
    if (why != NULL && !v->said) {
        json_t *list = json_array();
        for (size_t i = 0; i < all->count && i < o->top; i++) {
            const gmmu_candidate *c = &all->list[i];
            char text[FRACTION];
            fraction(c, text);
            json_t *row = json_page(pages, c->page);
            output_hex(row, "ref", c->ref);
            output_number(row, "tau", c->tau);
            output_number(row, "lease", c->lease);
            (void)json_object_set_new(row, "ppuc", json_string(text));
            (void)json_object_set_new(row, "decimal", json_real(decimal(c)));
            if (all->fact_count != 0) {
                (void)json_object_set_new(row, "protected", json_string(protection(c)));
            }
            (void)json_object_set_new(row, "met", json_boolean(!c->unseen));
            (void)json_array_append_new(list, row);
        }
        (void)json_object_set_new(root, "candidates", list);
    }
    output_json(root);
}

// Replays up to the event, the last walk with its candidates shown.
static bool replay(const options *o, gmmu_source *source, gmmu_pages *pages, gmmu_sim *sim,
                   const gmmu_watch *watch, explain_stays *stays, verdict *v, candidates *all,
                   gmmu_error *err) {
    const gmmu_policy *policy = o->a.policies[0].policy;
    v->said = policy->watch == NULL;
    source->expected = o->event;
    for (uint64_t event = 1; event <= o->event; event++) {
        int status = gmmu_source_next(source, &v->walk, err);
        if (status == GMMU_END) {
            (void)snprintf(err->text, sizeof err->text,
                           "--event: found %" PRIu64 ", expected no more than the %" PRIu64
                           " walks of the trace",
                           o->event, event - 1);
        }
        if (status != GMMU_OK) {
            return false;
        }
        uint32_t page = gmmu_pages_index(pages, v->walk.asid, v->walk.vpn);
        if (page == GMMU_NO_PAGE) {
            return gmmu_policy_no_memory("page map", err) == GMMU_OK;
        }
        v->hints = explain_give_hints(source, sim, &v->hint_count);
        if (event == o->event) {
            v->before = gmmu_sim_counts(sim);
            v->shown = gmmu_sim_watch(sim, watch);
            if (!v->shown) {
                all->fact_count = gmmu_sim_facts(sim, all->facts);
            }
        }
        if (gmmu_sim_access(sim, page, &v->walk, &v->out, err) != GMMU_OK) {
            return false;
        }
        if (v->said && event < o->event && !explain_stays_take(stays, event, page, &v->out)) {
            return gmmu_policy_no_memory("stays", err) == GMMU_OK;
        }
    }
    v->after = gmmu_sim_counts(sim);
    v->victim = explain_victim(&v->out);
    if (v->said && v->victim != GMMU_NO_PAGE) {
        (void)gmmu_sim_why(sim, v->why, sizeof v->why);
        v->stay = explain_stays_of(stays, o->event, &v->out);
    }
    return true;
}

static bool explain(const options *o, gmmu_source *source, gmmu_pages *pages, gmmu_error *err) {
    gmmu_choice *choice = &o->a.policies[0];
    bool twice = choice->policy->needs_future || o->a.sizes[0].relative || o->tier2.relative;
    gmmu_future future = {0};
    candidates all = {0};
    explain_stays stays = {0};
    gmmu_size tier2 = o->tier2;
    verdict v = {.victim = GMMU_NO_PAGE};
    bool good = source_open(source, "gmmu explain", o->a.trace, &o->a.from, twice, err) &&
                (!twice ||
                 gmmu_source_look_ahead(source, pages, &future, choice->policy->needs_future, err));
    gmmu_sim *sim = NULL;
    if (good) {
        char *label = NULL;
        gmmu_size size = o->a.sizes[0];
        good = gmmu_size_in_pages(&size, "--frames", source->page_shift, err) &&
               gmmu_size_in_pages(&tier2, "--tier2", source->page_shift, err);
        v.frames = good ? gmmu_size_frames(size, gmmu_pages_count(pages)) : 1;
        good = good && (gmmu_choice_enlarge(choice, v.frames, &label) ||
                        gmmu_policy_no_memory("policies", err) == GMMU_OK);
        if (label != NULL) {
            free(choice->label);
            choice->label = label;
            choice->options = strchr(label, ':') + 1;
        }
    }
    if (good) {
        gmmu_policy_config config = {
            .frames = v.frames,
            .pages = pages,
            .future = choice->policy->needs_future ? &future : NULL,
            .options = choice->options,
            .seed = 1,  // as gmmu replay
            .watched = true,
            .page_shift = source->page_shift,
            .tier2 = !o->tiers ? 0 : gmmu_size_tier2(tier2, gmmu_pages_count(pages), v.frames)};
        sim = gmmu_sim_create(choice->policy, &config, err);
        const gmmu_watch watch = {.candidate = collect, .context = &all, .facts = learn_facts};
        if (o->every != 0) {
            good = sim != NULL && explain_series(&o->a, o->every, source, pages, sim, err);
        } else {
            good = sim != NULL && replay(o, source, pages, sim, &watch, &stays, &v, &all, err);
        }
        gmmu_source_hush(source);
    }
    if (good && all.full) {
        good = gmmu_policy_no_memory("candidates", err) == GMMU_OK;
    }
    if (good && o->every == 0) {
        if (all.count > 1) {
            qsort(all.list, all.count, sizeof *all.list, leaves_first);
        }
        (o->a.format == FORMAT_JSON ? print_json : print_table)(o, &v, &all, pages);
    }
    gmmu_sim_destroy(sim);
    gmmu_future_free(&future);
    explain_stays_free(&stays);
    free(all.list);
    return good;
}

int cmd_explain(int argc, char **argv) {
    static const struct argp_option common[] = {
        {"policy", ARGUMENT_POLICY, "POLICY", 0, "the policy (leu-exact)", 0},
        ARGUMENT_PLUGIN_OPTION,
        {"frames", ARGUMENT_FRAMES, "SIZE", 0,
         "memory size: pages, bytes with a unit (512MiB, 4GiB), or a percentage of the distinct "
         "pages (50%)",
         0},
        {"format", ARGUMENT_FORMAT, "FORMAT", 0, "table or json (table)", 0},
        {0}};
    static const struct argp_option list[] = {
        {"event", 'e', "N", 0, "number of the walk to explain, from 1 on", 0},
        {"every", EVERY, "N", 0,
         "in place of a walk: print, after every N walks, the numbers by which the policy decides",
         0},
        {"top", 't', "N", 0, "print only the first N candidates", 0},
        {"tier2", TIER2, "SIZE", 0,
         "size of Tier 2, as of gmmu replay; the victim's tier is then printed", 0},
        {0}};
    static const struct argp shared = {.options = common, .parser = parse_shared};
    static const struct argp_child children[] = {{.argp = &shared}, {0}};
    static const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "TRACE --event N",
        .doc =
            "Print why a page was the victim of a walk. Of leu, leu-exact and tier: all candidates "
            "in "
            "the order in which they would leave, with reference, TESLA (tau), best lease and "
            "PPUC. "
            "Of other policies: the reason by their rule (age, queue, bit, next use), when the "
            "page "
            "came, when and how often it was used, and its place among the resident pages. With a "
            "protected segment the state of the segment and the protected pages are printed, too; "
            "with "
            "hints, the driver's hints before the walk.\v",
        .children = children,
        .help_filter = policies_help};
    gmmu_error err = {""};
    options o = {.a = {.expected = "TRACE --event N",
                       .formats = FORMAT_TABLE | FORMAT_JSON,
                       .format = FORMAT_TABLE},
                 .top = UINT64_MAX};
    if (!parse_shared_options(&argp, argc, argv, &o, &o.a, "leu-exact", "50%")) {
        return 2;
    }
    gmmu_source source = {0};
    gmmu_pages *pages = gmmu_pages_create();
    bool good = pages != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("page map", &err);
    }
    good = good && explain(&o, &source, pages, &err);
    if (!good) {
        (void)fprintf(stderr, "gmmu explain: %s\n", err.text);
    }
    gmmu_pages_destroy(pages);
    gmmu_source_close(&source);
    shared_free(&o.a);
    return good ? 0 : 2;
}
