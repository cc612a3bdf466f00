// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/jobs/job_runner.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QString>
#include <memory>

namespace warplens::gui {

constexpr int kThumbnailSide = 112;  // 56 px at 2x

/// A picture as the window needs it: its values, a small view of it, and the range to show it with.
struct OpenedPicture {
    std::shared_ptr<const io::Grid> grid;
    QImage thumbnail;  ///< at most kThumbnailSide wide and high
};

/// Work for a JobRunner: reads a file or a "gen:" input. Throws io::Error.
OpenedPicture readPicture(const QString& input, const JobContext& context);

/// Work for a JobRunner: a matrix from a text or CSV file, as the parameter "matrix" takes it. Throws
/// gpu::Error(argument) naming row and column, or io::Error.
QString readMatrix(const QString& path);

/// Work for a JobRunner: writes the values in full depth. Throws io::Error.
Done writePicture(const io::Grid& grid, const QString& path);

/// Work for a JobRunner: writes a view as shown (PNG), atomically. Throws io::Error.
Done writeView(const QImage& view, const QString& path);

/// A small view of plane 0, at most `side` wide and high, each pixel a box average; u8 and u16 over their whole range
/// or what is there, f32 from its least to its greatest finite value.
QImage thumbnailOf(const io::Grid& grid, int side = kThumbnailSide);

}  // namespace warplens::gui
