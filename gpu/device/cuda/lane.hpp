// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/lane.hpp"

#include <memory>

namespace warplens::gpu {
struct CudaContext;
}

namespace warplens::gpu::cuda {

/// A stream of the device with that index, whose launches go through `context`. Throws Error.
std::unique_ptr<Lane> createStream(CudaContext& context, int index, StreamKind kind);

}  // namespace warplens::gpu::cuda
