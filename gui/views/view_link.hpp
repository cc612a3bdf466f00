// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/views/view_state.hpp"

#include <QObject>

namespace warplens::gui {

/// Keeps cursor pixel and slice of two views of one picture the same, and while linked zoom and centre as well; what
/// is seen of each value stays their own.
class ViewLink : public QObject {
    Q_OBJECT
public:
    ViewLink(ViewState* first, ViewState* second, QObject* parent);
    bool linked() const { return m_linked; }
    /// Linking takes over the first view's.
    void setLinked(bool linked);

private:
    void follow(const ViewState* from, ViewState* to);

    ViewState *m_first, *m_second;
    bool m_linked = true;
    bool m_following = false;
};

}  // namespace warplens::gui
