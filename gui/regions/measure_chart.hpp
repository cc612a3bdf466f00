// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

namespace warplens::gui {

/// How many regions have which value of a measure: those that are kept in the accent, the others in grey.
class MeasureChart : public PlotView {
    Q_OBJECT
public:
    explicit MeasureChart(QWidget* parent = nullptr);
    /// Values that are not finite are left out. `unit` may be empty; of whole numbers no bin is narrower than 1.
    void setValues(const std::vector<double>& values, const QString& unit, bool whole);
    /// Both ends are kept.
    void setKept(double least, double most);
    double binWidth() const { return m_wide; }
    QSize sizeHint() const override { return {288, Length(134)}; }
    QSize minimumSizeHint() const override { return {200, Length(56)}; }

private:
    void count();

    std::vector<double> m_values;
    QString m_unit;
    bool m_whole = true;
    double m_wide = 1, m_least = 0, m_most = 0;
};

}  // namespace warplens::gui
