// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"

#include <QDialog>
#include <QPushButton>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

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

/// The families below the button, one a row, by groups: typing narrows them by name and task, arrows choose, Enter or a
/// click takes one, Esc closes.
class FamilyList : public QDialog {
    Q_OBJECT
public:
    FamilyList(const std::vector<const gpu::FamilyInfo*>& families, const gpu::FamilyInfo* current,
               const QString& paletteKey, QWidget* parent);
    /// Below `button`, as high as there is room for in the window.
    void showBelow(const QWidget& button);
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void chosen(const std::string& id);

private:
    void narrow();
    void take(const QListWidgetItem* item);

    std::vector<const gpu::FamilyInfo*> m_families;
    const gpu::FamilyInfo* m_current;
    QLineEdit* m_text;
    QListWidget* m_list;
    QLabel* m_keys;
};

}  // namespace warplens::gui
