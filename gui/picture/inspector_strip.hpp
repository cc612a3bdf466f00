// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/view_state.hpp"

#include <QPointer>
#include <QWidget>
#include <vector>

namespace warplens::gui {

/// 36 px below the panes: coordinates and the exact value of the input and of each result under the cursor, zoom at the
/// right. Values that do not fit are left out whole and stand in the tooltip.
class InspectorStrip : public QWidget {
    Q_OBJECT

public:
    explicit InspectorStrip(QWidget* parent = nullptr);
    void setViewState(ViewState* state);
    /// Read right after the place of the cursor; empty: nothing.
    void setExtra(const QString& text);
    /// Any number of results, shown panes or not.
    void setPanes(const std::vector<PaneContent>& contents);
    /// Everything it says, as text: "x 4,201 y 3,318, input 25, naive 30.435518".
    QString text() const;
    QSize sizeHint() const override { return {480, kStripHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointer<ViewState> m_state;
    std::vector<PaneContent> m_panes;
    QString m_extra;
};

}  // namespace warplens::gui
