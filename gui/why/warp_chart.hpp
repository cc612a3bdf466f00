// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/why/warp_text.hpp"

#include <optional>

namespace warplens::gui {

/// One request of a warp: its 32 lanes above, below the sectors, banks or addresses that they touch, and lines between
/// them. Left and Right ask for the request before and after.
class WarpChart : public Plot {
    Q_OBJECT
public:
    explicit WarpChart(QWidget* parent = nullptr);
    /// `owner`: the lane that was asked for; -1: none.
    void setRequest(const gpu::WarpRequest& request, const gpu::WarpSite& site, int owner);
    /// Shows words in place of a request.
    void setMessage(const QString& message);
    QSize sizeHint() const override { return {460, 180}; }
    QSize minimumSizeHint() const override;

signals:
    void stepped(int by);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    struct Places;
    Places places() const;
    void paintLanes(QPainter& painter, const Places& at) const;
    void paintUnits(QPainter& painter, const Places& at) const;
    QString textOf(const TouchedUnit& unit) const;

    std::optional<gpu::WarpRequest> m_request;
    gpu::WarpSite m_site;
    std::vector<TouchedUnit> m_units;
    int m_owner = -1;
    QString m_message;
};

}  // namespace warplens::gui
