// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace warplens::io {

/// What a picture may be at most. Every reader checks it before it allocates anything.
struct Limits {
    std::int64_t side = 1 << 20;                       ///< values along one axis
    std::int64_t pixels = std::int64_t{1} << 33;       ///< width x height x depth
    std::int64_t plane = (std::int64_t{1} << 31) - 1;  ///< width x height
    std::int64_t bytes = std::int64_t{16} << 30;       ///< decoded size
    std::int64_t fileBytes = std::int64_t{32} << 30;   ///< encoded size
    std::int64_t metadataBytes = 4 << 20;              ///< an ICC profile at most
    /// Told the decoded size, in bytes, of every picture that is allowed; may be empty.
    std::function<void(std::int64_t)> allowed = {};

    /// Throws Error(limit) that names the limit and the value found, or Error(unreadable) for an empty or
    /// negative extent or a channel count other than 1, 3, 4. `where` begins the message (a file name).
    void check(const Shape& shape, PixelType type, const std::string& where) const;
};

}  // namespace warplens::io
