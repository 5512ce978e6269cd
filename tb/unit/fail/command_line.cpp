// SPDX-License-Identifier: Apache-2.0
// command_line.cpp: what a user may get wrong in general, and any number of cores.
#include <gtest/gtest.h>

#include <string>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLine) {
    expect({
        {"", 2, "Usage: gmmu COMMAND"},
        {"-h", 0, "Commands:"},
        {"help", 0, "Commands:"},
        {"--help", 0, "Commands:"},
        {"-V", 0, "gmmu "},
        {"--version", 0, "gmmu "},
        {"nonesuch", 2,
         "expected one of replay, sweep, diff, mrc, explain, trace, record, rdgc, gen"},
    });
}

TEST_F(Fail, CommandLineOnAnyCores) {
    put("small.rdgc", kThreads);
    // whatever the machine says of its cores
    Plan machine;
    for (const char *arguments :
         {"replay wide.walk --policy lru,fifo --frames 300,500 --format csv",
          "mrc wide.walk --policy lru,fifo --frames 300,500 --format csv"}) {
        const std::string one = gmmu(std::string(arguments) + " --threads 1").out;
        EXPECT_NE(one.find("fifo,500,4600"), std::string::npos);
        for (machine.cores = -1; machine.cores < 9999; machine.cores += 5000)
            EXPECT_EQ(gmmu(arguments, machine).out, one) << machine.cores;
    }
    const std::string models = "rdgc small.rdgc --vary sms=2,3 --format csv";
    const std::string one = gmmu(models + " --threads 1").out;
    EXPECT_NE(one.find("GTX 970,3,"), std::string::npos) << one;
    for (machine.cores = -1; machine.cores < 9999; machine.cores += 5000)
        EXPECT_EQ(gmmu(models, machine).out, one) << machine.cores;
}

}  // namespace
