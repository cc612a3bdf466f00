// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"

#include <QWidget>

namespace warplens::gui {

class SourceView;

/// Right dock: the current variant's own kernel file.
class SourcePanel : public QWidget {
    Q_OBJECT
public:
    explicit SourcePanel(CompareSession& session, QWidget* parent = nullptr);
    SourceView* view() const {
        return m_view;
    }

private:
    void refresh();
    CompareSession& m_session;
    SourceView* m_view;
};

}  // namespace warplens::gui
