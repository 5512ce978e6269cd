// SPDX-License-Identifier: Apache-2.0
// fail.cpp: the command in a child, and what is wrong with how it ended.
#include "fail.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "random_trace.h"

extern "C" int gmmu_main(int argc, char **argv);

std::string contents(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

namespace {

// The rows that a sweep left in its store, in order; a job that failed has left its reason there.
std::vector<std::string> rows_of(const std::string &store) {
    std::vector<std::string> rows;
    if (std::filesystem::is_directory(store + "/rows"))
        for (const auto &entry : std::filesystem::directory_iterator(store + "/rows")) {
            const std::string text = contents(entry.path());
            if (text.find("\"kind\": \"row\"") != std::string::npos)
                rows.push_back(text);
        }
    std::sort(rows.begin(), rows.end());
    return rows;
}

// A trace in either form, as text; anything else as it is. Counts of pages in a header may be
// unknown.
std::string walks_of(const std::string &path) {
    const std::string text = std::filesystem::is_directory(path) ? "" : contents(path);
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

}  // namespace

void Fail::SetUpTestSuite() {
    void *page =
        mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(page, MAP_FAILED);
    shared = static_cast<Shared *>(page);
    (void)std::atexit([] { plan = Plan(); });  // what the command does not do itself is to go well
}

void Fail::SetUp() {
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
    EXPECT_EQ(gmmu("trace convert wide.walk --comment here -o " + folder + "small.gwt").status, 0);
}

void Fail::TearDown() {
    for (const std::string &name : made) std::filesystem::remove_all(folder + name);
    EXPECT_EQ(rmdir(folder.c_str()), 0) << "something was left in " << folder;
}

void Fail::put(const std::string &name, const std::string &text) const {
    made.insert(name);
    std::ofstream(folder + name, std::ios::binary) << text;
}

void Fail::trace(const std::string &name, unsigned walks, unsigned pages) const {
    RandomTrace random(7);
    std::ostringstream out;
    out << "# gmmu-walk 1 page_shift=12\n# made for a test\n";
    for (unsigned i = 0; i < walks; i++)
        out << (i < pages ? i : random.below(pages)) << "," << random.below(3)
            << (i % 5 ? ",r,0," : ",w,0,") << i % 2 << "\n";
    put(name, out.str());
}

void Fail::zip(const std::string &name) const {
    const std::string text = contents(folder + name);
    made.insert(name + ".gz");
    gzFile to = gzopen((folder + name + ".gz").c_str(), "wb");
    ASSERT_NE(to, nullptr);
    EXPECT_EQ(gzwrite(to, text.data(), static_cast<unsigned>(text.size())),
              static_cast<int>(text.size()));
    EXPECT_EQ(gzclose(to), Z_OK);
}

Fail::Command Fail::parse(const std::string &arguments) const {
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

int Fail::run(Command c, const Plan &with) const {
    std::vector<char *> argv;
    for (std::string &w : c.words) argv.push_back(w.data());
    argv.push_back(nullptr);
    if (!c.input.empty())
        feed(c.input);
    std::filesystem::remove_all(written);
    (void)!freopen((folder + "out").c_str(), "w", stdout);
    (void)!freopen((folder + "err").c_str(), "w", stderr);
    arm(with);
    const int status = gmmu_main(static_cast<int>(argv.size()) - 1, argv.data());
    plan = Plan();
    return status;
}

Ended Fail::ended(int status) const {
    std::fflush(nullptr);
    return {status,
            shared->fired,
            contents(folder + "out"),
            contents(folder + "err"),
            walks_of(written),
            std::filesystem::is_regular_file(written),
            rows_of(written)};
}

int Fail::wait_for(pid_t child) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Ended Fail::gmmu(const std::string &arguments, const Plan &with) const {
    const Command c = parse(arguments);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
        std::exit(run(c, with));
    const int status = wait_for(child);
    return ended(status);
}

void Fail::feed(const std::string &path) {
    int ends[2];
    if (pipe(ends) != 0)
        _exit(99);
    if (fork() == 0) {
        const std::string text = contents(path);
        (void)close(STDIN_FILENO);
        (void)close(ends[0]);
        _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0
                                                                                            : 1);
    }
    (void)dup2(ends[0], STDIN_FILENO);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

std::string Fail::judge(const Ended &e, const Ended &good, const Plan &p) const {
    std::string wrong;
    if (e.status == 1 && loses_rows) {
        const std::string count = " " + std::to_string(e.rows.size()) + " of ";
        if (!e.fired || e.out != good.out)
            wrong = "status 1 without a failure, or another output";
        else if (!std::includes(good.rows.begin(), good.rows.end(), e.rows.begin(), e.rows.end()))
            wrong = "another row";
        else if (e.rows.size() == good.rows.size() ||
                 e.last_line().find(count) == std::string::npos)
            wrong = std::to_string(e.rows.size()) + " rows, and another count";
        else if (p.group == MEMORY && e.err.find("memory") == std::string::npos)
            wrong = "another reason than memory";
    } else if (e.status != 0 && e.status != 2)
        wrong = "status " + std::to_string(e.status);
    else if (e.status == 0 && (e.out != good.out || e.file != good.file))
        wrong = "another output, with status 0";
    else if (e.status == 0 &&
             (e.rows != good.rows || (loses_rows && e.last_line() != good.last_line())))
        wrong = "rows are lost, with status 0";
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

void Fail::each(Group group, const std::string &arguments, unsigned least, int error,
                long most) const {
    const Ended good = gmmu(arguments);
    ASSERT_EQ(good.status, 0) << arguments << ": " << good.err;
    const Command c = parse(arguments);
    Plan p;
    p.group = group;
    p.error = error;
    *shared = Shared();
    // `make test` sets GMMU_QUICK: one allocation of three fails, which ones goes by the command;
    // the whole is in `make long-tests`
    const bool some = group == MEMORY && most == LONG_MAX && std::getenv("GMMU_QUICK") != nullptr;
    const long step = some ? 3 : 1;
    if (some)
        least = (least + 2) / 3;
    shared->at = (some ? static_cast<long>(arguments.size()) % step + 1 : 1) - step;
    std::string report;
    while (!shared->done && report.size() < 2000) {
        std::fflush(nullptr);
        put("report", "");
        const pid_t child = fork();
        if (child == 0) {
            std::string text;
            do {
                p.at = shared->at += step;
                const int status = run(c, p);
                shared->noticed += status > 0;
                text += judge(ended(status), good, p);
            } while (shared->fired && shared->at < most && text.size() < 2000);
            put("report", text);
            shared->done = true;
            std::exit(0);
        }
        const int status = wait_for(child);
        report += contents(folder + "report");
        if (!shared->done || status != 0) {
            shared->noticed += status > 0;
            p.at = shared->at;
            report += judge(ended(status), good, p);
        }
    }
    EXPECT_EQ(report, "") << arguments;
    EXPECT_GE(shared->noticed, least) << arguments;
}

void Fail::expect(const std::vector<Case> &cases) const {
    for (const auto &c : cases) {
        const Ended e = gmmu(c.arguments);
        EXPECT_EQ(e.status, c.status) << c.arguments.substr(0, 100) << ": " << e.err;
        EXPECT_NE((e.out + e.err).find(c.said), std::string::npos)
            << c.arguments.substr(0, 100) << ": " << e.err << e.out;
        if (c.status == 2 && c.arguments.find("--keep-going") == std::string::npos) {
            EXPECT_FALSE(e.left) << c.arguments.substr(0, 100);
        }
    }
}
