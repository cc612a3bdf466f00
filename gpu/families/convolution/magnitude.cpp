// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/magnitude.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace warplens::gpu::convolution {

float Magnitude::of(const io::Grid& picture) const {
    const std::lock_guard lock(m_mutex);
    if (m_largest) return *m_largest;
    if (picture.type() != io::PixelType::f32)
        return *(m_largest = picture.type() == io::PixelType::u8 ? 255.0F : 65535.0F);
    const float* const values = picture.as<float>();
    using Range = tbb::blocked_range<std::size_t>;
    m_largest = tbb::parallel_reduce(
        Range(0, picture.bytes() / sizeof(float), 1 << 16), 0.0F,
        [&](const Range& range, float largest) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
                const float magnitude = std::fabs(values[i]);
                // Written so that a NaN counts as infinite.
                if (!(magnitude <= largest))
                    largest = std::isnan(magnitude) ? std::numeric_limits<float>::infinity() : magnitude;
            }
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
    return *m_largest;
}

}  // namespace warplens::gpu::convolution
