// SPDX-License-Identifier: Apache-2.0
#include "gui/main_window.hpp"

#include "gui/panels/actions.hpp"
#include "gui/panels/compare_page.hpp"
#include "gui/panels/file_commands.hpp"
#include "gui/panels/header_bar.hpp"
#include "gui/panels/help_window.hpp"
#include "gui/panels/results_panel.hpp"
#include "gui/panels/source_panel.hpp"
#include "gui/panels/status_line.hpp"
#include "gui/panels/task_panel.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/pane_grid.hpp"

#include <QClipboard>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <cmath>

namespace warplens::gui {

namespace {

const QString kGeometry = QStringLiteral("window/geometry"), kState = QStringLiteral("window/state"),
              kPanes = QStringLiteral("window/panes"), kLinked = QStringLiteral("window/linked"),
              kTheme = QStringLiteral("window/theme");
constexpr int kStateVersion = 1;

QWidget* plainTitle(const QString& title, QWidget* parent) {
    auto* bar = new QWidget(parent);
    setLook(bar, "dock");
    bar->setFixedHeight(kTitleHeight);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    auto* label = new QLabel(title, bar);
    setLook(label, "title");
    row->addStrut(kTitleHeight);
    row->addWidget(label);
    return bar;
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      m_settings(settings),
      m_session(new CompareSession(this)),
      m_actions(new Actions(this)),
      m_header(new HeaderBar(*m_session, this)),
      m_page(new ComparePage(*m_session, this)),
      m_files(new FileCommands(*m_session, *m_page, settings, this)),
      m_task(new TaskPanel(*m_session, this)),
      m_results(new ResultsPanel(*m_session, this)),
      m_source(new SourcePanel(*m_session, this)),
      m_status(new StatusLine(*m_session, this)) {
    setWindowTitle(QStringLiteral("Warplens"));
    setObjectName(QStringLiteral("main-window"));
    setAcceptDrops(true);
    resize(1600, 1000);
    setCentralWidget(m_page);
    setStatusBar(m_status);
    m_header->addPage(tr("Compare"), true);
    m_actions->fill(m_header->menus());
    setMenuWidget(m_header);
    makeDocks();
    wireActions();
    wireThemes();
    restore();
    adapt();
    connect(&m_session->document(), &Document::changed, this,
            [this] { setWindowTitle(tr("%1 - Warplens").arg(m_session->document().name())); });
    showView();
}

MainWindow::~MainWindow() = default;

QDockWidget* MainWindow::makeDock(const char* name, const QString& title, QWidget* content, QWidget* titleBar) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QString::fromUtf8(name));
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    dock->setTitleBarWidget(titleBar);
    dock->setWidget(content);
    m_actions->docks->addAction(dock->toggleViewAction());
    return dock;
}

void MainWindow::makeDocks() {
    setDockOptions(QMainWindow::AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_taskDock = makeDock("task-dock", tr("Task"), m_task, plainTitle(tr("Task"), this));
    m_resultsDock = makeDock("results-dock", tr("Times"), m_results, m_results->titleBar());
    m_sourceDock = makeDock("source-dock", tr("Source"), m_source, new QWidget(this));
    m_task->setMinimumWidth(LayoutRules{.taskNarrow = true}.taskWidth());
    m_task->setMaximumWidth(400);
    m_source->setMinimumWidth(320);
    m_results->setMinimumHeight(kHeadHeight + 2 * kRowHeight);
    addDockWidget(Qt::LeftDockWidgetArea, m_taskDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_resultsDock);
    addDockWidget(Qt::RightDockWidgetArea, m_sourceDock);
    resizeDocks({m_taskDock, m_sourceDock}, {m_rules.taskWidth(), LayoutRules::kSourceWidth}, Qt::Horizontal);
    resizeDocks({m_resultsDock}, {m_rules.resultsHeight()}, Qt::Vertical);
}

void MainWindow::wireActions() {
    const auto on = [this](QAction* action, auto receiver, auto slot) {
        connect(action, &QAction::triggered, receiver, slot);
    };
    on(m_actions->open, m_files, &FileCommands::open);
    on(m_actions->openMatrix, m_files, &FileCommands::openMatrix);
    on(m_actions->saveResult, m_files, &FileCommands::saveResult);
    on(m_actions->exportView, m_files, &FileCommands::exportView);
    on(m_actions->copyTable, m_results, &ResultsPanel::copyTable);
    on(m_actions->copyCommand, this, [this] { QGuiApplication::clipboard()->setText(m_session->command()); });
    on(m_actions->quit, this, &QWidget::close);
    on(m_actions->zoomIn, m_page, &ComparePage::zoomIn);
    on(m_actions->zoomOut, m_page, &ComparePage::zoomOut);
    on(m_actions->actualSize, m_page, &ComparePage::actualSize);
    on(m_actions->fit, m_page, &ComparePage::fit);
    on(m_actions->compare, m_session, &CompareSession::compare);
    on(m_actions->cancel, this, [this] {
        if (m_session->busy())
            m_session->cancel();
        else
            m_actions->fullScreen->setChecked(false);
    });
    on(m_actions->help, this, &MainWindow::showHelp);
    on(m_actions->about, this, [this] { (new AboutWindow(this))->show(); });
    connect(m_actions->link, &QAction::toggled, m_page, &ComparePage::setLinked);
    connect(m_page, &ComparePage::linkedChanged, m_actions->link, &QAction::setChecked);
    connect(m_actions->hideDocks, &QAction::toggled, this, &MainWindow::hideDocks);
    connect(m_actions->fullScreen, &QAction::toggled, this, &MainWindow::toggleFullScreen);
    connect(m_header, &HeaderBar::primaryClicked, this, [this] {
        if (m_session->comparing())
            m_session->cancel();
        else
            m_session->compare();
    });
    connect(m_session, &CompareSession::busyChanged, this,
            [this] { m_actions->cancel->setEnabled(m_session->busy() || isFullScreen()); });
    connect(m_page, &ComparePage::helpWanted, this, &MainWindow::showHelp);
    connect(m_page, &ComparePage::viewChanged, this, &MainWindow::showView);
    connect(m_actions->samples, &QMenu::aboutToShow, this, [this] { m_files->fillSamples(m_actions->samples); });
    connect(m_actions->recent, &QMenu::aboutToShow, this, [this] { m_files->fillRecent(m_actions->recent); });
    connect(m_task, &TaskPanel::refused, this, [this](const QString& why) { m_session->report(why); });
}

void MainWindow::wireThemes() {
    const auto choose = [this](QAction* action, SchemeChoice choice) {
        action->setChecked(Theme::choice() == choice);
        connect(action, &QAction::triggered, this, [this, choice] {
            Theme::apply(choice);
            m_settings.setValue(kTheme, static_cast<int>(choice));
        });
    };
    choose(m_actions->themeSystem, SchemeChoice::followDesktop);
    choose(m_actions->themeDark, SchemeChoice::dark);
    choose(m_actions->themeLight, SchemeChoice::light);
}

void MainWindow::showView() {
    const PaneGrid* panes = m_page->panes();
    const QString zoom = tr("%1 %").arg(format::integer(std::llround(100 * panes->viewState()->zoom())));
    m_status->setView(panes->linked() ? tr("%1, linked").arg(zoom) : tr("panes not linked"));
}

void MainWindow::adapt() {
    const LayoutRules rules = layoutRules(size());
    if (m_adapted && rules == m_rules) return;
    m_adapted = true;
    const LayoutRules before = m_rules;
    m_rules = rules;
    m_session->variants().setIdeasInTooltips(rules.ideasInTooltips);
    m_results->setFewColumns(rules.fewColumns);
    m_header->setDeviceHidden(rules.deviceHidden);
    m_status->setLegendFolded(rules.legendFolded);
    if (rules.sourceBehindResults != before.sourceBehindResults) placeSource();
    // Sizes that the user has set stay, unless the rule for them changed.
    if (rules.taskNarrow != before.taskNarrow) resizeDocks({m_taskDock}, {rules.taskWidth()}, Qt::Horizontal);
    if (rules.sixRows != before.sixRows) resizeDocks({m_resultsDock}, {rules.resultsHeight()}, Qt::Vertical);
}

void MainWindow::placeSource() {
    if (m_rules.sourceBehindResults) {
        tabifyDockWidget(m_resultsDock, m_sourceDock);
        m_resultsDock->raise();
    } else {
        removeDockWidget(m_sourceDock);
        addDockWidget(Qt::RightDockWidgetArea, m_sourceDock);
        m_sourceDock->show();
        resizeDocks({m_sourceDock}, {LayoutRules::kSourceWidth}, Qt::Horizontal);
    }
}

void MainWindow::hideDocks(bool hide) {
    if (hide) {
        m_hidden.clear();
        for (QDockWidget* dock : {m_taskDock, m_resultsDock, m_sourceDock})
            if (!dock->isHidden()) m_hidden << dock;
    }
    for (QDockWidget* dock : m_hidden) dock->setVisible(!hide);
    if (!hide && m_rules.sourceBehindResults) m_resultsDock->raise();
}

void MainWindow::toggleFullScreen(bool on) {
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    m_actions->cancel->setEnabled(on || m_session->busy());
}

void MainWindow::showHelp() {
    (new HelpWindow(m_actions->all(), QString::fromStdString(m_session->devices().whyNoCuda), this))->show();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    adapt();
}

void MainWindow::restore() {
    restoreGeometry(m_settings.value(kGeometry).toByteArray());
    restoreState(m_settings.value(kState).toByteArray(), kStateVersion);
    // The window may have been left in another size than it has now.
    m_rules.sourceBehindResults = tabifiedDockWidgets(m_resultsDock).contains(m_sourceDock);
    m_page->setPaneCount(m_settings.value(kPanes, m_page->paneCount()).toInt());
    m_page->setLinked(m_settings.value(kLinked, true).toBool());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_session->cancel();
    if (m_actions->hideDocks->isChecked()) m_actions->hideDocks->setChecked(false);
    m_settings.setValue(kGeometry, saveGeometry());
    m_settings.setValue(kState, saveState(kStateVersion));
    m_settings.setValue(kPanes, m_page->paneCount());
    m_settings.setValue(kLinked, m_page->panes()->linked());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!FileCommands::droppedFile(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString file = FileCommands::droppedFile(event->mimeData());
    if (file.isEmpty()) return;
    event->acceptProposedAction();
    m_session->open(file);
}

}  // namespace warplens::gui
