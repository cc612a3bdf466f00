// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/warp_model.hpp"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;

namespace warplens::gui {

class CudaHighlighter;
class HeatText;
class IdeaMark;
class OriginMark;

/// The current rung's source with the counts of each line, or that of a file it includes; a line chosen shows one warp
/// there.
class HeatPanel : public QWidget {
    Q_OBJECT
public:
    HeatPanel(WhyModel& why, WarpModel& warp, QWidget* parent = nullptr);
    HeatText* text() const { return m_text; }
    void setHeat(Heat heat);

private:
    QWidget* makeHead();
    QWidget* makeFoot();
    void refresh();
    void refreshHeat();
    void refreshFiles();
    void refreshFound(const gpu::Counters* counters);
    /// Goes to what was found after the line chosen, in this file and then in the others.
    void nextFound();

    WhyModel& m_why;
    WarpModel& m_warp;
    Heat m_heat = Heat::sectors;
    std::string m_shown;
    IdeaMark* m_mark;
    QComboBox* m_file;
    QLabel *m_legend, *m_share;
    QPushButton* m_found;  ///< hidden where nothing was found
    OriginMark* m_origin;
    QButtonGroup* m_heats;
    HeatText* m_text;
    CudaHighlighter* m_highlighter;
};

}  // namespace warplens::gui
