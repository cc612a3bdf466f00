// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/compare/run_control.hpp"
#include "gui/document/folder_run.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/request/request_state.hpp"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSettings;
class QTableWidget;

namespace warplens::gui {

/// The current variant with the present parameters over every picture of a folder, into another folder. Each file has a
/// row that says what became of it; one that fails keeps no other from being done, and nothing is written over.
class BatchWindow : public QDialog {
    Q_OBJECT
public:
    BatchWindow(RunControl& control, RequestState& request, QSettings& settings, QWidget* window);

signals:
    /// When each stage worked on which picture, of a run that has ended, or was ended; `what`: which variant on which
    /// folder.
    void recorded(const warplens::gpu::Timeline& timeline, const QString& what);
    /// The page that shows it.
    void timelineWanted();

private:
    void choose(QLineEdit* into, const QString& title);
    void list();
    void start();
    void tell(int row, const QString& said, bool failed);
    /// Why it cannot start, or empty.
    QString refusal() const;
    void setRunning(bool running);

    RunControl& m_control;
    RequestState& m_request;
    QSettings& m_settings;
    QLineEdit *m_from, *m_to;
    QComboBox* m_ending;
    QLabel *m_what, *m_said;
    QProgressBar* m_progress;
    QTableWidget* m_table;
    QPushButton *m_start, *m_stop, *m_timeline;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
