// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"
#include "gui/kit/plot/time_bars.hpp"
#include "gui/session/report_set.hpp"

#include <QByteArray>
#include <QSizeF>
#include <QString>
#include <vector>

namespace warplens::gui {

/// A table with bars beside its rows, on white: for files and paper.
struct ReportSheet {
    gpu::TextTable table;
    std::vector<TimeBar> bars;  ///< one a row; absent medians draw nothing
};

/// What the window shows of a comparison; `recorded` as in gpu::makeTable().
ReportSheet sheetOf(const gpu::Report& report, const gpu::RecordedRuns* recorded);
ReportSheet sheetOf(const ReportSet& set, gpu::Clock clock);

/// In logical pixels.
QSizeF sizeOf(const ReportSheet& sheet);
void paint(QPainter& painter, const ReportSheet& sheet);

/// Encoded by the ending of `path`: .png (2x), .svg or .pdf (one page of its own size). Empty for another ending.
QByteArray encode(const ReportSheet& sheet, const QString& path);

}  // namespace warplens::gui
