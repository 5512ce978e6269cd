// SPDX-License-Identifier: Apache-2.0
// fail.h: what the tests of a failing system share: which call is to fail, and the command run in a
// child with it.
//
// In every run one call fails, the first, the second and so on until none does: of those that
// allocate, or of those on files. The command then either says so in its last line and ends with
// status 2, or its output is the same as ever; half a trace never stays; nothing crashes, nothing
// leaks.
#ifndef GMMU_TB_FAIL_FAIL_H
#define GMMU_TB_FAIL_FAIL_H

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <set>
#include <string>
#include <vector>

enum Group { NONE, MEMORY, FILES };

struct Plan {
    Group group = NONE;
    long at = 0;         // this call of the group fails, from 1; 0: none
    long again = 0;      // and so does this one
    int error = EIO;     // of FILES; 0: the call does less than it should
    bool small = false;  // read and write do a few bytes a time, and are interrupted
    bool terminal = false;
    long cores = 0;  // of the machine; 0: as many as there are
};

// Shared with the child.
struct Shared {
    bool fired, done;
    long at;
    unsigned noticed;
};

extern Plan plan;
extern std::atomic<long> calls;
extern Shared *shared;

// From here on calls are counted, and fail as PLAN says.
void arm(const Plan &with);

std::string contents(const std::string &path);

struct Ended {
    int status = -1;  // -1: by a signal
    bool fired = false;
    std::string out, err, file;
    bool left = false;                   // the file is there
    std::vector<std::string> rows = {};  // of a sweep's store, in order
    std::string last_line() const {
        const size_t end = err.find_last_not_of('\n') + 1;
        const size_t start = err.find_last_of('\n', end == 0 ? 0 : end - 1);
        return err.substr(start == std::string::npos ? 0 : start + 1, end);
    }
};

// A command, and how it is to end: its status, and a part of what it says.
struct Case {
    std::string arguments;
    int status;
    std::string said;
};

class Fail : public testing::Test {
   protected:
    const std::string folder = testing::TempDir() + "fail_test." + std::to_string(getpid()) + "/";
    // what `@` in the arguments stands for, a file or a folder; before each run it goes
    std::string written = folder + "out.walk";

    static void SetUpTestSuite();
    void SetUp() override;
    void TearDown() override;

    bool loses_rows =
        false;  // with status 1, as `gmmu sweep` does; what it says of them is anywhere

    mutable std::set<std::string> made = {"small.gwt", "out.walk", "out.gwt",
                                          "out",       "err",      "report"};

    void put(const std::string &name, const std::string &text) const;

    // A trace over PAGES pages, all of which are in it, and one of whose pages is written.
    void trace(const std::string &name, unsigned walks, unsigned pages) const;

    // The file NAME once more, as NAME.gz.
    void zip(const std::string &name) const;

    // `gmmu` with its arguments. Names of files are those of the folder, @ is `written`, a name
    // behind < goes through a pipe to standard input.
    struct Command {
        std::vector<std::string> words = {"gmmu"};
        std::string input;
    };
    Command parse(const std::string &arguments) const;

    // Runs it here, in a child.
    int run(Command c, const Plan &with) const;

    Ended ended(int status) const;

    // The exit status of a child, -1 for a signal.
    static int wait_for(pid_t child);

    Ended gmmu(const std::string &arguments, const Plan &with = Plan()) const;

    // Standard input becomes a pipe with the text of PATH.
    static void feed(const std::string &path);

    // What is wrong with a run in which a call failed.
    std::string judge(const Ended &e, const Ended &good, const Plan &p) const;

    // Lets each call of GROUP fail in turn. LEAST: as many of the runs must end with status 2. One
    // child makes run after run, until the command itself ends it. MOST: no more than the first so
    // many calls. With GMMU_QUICK one call of three, if they allocate.
    void each(Group group, const std::string &arguments, unsigned least, int error = EIO,
              long most = LONG_MAX) const;

    // Runs each command. No half trace stays.
    void expect(const std::vector<Case> &cases) const;
};

// A warp of which a thread reads twice, and a further grid.
inline const char *const kThreads =
    "# gmmu-rdgc 1 blocks=2 threads=40\n0,0,0,r,0x1000\n1,0,0,r,0x1000\n1,1,39,w,0x2000\n"
    "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,64\n";

// Traces in text: with bad lines, of five walks, of none.
inline const char *const kBad = "# gmmu-walk 1 page_shift=12\n1,2,r\n1,2,x\n3,4,r\n5,6,q\n7,8,w\n";
inline const char *const kFive = "# gmmu-walk 1 page_shift=12\n1,1,r\n1,1,w\n2,1,r\n3,1,r\n4,1,r\n";
inline const char *const kNone = "# gmmu-walk 1 page_shift=12\n";

#endif
