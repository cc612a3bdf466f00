// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/why_model.hpp"

#include <QWidget>
#include <vector>

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;

namespace warplens::gui {

/// The rungs of the ladder, of which one is chosen, and at the right end the one it is compared with; while it counts,
/// how far that is, with Cancel.
class LadderBar : public QWidget {
    Q_OBJECT
public:
    explicit LadderBar(WhyModel& model, QWidget* parent = nullptr);
    /// Stands left of the rungs.
    void setLead(QWidget* lead);

private:
    void rebuild();
    void refresh();
    void refreshBusy();
    void adapt();
    /// Names as many rungs as there is room for, the others keep their shapes.
    void nameRungs();

    WhyModel& m_model;
    std::vector<const gpu::Variant*> m_built;  ///< rows of the list that the rungs stand for
    QScrollArea* m_scroll;                     ///< where the rungs do not fit
    QWidget* m_rungs;
    QHBoxLayout* m_row;
    QButtonGroup* m_group;
    QLabel *m_title, *m_againstLabel;
    QComboBox* m_against;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
};

}  // namespace warplens::gui
