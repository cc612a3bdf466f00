// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/reference.hpp"

#include <cmath>

namespace warplens::gpu::convolution {
namespace {

// Walks back into the picture step by step as each border's definition says; -1 where there is nothing.
std::int64_t inside(std::int64_t i, std::int64_t n, Border border) {
    if (border == Border::zero) return i >= 0 && i < n ? i : -1;
    if (border == Border::replicate) return i < 0 ? 0 : i >= n ? n - 1 : i;
    while (i < 0 || i >= n) {
        if (border == Border::wrap)
            i += i < 0 ? n : -n;
        else if (n == 1)
            i = 0;
        else
            i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return i;
}

}  // namespace

Exact exactAt(const io::Grid& input, const Filter& filter, Border border, double offset, std::int64_t x, std::int64_t y,
              std::int64_t z, int channel) {
    Exact sum{offset, std::fabs(offset)};
    auto weight = filter.weights.begin();
    for (int k = 0; k < filter.depth; ++k) {
        const auto sourceZ = inside(z + k - filter.depth / 2, input.shape().depth, border);
        for (int j = 0; j < filter.height; ++j) {
            const auto sourceY = inside(y + j - filter.height / 2, input.shape().height, border);
            for (int i = 0; i < filter.width; ++i, ++weight) {
                const auto sourceX = inside(x + i - filter.width / 2, input.shape().width, border);
                if (sourceX < 0 || sourceY < 0 || sourceZ < 0) continue;
                const double term = static_cast<double>(*weight) * input.value(sourceX, sourceY, sourceZ, channel);
                sum.value += term;
                sum.magnitude += std::fabs(term);
            }
        }
    }
    return sum;
}

}  // namespace warplens::gpu::convolution
