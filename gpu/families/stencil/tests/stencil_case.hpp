// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/devices.hpp"
#include "tests/support/family_case.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

inline Request stencilRequest(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                              const std::string& device) {
    return requestFor("stencil", std::move(input), std::move(parameters), device);
}

inline ParameterValues with(ParameterValues values, const std::string& id, Parameter::Value value) {
    values[id] = std::move(value);
    return values;
}

inline bool sameBytes(const io::Grid& a, const io::Grid& b) {
    return a.shape() == b.shape() && a.type() == b.type() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

class StencilOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row is ok or unsupported, and all kernels agree to the last bit. Returns how many rows are ok.
    int expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                    const std::string& what) {
        const auto comparison = m_runner.run(stencilRequest(input, parameters, GetParam()));
        const io::Grid* first = nullptr;
        int ok = 0;
        for (const auto& run : comparison.runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty());
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok || !run.verification) continue;
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << ": " << run.variant << ": " << run.verification->firstMismatch;
            ++ok;
            if (run.kind == Variant::Kind::library) continue;
            if (first == nullptr) first = run.result.picture.get();
            EXPECT_TRUE(sameBytes(*first, *run.result.picture)) << what << ": " << run.variant;
        }
        return ok;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
