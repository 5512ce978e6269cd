// SPDX-License-Identifier: Apache-2.0
// gpu_record.cu: the kernels of kernels.h on a real CUDA GPU: for its profiler, or recording page accesses.
//
//   gpu_record KERNEL --size N [--seed S] [--block B] [--l1 on|off] [--log F [--records R] [--page-shift P]]
//
// Data come from the engine of `gmmu record`, which also computes the kernel on the host; the GPU's arrays
// must be equal to its arrays bit for bit. Without --log each load and store is one instruction (ld.global.ca, or
// .cg with --l1 off; st.global), so that a profiler's counters are those of the model's accesses.
//
// With --log each warp instruction writes a record for each distinct page that its active lanes touch, {page, site,
// write, SM, warp, clock}, into a buffer in the GPU's memory (cudaMalloc; no managed memory). A record's place is
// taken by an atomic counter: the order of the places is the order of the trace. What finds no place is counted,
// and is an error. F is a walk trace (text, or .gwt by its name): accesses before any TLB; the page numbers are those
// of the engine's address space, so that they compare with `gmmu record`. F.csv has SM, warp and clock.
//
// Exit status: 0, 1 a result differs, 2 bad usage, no GPU, no memory, no room for all records.
#include <cuda_runtime.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "kernels.h"
#include "simt/kernels/kernels.h"
#include "simt/simt.h"

namespace {

using namespace gmmu_gpu;

constexpr unsigned kMaxArrays = 8;

struct Record {
    uint64_t page, clock;
    uint32_t site_write;  // site * 2 + write
    uint32_t sm_warp;     // SM << 16 | warp of the SM
};

// What a thread needs to reach memory.
struct Device {
    float *array[kMaxArrays];
    uint64_t base[kMaxArrays];  // address of the array in the engine's space
    unsigned page_shift;
    Record *records;  // NULL: no log
    unsigned long long room, *used;
};

[[noreturn]] void die(const std::string &text) {
    std::fprintf(stderr, "gpu_record: %s\n", text.c_str());
    std::exit(2);
}

void check(cudaError_t rc, const char *what) {
    if (rc != cudaSuccess)
        die(std::string(what) + ": " + cudaGetErrorString(rc));
}

template <bool kL1, bool kLog>
struct Mem {
    const Device &d;

    __device__ explicit Mem(const Device &device) : d(device) {}

    __device__ void log(unsigned site, int array, uint64_t at, bool write) {
        uint64_t page = (d.base[array] + at * sizeof(float)) >> d.page_shift;
        unsigned active = __activemask(), lane, sm, warp;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        unsigned peers = __match_any_sync(active, page);
        if (static_cast<unsigned>(__ffs(static_cast<int>(peers))) - 1 != lane)
            return;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
        unsigned long long place = atomicAdd(d.used, 1ull);
        if (place >= d.room)
            return;
        Record r;
        r.page = page;
        r.clock = static_cast<uint64_t>(clock64());
        r.site_write = site * 2 + (write ? 1 : 0);
        r.sm_warp = sm << 16 | (warp & 0xffff);
        d.records[place] = r;
    }

    __device__ float ld(unsigned site, int array, uint64_t at) {
        if (kLog)
            log(site, array, at, false);
        float value;
        const float *p = d.array[array] + at;
        if (kL1)
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(p) : "memory");
        else
            asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(p) : "memory");
        return value;
    }

    __device__ void st(unsigned site, int array, uint64_t at, float value) {
        if (kLog)
            log(site, array, at, true);
        asm volatile("st.global.f32 [%0], %1;" ::"l"(d.array[array] + at), "f"(value) : "memory");
    }
};

template <class K, bool kL1, bool kLog>
__global__ void run_grid(Device device, uint64_t n, unsigned block, unsigned grid) {
    Mem<kL1, kLog> m(device);
    Where w;
    w.block = blockIdx.x;
    w.thread = threadIdx.x;
    w.threads = blockDim.x;
    w.grid = grid;
    K::thread(m, n, block, w);
}

struct Options {
    const char *kernel = nullptr;
    gmmu_simt_params params = {};
    bool l1 = true;
    const char *log = nullptr;
    unsigned long long records = 1ull << 26;
};

template <class K, bool kL1, bool kLog>
void run_grids(const Device &device, const Options &o) {
    for (unsigned g = 0; g < K::grids(o.params.size); g++) {
        Grid grid = K::grid(o.params.size, o.params.block, g);
        if (grid.blocks > 0x7fffffff)
            die("found more than 2^31 - 1 blocks, expected a smaller --size");
        run_grid<K, kL1, kLog><<<static_cast<unsigned>(grid.blocks), grid.threads>>>(
            device, o.params.size, o.params.block, g);
        check(cudaGetLastError(), "launch");
    }
    check(cudaDeviceSynchronize(), "kernel");
}

template <class K>
void run_kernel(const Device &device, const Options &o) {
    if (o.log != nullptr)
        o.l1 ? run_grids<K, true, true>(device, o) : run_grids<K, false, true>(device, o);
    else
        o.l1 ? run_grids<K, true, false>(device, o) : run_grids<K, false, false>(device, o);
}

// The kernel on the host, in the engine, to its end: what the arrays must hold.
void run_engine(gmmu_simt *m) {
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    if (gmmu_simt_run(m, &hooks, &err) != GMMU_OK || gmmu_simt_check(m, &err) != GMMU_OK)
        die(err.text);
}

void write_log(const Options &o, const std::vector<Record> &records) {
    gmmu_error err = {};
    char device[256] = "unknown GPU";
    cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, 0) == cudaSuccess)
        std::snprintf(device, sizeof device, "%s", prop.name);
    std::string comment = std::string("gpu_record ") + o.kernel + " --size " +
                          std::to_string(o.params.size) + " --seed " + std::to_string(o.params.seed) +
                          " --block " + std::to_string(o.params.block) + " --page-shift " +
                          std::to_string(o.params.page_shift) + "\non " + device +
                          ", page accesses before any TLB, in the order of an atomic counter";
    gmmu_about about = {};
    about.page_shift = o.params.page_shift;
    about.comment = comment.c_str();
    gmmu_writer *writer = gmmu_writer_open_as(o.log, gmmu_form_of_path(o.log), &about, &err);
    if (writer == nullptr)
        die(err.text);
    std::string name = std::string(o.log) + ".csv";
    FILE *csv = std::fopen(name.c_str(), "w");
    if (csv == nullptr)
        die(name + ": cannot be written");
    std::fprintf(csv, "vpn,ref,rw,sm,warp,clock\n");
    for (const Record &r : records) {
        gmmu_walk walk = {};
        walk.vpn = r.page;
        walk.ref = gmmu_simt_ref(r.site_write / 2);
        walk.write = r.site_write & 1;
        walk.sm = r.sm_warp >> 16;
        if (gmmu_writer_put(writer, &walk, &err) != GMMU_OK)
            die(err.text);
        std::fprintf(csv, "0x%" PRIx64 ",0x%" PRIx64 ",%c,%u,%u,%" PRIu64 "\n", r.page,
                     static_cast<uint64_t>(walk.ref), walk.write ? 'w' : 'r', r.sm_warp >> 16,
                     r.sm_warp & 0xffff, r.clock);
    }
    bool good = std::fclose(csv) == 0;
    if (gmmu_writer_close(writer, &err) != GMMU_OK)
        die(err.text);
    if (!good)
        die(name + ": cannot be written");
}

template <class K>
int record(const Options &o) {
    gmmu_error err = {};
    gmmu_simt *m = gmmu_simt_create(gmmu_simt_find(o.kernel), &o.params, &err);
    if (m == nullptr)
        die(err.text);
    const gmmu_space *space = gmmu_simt_space(m);
    Device device = {};
    device.page_shift = o.params.page_shift;
    for (unsigned i = 0; i < space->arrays; i++) {
        size_t bytes = space->array[i].count * sizeof(float);
        check(cudaMalloc(&device.array[i], bytes), "memory of the arrays");
        check(cudaMemcpy(device.array[i], space->array[i].data, bytes, cudaMemcpyHostToDevice), "copy");
        device.base[i] = space->array[i].base;
    }
    if (o.log != nullptr) {
        device.room = o.records;
        check(cudaMalloc(&device.records, o.records * sizeof(Record)), "memory of the log");
        check(cudaMalloc(&device.used, sizeof *device.used), "memory of the log");
        check(cudaMemset(device.used, 0, sizeof *device.used), "memory of the log");
    }
    run_kernel<K>(device, o);
    run_engine(m);
    int status = 0;
    std::vector<std::vector<float>> found(space->arrays);
    float *host[kMaxArrays] = {};
    for (unsigned i = 0; i < space->arrays; i++) {
        found[i].resize(space->array[i].count);
        host[i] = found[i].data();
        check(cudaMemcpy(host[i], device.array[i], found[i].size() * sizeof(float),
                         cudaMemcpyDeviceToHost), "copy");
    }
    K::finish(o.params.size, host);
    for (unsigned i = 0; status == 0 && i < space->arrays; i++) {
        if (std::memcmp(host[i], space->array[i].data, found[i].size() * sizeof(float)) != 0) {
            std::fprintf(stderr, "gpu_record: %s: array %s: found another result than the host's\n",
                         o.kernel, space->array[i].name);
            status = 1;
        }
    }
    if (o.log != nullptr && status == 0) {
        unsigned long long used = 0;
        check(cudaMemcpy(&used, device.used, sizeof used, cudaMemcpyDeviceToHost), "copy");
        if (used > o.records)
            die("found " + std::to_string(used) + " records, expected at most --records " +
                std::to_string(o.records));
        std::vector<Record> records(used);
        check(cudaMemcpy(records.data(), device.records, used * sizeof(Record), cudaMemcpyDeviceToHost),
              "copy");
        write_log(o, records);
        std::fprintf(stderr, "gpu_record: %s %" PRIu64 ": %llu page accesses, result equal to the host's\n",
                     o.kernel, o.params.size, used);
    } else if (status == 0) {
        std::fprintf(stderr, "gpu_record: %s %" PRIu64 ": result equal to the host's\n", o.kernel,
                     o.params.size);
    }
    gmmu_simt_destroy(m);
    return status;
}

uint64_t number(const char *name, const char *text) {
    char *end = nullptr;
    uint64_t value = std::strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end != '\0')
        die(std::string(name) + ": found '" + text + "', expected a number");
    return value;
}

}  // namespace

int main(int argc, char **argv) {
    Options o;
    if (argc < 2 || gmmu_simt_find(argv[1]) == nullptr)
        die("expected a kernel: 2dconv, 2mm, 3dconv, atax_reg, bicg, corr, gesummv, mvt or syrk");
    o.kernel = argv[1];
    o.params = gmmu_simt_defaults(gmmu_simt_find(o.kernel));
    for (int i = 2; i < argc; i += 2) {
        std::string key = argv[i];
        if (i + 1 == argc)
            die(key + ": expected a value");
        const char *value = argv[i + 1];
        if (key == "--size")
            o.params.size = number("--size", value);
        else if (key == "--seed")
            o.params.seed = number("--seed", value);
        else if (key == "--block")
            o.params.block = static_cast<unsigned>(number("--block", value));
        else if (key == "--page-shift")
            o.params.page_shift = static_cast<unsigned>(number("--page-shift", value));
        else if (key == "--records")
            o.records = number("--records", value);
        else if (key == "--log")
            o.log = value;
        else if (key == "--l1" && (!std::strcmp(value, "on") || !std::strcmp(value, "off")))
            o.l1 = !std::strcmp(value, "on");
        else
            die("found '" + key + " " + value + "', expected --size, --seed, --block, --page-shift, --l1 on|off, "
                "--log or --records");
    }
    int status = 2;
    bool known = false;
    for_each_kernel([&](auto kernel) {
        using K = decltype(kernel);
        if (std::strcmp(K::name(), o.kernel) == 0) {
            known = true;
            status = record<K>(o);
        }
    });
    if (!known)
        die(std::string("found kernel '") + o.kernel + "', expected one of gpu/kernels.h");
    return status;
}
