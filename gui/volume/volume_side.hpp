// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/transfer.hpp"
#include "gui/session/volume_state.hpp"
#include "io/grid.hpp"

#include <QScrollArea>
#include <memory>

class QButtonGroup;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace warplens::gui {

class DockSection;
class LevelChart;
class OpacityChart;
class ValueSpin;

/// Beside the slices: window and level with the volume's histogram, what lies at the crosshair, and how the 3D view
/// makes colours of rays. Further sections are added below.
class VolumeSide : public QScrollArea {
    Q_OBJECT
public:
    /// `state` outlives this.
    explicit VolumeSide(VolumeState& state, QWidget* parent = nullptr);
    /// What the histogram and Auto look at; null: nothing.
    void setVolume(std::shared_ptr<const io::Grid> volume);
    /// Adds a section below the others, and takes it over.
    void addSection(DockSection* section);
    OpacityChart* opacity() const { return m_opacity; }
    LevelChart* level() const { return m_level; }

public slots:
    /// Leaves out 0.1 % of the finite values at each end. Computed on another thread.
    void autoRange();

signals:
    void modeChosen(warplens::gpu::render::Mode mode);

private:
    void makeLevels();
    void makeRays();
    void refresh();
    void countValues();

    VolumeState& m_state;
    std::shared_ptr<const io::Grid> m_volume;
    bool m_counting = false;
    QVBoxLayout* m_column;
    QPushButton* m_auto;
    LevelChart* m_level;
    ValueSpin *m_low, *m_high;
    QLabel *m_value, *m_position;
    QButtonGroup* m_modes;
    OpacityChart* m_opacity;
    QLabel* m_opacityText;
};

}  // namespace warplens::gui
