// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/device/device_info.hpp"
#include "gpu/report/recorded.hpp"
#include "gpu/report/sweep_document.hpp"

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace warplens::gui {

/// Rates of a family's variants as recorded on one GPU for inputs of one size: a column an input.
struct RateTable {
    struct Row {
        const gpu::Variant* variant;
        std::vector<std::optional<double>> gbs;  ///< one a column; none: not run or not verified
    };
    QString device;         ///< "H200"
    QString size;           ///< "2^28 bytes" or "64 MiB"
    QString date;           ///< "21 Nov 2026"
    QStringList columns;    ///< what tells the inputs apart: "noise", "gradient"
    std::vector<Row> rows;  ///< fastest first, by the first column
    std::optional<double> limitGbs;
    QString limit;  ///< "read-only"
};

/// The newest recorded runs of a task on pictures of one size, whatever it is, with a column for each kind of values.
/// Nothing when none is shipped. At most `columns` inputs.
std::optional<RateTable> recordedRates(const gpu::RecordedRuns& runs, const gpu::Family& family,
                                       const gpu::RecordedTask& task, std::size_t columns);

/// What a run was measured on, in a word: "noise", "camera".
QString inputKind(const gpu::Report& run);

/// The recorded runs of the resources, read once, when first asked for, and kept; any thread may ask.
const gpu::RecordedRuns& recordedRuns();

/// The recorded sweeps shipped with the program, read once as well.
const std::vector<gpu::StoredSweep>& recordedSweeps();

/// Rates of the variants of an iteration, each cell of every step counted once.
struct StepRates {
    struct Row {
        const gpu::Variant* variant;
        double msPerStep, gcells;
    };
    QString device;                    ///< "H200"
    QString size;                      ///< "512³ f32"
    QString date;                      ///< "21 Nov 2026"
    std::int64_t steps = 0;            ///< that were asked for
    std::vector<Row> rows;             ///< fastest first
    std::optional<double> copyGcells;  ///< one sweep at copy speed: 8 bytes a cell
};

/// The rate of a sweep that reads and writes each f32 cell once at the copy ceiling; nothing when that is unknown.
std::optional<double> copySweep(const std::optional<gpu::Limits>& limits);

/// The recorded runs of a task, whatever the number of steps and the size: the newest, and of those the largest.
/// Verified runs on a GPU only. Nothing when none is shipped.
std::optional<StepRates> recordedStepRates(const gpu::RecordedRuns& runs, const gpu::Family& family,
                                           const gpu::RecordedTask& task);

}  // namespace warplens::gui
