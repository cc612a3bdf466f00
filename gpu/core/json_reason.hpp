// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace warplens::gpu {

/// Why a document could not be taken apart, in words for who wrote it: the JSON library's own sentences begin with its
/// exception's name and speak of calls. Other exceptions' messages stay as they are.
std::string reasonOf(const std::exception& error);

}  // namespace warplens::gpu
