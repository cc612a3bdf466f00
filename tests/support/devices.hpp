// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/device/opencl/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace warplens::gpu::testing {

/// A suite on every device: INSTANTIATE_TEST_SUITE_P(Family, Suite, kDevices, nameOfDevice); its SetUp() calls
/// requireDevice().
inline const auto kDevices = ::testing::Values("cpu", "cuda:0");

inline std::string nameOfDevice(const ::testing::TestParamInfo<std::string>& device) {
    return device.param == "cpu" ? "cpu" : "gpu";
}

/// Skips the test where there is no such device, and says why. For SetUp(): it ends itself alone, not its caller.
inline void requireDevice(const std::string& device) {
    if (device == "cpu") return;
    if (const auto list = listDevices(); list.find(device) == nullptr)
        GTEST_SKIP() << "no GPU here: " << list.whyNoCuda;
}

/// Why OpenCL rows are not run in this test, or empty.
inline std::string whyNoOpenCl() {
    if (warplens::testing::kSanitized) return "PoCL leaves memory behind, which the sanitizer takes for a leak of ours";
    return opencl::deviceList().whyNone;
}

/// "cpu", and "cuda:0" where there is one.
inline std::vector<std::string> devicesHere() {
    std::vector<std::string> ids{"cpu"};
    if (listDevices().find("cuda:0") != nullptr) ids.emplace_back("cuda:0");
    return ids;
}

}  // namespace warplens::gpu::testing
