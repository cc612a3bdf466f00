// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/user_kernel.hpp"
#include "gpu/user/source.hpp"

#include <memory>

namespace warplens::worker {

/// A kernel of a file in the full form (gpu/user/full_form.hpp), as makeKernel() makes one.
std::shared_ptr<const gpu::UserKernel> makeFullKernel(gpu::user::KernelSource source);

}  // namespace warplens::worker
