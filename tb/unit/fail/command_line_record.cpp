// SPDX-License-Identifier: Apache-2.0
// command_line_record.cpp: what a user may get wrong with gmmu record.
#include <gtest/gtest.h>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineRecord) {
    expect({
        {"record atax --size 40 --inject-fault -o /dev/full", 1, "atax: y[20]"},
        {"record", 2, "found no kernel, expected one of those"},
        {"record 2dconv --size 2 -o @", 0, "0 walks"},
        {"record atax --size 40 --seed 2 --sms 3 --blocks-per-sm 2 --block 48 --page-shift 13 "
         "--l1-tlb 4 --l2-tlb 8 "
         "--l2-ways 2 --with-time -o @",
         0, "result check passed"},
        {"record hotspot --size 12 --block 4 -o @", 0, "result check passed"},
        {"record atax --size 40 -o /dev/full", 2, "/dev/full: No space left on device"},
        {"record atax --size 40 -o -", 0, "gmmu record atax"},
        {"record atax --size 40 -o /nonesuch/x", 2, "No such file"},
        {"record atax --size 0 -o @", 2, "size: found 0"},
        {"record atax --size 40 --l2-tlb 9 --l2-ways 2 -o @", 2, "expected a multiple of l2-ways"},
        {"record atax --sms 99999999999 -o @", 2, "expected 1 to 256"},
        {"record atax --size :5 -o @", 2, "--size: found ':5'"},
    });
}

}  // namespace
