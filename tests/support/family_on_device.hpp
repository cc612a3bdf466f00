// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/devices.hpp"
#include "tests/support/family_case.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {

/// Rows of one family on the device that a test is for.
class FamilyOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    explicit FamilyOnDevice(std::string family) : m_family(std::move(family)) {}

    void SetUp() override { requireDevice(GetParam()); }

    Request requestOf(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                      const std::vector<std::string>& variants = {}, const TunableValues& tunables = {}) {
        Request request = requestFor(m_family, std::move(input), std::move(parameters), GetParam());
        request.variants = variants;
        request.tunables = tunables;
        return request;
    }

    /// Every row is ok, or unsupported with a reason. Returns the rows that are ok, but for
    /// NPP's, which is not everywhere.
    std::set<std::string> expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                                      const std::string& what, const std::vector<std::string>& variants = {},
                                      const TunableValues& tunables = {}) {
        std::set<std::string> ok;
        const Request request = requestOf(input, parameters, variants, tunables);
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << ": " << run.variant << run.verification->firstMismatch;
            if (run.variant != "npp") ok.insert(run.variant);
            expectRight(request, run, what + ": " + run.variant);
        }
        return ok;
    }

    /// What a row that is ok has to be besides.
    virtual void expectRight(const Request&, const RunRecord& run, const std::string& what) {
        EXPECT_EQ(run.verification->checkedShare, 1) << what;
    }

    Runner m_runner;

private:
    std::string m_family;
};

}  // namespace warplens::gpu::testing
