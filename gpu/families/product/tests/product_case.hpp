// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_case.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

inline Request productRequest(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                              const std::string& device) {
    return requestFor("product", std::move(input), std::move(parameters), device);
}

inline Parameter::Value named(std::shared_ptr<const io::Grid> grid, const std::string& name = "factor") {
    return std::make_shared<const NamedGrid>(NamedGrid{name, std::move(grid)});
}

inline ParameterValues times(std::shared_ptr<const io::Grid> factor) {
    return {{"task", std::string("product")}, {"with", named(std::move(factor))}};
}
inline ParameterValues frequencies(std::int64_t keep) { return {{"task", std::string("dct")}, {"keep", keep}}; }
inline ParameterValues bank(std::shared_ptr<const io::Grid> filters) {
    return {{"task", std::string("bank")}, {"with", named(std::move(filters))}};
}
inline ParameterValues colours() { return {{"task", std::string("colours")}}; }

/// As noise(), around 0 where it is of floats, so that sums cancel.
inline std::shared_ptr<io::Grid> signedNoise(const io::Shape& shape, std::uint64_t seed) {
    auto grid = noise(shape, io::PixelType::f32, seed);
    for (std::int64_t i = 0; i < shape.values(); ++i) grid->as<float>()[i] -= 0.5F;
    return grid;
}

class ProductOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row is ok or unsupported with a reason. Returns how many kernels are ok, or would be with newer code.
    int expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                    const std::string& what, const TunableValues& tunables = {},
                    const std::vector<std::string>& variants = {}) {
        auto request = productRequest(input, parameters, GetParam());
        request.tunables = tunables;
        if (!variants.empty()) request.variants = variants;
        int kernels = 0;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                kernels += lacksCode(run);
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << ": " << run.variant << ": " << run.verification->firstMismatch;
            EXPECT_EQ(run.verification->checkedShare, 1) << what;
            kernels += run.kind == Variant::Kind::kernel;
        }
        return kernels;
    }

    /// How many kernels ran and were right; the others say why they did not.
    int kernelsThatRan(const Request& request) {
        int kernels = 0;
        for (const auto& run : m_runner.run(request).runs) {
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
            kernels += run.kind == Variant::Kind::kernel && (run.status == Status::ok || lacksCode(run));
        }
        return kernels;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
