// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/pane_content.hpp"

#include <QPointer>
#include <QWidget>

namespace warplens::gui {

/// The surroundings of the pixel under the cursor, enlarged, with its exact stored values and what they are shown as.
class Magnifier : public QWidget {
    Q_OBJECT
public:
    static constexpr int kAcross = 11;  ///< picture pixels; odd, so that one is in the middle

    explicit Magnifier(QWidget* parent = nullptr);
    void setViewState(ViewState* state);
    /// The current pane.
    void setPane(const PaneContent& pane);
    /// What it says, a line each: place, stored, shown.
    QStringList lines() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    OwnDisplay display() const;
    Outside outside() const;

    QPointer<ViewState> m_state;
    PaneContent m_pane;
};

}  // namespace warplens::gui
