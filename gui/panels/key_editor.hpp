// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QTableWidget;

namespace warplens::gui {

class KeyMap;

/// Changes keys: an action is chosen in the table, its new key is pressed, "Take" gives it to the action.
class KeyEditor : public QDialog {
    Q_OBJECT
public:
    KeyEditor(KeyMap& keys, QWidget* window);

private:
    void refresh();
    void choose();
    void take();

    KeyMap& m_keys;
    QTableWidget* m_table;
    QKeySequenceEdit* m_edit;
    QLabel* m_said;
};

}  // namespace warplens::gui
