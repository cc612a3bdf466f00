// SPDX-License-Identifier: Apache-2.0
#include "gui/session/live_tool.hpp"

#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/render.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/live_preview.hpp"

namespace warplens::gui {

namespace {

/// No copy: the picture is looked at where it came down, and the memory given back with the last image.
QImage imageOf(const gpu::render::Seen& seen) {
    using Held = std::shared_ptr<const std::uint32_t>;
    return QImage(
        reinterpret_cast<const uchar*>(seen.pixels.get()), seen.width, seen.height, seen.width * 4,
        QImage::Format_RGB32, [](void* held) { delete static_cast<Held*>(held); }, new Held(seen.pixels));
}

}  // namespace

LiveTool::LiveTool(Page& page, PaneGrid& panes, CompareSession& session, std::function<QString()> result)
    : PageTool(page, panes), m_session(session), m_result(std::move(result)) {
    LivePreview& preview = session.preview();
    preview.frames().addLook([tool = QPointer(this)] { return tool ? tool->lookedAt() : nullptr; });
    const auto lookAgain = [this, &preview] {
        if (preview.shown() && this->panes().isVisible()) preview.frames().askLook();
    };
    connect(panes.viewState(), &ViewState::viewChanged, this, lookAgain);
    connect(panes.viewState(), &ViewState::displayChanged, this, lookAgain);
    connect(&preview.frames(), &LiveFrames::drawn, this, &LiveTool::show);
}

ImageView* LiveTool::resultView() const {
    const Pane* pane = panes().pane(m_result());
    return pane == nullptr ? nullptr : pane->view();
}

std::shared_ptr<const gpu::render::Display> LiveTool::lookedAt() {
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

void LiveTool::show(const LiveFrame& frame) {
    if (!panes().isVisible()) return;
    if (resultView() == nullptr) emit contentsWanted();  // another variant was chosen, which has no pane yet
    m_session.preview().frames().askLook();
    if (m_look.view == nullptr || frame.display != m_look.display) return;  // one for the present view will follow
    connect(m_look.view, &ImageView::framePainted, &m_session.preview(), &LivePreview::notePainted,
            Qt::UniqueConnection);
    m_look.view->setFrame({imageOf(*frame.preview.seen), m_look.at, m_look.request});
}

void LiveTool::release() {
    if (m_look.view != nullptr) m_look.view->releaseFrame();
}

}  // namespace warplens::gui
