// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/result.hpp"
#include "gui/kit/axis.hpp"
#include "gui/kit/canvas.hpp"
#include "gui/picture/histogram_figures.hpp"

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

/// What is drawn of a histogram, and where.
struct BinPicture {
    const gpu::BinnedCounts* histogram = nullptr;
    std::vector<bool> shown;  ///< a flag a channel
    ValueScale across;
    CountScale up;
    QRectF area;  ///< its bottom is 0
    std::optional<ValueRange> selection;
};

/// One channel is drawn as bars, the selected ones in the accent; several as outlines over weak fills, each in its
/// channel's colour and line. Where bins are narrower than a pixel, a column shows the highest of them.
void paintBins(QPainter& painter, const BinPicture& picture);

/// The colour of a channel by its name; other names are neutral.
QColor channelColour(const std::string& name);
/// A pen of that colour whose dashes tell red, green, blue and alpha apart without it.
QPen channelPen(const std::string& name);

/// A histogram in a pane: all channels, counts on a logarithmic axis, the ends of both axes named. To look at, not to
/// work with.
class BinsView : public Canvas {
    Q_OBJECT
public:
    using Canvas::Canvas;
    void setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent*) override { emit focused(); }
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::shared_ptr<const gpu::BinnedCounts> m_histogram;
};

}  // namespace warplens::gui
