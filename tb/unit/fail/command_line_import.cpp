// SPDX-License-Identifier: Apache-2.0
// command_line_import.cpp: damaged traces of other tools.
#include <gtest/gtest.h>

#include <string>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineImport) {
    const std::string many(70, 'x');
    put("nul.lackey", std::string(" L 1000,8\n\0\n", 12));
    put("long.lackey", " L 1000,8\n" + std::string(5000, ' ') + "\n");
    put("last.lackey",
        "--1-- a word of the tool\n==1== another\n L ffffffffffffffff,8\n L 10,4\n S 2000,0\n");
    put("dash.accelsim", "-no value\n");
    put("short.oracle", contents(folder + "small.oracle").substr(0, 30));
    std::string columns = "# made by hand\n# page_shift=16\n# page_shift=16 once more\nvpn,rw";
    for (int i = 0; i < 40; i++) columns += ",column_that_is_not_known_" + std::to_string(i);
    put("columns.csv", columns + "\n7,r" + std::string(40, ',') + "\n");
    put("two.csv", "vpn,page\n1,2\n");
    put("range.csv", "vpn,rw\n1,r\n18446744073709551616,r\n");
    put("list.mooncake", "[1, [2, 3], \"" + many + many + many + many + "\"]\n");
    put("text.mooncake", "{\"timestamp\": 1, \"hash_ids\": [1, \"two\"]}\n");
    put("less.mooncake", "{\"timestamp\": 1, \"hash_ids\": [1, -2]}\n");
    put("no.mooncake", "{\"timestamp\": 1}\n");
    const std::string whole = contents(folder + "wide.walk.gz");
    std::string broken = whole;
    broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x55);
    put("broken.gz", broken);
    put("short.gz", whole.substr(0, whole.size() - 20));
    put("twice.gz", whole + whole);
    expect({
        {"trace digest --from lackey nul.lackey", 2, "expected a line without NUL"},
        {"trace digest --from lackey long.lackey", 2, "found a line of more than 4096 bytes"},
        {"trace digest --from lackey last.lackey", 0, "3 walks"},
        {"trace digest --from accelsim dash.accelsim", 2, "dash.accelsim:1"},
        {"trace convert --keep-going --from oracle-general short.oracle -o @", 2,
         "and the rest of the file"},
        {"trace digest --from accelsim small.lackey", 2, "small.lackey:1"},
        {"trace digest broken.gz", 2, "expected gzip data"},
        {"trace digest short.gz", 2, "found the end of the file at byte"},
        {"trace digest twice.gz", 0, "9200 walks"},  // the second header is a comment
        {"trace digest --from csv columns.csv", 0, "\"column_that_is_not_known_0\", "},
        {"trace digest --from csv columns.csv", 0, "\", …"},
        {"trace convert --from csv columns.csv -o -", 0, "page_shift=16"},
        {"trace digest --from csv two.csv", 2,
         "two.csv:1: found \"page\", expected one column of that meaning"},
        {"trace digest --from csv range.csv", 2,
         "range.csv:3: found \"18446744073709551616\", expected a page number"},
        {"trace digest --from mooncake list.mooncake", 2, "found \"[1,[2,3],\"xxx"},
        {"trace digest --from mooncake text.mooncake", 2,
         "found \"\"two\"\", expected a whole number in hash_ids"},
        {"trace digest --from mooncake less.mooncake", 2,
         "found \"-2\", expected a whole number in hash_ids"},
        {"trace digest --from mooncake no.mooncake", 2, "found \"nothing\", expected hash_ids"},
    });
}

}  // namespace
