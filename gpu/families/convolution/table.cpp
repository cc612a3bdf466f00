// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/table.hpp"

#include <map>

namespace warplens::gpu::convolution {

// Each generated unit defines one of these.
#define WARPLENS_LIBRARY(...)
#define WARPLENS_KERNEL(id, ...) KernelEntry id##_entry();
inline namespace simt_build {
#include "gpu/families/convolution/variants.inc"
}
#if WARPLENS_HAVE_CUDA
namespace cuda_build {
#include "gpu/families/convolution/variants.inc"
}
#endif
#undef WARPLENS_KERNEL
#undef WARPLENS_LIBRARY

namespace {

Tunable blockWidth(int fallback) {
    return {.id = "block_width",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 1024,
            .help = "Threads of a block along x."};
}

Tunable blockHeight(int fallback, std::vector<int> choices = {}) {
    return {.id = "block_height",
            .fallback = fallback,
            .minimum = 1,
            .maximum = choices.empty() ? 1024 : choices.back(),
            .choices = std::move(choices),
            .help = "Threads of a block along y."};
}

Tunable outputsPerThread(int fallback, std::vector<int> choices) {
    return {.id = "outputs_per_thread",
            .fallback = fallback,
            .minimum = choices.front(),
            .maximum = choices.back(),
            .choices = std::move(choices),
            .help = "Outputs that one thread computes."};
}

Tunable rowsPerThread(int fallback) {
    return {.id = "rows_per_thread",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 65536,
            .help = "Rows that one thread computes, marching down; fewer on a small picture unless they are set."};
}

}  // namespace

const std::vector<Variant>& variants() {
    static const std::vector<Variant> rows = [] {
        std::vector<Variant> list;
#define WARPLENS_KERNEL(name, ...)                                  \
    list.push_back(Variant{.id = #name, __VA_ARGS__});              \
    list.back().devices = WARPLENS_HAVE_CUDA ? "cpu, cuda" : "cpu"; \
    list.back().source = "gpu/families/convolution/kernels/" #name ".cuh";
#define WARPLENS_LIBRARY(name, ...) list.push_back(Variant{.id = #name, __VA_ARGS__});
#include "gpu/families/convolution/variants.inc"
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
#include "gpu/families/convolution/variants.inc"
#undef WARPLENS_KERNEL
    };
    static const std::map<std::string, KernelEntry> cuda {
#if WARPLENS_HAVE_CUDA
#define WARPLENS_KERNEL(id, ...) {#id, cuda_build::id##_entry()},
#include "gpu/families/convolution/variants.inc"
#undef WARPLENS_KERNEL
#endif
    };
#undef WARPLENS_LIBRARY
    const auto& build = deviceKind == "cuda" ? cuda : simt;
    const auto found = build.find(variant);
    return found == build.end() ? nullptr : &found->second;
}

}  // namespace warplens::gpu::convolution
