// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QString>
#include <QWidget>

class QPushButton;

namespace warplens::gui {

class SourceView;

/// Right dock: the current variant's own kernel file, and the way to what changed since the baseline's.
class SourcePanel : public QWidget {
    Q_OBJECT
public:
    explicit SourcePanel(RequestState& request, Results& results, QWidget* parent = nullptr);
    SourceView* view() const { return m_view; }

signals:
    /// The current variant's source is to be shown beside that of another, by its id.
    void differenceWanted(const QString& against);

private:
    void refresh();
    void refreshDifference();
    RequestState& m_request;
    SourceView* m_view;
    QPushButton* m_difference;
};

}  // namespace warplens::gui
