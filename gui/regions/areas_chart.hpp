// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"

#include <cstdint>
#include <vector>

namespace warplens::gui {

/// How many regions have which area: those that are kept in the accent, the others in grey.
class AreasChart : public Plot {
    Q_OBJECT
public:
    explicit AreasChart(QWidget* parent = nullptr);
    void setAreas(const std::vector<double>& areas);
    /// Both ends are kept.
    void setKept(double least, double most);
    double binWidth() const { return m_wide; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    double x(double value) const;

    struct Bin {
        std::int64_t kept = 0, others = 0;
        std::int64_t all() const { return kept + others; }
    };
    void count();

    std::vector<double> m_areas;
    std::vector<Bin> m_bins;
    double m_low = 0, m_wide = 1;
    double m_least = 0, m_most = 0;
};

}  // namespace warplens::gui
