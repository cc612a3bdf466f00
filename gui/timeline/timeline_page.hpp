// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/compare/result_files.hpp"
#include "gui/timeline/timeline_model.hpp"
#include "gui/window/page.hpp"

class QLabel;
class QPushButton;
class QTableWidget;

namespace warplens::gui {

class ElidedLabel;
class OriginMark;
class TimelineView;

/// Whether an input is a recorded timeline, by its name.
inline bool isTimeline(const QString& input) { return input.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive); }

/// What each stage of a run over a folder did when: its lanes, its rates, which stage limits, and what it does not
/// hide.
class TimelinePage : public Page {
    Q_OBJECT
public:
    TimelinePage(ResultFiles& files, Activity& activity, QWidget* parent = nullptr);

    TimelineModel& model() { return m_model; }
    TimelineView* lanes() const { return m_lanes; }
    /// A run of the window's own.
    void show(const gpu::Timeline& timeline, const QString& what);
    /// What warplens-cli run --timeline, or save(), wrote.
    void open(const QString& path);
    void save(const QString& path);

    QString id() const override { return QStringLiteral("timeline"); }
    QString title() const override { return tr("Timeline"); }
    bool takes(const gpu::Family&) const override { return true; }
    bool followsFamily() const override { return true; }
    Docks docks() const override { return {.results = false, .source = false}; }
    Primary primary() const override;
    void runPrimary() override { emit folderWanted(); }
    ViewState* currentView() const override { return nullptr; }
    QString viewText() const override;
    QImage view() override;
    bool settled() const override { return !m_jobs.busy(); }

public slots:
    void zoomIn() override;
    void zoomOut() override;
    void actualSize() override { fit(); }
    void fit() override;

signals:
    /// A folder of pictures is to be run.
    void folderWanted();

private:
    QWidget* makeStrip();
    QWidget* makeFigures();
    QWidget* makeStages();
    void refresh();
    void refreshFigures();
    void refreshStages();
    void refreshDetail();

    ResultFiles& m_files;
    Activity& m_activity;
    TimelineModel m_model;
    QWidget* m_content;
    TimelineView* m_lanes;
    ElidedLabel *m_critical, *m_detail;
    QPushButton *m_save, *m_picture;
    std::vector<QLabel*> m_figures;
    std::vector<OriginMark*> m_origins;
    QTableWidget* m_stages;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
