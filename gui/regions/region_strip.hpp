// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/regions/region_tools.hpp"

#include <QWidget>
#include <array>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace warplens::gui {

/// The line of tools that paint the mask: wand, brush, eraser, polygon; size or tolerance; invert, clear, open, save.
class RegionStrip : public QWidget {
    Q_OBJECT
public:
    RegionStrip(RegionTools& tools, QWidget* parent = nullptr);

signals:
    void openWanted();
    void saveWanted();

private:
    void refresh();
    QPushButton* button(const char* id, const QString& text, const QString& tip);

    RegionTools& m_tools;
    std::array<QPushButton*, kRegionTools.size()> m_buttons{};
    QLabel *m_sizeLabel, *m_toleranceLabel, *m_inside;
    QSlider *m_sizeSlider, *m_toleranceSlider;
    QSpinBox* m_size;
    QDoubleSpinBox* m_tolerance;
    QPushButton *m_region, *m_invert, *m_clear, *m_save;
};

}  // namespace warplens::gui
