// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/session/result_files.hpp"
#include "gui/timeline/timeline_model.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace warplens::gui {

class ElidedLabel;
class MovementPanel;
class OriginMark;
class TimelineView;

/// Whether an input is a recorded timeline, by its name.
inline bool isTimeline(const QString& input) { return input.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive); }

/// What each stage of a run over a folder did when, or each engine of the device while it moved pictures in one of the
/// ways there are: lanes, rates, which stage limits, and what it does not hide.
class TimelinePage : public Page {
    Q_OBJECT
public:
    TimelinePage(RequestState& request, RunControl& control, ResultFiles& files, Activity& activity,
                 QWidget* parent = nullptr);

    TimelineModel& model() { return m_model; }
    TimelineView* lanes() const { return m_lanes; }
    /// A run of the window's own.
    void show(const gpu::Timeline& timeline, const QString& what);
    /// Several, of which one is chosen to be seen.
    void showAll(std::vector<gpu::NamedTimeline> timelines, const QString& what, Origin origin);
    /// The ways of moving pictures with their timelines.
    void showMovement(const gpu::TransferBenchmark& movement);
    /// Offers the last comparison's; shows it where nothing else is shown.
    void offerComparison(const gpu::Timeline& timeline, const QString& what);
    /// What warplens-cli run or movement --timeline, or save(), wrote.
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
    bool settled() const override { return !m_jobs.busy() && !m_movement.busy(); }

public slots:
    void zoomIn() override;
    void zoomOut() override;
    void actualSize() override { fit(); }
    void fit() override;

signals:
    /// A folder of pictures is to be run.
    void folderWanted();
    /// What open() was given is no timeline; the notice says so as well.
    void refused(const warplens::gui::JobFailure& failure);

private:
    QWidget* makeStrip();
    QSpinBox* makePictures(QWidget* parent);
    void refreshTask();
    void choose(int timeline);
    /// `moved`: by the ways that m_ways shows.
    void present(std::vector<gpu::NamedTimeline> timelines, const QString& what, Origin origin, bool moved);
    void fitBelow();
    QWidget* makeFigures();
    QWidget* makeStages();
    void refresh();
    void refreshFigures();
    void refreshStages();
    void refreshDetail();

    ResultFiles& m_files;
    Activity& m_activity;
    TimelineModel m_model;
    MovementModel m_movement;
    QWidget* m_content;
    TimelineView* m_lanes;
    ElidedLabel *m_critical, *m_detail;
    QPushButton *m_save, *m_picture, *m_move, *m_compared;
    QSpinBox* m_pictures;
    bool m_picturesChosen = false;  ///< else as many as are usual
    QComboBox* m_choice;
    std::vector<gpu::NamedTimeline> m_timelines;
    gpu::Timeline m_comparison;  ///< without stages: there was none
    QString m_comparisonWhat;
    std::vector<QLabel*> m_figures;
    std::vector<OriginMark*> m_origins;
    MovementPanel* m_ways;
    QTableWidget* m_stages;
    bool m_moved = false;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
