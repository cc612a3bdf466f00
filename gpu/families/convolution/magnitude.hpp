// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <mutex>
#include <optional>

namespace warplens::gpu::convolution {

/// The largest magnitude in a picture, looked for when first asked. Thread-safe.
class Magnitude {
public:
    /// Infinity when a value is a NaN. Always of the same picture.
    float of(const io::Grid& picture) const;

private:
    mutable std::mutex m_mutex;
    mutable std::optional<float> m_largest;
};

}  // namespace warplens::gpu::convolution
