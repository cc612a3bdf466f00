// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {

inline ParameterValues multiplied(const std::string& matrix) {
    return {{"task", std::string("product")}, {"matrix", matrix}};
}

/// A mask of noise whose pixels are unknowns with a likelihood of `share`, in an order of its own.
inline std::shared_ptr<const NamedGrid> randomMask(const io::Shape& shape, double share, std::uint64_t seed = 7) {
    const auto from = noise({shape.width, shape.height, shape.depth}, io::PixelType::f32, seed);
    auto mask = std::make_shared<io::Grid>(from->shape(), io::PixelType::u8);
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                mask->setValue(x, y, z, 0, from->value(x, y, z, 0) < share ? 255 : 0);
    return std::make_shared<const NamedGrid>(NamedGrid{"mask", mask});
}

inline ParameterValues masked(ParameterValues values, std::shared_ptr<const NamedGrid> mask) {
    values["mask"] = std::move(mask);
    return values;
}

class SparseOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { needDevice(GetParam()); }

    Request requestOf(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                      const std::vector<std::string>& variants = {}, const TunableValues& tunables = {}) {
        Request request = requestFor(std::move(input), std::move(parameters), GetParam());
        request.family = "sparse";
        request.variants = variants;
        request.tunables = tunables;
        return request;
    }

    /// Every row is ok, or unsupported with a reason. Returns the rows that are ok.
    std::set<std::string> expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                                      const std::string& what, const std::vector<std::string>& variants = {},
                                      const TunableValues& tunables = {}) {
        std::set<std::string> ok;
        for (const auto& run : m_runner.run(requestOf(input, parameters, variants, tunables)).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << ": " << run.variant << run.verification->firstMismatch;
            ok.insert(run.variant);
        }
        return ok;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
