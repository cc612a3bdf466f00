// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/registry.hpp"
#include "gpu/run/runner.hpp"
#include "io/generate.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

inline std::shared_ptr<io::Grid> generated(const std::string& name) {
    return std::make_shared<io::Grid>(io::generate(name));
}

/// Noise over the type's whole range (f32: 0..1).
inline std::shared_ptr<io::Grid> noiseOf(const io::Shape& shape, io::PixelType type, std::uint64_t seed = 1) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    io::withSampleType(type, [&]<class T>(T) {
        const auto count = static_cast<std::uint64_t>(shape.values());
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t bits = io::randomBits(seed, i);
            if constexpr (sizeof(T) == 4)
                grid->as<T>()[i] = static_cast<float>(bits >> 40) * 0x1p-24F;
            else
                grid->as<T>()[i] = static_cast<T>(bits >> 32);
        }
    });
    return grid;
}

/// A row of floats.
inline std::shared_ptr<io::Grid> floatRow(const std::vector<float>& values) {
    auto grid =
        std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(values.size()), 1, 1, 1}, io::PixelType::f32);
    std::copy(values.begin(), values.end(), grid->as<float>());
    return grid;
}

/// Every row of the ladder, run once and verified.
inline Request reductionRequest(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                                const std::string& device = "cpu") {
    Request request;
    request.input = std::move(input);
    request.inputName = "test";
    request.family = "reduction";
    request.parameters = std::move(parameters);
    request.device = device;
    request.timing = TimingPolicy::once();
    request.measureLimits = false;
    return request;
}

inline ParameterValues comparedWith(std::shared_ptr<const io::Grid> other) {
    return {{"measure", std::string("comparison")},
            {"with", std::make_shared<const NamedGrid>(NamedGrid{"other.npy", std::move(other)})}};
}

inline ParameterValues projected(const std::string& along, const std::string& keep) {
    return {{"along", along}, {"keep", keep}};
}

}  // namespace warplens::gpu::testing
