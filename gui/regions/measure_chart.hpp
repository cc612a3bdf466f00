// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A count a step: the pixels that a frontier reached, the labels that a pass
/// changed. A step can be chosen.
class CountsCurve : public PlotView {
    Q_OBJECT
public:
    explicit CountsCurve(QWidget* parent = nullptr);
    /// `first`: the number of the first step; `steps`: what they are called,
    /// "passes".
    void setCounts(std::vector<std::int64_t> counts, std::int64_t first, const QString& steps);
    const std::vector<std::int64_t>& counts() const { return m_counts; }
    /// The step marked, from 0; none: no mark.
    void setAt(std::optional<std::size_t> at) { setChosen(at ? static_cast<int>(*at) : -1); }
    QSize sizeHint() const override { return {480, Length(104)}; }
    QSize minimumSizeHint() const override { return {200, 0}; }  // in a low window it gives way

private:
    std::vector<std::int64_t> m_counts;
};

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

/// Two measures of each region, a point each: those that are kept in the accent, the others in grey.
class MeasureScatter : public PlotView {
    Q_OBJECT
public:
    explicit MeasureScatter(QWidget* parent = nullptr);
    /// A value a row; a row without two finite ones has no point.
    struct Rows {
        QString across{}, up{};  ///< the measures, with their units
        std::vector<double> x{}, y{};
        std::vector<std::int64_t> labels{};
        std::vector<bool> kept{};
    };
    void setRows(const Rows& rows);
    /// Without a word to others.
    void setChosenRow(std::optional<std::size_t> row);
    /// Of a choice.
    std::size_t row(int choice) const { return m_order[static_cast<std::size_t>(choice)]; }
    QSize sizeHint() const override { return {288, Length(176)}; }
    QSize minimumSizeHint() const override { return {200, Length(120)}; }

private:
    std::vector<std::size_t> m_order;  ///< the rows of the points, from left to right
};

}  // namespace warplens::gui
