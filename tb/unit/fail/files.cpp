// SPDX-License-Identifier: Apache-2.0
// files.cpp: calls on files fail, do less than they should, or are interrupted.
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "fail.h"

namespace {

TEST_F(Fail, Files) {
    std::string lines, records;
    for (int i = 0; i < 700; i++) {
        lines += " L 1000,8\n";
        records += contents(folder + "small.oracle").substr(0, 24);
    }
    put("small.rdgc", kThreads);
    put("small.gpu", "sms = 2\n");
    put("wide.lackey", lines);
    put("wide.oracle", records);
    for (const int error : {EIO, 0}) {
        const unsigned some = error == 0 ? 0 : 2;
        each(FILES, "trace convert wide.walk -o @", some * 2, error);
        each(FILES, "trace convert small.gwt -o @", some * 2, error);
        each(FILES, "trace cut --walks 5:70 small.gwt -o @", some * 4, error);
        each(FILES, "trace digest --from lackey small.lackey", some, error);
        each(FILES, "trace digest --from oracle-general small.oracle", some, error);
        each(FILES, "trace digest --from lackey wide.lackey", some, error);
        each(FILES, "trace digest --from oracle-general wide.oracle", some, error);
        each(FILES, "trace digest --from csv small.csv", some, error);
        each(FILES, "trace digest --from mooncake rows.mooncake", some, error);
        each(FILES, "trace digest --from mooncake wide.mooncake", some, error);
        each(FILES, "trace digest wide.walk.gz", some, error);
        each(FILES, "trace convert - <small.walk -o @", some, error);
        each(FILES, "record spmv --size 2000 --sms 2 -o @", some, error);
        each(FILES, "rdgc atax --size 20 -o @ --format csv", 0, error);
        each(FILES, "rdgc small.rdgc --format csv --gpu small.gpu", some, error);
        each(FILES, "replay small.walk --frames 50% --format csv", some, error);
        written = folder + "out.gwt";
        each(FILES, "trace convert wide.walk -o @", some * 2, error);
        each(FILES, "trace convert small.gwt -o @", some * 2, error);
        written = folder + "out.walk";
    }
}

// A row that cannot be written is lost, and said so.
TEST_F(Fail, FilesOfSweep) {
    written = folder + "store";
    made.insert("store");
    loses_rows = true;
    each(FILES, "sweep small.walk -p lru,fifo -f 50% --store @ --program p --threads 1", 20);
}

TEST_F(Fail, SmallPiecesAndInterrupts) {
    Plan p;
    p.small = true;
    for (const char *name : {"out.walk", "out.gwt"}) {
        written = folder + name;
        for (const char *arguments :
             {"trace convert wide.walk -o @", "trace convert small.gwt -o @",
              "trace convert - <small.gwt -o @", "trace convert - <wide.walk -o @",
              "record gemm --size 40 -o @"}) {
            const Ended whole = gmmu(arguments);
            const Ended pieces = gmmu(arguments, p);
            EXPECT_EQ(whole.status, 0) << whole.err;
            EXPECT_EQ(pieces.status, 0) << pieces.err;
            EXPECT_TRUE(whole.file == pieces.file) << arguments;
            EXPECT_FALSE(whole.file.empty());
        }
    }
}

TEST_F(Fail, StandardOutputIsFull) {
    each(FILES, "explain small.walk --event 60 --frames 5", 2);
}

}  // namespace
