// SPDX-License-Identifier: Apache-2.0
#include "gui/views/view_link.hpp"

namespace warplens::gui {

ViewLink::ViewLink(ViewState* first, ViewState* second, QObject* parent)
    : QObject(parent), m_first(first), m_second(second) {
    for (const auto& [from, to] : {std::pair(first, second), std::pair(second, first)}) {
        connect(from, &ViewState::viewChanged, this, [this, from, to] { follow(from, to); });
        connect(from, &ViewState::cursorChanged, to, [from, to] { to->setCursor(from->cursor()); });
        connect(from, &ViewState::displayChanged, to, [from, to] { to->setSlice(from->slice()); });
    }
}

void ViewLink::follow(const ViewState* from, ViewState* to) {
    if (!m_linked || m_following) return;
    m_following = true;
    if (from->fitted()) {
        to->fit();
    } else {
        to->setZoom(from->zoom());
        to->setCentre(from->centre());
    }
    m_following = false;
}

void ViewLink::setLinked(bool linked) {
    m_linked = linked;
    follow(m_first, m_second);
}

}  // namespace warplens::gui
