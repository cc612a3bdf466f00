// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/user_kernel.hpp"

#include <memory>

namespace warplens::gpu::user {

/// The same kernel; one that does not compile, or cannot be bound, is a row that says so and holds up no other.
std::shared_ptr<const UserKernel> asRow(std::shared_ptr<const UserKernel> kernel);

}  // namespace warplens::gpu::user
