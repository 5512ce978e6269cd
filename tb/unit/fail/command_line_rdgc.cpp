// SPDX-License-Identifier: Apache-2.0
// command_line_rdgc.cpp: what a user may get wrong with gmmu rdgc.
#include <gtest/gtest.h>

#include <string>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineRdgc) {
    const std::string many(70, 'x');
    put("small.rdgc", kThreads);
    std::string sets, commas;
    for (int i = 0; i < 64; i++) {
        sets += " --set sms=2";
        commas += ",1";
    }
    expect({
        {"rdgc", 2, "found no source, expected a kernel of gmmu record"},
        {"rdgc atax gemm", 2, "found a second source \"gemm\", expected one"},
        {"rdgc nonesuch", 2,
         "found \"nonesuch\", which is no kernel of gmmu record and no readable file (No such "
         "file"},
        {"rdgc small.rdgc --size 3", 2, "found --size with"},
        {"rdgc small.rdgc --seed 3", 2, "found --seed with"},
        {"rdgc small.rdgc --block 3", 2, "found --block with"},
        {"rdgc small.rdgc --inject-fault", 2, "found --inject-fault with"},
        {"rdgc small.rdgc -o @", 2, "found -o with"},
        {"rdgc small.walk", 2, "small.walk:3: found"},
        {"rdgc atax --size 0", 2, "size: found 0"},
        {"rdgc atax --size x", 2, "--size: found \"x\", expected a number"},
        {"rdgc atax --size -3", 2, "--size: found \"-3\", expected a number"},
        {"rdgc atax --seed 1x", 2, "--seed: found \"1x\", expected a number"},
        {"rdgc atax --block 99999999999999999999", 2,
         "--block: found \"99999999999999999999\", expected a number"},
        {"rdgc atax --block 99999999999", 2, "block: found 4294967295, expected 1 to 1024"},
        {"rdgc kmeans --size 50 --seed 3 --block 48 --grid 1", 0, "grids 1, blocks 2, threads 48"},
        {"rdgc atax --l1 maybe", 2, "--l1: found \"maybe\", expected on, off or both"},
        {"rdgc atax --gpu gt740m --l1 on", 2, "--l1 on: found l1.bypass = rwon"},
        {"rdgc atax --size 20 --gpu gt740m --l1 off", 0, "NVIDIA GeForce GT 740M"},
        {"rdgc atax --threads 1025", 2, "--threads: found \"1025\", expected 1 to 1024"},
        {"rdgc atax --threads 0", 2, "--threads: found \"0\""},
        {"rdgc atax --format xml", 2, "expected table, csv or json"},
        {"rdgc atax --fromage", 2, "fromage"},
        {"rdgc atax --set sms", 2, "--set: found \"sms\", expected KEY=VALUE"},
        {"rdgc atax --set " + many + "=3", 2, "found \"" + many.substr(0, 63)},
        {"rdgc atax --set sms=0", 2, "sms: found \"0\""},
        {"rdgc atax --set l1.ways=5", 2, "gmmu rdgc: l1."},
        {"rdgc atax" + sets + " --set sms=2", 2, "at most 64 of them"},
        {"rdgc atax --gpu nonesuch", 2, "nonesuch: No such file or directory, expected a100,"},
        {"rdgc atax --gpu small.lackey", 2, "small.lackey:1: found"},
        {"rdgc --show --gpu gtx480 --set name=mine", 0, "name = mine\nl1.size = 16384\n"},
        {"rdgc atax --vary sms", 2, "--vary: found \"sms\", expected KEY=VALUE"},
        {"rdgc atax --vary a+b+c+d+e+f+g+h+i=2", 2, "with at most 8 keys and 64 values"},
        {"rdgc atax --vary sms+seed=1:2:3", 2, "--vary: found \"sms+seed=1:2:3\""},
        {"rdgc atax --vary sms+seed+l1.ways=1:2", 2, "--vary: found \"sms+seed+l1.ways=1:2\""},
        {"rdgc atax --vary seed=1" + commas, 2, "with at most 8 keys and 64 values"},
        {"rdgc atax --vary seed=1 --vary seed=1 --vary seed=1 --vary seed=1 --vary seed=1 --vary "
         "seed=1 --vary seed=1 "
         "--vary seed=1 --vary seed=1",
         2, "--vary: found more than 8"},
        {"rdgc atax --vary sms=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 --vary "
         "seed=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 "
         "--vary seed=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
         2, "--vary: found more than 4096 combinations"},
        {"rdgc atax --vary l4.ways=2", 2, "found \"l4.ways\""},
        {"rdgc atax --vary l1.ways=192,5", 2, "gmmu rdgc: l1."},
        {"rdgc small.rdgc --vary l1.ways+l2.ways=4 --gpu rdgc_base --grid 0", 0,
         "l1.ways    l2.ways    L1_R_Hit"},
        {"rdgc small.rdgc --grid 2", 2, "--grid: found none of these in 2 grids"},
        {"rdgc atax --grid x", 2, "--grid: found \"x\", expected all, or up to 32 of K"},
        {"rdgc atax --grid 1,", 2, "--grid: found \"1,\""},
        {"rdgc atax --grid 3-1", 2, "--grid: found \"3-1\""},
        {"rdgc atax --grid 3-/", 2, "--grid: found \"3-/\""},
        {"rdgc atax --grid 3-/0", 2, "--grid: found \"3-/0\""},
        {"rdgc atax --grid 1234567890", 2, "--grid: found \"1234567890\""},
        {"rdgc atax --grid 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", 2,
         "expected all, or up to 32"},
        {"rdgc atax --size 20 --grid 1-1,0-/7 --threads 3", 0, "grids 2"},
        {"rdgc atax --size 20 -o /dev/full", 2, "/dev/full: No space left on device"},
        {"rdgc atax --size 60 -o /dev/full", 2, "/dev/full: No space left on device"},
        {"rdgc atax --size 20 -o /nonesuch/x", 2, "/nonesuch/x: No such file"},
        {"rdgc atax --size 20 --inject-fault -o @", 1, "atax: y[10]"},
        {"rdgc atax --size 2 --inject-fault -o /dev/full", 1, "atax: y[1]"},
    });
    Plan p;
    p.group = FILES;
    p.at = 2;  // what kind of file half of it would be nobody says: it is left
    const Ended unknown = gmmu("rdgc atax --size 20 --inject-fault -o @", p);
    EXPECT_EQ(unknown.status, 1);
    EXPECT_TRUE(unknown.fired && unknown.left);
    EXPECT_NE(unknown.err.find("atax: y[10]"), std::string::npos) << unknown.err;
}

}  // namespace
