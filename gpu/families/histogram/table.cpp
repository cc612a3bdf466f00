// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/table.hpp"

#include <map>

namespace warplens::gpu::histogram {

// Each generated unit defines one of these.
#define WARPLENS_LIBRARY(...)
#define WARPLENS_KERNEL(id, ...) KernelEntry id##_entry();
inline namespace simt_build {
#include "gpu/families/histogram/variants.inc"
}
#if WARPLENS_HAVE_CUDA
namespace cuda_build {
#include "gpu/families/histogram/variants.inc"
}
#endif
#undef WARPLENS_KERNEL
#undef WARPLENS_LIBRARY

namespace {

Tunable blockWidth(int fallback, std::vector<int> choices) {
    return {.id = "block_width",
            .fallback = fallback,
            .minimum = choices.front(),
            .maximum = choices.back(),
            .choices = std::move(choices),
            .help = "Threads of a block."};
}

// Whole warps, so that lanes are neighbours in every block.
Tunable blockWidth(int fallback) {
    return blockWidth(fallback, {32, 64, 128, 256, 512, 1024});
}

Tunable elementsPerThread(int fallback) {
    return {.id = "elements_per_thread",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 1024,
            .choices = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
            .help = "Values that one thread counts."};
}

Tunable blocksPerMultiprocessor(int fallback) {
    return {.id = "blocks_per_multiprocessor",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 8,
            .help = "Blocks that are started for each multiprocessor of the device."};
}

}  // namespace

const std::vector<Variant>& variants() {
    static const std::vector<Variant> rows = [] {
        std::vector<Variant> list;
#define WARPLENS_KERNEL(name, ...)                                  \
    list.push_back(Variant{.id = #name, __VA_ARGS__});              \
    list.back().devices = WARPLENS_HAVE_CUDA ? "cpu, cuda" : "cpu"; \
    list.back().source = "gpu/families/histogram/kernels/" #name ".cuh";
#define WARPLENS_LIBRARY(name, ...) list.push_back(Variant{.id = #name, __VA_ARGS__});
#include "gpu/families/histogram/variants.inc"
#undef WARPLENS_KERNEL
#undef WARPLENS_LIBRARY
        return list;
    }();
    return rows;
}

const KernelEntry* entryOf(const std::string& variant, const std::string& deviceKind) {
#define WARPLENS_LIBRARY(...)
    static const std::map<std::string, KernelEntry> simt{
#define WARPLENS_KERNEL(id, ...) {#id, simt_build::id##_entry()},
#include "gpu/families/histogram/variants.inc"
#undef WARPLENS_KERNEL
    };
    static const std::map<std::string, KernelEntry> cuda {
#if WARPLENS_HAVE_CUDA
#define WARPLENS_KERNEL(id, ...) {#id, cuda_build::id##_entry()},
#include "gpu/families/histogram/variants.inc"
#undef WARPLENS_KERNEL
#endif
    };
#undef WARPLENS_LIBRARY
    const auto& build = deviceKind == "cuda" ? cuda : simt;
    const auto found = build.find(variant);
    return found == build.end() ? nullptr : &found->second;
}

}  // namespace warplens::gpu::histogram
