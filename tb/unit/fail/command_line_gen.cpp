// SPDX-License-Identifier: Apache-2.0
// command_line_gen.cpp: what a user may get wrong with gmmu gen.
#include <gtest/gtest.h>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineGen) {
    expect({
        {"gen scan -n 3 -p 5", 0, "0x2,0x0,r"},
        {"gen scan -n 3 --page-shift 16", 0, "page_shift=16"},
        {"gen scan --page-shift 8", 2, "--page-shift: found \"8\", expected 9 to 30"},
        {"gen scan cyc", 2, "found a second kind \"cyc\""},
        {"gen scan --to xml", 2, "--to: found \"xml\", expected text or gwt"},
        {"gen scan -n 3 --to text", 0, "0x2,0x0,r"},
        {"gen scan -n 3 --to gwt -o -", 0, "GWT"},
        {"gen scan -p x", 2, "--pages: found \"x\""},
        {"gen scan -p 4294967290", 2, "--pages: found \"4294967290\", expected 2 to"},
        {"gen scan -s -1", 2, "--seed: found \"-1\""},
        {"gen scan -s 5x", 2, "--seed: found \"5x\""},
        {"gen scan -s x", 2, "--seed: found \"x\""},
        {"gen scan -s 18446744073709551616", 2, "expected a whole number below 2^64"},
        {"gen zipf --skew x", 2, "--skew: found \"x\""},
        {"gen zipf --skew 1x", 2, "--skew: found \"1x\""},
        {"gen zipf --skew 10.5", 2, "--skew: found \"10.5\", expected a number from 0 to 10"},
    });
}

}  // namespace
