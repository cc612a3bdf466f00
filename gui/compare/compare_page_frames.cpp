// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that shows what a device drew of the current result while a slider moves.
#include "gui/compare/compare_page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/visible.hpp"

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

ImageView* ComparePage::resultView() const {
    const QString key = QString::fromStdString(m_session.request().current());
    const auto& panes = m_grid->panes();
    for (std::size_t i = 0; i < panes.size(); ++i)
        if (panes[i].key == key) return m_grid->pane(static_cast<int>(i))->view();
    return nullptr;
}

std::shared_ptr<const gpu::render::Display> ComparePage::lookedAt() {
    ImageView* view = resultView();
    const auto picture = m_session.document().grid();
    const bool looked = view != nullptr && view->isVisible() && picture != nullptr;
    if (m_look.view != nullptr && m_look.view != view) releaseFrame();
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

void ComparePage::showFrame(const LiveFrame& frame) {
    if (resultView() == nullptr) refresh();  // another variant was chosen, which has no pane yet
    m_session.preview().frames().askLook();
    if (m_look.view == nullptr || frame.display != m_look.display) return;  // one for the present view will follow
    connect(m_look.view, &ImageView::framePainted, &m_session.preview(), &LivePreview::notePainted,
            Qt::UniqueConnection);
    m_look.view->setFrame({imageOf(*frame.preview.seen), m_look.at, m_look.request});
}

void ComparePage::releaseFrame() {
    if (m_look.view != nullptr) m_look.view->releaseFrame();
}

}  // namespace warplens::gui
