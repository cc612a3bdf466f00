// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/volume/playback_model.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace warplens::gui {

class FrameScrubber;
class ResidualChart;

/// Below the panes while a stencil is the task: start, play, step, the kept frames, and the residual's curve.
class WatchStrip : public QWidget {
    Q_OBJECT
public:
    /// `model` outlives this.
    explicit WatchStrip(PlaybackModel& model, QWidget* parent = nullptr);
    FrameScrubber* scrubber() const { return m_scrubber; }
    ResidualChart* chart() const { return m_chart; }
    /// The page has so much height: in a low one the curve gives way to the panes.
    void setRoom(int height);

signals:
    /// The kept frames are to be written as pictures.
    void exportWanted();

private:
    QWidget* makeControls();
    QWidget* makeResidual();
    QToolButton* makeButton(const char* name, const QString& title, const QString& tip, QWidget* parent);
    void refresh();
    void drawIcons();

    PlaybackModel& m_model;
    QToolButton *m_start = nullptr, *m_play = nullptr, *m_step = nullptr;
    QLabel *m_count = nullptr, *m_kept = nullptr, *m_state = nullptr;
    FrameScrubber* m_scrubber = nullptr;
    QComboBox* m_speed = nullptr;
    QPushButton* m_export = nullptr;
    ResidualChart* m_chart = nullptr;
};

}  // namespace warplens::gui
