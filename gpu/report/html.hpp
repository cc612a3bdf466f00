// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/recorded.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/text_table.hpp"

#include <cstddef>
#include <string>
#include <utility>
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
    std::string whyNoPictures;               ///< one sentence; shown when there are none
    const RecordedRuns* recorded = nullptr;  ///< where earlier runs of the same request are looked up, or null
};

/// One self-contained file: table with the origin of each number, bars with quartiles where CUDA events timed the
/// rows, pictures. Light and dark as the reader's system has it. Loads nothing, runs no script.
std::string toHtml(const Report& report, const HtmlExtras& extras = {});

/// Several reports side by side: their table, a sentence of each and what keeps them from being compared, and each
/// one's bars under its name.
struct HtmlSet {
    TextTable table{};  ///< with its title
    std::vector<std::string> sentences{};
    std::vector<std::pair<std::string, const Report*>> reports{};  ///< by name
};
std::string toHtml(const HtmlSet& set);

/// The same page of other tables: title, tables with their notes, and facts of where and when.
std::string toHtml(const std::string& title, const std::vector<TextTable>& tables,
                   const std::vector<std::string>& facts);

}  // namespace warplens::gpu
