// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_case.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace warplens::gpu::testing {

inline Request scanRequest(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                           const std::string& device) {
    return requestFor("scan", std::move(input), std::move(parameters), device);
}

inline ParameterValues scanTask(const std::string& name) { return {{"task", name}}; }
inline ParameterValues runningSums(const std::string& along, const std::string& kind = "inclusive") {
    return {{"along", along}, {"kind", kind}};
}

class ScanCase : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row is ok or unsupported with a reason. Returns the rows that are ok, but for CUB's and NPP's, which need
    /// a GPU.
    std::set<std::string> expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                                      const std::string& what, const TunableValues& tunables = {},
                                      const Scheduling& scheduling = {}) {
        auto request = scanRequest(input, parameters, GetParam());
        request.tunables = tunables;
        request.scheduling = scheduling;
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0) << what << ": " << run.verification->firstMismatch;
            if (run.variant != "cub" && run.variant != "npp") ran.insert(run.variant);
            m_last = run.result;
        }
        return ran;
    }

    Runner m_runner;
    Result m_last;
};

}  // namespace warplens::gpu::testing
