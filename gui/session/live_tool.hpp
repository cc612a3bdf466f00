// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page_tool.hpp"
#include "gui/picture/render.hpp"

#include <QPointer>
#include <functional>
#include <memory>

namespace warplens::gui {

class CompareSession;
class ImageView;
struct LiveFrame;

/// Frames of a result that is on its way (LivePreview), in the pane of its page that shows it.
class LiveTool : public PageTool {
public:
    /// `result` is the key of that pane.
    LiveTool(Page& page, PaneGrid& panes, CompareSession& session, std::function<QString()> result);

    /// The result is in its pane: the frame leaves as soon as that can be drawn.
    void release();

private:
    ImageView* resultView() const;
    /// How the result's pane looks at it; null: not at all.
    std::shared_ptr<const gpu::render::Display> lookedAt();
    void show(const LiveFrame& frame);

    CompareSession& m_session;
    std::function<QString()> m_result;
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
