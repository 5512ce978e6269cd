// SPDX-License-Identifier: Apache-2.0
// command_line_trace.cpp: what a user may get wrong with gmmu trace.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineTrace) {
    put("bad.walk", kBad);
    put("five.walk", kFive);
    put("one.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n");
    put("comments.walk", "# gmmu-walk 1 page_shift=12\r\n#\n#x\r\n# y\r\n#\r\n1,1,r\n");
    put("nulcomment.walk", "# gmmu-walk 1 page_shift=12\n# " + std::string(1, '\0') + "\n1,1,r\n");
    put("nul.walk", "# gmmu-walk 1 page_shift=12\n" + std::string(1, '\0') + "\n1,1,r\n");
    put("longhead.walk", "# gmmu-walk 1 page_shift=12" + std::string(5000, ' ') + "\n");
    put("endless.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\nx" + std::string(3 << 20, 'y'));
    put("short.gwt", contents(folder + "small.gwt").substr(0, 900));
    std::string refs = "# gmmu-walk 1 page_shift=12\n";
    for (int i = 0; i < 12; i++)
        refs += "1," + std::to_string(100 + i % 4) + ",r,0," + std::to_string(3 + i * 5 % 12 / 4) +
                "\n";
    for (int i = 0; i < 15; i++)
        refs += std::to_string(i % 5) + "," + std::to_string(i) + ",r,0,1\n" +
                std::to_string(i % 5) + "," + std::to_string(i / 2) + ",w\n";
    put("refs.walk", refs);
    put("none.walk", kNone);
    const char *const root = std::getenv("GMMU_ROOT");
    const std::string bfs = std::string(root != nullptr ? root : ".") + "/sim/traces/bfs.walk";
    expect({
        {"trace convert nonesuch.walk -o @", 2, "found no readable file"},
        {"trace convert - <wide.walk -o small.gwt", 0, ""},
        {"trace digest comments.walk", 0, "1 walks"},
        {"trace digest nulcomment.walk", 2, "expected a comment without NUL"},
        {"trace digest nul.walk", 2, "nul.walk:2"},
        {"trace digest longhead.walk", 2, "longhead.walk:1"},
        {"trace convert --keep-going endless.walk -o @", 2, "1 bad lines"},
        {"trace", 2, "found no action"},
        {"trace info", 2, "found no trace, expected info TRACE"},
        {"trace nonesuch", 2, "found \"nonesuch\", expected the action"},
        {"trace info small.walk small.walk", 2, "expected one trace"},
        {"trace convert small.walk", 2, "found no -o OUT"},
        {"trace info small.walk -o @", 2, "found -o OUT"},
        {"trace cut small.walk", 2, "found no --walks A:B"},
        {"trace head small.walk", 2, "found no -n N"},
        {"trace head -n 3 --walks 1:2 small.walk", 2, "found --walks"},
        {"trace cut -n 3 --walks 1:2 small.walk", 2, "found -n"},
        {"trace head -n x small.walk", 2, "-n: found \"x\""},
        {"trace info small.walk --format xml", 2, "expected table or json"},
        {"trace convert small.walk -o @ --to xml", 2, "--to: found \"xml\""},
        {"trace convert small.walk -o @ --to text --source me --licence free --comment so", 0, ""},
        {"trace convert small.walk -o - --to gwt --source me --licence free", 0, "GWT"},
        {"trace cut --walks 5 small.walk", 2, "--walks: found \"5\""},
        {"trace cut --walks a:5 small.walk", 2, "--walks: found \"a:5\""},
        {"trace cut --walks 5:/ small.walk", 2, "--walks: found \"5:/\""},
        {"trace cut --walks 9:3 small.walk", 2, "--walks: found \"9:3\""},
        {"trace cut --walks 1234567890123: small.walk", 2, "--walks: found \"1234567890123:\""},
        {"trace cut --walks :2 five.walk", 0, "0x1,0x1,w"},
        {"trace cut --walks 4: five.walk", 0, "0x4,0x1,r"},
        {"trace cut --walks 400: small.gwt", 0, "gmmu-walk"},
        {"trace cut --walks 5:9 - <small.gwt", 0, "0x5,"},
        {"trace cut --walks 3:9 bad.walk", 2, "bad.walk:3"},
        {"trace cut --walks 3:9 short.gwt", 2, "expected one that names the end record"},
        {"trace cut --keep-going --walks 1:9 bad.walk -o -", 2, "2 errors: kept 2 walks"},
        {"trace convert bad.walk -o -", 2, "bad.walk:3"},
        {"trace convert --keep-going bad.walk -o /dev/full", 2,
         "/dev/full: No space left on device"},
        {"trace convert " + bfs + " -o /dev/full", 2, "/dev/full: No space left on device"},
        {"trace convert " + bfs + " -o /dev/full --to gwt", 2,
         "/dev/full: No space left on device"},
        {"trace convert small.walk --to gwt -o /dev/null", 0, ""},
        {"trace convert /dev/null -o /dev/null", 2, "found the end of the file"},
        {"trace convert small.walk -o small.walk", 2, "found the trace that is read"},
        {"trace convert small.walk -o small.gwt", 0, ""},
        {"trace convert - <small.walk -o @", 0, ""},
        {"trace convert small.walk -o /nonesuch/x", 2, "/nonesuch/x: No such file"},
        {"trace convert small.walk --to gwt -o - --source " + std::string(5000, 's'), 2,
         "a text of 5000 bytes"},
        {"trace convert small.walk --to gwt -o @ --source " + std::string(5000, 's'), 2,
         "a text of 5000 bytes"},
        {"trace convert small.walk --to gwt -o /dev/full --source " + std::string(5000, 's'), 2,
         "a text of 5000"},
        {"trace convert small.walk -o /dev/full --source " + std::string(600000, 's'), 2,
         "No space left"},
        {"trace convert small.walk -o /dev/full --licence " + std::string(600000, 's'), 2,
         "No space left"},
        {"trace convert small.walk -o /dev/full --comment " + std::string(600000, 's'), 2,
         "No space left"},
        {"trace info one.walk", 0, "reuses          0"},
        {"trace info one.walk --format json", 0, "\"reuse_interval\": {}"},
        {"trace info refs.walk", 0, "references      35"},
        {"trace info refs.walk --format json", 0, "\"refs\": 35"},
        {"trace info bad.walk", 2, "bad.walk:3"},
        {"trace info nonesuch.walk", 2, "found no readable file"},
        {"trace info none.walk --format json", 0, "\"refs\": 0"},
    });
    // a stream of the binary form, cut short: how much is lost nobody knows
    const Ended stream = gmmu("trace convert wide.walk --to gwt -o -");
    put("stream.gwt", stream.out.substr(0, stream.out.size() - 100));
    const Ended e = gmmu("trace convert --keep-going stream.gwt -o @");
    EXPECT_EQ(e.status, 2);
    EXPECT_NE(e.err.find("and the rest of the file"), std::string::npos) << e.err;
}

TEST_F(Fail, CommandLineTraceFails) {
    put("bad.walk", kBad);
    put("endless.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\nx" + std::string(3 << 20, 'y'));
    Plan p;
    p.group = FILES;
    // the writer cannot begin, and a call on files fails besides
    for (const char *arguments :
         {"trace convert bad.walk -o @", "trace convert --keep-going endless.walk -o @",
          "trace convert small.walk -o /dev/full", "trace convert - <bad.walk -o @"})
        for (p.at = 1; p.at < 15; p.at++)
            EXPECT_EQ(gmmu(arguments, p).status, 2) << arguments << " " << p.at;
    put("zeros.walk", "# gmmu-walk 1 page_shift=12\n" + std::string(9000, '0') + "1,1,r\n");
    p = Plan();
    p.small = true;
    EXPECT_NE(gmmu("trace digest zeros.walk", p).err.find("a line of more than 4096 bytes"),
              std::string::npos);
    p = Plan();
    p.group = FILES;
    for (p.at = 1; p.at < 20; p.at++)
        EXPECT_EQ(
            gmmu("trace convert small.walk --to gwt -o @ --source " + std::string(5000, 's'), p)
                .status,
            2);
}

}  // namespace
