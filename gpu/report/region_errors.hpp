// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/text_table.hpp"
#include "gpu/run/difference.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

struct Report;

/// Errors of a picture against the double reference in one of its regions, counted. In ulp: the distance between the
/// floats at the exact value, or one step of an integer.
struct RegionErrors {
    std::string region;           ///< regionName(Region)
    std::int64_t pixels = 0;      ///< that the check looked at
    std::int64_t notNearest = 0;  ///< of them those with a value that is not the nearest one of its type
    double maxUlp = 0, meanUlp = 0, rmse = 0;
    std::optional<PixelPlace> worst{};  ///< of the largest error; absent when that is 0
};

/// Of the regions that have pixels. Throws as differenceOf().
std::vector<RegionErrors> regionErrors(const Difference& inUlp);

/// A row a run and region; without rows when no run has any.
TextTable errorTable(const Report& report);

}  // namespace warplens::gpu
