// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_case.hpp"
#include "tests/support/npp.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace warplens::gpu::testing {

inline Request layoutRequest(std::shared_ptr<const io::Grid> input, ParameterValues parameters,
                             const std::string& device) {
    return requestFor("layout", std::move(input), std::move(parameters), device);
}

inline ParameterValues task(const std::string& name) { return {{"task", name}}; }
inline ParameterValues reslice(const std::string& order) {
    return {{"task", std::string("reslice")}, {"order", order}};
}
inline ParameterValues stepped(const std::string& name, std::int64_t step) { return {{"task", name}, {"step", step}}; }

inline ParameterValues crop(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
    std::string box;
    for (const std::int64_t number : {x, y, width, height}) box += (box.empty() ? "" : ",") + std::to_string(number);
    return {{"task", std::string("crop")}, {"box", box}};
}

/// Every task, with orders and steps, and how many kernels take it. Packs are for pictures that have channels.
struct LayoutTask {
    std::string name;
    ParameterValues parameters;
    int kernels;
};

inline std::vector<LayoutTask> layoutTasks(bool channels) {
    constexpr int kTurn = 6, kRows = 3;
    std::vector<LayoutTask> all;
    for (const char* name : {"transpose", "rotate90", "rotate270"}) all.push_back({name, task(name), kTurn});
    for (const char* name : {"copy", "rotate180", "flip-x", "flip-y"}) all.push_back({name, task(name), kRows});
    for (const char* order : {"zyx", "zxy", "yzx", "yxz", "xzy", "xyz"})
        all.push_back({order, reslice(order), order[2] == 'x' ? kRows : kTurn});
    for (const int step : {1, 3, 16, 33, 200}) {
        all.push_back({"offset " + std::to_string(step), stepped("offset", step), 2});
        all.push_back({"stride " + std::to_string(step), stepped("stride", step), 1});
    }
    all.push_back({"planar", task("planar"), channels ? 2 : 1});
    if (channels) all.push_back({"interleaved", task("interleaved"), 2});
    return all;
}

class LayoutOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every row is ok or unsupported with a reason; all that are ok give the same bytes. Returns how many kernels are.
    int expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                    const std::string& what, const TunableValues& tunables = {}) {
        auto request = layoutRequest(input, parameters, GetParam());
        request.tunables = tunables;
        const Comparison comparison = m_runner.run(request);
        const io::Grid* first = nullptr;
        int kernels = 0;
        for (const auto& run : comparison.runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            if (isLostToForcedJit(run)) continue;
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->mismatches, 0) << what << ": " << run.verification->firstMismatch;
            EXPECT_EQ(run.verification->checkedShare, 1) << what;
            kernels += run.kind == Variant::Kind::kernel;
            const io::Grid& picture = *run.result.picture;
            if (first == nullptr) first = &picture;
            EXPECT_EQ(picture.shape(), first->shape()) << what;
            EXPECT_EQ(std::memcmp(picture.data(), first->data(), first->bytes()), 0) << what << ": " << run.variant;
        }
        return kernels;
    }

    Runner m_runner;
};

}  // namespace warplens::gpu::testing
