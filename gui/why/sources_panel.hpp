// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/line_difference.hpp"
#include "gui/why/why_model.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

class CudaHighlighter;
class DifferenceText;
class IdeaMark;
class Page;

/// The sources of two rungs side by side, line against line: what was removed, added and changed.
class SourcesPanel : public QWidget {
    Q_OBJECT
public:
    /// Its commands are made by `page`, which outlives it.
    SourcesPanel(WhyModel& model, Page* page);
    const std::vector<DifferenceRow>& rows() const { return m_rows; }
    DifferenceText* before() const { return m_before; }
    DifferenceText* now() const { return m_now; }
    /// The row, from 0, of the change gone to last; -1: none yet.
    int at() const { return m_at; }

private:
    QWidget* makeHead();
    QWidget* makeSide(DifferenceText* text, IdeaMark* mark, QLabel* name);
    void refresh();
    void go(int direction);

    WhyModel& m_model;
    DifferenceText *m_before, *m_now;
    CudaHighlighter *m_beforeColours, *m_nowColours;
    IdeaMark *m_beforeMark, *m_nowMark;
    QLabel *m_beforeName, *m_nowName, *m_count;
    QAction *m_previous, *m_next;
    std::vector<DifferenceRow> m_rows;
    std::string m_shown;
    int m_at = -1;
};

}  // namespace warplens::gui
