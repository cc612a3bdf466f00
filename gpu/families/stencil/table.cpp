// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/table.hpp"

#include <map>

namespace warplens::gpu::stencil {

// Each generated unit defines one of these.
#define WARPLENS_LIBRARY(...)
#define WARPLENS_KERNEL(id, ...) KernelEntry id##_entry();
inline namespace simt_build {
#include "gpu/families/stencil/variants.inc"
FieldEntry fieldEntryOfBuild();
}  // namespace simt_build
#if WARPLENS_HAVE_CUDA
namespace cuda_build {
#include "gpu/families/stencil/variants.inc"
FieldEntry fieldEntryOfBuild();
}  // namespace cuda_build
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
            .maximum = 1024,
            .choices = std::move(choices),
            .help = "Threads of a block along y."};
}

Tunable blockDepth(int fallback) {
    return {.id = "block_depth",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 64,
            .help = "Threads of a block along z, in 3D alone."};
}

Tunable outputsPerThread(int fallback, std::vector<int> choices) {
    return {.id = "outputs_per_thread",
            .fallback = fallback,
            .minimum = choices.front(),
            .maximum = choices.back(),
            .choices = std::move(choices),
            .help = "Cells of a slice that one thread computes, in 3D alone."};
}

Tunable planesPerBlock(int fallback) {
    return {.id = "planes_per_block",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 65536,
            .help = "Slices that one thread marches through, in 3D alone."};
}

Tunable rowsPerThread(int fallback) {
    return {.id = "rows_per_thread",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 65536,
            .help = "Rows that one thread marches down, in 2D alone."};
}

Tunable stepsPerLaunch(int fallback) {
    return {.id = "steps_per_launch",
            .fallback = fallback,
            .minimum = 1,
            .maximum = 10,
            .choices = {1, 2, 3, 4, 5, 6, 8, 10},
            .help = "Steps fused into one pass at most; 3D takes up to 5 of them."};
}

}  // namespace

const std::vector<Variant>& variants() {
    static const std::vector<Variant> rows = [] {
        std::vector<Variant> list;
#define WARPLENS_KERNEL(name, ...)                                  \
    list.push_back(Variant{.id = #name, __VA_ARGS__});              \
    list.back().devices = WARPLENS_HAVE_CUDA ? "cpu, cuda" : "cpu"; \
    list.back().source = "gpu/families/stencil/kernels/" #name ".cuh";
#define WARPLENS_LIBRARY(name, ...) list.push_back(Variant{.id = #name, __VA_ARGS__});
#include "gpu/families/stencil/variants.inc"
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
#include "gpu/families/stencil/variants.inc"
#undef WARPLENS_KERNEL
    };
    static const std::map<std::string, KernelEntry> cuda {
#if WARPLENS_HAVE_CUDA
#define WARPLENS_KERNEL(id, ...) {#id, cuda_build::id##_entry()},
#include "gpu/families/stencil/variants.inc"
#undef WARPLENS_KERNEL
#endif
    };
#undef WARPLENS_LIBRARY
    const auto& build = deviceKind == "cuda" ? cuda : simt;
    const auto found = build.find(variant);
    return found == build.end() ? nullptr : &found->second;
}

const FieldEntry& fieldEntry(const std::string& deviceKind) {
    static const FieldEntry simt = simt_build::fieldEntryOfBuild();
#if WARPLENS_HAVE_CUDA
    static const FieldEntry cuda = cuda_build::fieldEntryOfBuild();
    if (deviceKind == "cuda") return cuda;
#endif
    (void)deviceKind;
    return simt;
}

}  // namespace warplens::gpu::stencil
