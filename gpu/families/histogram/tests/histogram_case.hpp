// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/runner.hpp"
#include "io/generate.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

/// The inputs on which counting differs: where lanes meet, and where they do not.
inline const std::vector<std::string> kInputKinds{"uniform", "normal",   "one value",
                                                  "sorted",  "gradient", "alternating"};

/// A picture of that kind over the type's whole range (f32: 0..1), the same for the same arguments.
inline std::shared_ptr<io::Grid> inputOf(const std::string& kind, io::Shape shape, io::PixelType type,
                                         std::uint64_t seed = 1) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    const double top = type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
    const auto count = static_cast<std::uint64_t>(shape.values());
    const auto uniform = [&](std::uint64_t i) { return static_cast<double>(io::randomBits(seed, i) >> 40) * 0x1p-24; };
    for (std::uint64_t i = 0; i < count; ++i) {
        const double along = static_cast<double>(i) / static_cast<double>(count);
        double unit = uniform(i);
        if (kind == "normal")
            unit = std::min(1.0, std::max(0.0, 0.39 + 0.12 * (uniform(4 * i) + uniform(4 * i + 1) + uniform(4 * i + 2) +
                                                              uniform(4 * i + 3) - 2)));
        else if (kind == "one value")
            unit = 0.4375;
        else if (kind == "sorted")
            unit = along * along;
        else if (kind == "gradient")
            unit = static_cast<double>(i % static_cast<std::uint64_t>(shape.width)) / static_cast<double>(shape.width);
        else if (kind == "alternating")
            unit = i % 2 == 0 ? 0.25 : 0.75;
        const double value = type == io::PixelType::f32 ? unit : std::floor(unit * (top + 1) * (1 - 0x1p-30));
        io::withSampleType(type, [&]<class T>(T) { grid->as<T>()[i] = static_cast<T>(value); });
    }
    return grid;
}

/// A row of floats.
inline std::shared_ptr<io::Grid> rowOf(const std::vector<float>& values) {
    auto grid =
        std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(values.size()), 1, 1, 1}, io::PixelType::f32);
    std::copy(values.begin(), values.end(), grid->as<float>());
    return grid;
}

/// Every row of the ladder, run once and verified.
inline Request histogramRequest(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                                const std::string& device) {
    Request request;
    request.input = std::move(input);
    request.inputName = "test";
    request.family = "histogram";
    request.parameters = std::move(parameters);
    request.device = device;
    request.timing = TimingPolicy::once();
    request.measureLimits = false;
    return request;
}

inline ParameterValues bins(int n) { return {{"bins", std::int64_t{n}}}; }

/// The sum of all a channel's counts.
inline std::int64_t totalOf(const CountedChannel& channel) {
    std::int64_t sum = channel.below + channel.above + channel.nan;
    for (const auto n : channel.bins) sum += n;
    return sum;
}

}  // namespace warplens::gpu::testing
