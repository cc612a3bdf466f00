// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/session/layout_rules.hpp"

#include <QList>
#include <QMap>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QMenu;

namespace warplens::gui {

class ResultsPanel;
class StepsPanel;
class TaskPanel;

/// The docks around the pages: which of them a page wants, what a small window does with them, Ctrl+B.
class DockArrangement : public QObject {
    Q_OBJECT
public:
    /// The panels become docks of `window`; `menu` gets an entry for each.
    /// `presets` stands beside the task's title.
    DockArrangement(QMainWindow* window, QMenu* menu, TaskPanel* task, ResultsPanel* results, QWidget* source,
                    StepsPanel* steps, QWidget* presets);
    /// A dock on the right for what a page has beside itself; nothing when it has nothing.
    void addStatistics(Page* page);
    /// Shows what the page wants, and what was there before a page did without it. In the workspace Picture the steps
    /// stand in the place of the task, and nothing tells of variants.
    void arrangeFor(Page* page, Page::Workspace workspace);
    /// Sizes that the user has set stay, unless the rule for them changed. Not while the window lays itself out, as in
    /// its resizeEvent(): docks must not move then.
    void adapt(const LayoutRules& rules);
    /// After a change of type: a dock remembers how high its title was.
    void retitle();
    /// After the window's state was restored, which may be of a window of another size.
    void restored();
    void setAllHidden(bool hidden);
    void showTask();

private:
    QDockWidget* make(const char* name, const QString& title, QWidget* content, QWidget* titleBar);
    QList<QDockWidget*> all() const;
    void part(QDockWidget* dock, bool wanted);
    void putBehind(QDockWidget* front, QDockWidget* dock);
    void putAlone(Qt::DockWidgetArea area, QDockWidget* dock);
    void placeResults();
    void placeSource();
    void placeStatistics(QDockWidget* dock);
    void setWidths();
    void showTabs();
    void resizeLater(QDockWidget* dock, int width);

    QMainWindow* m_window;
    QMenu* m_menu;
    TaskPanel* m_taskPanel;
    QDockWidget *m_task, *m_results, *m_source, *m_steps;
    QMap<Page*, QDockWidget*> m_statistics;
    QList<QDockWidget*> m_hidden;      ///< by Ctrl+B
    QMap<QDockWidget*, int> m_widths;  ///< of m_parted, as they were
    int m_resultsHeight = 0;           ///< likewise
    QList<QDockWidget*> m_parted;      ///< of no use to the page shown; they come back with one that wants them
    LayoutRules m_rules;
    bool m_adapted = false, m_allHidden = false;
    double m_type = 1;
};

}  // namespace warplens::gui
