// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

inline ParameterValues mergeTask(const std::string& name) { return {{"task", name}}; }

inline Request mergeRequest(std::shared_ptr<const io::Grid> input, const std::string& task, const std::string& device) {
    return requestFor("merge", std::move(input), mergeTask(task), device);
}

/// -0 before +0, NaN last.
template <class T>
bool comesBefore(T a, T b) {
    if constexpr (std::is_same_v<T, float>) {
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
        if (a == b) return std::signbit(a) && !std::signbit(b);
    }
    return a < b;
}

/// The values of each channel in order, by the standard library; of floats every NaN the same one.
inline std::shared_ptr<io::Grid> sortedByStd(const io::Grid& input) {
    auto output = std::make_shared<io::Grid>(input.clone());
    const auto pixels = static_cast<std::size_t>(input.shape().pixels());
    const auto channels = static_cast<std::size_t>(input.shape().channels);
    io::withType(input.type(), [&]<class T>(T) {
        for (std::size_t c = 0; c < channels; ++c) {
            std::vector<T> values;
            for (std::size_t i = 0; i < pixels; ++i) values.push_back(input.as<T>()[i * channels + c]);
            std::stable_sort(values.begin(), values.end(), comesBefore<T>);
            for (std::size_t i = 0; i < pixels; ++i) {
                T& to = output->as<T>()[i * channels + c] = values[i];
                const std::uint32_t nan = 0x7fffffffU;
                if constexpr (std::is_same_v<T, float>)
                    if (std::isnan(to)) std::memcpy(&to, &nan, sizeof nan);
            }
        }
    });
    return output;
}

inline bool sameBits(const io::Grid& a, const io::Grid& b) {
    return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

class MergeCase : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row is ok, its picture the standard library's, of a kernel to the last bit; or unsupported with a reason.
    /// Returns the rows that are ok, but for CUB's, which need a GPU.
    std::set<std::string> expectSorted(const std::shared_ptr<const io::Grid>& input, const std::string& task,
                                       const std::string& what, const TunableValues& tunables = {},
                                       const Scheduling& scheduling = {}) {
        auto request = mergeRequest(input, task, GetParam());
        request.tunables = tunables;
        request.scheduling = scheduling;
        return expectSorted(std::move(request), *input, what);
    }

    /// The same of a request of one's own, whose lists hold the values of `all`.
    std::set<std::string> expectSorted(Request request, const io::Grid& all, const std::string& what) {
        const auto& task = std::get<std::string>(request.parameters.at("task"));
        const auto expected = sortedByStd(all);
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << ": " << run.variant << ": " << run.verification->firstMismatch;
            EXPECT_EQ(run.result.picture == nullptr, task == "quantiles") << what;
            if (run.result.picture != nullptr && run.kind == Variant::Kind::kernel) {
                EXPECT_TRUE(sameBits(*run.result.picture, *expected)) << what << ": " << run.variant;
            }
            if (!run.variant.starts_with("cub_")) ran.insert(run.variant);
        }
        return ran;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
