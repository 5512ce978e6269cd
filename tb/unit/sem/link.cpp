// SPDX-License-Identifier: Apache-2.0
// link.cpp: files of machines: all that are in config/links, their members in any order and form,
// and what is refused, with the place.
#include "semcache/link.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "blas/routines.h"

namespace {

struct Read {
    bool good;
    gmmu_sem_link link;
    std::string error;
};

Read read(const std::string &text) {
    char path[] = "/tmp/link_testXXXXXX";
    const int fd = mkstemp(path);
    EXPECT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(fd);
    gmmu_error err = {};
    Read r = {false, gmmu_sem_usual_link, ""};
    r.good = gmmu_sem_link_read(path, &r.link, &err);
    unlink(path);
    r.error = err.text;
    const size_t at = r.error.find(path);
    if (at == 0)
        r.error.erase(0, sizeof path - 1);
    return r;
}

TEST(SemLink, MembersAreNumbersWithOrWithoutSources) {
    EXPECT_TRUE(read("{}").good);
    const Read r =
        read("\n{ \"call_us\" : 2.5e0 ,\r\n\t\"up_gbs\":[3,\"a \\\"b\\\" µ\", \"c\"]}\n");
    ASSERT_TRUE(r.good) << r.error;
    EXPECT_EQ(r.link.call_us, 2.5);
    EXPECT_EQ(r.link.up_gbs, 3);
    EXPECT_EQ(r.link.down_gbs, gmmu_sem_usual_link.down_gbs);
    // single precision is no faster than double, unless the file says so
    EXPECT_EQ(read("{\"gpu_gflops\": 100}").link.gpu_single_gflops, 100);
    EXPECT_EQ(read("{\"gpu_single_gflops\": 7, \"gpu_gflops\": 100}").link.gpu_single_gflops, 7);
    EXPECT_EQ(read("{\"gpu_gbs\": 9}").link.gpu_single_gflops,
              gmmu_sem_usual_link.gpu_single_gflops);
}

TEST(SemLink, WhatIsRefused) {
    const struct {
        const char *text, *error;
    } bad[] = {{"", ":1: found \"\", expected a JSON object"},
               {"[1]", ":1: found \"[1]\", expected a JSON object"},
               {"{\"up_gbs\": 0}", ":1: found \"0}\", expected a number above 0"},
               {"{\"up_gbs\": -1}", ":1: found \"-1}\", expected a number above 0"},
               {"{\"up_gbs\": 1e12}", ":1: found \"1e12}\", expected a number above 0"},
               {"{\"up_gbs\": []}", ":1: found \"]}\", expected a number above 0"},
               {"{\n\"up_gbs\": [1 2]}", ":2: found \"2]}\", expected \",\" or \"]\""},
               {"{\"up_gbs\": [1, 2]}", ":1: found \"2]}\", expected the number's source, a text"},
               {"{\"up_gbs\": 1 \"call_us\": 1}",
                ":1: found \"\"call_us\": 1}\", expected \",\" or \"}\""},
               {"{\"up_gbs\" 1}", ":1: found \"1}\", expected \":\""},
               {"{\"up_gbs\": 1", ":1: found \"\", expected \",\" or \"}\""},
               {"{} x", ":1: found \"x\", expected the end of the file"}};
    for (const auto &b : bad) {
        const Read r = read(b.text);
        EXPECT_FALSE(r.good) << b.text;
        EXPECT_EQ(r.error, b.error);
    }
    for (const char *twice :
         {"{\"gpu\": 1}", "{\"up_gbs\": 1,\n \"up_gbs\": 1}", "{1: 1}", "{\"up_gbs"}) {
        const Read r = read(twice);
        EXPECT_FALSE(r.good) << twice;
        EXPECT_NE(r.error.find("expected up_gbs, down_gbs, remote_gbs, transfer_us"),
                  std::string::npos)
            << r.error;
    }
    EXPECT_FALSE(read("{" + std::string(20000, ' ') + "}").good);
    gmmu_error err = {};
    gmmu_sem_link link;
    EXPECT_FALSE(gmmu_sem_link_read("/nowhere/x.json", &link, &err));
    EXPECT_STREQ(err.text, "/nowhere/x.json: cannot be read: No such file or directory");
    EXPECT_FALSE(gmmu_sem_link_read("/", &link, &err));
}

TEST(SemLink, TheMachinesOfTheRepository) {
    unsigned files = 0;
    for (const auto &entry : std::filesystem::directory_iterator("config/links")) {
        gmmu_sem_link l = {};
        gmmu_error err = {};
        ASSERT_TRUE(gmmu_sem_link_read(entry.path().c_str(), &l, &err)) << err.text;
        // each file has all members, and no machine is slower in single precision
        for (const double rate : {l.up_gbs, l.down_gbs, l.remote_gbs, l.transfer_us, l.gpu_gflops,
                                  l.gpu_gbs, l.cpu_gflops, l.cpu_gbs, l.call_us})
            EXPECT_GT(rate, 0) << entry.path();
        EXPECT_GE(l.gpu_single_gflops, l.gpu_gflops) << entry.path();
        files++;
    }
    EXPECT_GE(files, 6u);
}

TEST(SemLink, SinglePrecisionHasItsOwnRate) {
    gmmu_sem_play_config c = {};
    ASSERT_TRUE(gmmu_sem_protocol_of("naive", &c.protocol));
    c.runtime.limit = 1 << 30;
    c.link = gmmu_sem_usual_link;
    double ns[2];
    for (const bool single : {false, true}) {
        gmmu_sem_play *p = gmmu_sem_play_create(&c);
        gmmu_sem_event e = {};
        e.flops = 7000000000;  // 1 s of double precision, half a second of single
        e.operands = 1;
        e.operand[0].start = e.operand[0].last = 8;
        e.operand[0].reads = true;
        e.single = single;
        ASSERT_TRUE(gmmu_sem_play_event(p, &e));
        ns[single] = gmmu_sem_play_total(p).ns;
        gmmu_sem_play_destroy(p);
    }
    EXPECT_NEAR(ns[0] - ns[1], 5e5, 1);
}

TEST(BlasNames, SinglePrecision) {
    for (const char *name : {"sgemm", "sgemm_", "cblas_cgemm", "scipy_cblas_sgemm64_", "cgesv_64_",
                             "scipy_spotrf_", "csscal_", "spotrf-L", "cgetrf"})
        EXPECT_TRUE(gmmu_blas_is_single(name)) << name;
    for (const char *name : {"dgemm", "zgemm_", "cblas_zdscal", "dpotrf-U", "compute", "solve",
                             "sgemmx", "s", "", "cblas_", "scipy_dgemm_"})
        EXPECT_FALSE(gmmu_blas_is_single(name)) << name;
}

}  // namespace
