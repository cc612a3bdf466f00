// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

namespace warplens::gui {

/// How many regions have which area: those that are kept in the accent, the
/// others in grey.
class AreasChart : public PlotView {
    Q_OBJECT
public:
    explicit AreasChart(QWidget* parent = nullptr);
    void setAreas(const std::vector<double>& areas);
    /// Both ends are kept.
    void setKept(double least, double most);
    double binWidth() const { return m_wide; }
    QSize sizeHint() const override { return {288, Length(134)}; }
    QSize minimumSizeHint() const override { return {200, Length(56)}; }

private:
    void count();

    std::vector<double> m_areas;
    double m_wide = 1, m_least = 0, m_most = 0;
};

}  // namespace warplens::gui
