// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"

#include <QPoint>
#include <QRect>
#include <QString>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A box of pixels whose sum is made of few values of an integral picture, at its corners.
struct BoxReads {
    struct Corner {
        QString name;  ///< "A"
        QPoint at;     ///< the pixel whose value is read
        bool operator==(const Corner&) const = default;
    };
    QRect box;
    std::vector<Corner> corners;  ///< only those that are read: none lies before the picture
    QString text;                 ///< the values and what becomes of them, in one line
};

/// The box, outlined, and the pixels that are read.
class BoxReadsOverlay : public ImageOverlay {
public:
    /// Nothing: nothing is drawn. The view must be updated by who sets it.
    void set(std::optional<BoxReads> reads) { m_reads = std::move(reads); }
    const std::optional<BoxReads>& reads() const { return m_reads; }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    std::optional<BoxReads> m_reads;
};

}  // namespace warplens::gui
