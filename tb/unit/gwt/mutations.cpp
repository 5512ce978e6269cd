// SPDX-License-Identifier: Apache-2.0
// mutations.cpp: random mutations: no crash, nothing that sanitizers find, messages of one line.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmmu/trace.h"
#include "gwt_form.h"
#include "random_trace.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

std::string mutated(std::string s, RandomTrace *random) {
    for (uint64_t n = 1 + random->below(4); n > 0 && !s.empty(); n--) {
        const size_t at = random->below(s.size());
        switch (random->below(6)) {
            case 0:
                s[at] = static_cast<char>(s[at] ^ (1U << random->below(8)));
                break;
            case 1:
                s[at] = static_cast<char>(random->below(256));
                break;
            case 2:
                s.erase(at, 1 + random->below(9));
                break;
            case 3:
                s.insert(at, s.substr(random->below(s.size()), random->below(30)));
                break;
            case 4:
                s.resize(at);
                break;
            default:
                s[at] = random->below(2) == 0 ? '\0' : '\xff';
                break;
        }
    }
    return s;
}

TEST(Fuzz, Mutations) {
    RandomTrace random(test_seed() + 4);
    const Walks walks = random_walks(&random, 12);
    const std::string text = written(walks, GMMU_FORM_TEXT);
    const std::string binary = written(walks, GMMU_FORM_GWT);
    const int each = std::getenv("GMMU_LONG") != nullptr
                         ? 10000
                         : 3000;  // of each form; `make fuzz` does a million
    uint64_t refused = 0;
    uint64_t accepted = 0;
    std::vector<std::pair<gmmu_form, std::function<std::string()>>> makers = {
        {GMMU_FORM_TEXT, [&] { return mutated(text, &random); }},
        {GMMU_FORM_GWT, [&] { return mutated(binary, &random); }},
        // With right checksums, so that what lies behind them is reached.
        {GMMU_FORM_GWT, [&] { return gwt_file(mutated(kThree, &random), 3); }},
        {GMMU_FORM_TEXT, [&] { return mutated(kHintedText, &random); }},
        {GMMU_FORM_GWT, [&] { return gwt_file(kThree, 3, mutated(kHintFrame, &random)); }},
        {GMMU_FORM_ACCELSIM, [&] { return mutated(kAccelsim, &random); }},
        {GMMU_FORM_LACKEY, [&] { return mutated(kLackey, &random); }},
        {GMMU_FORM_ORACLE_GENERAL, [&] { return mutated(kOracle, &random); }},
        {GMMU_FORM_CSV, [&] { return mutated(kCsv, &random); }},
        {GMMU_FORM_UVM_CSV, [&] { return mutated(kUvm, &random); }},
        {GMMU_FORM_G10, [&] { return mutated(kG10, &random); }},
        {GMMU_FORM_MOONCAKE, [&] { return mutated(kMooncake, &random); }},
        {GMMU_FORM_TEXT, [&] { return mutated(gzipped(text), &random); }}};
    for (const ToolSample &tool : kTools) {
        makers.emplace_back(tool.form, [&] { return mutated(tool.text, &random); });
    }
    for (const auto &m : makers) {
        const int count = m.first == GMMU_FORM_GWT       ? each / 2
                          : m.first > GMMU_FORM_MOONCAKE ? each / 5
                                                         : each;
        for (int i = 0; i < count; i++) {
            Memory file(m.second());
            gmmu_error err = {};
            gmmu_reader *r = gmmu_reader_open_as(file.path.c_str(), m.first, 12, &err);
            if (r == nullptr) {
                refused++;
                continue;
            }
            if (i % 4 == 0) {
                (void)gmmu_reader_seek(r, random.below(14), &err);
            }
            const Read got = drain(r, i % 2 == 0, 1000);
            (got.errors != 0 ? refused : accepted)++;
            gmmu_reader_close(r);
        }
    }
    EXPECT_GT(refused, 0U);
    EXPECT_GT(accepted, 0U);
    std::printf("[ vectors  ] mutations: %llu read, %llu refused\n",
                static_cast<unsigned long long>(accepted),
                static_cast<unsigned long long>(refused));
}

}  // namespace
