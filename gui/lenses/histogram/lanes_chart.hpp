// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"

#include <array>
#include <cstdint>

namespace warplens::gui {

/// How many requests of a warp have at most n lanes in one bin, n = 1..32, in
/// the colours of the map beside the picture. A number of lanes can be chosen.
class LanesChart : public PlotView {
    Q_OBJECT
public:
    explicit LanesChart(QWidget* parent = nullptr);
    /// requests[n]; [0] is not drawn.
    void setRequests(const std::array<std::int64_t, 33>& requests);
    QSize sizeHint() const override { return {288, Length(140)}; }
};

}  // namespace warplens::gui
