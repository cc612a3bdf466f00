// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/exercise/hand_in.hpp"
#include "gui/kit/job_runner.hpp"

#include <QDialog>
#include <vector>

class QLabel;
class QTableWidget;

namespace warplens::gui {

/// A class: what was handed in, a row a file, merged here and sent nowhere. Files that were changed are named; Enter
/// shows a row's source.
class ClassBoard : public QDialog {
    Q_OBJECT
public:
    explicit ClassBoard(QWidget* window);

    /// Reads them on another thread; a file that is none costs itself alone.
    void open(const QStringList& paths);
    const std::vector<gpu::exercise::HandIn>& all() const { return m_all.list; }

private:
    void refresh();
    void showSource(int row);
    void saveTable(const QString& path);

    gpu::exercise::HandIns m_all;
    QTableWidget* m_table;
    QLabel *m_reached, *m_said;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
