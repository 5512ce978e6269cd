// SPDX-License-Identifier: Apache-2.0
// fail_test.cpp: the command and the library when the system fails them. In every run one call fails,
// the first, the second and so on until none does: of those that allocate, or of those on files. The
// command then either says so in its last line and ends with status 2, or its output is the same as
// ever; half a trace never stays; nothing crashes, nothing leaks. Also: reads and writes in small
// pieces that signals interrupt, and sizes at which tables grow.
//
// The linker sends the calls of the C code here (--wrap in the Makefile). The command runs in a child.
#include <argp.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "exact/leu.h"
#include "gmmu/trace.h"
#include "policy/policy.h"
#include "random_trace.h"
#include "simt/kernels/kernels.h"
#include "simt/simt.h"
#include "simt/tlb.h"

extern "C" int gmmu_main(int argc, char **argv);

// ---------------------------------------------------------------- calls that fail

namespace {

enum Group { NONE, MEMORY, FILES };

struct Plan {
    Group group = NONE;
    long at = 0;         // this call of the group fails, from 1; 0: none
    long again = 0;      // and so does this one
    int error = EIO;     // of FILES; 0: the call does less than it should
    bool small = false;  // read and write do a few bytes a time, and are interrupted
    bool terminal = false;
};

Plan plan;
long calls;

// Shared with the child.
struct Shared {
    bool fired, done;
    long at;
    unsigned noticed;
};
Shared *shared;

bool fails(Group group) {
    if (plan.group != group || (++calls != plan.at && calls != plan.again))
        return false;
    shared->fired = true;
    errno = group == MEMORY ? ENOMEM : plan.error;
    return true;
}

// With plan.small: how many bytes this call does; 0: it is interrupted.
size_t piece(size_t size) {
    static unsigned n;
    return !plan.small ? size : n++ % 3 == 0 ? 0 : size < 1000 ? size : 1000;
}

}  // namespace

#define WRAP(type, name, parameters, arguments, group, failure) \
    extern "C" type __real_##name parameters;                   \
    extern "C" type __wrap_##name parameters {                  \
        return fails(group) ? (failure) : __real_##name arguments; \
    }

WRAP(void *, malloc, (size_t n), (n), MEMORY, nullptr)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), MEMORY, nullptr)
WRAP(void *, realloc, (void *p, size_t n), (p, n), MEMORY, nullptr)
WRAP(char *, strdup, (const char *s), (s), MEMORY, nullptr)
WRAP(char *, strndup, (const char *s, size_t n), (s, n), MEMORY, nullptr)
WRAP(FILE *, open_memstream, (char **text, size_t *size), (text, size), MEMORY, nullptr)
WRAP(ZSTD_CCtx *, ZSTD_createCCtx, (), (), MEMORY, nullptr)
WRAP(ZSTD_DCtx *, ZSTD_createDCtx, (), (), MEMORY, nullptr)
WRAP(size_t, ZSTD_compressCCtx, (ZSTD_CCtx * c, void *to, size_t room, const void *from, size_t n, int level),
     (c, to, room, from, n, level), MEMORY, static_cast<size_t>(-64))  // ZSTD_error_memory_allocation
WRAP(error_t, argp_parse, (const argp *a, int argc, char **argv, unsigned flags, int *at, void *input),
     (a, argc, argv, flags, at, input), MEMORY, ENOMEM)
WRAP(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), FILES, -1)
WRAP(int, fstat, (int fd, struct stat *s), (fd, s), FILES, -1)
WRAP(int, stat, (const char *path, struct stat *s), (path, s), FILES, -1)
WRAP(int, lstat, (const char *path, struct stat *s), (path, s), FILES, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), FILES, -1)

extern "C" int __real_open(const char *path, int flags, ...);
extern "C" int __wrap_open(const char *path, int flags, ...) {
    return fails(FILES) ? -1 : __real_open(path, flags, 0666);
}

extern "C" int __real_close(int fd);
extern "C" int __wrap_close(int fd) {
    const int status = __real_close(fd);
    return fails(FILES) ? -1 : status;
}

extern "C" int __real_fclose(FILE *f);
extern "C" int __wrap_fclose(FILE *f) {
    const int status = __real_fclose(f);
    return fails(MEMORY) ? EOF : status;
}

extern "C" int __wrap_asprintf(char **text, const char *format, ...) {
    if (fails(MEMORY))
        return -1;
    va_list list;
    va_start(list, format);
    const int n = vasprintf(text, format, list);
    va_end(list);
    return n;
}

extern "C" int __wrap_isatty(int) {
    return plan.terminal;
}

#define WRAP_TRANSFER(name, parameters, arguments)              \
    extern "C" ssize_t __real_##name parameters;                \
    extern "C" ssize_t __wrap_##name parameters {               \
        if (fails(FILES)) {                                     \
            size = (size + 1) / 2;                              \
            return plan.error != 0 ? -1 : __real_##name arguments; \
        }                                                       \
        size = piece(size);                                     \
        errno = EINTR;                                          \
        return size == 0 ? -1 : __real_##name arguments;        \
    }
WRAP_TRANSFER(read, (int fd, void *to, size_t size), (fd, to, size))
WRAP_TRANSFER(write, (int fd, const void *from, size_t size), (fd, from, size))
WRAP_TRANSFER(pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))

namespace {

// ---------------------------------------------------------------- the command

std::string contents(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A trace in either form, as text; anything else as it is. Counts of pages in a header may be unknown.
std::string walks_of(const std::string &path) {
    const std::string text = contents(path);
    if (text.empty() || text[0] != '\x89')
        return text;
    gmmu_error err = {};
    gmmu_walk w = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    if (r == nullptr)
        return err.text;
    std::string all = gmmu_reader_about(r)->comment;
    int status = GMMU_OK;
    while ((status = gmmu_reader_next(r, &w, &err)) == GMMU_OK)
        for (const uint64_t field : {w.vpn, w.ref, w.time, uint64_t{w.sm}, uint64_t{w.asid}, uint64_t{w.write}})
            all.append(reinterpret_cast<const char *>(&field), sizeof field);
    gmmu_reader_close(r);
    return status == GMMU_END ? all : err.text;
}

struct Ended {
    int status = -1;  // -1: by a signal
    bool fired = false;
    std::string out, err, file;
    bool left = false;  // the file is there
    std::string last_line() const {
        const size_t end = err.find_last_not_of('\n') + 1;
        const size_t start = err.find_last_of('\n', end == 0 ? 0 : end - 1);
        return err.substr(start == std::string::npos ? 0 : start + 1, end);
    }
};

class Fail : public testing::Test {
   protected:
    const std::string folder = testing::TempDir() + "fail_test." + std::to_string(getpid()) + "/";
    std::string written = folder + "out.walk";  // what `@` in the arguments stands for

    static void SetUpTestSuite() {
        void *page = mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(page, MAP_FAILED);
        shared = static_cast<Shared *>(page);
    }
    void SetUp() override {
        ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
        trace("small.walk", 90, 12);
        trace("wide.walk", 4600, 2300);
        put("small.lackey", " L 1000,8\nI  04001000,3\n S 2ffc,8\n M 1008,4\n");
        std::string records;
        for (int i = 0; i < 5; i++)
            records += std::string({'\1', 0, 0, 0, static_cast<char>(i), 0, 0, 0}) + std::string(16, '\0');
        put("small.oracle", records);
        EXPECT_EQ(gmmu("trace convert wide.walk --comment here -o " + folder + "small.gwt").status, 0);
    }
    void TearDown() override {
        for (const char *name : {"small.walk", "wide.walk", "small.lackey", "small.oracle", "small.gwt", "more.gwt",
                                 "out.walk", "out.gwt", "out", "err", "report"})
            std::remove((folder + name).c_str());
        EXPECT_EQ(rmdir(folder.c_str()), 0) << "something was left in " << folder;
    }

    void put(const std::string &name, const std::string &text) const {
        std::ofstream(folder + name, std::ios::binary) << text;
    }

    // A trace over PAGES pages, all of which are in it, and one of whose pages is written.
    void trace(const std::string &name, unsigned walks, unsigned pages) const {
        RandomTrace random(7);
        std::ofstream out(folder + name);
        out << "# gmmu-walk 1 page_shift=12\n# made for a test\n";
        for (unsigned i = 0; i < walks; i++)
            out << (i < pages ? i : random.below(pages)) << "," << random.below(3) << (i % 5 ? ",r,0," : ",w,0,")
                << i % 2 << "\n";
    }

    // `gmmu` with its arguments. Names of files are those of the folder, @ is `written`, a name behind <
    // goes through a pipe to standard input.
    struct Command {
        std::vector<std::string> words = {"gmmu"};
        std::string input;
    };
    Command parse(const std::string &arguments) const {
        Command c;
        for (size_t i = 0; i < arguments.size();) {
            const size_t end = std::min(arguments.find(' ', i), arguments.size());
            const std::string word = arguments.substr(i, end - i), here = folder + word;
            if (word[0] == '<')
                c.input = folder + word.substr(1);
            else
                c.words.push_back(word == "@" ? written : access(here.c_str(), F_OK) == 0 ? here : word);
            i = end + 1;
        }
        return c;
    }

    // Runs it here, in a child.
    int run(Command c, const Plan &with) const {
        std::vector<char *> argv;
        for (std::string &w : c.words)
            argv.push_back(w.data());
        argv.push_back(nullptr);
        if (!c.input.empty())
            feed(c.input);
        (void)std::remove(written.c_str());
        (void)!freopen((folder + "out").c_str(), "w", stdout);
        (void)!freopen((folder + "err").c_str(), "w", stderr);
        shared->fired = false;
        calls = 0;
        plan = with;
        const int status = gmmu_main(static_cast<int>(argv.size()) - 1, argv.data());
        plan = Plan();
        return status;
    }

    Ended ended(int status) const {
        std::fflush(nullptr);
        return {status, shared->fired, contents(folder + "out"), contents(folder + "err"), walks_of(written),
                access(written.c_str(), F_OK) == 0};
    }

    // The exit status of a child, -1 for a signal.
    static int wait_for(pid_t child) {
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    Ended gmmu(const std::string &arguments, const Plan &with = Plan()) const {
        const Command c = parse(arguments);
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0)
            std::exit(run(c, with));
        const int status = wait_for(child);
        return ended(status);
    }

    // Standard input becomes a pipe with the text of PATH.
    static void feed(const std::string &path) {
        int ends[2];
        if (pipe(ends) != 0)
            _exit(99);
        if (fork() == 0) {
            const std::string text = contents(path);
            (void)close(STDIN_FILENO);
            (void)close(ends[0]);
            _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
        }
        (void)dup2(ends[0], STDIN_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
    }

    // What is wrong with a run in which a call failed.
    static std::string judge(const Ended &e, const Ended &good, const Plan &p) {
        std::string wrong;
        if (e.status != 0 && e.status != 2)
            wrong = "status " + std::to_string(e.status);
        else if (e.status == 0 && (e.out != good.out || e.file != good.file))
            wrong = "another output, with status 0";
        else if (e.status == 2 && !e.fired)
            wrong = "status 2 without a failure";
        else if (e.status == 2 && e.left)
            wrong = "half a trace stays";
        else if (e.status == 2 && e.last_line().rfind("gmmu", 0) != 0 && e.last_line().rfind("record: ", 0) != 0)
            wrong = "status 2 without a word";
        else if (e.status == 2 && p.group == MEMORY && e.last_line().find("memory") == std::string::npos)
            wrong = "another reason than memory";
        return wrong.empty() ? wrong : wrong + " when call " + std::to_string(p.at) + " failed: " + e.err + "\n";
    }

    // Lets each call of GROUP fail in turn. LEAST: as many of the runs must end with status 2. One child makes
    // run after run, until the command itself ends it.
    void each(Group group, const std::string &arguments, unsigned least, int error = EIO) const {
        const Ended good = gmmu(arguments);
        ASSERT_EQ(good.status, 0) << arguments << ": " << good.err;
        const Command c = parse(arguments);
        Plan p;
        p.group = group;
        p.error = error;
        *shared = Shared();
        std::string report;
        while (!shared->done && report.size() < 2000) {
            std::fflush(nullptr);
            put("report", "");
            const pid_t child = fork();
            if (child == 0) {
                std::string text;
                do {
                    p.at = ++shared->at;
                    const int status = run(c, p);
                    shared->noticed += status == 2;
                    text += judge(ended(status), good, p);
                } while (shared->fired && text.size() < 2000);
                put("report", text);
                shared->done = true;
                std::exit(0);
            }
            const int status = wait_for(child);
            report += contents(folder + "report");
            if (!shared->done || status != 0) {
                shared->noticed += status == 2;
                p.at = shared->at;
                report += judge(ended(status), good, p);
            }
        }
        EXPECT_EQ(report, "") << arguments;
        EXPECT_GE(shared->noticed, least) << arguments;
    }
};

const char *const kReplay = "--policy lru,fifo,clock,opt,leu-exact,leu:config=tiny,leu-host:config=tiny:batch=4 --frames 50% ";

TEST_F(Fail, MemoryOfReplay) {
    each(MEMORY, std::string("replay small.walk --format csv ") + kReplay, 40);
    each(MEMORY, "replay wide.walk --format json --policy lru,fifo,clock,opt,leu-exact --frames 1500", 60);
    each(MEMORY, "replay - <small.walk --format table --policy lru --frames 7,50%", 20);
}

TEST_F(Fail, MemoryOfExplain) {
    each(MEMORY, "explain small.walk --event 60 --frames 7 --format json", 40);
    each(MEMORY, "explain wide.walk --event 2200 --frames 2000 --top 3", 30);
    each(MEMORY, "explain small.walk --event 60 --policy opt --frames 50%", 20);
}

TEST_F(Fail, MemoryOfTrace) {
    each(MEMORY, "trace info small.walk", 15);
    each(MEMORY, "trace info wide.walk --format json", 30);
    each(MEMORY, "trace convert small.walk -o @", 5);
    each(MEMORY, "trace cut --walks 5:70 small.gwt -o @", 9);
    each(MEMORY, "trace digest --from lackey small.lackey", 3);
    each(MEMORY, "trace digest --from oracle-general small.oracle", 3);
}

TEST_F(Fail, MemoryOfTraceToGwt) {
    written = folder + "out.gwt";
    each(MEMORY, "trace convert wide.walk -o @", 9);
    each(MEMORY, "trace convert small.gwt -o @", 14);
}

TEST_F(Fail, MemoryOfRecord) {
    for (unsigned i = 0; gmmu_simt_kernels[i] != nullptr; i++)
        each(MEMORY, std::string("record --size 33 --sms 2 -o @ ") + gmmu_simt_kernels[i]->name, 15);
}

// Help does what it can.
TEST_F(Fail, MemoryOfHelp) {
    for (const char *arguments : {"replay --help", "record --help", "explain --help", "record nonesuch -o @"}) {
        const Ended good = gmmu(arguments);
        Plan p;
        p.group = MEMORY;
        for (p.at = 1;; p.at++) {
            const Ended e = gmmu(arguments, p);
            ASSERT_TRUE(e.status == good.status || (e.fired && e.status == 2)) << arguments << " " << e.status << e.err;
            if (!e.fired)
                break;
        }
        EXPECT_GT(p.at, 1) << arguments;
    }
}

TEST_F(Fail, Files) {
    for (const int error : {EIO, 0}) {
        const unsigned some = error == 0 ? 0 : 2;
        each(FILES, "trace convert wide.walk -o @", some * 2, error);
        each(FILES, "trace convert small.gwt -o @", some * 2, error);
        each(FILES, "trace cut --walks 5:70 small.gwt -o @", some * 4, error);
        each(FILES, "trace digest --from lackey small.lackey", some, error);
        each(FILES, "trace digest --from oracle-general small.oracle", some, error);
        each(FILES, "record spmv --size 2000 --sms 2 -o @", some, error);
        each(FILES, "replay small.walk --frames 50% --format csv", some, error);
        written = folder + "out.gwt";
        each(FILES, "trace convert wide.walk -o @", some * 2, error);
        each(FILES, "trace convert small.gwt -o @", some * 2, error);
        written = folder + "out.walk";
    }
}

TEST_F(Fail, SmallPiecesAndInterrupts) {
    Plan p;
    p.small = true;
    for (const char *name : {"out.walk", "out.gwt"}) {
        written = folder + name;
        for (const char *arguments : {"trace convert wide.walk -o @", "trace convert small.gwt -o @",
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

// ---------------------------------------------------------------- the library

// Lets each allocation of RUN fail in turn; RUN returns whether all was well. The first time that nothing
// fails it must be.
template <typename Run>
void each_allocation(Run run, long least) {
    for (long n = 1;; n++) {
        shared->fired = false;
        calls = 0;
        plan = Plan();
        plan.group = MEMORY;
        plan.at = n;
        const bool good = run();
        plan = Plan();
        EXPECT_EQ(good, !shared->fired) << "allocation " << n;
        if (!shared->fired) {
            EXPECT_GT(n, least);
            return;
        }
    }
}

TEST_F(Fail, MemoryOfTheExactModel) {
    each_allocation([] {
        gmmu_exact_leu *m = gmmu_exact_leu_create();
        bool good = m != nullptr;
        for (unsigned i = 0; good && i < 200; i++)
            good = gmmu_exact_leu_walk(m, {0, i % 7}, i % 3);
        gmmu_exact_leu_destroy(m);
        return good;
    }, 4);
}

TEST_F(Fail, MemoryOfPages) {
    each_allocation([] {
        gmmu_pages *p = gmmu_pages_create();
        bool good = p != nullptr;
        for (unsigned i = 0; good && i < 5000; i++)
            good = gmmu_pages_index(p, 0, i) == i;
        gmmu_pages_destroy(p);
        return good;
    }, 8);
    EXPECT_EQ(gmmu_grow(nullptr, 0, SIZE_MAX / 4, 8, 0), nullptr);
}

}  // namespace
