// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A picture of a report: an encoded PNG and what it shows.
struct ReportPicture {
    std::string caption;
    std::vector<std::byte> png;
};

/// What an HTML report holds besides its report.
struct HtmlExtras {
    std::vector<ReportPicture> pictures;
    std::string whyNoPictures;         ///< one sentence; shown when there are none
    const Report* recorded = nullptr;  ///< an earlier run on a GPU, or null
};

/// One self-contained file: table with the origin of each number, bars with quartiles where CUDA events timed the
/// rows, pictures. Light and dark as the reader's system has it. Loads nothing, runs no script.
std::string toHtml(const Report& report, const HtmlExtras& extras = {});

}  // namespace warplens::gpu
