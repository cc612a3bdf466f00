// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/tool_strip.hpp"
#include "gui/session/region_tools.hpp"

#include <array>
#include <functional>

class QLabel;
class QSlider;
class QSpinBox;

namespace warplens::gui {

class CompareSession;
class ElidedLabel;
class ValueSpin;

/// The line of tools that paint the mask: wand, brush, eraser, polygon; size or tolerance; invert, clear, open, save.
class RegionStrip : public ToolStrip {
    Q_OBJECT
public:
    enum class Shown { whileOn, always };
    /// One that is always shown has no commands yet.
    explicit RegionStrip(CompareSession& session, QWidget* parent = nullptr, Shown shown = Shown::whileOn);
    /// A button, which goes into the menu at the end where there is no room.
    QPushButton* addCommand(const char* id, const QString& text, const QString& tip, const std::function<void()>& what);
    /// Clear, invert, save, open; in a strip that is there while the tools are on the mask as region, too.
    void addCommands();

private:
    void refresh();
    /// Buttons that go into the menu at the end where there is no room.
    void addTools();
    QWidget* makeExtents();

    void openMask();
    void saveMask();

    CompareSession& m_session;
    RegionTools& m_tools;
    const Shown m_shown;
    std::array<QPushButton*, kRegionTools.size()> m_buttons{};
    QLabel *m_sizeLabel, *m_toleranceLabel;
    ElidedLabel* m_inside;
    QSlider *m_sizeSlider, *m_toleranceSlider;
    QSpinBox* m_size;
    ValueSpin* m_tolerance;
    QPushButton *m_region = nullptr, *m_clear = nullptr, *m_save = nullptr;
};

/// Level and neighbours in a line, where the family at hand asks for them.
QWidget* makeRegionQuestions(RequestState& request, QWidget* parent, std::function<void(const QString& why)> refused);

}  // namespace warplens::gui
