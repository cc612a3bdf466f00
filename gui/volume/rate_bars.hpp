// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace warplens::gui {

/// One variant in the chart of rates.
struct RateBar {
    gpu::Idea idea;
    QString name;
    std::optional<double> gcells;  ///< Gcell/s on a GPU; the bar. None: no bar
    QString time;                  ///< right of the name: "0.338 ms"
    QString aside;                 ///< below, in the hint's colour: measured by a clock that ranks nothing
    bool current = false;
};

/// Gcell/s of each variant as bars from 0, beside the line of one sweep at copy speed.
class RateBars : public QWidget {
    Q_OBJECT
public:
    explicit RateBars(QWidget* parent = nullptr);
    /// `line` in Gcell/s; none: no line.
    void setBars(std::vector<RateBar> bars, std::optional<double> line);
    const std::vector<RateBar>& bars() const { return m_bars; }
    QSize sizeHint() const override { return {288, height()}; }
    QSize minimumSizeHint() const override { return {200, height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int rowHeight(const RateBar& bar) const;
    int height() const;

    std::vector<RateBar> m_bars;
    std::optional<double> m_line;
};

}  // namespace warplens::gui
