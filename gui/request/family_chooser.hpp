// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"

#include <QPushButton>
#include <string>
#include <vector>

class QLabel;

namespace warplens::gui {

class ElidedLabel;

/// "blur, sharpen, find edges": a family's task as it stands behind its name.
QString taskOf(const gpu::FamilyInfo& family);

/// What is done to the picture: a button with the family's name and task, which opens the list of all of them.
class FamilyChooser : public QPushButton {
    Q_OBJECT
public:
    /// The families outlive this; groups stand in the order in which their first family comes.
    explicit FamilyChooser(std::vector<const gpu::FamilyInfo*> families, QWidget* parent = nullptr);
    /// The family shown; null: none.
    void setCurrent(const gpu::FamilyInfo* family);
    /// Where there is little room: the name alone.
    void hideTask();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return QWidget::minimumSizeHint(); }

signals:
    void chosen(const std::string& id);

private:
    void open();

    std::vector<const gpu::FamilyInfo*> m_families;
    const gpu::FamilyInfo* m_current = nullptr;
    QLabel *m_name, *m_chevron;
    ElidedLabel* m_task;
};

/// One for all families there are, which shows and sets that of the session.
FamilyChooser* makeFamilyChooser(RequestState& request, QWidget* parent);

}  // namespace warplens::gui
