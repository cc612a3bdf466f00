// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "gpu/core/result.hpp"

#include <cstddef>

namespace warplens::worker {

/// A result as it goes to who asked: its picture's values to `output`, which has `bytes`, what is left to the message.
/// Throws gpu::Error(unsupported) for a picture that is larger.
Json toJson(const gpu::Result& result, std::byte* output, std::size_t bytes);
/// And back. Throws Json::exception and std::runtime_error.
gpu::Result resultOf(const Json& json, const std::byte* output, std::size_t bytes);

}  // namespace warplens::worker
