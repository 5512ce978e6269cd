// SPDX-License-Identifier: Apache-2.0
// keys.h: which keys a step of a description may have, and which values: what is wrong with a
// description is found before its first step runs, and no key is passed over
// (docs/guide/simulations.md).
#pragma once
#include <jansson.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct Key {
    const char *name;
    std::string expected;                // the values, for the message
    std::function<bool(json_t *)> fits;  // is this one of them?
    bool needed = false;
    std::vector<Key> members = {};  // of an object: its keys
};
using Keys = std::vector<Key>;

Key text_key(const char *name);
Key number_key(const char *name, uint64_t least, uint64_t most = INT64_MAX);
Key truth_key(const char *name);
Key choice_key(const char *name, const std::vector<std::string> &choices);
// "N" or "N%".
Key frames_key(const char *name);
Key object_key(const char *name, const Keys &members);
Key array_key(const char *name);
// An object with any keys; all its values fit.
Key map_key(const char *name, const Key &value);
Key needed(Key key);
Keys operator+(Keys a, const Keys &b);

// Each ends the simulation (bad.h) at what is wrong. WHERE: what O is, for the message.
// O has the key if it is needed, and its value fits.
void check_key(json_t *o, const Key &key, const std::string &where);
// O is an object without other keys than these.
void check_keys(json_t *o, const Keys &keys, const std::string &where);
