// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/session/live_frames.hpp"

#include <QPointer>
#include <memory>

namespace warplens::gui {

class CompareSession;

/// Shows in the current result's pane what a device drew of it while a slider moves.
class LiveTool : public PageTool {
    Q_OBJECT
public:
    LiveTool(Page& page, PaneGrid& panes, CompareSession& session);

private:
    ImageView* resultView() const;
    /// How the current result's pane looks at it; null: not at all.
    std::shared_ptr<const gpu::render::Display> lookedAt();
    void show(const LiveFrame& frame);
    void release();

    CompareSession& m_session;
    /// How the current result is looked at, and by which view.
    struct Look {
        QPointer<ImageView> view;
        std::shared_ptr<const io::Grid> picture;
        io::Shape shape;
        RenderRequest request;
        QPoint at;
        std::shared_ptr<const gpu::render::Display> display;
    };
    Look m_look;
};

}  // namespace warplens::gui
