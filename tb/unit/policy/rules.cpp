// SPDX-License-Identifier: Apache-2.0
// rules.cpp: what gmmu_sim refuses of a policy that breaks the rules of policy.h. The policy moves
// what it is told to.
//
// State space: every kind of wrong answer by itself, from a memory with room, a full one, and one
// with a page that no access touched; legal moves of policies that move many pages.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "policy/replay.h"
#include "told_policy.h"

namespace {

constexpr gmmu_memory NEAR = GMMU_NEAR, FAR = GMMU_FAR;

bool none_may_leave(const void *context, uint32_t page) {
    (void)context;
    (void)page;
    return false;
}

class Rules : public testing::Test {
   protected:
    ~Rules() override { gmmu_sim_destroy(sim_); }

    // Memory of FRAMES pages. PINNED: no page may leave.
    void begin(uint32_t frames, bool pinned = false) {
        gmmu_policy_config config = {};
        config.frames = frames;
        config.eligible.may_leave = pinned ? none_may_leave : nullptr;
        gmmu_error err = {};
        gmmu_sim_destroy(sim_);
        sim_ = gmmu_sim_create(&policy_, &config, &err);
        ASSERT_NE(sim_, nullptr) << err.text;
    }
    // "", or what is said against the answer TOLD to an access of PAGE.
    std::string access(uint32_t page, Told what, bool write = false) {
        told = std::move(what);
        gmmu_walk walk = {};
        walk.write = write;
        gmmu_outcome out;
        gmmu_error err = {};
        status_ = gmmu_sim_access(sim_, page, &walk, &out, &err);
        return status_ == GMMU_OK ? "" : err.text;
    }
    std::string evict(Told what) {
        told = std::move(what);
        gmmu_outcome out;
        gmmu_error err = {};
        status_ = gmmu_sim_evict(sim_, &out, &err);
        return status_ == GMMU_OK ? "" : err.text;
    }
    // A memory of two frames with pages 1 and 2.
    void full() {
        begin(2);
        ASSERT_EQ(access(1, comes(1)), "");
        ASSERT_EQ(access(2, comes(2)), "");
    }
    static Told comes(uint32_t page, std::vector<gmmu_move> more = {}) {
        more.insert(more.begin(), from_to(page, FAR, NEAR));
        return {true, more, {}};
    }
    static gmmu_move leaves(uint32_t page) { return from_to(page, NEAR, FAR); }
    gmmu_counts counts() const { return gmmu_sim_counts(sim_); }

    gmmu_policy policy_ = told_policy(false);
    int status_ = GMMU_OK;

   private:
    gmmu_sim *sim_ = nullptr;
};

TEST_F(Rules, ARightPolicyIsCounted) {
    policy_.obeys = true;
    full();
    EXPECT_EQ(access(2, Told{}, true), "");
    EXPECT_EQ(access(3, comes(3, {leaves(2)})), "");
    EXPECT_EQ(evict({false, {leaves(1)}, {}}), "");
    EXPECT_EQ(access(2, comes(2)), "");
    EXPECT_EQ(counts().accesses, 5U);
    EXPECT_EQ(counts().faults, 4U);
    EXPECT_EQ(counts().cold, 3U);
    EXPECT_EQ(counts().evictions, 2U);
    EXPECT_EQ(counts().writebacks, 1U);
}

TEST_F(Rules, TheVictimIsInMemory) {
    full();
    EXPECT_EQ(access(3, comes(3, {leaves(7)})),
              "policy told, walk 3: found page 7 leave, expected a page that is in memory");
    EXPECT_EQ(status_, GMMU_BAD);
    full();
    EXPECT_EQ(
        access(3, comes(3, {leaves(GMMU_NO_PAGE)})),
        "policy told, walk 3: found page 4294967295 leave, expected a page that is in memory");
    full();
    EXPECT_EQ(
        access(3, comes(3, {from_to(1, NEAR, GMMU_HOST)})),
        "policy told, walk 3: found a move of page 1 from memory 1 to 2, expected a page that "
        "leaves: from 1 to 0");
}

TEST_F(Rules, TheAccessedPageStays) {
    full();
    EXPECT_EQ(access(3, comes(3, {leaves(3)})),
              "policy told, walk 3: found page 3 leave at its own access, expected another page");
}

TEST_F(Rules, EachNewPageComesIn) {
    full();
    EXPECT_EQ(
        access(3, Told{}),
        "policy told, walk 3: found a hit of page 3, which is not in memory, expected a fault");
    EXPECT_EQ(access(1, comes(1, {leaves(2)})),
              "policy told, walk 3: found a fault of page 1, which is in memory, expected a hit");
    const std::string without =
        "policy told, walk 3: found a fault of page 3 without its move, expected the page to come "
        "by "
        "the first move";
    EXPECT_EQ(access(3, {true, {}, {}}), without);
    EXPECT_EQ(access(3, comes(4, {leaves(2)})), without);
    EXPECT_EQ(access(3, {true, {from_to(3, GMMU_HOST, NEAR), leaves(2)}, {}}), without);
    EXPECT_EQ(access(3, {true, {from_to(3, FAR, GMMU_HOST), leaves(2)}, {}}), without);
    EXPECT_EQ(counts().accesses, 2U);
}

TEST_F(Rules, OnePageLeavesWhenMemoryIsFull) {
    full();
    EXPECT_EQ(
        access(3, comes(3)),
        "policy told, walk 3: found 3 pages in memory, expected at most 2: a page must leave");
    full();
    EXPECT_EQ(access(3, comes(3, {leaves(1), leaves(2)})),
              "policy told, walk 3: found 2 pages leave, expected 1: memory had 2 of 2 pages");
    begin(2);
    EXPECT_EQ(access(1, comes(1)), "");
    EXPECT_EQ(access(2, comes(2, {leaves(1)})),
              "policy told, walk 2: found 1 pages leave, expected 0: memory had 1 of 2 pages");
    full();
    EXPECT_EQ(access(1, {false, {leaves(2)}, {}}),
              "policy told, walk 3: found 1 moves at a hit, expected none");
    full();
    Told told_three = comes(3, {leaves(1)});
    told_three.after = {leaves(2)};
    EXPECT_EQ(access(3, told_three),
              "policy told, walk 3: found 2 pages leave, expected 1: memory had 2 of 2 pages");
}

TEST_F(Rules, OnlyAPinnedMemoryIsStuck) {
    Told stuck = comes(3);
    stuck.stuck = true;
    full();
    EXPECT_EQ(access(3, stuck),
              "policy told, walk 3: found page 3 stuck, with 2 of 2 pages in memory, expected its "
              "fault: pages may leave");
    policy_.obeys = true;
    begin(1, true);
    EXPECT_EQ(access(3, stuck),
              "policy told, walk 1: found page 3 stuck, with 0 of 1 pages in memory, expected its "
              "fault: pages may leave");
    EXPECT_EQ(access(1, comes(1)), "");
    EXPECT_EQ(access(3, stuck), "");
    EXPECT_EQ(counts().accesses, 1U);
    EXPECT_NE(access(1, stuck), "");
}

TEST_F(Rules, AVictimAheadOfNeedIsOnePageInMemory) {
    full();
    EXPECT_EQ(evict({false, {leaves(7)}, {}}),
              "policy told, walk 2: found page 7 leave, expected a page that is in memory");
    EXPECT_EQ(evict({false, {leaves(1), leaves(2)}, {}}),
              "policy told, walk 2: found 2 moves ahead of need, expected 1");
    EXPECT_EQ(evict(Told{}), "policy told, walk 2: found 0 moves ahead of need, expected 1");
    Told stuck;
    stuck.stuck = true;
    EXPECT_EQ(evict(stuck), "");
}

TEST_F(Rules, MovesLieInTheirArrays) {
    full();
    policy_.access = [](void *, uint32_t page, const gmmu_walk *, gmmu_outcome *out, gmmu_error *) {
        gmmu_outcome_begin(out, page, true);
        out->count = 5;
        return static_cast<int>(GMMU_OK);
    };
    EXPECT_EQ(access(3, Told{}),
              "policy told, walk 3: found 5 moves and 0 more at NULL, expected at most 4, and an "
              "array of the others");
    policy_ = told_policy(false);
    full();
    policy_.access = [](void *, uint32_t page, const gmmu_walk *, gmmu_outcome *out, gmmu_error *) {
        gmmu_outcome_begin(out, page, true);
        out->after_count = 1;
        return static_cast<int>(GMMU_OK);
    };
    EXPECT_EQ(access(3, Told{}),
              "policy told, walk 3: found 1 moves and 1 more at NULL, expected at most 4, and an "
              "array of the others");
}

TEST_F(Rules, AStatusIsOneOfThreeAndHasAMessage) {
    full();
    Told wrong;
    wrong.status = 7;
    EXPECT_EQ(access(1, wrong), "policy told, walk 3: found the status 7, expected 0, 1 or 2");
    EXPECT_EQ(status_, GMMU_BAD);
    wrong.status = GMMU_END;
    EXPECT_EQ(access(1, wrong),
              "policy told, walk 3: found the status 1 and no message, expected a message");
    EXPECT_EQ(status_, GMMU_END);
    policy_.create = [](const gmmu_policy_config *, gmmu_error *) -> void * { return nullptr; };
    gmmu_policy_config config = {};
    config.frames = 1;
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_create(&policy_, &config, &err), nullptr);
    EXPECT_EQ(std::string(err.text),
              "policy told: found no state and no message of create, expected one of them");
}

// A policy of chunks may let several pages leave and come, also pages that no access touched.
TEST_F(Rules, APolicyThatMovesManyKeepsPagesAndSize) {
    policy_.moves_many = true;
    full();
    Told chunk = comes(3, {leaves(1)});
    chunk.after = {leaves(2)};
    EXPECT_EQ(access(3, chunk), "");
    chunk = Told{};
    chunk.untouched_in = 1;
    EXPECT_EQ(access(3, chunk), "");
    EXPECT_EQ(
        access(1, Told{}),
        "policy told, walk 5: found a hit of page 1, which is not in memory, expected a fault");
    EXPECT_EQ(access(9, Told{}), "");  // the page that came untouched
    EXPECT_EQ(access(10, Told{}),
              "policy told, walk 6: found a hit of page 10, which is not in memory, expected a "
              "fault");
    chunk.untouched_in = 0;
    chunk.untouched_out = 1;
    EXPECT_EQ(
        access(9, chunk),
        "policy told, walk 6: found 1 pages leave that no access touched, expected at most 0");
    full();
    EXPECT_EQ(
        access(1, {false, {}, {from_to(3, FAR, NEAR)}}),
        "policy told, walk 3: found 3 pages in memory, expected at most 2: a page must leave");
    full();
    EXPECT_EQ(access(1, {false, {}, {from_to(2, FAR, NEAR)}}),
              "policy told, walk 3: found page 2 come, expected a page that is not in memory");
    full();
    EXPECT_EQ(access(1, {false, {leaves(1)}, {}}),
              "policy told, walk 3: found page 1 leave at its own access, expected another page");
}

}  // namespace
