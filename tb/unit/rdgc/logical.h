// SPDX-License-Identifier: Apache-2.0
// logical.h: traces of the logical model, as text.
#ifndef GMMU_TB_RDGC_LOGICAL_H
#define GMMU_TB_RDGC_LOGICAL_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "rdgc/rdgc.h"

struct TraceDeleter {
    void operator()(gmmu_rdgc_trace *t) const { gmmu_rdgc_trace_destroy(t); }
};
using Trace = std::unique_ptr<gmmu_rdgc_trace, TraceDeleter>;

inline Trace new_trace() {
    gmmu_error err{};
    return Trace(gmmu_rdgc_trace_create(&err));
}

// Reads TEXT; "" or what is wrong.
inline std::string read_text(gmmu_rdgc_trace *t, std::string text) {
    FILE *in = fmemopen(text.data(), text.size(), "r");
    gmmu_error err{};
    const int rc = gmmu_rdgc_trace_read(t, in, "t", &err);
    EXPECT_EQ(fclose(in), 0);
    EXPECT_EQ(rc == GMMU_OK, err.text[0] == '\0');
    return err.text;
}

inline std::string write_text(const gmmu_rdgc_trace *t) {
    char *text = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    EXPECT_EQ(gmmu_rdgc_trace_write(t, out), 0);
    EXPECT_EQ(fclose(out), 0);
    std::string s(text, size);
    free(text);
    return s;
}

// "AN.warp r lanes:address …" of each record of a grid.
inline std::vector<std::string> shown(const gmmu_rdgc_grid *g) {
    std::vector<std::string> all;
    for (uint32_t i = 0; i < g->count; i++) {
        const gmmu_rdgc_record &r = g->records[i];
        uint64_t addr[GMMU_WARP];
        const unsigned n = gmmu_rdgc_record_addresses(g, &r, addr);
        std::string s = std::to_string(r.block) + "/" + std::to_string(r.number) + "." +
                        std::to_string(r.warp) + (r.write ? " w" : " r") + std::to_string(n);
        for (unsigned lane = 0; lane < GMMU_WARP; lane++)
            if (r.mask >> lane & 1)
                s += " " + std::to_string(lane) + ":" + std::to_string(addr[lane]);
        all.push_back(s);
    }
    return all;
}

#endif
