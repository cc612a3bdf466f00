// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/linear_texture.hpp"
#include "gpu/device/simt/engine.hpp"
#include "gpu/device/special.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace warplens::worker {

/// Where launches of a loaded file in the full form go: what it calls of gpu/user/full_environment.hpp.
class Launches {
public:
    struct Extent {
        dim3 grid, block;
        std::size_t sharedBytes = 0;
    };
    virtual ~Launches() = default;
    /// `thread` is what one of the SIMT device calls; `arguments` are the addresses of the kernel's.
    virtual void launch(gpu::LaunchContext& context, const void* kernel, const Extent& extent,
                        const gpu::simt::Thunk& thread, void** arguments) = 0;
    /// False: the file's own instance is to be launched.
    virtual bool launchSpecial(const gpu::Special&, const Extent&, void**) { return false; }
    virtual void setConstant(gpu::LaunchContext& context, void* array, const char* name,
                             std::span<const std::byte> values) = 0;
    virtual gpu::LinearTexture texelsOf(const void* values, std::size_t, std::size_t, bool) {
        return {reinterpret_cast<std::uint64_t>(values), 0};
    }
    /// Whether the launches that follow are waited for one by one: of a GPU's that does not end the deadline is short.
    virtual void setCareful(bool) {}
};

/// On the CPU device, checked.
std::unique_ptr<Launches> makeCheckedLaunches();
/// On the traced device, which outlives them.
std::unique_ptr<Launches> makeCountedLaunches(gpu::Device& counter);
/// On a GPU, which outlives them, as `device`: NVRTC compiles what is launched, of a copy of our own file `source`.
std::unique_ptr<Launches> makeGpuLaunches(gpu::Device& device, const Job& job, const std::string& source);

/// From now on they go there.
void launchBy(Launches& launches);

/// Thrown through a launcher: a type of samples that was not compiled for.
struct OtherType {};

}  // namespace warplens::worker
