// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"

#include <optional>

namespace warplens::gpu {

/// What a kernel file offers, once for each build of it: the CPU's, in whose place the trace puts its own, and CUDA's.
template <class T>
struct Builds {
    T simt{};
    std::optional<T> cuda{};

    /// Null when the program was built without that device.
    const T* of(const DeviceInfo& device) const {
        if (device.kind != DeviceKind::cuda) return &simt;
        return cuda ? &*cuda : nullptr;
    }
};

}  // namespace warplens::gpu

/// Declares a function that every generated unit of a kernel file defines: WARPLENS_DECLARE_BUILDS(Entry
/// entryOfBuild())
#define WARPLENS_DECLARE_BUILDS(...) \
    inline namespace simt_build {    \
    __VA_ARGS__;                     \
    }                                \
    namespace cuda_build {           \
    __VA_ARGS__;                     \
    }

/// What such a function returns in each build that this program has.
#if WARPLENS_HAVE_CUDA
#define WARPLENS_BUILDS(function) \
    { simt_build::function(), cuda_build::function() }
#else
#define WARPLENS_BUILDS(function)  \
    {                              \
        simt_build::function(), {} \
    }
#endif
