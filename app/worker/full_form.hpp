// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "gpu/device/device.hpp"

#include <cstddef>
#include <filesystem>

namespace warplens::worker {

/// As runKernel() does, on the CPU, with a file in the full form: it stands in the place of a row of its family, whose
/// problem and session it is run by. `pictures` are those of the job's task, `output` is where the result's picture
/// goes. Checked and timed, or counted: then what its own kernels launch, while the family's steps merely run.
void runFullForm(const Job& job, const std::byte* pictures, std::byte* output, const std::filesystem::path& scratch);
/// The same on a GPU, timed: NVRTC compiles each kernel that the file's launchers launch.
void runFullFormOnGpu(const Job& job, const std::byte* pictures, std::byte* output,
                      const std::filesystem::path& scratch, gpu::Device& device);

}  // namespace warplens::worker
