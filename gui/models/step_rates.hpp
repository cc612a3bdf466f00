// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/device/device_info.hpp"
#include "gpu/report/recorded.hpp"

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// Rates of the variants of an iteration, each cell of every step counted once.
struct StepRates {
    struct Row {
        const gpu::Variant* variant;
        double msPerStep, gcells;
    };
    QString device;                    ///< "H200"
    QString size;                      ///< "512³ f32"
    QString date;                      ///< "21 Nov 2026"
    std::vector<Row> rows;             ///< fastest first
    std::optional<double> copyGcells;  ///< one sweep at copy speed: 8 bytes a cell
};

/// The rate of a sweep that reads and writes each f32 cell once at the copy ceiling; nothing when that is unknown.
std::optional<double> copySweep(const std::optional<gpu::Limits>& limits);

/// The recorded runs of a family with this value of its first parameter, which says what a step is, else of any: the
/// newest, and of those the largest. Verified runs on a GPU only. Nothing when none is shipped.
std::optional<StepRates> recordedStepRates(const gpu::RecordedRuns& runs, const gpu::Family& family,
                                           const gpu::ParameterValues& values);

}  // namespace warplens::gui
