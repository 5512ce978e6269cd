// SPDX-License-Identifier: Apache-2.0
// trace_test.cpp: the text form of walk traces: round trip, every form of error with its line,
// and random lines against a slow parser written here.
#include "gmmu/trace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "random_trace.h"

namespace {

const std::string kHeader = "# gmmu-walk 1 page_shift=12\n";

// A file that is gone after the test.
class File {
   public:
    File() : path(testing::TempDir() + "trace_test_" + std::to_string(getpid()) + ".txt") {}
    explicit File(const std::string &text) : File() {
        std::ofstream(path, std::ios::binary) << text;
    }
    ~File() { (void)std::remove(path.c_str()); }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    std::string path;
};

struct Read {
    std::vector<gmmu_walk> walks;
    std::vector<uint64_t> lines;
    unsigned page_shift = 0;
    std::string error;  // empty: none
};

Read read_all(const std::string &path) {
    Read all;
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    if (r == nullptr) {
        all.error = err.text;
        return all;
    }
    all.page_shift = gmmu_reader_page_shift(r);
    gmmu_walk w = {};
    int status = GMMU_OK;
    while ((status = gmmu_reader_next(r, &w, &err)) == GMMU_OK) {
        all.walks.push_back(w);
        all.lines.push_back(gmmu_reader_line(r));
    }
    if (status == GMMU_BAD) {
        all.error = err.text;
    }
    uint64_t done = 0;
    uint64_t total = 0;
    gmmu_reader_progress(r, &done, &total);
    if (status == GMMU_END && total != 0) {
        EXPECT_EQ(done, total);
    }
    gmmu_reader_close(r);
    return all;
}

// The error of a text, without the file's name: ":LINE: found …".
std::string error_of(const std::string &text) {
    File f(text);
    const std::string error = read_all(f.path).error;
    return error.rfind(f.path, 0) == 0 ? error.substr(f.path.size()) : error;
}

bool equal(const gmmu_walk &a, const gmmu_walk &b) {
    return a.vpn == b.vpn && a.ref == b.ref && a.time == b.time && a.asid == b.asid &&
           a.sm == b.sm && a.write == b.write;
}

TEST(Writer, RoundTripOfRandomWalks) {
    RandomTrace random(test_seed());
    File f;
    std::vector<gmmu_walk> walks;
    gmmu_error err = {};
    gmmu_writer *w = gmmu_writer_open(f.path.c_str(), 16, "two\nlines", &err);
    ASSERT_NE(w, nullptr) << err.text;
    enum { WALKS = 200000 };
    for (int i = 0; i < WALKS; i++) {
        // Numbers of all lengths; later fields often absent.
        auto number = [&](unsigned bits) {
            return random.below(3) == 0 ? 0
                                        : random.below(UINT64_MAX) >> (64 - 1 - random.below(bits));
        };
        gmmu_walk x = {};
        x.vpn = number(64);
        x.ref = number(64);
        x.write = random.below(2) != 0;
        x.sm = static_cast<uint32_t>(number(32));
        x.asid = static_cast<uint32_t>(number(32));
        x.time = number(64);
        walks.push_back(x);
        ASSERT_EQ(gmmu_writer_put(w, &x, &err), GMMU_OK);
    }
    ASSERT_EQ(gmmu_writer_close(w, &err), GMMU_OK);
    Read got = read_all(f.path);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.page_shift, 16U);
    ASSERT_EQ(got.walks.size(), walks.size());
    for (size_t i = 0; i < walks.size(); i++) {
        ASSERT_TRUE(equal(got.walks[i], walks[i])) << "walk " << i;
        ASSERT_EQ(got.lines[i], i + 4);
    }
    std::printf("[ vectors  ] round trip: %d walks\n", WALKS);
}

TEST(Writer, ShortestForm) {
    File f;
    gmmu_error err = {};
    gmmu_writer *w = gmmu_writer_open(f.path.c_str(), 12, "who made it\r\n", &err);
    ASSERT_NE(w, nullptr);
    // clang-format off
    const gmmu_walk walks[] = {{.vpn = 0x1f, .ref = 0x400},
                               {.vpn = 1, .ref = 2, .sm = 3, .write = true},
                               {.vpn = 1, .ref = 2, .asid = 4, .write = true},
                               {.vpn = 1, .ref = 2, .time = 5, .write = true},
                               {.vpn = UINT64_MAX, .ref = UINT64_MAX, .time = UINT64_MAX, .asid = UINT32_MAX, .sm = UINT32_MAX, .write = true}};
    // clang-format on
    for (const gmmu_walk &x : walks) {
        ASSERT_EQ(gmmu_writer_put(w, &x, &err), GMMU_OK);
    }
    ASSERT_EQ(gmmu_writer_close(w, &err), GMMU_OK);
    std::ifstream in(f.path);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_EQ(text, kHeader +
                        "# who made it\n0x1f,0x400,r\n0x1,0x2,w,3\n0x1,0x2,w,0,4\n"
                        "0x1,0x2,w,0,0,5\n0xffffffffffffffff,0xffffffffffffffff,w,4294967295,"
                        "4294967295,18446744073709551615\n");
}

TEST(Writer, LongCommentsStayReadable) {
    File f;
    gmmu_error err = {};
    gmmu_writer *w = gmmu_writer_open(f.path.c_str(), 12, std::string(600000, 'x').c_str(), &err);
    ASSERT_NE(w, nullptr);
    ASSERT_EQ(gmmu_writer_close(w, &err), GMMU_OK);
    EXPECT_EQ(read_all(f.path).error, "");
}

TEST(Writer, Errors) {
    gmmu_error err = {};
    EXPECT_EQ(gmmu_writer_open("/nonexistent/x", 12, nullptr, &err), nullptr);
    EXPECT_EQ(std::string(err.text),
              "/nonexistent/x: No such file or directory, expected a file to write to");
    EXPECT_EQ(gmmu_writer_open("/dev/null", 8, nullptr, &err), nullptr);
    EXPECT_EQ(gmmu_writer_open("/dev/null", 31, nullptr, &err), nullptr);
    EXPECT_EQ(std::string(err.text), "/dev/null: found page_shift 31, expected 9 to 30");
    if (access("/dev/full", W_OK) == 0) {
        gmmu_writer *w = gmmu_writer_open("/dev/full", 12, nullptr, &err);
        ASSERT_NE(w, nullptr);
        EXPECT_EQ(gmmu_writer_close(w, &err), GMMU_BAD);
        EXPECT_EQ(std::string(err.text),
                  "/dev/full: No space left on device, expected a file to write to");
    }
}

TEST(Reader, AcceptsAllForms) {
    File f(
        "# gmmu-walk 1 page_shift=12\r\n"
        "# a comment\n"
        "\n"
        "  \t\r\n"
        "1,2,r\r\n"
        "0x1F,0Xff,w\n"
        "00,0x0000000000000000000000001,r,7\n"
        "18446744073709551615,0xffffffffffffffff,w,4294967295,0xffffffff\n"
        "# in between\r\n"
        "1,2,r,3,4,18446744073709551615");
    Read got = read_all(f.path);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.page_shift, 12U);
    const gmmu_walk expected[] = {
        {.vpn = 1, .ref = 2},
        {.vpn = 0x1f, .ref = 0xff, .write = true},
        {.ref = 1, .sm = 7},
        {.vpn = UINT64_MAX, .ref = UINT64_MAX, .asid = UINT32_MAX, .sm = UINT32_MAX, .write = true},
        {.vpn = 1, .ref = 2, .time = UINT64_MAX, .asid = 4, .sm = 3}};
    ASSERT_EQ(got.walks.size(), 5U);
    for (size_t i = 0; i < 5; i++) {
        EXPECT_TRUE(equal(got.walks[i], expected[i])) << i;
    }
    EXPECT_EQ(got.lines, (std::vector<uint64_t>{5, 6, 7, 8, 10}));
}

TEST(Reader, HeaderOnlyIsAnEmptyTrace) {
    File f("# gmmu-walk 1 page_shift=30");
    Read got = read_all(f.path);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.page_shift, 30U);
    EXPECT_TRUE(got.walks.empty());
}

TEST(Reader, HeaderErrors) {
    const std::string form =
        ", expected \"# gmmu-walk 1 page_shift=12\" (forms of other tools: gmmu trace convert)";
    const std::string shift = ", expected a page_shift of 9 to 30 at the line's end";
    EXPECT_EQ(error_of(""), ":1: found the end of the file" + form);
    EXPECT_EQ(error_of("\n"), ":1: found \"\"" + form);
    EXPECT_EQ(error_of("1,2,r\n"), ":1: found \"1,2,r\"" + form);
    EXPECT_EQ(error_of("# gmmu-walk 1\n"), ":1: found \"# gmmu-walk 1\"" + form);
    EXPECT_EQ(error_of("# gmmu-walk 2 page_shift=12\n"),
              ":1: found \"# gmmu-walk 2 page_shift=12\", expected format version 1");
    EXPECT_EQ(error_of("# gmmu-walk 1 page_shift=8\n"),
              ":1: found \"# gmmu-walk 1 page_shift=8\"" + shift);
    EXPECT_EQ(error_of("# gmmu-walk 1 page_shift=31\n"),
              ":1: found \"# gmmu-walk 1 page_shift=31\"" + shift);
    EXPECT_EQ(error_of("# gmmu-walk 1 page_shift=\n"),
              ":1: found \"# gmmu-walk 1 page_shift=\"" + shift);
    EXPECT_EQ(error_of("# gmmu-walk 1 page_shift=12 x\n"),
              ":1: found \"# gmmu-walk 1 page_shift=12 x\"" + shift);
    EXPECT_EQ(error_of(std::string("\x7f"
                                   "EXF\0\xff\n",
                                   7)),
              ":1: found \"\\x7fEXF\\x00\\xff\"" + form);
}

TEST(Reader, FileErrors) {
    EXPECT_EQ(read_all("/nonexistent").error,
              "/nonexistent: found no readable file (No such file or directory), expected a walk "
              "trace");
    EXPECT_EQ(read_all("/").error, "/: found a directory, expected a walk trace");
    File f(kHeader);
    ASSERT_EQ(chmod(f.path.c_str(), 0), 0);
    if (geteuid() != 0) {  // root may read everything
        EXPECT_EQ(read_all(f.path).error, f.path +
                                              ": found no readable file (Permission denied), "
                                              "expected a walk trace");
    }
    // A name is shown on one line, and a long one leaves room for the message.
    EXPECT_EQ(read_all("a\nb").error,
              "a\\x0ab: found no readable file (No such file or "
              "directory), expected a walk trace");
    EXPECT_NE(read_all(std::string(3000, 'x')).error.find("expected a walk trace"),
              std::string::npos);
}

TEST(Reader, RecordErrorsNameTheLine) {
    const std::string vpn = ", expected vpn, a number below 2^64";
    const std::string ref = ", expected ref, a number below 2^64";
    const std::string sm = ", expected sm, a number below 2^32";
    const std::string asid = ", expected asid, a number below 2^32";
    const std::string time = ", expected time, a number below 2^64";
    const std::string rw = ", expected rw, r or w";
    const std::string end = "found the end of the line";
    const struct {
        std::string line, error;
    } cases[] = {
        {"x,1,r", "found \"x\"" + vpn},
        {"12x,1,r", "found \"12x\"" + vpn},
        {"-1,1,r", "found \"-1\"" + vpn},
        {"+1,1,r", "found \"+1\"" + vpn},
        {" 1,1,r", "found \" 1\"" + vpn},
        {",1,r", "found \"\"" + vpn},
        {"0x,1,r", "found \"0x\"" + vpn},
        {"0xg,1,r", "found \"0xg\"" + vpn},
        {"18446744073709551616,1,r", "found \"18446744073709551616\"" + vpn},
        {"99999999999999999999999,1,r", "found \"99999999999999999999999\"" + vpn},
        {"0x10000000000000000,1,r", "found \"0x10000000000000000\"" + vpn},
        {"1", end + ", expected a comma and ref"},
        {"1,", end + ref},
        {"1,2", end + ", expected a comma and rw"},
        {"1,2,", end + rw},
        {"1,z,r", "found \"z\"" + ref},
        {"1,2,x", "found \"x\"" + rw},
        {"1,2,R", "found \"R\"" + rw},
        {"1,2,rw", "found \"rw\"" + rw},
        {"1,2,,3", "found \"\"" + rw},
        {"1,2,r,", end + sm},
        {"1,2,r,4294967296", "found \"4294967296\"" + sm},
        {"1,2,r,3 4", "found \"3 4\"" + sm},
        {"1,2,r,3,", end + asid},
        {"1,2,r,3,0x100000000", "found \"0x100000000\"" + asid},
        {"1,2,r,3,4,", end + time},
        {"1,2,r,3,4,5x", "found \"5x\"" + time},
        {"1,2,r,3,4,5,6", "found \"6\", expected the end of the line, after at most 6 fields"},
        {"1,2,r,3,4,5,6,7", "found \"6,7\", expected the end of the line, after at most 6 fields"},
        {"1,2,r,3,4,5,", end + ", expected the end of the line, after at most 6 fields"},
        {"1\r,2,r", "found \"1\\x0d\"" + vpn},
        {std::string("1\0,2,r", 6), "found \"1\\x00\"" + vpn},
        {std::string("\0", 1), "found \"\\x00\"" + vpn},
        {std::string("# \0", 3), "found \"# \\x00\", expected a comment without NUL"},
        {"1,2,\xe2\x82\xac", "found \"\\xe2\\x82\\xac\"" + rw},
        {std::string(60, 'y'), "found \"" + std::string(53, 'y') + "…\"" + vpn},
        {std::string(4097, '1'), "found a line of more than 4096 bytes, expected a walk record"},
        {std::string(4094, '0') + ",1,r",
         "found a line of more than 4096 bytes, expected a walk record"},
        {std::string(2000000, '1'), "found a line of more than 4096 bytes, expected a walk record"},
        {"#" + std::string(5000, ' '),
         "found a line of more than 4096 bytes, expected a walk record"},
        {std::string(5000, ' '), "found a line of more than 4096 bytes, expected a walk record"},
    };
    for (const auto &c : cases) {
        for (const char *newline : {"\n", "\r\n", ""}) {
            EXPECT_EQ(error_of(kHeader + "# c\n\n1,2,r\n" + c.line + newline), ":5: " + c.error);
        }
    }
}

// The refill of the buffer happens at every place of a record, and the longest line is accepted.
TEST(Reader, RecordsAcrossTheBufferAndLongestLines) {
    for (const std::string newline : {"\n", "\r\n"}) {
        std::string text = kHeader;
        std::vector<uint64_t> expected;
        while (text.size() < 5000000) {
            const uint64_t n = expected.size();
            std::string number = std::to_string(n);
            if (n % 1000 == 7) {
                number.insert(0, 4096 - 4 - number.size(), '0');  // with ",1,w" 4096 bytes
            }
            text += number + ",1,w" + newline;
            expected.push_back(n);
        }
        File f(text);
        Read got = read_all(f.path);
        ASSERT_EQ(got.error, "");
        ASSERT_EQ(got.walks.size(), expected.size());
        for (size_t i = 0; i < expected.size(); i++) {
            ASSERT_EQ(got.walks[i].vpn, expected[i]);
            ASSERT_EQ(got.lines[i], i + 2);
        }
    }
}

TEST(Reader, StandardInputThroughASlowPipe) {
    int fds[2];
    ASSERT_EQ(pipe(fds), 0);
    const int old = dup(STDIN_FILENO);
    ASSERT_EQ(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
    std::thread feeder([&] {
        const std::string text = kHeader + "1,2,r\n3,4,w\nbad\n";
        for (char c : text) {
            EXPECT_EQ(write(fds[1], &c, 1), 1);
        }
        (void)close(fds[1]);
    });
    Read got = read_all("-");
    feeder.join();
    (void)dup2(old, STDIN_FILENO);
    (void)close(old);
    (void)close(fds[0]);
    EXPECT_EQ(got.walks.size(), 2U);
    EXPECT_EQ(got.error, "<stdin>:4: found \"bad\", expected vpn, a number below 2^64");
}

// One line, field by field: the walk, nothing for a comment or blank, or refused.
struct SlowLine {
    bool refused = false;
    std::optional<gmmu_walk> walk;
};

std::optional<uint64_t> slow_number(const std::string &text, uint64_t most) {
    const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
    const std::string digits = hex ? text.substr(2) : text;
    if (digits.empty() || digits.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789") !=
                              std::string::npos) {
        return {};
    }
    __extension__ unsigned __int128 value = 0;
    for (char c : digits) {
        const int digit = std::stoi(std::string(1, c), nullptr, 16);
        value = value * (hex ? 16 : 10) + static_cast<unsigned>(digit);
        if (value > most) {
            return {};
        }
    }
    return static_cast<uint64_t>(value);
}

SlowLine slow_parse(std::string line) {
    SlowLine result;
    if (!line.empty() && line.back() == '\r') {
        line.pop_back();
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) {
        line.pop_back();
    }
    if (line.find_first_not_of(" \t") == std::string::npos || line[0] == '#') {
        result.refused = line[0] == '#' && line.find('\0') != std::string::npos;
        return result;
    }
    std::vector<std::string> fields(1);
    for (char c : line) {
        if (c == ',') {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    result.refused = true;
    if (fields.size() < 3 || fields.size() > 6 || (fields[2] != "r" && fields[2] != "w")) {
        return result;
    }
    fields.resize(6, "0");
    const auto vpn = slow_number(fields[0], UINT64_MAX);
    const auto ref = slow_number(fields[1], UINT64_MAX);
    const auto sm = slow_number(fields[3], UINT32_MAX);
    const auto asid = slow_number(fields[4], UINT32_MAX);
    const auto time = slow_number(fields[5], UINT64_MAX);
    if (vpn && ref && sm && asid && time) {
        result.refused = false;
        result.walk = gmmu_walk{*vpn,
                                *ref,
                                *time,
                                static_cast<uint32_t>(*asid),
                                static_cast<uint32_t>(*sm),
                                fields[2] == "w"};
    }
    return result;
}

TEST(Reader, RandomlyDamagedTracesEqualTheSlowParser) {
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    uint64_t refused = 0;
    for (int i = 0; i < 6000; i++) {
        std::string body;
        for (int n = 0; n < 4; n++) {
            body +=
                "0x1f,4096,w,3,0,77\n18446744073709551610,0xfffffffffffffffe,r\n9,8,r,4294967290\n";
        }
        for (uint64_t damage = random.below(3); damage > 0; damage--) {
            const size_t at = random.below(body.size());
            static const char alphabet[] = "0123456789abcdefxX,,,rw\r\n #\t-";
            const char c = alphabet[random.below(sizeof alphabet)];  // the final 0 too
            if (random.below(2) == 0) {
                body[at] = c;
            } else if (random.below(2) == 0) {
                body.insert(at, 1, c);
            } else {
                body.erase(at, 1);
            }
        }
        File f(kHeader + body);
        const Read got = read_all(f.path);
        size_t walks = 0;
        size_t line = 1;
        bool bad = false;
        for (size_t from = 0; from < body.size() && !bad; line++) {
            const size_t to = std::min(body.find('\n', from), body.size());
            const SlowLine slow = slow_parse(body.substr(from, to - from));
            from = to + 1;
            bad = slow.refused;
            if (slow.walk) {
                ASSERT_LT(walks, got.walks.size()) << body;
                ASSERT_TRUE(equal(got.walks[walks], *slow.walk)) << body;
                ASSERT_EQ(got.lines[walks], line + 1);
                walks++;
                vectors++;
            }
        }
        ASSERT_EQ(got.walks.size(), walks) << body;
        ASSERT_EQ(got.error.empty(), !bad) << body << got.error;
        if (bad) {
            refused++;
            ASSERT_EQ(got.error.rfind(f.path + ":" + std::to_string(line) + ": found ", 0), 0U)
                << got.error;
            ASSERT_NE(got.error.find(", expected "), std::string::npos);
            ASSERT_EQ(got.error.find('\n'), std::string::npos);
        }
    }
    std::printf("[ vectors  ] damaged traces: %llu records, %llu errors\n",
                static_cast<unsigned long long>(vectors), static_cast<unsigned long long>(refused));
}

// ---- a kernel of Accel-Sim that is watched, bad lines left out

// "kernel 2x40", "1.1 00ff" for warp 1 of thread block 1.
struct Watched {
    std::vector<std::string> told;
    uint64_t bad = 0;

    explicit Watched(const std::vector<std::string> &lines) {
        std::string text;
        for (const std::string &line : lines) text += line + "\n";
        const File file(text);
        gmmu_kernel_watch watch = {};
        watch.context = this;
        watch.kernel = [](void *c, uint64_t blocks, uint64_t threads) -> const char * {
            static_cast<Watched *>(c)->told.push_back("kernel " + std::to_string(blocks) + "x" +
                                                      std::to_string(threads));
            return threads > 1024 ? "at most 1024 threads" : nullptr;
        };
        watch.access = [](void *c, uint64_t block, uint64_t warp, bool, bool, uint32_t mask,
                          const uint64_t *) -> const char * {
            char one[64];
            std::snprintf(one, sizeof one, "%llu.%llu %x", static_cast<unsigned long long>(block),
                          static_cast<unsigned long long>(warp), mask);
            static_cast<Watched *>(c)->told.emplace_back(one);
            return nullptr;
        };
        gmmu_import_settings settings = {};
        settings.watch = &watch;
        gmmu_error err = {};
        gmmu_reader *r =
            gmmu_reader_open_import(file.path.c_str(), GMMU_FORM_ACCELSIM, &settings, &err);
        EXPECT_NE(r, nullptr) << err.text;
        gmmu_walk walk = {};
        int status = GMMU_OK;
        while (r != nullptr && (status = gmmu_reader_next(r, &walk, &err)) != GMMU_END) {
            bad += status == GMMU_BAD;
            if (status == GMMU_BAD && !gmmu_reader_recover(r))
                break;
        }
        gmmu_reader_close(r);
    }
};

const std::string kLoad = "0010 ff 1 R1 LDG.E 1 R2 4 1 0x7f1000 4";

std::vector<std::string> kernel(const std::vector<std::string> &inside,
                                const std::string &grid = "-grid dim = (2,1,1)",
                                const std::string &block = "-block dim = (40,1,1)") {
    std::vector<std::string> lines = {"-kernel name = k", grid, block, "#BEGIN_TB"};
    lines.insert(lines.end(), inside.begin(), inside.end());
    lines.insert(lines.end(), {"#END_TB", "#BEGIN_TB", "#END_TB"});
    return lines;
}

TEST(WatchedKernel, IsToldBlockAndWarp) {
    const Watched w(kernel({"thread block = 1,0,0", "warp = 1", "insts = 1", kLoad}));
    EXPECT_EQ(w.told, (std::vector<std::string>{"kernel 2x40", "1.1 ff"}));
    EXPECT_EQ(w.bad, 0u);
}

// A line that is refused changes nothing of what it should have said, and what depends on it is
// refused, too: no access is told of another warp, block or kernel.
TEST(WatchedKernel, NothingComesOfARefusedLine) {
    const std::vector<std::string> none = {"kernel 2x40"};
    EXPECT_EQ(Watched(kernel({"thread block = 1,0,0", "warp = 1", "warp = 9", kLoad})).told, none);
    EXPECT_EQ(
        Watched(kernel({"thread block = 1,0,0", "warp = 1", "warp = 576460752303423488", kLoad}))
            .told,
        none);
    EXPECT_EQ(
        Watched(kernel({"thread block = 1,0,0", "warp = 1", "thread block = 2,0,0", kLoad})).told,
        none);
    // a size that is no size
    std::vector<std::string> lines =
        kernel({"thread block = 1,0,0", "warp = 1", kLoad}, "-grid dim = (2,1,1)");
    lines.insert(lines.begin() + 2, "-grid dim =& (2,1,1)");
    const Watched size(lines);
    EXPECT_EQ(size.told, (std::vector<std::string>{"kernel 2x40", "1.1 ff"}));
    EXPECT_EQ(size.bad, 1u);
    // a kernel that is refused, and one without a size behind a good one
    EXPECT_EQ(Watched(kernel({"thread block = 1,0,0", "warp = 1", kLoad}, "-grid dim = (2,1,1)",
                             "-block dim = (1025,1,1)"))
                  .told,
              (std::vector<std::string>{"kernel 2x1025", "kernel 2x1025"}));
    lines = kernel({"thread block = 1,0,0", "warp = 1", kLoad});
    const std::vector<std::string> next =
        kernel({"thread block = 1,0,0", "warp = 1", kLoad}, "-grid dim = (9,1,)");
    lines.insert(lines.end(), next.begin(), next.end());
    EXPECT_EQ(Watched(lines).told, (std::vector<std::string>{"kernel 2x40", "1.1 ff"}));
}

}  // namespace
