// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/jobs/job_runner.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

namespace warplens::gui {

/// Frames to be written as pictures, each drawn on the worker.
struct FrameExport {
    std::vector<std::shared_ptr<const io::Grid>> fields;
    std::function<QImage(const io::Grid&)> draw;
    QString path;  ///< "heat.png" stands for heat-0000.png, heat-0001.png ..., which "series:heat-####.png" reads again
};

/// The files that `count` frames go to: numbers from 0 on, four digits or more.
QStringList seriesNames(const QString& path, std::size_t count);

/// Work for a JobRunner: writes 8-bit PNGs, each atomically, through the codec process. Files that are there already
/// are left alone and refused before the first is written. Stopping leaves those that are done. Throws io::Error, which
/// says how many are. Returns their number.
std::size_t writeFrames(const FrameExport& frames, const JobContext& context);

}  // namespace warplens::gui
