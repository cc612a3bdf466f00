// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/text_table.hpp"

#include <optional>

namespace warplens::gpu {

struct Report;
struct RunRecord;

/// Where the time of a run goes, in milliseconds, measured; a stage that there is not is absent. Stages follow one
/// another: none runs behind another one yet.
struct Stages {
    std::optional<double> upload{};    ///< of the input; 0 when it lay on the device already
    std::optional<double> layout{};    ///< interleaved to planar, rows padded, and back
    std::optional<double> kernel{};    ///< the median; only of a run that is ok
    std::optional<double> download{};  ///< of the result
    std::optional<double> display{};   ///< in a pane of the window: reduced levels, colours, painting

    /// All of them; absent without a kernel's time.
    std::optional<double> total() const;
    /// Exposed: upload, layout and download, as far as no other stage runs meanwhile, which is all of them. Absent
    /// where nothing is transferred.
    std::optional<double> exposed() const;
};

Stages stagesOf(const RunRecord& run, const std::optional<double>& displayMs);

/// A row a run and a column a stage, total and exposed time; without rows where nothing but kernels was timed.
TextTable stagesTable(const Report& report);

}  // namespace warplens::gpu
