// SPDX-License-Identifier: Apache-2.0
// keys.cpp: see keys.h.
#include "keys.h"

#include <algorithm>
#include <cstdlib>

#include "host/bad.h"

namespace {

std::string list_of(const std::vector<std::string> &words, const char *last) {
    std::string all;
    for (size_t i = 0; i < words.size(); i++)
        all += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
    return all;
}

// A value as JSON, not too much of it.
std::string shown(json_t *value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    std::string s = text == nullptr ? "?" : text;
    std::free(text);
    return s.size() > 60 ? s.substr(0, 57) + "..." : s;
}

}  // namespace

Key text_key(const char *name) {
    return {name, "a text", [](json_t *v) { return json_string_length(v) != 0; }};
}

Key number_key(const char *name, uint64_t least, uint64_t most) {
    const std::string range = most == INT64_MAX
                                  ? std::to_string(least) + " on"
                                  : std::to_string(least) + " to " + std::to_string(most);
    return {name, "a whole number from " + range, [least, most](json_t *v) {
                return json_is_integer(v) && json_integer_value(v) >= 0 &&
                       static_cast<uint64_t>(json_integer_value(v)) >= least &&
                       static_cast<uint64_t>(json_integer_value(v)) <= most;
            }};
}

Key truth_key(const char *name) {
    return {name, "true or false", [](json_t *v) { return json_is_boolean(v); }};
}

Key choice_key(const char *name, const std::vector<std::string> &choices) {
    return {name, list_of(choices, " or "), [choices](json_t *v) {
                const char *s = json_string_value(v);
                return s != nullptr && std::count(choices.begin(), choices.end(), s) != 0;
            }};
}

Key frames_key(const char *name) {
    return {name, "\"N\" or \"N%\", N from 1 on", [](json_t *v) {
                const std::string s = json_is_string(v) ? json_string_value(v) : "";
                const size_t digits = std::min(s.find_first_not_of("0123456789"), s.size());
                return digits > 0 && digits < 10 && s.find_first_not_of('0') < digits &&
                       (s.substr(digits).empty() || s.substr(digits) == "%");
            }};
}

Key object_key(const char *name, const Keys &members) {
    return {name, "an object", [](json_t *v) { return json_is_object(v); }, false, members};
}

Key array_key(const char *name) {
    return {name, "an array with one step or more",
            [](json_t *v) { return json_is_array(v) && json_array_size(v) != 0; }};
}

Key map_key(const char *name, const Key &value) {
    return {name, "an object, each value " + value.expected, [value](json_t *v) {
                const char *key;
                json_t *member;
                bool all = json_is_object(v);
                json_object_foreach(v, key, member) all = all && value.fits(member);
                return all;
            }};
}

Key needed(Key key) {
    key.needed = true;
    return key;
}

Keys operator+(Keys a, const Keys &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

void check_key(json_t *o, const Key &k, const std::string &where) {
    json_t *value = json_object_get(o, k.name);
    const std::string name = std::string("\"") + k.name + "\"";
    if (value == nullptr && k.needed)
        bad(where + ": found no key " + name + ", expected it: " + k.expected);
    if (value == nullptr)
        return;
    if (!k.fits(value))
        bad(where + ": found " + name + ": " + shown(value) + ", expected " + k.expected);
    if (!k.members.empty())
        check_keys(value, k.members, where + ", " + name);
}

void check_keys(json_t *o, const Keys &keys, const std::string &where) {
    const char *name;
    json_t *value;
    std::vector<std::string> names;
    for (const Key &k : keys) names.push_back(k.name);
    if (!json_is_object(o))
        bad(where + ": found " + shown(o) + ", expected an object with the keys " +
            list_of(names, " and "));
    json_object_foreach(o, name, value) {
        if (std::count(names.begin(), names.end(), name) == 0)
            bad(where + ": found the key \"" + name + "\", expected one of " +
                list_of(names, ", "));
    }
    for (const Key &k : keys) check_key(o, k, where);
}
