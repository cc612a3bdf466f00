// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace warplens::gpu::testing {

inline const std::vector<std::string> kBorders{"zero", "replicate", "reflect", "wrap"};

/// Runs every row of the convolution registry and holds it against the double reference.
class EveryRow : public ::testing::Test {
protected:
    /// Every row is ok and verified whole, or unsupported with a reason; `okCount` counts those that are ok, and those
    /// that would be if the program were built for this GPU.
    void expectAllOk(const std::string& device, const std::shared_ptr<const io::Grid>& input,
                     const ParameterValues& parameters, const std::string& what, int* okCount = nullptr) {
        const auto comparison = m_runner.run(requestFor(input, parameters, device));
        for (const auto& run : comparison.runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty());
                if (okCount != nullptr && lacksCode(run)) ++*okCount;
                continue;
            }
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.kind == Variant::Kind::library) {
                ASSERT_EQ(run.verification->mismatches, 0) << what << ": opencv: " << run.verification->firstMismatch;
            }
            ASSERT_TRUE(run.verification && run.time) << describe(run);
            EXPECT_EQ(run.verification->checkedShare, 1.0);
            if (okCount != nullptr) ++*okCount;
        }
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
