// SPDX-License-Identifier: Apache-2.0
// edges.cpp: what the library refuses, and its largest numbers.
#include <gtest/gtest.h>

#include <string>

#include "exact/leu.h"
#include "fail.h"
#include "gen/gen.h"
#include "gmmu/trace.h"
#include "policy/leu_walk.h"
#include "policy/policy.h"
#include "policy/replay.h"
#include "simt/kernels/kernels.h"
#include "simt/simt.h"

namespace {

TEST_F(Fail, EdgesOfTheLibrary) {
    gmmu_error err = {};
    gmmu_about about = {};
    for (const unsigned shift : {8U, 31U}) {
        about.page_shift = shift;
        EXPECT_EQ(gmmu_writer_open_as(written.c_str(), GMMU_FORM_TEXT, &about, &err), nullptr);
        EXPECT_NE(std::string(err.text).find("expected 9 to 30"), std::string::npos);
        EXPECT_EQ(
            gmmu_reader_open_as((folder + "small.lackey").c_str(), GMMU_FORM_LACKEY, shift, &err),
            nullptr);
        EXPECT_NE(std::string(err.text).find("expected 9 to 30"), std::string::npos);
    }
    EXPECT_STREQ(gmmu_form_name(GMMU_FORMS), "");
    EXPECT_EQ(gmmu_policy_capacity(GMMU_MAX_PAGES / 2 + 1, 5), GMMU_MAX_PAGES);
    gmmu_pages_destroy(nullptr);
    gmmu_sim_destroy(nullptr);
    gmmu_simt_destroy(nullptr);
    gmmu_reader_close(nullptr);
    gmmu_exact_leu_destroy(nullptr);
    gmmu_gen_destroy(nullptr);
    // a cost above 2^32 is no maximum
    gmmu_exact_leu *m = gmmu_exact_leu_create();
    for (unsigned i = 0; i < 4; i++) EXPECT_TRUE(gmmu_exact_leu_walk(m, {0, i % 2}, 1));
    EXPECT_EQ(gmmu_exact_leu_ppuc(m, 0, 1, 0, 1ULL << 33).num, 0U);
    EXPECT_EQ(gmmu_exact_leu_ppuc(m, 0, 1, 0, 2).num, 1U);
    gmmu_exact_leu_destroy(m);
    // pages as wide as they can be, and an address space too wide
    gmmu_config c = *gmmu_config_find("tiny");
    gmmu_tier_walk_in in = {};
    gmmu_walk w = {};
    c.vpn_w = 64;
    c.ranges = 0;
    w.vpn = UINT64_MAX;
    EXPECT_EQ(gmmu_leu_walk("leu", &c, &w, &in, &err), GMMU_OK);
    EXPECT_EQ(in.vpn, UINT64_MAX);
    w.asid = 4;
    EXPECT_EQ(gmmu_leu_walk("leu", &c, &w, &in, &err), GMMU_BAD);
    // who listens to accesses or walks may end the run
    gmmu_simt_params p = gmmu_simt_defaults(gmmu_simt_kernels[0]);
    p.size = 40;
    const auto stop = [](void *, const gmmu_walk *, gmmu_error *) -> int { return GMMU_END; };
    for (const bool walk : {false, true}) {
        gmmu_simt *unit = gmmu_simt_create(gmmu_simt_kernels[0], &p, &err);
        ASSERT_NE(unit, nullptr) << err.text;
        gmmu_simt_hooks hooks = {};
        (walk ? hooks.walk : hooks.access) = stop;
        EXPECT_EQ(gmmu_simt_run(unit, &hooks, &err), GMMU_END);
        gmmu_simt_destroy(unit);
    }
}

}  // namespace
