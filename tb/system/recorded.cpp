// SPDX-License-Identifier: Apache-2.0
// recorded.cpp: a recorded trace, walk by walk, and as a whole.
#include "recorded.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "host/bad.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "progress.h"

Reader::Reader(const std::string &path) : r(gmmu_reader_open(path.c_str(), &err)) {
    if (r == nullptr)
        bad(err.text);
}

bool Reader::next(gmmu_walk *w) {
    const int s = gmmu_reader_next(r, w, &err);
    if (s == GMMU_BAD)
        bad(err.text);
    return s == GMMU_OK;
}

Recorded::Recorded(const std::string &file) : path(file), pages(gmmu_pages_create()) {
    Reader in(path);
    gmmu_walk w;
    while (in.next(&w)) {
        index.push_back(gmmu_pages_index(pages, w.asid, w.vpn));
        walks++;
    }
    distinct = gmmu_pages_count(pages);
    future.count = index.size();
    future.pages = static_cast<uint32_t *>(std::malloc(index.size() * sizeof(uint32_t) + 1));
    if (future.pages == nullptr)
        bad("out of memory");
    std::copy(index.begin(), index.end(), future.pages);
    if (gmmu_future_build(&future, static_cast<uint32_t>(distinct)) != GMMU_OK)
        bad("out of memory");
}

Recorded::~Recorded() {
    gmmu_future_free(&future);
    gmmu_pages_destroy(pages);
}

uint32_t Recorded::frames(const std::string &text) const {
    char *end;
    const uint64_t n = std::strtoull(text.c_str(), &end, 10);
    const uint64_t frames = *end == '%' ? std::max<uint64_t>(1, distinct * n / 100) : n;
    if (n == 0 || (*end != 0 && std::strcmp(end, "%") != 0))
        bad("found frames \"" + text + "\", expected N or N%");
    return static_cast<uint32_t>(frames);
}

uint64_t Recorded::evictions(const char *policy, uint32_t frames, const char *options) {
    gmmu_error err = {};
    const gmmu_policy *p = gmmu_policy_find(policy, std::strlen(policy));
    gmmu_policy_config pc = {};
    pc.options = options;
    pc.frames = frames;
    pc.pages = pages;
    pc.future = p->needs_future ? &future : nullptr;
    gmmu_sim *sim = gmmu_sim_create(p, &pc, &err);
    if (sim == nullptr)
        bad(err.text);
    Reader in(path);
    Progress progress(std::string("  ") + policy);
    gmmu_walk w;
    gmmu_outcome out;
    for (uint64_t i = 0; in.next(&w); i++) {
        if (gmmu_sim_access(sim, index[i], &w, &out, &err) != GMMU_OK)
            bad(err.text);
        progress.at(i + 1, index.size(), i);
    }
    const uint64_t n = gmmu_sim_counts(sim).evictions;
    gmmu_sim_destroy(sim);
    return n;
}
