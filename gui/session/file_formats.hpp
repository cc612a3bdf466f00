// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/pixel_type.hpp"

#include <QString>
#include <QStringList>
#include <optional>

namespace warplens::gui {

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
