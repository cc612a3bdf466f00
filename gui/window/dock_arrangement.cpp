// SPDX-License-Identifier: Apache-2.0
#include "gui/window/dock_arrangement.hpp"

#include "gui/compare/results_panel.hpp"
#include "gui/filter/steps_panel.hpp"
#include "gui/kit/panel.hpp"
#include "gui/request/task_panel.hpp"

#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kStatisticsWidth{320}, kRoomyStatistics{440};
/// Larger type rounds up, and the words of the families have to fit.
constexpr int kProjectorTask = 24;

QWidget* titleBar(const QString& title, QWidget* tool, QWidget* parent) {
    auto* bar = made(new QWidget(parent), {.look = "dock"});
    QHBoxLayout* row = titleRow(bar, kTitleHeight, title);
    row->addStrut(kTitleHeight);
    fill(row, {spring(), tool});
    return bar;
}

}  // namespace

DockArrangement::DockArrangement(QMainWindow* window, QMenu* menu, TaskPanel* task, ResultsPanel* results,
                                 QWidget* source, StepsPanel* steps, QWidget* presets)
    : QObject(window), m_window(window), m_menu(menu), m_taskPanel(task) {
    window->setDockOptions(QMainWindow::AllowTabbedDocks);
    window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window->setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_task = make("task-dock", tr("Task"), task, titleBar(tr("Task"), presets, window));
    m_results = make("results-dock", tr("Times"), results, results->titleBar());
    m_source = make("source-dock", tr("Source"), source, new QWidget(window));
    m_steps = make("steps-dock", tr("Steps"), steps, new QWidget(window));
    // They may stand behind the task.
    for (QWidget* panel : std::initializer_list<QWidget*>{task, source, steps})
        panel->setMinimumWidth(LayoutRules{.taskNarrow = true}.taskWidth());
    for (QWidget* panel : std::initializer_list<QWidget*>{task, steps}) panel->setMaximumWidth(400);
    results->setMinimumHeight(kHeadHeight + 2 * kRowHeight);
    window->addDockWidget(Qt::LeftDockWidgetArea, m_task);
    window->tabifyDockWidget(m_task, m_steps);
    window->addDockWidget(Qt::BottomDockWidgetArea, m_results);
    window->addDockWidget(Qt::RightDockWidgetArea, m_source);
    window->resizeDocks({m_task, m_source}, {m_rules.taskWidth(), LayoutRules::kSourceWidth}, Qt::Horizontal);
    window->resizeDocks({m_results}, {m_rules.resultsHeight()}, Qt::Vertical);
}

QDockWidget* DockArrangement::make(const char* name, const QString& title, QWidget* content, QWidget* titleBar) {
    auto* dock = made(new QDockWidget(title, m_window), {.id = name});
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    dock->setTitleBarWidget(titleBar);
    dock->setWidget(content);
    m_menu->addAction(dock->toggleViewAction());
    return dock;
}

QList<QDockWidget*> DockArrangement::all() const {
    return m_window->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

void DockArrangement::addStatistics(Page* page) {
    QWidget* content = page->statistics();
    if (content == nullptr) return;
    content->setMinimumWidth(kStatisticsWidth);
    QDockWidget* dock = make(qPrintable(page->id() + QStringLiteral("-statistics-dock")),
                             tr("%1 statistics").arg(page->title()), content, new QWidget(m_window));
    m_window->addDockWidget(Qt::RightDockWidgetArea, dock);
    m_statistics[page] = dock;
}

void DockArrangement::arrangeFor(Page* page, Page::Workspace workspace) {
    const bool lab = workspace == Page::Workspace::lab;
    const Page::Docks wanted = page->docks();
    // Those that go make place before others come.
    for (const bool come : {false, true})
        for (const auto& [dock, has] : {std::pair{m_results, wanted.results && lab},
                                        {m_source, wanted.source && lab},
                                        {m_task, wanted.task && lab},
                                        {m_steps, wanted.task && !lab}})
            if (has == come) part(dock, has);
    for (auto at = m_statistics.cbegin(); at != m_statistics.cend(); ++at) {
        part(at.value(), at.key() == page);
        if (at.key() != page) continue;
        if (m_rules.statisticsBehindTask)
            (lab ? m_task : m_steps)->raise();
        else
            resizeLater(at.value(), lab || m_rules.taskNarrow ? kStatisticsWidth : kRoomyStatistics);
    }
    if (lab && wanted.results && m_rules.sourceBehindResults && !m_rules.resultsBehindTask) m_results->raise();
    QTimer::singleShot(0, this, &DockArrangement::showTabs);
}

void DockArrangement::part(QDockWidget* dock, bool wanted) {
    dock->toggleViewAction()->setVisible(wanted);
    if (!wanted && (m_hidden.removeOne(dock) || !dock->isHidden())) {
        m_parted << dock;
        if (dock->isVisible()) m_widths[dock] = dock->width();
        if (dock->isVisible() && dock == m_results) m_resultsHeight = dock->height();
        dock->hide();
    } else if (wanted && m_parted.removeOne(dock)) {
        // What the user closed himself stays closed.
        if (m_allHidden)
            m_hidden << dock;
        else
            dock->show();
        // Where it shares its place with another one it has the width of both.
        const bool alone =
            std::ranges::all_of(m_window->tabifiedDockWidgets(dock), &QDockWidget::isHidden) && dock != m_results;
        if (const int width = m_widths.take(dock); width > 0 && alone && !dock->isHidden()) resizeLater(dock, width);
        // One that was never seen has a height of its contents' own.
        if (dock == m_results)
            QTimer::singleShot(0, dock, [this] {
                const int height = m_resultsHeight > 0 ? m_resultsHeight : Length(m_rules.resultsHeight());
                if (m_results->isVisible()) m_window->resizeDocks({m_results}, {height}, Qt::Vertical);
            });
    }
}

void DockArrangement::adapt(const LayoutRules& rules) {
    if (m_adapted && rules == m_rules && m_type == typeScale()) return;
    const LayoutRules before = m_rules;
    const bool retyped = m_type != typeScale();
    m_adapted = true;
    m_rules = rules;
    m_type = typeScale();
    if (rules.resultsBehindTask != before.resultsBehindTask) placeResults();
    if (rules.sourceBehindResults != before.sourceBehindResults || rules.resultsBehindTask != before.resultsBehindTask)
        placeSource();
    if (rules.statisticsBehindTask != before.statisticsBehindTask)
        for (QDockWidget* dock : m_statistics) placeStatistics(dock);
    if (retyped || rules.taskNarrow != before.taskNarrow) setWidths();
    if (rules.lowResults != before.lowResults)
        m_window->resizeDocks({m_results}, {Length(rules.resultsHeight())}, Qt::Vertical);
    QTimer::singleShot(0, this, &DockArrangement::showTabs);
}

void DockArrangement::setWidths() {
    const int more = projector() ? kProjectorTask : 0;
    m_taskPanel->setMinimumWidth(Length(LayoutRules{.taskNarrow = true}.taskWidth() + more));
    resizeLater(m_task->isVisible() ? m_task : m_steps, Length(m_rules.taskWidth() + more));
}

void DockArrangement::resizeLater(QDockWidget* dock, int width) {
    m_window->resizeDocks({dock}, {width}, Qt::Horizontal);
    // Again when what is in the docks has told its least width of now.
    QTimer::singleShot(0, dock, [this, dock, width] {
        if (dock->isVisible()) m_window->resizeDocks({dock}, {width}, Qt::Horizontal);
    });
}

void DockArrangement::showTabs() {
    for (QTabBar* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        // A tab that was laid out while its dock was being moved would keep a caption without letters.
        bar->setElideMode(Qt::ElideNone);
        // A row that docks have left may stay in sight, over the one that they are in now.
        if (bar->count() == 0) bar->hide();
        // Where there is nothing to choose it lies beyond the window's edge, where no key leads.
        bar->setFocusPolicy(bar->count() > 1 ? Qt::TabFocus : Qt::NoFocus);
    }
}

void DockArrangement::putBehind(QDockWidget* front, QDockWidget* dock) {
    m_window->tabifyDockWidget(front, dock);
    front->raise();
}

void DockArrangement::putAlone(Qt::DockWidgetArea area, QDockWidget* dock) {
    const bool shown = !dock->isHidden();
    m_window->removeDockWidget(dock);
    m_window->addDockWidget(area, dock);
    dock->setVisible(shown);
}

void DockArrangement::placeResults() {
    if (m_rules.resultsBehindTask) return putBehind(m_task, m_results);
    putAlone(Qt::BottomDockWidgetArea, m_results);
    m_window->resizeDocks({m_results}, {Length(m_rules.resultsHeight())}, Qt::Vertical);
}

void DockArrangement::placeSource() {
    if (m_rules.resultsBehindTask) return putBehind(m_task, m_source);
    if (m_rules.sourceBehindResults) return putBehind(m_results, m_source);
    putAlone(Qt::RightDockWidgetArea, m_source);
    m_window->resizeDocks({m_source}, {LayoutRules::kSourceWidth}, Qt::Horizontal);
}

void DockArrangement::placeStatistics(QDockWidget* dock) {
    if (m_rules.statisticsBehindTask) return putBehind(m_task, dock);
    putAlone(Qt::RightDockWidgetArea, dock);
    m_window->resizeDocks({dock}, {kStatisticsWidth}, Qt::Horizontal);
}

void DockArrangement::retitle() {
    for (QDockWidget* dock : all()) dock->setTitleBarWidget(dock->titleBarWidget());
}

void DockArrangement::restored() {
    const QList<QDockWidget*> withTask = m_window->tabifiedDockWidgets(m_task);
    // A state of a version without it leaves it alone.
    if (!withTask.contains(m_steps)) m_window->tabifyDockWidget(m_task, m_steps);
    m_rules.resultsBehindTask = withTask.contains(m_results);
    m_rules.sourceBehindResults =
        !m_rules.resultsBehindTask && m_window->tabifiedDockWidgets(m_results).contains(m_source);
    m_rules.statisticsBehindTask =
        std::ranges::any_of(m_statistics, [&](QDockWidget* dock) { return withTask.contains(dock); });
}

void DockArrangement::setAllHidden(bool hidden) {
    m_allHidden = hidden;
    if (hidden) {
        m_hidden.clear();
        for (QDockWidget* dock : all())
            if (!dock->isHidden()) m_hidden << dock;
    }
    for (QDockWidget* dock : m_hidden) dock->setVisible(!hidden);
    if (!hidden && m_rules.sourceBehindResults && !m_rules.resultsBehindTask) m_results->raise();
}

void DockArrangement::showTask() {
    m_task->show();
    m_task->raise();
}

}  // namespace warplens::gui
