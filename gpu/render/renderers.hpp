// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/renderer.hpp"

namespace warplens::gpu::render {

/// The threaded loop, for any processor that the kernel units were built for.
std::unique_ptr<Renderer> cpuRenderer();
/// The kernel on any device, the SIMT device included.
std::unique_ptr<Renderer> kernelRenderer(std::unique_ptr<Device> device);

}  // namespace warplens::gpu::render
