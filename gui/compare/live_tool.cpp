// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/render.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/live_preview.hpp"

#include <QPointer>
#include <memory>

namespace warplens::gui {

namespace {

/// No copy: the picture is looked at where it came down, and the memory given back with the last image.
QImage imageOf(const gpu::render::Seen& seen) {
    using Held = std::shared_ptr<const std::uint32_t>;
    return QImage(
        reinterpret_cast<const uchar*>(seen.pixels.get()), seen.width, seen.height, seen.width * 4,
        QImage::Format_RGB32, [](void* held) { delete static_cast<Held*>(held); }, new Held(seen.pixels));
}

class LiveTool : public PageTool {
public:
    LiveTool(Page& page, PaneGrid& panes, CompareSession& session) : PageTool(page, panes), m_session(session) {
        LivePreview& preview = session.preview();
        preview.frames().setLook([tool = QPointer(this)] { return tool ? tool->lookedAt() : nullptr; });
        const auto lookAgain = [&preview] {
            if (preview.shown()) preview.frames().askLook();
        };
        connect(panes.viewState(), &ViewState::viewChanged, this, lookAgain);
        connect(panes.viewState(), &ViewState::displayChanged, this, lookAgain);
        connect(&preview.frames(), &LiveFrames::drawn, this, &LiveTool::show);
        connect(&preview, &LivePreview::ended, this, &LiveTool::release);
    }

private:
    ImageView* resultView() const {
        const Pane* pane = panes().pane(QString::fromStdString(m_session.request().current()));
        return pane == nullptr ? nullptr : pane->view();
    }

    /// How the current result's pane looks at it; null: not at all.
    std::shared_ptr<const gpu::render::Display> lookedAt() {
        ImageView* view = resultView();
        const auto picture = m_session.document().grid();
        const bool looked = view != nullptr && view->isVisible() && picture != nullptr;
        if (m_look.view != nullptr && m_look.view != view) release();
        if (!looked) {
            m_look = {};
            return nullptr;
        }
        RenderRequest request = view->lookedAt();
        // The result to come is of the kind and the extents of the one before; one of others is not drawn as this one.
        io::Shape shape = picture->shape();
        if (view->picture() != nullptr) {
            request.map = view->colourMapOf(*view->picture());
            shape = view->picture()->shape();
        }
        if (m_look.view == view && m_look.picture == picture && m_look.shape == shape && m_look.request == request)
            return m_look.display;
        m_look = {view, picture, shape, request, {}, nullptr};
        m_look.display = displayOf(shape, request, m_look.at);
        return m_look.display;
    }

    void show(const LiveFrame& frame) {
        if (resultView() == nullptr) emit contentsWanted();  // another variant was chosen, which has no pane yet
        m_session.preview().frames().askLook();
        if (m_look.view == nullptr || frame.display != m_look.display) return;  // one for the present view will follow
        connect(m_look.view, &ImageView::framePainted, &m_session.preview(), &LivePreview::notePainted,
                Qt::UniqueConnection);
        m_look.view->setFrame({imageOf(*frame.preview.seen), m_look.at, m_look.request});
    }

    void release() {
        if (m_look.view != nullptr) m_look.view->releaseFrame();
    }

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

}  // namespace

PageTool* makeLiveTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new LiveTool(page, panes, session);
}

}  // namespace warplens::gui
