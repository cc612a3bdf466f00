// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"
#include "gui/picture/line_profile.hpp"

#include <optional>

namespace warplens::gui {

/// Values along a line, a curve a picture or a channel, named below. A pixel of
/// it can be chosen.
class ProfileChart : public PlotView {
    Q_OBJECT
public:
    explicit ProfileChart(QWidget* parent = nullptr);
    void setProfile(const ProfileLine& line, std::vector<ProfileCurve> curves);
    /// Which pixel of the line is marked; none: no mark.
    void setAt(std::optional<std::size_t> at) { setChosen(at ? static_cast<int>(*at) : -1); }
    std::optional<std::size_t> at() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

private:
    QString textOf(int pixel) const;

    ProfileLine m_line;
    std::vector<ProfileCurve> m_curves;
};

}  // namespace warplens::gui
