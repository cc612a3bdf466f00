// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"

#include <array>
#include <cstdint>

namespace warplens::gui {

/// How many requests of a warp have at most n lanes in one bin, n = 1..32, in the colours of the map beside the
/// picture.
class LanesChart : public Plot {
    Q_OBJECT
public:
    explicit LanesChart(QWidget* parent = nullptr);
    /// requests[n]; [0] is not drawn.
    void setRequests(const std::array<std::int64_t, 33>& requests);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    int lanesAt(double x) const;
    QString textOf(int lanes) const;

    std::array<std::int64_t, 33> m_requests{};
    int m_pointed = 0;  ///< 0: none
};

}  // namespace warplens::gui
