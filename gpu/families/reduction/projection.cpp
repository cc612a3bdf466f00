// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/projection.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace warplens::gpu::reduction {
namespace {

/// The axes that are left, as indices of x, y, z.
std::array<std::size_t, 2> leftOf(Axis axis) {
    if (axis == Axis::z) return {0, 1};
    if (axis == Axis::y) return {0, 2};
    return {1, 2};
}

/// One line by the definition.
struct ExactLine {
    std::int64_t count = 0;
    double low = 0, high = 0;
    long double sum = 0, magnitude = 0;

    void add(double value) {
        if (std::isnan(value)) return;
        low = count == 0 ? value : std::min(low, value);
        high = count == 0 ? value : std::max(high, value);
        ++count;
        sum += value;
        magnitude += std::fabs(value);
    }
};

/// What f32 makes of a value: infinity beyond its range.
double inRange(long double value) {
    return std::fabs(value) > std::numeric_limits<float>::max() ? static_cast<double>(static_cast<float>(value))
                                                                : static_cast<double>(value);
}

}  // namespace

io::Shape Projection::shapeOf(const io::Shape& input) const {
    const std::array extents{input.width, input.height, input.depth};
    const auto left = leftOf(axis);
    return {extents[left[0]], extents[left[1]], 1, input.channels};
}

io::PixelType Projection::typeOf(io::PixelType input) const {
    if (keep == Keep::maximum || keep == Keep::minimum) return input;
    return keep == Keep::sum && input != io::PixelType::f32 ? io::PixelType::u32 : io::PixelType::f32;
}

Lines Projection::linesOf(const io::Shape& input) const {
    const auto w = static_cast<std::uint64_t>(input.width), h = static_cast<std::uint64_t>(input.height),
               d = static_cast<std::uint64_t>(input.depth), c = static_cast<std::uint64_t>(input.channels);
    if (axis == Axis::x) return {.outer = h * d * c, .length = w, .inner = 1};
    if (axis == Axis::y) return {.outer = d * c, .length = h, .inner = w};
    return {.outer = c, .length = d, .inner = w * h};
}

io::Grid Projection::emptyFor(const io::Grid& input) const {
    io::Grid output(shapeOf(input.shape()), typeOf(input.type()));
    const io::Geometry& from = input.geometry;
    const auto left = leftOf(axis);
    const std::array axes{left[0], left[1], static_cast<std::size_t>(axis)};
    for (std::size_t i = 0; i < 3; ++i) {
        output.geometry.spacing[i] = from.spacing[axes[i]];
        for (std::size_t row = 0; row < 3; ++row)
            output.geometry.direction[3 * row + i] = from.direction[3 * row + axes[i]];
    }
    output.geometry.origin = from.origin;
    return output;
}

std::string Projection::refusal(const io::Grid& input) const {
    if (keep != Keep::sum || input.type() == io::PixelType::f32) return {};
    const std::uint64_t top = input.type() == io::PixelType::u8 ? 255 : 65535;
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max() / top;
    const std::uint64_t length = linesOf(input.shape()).length;
    if (length <= most) return {};
    return "a line of " + std::to_string(length) + " values may sum to more than 32 bits hold: keep the mean";
}

Verification verifyProjection(const Projection& projection, const io::Grid& input, const io::Grid& output,
                              const std::stop_token& stop) {
    constexpr double kRounding = 0x1p-24, kWideRounding = 0x1p-53, kTiny = 0x1p-149;
    ImageVerifier judge(output);
    const io::Shape &s = output.shape(), &from = input.shape();
    const auto length = static_cast<std::int64_t>(projection.linesOf(from).length);
    for (std::int64_t y = 0; y < s.height; ++y) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
        for (std::int64_t x = 0; x < s.width; ++x) {
            for (int c = 0; c < s.channels; ++c) {
                ExactLine line;
                for (std::int64_t i = 0; i < length; ++i) {
                    if (projection.axis == Axis::z) line.add(input.value(x, y, i, c));
                    if (projection.axis == Axis::y) line.add(input.value(x, i, y, c));
                    if (projection.axis == Axis::x) line.add(input.value(i, x, y, c));
                }
                const ImageVerifier::Place place{x, y, 0};
                const bool none = line.count == 0,
                           extreme = projection.keep == Keep::maximum || projection.keep == Keep::minimum;
                const auto n = static_cast<long double>(line.count);
                if (extreme && none) {
                    judge.kept(place, c, std::numeric_limits<double>::quiet_NaN());
                } else if (extreme) {
                    judge.kept(place, c, projection.keep == Keep::maximum ? line.high : line.low);
                } else if (output.type() == io::PixelType::u32) {
                    judge.kept(place, c, static_cast<double>(line.sum));
                } else {
                    // Summed in f64, and rounded to f32 once.
                    const bool mean = projection.keep == Keep::mean;
                    const long double value = mean ? line.sum / n : line.sum,
                                      magnitude = mean ? line.magnitude / n : line.magnitude;
                    const double wide = static_cast<double>(line.count + 1) * kWideRounding;
                    judge.computed(place, c, inRange(value),
                                   kRounding * static_cast<double>(std::fabs(value)) +
                                       wide * static_cast<double>(magnitude) + kTiny);
                }
            }
        }
    }
    return judge.result();
}

}  // namespace warplens::gpu::reduction
