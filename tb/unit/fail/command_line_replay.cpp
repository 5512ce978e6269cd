// SPDX-License-Identifier: Apache-2.0
// command_line_replay.cpp: what a user may get wrong with gmmu replay.
#include <gtest/gtest.h>

#include <string>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineReplay) {
    const std::string many(70, 'x');
    put("bad.walk", kBad);
    put("five.walk", kFive);
    put("a,\"b.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n");
    put("\xff.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n");
    put("space.walk", "# gmmu-walk 1 page_shift=12\n1,1,r,0,3\n1,1,r,0,4\n");
    put("far.walk", "# gmmu-walk 1 page_shift=12\n0x100000,1,r\n");
    put("huge.walk",
        "# gmmu-walk 1 page_shift=12\n0xfffffffffffff,0xffffffffffffffff,r,0,255\n"
        "0xffffffffffffe,0xfffffffffffffffe,w,0,254\n0xfffffffffffff,0x1,r,0,255\n");
    put("none.walk", kNone);
    expect({
        {"replay", 2, "found no trace"},
        {"replay small.walk wide.walk", 2, "found a second trace"},
        {"replay small.walk --format xml", 2, "expected table, csv or json"},
        {"replay small.walk --frames 12345678901234", 2, "--frames: found \"12345678901234\""},
        {"replay small.walk --frames 5:", 2, "--frames: found \"5:\""},
        {"replay small.walk --frames ,5", 2, "--frames: found \"\""},
        {"replay small.walk --frames 5,0", 2, "--frames: found \"0\""},
        {"replay small.walk --frames 0%", 2, "--frames: found \"0%\""},
        {"replay small.walk --frames 101%", 2, "--frames: found \"101%\""},
        {"replay small.walk --frames 50%x", 2, "--frames: found \"50%x\""},
        {"replay small.walk --frames 1.25", 2, "--frames: found \"1.25\""},
        {"replay small.walk --frames 1.%", 2, "--frames: found \"1.%\""},
        {"replay small.walk --frames 1.1234567%", 2, "--frames: found \"1.1234567%\""},
        {"replay small.walk --frames 4294967295", 2, "--frames: found \"4294967295\""},
        {"replay small.walk --frames " + many, 2, "--frames: found \"xxx"},
        {"replay small.walk --frames 12.5%,0.001%,7 --format csv", 0, "lru,1,90,24"},
        {"replay small.walk --policy " + many, 2, "--policy: found \"xxx"},
        {"replay small.walk --policy lru: --frames 3", 0, "lru:"},
        {"replay small.walk --policy lru:k=3", 2, "found the option \"k=3\", expected none"},
        {"replay small.walk --policy leu:config=large:search=scan", 2, "expected search=sample"},
        {"replay wide.walk --policy leu:config=tiny,fifo,clock --frames 1024 --notes", 0,
         "note: leu:config=tiny"},
        {"replay wide.walk --policy leu-host:config=tiny:batch=4 --frames 300", 0, "leu-host"},
        {"replay far.walk --policy leu-host:config=tiny:batch=4 --frames 3", 2,
         "found page 0x100000"},
        {"replay huge.walk --policy leu,leu-host --frames 2 --format csv", 0, "leu,2,3,2,2"},
        {"replay small.walk --policy leu:config=large --frames 2 --format csv", 0,
         "leu:config=large,2,90,24"},
        {"replay small.walk --policy leu:drop=10 --frames 2 --format csv", 0,
         "leu:drop=10,2,90,24"},
        {"replay space.walk --policy leu:config=tiny --frames 3", 2, "of address space 4"},
        {"replay small.walk --policy leu-host:config=none", 2, "found option \"config=none\""},
        {"replay small.walk --policy leu-host:batch", 2, "found option \"batch=\""},
        {"replay small.walk --policy leu-host:batch=3x", 2, "found option \"batch=3x\""},
        {"replay small.walk --policy leu-host:batch=0", 2, "found option \"batch=0\""},
        {"replay small.walk --policy leu-host:batch=129", 2, "found option \"batch=129\""},
        {"replay small.walk --policy leu-host:sampler=7", 2, "leu-host: configuration default"},
        {"replay small.walk --policy leu-host:averyverylongname=averyverylongvalue", 2,
         "averyverylongna="},
        {"replay small.walk --policy leu:averyverylongname=averyverylongvalue", 2,
         "averyverylongna="},
        {"replay --page-shift 8 small.walk", 2, "--page-shift: found \"8\", expected 9 to 30"},
        {"replay --page-shift 31 small.walk", 2, "--page-shift: found \"31\", expected 9 to 30"},
        {"replay --page-shift 1x small.walk", 2, "--page-shift: found \"1x\""},
        {"replay small.walk --page-shift 0", 2, "--page-shift: found \"0\""},
        {"replay --page-shift=10 --from lackey small.lackey --frames 3", 0, "lru"},
        {"replay small.walk --from", 2, "--from: found \"\""},
        {"replay small.walk --fromage", 2, "fromage"},
        {"replay --frames 3 -- small.walk", 0, "lru"},
        {"replay - <five.walk --frames 3 --policy lru", 0, "lru"},
        {"replay a,\"b.walk --policy lru --frames 3 --format csv", 0,
         "a,\"\"b.walk\",lru,3,1,1,1,1"},
        {"replay \xff.walk --policy lru --frames 3 --format json", 0, "?.walk\""},
        {"replay bad.walk --policy lru --frames 3", 2, "bad.walk:3: found \"x\""},
        {"replay bad.walk --policy opt --frames 3", 2, "bad.walk:3: found \"x\""},
        {"replay /dev/null", 2, "found the end of the file"},
        {"replay /dev/stdin <small.walk --frames 50%", 0,
         "gmmu replay: /dev/stdin is kept in memory"},
        {"replay - <wide.walk --frames 50% --policy lru", 0,
         "gmmu replay: <stdin> is kept in memory"},
        {"replay - <none.walk --frames 50% --format csv", 0, "lru,1,0,0,0"},
        {"replay none.walk --policy vmin --frames 3 --format csv", 0, "vmin,3,0,0,0"},
        {"replay small.walk --policy arc,clockpro --frames 5 --notes", 0,
         "note: clockpro frames=5 mc="},
        {"replay small.walk --policy arc,clockpro --frames 5 --notes", 0, "note: arc frames=5 p="},
        {"replay wide.walk --policy random,srrip --frames 1024 --format csv", 0,
         "srrip,1024,4600,3200"},
        {"replay small.walk --policy hpe,lru --frames 5 --notes", 0,
         "note: hpe frames=5 category="},
        {"replay small.walk --policy hpe,lru,hpe:,hpe:set=8 --hpe-ideal --frames 5 --format csv", 0,
         "hpe:ideal=1,5,90,24"},
        {"replay small.walk --policy hpe:,lru --hpe-ideal --frames 5 --format csv", 0,
         "hpe:ideal=1,5,90,24"},
        {"replay small.walk --policy hpe:set=8 --hpe-ideal --frames 5 --format csv", 0,
         "hpe:set=8:ideal=1,5,90,24"},
        {"replay small.walk --policy hpe:set=7 --frames 5", 2,
         "HIR_PAGES: expected a power of two"},
        {"replay small.walk --policy random:step=3 --frames 3", 2,
         "found the option \"step=3\", expected seed=0"},
        {"replay small.walk --policy srrip:" + many + "=" + many + " --frames 3", 2,
         "\"" + std::string(30, 'x') + "=" + std::string(30, 'x') + "\""},
        {"replay small.walk --policy leu2:sample=1:refresh=2 --frames 9 --format csv", 0,
         "refresh=2,9,90,24"},
        {"replay small.walk --policy leu2:colour=3 --frames 9", 2,
         "leu2: found option \"colour=3\""},
        {"replay small.walk --policy leu2:k=3: --frames 9 --format csv", 0, "k=3:,9,90,24"},
        {"replay small.walk --policy leu2:" + many + "=" + many + " --frames 9", 2,
         "\"" + std::string(15, 'x') + "=" + std::string(15, 'x') + "\""},
        {"replay small.walk --policy leu2:seed=1x --frames 9", 2, "leu2: found option \"seed=1x\""},
        {"replay small.walk --policy leu2:config=tiny --frames 20000", 2,
         "leu2: configuration tiny with 20000 frames: FRAMES"},
        {"replay space.walk --policy leu2:config=tiny --frames 3", 2,
         "leu2: found page 0x1 of address space 4"},
        {"replay small.walk --policy opt,lru --frames 5,9 --as-opt --format csv", 0, ",as_opt"},
        {"replay - <none.walk --as-opt --frames 3 --format csv", 0, "lru,3,0,0,0,0,0,0,0"},
    });
}

}  // namespace
