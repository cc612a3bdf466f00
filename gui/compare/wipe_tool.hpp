// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"
#include "gui/picture/wipe.hpp"

namespace warplens::gui {

class RequestState;

/// A line in one pane with the reference on one side of it.
class WipeTool : public PageTool {
    Q_OBJECT
public:
    WipeTool(Page& page, PaneGrid& panes, const RequestState& request);

    void place() override;
    void save(QJsonObject& view) const override;
    void restore(const QJsonObject& view) override;

private:
    /// Puts the line into the current pane, or takes it away from there.
    void toggle();
    void move(double at);
    void turn();

    const RequestState& m_request;
    QString m_key;  ///< of the pane with the line; empty: none
    Wipe m_wipe;
};

}  // namespace warplens::gui
