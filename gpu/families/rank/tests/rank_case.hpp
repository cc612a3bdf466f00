// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/family_on_device.hpp"

#include <gtest/gtest.h>
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

class RankOnDevice : public FamilyOnDevice {
protected:
    RankOnDevice() : FamilyOnDevice("rank") {}
};

}  // namespace warplens::gpu::testing
