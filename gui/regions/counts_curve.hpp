// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

#include <cstdint>
#include <optional>

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

}  // namespace warplens::gui
