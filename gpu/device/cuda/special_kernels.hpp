// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels compiled for the task at hand, as a device's context holds them. The driver's own interface is reached by its
// library, which is found when it is first needed and never linked.

#include "gpu/device/cuda/nvrtc.hpp"
#include "gpu/device/lru_cache.hpp"
#include "gpu/device/special.hpp"
#include "gpu/device/specialisation.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::cuda {

/// What prepares a kernel writes of constant memory: the qualified name of an array, and its values.
struct ConstantValues {
    std::string name;
    std::vector<std::byte> bytes;
};

/// For which GPU, and for how long at most a compiler is waited for.
struct Waiting {
    int capability = 0;  ///< 10 x major + minor
    double seconds = 0;
    bool moving = false;  ///< the task changes with every picture: its very weights are not worth compiling for
    std::stop_token stop{};
};

/// A launch's extent.
struct LaunchExtent {
    dim3 grid, block;
    std::size_t sharedBytes = 0;
};

/// A loaded instance; unloaded with the object, while its context is current and nothing runs it any more.
struct SpecialKernel {
    SpecialKernel() = default;
    ~SpecialKernel();
    SpecialKernel(const SpecialKernel&) = delete;
    SpecialKernel& operator=(const SpecialKernel&) = delete;

    void* module = nullptr;
    void* function = nullptr;
    std::vector<std::uint64_t> constants{};  ///< addresses, in the order of the request
    std::size_t granted = 0;                 ///< shared memory that it may have beyond 48 KiB
};

struct KernelAttributes {
    int registers = 0, localBytes = 0, staticSharedBytes = 0, blocksPerMultiprocessor = 0;
};

/// Those of one device; its context is current wherever this is used. Beyond kMost, the least recently readied are
/// unloaded, but none that somebody holds.
class SpecialKernels {
public:
    /// As every filter may have its own: more than a slider's radii and a comparison's rows together.
    static constexpr std::size_t kMost = 64;

    SpecialKernels();
    ~SpecialKernels();
    SpecialKernels(const SpecialKernels&) = delete;
    SpecialKernels& operator=(const SpecialKernels&) = delete;

    /// Asks for an instance, loads it once it is there, and writes its constants in stream order.
    void ready(const Special& special, const std::vector<ConstantValues>& constants, cudaStream_t stream,
               const Waiting& waiting);
    /// How an instance stands: whether it is used, and why not.
    Specialisation state(const Special& special) const;
    /// Whether ready() was asked for it and knows it still.
    bool knows(const Special& special) const { return entryOf(special) != nullptr; }
    /// Null while the general instance has to serve. Who holds it keeps it loaded.
    std::shared_ptr<SpecialKernel> find(const Special& special) const;
    /// Unloads what is beyond kMost and not among these; first the device is waited for, as lanes may run it.
    void trim(const std::vector<Special>& kept);

    /// `arguments`: their addresses. Throws Error.
    static void launch(SpecialKernel& kernel, const LaunchExtent& extent, cudaStream_t stream, void** arguments);
    /// What the driver says of a launch. Throws Error.
    static KernelAttributes attributes(const SpecialKernel& kernel, const LaunchExtent& extent);

private:
    struct Entry;
    Entry* entryOf(const Special& special) const;
    /// Takes what the compiler has made so far.
    static void settle(Entry& entry, const std::vector<ConstantValues>& constants, const Waiting& waiting);
    static void load(Entry& entry, const CompiledKernel& code);

    std::unique_ptr<LruCache<Entry>> m_entries;
};

}  // namespace warplens::gpu::cuda
