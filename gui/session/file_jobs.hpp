// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "io/grid.hpp"
#include "io/write.hpp"

#include <QImage>
#include <QString>
#include <memory>
#include <stop_token>

namespace warplens::gui {

constexpr int kThumbnailSide = 112;  // 56 px at 2x

/// A picture as the window needs it: its values, a small view of it, and the range to show it with.
struct OpenedPicture {
    std::shared_ptr<const io::Grid> grid;
    QImage thumbnail;  ///< at most kThumbnailSide wide and high
};

/// What to read where a file or a folder holds several: as io::ReadOptions say.
struct ReadChoice {
    int frame = 0;         ///< of a 4-D volume, or page of a TIFF, from 1; 0: the first frame, all pages
    QString series;        ///< of a folder of DICOM files, by UID or number; empty: the largest
    bool toFloat = false;  ///< values of other types become f32

    bool operator==(const ReadChoice&) const = default;
};

/// Work for a JobRunner: reads a file or a "gen:" input. Throws io::Error.
OpenedPicture readPicture(const QString& input, const ReadChoice& choice, const JobContext& context);

/// Work for a JobRunner: writes the values in full depth; a stop leaves what stood there. Throws io::Error.
Done writePicture(const io::Grid& grid, const QString& path, io::WriteOptions how, const std::stop_token& stop);

/// Work for a JobRunner: writes a view as shown (PNG), atomically. Throws io::Error.
Done writeView(const QImage& view, const QString& path);

/// A small view of the slice in the middle, at most `side` wide and high, each pixel a box average; u8 and u16 over
/// their whole range or what is there, f32 from its least to its greatest finite value.
QImage thumbnailOf(const io::Grid& grid, int side = kThumbnailSide);

}  // namespace warplens::gui
