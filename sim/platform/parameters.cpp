// SPDX-License-Identifier: Apache-2.0
// parameters.cpp: see parameters.h.
#include "parameters.h"

#include <jansson.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace {

enum class Kind { COUNT, TIME, RATE, WORD, BYTES };

// A parameter: its name, what it is, where it goes, and what is allowed.
struct Row {
    const char *name;
    Kind kind;
    void *to;
    double least;       // COUNT: itself; TIME: picoseconds; RATE: bytes a second
    const char *words;  // WORD: "no|yes"; its number goes to a uint32_t. BYTES: a word for 0
    bool given = false;
};

std::vector<Row> rows_of(Parameters *p) {
    return {
        {"gpu.warps", Kind::COUNT, &p->gpu.warps, 1, nullptr},
        {"gpu.think", Kind::TIME, &p->gpu.think, 0, nullptr},
        {"gpu.sms", Kind::COUNT, &p->gpu.sms, 1, nullptr},
        {"gpu.frames_per_warp", Kind::COUNT, &p->gpu.frames_per_warp, 0, nullptr},
        {"gpu.window", Kind::COUNT, &p->gpu.window, 1, nullptr},
        {"walkers.count", Kind::COUNT, &p->walkers.count, 1, nullptr},
        {"walkers.latency", Kind::TIME, &p->walkers.latency, 0, nullptr},
        {"unit.decision", Kind::TIME, &p->unit.decision, 0, nullptr},
        {"unit.clock", Kind::TIME, &p->unit.clock, 1, nullptr},
        {"unit.time", Kind::WORD, &p->unit.measured, 0, "nominal|measured"},
        {"unit.memory", Kind::COUNT, &p->unit.memory, 0, nullptr},
        {"unit.fresh", Kind::COUNT, &p->unit.fresh, 0, nullptr},
        {"unit.ahead", Kind::COUNT, &p->unit.ahead, 0, nullptr},
        {"driver.fault", Kind::TIME, &p->driver.fault, 0, nullptr},
        {"driver.block", Kind::TIME, &p->driver.block, 0, nullptr},
        {"driver.page", Kind::TIME, &p->driver.page, 0, nullptr},
        {"driver.prefetched", Kind::TIME, &p->driver.prefetched, 0, nullptr},
        {"driver.batch", Kind::COUNT, &p->driver.batch, 1, nullptr},
        {"driver.replay", Kind::WORD, &p->driver.replay, 0, "batch|page|block|once"},
        {"driver.pin", Kind::WORD, &p->driver.pin, 0, "no|yes"},
        {"driver.fair", Kind::COUNT, &p->driver.fair, 0, nullptr},
        {"driver.grain", Kind::BYTES, &p->driver.grain, 0, "page"},
        {"driver.big", Kind::BYTES, &p->driver.big, 0, nullptr},
        {"driver.prefetch", Kind::WORD, &p->driver.prefetch, 0, "tbn|none"},
        {"driver.clean", Kind::WORD, &p->driver.clean, 0, "copied|dropped"},
        {"link.bandwidth", Kind::RATE, &p->link.bandwidth, 1, nullptr},
        {"link.latency", Kind::TIME, &p->link.latency, 0, nullptr},
        {"host.bandwidth", Kind::RATE, &p->host.bandwidth, 1, nullptr},
        {"host.latency", Kind::TIME, &p->host.latency, 0, nullptr},
        {"ssd.commands", Kind::COUNT, &p->ssd.commands, 1, nullptr},
        {"ssd.latency", Kind::TIME, &p->ssd.latency, 0, nullptr},
        {"ssd.read", Kind::RATE, &p->ssd.read, 1, nullptr},
        {"ssd.write", Kind::RATE, &p->ssd.write, 1, nullptr},
        {"run.quantum", Kind::TIME, &p->run.quantum, 1, nullptr},
        {"run.watchdog", Kind::TIME, &p->run.watchdog, 1, nullptr},
        {"run.timeline", Kind::WORD, &p->run.timeline, 0, "decided|arrival"},
    };
}

struct Unit {
    const char *name;
    double scale;
};
constexpr Unit TIMES[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
constexpr Unit SIZES[] = {{"B", 1},      {"", 1},         {"K", 0x1p10}, {"KiB", 0x1p10},
                          {"M", 0x1p20}, {"MiB", 0x1p20}, {"G", 0x1p30}, {"GiB", 0x1p30}};
constexpr Unit RATES[] = {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}};

const char *expected(const Row &r) {
    switch (r.kind) {
        case Kind::COUNT:
            return r.least > 0 ? "a whole number, at least 1" : "a whole number";
        case Kind::TIME:
            return r.least > 0 ? "a time above 0 with its unit: ps, ns, us, ms, s"
                               : "a time with its unit: ps, ns, us, ms, s";
        case Kind::RATE:
            return "a bandwidth above 0 with its unit: B/s, kB/s, MB/s, GB/s";
        case Kind::BYTES:
            return r.words != nullptr ? "page, or a power of two in bytes: 64 KiB, 2 MiB"
                                      : "a power of two in bytes: 64 KiB, 2 MiB";
        case Kind::WORD:
            return r.words;
    }
    return "";
}

[[noreturn]] void not_so(const Row &r, const std::string &where, const std::string &text) {
    bad(where + ": found " + r.name + " = " + text + ", expected " + expected(r));
}

// TEXT, "20 us", in the smallest unit.
template <size_t N>
bool measure(const std::string &text, const Unit (&units)[N], double *to) {
    char *end = nullptr;
    if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) != 0)
        return false;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !std::isfinite(value))
        return false;
    while (*end == ' ') end++;
    for (const Unit &u : units) {
        if (std::string(u.name) == end) {
            *to = std::nearbyint(value * u.scale);
            return true;
        }
    }
    return false;
}

// TEXT, "64 KiB": a power of two.
bool measure_bytes(const std::string &text, uint64_t *bytes) {
    double value = 0;
    if (!measure(text, SIZES, &value) || !(value >= 1 && value <= 0x1p40))
        return false;
    *bytes = static_cast<uint64_t>(value);
    return (*bytes & (*bytes - 1)) == 0;
}

void take(Row *r, const std::string &where, const std::string &text) {
    constexpr double MOST_TIME = 1e18, MOST_RATE = 1e15;
    double value = 0;
    r->given = true;
    switch (r->kind) {
        case Kind::COUNT: {
            char *end = nullptr;
            value = std::strtod(text.c_str(), &end);
            if (text.empty() || *end != 0 || !(value >= r->least) || value > (1 << 20) ||
                value != std::floor(value))
                not_so(*r, where, text);
            *static_cast<uint32_t *>(r->to) = static_cast<uint32_t>(value);
            return;
        }
        case Kind::TIME:
            if (!measure(text, TIMES, &value) || value < r->least || value > MOST_TIME)
                not_so(*r, where, text);
            *static_cast<sc_core::sc_time *>(r->to) =
                sc_core::sc_time::from_value(static_cast<uint64_t>(value));
            return;
        case Kind::RATE:
            if (!measure(text, RATES, &value) || value < r->least || value > MOST_RATE)
                not_so(*r, where, text);
            static_cast<Rate *>(r->to)->bytes_per_s = static_cast<uint64_t>(value);
            return;
        case Kind::BYTES:
            if (r->words != nullptr && text == r->words)
                *static_cast<uint64_t *>(r->to) = 0;
            else if (!measure_bytes(text, static_cast<uint64_t *>(r->to)))
                not_so(*r, where, text);
            return;
        case Kind::WORD: {
            std::istringstream words(r->words);
            if (text.empty())
                not_so(*r, where, text);
            std::string word;
            uint32_t n = 0;
            while (std::getline(words, word, '|') && word != text) n++;
            if (word != text)
                not_so(*r, where, text);
            *static_cast<uint32_t *>(r->to) = n;
        }
    }
}

std::string group_of(const std::string &name) {
    return name.substr(0, name.find('.'));
}

// What could stand in place of NAME, no key: a key of its group, or of one of the groups.
std::string keys_near(const std::vector<Row> &rows, const std::string &name) {
    std::string keys, groups, last;
    for (const Row &r : rows) {
        const std::string group = group_of(r.name);
        if (group == group_of(name))
            keys += (keys.empty() ? "" : ", ") + std::string(r.name);
        if (group != last)
            groups += (groups.empty() ? "" : ", ") + group;
        last = group;
    }
    return keys.empty() ? "a key of " + groups + ", such as " + rows.front().name
                        : "one of " + keys;
}

Row *find(std::vector<Row> *rows, const std::string &name, const std::string &where) {
    for (Row &r : *rows) {
        if (name == r.name)
            return &r;
    }
    bad(where + ": found key " + name + ", expected " + keys_near(*rows, name));
}

std::string text_of(const json_t *value) {
    if (json_is_string(value))
        return json_string_value(value);
    const std::unique_ptr<char, void (*)(void *)> text(json_dumps(value, JSON_ENCODE_ANY), free);
    return text == nullptr ? "?" : text.get();
}

}  // namespace

uint64_t read_bytes(const std::string &what, const std::string &text) {
    uint64_t bytes = 0;
    if (!measure_bytes(text, &bytes))
        bad(what + ": found " + text + ", expected a power of two in bytes: 64K, 64KiB, 2M");
    return bytes;
}

Parameters read_parameters(const std::string &path, const std::vector<std::string> &settings) {
    Parameters p = {};
    std::vector<Row> rows = rows_of(&p);
    json_error_t e;
    const std::unique_ptr<json_t, void (*)(json_t *)> root(
        json_load_file(path.c_str(), JSON_REJECT_DUPLICATES, &e), json_decref);
    if (root == nullptr)
        bad(path + ":" + std::to_string(e.line) + ": " + e.text);
    const char *group, *key;
    json_t *members, *pair;
    if (!json_is_object(root.get()))
        bad(path + ": found no object, expected groups of parameters");
    json_object_foreach(root.get(), group, members) {
        if (!json_is_object(members))
            bad(path + ": found " + group + " = " + text_of(members) + ", expected an object");
        json_object_foreach(members, key, pair) {
            const std::string name = std::string(group) + "." + key;
            Row *r = find(&rows, name, path);
            const json_t *value = json_array_get(pair, 0), *source = json_array_get(pair, 1);
            if (json_array_size(pair) != 2 || !json_is_string(source) ||
                json_string_length(source) == 0)
                bad(path + ": found " + name + " = " + text_of(pair) +
                    ", expected [value, its source]");
            if (r->kind == Kind::COUNT ? !json_is_number(value) : !json_is_string(value))
                not_so(*r, path, text_of(value));
            take(r, path, text_of(value));
        }
    }
    for (const Row &r : rows) {
        if (!r.given)
            bad(path + ": found no " + r.name + ", expected " + expected(r));
    }
    for (const std::string &s : settings) {
        const size_t at = s.find('=');
        if (at == std::string::npos)
            bad("--set: found " + s + ", expected key=value");
        take(find(&rows, s.substr(0, at), "--set"), "--set", s.substr(at + 1));
    }
    return p;
}
