// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/reports/kept_comparisons.hpp"

#include <QAction>
#include <QDialog>
#include <QPointer>
#include <QTableWidget>
#include <QTimer>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace warplens::gui {

/// The comparisons that were kept: searched, opened beside each other, pinned, deleted.
class HistoryWindow : public QDialog {
    Q_OBJECT
public:
    /// `remove` is heard while the table has the focus.
    HistoryWindow(KeptComparisons& kept, QAction* remove, QWidget* window);
    ~HistoryWindow() override;

signals:
    /// The reports that were asked for, the earliest first.
    void opened(const std::vector<gpu::Report>& reports);

private:
    void makeTable();
    QWidget* makeButtons();
    QPushButton* addButton(QLayout* row, const char* name, const QString& text, const QString& tip,
                           void (HistoryWindow::*what)());
    void search();
    void showRows(std::vector<gpu::history::Kept> all);
    void setColumnWidths();
    void chosenChanged();
    std::vector<gpu::history::Kept> chosen() const;
    void openChosen();
    void pinChosen();
    void removeChosen();

    KeptComparisons& m_kept;
    QPointer<QAction> m_removal;  ///< goes before this window where the main window ends
    QTimer m_typing;              ///< runs while letters follow each other
    int m_asked = 0;              ///< how often was searched: only the newest answer is shown
    std::vector<gpu::history::Kept> m_all;
    QLineEdit* m_text;
    QTableWidget* m_table;
    QPushButton *m_open = nullptr, *m_pin = nullptr, *m_remove = nullptr;
    QCheckBox* m_keep;
    QLabel* m_said;
};

}  // namespace warplens::gui
