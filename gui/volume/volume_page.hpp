// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"
#include "gui/session/run_control.hpp"
#include "gui/session/volume_state.hpp"

#include <QTimer>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace warplens::gui {

class ColourMapButton;
class PlaybackModel;
class RecipeState;
class VolumePanes;
class VolumeSide;

/// A volume in three slices and 3D: the input where that is asked for, else the frame of an iteration that is being
/// watched, else the chosen variant's result when there is one.
class VolumePage : public Page {
    Q_OBJECT
public:
    /// `display` gives range, colour map and axial slice, shared with other pages; it outlives this.
    VolumePage(RequestState& request, const RecipeState& recipe, Results& results, RunControl& control,
               Activity& activity, ViewState& display, QWidget* parent = nullptr);

    VolumePanes* panes() const { return m_panes; }
    VolumeSide* side() const { return m_side; }
    VolumeState& state() { return m_state; }
    PlaybackModel& playback() { return *m_playback; }

    QString id() const override { return QStringLiteral("volume"); }
    bool standsIn(Workspace) const override { return true; }
    /// Iterations are watched here, of flat pictures too; where one filters it is a view of volumes.
    bool offeredFor(Workspace workspace, std::int64_t slices) const override {
        return workspace == Workspace::lab || slices > 1;
    }
    QString title() const override { return tr("Volume"); }
    /// Families whose result is a picture, or may be: the input is shown while it is not.
    bool takes(const gpu::Family& family) const override;
    void setWorkspace(Workspace workspace) override;
    Docks docks() const override { return {.results = false, .source = false}; }
    QWidget* statistics() override;
    ViewState* currentView() const override { return nullptr; }
    bool linked() const override { return m_state.linked(); }
    void setLinked(bool linked) override { m_state.setLinked(linked); }
    QString viewText() const override;
    QImage view() override;
    bool settled() const override;
    bool watchable() const override;
    bool playing() const override;
    void restore(const QSettings& settings) override;
    void save(QSettings& settings) const override;

public slots:
    void zoomIn() override;
    void zoomOut() override;
    void actualSize() override;
    void fit() override;
    void playOrPause() override;
    void step() override;

private:
    QWidget* makeStrip();
    void makeWatch(QVBoxLayout* column);
    void exportFrames();
    QToolButton* makeLayoutButton(QWidget* strip);
    void makeInputToggle(QWidget* strip);
    std::shared_ptr<const io::Grid> input() const;
    void refresh();
    void refreshTexts();

    RequestState& m_request;
    const RecipeState& m_recipe;
    Results& m_results;
    RunControl& m_control;
    Activity& m_activity;
    VolumeState m_state;
    VolumePanes* m_panes;
    VolumeSide* m_side;
    QToolButton* m_layoutButton;
    ColourMapButton* m_colours;
    QPushButton *m_input, *m_result, *m_link, *m_crosshair;
    Workspace m_workspace = Workspace::lab;
    QLabel *m_spacing, *m_range;
    PlaybackModel* m_playback;
    QTimer m_later;
};

}  // namespace warplens::gui
