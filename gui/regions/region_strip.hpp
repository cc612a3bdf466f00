// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/tool_strip.hpp"
#include "gui/regions/region_tools.hpp"

#include <array>

class QDoubleSpinBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace warplens::gui {

class ElidedLabel;

/// The line of tools that paint the mask: wand, brush, eraser, polygon; size or tolerance; invert, clear, open, save.
/// It is there while the tools are on.
class RegionStrip : public ToolStrip {
    Q_OBJECT
public:
    explicit RegionStrip(RegionTools& tools, QWidget* parent = nullptr);
    /// With `more` after the wand's tolerance; always there, as it is not only for the mask.
    RegionStrip(RegionTools& tools, QWidget* more, QWidget* parent);
    /// A long slider where there is room for one.
    void setSliders(int width);

signals:
    void openWanted();
    void saveWanted();

private:
    void refresh();
    /// Buttons that go into the menu at the end where there is no room.
    void addTools();
    void addCommands();
    QWidget* makeExtents();
    template <class Do>
    QPushButton* addCommand(const char* id, const QString& text, const QString& tip, Do what);

    RegionTools& m_tools;
    const bool m_always;
    std::array<QPushButton*, kRegionTools.size()> m_buttons{};
    QLabel *m_sizeLabel, *m_toleranceLabel;
    ElidedLabel* m_inside;
    QSlider *m_sizeSlider, *m_toleranceSlider;
    QSpinBox* m_size;
    QDoubleSpinBox* m_tolerance;
    QPushButton *m_region, *m_invert, *m_clear, *m_save;
};

}  // namespace warplens::gui
