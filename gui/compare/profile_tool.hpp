// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/line_profile.hpp"
#include "gui/picture/page_tool.hpp"

#include <optional>

namespace warplens::gui {

class Activity;
class ProfilePanel;

/// The values along a line that is drawn over the panes, as curves beside them.
class ProfileTool : public PageTool {
    Q_OBJECT
public:
    ProfileTool(Page& page, PaneGrid& panes, Activity& activity);

    QWidget* side() override;
    bool takesMouse() const override { return true; }
    void attach(Pane& pane) override;
    void place() override;
    std::vector<ImageOverlay*> overlays(int pane) override;
    void save(QJsonObject& view) const override;
    void restore(const QJsonObject& view) override;

private:
    /// The row or the column of the pixel under the cursor, or else of the middle.
    void putLine(Qt::Orientation along);
    void drawLine(QPoint from, QPoint to);

    ProfilePanel* m_panel;
    std::optional<ProfileLine> m_line;
    LineOverlay m_overlay;  ///< the same in all panes
};

}  // namespace warplens::gui
