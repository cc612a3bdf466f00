// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/pixel_type.hpp"
#include "io/raw.hpp"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace warplens::gui {

/// The input "series:FOLDER/slice-###.png" that a picture belongs to: the last number in its name stands for all. As
/// many # as the number has digits where it, or a file beside it, begins with a zero; else one, for numbers without
/// zeros before them. Empty when the name holds no number.
QString seriesOf(const QString& path);

/// Whether a file of this name has no header that tells what it is: .raw, .bin, .dat, .vol.
bool looksRaw(const QString& path);

/// A first description of a file of plain values: the extent in its name ("foot-256x256x64.raw") with a type of the
/// right size, else a cube or a square that fits, else one row.
io::RawDescription guessRaw(const QString& path, std::int64_t bytes);

/// How the bytes needed and those of the file compare.
struct RawFit {
    bool fits = false;
    QString sentence;  ///< "needs 4,096 bytes; the file has 10 too many"
};
RawFit rawFit(const io::RawDescription& raw, std::int64_t bytes);

/// What file dialogs and folders ask of the formats (io/format.hpp).
enum class Readable {
    everything,  ///< that can be opened
    inFolders,   ///< taken for a picture of a folder
    flat,        ///< likewise, but formats of volumes
};
/// "*.png", "*.jpg" and so on.
QStringList namePatterns(Readable which);

/// The extensions with which results can be written, `first` before the others.
QStringList writtenExtensions(const QString& first);

/// Filters of a dialog that saves, "TIFF, any type (*.tif *.tiff)", that of the extension `first` before the others:
/// formats of pictures, or of volumes, and of this type where one is given.
QStringList saveFilters(bool volume, const QString& first, std::optional<io::PixelType> type = {});

}  // namespace warplens::gui
