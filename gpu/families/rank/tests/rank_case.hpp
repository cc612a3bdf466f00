// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

namespace warplens::gpu::testing {

inline ParameterValues ranked(std::int64_t radius, double percentile = 50, const std::string& border = "replicate") {
    return {{"radius", radius}, {"percentile", percentile}, {"border", border}};
}
inline ParameterValues crossed(std::int64_t radius, double percentile = 50, const std::string& border = "replicate") {
    auto values = ranked(radius, percentile, border);
    values["shape"] = std::string("cross");
    return values;
}
inline ParameterValues opened(std::int64_t radius, const std::string& border = "replicate",
                              const std::string& task = "open") {
    auto values = ranked(radius, 50, border);
    values["task"] = task;
    return values;
}
inline ParameterValues inVolume(ParameterValues values) {
    values["dimensions"] = std::string("3");
    return values;
}

class RankOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { needDevice(GetParam()); }

    Request requestOf(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                      const std::vector<std::string>& variants = {}, const TunableValues& tunables = {}) {
        Request request = requestFor(std::move(input), std::move(parameters), GetParam());
        request.family = "rank";
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
            EXPECT_EQ(run.verification->checkedShare, 1) << what;
            ok.insert(run.variant);
        }
        return ok;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
