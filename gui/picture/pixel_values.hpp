// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <QPainter>
#include <QString>

namespace warplens::gui {

class ImageView;

/// Pixels at least this many logical screen pixels wide have their values written on them.
constexpr double kValuesFrom = 32;

/// Writes each visible pixel's stored values on it, a line a channel, where pixels are large enough. Numbers are
/// shortened to fit, never cut.
void paintPixelValues(QPainter& painter, const ImageView& view, const io::Grid& picture);

/// The longest way to write a value that is at most `width` wide in the painter's font; empty when there is none.
QString fittingValue(double value, bool whole, double width, const QFontMetricsF& metrics);

}  // namespace warplens::gui
