// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/input_files.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace warplens::gui {

class ViewState;

/// Left dock: the picture, what is done to it, where, and by which variants.
class TaskPanel : public QWidget {
    Q_OBJECT
public:
    explicit TaskPanel(RequestState& request, Results& results, InputFiles& inputs, QWidget* parent = nullptr);
    /// What the page shown wants below the device; null: nothing. Rows are kept, one is shown.
    void setPageRow(QWidget* row);
    /// The view whose pixel under the cursor the lenses' parts show; null: the page shown has none.
    void follow(ViewState* view);

signals:
    void refused(const QString& why);
    /// As ParameterForm::done().
    void done();

private:
    void countVariants();
    RequestState& m_request;
    QLabel* m_count;
    QVBoxLayout* m_where;
    QWidget* m_pageRow = nullptr;
};

}  // namespace warplens::gui
