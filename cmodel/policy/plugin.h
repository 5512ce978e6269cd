// SPDX-License-Identifier: Apache-2.0
// plugin.h: policies of one's own in a shared object, outside the tree
// (docs/guide/adding_a_policy.md, "Outside the tree").
//
// A plugin ends with GMMU_PLUGIN(&policy, ...), built by
//
//   cc -shared -fPIC $(pkg-config --cflags gmmu) my.c -o my.so
//
// and is loaded by `gmmu replay --plugin my.so --policy my`, or by gmmu_plugin_load. The functions
// that the headers declare are those of the program or library that loads the plugin: a plugin
// links no library of gmmu.
#ifndef GMMU_POLICY_PLUGIN_H
#define GMMU_POLICY_PLUGIN_H

#include "gmmu/version.h"
#include "policy/hints.h"
#include "policy/option.h"
#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Number of the interface. A plugin of another number, of another version, or with another size of
// a struct is refused.
enum { GMMU_PLUGIN_ABI = 1 };

// The structs that a plugin and its loader share.
#define GMMU_PLUGIN_TYPES(TYPE) \
    TYPE(gmmu_policy)           \
    TYPE(gmmu_policy_config)    \
    TYPE(gmmu_eligible)         \
    TYPE(gmmu_future)           \
    TYPE(gmmu_walk)             \
    TYPE(gmmu_hint)             \
    TYPE(gmmu_outcome)          \
    TYPE(gmmu_move)             \
    TYPE(gmmu_watch)            \
    TYPE(gmmu_candidate)        \
    TYPE(gmmu_fact)             \
    TYPE(gmmu_error)

#define GMMU_PLUGIN_NUMBER(type) GMMU_PLUGIN_SIZE_OF_##type,
enum { GMMU_PLUGIN_TYPES(GMMU_PLUGIN_NUMBER) GMMU_PLUGIN_SIZES };
#undef GMMU_PLUGIN_NUMBER

// What a plugin tells its loader. The first two members are the same in every interface.
typedef struct {
    uint32_t abi;         // GMMU_PLUGIN_ABI of the headers that the plugin was built with
    uint32_t count;       // number of policies
    const char *version;  // GMMU_VERSION of these headers
    const gmmu_policy *const *policies;
    uint32_t sizes[GMMU_PLUGIN_SIZES];  // in bytes, in the order of GMMU_PLUGIN_TYPES
} gmmu_plugin_table;

// The symbol that a plugin exports, by GMMU_PLUGIN.
extern const gmmu_plugin_table gmmu_plugin __attribute__((visibility("default")));

#define GMMU_PLUGIN_SIZE(type) (uint32_t)sizeof(type),
// Once a plugin, behind the policies: GMMU_PLUGIN(&one, &two).
#define GMMU_PLUGIN(...)                                                          \
    static const gmmu_policy *const gmmu_plugin_policies[] = {__VA_ARGS__};       \
    const gmmu_plugin_table gmmu_plugin = {                                       \
        GMMU_PLUGIN_ABI,                                                          \
        (uint32_t)(sizeof gmmu_plugin_policies / sizeof gmmu_plugin_policies[0]), \
        GMMU_VERSION,                                                             \
        gmmu_plugin_policies,                                                     \
        {GMMU_PLUGIN_TYPES(GMMU_PLUGIN_SIZE)}}

// ---- for the program that loads plugins
// Loads the plugin PATH: its policies stand behind the others in the registry from now on, until
// the program ends. A file that is loaded already is loaded once. False and *err, one line: PATH is
// no plugin, or one of another interface, or a policy lacks a member or has a known name; no policy
// of PATH is in the registry then. The code of PATH runs in this program, with its rights.
bool gmmu_plugin_load(const char *path, gmmu_error *err);
// Returns the absolute path of the plugin number I, in the order of loading; NULL past the last.
const char *gmmu_plugin_path(size_t i);
// Returns the path of the plugin that has POLICY, or NULL.
const char *gmmu_plugin_of(const gmmu_policy *policy);

#ifdef __cplusplus
}
#endif
#endif
