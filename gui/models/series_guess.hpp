// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace warplens::gui {

/// The input "series:FOLDER/slice-###.png" that a picture belongs to: the last number in its name stands for all. As
/// many # as the number has digits where it, or a file beside it, begins with a zero; else one, for numbers without
/// zeros before them. Empty when the name holds no number.
QString seriesOf(const QString& path);

}  // namespace warplens::gui
