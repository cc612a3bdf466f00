// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/pixel_values.hpp"

#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/tokens.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/value_colours.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {
constexpr double kMargin = 2;
constexpr double kLineHeight = 13;
}  // namespace

QString fittingValue(double value, bool whole, double width, const QFontMetricsF& metrics) {
    QStringList ways;
    if (whole)
        ways << QString::number(static_cast<qlonglong>(value));
    else
        ways << format::exact(static_cast<float>(value)) << format::value(value) << format::significant(value)
             << format::significant(value, 2);
    for (const QString& way : ways)
        if (metrics.horizontalAdvance(way) <= width) return way;
    return {};
}

void paintPixelValues(QPainter& painter, const ImageView& view, const io::Grid& picture) {
    const ViewState& state = *view.viewState();
    const double cell = state.zoom() / view.devicePixelRatioF();
    if (cell < kValuesFrom) return;
    const io::Shape& shape = picture.shape();
    const std::int64_t slice = std::min<std::int64_t>(state.slice(), shape.depth - 1);
    const QPointF from = view.toPicture({0, 0}), to = view.toPicture(QPointF(view.width(), view.height()));
    const auto clamped = [](double v, std::int64_t extent) {
        return std::clamp(static_cast<std::int64_t>(std::floor(v)), std::int64_t{0}, extent - 1);
    };
    const ValueColours colours(view.range(), view.colourMapOf(picture), surroundColour().rgb(), view.outside());
    const bool whole = picture.type() != io::PixelType::f32;
    painter.setFont(textFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    const int lines = std::min(shape.channels, static_cast<int>(cell / kLineHeight));
    if (lines < shape.channels) return;
    for (std::int64_t y = clamped(from.y(), shape.height); y <= clamped(to.y(), shape.height); ++y)
        for (std::int64_t x = clamped(from.x(), shape.width); x <= clamped(to.x(), shape.width); ++x) {
            const QRgb ground = colours.pixel(picture, x, y, slice);
            painter.setPen(inkOn(QColor(ground)));
            const QPointF corner = view.toWidget(QPointF(static_cast<double>(x), static_cast<double>(y)));
            QRectF line(corner.x(), corner.y() + (cell - kLineHeight * lines) / 2, cell, kLineHeight);
            for (int c = 0; c < shape.channels; ++c, line.translate(0, kLineHeight))
                painter.drawText(line, Qt::AlignCenter,
                                 fittingValue(picture.value(x, y, slice, c), whole, cell - 2 * kMargin, metrics));
        }
}

}  // namespace warplens::gui
