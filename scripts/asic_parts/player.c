// SPDX-License-Identifier: Apache-2.0
// player.c: plays recorded inputs into a netlist, compares its outputs with those recorded, and
// counts how often each net toggles.
//
// A cycle is one evaluation of all cells in their order: no delays, so no glitches. A clock gate is
// the enable of the registers behind it. asic_parts/power.py writes both files and reads the
// counts:
//   player NETLIST CYCLES FROM: toggles count from the cycle FROM on
// NETLIST, of numbers: nets; cells (table inputs... output); gates (enable); registers (next state
// gate); RAMs (words width ports of a read, the nets of each port); inputs; outputs. A gate -1: the
// clock runs. Nets 0 and 1 have these values. CYCLES: for each cycle a byte for each input, then
// one for each output: '0', '1', or 'x' for what is not compared.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 6, SHOWN = 5, FIELDS = 9 };

struct cell {
    uint64_t table;
    uint32_t in[INPUTS], out;
};
struct reg {
    uint32_t next, state;
    long gate;
};
struct nets {
    uint32_t *at;
    size_t count;
};
// We, wa and wd write; a read is ra, into q, with re. A port of two has 0 of what it lacks.
enum { WE, WA, WD, RE, RA, Q, RE2, RA2, Q2 };
struct ram {
    size_t words, width;
    struct nets of[FIELDS];
    uint8_t *memory, *out, *out2;
    uint64_t reads, writes;
};

static FILE *in;

static void *fresh(size_t count, size_t size) {
    void *got = calloc(count ? count : 1, size);
    if (!got) {
        fprintf(stderr, "player: found no memory for %zu objects\n", count);
        exit(2);
    }
    return got;
}

static long number(void) {
    long value;
    if (fscanf(in, "%ld", &value) != 1) {
        fprintf(stderr, "player: found no number in the netlist, expected one\n");
        exit(2);
    }
    return value;
}

static struct nets list(void) {
    struct nets got = {.count = (size_t)number()};
    got.at = fresh(got.count, sizeof *got.at);
    for (size_t i = 0; i < got.count; i++) got.at[i] = (uint32_t)number();
    return got;
}

static size_t word_of(const struct ram *r, const struct nets *n, const uint8_t *v) {
    size_t word = 0;
    for (size_t i = 0; i < n->count; i++) word |= (size_t)v[n->at[i]] << i;
    return word < r->words ? word : 0;
}

static int is(const struct nets *n, const uint8_t *v) {
    return n->count && v[n->at[0]];
}

// What a RAM does at the edge: the words that are read are those before the write.
static void edge(struct ram *r, const uint8_t *v, int counts) {
    const int write = is(&r->of[WE], v), read = is(&r->of[RE], v), read2 = is(&r->of[RE2], v);
    if (read)
        memcpy(r->out, r->memory + word_of(r, &r->of[RA], v) * r->width, r->width);
    if (read2)
        memcpy(r->out2, r->memory + word_of(r, &r->of[RA2], v) * r->width, r->width);
    if (write) {
        uint8_t *to = r->memory + word_of(r, &r->of[WA], v) * r->width;
        for (size_t i = 0; i < r->of[WD].count; i++) to[i] = v[r->of[WD].at[i]];
    }
    r->reads += (uint64_t)(counts * (read + read2));
    r->writes += (uint64_t)(counts * write);
}

static void shows(const struct nets *n, const uint8_t *out, uint8_t *v, uint64_t *toggles,
                  int counts) {
    for (size_t i = 0; i < n->count; i++) {
        toggles[n->at[i]] += (uint64_t)(counts & (v[n->at[i]] != out[i]));
        v[n->at[i]] = out[i];
    }
}

int main(int argc, char **argv) {
    if (argc != 4 || !(in = fopen(argv[1], "r"))) {
        fprintf(stderr, "player: found %d arguments, expected NETLIST CYCLES FROM\n", argc - 1);
        return 2;
    }
    const size_t nets = (size_t)number(), cells = (size_t)number();
    uint8_t *v = fresh(nets, 1);
    uint64_t *toggles = fresh(nets, sizeof *toggles);
    struct cell *c = fresh(cells, sizeof *c);
    v[1] = 1;
    for (size_t i = 0; i < cells; i++) {
        if (fscanf(in, "%" SCNx64, &c[i].table) != 1)
            return 2;
        for (int k = 0; k < INPUTS; k++) c[i].in[k] = (uint32_t)number();
        c[i].out = (uint32_t)number();
    }
    const struct nets gates = list();
    uint64_t *open = fresh(gates.count, sizeof *open);
    const size_t regs = (size_t)number();
    struct reg *r = fresh(regs, sizeof *r);
    uint8_t *next = fresh(regs, 1);
    for (size_t i = 0; i < regs; i++)
        r[i] =
            (struct reg){.next = (uint32_t)number(), .state = (uint32_t)number(), .gate = number()};
    const size_t rams = (size_t)number();
    struct ram *m = fresh(rams, sizeof *m);
    for (size_t i = 0; i < rams; i++) {
        m[i].words = (size_t)number();
        m[i].width = (size_t)number();
        for (int k = 0; k < FIELDS; k++) m[i].of[k] = list();
        m[i].memory = fresh(m[i].words, m[i].width);
        m[i].out = fresh(m[i].width, 1);
        m[i].out2 = fresh(m[i].width, 1);
    }
    const struct nets inputs = list(), outputs = list();
    fclose(in);
    FILE *played = fopen(argv[2], "rb");
    const size_t row = inputs.count + outputs.count;
    const uint64_t from = strtoull(argv[3], NULL, 10);
    // registers without a reset hold other values than the recorded ones until they are written
    uint8_t *at = fresh(row, 1), *agreed = fresh(outputs.count, 1);
    uint64_t cycle = 0, differ = 0;
    for (; played && fread(at, 1, row, played) == row; cycle++) {
        const int counts = cycle >= from;
        for (size_t i = 0; i < inputs.count; i++) {
            const uint8_t now = at[i] == '1';
            toggles[inputs.at[i]] += (uint64_t)(counts & (v[inputs.at[i]] != now));
            v[inputs.at[i]] = now;
        }
        for (size_t i = 0; i < cells; i++) {
            const struct cell *of = &c[i];
            const unsigned index = v[of->in[0]] | v[of->in[1]] << 1 | v[of->in[2]] << 2 |
                                   v[of->in[3]] << 3 | v[of->in[4]] << 4 | v[of->in[5]] << 5;
            const uint8_t now = of->table >> index & 1;
            toggles[of->out] += (uint64_t)(counts & (v[of->out] != now));
            v[of->out] = now;
        }
        for (size_t i = 0; counts && i < outputs.count; i++) {
            const int equal = (at[inputs.count + i] == '1') == v[outputs.at[i]];
            if (at[inputs.count + i] == 'x')
                continue;
            if (!equal && agreed[i] && differ++ < SHOWN)
                fprintf(stderr, "differ %" PRIu64 " %zu\n", cycle, i);
            agreed[i] |= (uint8_t)equal;
        }
        for (size_t i = 0; i < gates.count; i++) open[i] += (uint64_t)(counts & v[gates.at[i]]);
        for (size_t i = 0; i < regs; i++)
            next[i] = r[i].gate < 0 || v[gates.at[r[i].gate]] ? v[r[i].next] : v[r[i].state];
        for (size_t i = 0; i < rams; i++) edge(&m[i], v, counts);
        for (size_t i = 0; i < regs; i++) {
            toggles[r[i].state] += (uint64_t)(counts & (v[r[i].state] != next[i]));
            v[r[i].state] = next[i];
        }
        for (size_t i = 0; i < rams; i++) {
            shows(&m[i].of[Q], m[i].out, v, toggles, counts);
            shows(&m[i].of[Q2], m[i].out2, v, toggles, counts);
        }
    }
    if (!played || cycle <= from) {
        fprintf(stderr, "player: found %" PRIu64 " cycles, expected more than %" PRIu64 "\n", cycle,
                from);
        return 2;
    }
    fclose(played);
    uint64_t never = 0;
    for (size_t i = 0; i < outputs.count; i++) never += !agreed[i];
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cycle - from, differ, never);
    for (size_t i = 0; i < nets; i++) printf("%" PRIu64 "\n", toggles[i]);
    for (size_t i = 0; i < gates.count; i++) printf("%" PRIu64 "\n", open[i]);
    for (size_t i = 0; i < rams; i++) printf("%" PRIu64 " %" PRIu64 "\n", m[i].reads, m[i].writes);
    return 0;
}
