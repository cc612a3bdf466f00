// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/run/runner.hpp"
#include "tests/support/devices.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace warplens::gpu::testing {

/// A picture of noise over the type's whole range (f32: 0..1; i32: from 0 on), the same for the same arguments.
inline std::shared_ptr<io::Grid> noise(io::Shape shape, io::PixelType type, std::uint64_t seed = 1) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    std::uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
    const int bits = 8 * static_cast<int>(io::sizeOf(type)) - (type == io::PixelType::i32 ? 1 : 0);
    const double top = type == io::PixelType::f32 ? 1 : std::exp2(bits) - 1;
    for (std::int64_t z = 0; z < shape.depth; ++z) {
        for (std::int64_t y = 0; y < shape.height; ++y) {
            for (std::int64_t x = 0; x < shape.width; ++x) {
                for (int c = 0; c < shape.channels; ++c) {
                    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                    const double unit = static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
                    grid->setValue(x, y, z, c, type == io::PixelType::f32 ? unit : std::floor(unit * top));
                }
            }
        }
    }
    return grid;
}

/// A request for all rows of a family, run once each and verified.
inline Request requestFor(std::string family, std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                          const std::string& device) {
    Request request;
    request.input = std::move(input);
    request.inputName = "test";
    request.family = std::move(family);
    request.parameters = std::move(parameters);
    request.device = device;
    request.timing = TimingPolicy::once();
    request.measureLimits = false;
    return request;
}

/// The rows that a request without names asks for.
inline std::size_t usualRows(const char* family) { return askedRuns(familyOf(family), {}).size(); }

/// One line for a failing run.
inline std::string describe(const RunRecord& r) {
    return r.variant + " on " + r.runsOn + ": " + nameOf(r.status) + ": " + r.reason;
}

/// Whether a row was refused because the program's code for this GPU is too old for it: a build for older GPUs.
inline bool lacksCode(const RunRecord& r) {
    return r.status == Status::unsupported && r.reason.starts_with("needs code for compute capability");
}

}  // namespace warplens::gpu::testing
