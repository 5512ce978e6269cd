// SPDX-License-Identifier: Apache-2.0
// fail_test.cpp: the command and the library when the system fails them. In every run one call
// fails, the first, the second and so on until none does: of those that allocate, or of those on
// files. The command then either says so in its last line and ends with status 2, or its output is
// the same as ever; half a trace never stays; nothing crashes, nothing leaks. Also: reads and
// writes in small pieces that signals interrupt, sizes at which tables grow, and what a user may
// get wrong.
//
// The linker sends the calls of the C code here (--wrap in the Makefile). The command runs in a
// child.
#include <argp.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exact/leu.h"
#include "gen/gen.h"
#include "gmmu/trace.h"
#include "mrc/mrc.h"
#include "policy/leu_walk.h"
#include "policy/policy.h"
#include "random_trace.h"
#include "rdgc/rdgc.h"
#include "simt/kernels/kernels.h"
#include "simt/simt.h"

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
    long cores = 0;  // of the machine; 0: as many as there are
};

Plan plan;
std::atomic<long> calls;

// Shared with the child.
struct Shared {
    bool fired, done;
    long at;
    unsigned noticed;
};
Shared *shared;

bool fails(Group group) {
    if (plan.group != group)
        return false;
    const long n = ++calls;
    if (n != plan.at && n != plan.again)
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

#define WRAP(type, name, parameters, arguments, group, failure)    \
    extern "C" type __real_##name parameters;                      \
    extern "C" type __wrap_##name parameters {                     \
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
WRAP(size_t, ZSTD_compressCCtx,
     (ZSTD_CCtx * c, void *to, size_t room, const void *from, size_t n, int level),
     (c, to, room, from, n, level), MEMORY,
     static_cast<size_t>(-64))  // ZSTD_error_memory_allocation
WRAP(error_t, argp_parse,
     (const argp *a, int argc, char **argv, unsigned flags, int *at, void *input),
     (a, argc, argv, flags, at, input), MEMORY, ENOMEM)
WRAP(void *, aligned_alloc, (size_t step, size_t n), (step, n), MEMORY, nullptr)
WRAP(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *arg),
     (t, a, run, arg), MEMORY, EAGAIN)
WRAP(int, inflateInit2_, (z_streamp z, int bits, const char *version, int size),
     (z, bits, version, size), MEMORY, Z_MEM_ERROR)
WRAP(int, inflate, (z_streamp z, int flush), (z, flush), MEMORY, Z_MEM_ERROR)
WRAP(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), FILES, -1)
WRAP(int, fstat, (int fd, struct stat *s), (fd, s), FILES, -1)
WRAP(int, stat, (const char *path, struct stat *s), (path, s), FILES, -1)
WRAP(int, lstat, (const char *path, struct stat *s), (path, s), FILES, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), FILES, -1)

WRAP(int, fflush, (FILE * f), (f), FILES, EOF)
WRAP(int, ferror, (FILE * f), (f), FILES, 1)

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

extern "C" long __real_sysconf(int name);
extern "C" long __wrap_sysconf(int name) {
    return plan.cores != 0 ? plan.cores : __real_sysconf(name);
}

#define WRAP_TRANSFER(name, parameters, arguments)                 \
    extern "C" ssize_t __real_##name parameters;                   \
    extern "C" ssize_t __wrap_##name parameters {                  \
        if (fails(FILES)) {                                        \
            size = (size + 1) / 2;                                 \
            return plan.error != 0 ? -1 : __real_##name arguments; \
        }                                                          \
        size = piece(size);                                        \
        errno = EINTR;                                             \
        return size == 0 ? -1 : __real_##name arguments;           \
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

// A trace in either form, as text; anything else as it is. Counts of pages in a header may be
// unknown.
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
        for (const uint64_t field :
             {w.vpn, w.ref, w.time, uint64_t{w.sm}, uint64_t{w.asid}, uint64_t{w.write}})
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
        void *page = mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(page, MAP_FAILED);
        shared = static_cast<Shared *>(page);
        (void)std::atexit(
            [] { plan = Plan(); });  // what the command does not do itself is to go well
    }
    void SetUp() override {
        ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
        trace("small.walk", 90, 12);
        trace("wide.walk", 4600, 2300);
        put("small.lackey", " L 1000,8\nI  04001000,3\n S 2ffc,8\n M 1008,4\n");
        std::string records;
        for (int i = 0; i < 5; i++)
            records +=
                std::string({'\1', 0, 0, 0, static_cast<char>(i), 0, 0, 0}) + std::string(16, '\0');
        put("small.oracle", records);
        zip("wide.walk");
        put("small.csv", "page,rw\n1,r\n2,w\n");
        std::string tensors = "kernel_id,rw,is_weight,bytes,va_start\n";
        for (int i = 0; i < 1100; i++)
            tensors += std::to_string(i / 3) + ",r,0,4096,0x" + std::to_string(i % 9) + "00000\n";
        put("wide.g10", tensors);
        const std::string request = R"({"timestamp": 1, "hash_ids": [1, )";
        std::string requests;
        for (int i = 0; i < 120; i++) requests += request + std::to_string(i) + "]}\n";
        put("rows.mooncake", requests);
        put("wide.mooncake", request + "2]}\n\t" + request + std::string(9000, ' ') + "3]}");
        EXPECT_EQ(gmmu("trace convert wide.walk --comment here -o " + folder + "small.gwt").status,
                  0);
    }
    void TearDown() override {
        for (const std::string &name : made) std::remove((folder + name).c_str());
        EXPECT_EQ(rmdir(folder.c_str()), 0) << "something was left in " << folder;
    }

    mutable std::set<std::string> made = {"small.gwt", "out.walk", "out.gwt",
                                          "out",       "err",      "report"};

    void put(const std::string &name, const std::string &text) const {
        made.insert(name);
        std::ofstream(folder + name, std::ios::binary) << text;
    }

    // A trace over PAGES pages, all of which are in it, and one of whose pages is written.
    void trace(const std::string &name, unsigned walks, unsigned pages) const {
        RandomTrace random(7);
        std::ostringstream out;
        out << "# gmmu-walk 1 page_shift=12\n# made for a test\n";
        for (unsigned i = 0; i < walks; i++)
            out << (i < pages ? i : random.below(pages)) << "," << random.below(3)
                << (i % 5 ? ",r,0," : ",w,0,") << i % 2 << "\n";
        put(name, out.str());
    }

    // The file NAME once more, as NAME.gz.
    void zip(const std::string &name) const {
        const std::string text = contents(folder + name);
        made.insert(name + ".gz");
        gzFile to = gzopen((folder + name + ".gz").c_str(), "wb");
        ASSERT_NE(to, nullptr);
        EXPECT_EQ(gzwrite(to, text.data(), static_cast<unsigned>(text.size())),
                  static_cast<int>(text.size()));
        EXPECT_EQ(gzclose(to), Z_OK);
    }

    // `gmmu` with its arguments. Names of files are those of the folder, @ is `written`, a name
    // behind < goes through a pipe to standard input.
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
                c.words.push_back(word == "@"                       ? written
                                  : access(here.c_str(), F_OK) == 0 ? here
                                                                    : word);
            i = end + 1;
        }
        return c;
    }

    // Runs it here, in a child.
    int run(Command c, const Plan &with) const {
        std::vector<char *> argv;
        for (std::string &w : c.words) argv.push_back(w.data());
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
        return {status,
                shared->fired,
                contents(folder + "out"),
                contents(folder + "err"),
                walks_of(written),
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
            _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size())
                      ? 0
                      : 1);
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
        else if (e.status == 2 && e.left &&
                 (e.file != good.file || e.err.find("standard output") == std::string::npos))
            wrong = "half a trace stays";
        else if (e.status == 2 && e.last_line().rfind("gmmu", 0) != 0 &&
                 e.last_line().rfind("record: ", 0) != 0)
            wrong = "status 2 without a word";
        else if (e.status == 2 && p.group == MEMORY &&
                 e.last_line().find("memory") == std::string::npos)
            wrong = "another reason than memory";
        return wrong.empty()
                   ? wrong
                   : wrong + " when call " + std::to_string(p.at) + " failed: " + e.err + "\n";
    }

    // Lets each call of GROUP fail in turn. LEAST: as many of the runs must end with status 2. One
    // child makes run after run, until the command itself ends it. MOST: no more than the first so
    // many calls.
    void each(Group group, const std::string &arguments, unsigned least, int error = EIO,
              long most = LONG_MAX) const {
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
                } while (shared->fired && shared->at < most && text.size() < 2000);
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

const char *const kReplay =
    "--policy lru,fifo,clock,opt,leu-exact,leu:config=tiny,leu-host:config=tiny:batch=4 --frames "
    "50% ";

TEST_F(Fail, MemoryOfReplay) {
    each(MEMORY, std::string("replay small.walk --format csv ") + kReplay, 40);
    each(MEMORY,
         "replay wide.walk --format json --policy lru,fifo,clock,opt,leu-exact --frames 1500", 60);
    put("five.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n1,1,w\n2,1,r\n3,1,r\n4,1,r\n");
    each(MEMORY, "replay five.walk --policy lru --frames 3", 10);
    each(MEMORY, "replay wide.walk --policy lru --frames 1500", 10);
    each(MEMORY, "replay - <small.walk --format table --policy lru --frames 7,50%", 20);
    // without a thread the others do its work
    each(MEMORY, "replay small.walk --format csv --policy lru,fifo --frames 3,9 --threads 4", 20);
}

// Each policy by itself, more pages and frames than the first room of any array.
TEST_F(Fail, MemoryOfEachPolicy) {
    for (const char *policy :
         {"random", "lfu", "2q", "arc", "lirs", "clockpro", "srrip", "rrip-hpe:delay=3", "sieve",
          "s3fifo", "vmin", "osl", "leu2", "hpe"}) {
        each(MEMORY,
             std::string("replay wide.walk --threads 1 --format csv --frames 1500 --policy ") +
                 policy,
             10);
    }
    each(MEMORY, "replay small.walk --threads 2 --frames 3,9 --policy lru", 10);
    each(MEMORY, "replay small.walk --hpe-ideal --frames 3 --policy hpe,lru,hpe:set=8", 10);
}

TEST_F(Fail, MemoryOfCurves) {
    each(MEMORY, "mrc small.walk --policy lru,opt,leu-exact,arc,vmin --points 4 --threads 1", 40);
    each(MEMORY, "mrc wide.walk --policy lru,opt --points 2 --format json", 20);
    each(MEMORY, "mrc small.walk --policy lru,opt,leu-exact --sample rate=0.5 --check --points 3",
         20);
    each(MEMORY, "mrc small.walk --policy lru,opt,leu-exact --sample size=5 --points 3", 20);
    each(MEMORY, "mrc small.walk --policy fifo,clock --points 3 --threads 4", 20);
}

TEST_F(Fail, MemoryOfGen) {
    for (const char *kind : {"zipf", "cyc", "uniform", "scan"}) {
        each(MEMORY, std::string("gen ") + kind + " -n 200 -p 50 -o @", 3);
    }
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
    each(MEMORY, "trace digest --from csv small.csv", 4);
    each(MEMORY, "trace digest --from g10 wide.g10", 6);
    each(MEMORY, "trace digest --from mooncake wide.mooncake", 4);
    each(MEMORY, "trace digest wide.walk.gz", 6);
}

TEST_F(Fail, MemoryOfTraceToGwt) {
    written = folder + "out.gwt";
    each(MEMORY, "trace convert wide.walk -o @", 9);
    each(MEMORY, "trace convert small.gwt -o @", 14);
}

TEST_F(Fail, MemoryOfRecord) {
    // those that would take long
    const std::map<std::string, std::string> sizes = {
        {"lavamd", "2"}, {"heartwall", "1"}, {"leukocyte", "2"}};
    for (unsigned i = 0; gmmu_simt_kernels[i] != nullptr; i++) {
        const auto it = sizes.find(gmmu_simt_kernels[i]->name);
        const std::string size = it == sizes.end() ? "33" : it->second;
        const std::string name = gmmu_simt_kernels[i]->name;
        // after its own arrays heartwall computes for seconds; what comes then is common to all
        each(MEMORY, "record --size " + size + " --sms 2 -o @ " + name, 15, EIO,
             name == "heartwall" ? 24 : LONG_MAX);
    }
    each(MEMORY, "record gemm --size 33 --sms 2 --caches l1 --shootdown lru --frames 3 -o @", 20);
    each(MEMORY, "record gemm --size 33 --sms 2 --caches l2 --shootdown clock --frames 50% -o @",
         20);
}

// The only memory that heartwall takes after its arrays.
TEST_F(Fail, MemoryOfHeartwallsCheck) {
    gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_heartwall);
    p.size = 1;
    gmmu_error err = {};
    gmmu_simt *m = gmmu_simt_create(&gmmu_simt_heartwall, &p, &err);
    ASSERT_NE(m, nullptr) << err.text;
    calls = 0;
    plan.group = MEMORY;
    plan.at = 1;
    const int status = gmmu_simt_check(m, &err);
    plan = Plan();
    EXPECT_EQ(status, GMMU_SIMT_NO_MEMORY);
    EXPECT_STREQ(err.text, "heartwall: no memory for the check");
    gmmu_simt_destroy(m);
}

// A warp of which a thread reads twice, and a further grid.
const char *const kThreads =
    "# gmmu-rdgc 1 blocks=2 threads=40\n0,0,0,r,0x1000\n1,0,0,r,0x1000\n1,1,39,w,0x2000\n"
    "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,64\n";

TEST_F(Fail, MemoryOfRdgcCommand) {
    put("small.rdgc", kThreads);
    put("small.gpu", "sms = 2\nl1.size = 1K\nl2.size = 8K\n");
    each(MEMORY, "rdgc atax --size 33 --gpu small.gpu --threads 1 --format json --profile", 30);
    each(MEMORY,
         "rdgc small.rdgc --gpu small.gpu --vary l1.ways=1,2 --vary sms+seed=1:2 --format csv", 20);
    each(MEMORY, "rdgc 2dconv --size 5 --gpu small.gpu --grid 3 -o @ --threads 2", 20);
    each(MEMORY, "rdgc gemm --size 5 -o - --threads 1", 10);
}

// Help does what it can.
TEST_F(Fail, MemoryOfHelp) {
    for (const char *arguments : {"replay --help", "record --help", "explain --help",
                                  "record nonesuch -o @", "rdgc --help"}) {
        const Ended good = gmmu(arguments);
        Plan p;
        p.group = MEMORY;
        for (p.at = 1;; p.at++) {
            const Ended e = gmmu(arguments, p);
            ASSERT_TRUE(e.status == good.status || (e.fired && e.status == 2))
                << arguments << " " << e.status << e.err;
            if (!e.fired)
                break;
        }
        EXPECT_GT(p.at, 1) << arguments;
    }
}

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

// ---------------------------------------------------------------- what the user gets wrong

// The page of address space 0 that gmmu_sample_hash takes to N >> 32: its steps backwards.
uint64_t page_of_hash(uint64_t n) {
    const auto unshift = [](uint64_t y, unsigned shift) {
        uint64_t x = y;
        for (unsigned i = shift; i < 64; i += shift) x = y ^ x >> shift;
        return x;
    };
    const auto divide =
        [](uint64_t y, uint64_t odd) {  // modulo 2^64; each step doubles the bits that are right
            uint64_t inverse = odd;
            for (int i = 0; i < 6; i++) inverse *= 2 - odd * inverse;
            return y * inverse;
        };
    for (int i = 0; i < 2; i++)
        n = unshift(
            divide(unshift(divide(unshift(n, 31), 0x94d049bb133111eb), 27), 0xbf58476d1ce4e5b9),
            30);
    return n - 0x9e3779b97f4a7c15;
}

TEST_F(Fail, CommandLine) {
    const std::string many(70, 'x'),
        root = std::getenv("GMMU_ROOT") ? std::getenv("GMMU_ROOT") : ".";
    const std::string bfs = root + "/sim/traces/bfs.walk";
    put("bad.walk", "# gmmu-walk 1 page_shift=12\n1,2,r\n1,2,x\n3,4,r\n5,6,q\n7,8,w\n");
    put("five.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n1,1,w\n2,1,r\n3,1,r\n4,1,r\n");
    put("one.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n");
    put("a,\"b.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n");
    put("\xff.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\n");
    put("space.walk", "# gmmu-walk 1 page_shift=12\n1,1,r,0,3\n1,1,r,0,4\n");
    put("far.walk", "# gmmu-walk 1 page_shift=12\n0x100000,1,r\n");
    put("huge.walk",
        "# gmmu-walk 1 page_shift=12\n0xfffffffffffff,0xffffffffffffffff,r,0,255\n"
        "0xffffffffffffe,0xfffffffffffffffe,w,0,254\n0xfffffffffffff,0x1,r,0,255\n");
    put("nul.lackey", std::string(" L 1000,8\n\0\n", 12));
    put("long.lackey", " L 1000,8\n" + std::string(5000, ' ') + "\n");
    put("last.lackey",
        "--1-- a word of the tool\n==1== another\n L ffffffffffffffff,8\n L 10,4\n S 2000,0\n");
    put("dash.accelsim", "-no value\n");
    put("comments.walk", "# gmmu-walk 1 page_shift=12\r\n#\n#x\r\n# y\r\n#\r\n1,1,r\n");
    put("nulcomment.walk", "# gmmu-walk 1 page_shift=12\n# " + std::string(1, '\0') + "\n1,1,r\n");
    put("nul.walk", "# gmmu-walk 1 page_shift=12\n" + std::string(1, '\0') + "\n1,1,r\n");
    put("longhead.walk", "# gmmu-walk 1 page_shift=12" + std::string(5000, ' ') + "\n");
    put("endless.walk", "# gmmu-walk 1 page_shift=12\n1,1,r\nx" + std::string(3 << 20, 'y'));
    put("short.oracle", contents(folder + "small.oracle").substr(0, 30));
    put("short.gwt", contents(folder + "small.gwt").substr(0, 900));
    std::string refs = "# gmmu-walk 1 page_shift=12\n";
    for (int i = 0; i < 12; i++)
        refs += "1," + std::to_string(100 + i % 4) + ",r,0," + std::to_string(3 + i * 5 % 12 / 4) +
                "\n";
    for (int i = 0; i < 15; i++)
        refs += std::to_string(i % 5) + "," + std::to_string(i) + ",r,0,1\n" +
                std::to_string(i % 5) + "," + std::to_string(i / 2) + ",w\n";
    put("refs.walk", refs);
    put("small.rdgc", kThreads);
    std::string sets, commas;
    for (int i = 0; i < 64; i++) {
        sets += " --set sms=2";
        commas += ",1";
    }
    put("none.walk", "# gmmu-walk 1 page_shift=12\n");
    std::string first = "# gmmu-walk 1 page_shift=12\n";
    for (uint64_t i = 0; i < 8; i++) first += std::to_string(page_of_hash(i)) + ",1,r\n";
    put("first.walk", first + first.substr(first.find('\n') + 1));
    std::string columns = "# made by hand\n# page_shift=16\n# page_shift=1234\nvpn,rw";
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
    const struct {
        std::string arguments;
        int status;
        std::string said;
    } cases[] = {
        {"", 2, "Usage: gmmu COMMAND"},
        {"-h", 0, "Commands:"},
        {"help", 0, "Commands:"},
        {"--help", 0, "Commands:"},
        {"-V", 0, "gmmu "},
        {"--version", 0, "gmmu "},
        {"nonesuch", 2, "expected one of replay, mrc, explain, trace, record, rdgc, gen"},
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
        {"explain --event 3", 2, "found no trace"},
        {"explain small.walk", 2, "found no --event"},
        {"explain small.walk small.walk --event 3", 2, "found a second trace"},
        {"explain small.walk --event 0", 2, "--event: found \"0\""},
        {"explain small.walk --event 3 --format csv", 2, "expected table or json"},
        {"explain small.walk --event 3 --frames 3,4", 2, "found a list"},
        {"explain small.walk --event 3 --policy lru,fifo", 2, "found a list"},
        {"explain small.walk --event 91 --frames 7", 2, "expected no more than the 90 walks"},
        {"explain bad.walk --event 2 --frames 7", 2, "bad.walk:3"},
        {"explain bad.walk --event 2 --frames 50%", 2, "bad.walk:3"},
        {"explain small.walk --event 1 --frames 7", 0, "cold fault, memory has room"},
        {"explain small.walk --event 1 --frames 7 --format json", 0, "cold fault, memory has room"},
        {"explain small.walk --event 9 --frames 7", 0, "cold fault, memory is full"},
        {"explain five.walk --event 2 --frames 7", 0, "hit"},
        {"explain five.walk --event 2 --frames 7 --format json", 0, "hit"},
        {"explain small.walk --event 61 --frames 11 --top 2 --format json", 0, "\"write\": true"},
        {"explain small.walk --event 60 --frames 5 --top 2", 0, "more"},
        {"explain small.walk --event 60 --frames 5 --top 2 --format json", 0, "candidates"},
        {"replay /dev/stdin <small.walk --frames 50%", 0,
         "gmmu replay: /dev/stdin is kept in memory"},
        {"replay - <wide.walk --frames 50% --policy lru", 0,
         "gmmu replay: <stdin> is kept in memory"},
        {"trace convert nonesuch.walk -o @", 2, "found no readable file"},
        {"trace convert - <wide.walk -o small.gwt", 0, ""},
        {"trace digest --from lackey nul.lackey", 2, "expected a line without NUL"},
        {"trace digest --from lackey long.lackey", 2, "found a line of more than 4096 bytes"},
        {"trace digest --from lackey last.lackey", 0, "3 walks"},
        {"trace digest --from accelsim dash.accelsim", 2, "dash.accelsim:1"},
        {"trace digest comments.walk", 0, "1 walks"},
        {"trace digest nulcomment.walk", 2, "expected a comment without NUL"},
        {"trace digest nul.walk", 2, "nul.walk:2"},
        {"trace digest longhead.walk", 2, "longhead.walk:1"},
        {"trace convert --keep-going endless.walk -o @", 2, "1 bad lines"},
        {"record atax --size 40 --inject-fault -o /dev/full", 1, "atax: y[20]"},
        {"explain small.walk --event 80 --frames 5 --policy lru", 0, "no candidates to show"},
        {"explain small.walk --event 80 --frames 5 --policy fifo --format json", 0, "victim"},
        {"explain wide.walk --event 4600 --frames 200 --policy leu:config=tiny:refresh=2:sample=0",
         0, "PPUC"},
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
        {"trace convert --keep-going --from oracle-general short.oracle -o @", 2,
         "and the rest of the file"},
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
        {"trace digest --from accelsim small.lackey", 2, "small.lackey:1"},
        {"trace info none.walk --format json", 0, "\"refs\": 0"},
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
        {"replay - <none.walk --frames 50% --format csv", 0, "lru,1,0,0,0"},
        {"replay none.walk --policy vmin --frames 3 --format csv", 0, "vmin,3,0,0,0"},
        {"explain - <small.walk --event 60 --frames 50%", 0, "<- victim"},
        {"explain - <small.walk --event 91 --frames 50%", 2, "expected no more than the 90 walks"},
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
        {"mrc", 2, "found no trace"},
        {"mrc small.walk wide.walk", 2, "found a second trace"},
        {"mrc --help", 0, "options: mc="},
        {"mrc small.walk --sample size=4294967290", 2,
         "--sample size: found \"4294967290\", expected no more than"},
        {"mrc small.walk --sample rate=x", 2, "--sample: found \"rate=x\""},
        {"mrc small.walk --sample rate=.5 --points 1 --format csv", 0, "lru,"},
        {"mrc small.walk --points 1000001", 2, "--points: found \"1000001\""},
        {"mrc small.walk --threads x", 2, "--threads: found \"x\""},
        {"mrc small.walk --threads 1025", 2, "--threads: found \"1025\""},
        {"mrc small.walk --points 1 --log --policy lru --format csv", 0, "lru,24,90,24"},
        {"mrc small.walk --points 11 --log --policy lru", 0, "10 sizes"},
        {"mrc none.walk --sample rate=0.5 --check --policy lru --format csv", 0,
         "lru,1,0,0,0,0,0,0.000000,0.000000,0.000000"},
        {"mrc first.walk --sample rate=1e-9 --points 2 --policy lru --format csv", 0,
         "lru,3221225469,16,"},
        {"mrc first.walk --sample size=1 --frames 1,3 --policy lru --format csv", 0,
         "lru,3,16,0,0,0,0,0.000000,0.000000"},
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
        {"record", 2, "expected a kernel"},
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
    };
    for (const auto &c : cases) {
        const Ended e = gmmu(c.arguments);
        EXPECT_EQ(e.status, c.status) << c.arguments.substr(0, 100) << ": " << e.err;
        EXPECT_NE((e.out + e.err).find(c.said), std::string::npos)
            << c.arguments.substr(0, 100) << ": " << e.err << e.out;
        if (c.status == 2 && c.arguments.find("--keep-going") == std::string::npos) {
            EXPECT_FALSE(e.left) << c.arguments.substr(0, 100);
        }
    }
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
    // a stream of the binary form, cut short: how much is lost nobody knows
    const Ended stream = gmmu("trace convert wide.walk --to gwt -o -");
    put("stream.gwt", stream.out.substr(0, stream.out.size() - 100));
    const Ended e = gmmu("trace convert --keep-going stream.gwt -o @");
    EXPECT_EQ(e.status, 2);
    EXPECT_NE(e.err.find("and the rest of the file"), std::string::npos) << e.err;
    Plan p;
    p.group = FILES;
    p.at = 1;  // what kind of file half of it would be nobody says: it is left
    const Ended unknown = gmmu("rdgc atax --size 20 --inject-fault -o @", p);
    EXPECT_EQ(unknown.status, 1);
    EXPECT_TRUE(unknown.fired && unknown.left);
    EXPECT_NE(unknown.err.find("atax: y[10]"), std::string::npos) << unknown.err;
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

TEST_F(Fail, StandardOutputIsFull) {
    each(FILES, "explain small.walk --event 60 --frames 5", 2);
}

// On a terminal there is progress to see, and it is gone at the end.
TEST_F(Fail, Terminal) {
    gmmu_error err = {};
    gmmu_walk w = {};
    w.vpn = 5;
    made.insert("many.gwt");
    gmmu_writer *to = gmmu_writer_open((folder + "many.gwt").c_str(), 12, nullptr, &err);
    ASSERT_NE(to, nullptr) << err.text;
    for (unsigned i = 0; i < 300000; i++) ASSERT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
    ASSERT_EQ(gmmu_writer_close(to, &err), GMMU_OK);
    Plan p;
    p.terminal = true;
    Ended e = gmmu("trace digest many.gwt", p);
    EXPECT_NE(e.err.find("\rgmmu trace:"), std::string::npos) << e.err;
    EXPECT_NE(e.err.find(" %"), std::string::npos) << e.err;
    EXPECT_EQ(e.err.substr(e.err.size() - 4), "\r\033[K");
    e = gmmu("trace digest - <many.gwt", p);
    EXPECT_NE(e.err.find("\rgmmu trace: 262144 walks"), std::string::npos) << e.err;
    e = gmmu("trace digest small.gwt", p);
    EXPECT_EQ(e.err, "");
    for (const char *kernel :
         {"atax --size 512", "bfs --size 40000", "gemm --size 96", "2dconv --size 700",
          "hotspot --size 640", "srad_v2 --size 200", "spmv --size 9000", "kmeans --size 9000",
          "atax --size 512 --shootdown lru --frames 30%"}) {
        e = gmmu(std::string("record -o /dev/null ") + kernel, p);
        EXPECT_EQ(e.status, 0) << e.err;
        EXPECT_NE(e.err.find(" %\r     \r"), std::string::npos) << e.err;
    }
    e = gmmu("rdgc atax --size 400 --vary sms=2,3 --threads 2", p);
    EXPECT_EQ(e.status, 0) << e.err;
    EXPECT_NE(e.err.find("\r\033[Kgmmu rdgc: atax "), std::string::npos) << e.err;
    EXPECT_NE(e.err.find("gmmu rdgc: 4 of 4 models"), std::string::npos) << e.err;
    EXPECT_NE(e.err.find("\r\033[Kgmmu rdgc: atax: 2 grids"), std::string::npos) << e.err;
    // most of histo's instructions are no progress: what stands there already is not shown again
    e = gmmu("rdgc histo --size 500 --grid 11", p);
    EXPECT_EQ(e.status, 0) << e.err;
    std::vector<int> shown;
    const std::string before = "gmmu rdgc: histo ";
    for (size_t at = 0; (at = e.err.find(before, at)) != std::string::npos; at += before.size())
        shown.push_back(std::stoi(e.err.substr(at + before.size(), 3)));
    EXPECT_GE(shown.size(), 2u) << e.err;
    EXPECT_EQ(std::adjacent_find(shown.begin(), shown.end(), std::greater_equal<int>()),
              shown.end())
        << e.err;
}

// ---------------------------------------------------------------- the library

// Lets each allocation of RUN fail in turn; RUN returns whether all was well. The first time that
// nothing fails it must be.
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
    each_allocation(
        [] {
            gmmu_exact_leu *m = gmmu_exact_leu_create();
            bool good = m != nullptr;
            for (unsigned i = 0; good && i < 200; i++)
                good = gmmu_exact_leu_walk(m, {0, i % 7}, i % 3);
            gmmu_exact_leu_destroy(m);
            return good;
        },
        4);
}

TEST_F(Fail, MemoryOfRdgc) {
    // the first access of a grid is added when the next header, another access or the end is read
    char text[] =
        "# gmmu-rdgc 1 blocks=2 threads=2\n0,0,0,r,1\n"
        "# gmmu-rdgc 1 blocks=2 threads=2\n0,0,0,r,1\n1,0,0,r,1\n"
        "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,w,9\n";
    FILE *in = fmemopen(text, sizeof text - 1, "r");
    gmmu_rdgc_config config = gmmu_rdgc_defaults();
    config.sms = 2;
    each_allocation(
        [&] {
            gmmu_error err{};
            gmmu_rdgc_trace *t = gmmu_rdgc_trace_create(&err);
            rewind(in);
            bool good = t != nullptr && gmmu_rdgc_trace_read(t, in, "t", &err) == GMMU_OK;
            uint64_t addr[GMMU_WARP];
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) addr[lane] = lane * lane * 100;
            const gmmu_array array = {"a", 0x1000, 100, 4, nullptr};
            gmmu_simt_warp warp{};
            gmmu_simt_op op{};
            op.array = &array;
            op.mask = 1;
            const gmmu_simt_grid grid = {2, 64, 0};
            for (unsigned i = 0; good && i < 10; i++)
                good = gmmu_rdgc_trace_grid_hook(t, &grid, &err) == GMMU_OK &&
                       gmmu_rdgc_trace_op_hook(t, &warp, 0, &op, &err) == GMMU_OK;
            for (unsigned i = 0; good && i < 40; i++)
                good = gmmu_rdgc_trace_add(t, i % 2, 1, i + 1, false, UINT32_MAX, addr, &err) ==
                       GMMU_OK;
            good = good && gmmu_rdgc_trace_order(t, &err) == GMMU_OK;
            gmmu_rdgc_metrics metrics;
            good = good && gmmu_rdgc_measure(&config, t, 0, gmmu_rdgc_trace_grids(t), &metrics,
                                             &err) == GMMU_OK;
            gmmu_rdgc_trace_destroy(t);
            EXPECT_EQ(err.text[0] == '\0', good);
            if (!good) {
                EXPECT_NE(strstr(err.text, "no memory"), nullptr) << err.text;
            }
            return good;
        },
        100);
    EXPECT_EQ(fclose(in), 0);
}

TEST_F(Fail, MemoryOfStacks) {
    for (const gmmu_stack *kind : {&gmmu_stack_lru, &gmmu_stack_opt, &gmmu_stack_leu_exact}) {
        each_allocation(
            [kind] {
                void *stack = kind->create();
                bool good = stack != nullptr;
                gmmu_error err = {};
                uint32_t distance = 0;
                const uint32_t pages =
                    kind == &gmmu_stack_leu_exact ? 50 : 17000;  // its walks are slow
                for (uint32_t i = 0; good && i < 5 * pages; i++) {
                    const gmmu_touch touch = {i % pages, 0, i % 7, i + 1};
                    good = kind->access(stack, &touch, &distance, &err) == GMMU_OK;
                    // round and round: LRU hits only where all pages have room
                    const bool known = good && (i < pages || kind == &gmmu_stack_lru);
                    EXPECT_TRUE(!known || distance == (i < pages ? 0 : pages)) << distance;
                }
                if (stack != nullptr)
                    kind->destroy(stack);
                return good;
            },
            4);
    }
}

TEST_F(Fail, MemoryOfPages) {
    each_allocation(
        [] {
            gmmu_pages *p = gmmu_pages_create();
            bool good = p != nullptr;
            for (unsigned i = 0; good && i < 5000; i++) good = gmmu_pages_index(p, 0, i) == i;
            gmmu_pages_destroy(p);
            return good;
        },
        8);
    EXPECT_EQ(gmmu_grow(nullptr, 0, SIZE_MAX / 4, 8, 0), nullptr);
    EXPECT_EQ(gmmu_grow(nullptr, 0, SIZE_MAX, 1, 0),
              nullptr);  // too much once it is whole huge pages
    each_allocation(
        [] {  // large enough for huge pages
            void *array = gmmu_grow(nullptr, 0, 1 << 20, 8, 0);
            free(array);
            return array != nullptr;
        },
        1);
}

// Every call on files fails in turn, in the middle of large blocks and on the way to a walk.
TEST_F(Fail, FilesOfTheReader) {
    RandomTrace random(3);
    gmmu_error err = {};
    const std::string path = folder + "random.gwt";
    made.insert("random.gwt");
    gmmu_writer *to = gmmu_writer_open(path.c_str(), 12, nullptr, &err);
    ASSERT_NE(to, nullptr) << err.text;
    for (unsigned i = 0; i < 200000; i++) {
        gmmu_walk w = {};
        w.vpn = random.below(UINT64_MAX);
        w.ref = random.below(UINT64_MAX);
        w.time = random.below(UINT64_MAX);
        w.sm = static_cast<uint32_t>(
            random.below(UINT32_MAX));  // so that blocks are longer than the writer's buffer
        w.asid = static_cast<uint32_t>(random.below(UINT32_MAX));
        ASSERT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
    }
    ASSERT_EQ(gmmu_writer_close(to, &err), GMMU_OK);
    for (const uint64_t target : {0, 70000, 140000, 250000}) {
        for (long n = 1;; n++) {
            shared->fired = false;
            calls = 0;
            plan = Plan();
            plan.group = FILES;
            plan.at = n;
            err.text[0] = '\0';
            gmmu_walk w = {};
            gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
            int status = r == nullptr ? GMMU_BAD : gmmu_reader_seek(r, target, &err);
            for (unsigned i = 0; status == GMMU_OK && i < 150000; i++)
                status = gmmu_reader_next(r, &w, &err);
            const bool before = shared->fired;
            gmmu_reader_close(r);  // whose failure is of no concern
            plan = Plan();
            EXPECT_EQ(status == GMMU_BAD, before) << "call " << n;
            EXPECT_EQ(err.text[0] != '\0', before) << "call " << n;
            if (!shared->fired)
                break;
        }
    }
}

// Where the buffer ends within a short file, reading fails: the comment decides where that is.
TEST_F(Fail, ReaderAtEveryBoundary) {
    gmmu_error err = {};
    // the first refill ends behind 5000 bytes
    for (size_t length = 4790; length < 5300; length += length < 5000 ? 3 : 50) {
        const std::string comment(length, 'c');
        gmmu_about about = {};
        about.page_shift = 12;
        about.comment = comment.c_str();
        gmmu_writer *to = gmmu_writer_open_as(written.c_str(), GMMU_FORM_GWT, &about, &err);
        ASSERT_NE(to, nullptr) << err.text;
        gmmu_walk w = {};
        EXPECT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
        EXPECT_EQ(gmmu_writer_close(to, &err), GMMU_OK);
        for (long n = 1; n < 99; n++) {
            shared->fired = false;
            calls = 0;
            plan = Plan();
            plan.small = true;
            plan.group = FILES;
            plan.at = n;
            gmmu_reader *r = gmmu_reader_open(written.c_str(), &err);
            int status = r == nullptr ? GMMU_BAD : GMMU_OK;
            while (status == GMMU_OK) status = gmmu_reader_next(r, &w, &err);
            const bool before = shared->fired;
            gmmu_reader_close(r);
            plan = Plan();
            EXPECT_EQ(status, before ? GMMU_BAD : GMMU_END) << "call " << n << ", " << length;
            if (!before)
                break;
        }
    }
}

// A disk that is full just before the end record, the index, the trailer: the comment decides where
// the buffer is.
TEST_F(Fail, FullAtTheEnd) {
    gmmu_error err = {};
    for (int gap = -8; gap < 96; gap += 4) {
        std::string comment(200000, 'c');
        for (int round = 0; round < 2; round++) {
            const std::string path = round == 0 ? written : "/dev/full";
            gmmu_about about = {};
            about.page_shift = 12;
            about.comment = comment.c_str();
            gmmu_writer *to = gmmu_writer_open_as(path.c_str(), GMMU_FORM_GWT, &about, &err);
            ASSERT_NE(to, nullptr) << err.text;
            gmmu_walk w = {};
            EXPECT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
            EXPECT_EQ(gmmu_writer_close(to, &err), round == 0 ? GMMU_OK : GMMU_BAD);
            // the file is to end GAP bytes behind the first buffer
            comment.resize(
                comment.size() + (1 << 18) + static_cast<size_t>(gap) - contents(written).size(),
                'c');
        }
        EXPECT_EQ(std::string(err.text),
                  "/dev/full: No space left on device, expected a file to write to");
    }
    // behind an error nothing is written any more
    for (const gmmu_form form : {GMMU_FORM_TEXT, GMMU_FORM_GWT}) {
        gmmu_about about = {};
        about.page_shift = 12;
        gmmu_writer *to = gmmu_writer_open_as("/dev/full", form, &about, &err);
        RandomTrace random(5);
        int status = GMMU_OK;
        for (unsigned i = 0; i < 200000; i++) {
            gmmu_walk w = {};
            w.vpn = random.below(UINT64_MAX);
            w.ref = random.below(UINT64_MAX);
            status |= gmmu_writer_put(to, &w, &err);
        }
        EXPECT_EQ(status, GMMU_BAD);
        EXPECT_EQ(gmmu_writer_close(to, &err), GMMU_BAD);
        EXPECT_EQ(std::string(err.text),
                  "/dev/full: an earlier write failed, expected a file to write to");
    }
}

// More blocks than the first index has room for, more pages than are counted, and the same page
// number in many address spaces.
TEST_F(Fail, LargeGwt) {
    gmmu_error err = {};
    const std::string path = folder + "large.gwt";
    made.insert("large.gwt");
    gmmu_writer *to = gmmu_writer_open(path.c_str(), 12, nullptr, &err);
    ASSERT_NE(to, nullptr) << err.text;
    const uint64_t walks = 66 * 65536;
    for (uint64_t i = 0; i < walks; i++) {
        gmmu_walk w = {};
        w.vpn = i / 7;
        w.asid = static_cast<uint32_t>(i % 7);
        ASSERT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
    }
    ASSERT_EQ(gmmu_writer_close(to, &err), GMMU_OK) << err.text;
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    EXPECT_EQ(gmmu_reader_about(r)->walks, walks);
    EXPECT_EQ(gmmu_reader_about(r)->pages, GMMU_UNKNOWN);
    gmmu_walk w = {};
    for (const uint64_t at : {walks - 1, uint64_t{0}, uint64_t{64 * 65536 + 5}}) {
        ASSERT_EQ(gmmu_reader_seek(r, at, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_reader_next(r, &w, &err), GMMU_OK) << err.text;
        EXPECT_EQ(w.vpn, at / 7);
        EXPECT_EQ(w.asid, at % 7);
    }
    gmmu_reader_close(r);
}

TEST_F(Fail, EdgesOfTheLibrary) {
    gmmu_error err = {};
    gmmu_about about = {};
    for (const unsigned shift : {8U, 31U}) {
        about.page_shift = shift;
        EXPECT_EQ(gmmu_writer_open_as(written.c_str(), GMMU_FORM_TEXT, &about, &err), nullptr);
        EXPECT_NE(std::string(err.text).find("expected 9 to 30"), std::string::npos);
        EXPECT_EQ(
            gmmu_reader_open_as((folder + "small.lackey").c_str(), GMMU_FORM_LACKEY, shift, &err),
            nullptr);
        EXPECT_NE(std::string(err.text).find("expected 9 to 30"), std::string::npos);
    }
    EXPECT_STREQ(gmmu_form_name(GMMU_FORMS), "");
    EXPECT_EQ(gmmu_policy_capacity(GMMU_MAX_PAGES / 2 + 1, 5), GMMU_MAX_PAGES);
    gmmu_pages_destroy(nullptr);
    gmmu_sim_destroy(nullptr);
    gmmu_simt_destroy(nullptr);
    gmmu_reader_close(nullptr);
    gmmu_exact_leu_destroy(nullptr);
    gmmu_gen_destroy(nullptr);
    // a cost above 2^32 is no maximum
    gmmu_exact_leu *m = gmmu_exact_leu_create();
    for (unsigned i = 0; i < 4; i++) EXPECT_TRUE(gmmu_exact_leu_walk(m, {0, i % 2}, 1));
    EXPECT_EQ(gmmu_exact_leu_ppuc(m, 0, 1, 0, 1ULL << 33).num, 0U);
    EXPECT_EQ(gmmu_exact_leu_ppuc(m, 0, 1, 0, 2).num, 1U);
    gmmu_exact_leu_destroy(m);
    // pages as wide as they can be, and an address space too wide
    gmmu_config c = *gmmu_config_find("tiny");
    gmmu_tier_walk_in in = {};
    gmmu_walk w = {};
    c.vpn_w = 64;
    w.vpn = UINT64_MAX;
    EXPECT_EQ(gmmu_leu_walk("leu", &c, &w, &in, &err), GMMU_OK);
    EXPECT_EQ(in.vpn, UINT64_MAX);
    w.asid = 4;
    EXPECT_EQ(gmmu_leu_walk("leu", &c, &w, &in, &err), GMMU_BAD);
    // who listens to accesses or walks may end the run
    gmmu_simt_params p = gmmu_simt_defaults(gmmu_simt_kernels[0]);
    p.size = 40;
    const auto stop = [](void *, const gmmu_walk *, gmmu_error *) -> int { return GMMU_END; };
    for (const bool walk : {false, true}) {
        gmmu_simt *unit = gmmu_simt_create(gmmu_simt_kernels[0], &p, &err);
        ASSERT_NE(unit, nullptr) << err.text;
        gmmu_simt_hooks hooks = {};
        (walk ? hooks.walk : hooks.access) = stop;
        EXPECT_EQ(gmmu_simt_run(unit, &hooks, &err), GMMU_END);
        gmmu_simt_destroy(unit);
    }
}

}  // namespace
