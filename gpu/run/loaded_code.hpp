// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <string>

namespace warplens::gpu {

/// What tells which code a row's launches load: those of the same task load the same. A device remembers its last
/// row's, so that the pictures of a batch are launched once each.
struct LoadedCode {
    std::string family;
    ParameterValues parameters;
    io::Shape shape;
    io::PixelType type;
    std::string variant;
    TunableValues tunables;
    bool operator==(const LoadedCode&) const = default;
};

}  // namespace warplens::gpu
