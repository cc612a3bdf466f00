// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/raw.hpp"

#include <QString>
#include <cstdint>

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

}  // namespace warplens::gui
