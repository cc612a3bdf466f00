// SPDX-License-Identifier: Apache-2.0
#include "gui/window/main_window.hpp"

#include "gpu/core/registry.hpp"
#include "gui/compare/results_panel.hpp"
#include "gui/compare/source_panel.hpp"
#include "gui/document/batch_window.hpp"
#include "gui/document/crop_command.hpp"
#include "gui/filter/filter_page.hpp"
#include "gui/filter/steps_panel.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/panel.hpp"
#include "gui/reports/history_window.hpp"
#include "gui/request/presets_box.hpp"
#include "gui/request/task_panel.hpp"
#include "gui/request/variant_list.hpp"
#include "gui/session/presets.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/samples.hpp"
#include "gui/timeline/timeline_page.hpp"
#include "gui/why/why_page.hpp"
#include "gui/window/actions.hpp"
#include "gui/window/command_palette.hpp"
#include "gui/window/dock_arrangement.hpp"
#include "gui/window/file_commands.hpp"
#include "gui/window/header_bar.hpp"
#include "gui/window/help_windows.hpp"
#include "gui/window/key_editor.hpp"
#include "gui/window/page_stack.hpp"
#include "gui/window/preferences.hpp"
#include "gui/window/recovery_box.hpp"
#include "gui/window/report_commands.hpp"
#include "gui/window/start_page.hpp"
#include "gui/window/status_line.hpp"
#include "gui/window/variant_commands.hpp"

#include <QClipboard>
#include <QCloseEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScopedValueRollback>
#include <QScreen>
#include <QSettings>
#include <utility>

namespace warplens::gui {

namespace {

const QString kTheme = QStringLiteral("window/theme"), kWorkspace = QStringLiteral("window/workspace"),
              kLab = QStringLiteral("lab"), kPicture = QStringLiteral("picture"),
              kLengthsInUnit = QStringLiteral("form/lengths-in-unit");
constexpr QSize kLeast(480, 320);

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      m_settings(settings),
      m_place(settings),
      m_session(new CompareSession(this)),
      m_presets(new Presets(QFileInfo(settings.fileName()).dir().filePath(QStringLiteral("presets.json")), this)),
      m_actions(new Actions(this)),
      m_header(new HeaderBar(m_session->request(), m_session->control(), m_session->activity(), this)),
      m_pages(new PageStack(*m_session, this)),
      m_keeper(new SessionKeeper(*m_session, *m_pages,
                                 QFileInfo(settings.fileName()).dir().filePath(QStringLiteral("autosave")), this)),
      m_files(new FileCommands(m_session->request(), m_session->inputs(), m_session->outputs(), m_session->activity(),
                               *m_pages, *m_keeper, settings, this)),
      m_unsaved(new UnsavedWork(*m_session, *m_keeper, this)),
      m_task(new TaskPanel(m_session->request(), m_session->results(), m_session->inputs(), this)),
      m_results(new ResultsPanel(m_session->request(), m_session->runs(), this)),
      m_status(new StatusLine(m_session->request(), m_session->runs(), m_session->results(), m_session->preview(),
                              m_session->control(), m_session->activity(), this)) {
    setWindowTitle(QStringLiteral("Warplens"));
    setObjectName(QStringLiteral("main-window"));
    takeDroppedFiles(this, [this](const QStringList& paths) { openInput(paths.front()); });
    // Its own, or what is in it would push the window over the edge of a small screen before it has adapted.
    setMinimumSize(kLeast);
    resize(1600, 1000);
    WindowPlace::fitToScreen(*this);
    setCentralWidget(m_pages);
    setStatusBar(m_status);
    m_actions->fill(m_header->menus());
    setMenuWidget(m_header);
    m_filter = m_pages->findChild<FilterPage*>();
    QWidget* source = makeSourcePanel(
        m_session->request(), m_session->results(),
        [this](const QString& against) { m_pages->compareSources(against); }, this);
    m_docks = new DockArrangement(this, m_actions->docks, m_task, m_results, source, m_filter->steps(),
                                  makePresetButton(m_session->parameters(), m_session->activity(), *m_presets, this));
    makePages();
    makeStart();
    m_keys = new KeyMap(m_actions->all(), settings, this);
    m_lastKey = new LastKey(m_actions->all(), this);
    wireActions();
    wireHelpers();
    wireThemes();
    m_adaptLater.setSingleShot(true);
    m_adaptLater.setInterval(0);
    connect(&m_adaptLater, &QTimer::timeout, this, &MainWindow::adapt);
    followScreens();
    restore();
    adapt();
    connect(&m_session->document(), &Document::changed, this, [this] {
        m_afterSaving = nullptr;
        letRun(m_actions->atOnce->isChecked());
        m_pages->leaveStart();
        const Document::State& open = m_session->document().state();
        setWindowTitle(tr("%1 - Warplens").arg(open.place != nullptr ? open.place->origin.name() : open.name()));
        for (QAction* action : {m_actions->savePicture, m_actions->cropSeen, m_actions->cropRectangle})
            action->setEnabled(true);
        for (const auto& [action, service] : m_actions->turns) action->setEnabled(true);
        const bool volume = m_session->document().grid()->shape().depth > 1;
        for (const auto& [action, family, command] : m_actions->familyWork)
            action->setEnabled(volume || !command.ofVolumes);
    });
    showView();
}

MainWindow::~MainWindow() {
    delete m_keeper;
    delete m_pages;  // before the session, which the first children would outlive
}

void MainWindow::makePages() {
    for (Page* page : m_pages->pages()) {
        // A menu hears the keys of its commands too, and two pages may have one key.
        QAction* commands = m_actions->adopt(page->title(), page->actions());
        const auto show = [page, commands](const Page* current) {
            commands->setVisible(current == page && !page->actions().isEmpty());
        };
        show(m_pages->current());
        connect(m_pages, &PageStack::pageChanged, commands, show);
        m_docks->addStatistics(page);
    }
    for (const auto workspace : {Page::Workspace::lab, Page::Workspace::picture})
        for (Page* page : m_pages->pages())
            if (page->standsIn(workspace)) makePageButton(workspace, page);
    connect(m_pages, &PageStack::workspaceChanged, this, [this] {
        m_header->setWorkspace(m_pages->workspace());
        arrangeFor(m_pages->current());
    });
    m_header->setWorkspace(m_pages->workspace());
    connect(m_pages, &PageStack::pageChanged, this, &MainWindow::arrangeFor);
    for (Page* page : m_pages->pages())
        connect(page, &Page::docksChanged, this, [this, page] {
            if (page == m_pages->current()) m_docks->arrangeFor(page, m_pages->workspace());
        });
    arrangeFor(m_pages->current());
}

void MainWindow::makeStart() {
    m_start = new StartPage(m_files->recent(), m_session->activity(), m_pages);
    m_pages->setStart(m_start);
    connect(m_start, &StartPage::helpWanted, this, &MainWindow::showHelp);
    connect(m_start, &StartPage::openWanted, m_files, &FileCommands::open);
    connect(m_start, &StartPage::folderWanted, m_files, &FileCommands::openFolder);
    connect(m_start, &StartPage::pasteWanted, m_files, &FileCommands::pastePicture);
    connect(m_start, &StartPage::pictureWanted, this, &MainWindow::openInput);
    connect(m_start, &StartPage::backWanted, this, [this] {
        if (!m_session->document().empty()) m_pages->leaveStart();
    });
    connect(m_start, &StartPage::wayChosen, this, [this](StartPage::Way way) {
        if (way == StartPage::Way::learn) return m_pages->setCurrent(m_pages->page(QStringLiteral("lessons")));
        const bool filters = way == StartPage::Way::filter;
        m_pages->setWorkspaceToCome(filters ? Page::Workspace::picture : Page::Workspace::lab);
        if (filters) return m_files->open();
        m_session->document().empty() ? openInput(defaultSample()) : m_pages->leaveStart();
    });
    // What a lesson wants to be looked at was asked for.
    connect(m_pages->page(QStringLiteral("lessons")), &Page::pageRequested, this,
            [this] { letRun(m_actions->atOnce->isChecked() || m_session->activity().noticeIsInstruction()); });
    m_session->inputs().setGuard([this](const std::function<void()>& then) {
        leaveWork(tr("Open another picture"), UnsavedWork::Before::another, then);
    });
    const auto saved = [this] {
        // Whoever knows what is saved hears of it first.
        QTimer::singleShot(0, this, [this] {
            if (const auto after = std::exchange(m_afterSaving, nullptr)) after();
        });
    };
    connect(m_keeper, &SessionKeeper::saved, this, saved);
    connect(&m_session->outputs(), &ResultFiles::saved, this, saved);
    connect(m_actions->start, &QAction::triggered, this, &MainWindow::showStart);
}

void MainWindow::showStart() { m_pages->setCurrent(m_start); }

void MainWindow::setAtOnce(bool atOnce) {
    m_actions->atOnce->setChecked(atOnce);
    m_settings.setValue(kAtOnce, atOnce);
    letRun(atOnce);
}

void MainWindow::letRun(bool atOnce) {
    m_session->control().setAtOnce(atOnce);
    findChild<WhyPage*>()->model().setAtOnce(atOnce);
}

void MainWindow::makePageButton(Page::Workspace workspace, Page* page) {
    QPushButton* button = m_header->addPage(workspace, page->title(), page == m_pages->current());
    QAction* action = m_actions->addPage(workspace, page->id(), page->title());
    action->setChecked(page == m_pages->current());
    setWidgetText(button, {.id = (workspace == Page::Workspace::lab ? QStringLiteral("page-button-")
                                                                    : QStringLiteral("view-button-")) +
                                 page->id(),
                           .tip = action->shortcut().toString(QKeySequence::NativeText)});
    const auto show = [this, page] { m_pages->setCurrent(page); };
    connect(button, &QPushButton::clicked, this, [button, show] {
        button->setChecked(true);  // a click on the page shown changes nothing
        show();
    });
    connect(action, &QAction::triggered, this, show);
    const auto follow = [this, workspace, action, page, button] {
        const bool offered = m_pages->offers(workspace, *page);
        action->setVisible(m_pages->workspace() == workspace && offered);  // else its key is not heard
        m_header->setOffered(button, offered);
    };
    connect(m_pages, &PageStack::workspaceChanged, action, follow);
    connect(&m_session->document(), &Document::changed, action, follow);
    follow();
    connect(m_pages, &PageStack::pageChanged, this, [this, workspace, page, button, action](const Page* current) {
        if (current != page || m_pages->workspace() != workspace) return;
        button->setChecked(true);
        action->setChecked(true);
    });
}

/// Where one filters what the views show is saved.
Page::Primary MainWindow::primary() const {
    const Page* page = m_pages->current();
    const bool own = !page->primary().text.isEmpty() || page == m_start;
    return own || m_pages->workspace() == Page::Workspace::lab ? page->primary() : m_filter->primary();
}

void MainWindow::arrangeFor(Page* page) {
    m_docks->arrangeFor(page, m_pages->workspace());
    page->setWorkspace(m_pages->workspace());
    m_session->control().setFiltering(m_pages->workspace() == Page::Workspace::picture);
    m_session->activity().setPersistentShown(m_pages->workspace() == Page::Workspace::lab);
    m_header->setPagesShown(page != m_start);
    m_header->setPagePrimary(primary());
    const bool filters = m_pages->workspace() == Page::Workspace::picture && page != m_start;
    m_filter->steps()->setTells(!filters           ? StepsPanel::Tells::nothing
                                : page == m_filter ? StepsPanel::Tells::step
                                                   : StepsPanel::Tells::task);
    m_status->setPageWidget(filters ? m_filter->steps()->quietLine() : page->statusWidget());
    m_status->setLegendShown(!filters);  // few marks are seen there, and each says what it is
    m_task->setPageRow(page->taskRow());
    m_task->follow(page->currentView());
    m_actions->link->setChecked(page->linked());
}

void MainWindow::wireActions() {
    const auto on = [this](QAction* action, auto receiver, auto slot) {
        connect(action, &QAction::triggered, receiver, slot);
    };
    connect(m_files, &FileCommands::inputRefused, this, &MainWindow::inputRefused);
    on(m_actions->open, m_files, &FileCommands::open);
    on(m_actions->openFolder, m_files, &FileCommands::openFolder);
    on(m_actions->openSeries, m_files, &FileCommands::openSeries);
    on(m_actions->openRaw, m_files, &FileCommands::openRaw);
    on(m_actions->reload, &m_session->inputs(), &InputFiles::reload);
    for (const auto& [action, file] : m_actions->openValues)
        on(action, m_files, [this, values = file] { m_files->openValues(values); });
    on(m_actions->toFloat, &m_session->inputs(), &InputFiles::convertToFloat);
    on(m_actions->saveResult, m_files, &FileCommands::saveResult);
    on(m_actions->savePicture, m_files, &FileCommands::savePicture);
    on(m_actions->saveSession, m_files, &FileCommands::saveSession);
    on(m_actions->exportView, m_files, &FileCommands::exportView);
    on(m_actions->printView, m_files, &FileCommands::printView);
    on(m_actions->copyPicture, m_files, &FileCommands::copyPicture);
    on(m_actions->pastePicture, m_files, &FileCommands::pastePicture);
    on(m_actions->copyTable, m_results, &ResultsPanel::copyTable);
    m_actions->follow(m_session->history().stack());
    for (const auto& [action, service] : m_actions->turns)
        on(action, this, [this, step = service] {
            const gpu::Family& family = gpu::familyFor(step);
            if (!m_session->recipe().continueWith(family, family.info().services.at(step)))
                m_session->work().turn(step);
        });
    for (const Actions::FamilyCommand& one : m_actions->familyWork)
        on(one.action, this, [this, one] {
            const auto& [action, family, command] = one;
            if (command.work)
                m_session->work().take(command.work, command.done);
            else if (!m_session->recipe().continueWith(*family, command.values))
                m_session->work().take(*family, command.values, command.done);
        });
    on(m_actions->copyCommand, this, [this] {
        const QString command = m_session->request().command();
        if (command.isEmpty())
            m_session->activity().report(
                tr("No command line makes this picture or mask; save it, open the file, and copy then."));
        else
            QGuiApplication::clipboard()->setText(command);
    });
    on(m_actions->quit, this, &QWidget::close);
    on(m_actions->zoomIn, this, [this] { m_pages->current()->zoomIn(); });
    on(m_actions->zoomOut, this, [this] { m_pages->current()->zoomOut(); });
    on(m_actions->actualSize, this, [this] { m_pages->current()->actualSize(); });
    on(m_actions->fit, this, [this] { m_pages->current()->fit(); });
    on(m_actions->compare, this, [this] {
        if (m_pages->workspace() == Page::Workspace::picture) m_pages->setWorkspace(Page::Workspace::lab);
        m_session->control().compare();
    });
    on(m_actions->explain, this, [this] {
        m_pages->setCurrent(m_pages->page(QStringLiteral("why")));
        m_pages->current()->runPrimary();
    });
    on(m_actions->cancel, this, [this] {
        if (m_pages->current()->playing())
            m_pages->current()->playOrPause();
        else if (m_session->activity().busy())
            m_session->activity().cancel();
        else if (m_session->activity().noticeIsError())
            m_session->activity().dismissNotice();
        else
            m_actions->fullScreen->setChecked(false);
    });
    on(m_actions->play, this, [this] { m_pages->current()->playOrPause(); });
    on(m_actions->step, this, [this] { m_pages->current()->step(); });
    on(m_actions->guide, this, [this] { makeGuideWindow(this)->show(); });
    on(m_actions->help, this, &MainWindow::showHelp);
    on(m_actions->words, this, [this] { makeTermsWindow(this)->show(); });
    on(m_actions->glossary, this, [this] { makeGlossary(this)->show(); });
    on(m_actions->about, this, [this] { makeAboutWindow(this)->show(); });
    connect(m_actions->link, &QAction::toggled, this, [this](bool linked) { m_pages->current()->setLinked(linked); });
    connect(m_pages, &PageStack::linkedChanged, m_actions->link, &QAction::setChecked);
    connect(m_actions->hideDocks, &QAction::toggled, m_docks, &DockArrangement::setAllHidden);
    connect(m_actions->fullScreen, &QAction::toggled, this, &MainWindow::toggleFullScreen);
    connect(m_header, &HeaderBar::primaryClicked, this, [this] {
        if (m_session->control().comparing())
            m_session->activity().cancel();
        else if (!m_pages->current()->primary().text.isEmpty())
            m_pages->current()->runPrimary();
        else if (m_pages->workspace() == Page::Workspace::picture)
            m_filter->runPrimary();
        else
            m_session->control().compare();
    });
    connect(&m_session->activity(), &Activity::busyChanged, this, &MainWindow::showCancel);
    connect(&m_session->activity(), &Activity::noticeChanged, this, &MainWindow::showCancel);
    connect(m_pages, &PageStack::helpWanted, this, &MainWindow::showHelp);
    connect(m_pages, &PageStack::viewChanged, this, &MainWindow::showView);
    connect(m_pages, &PageStack::primaryChanged, this, [this] { m_header->setPagePrimary(primary()); });
    connect(m_actions->samples, &QMenu::aboutToShow, this, [this] { m_files->fillSamples(m_actions->samples); });
    connect(m_actions->recent, &QMenu::aboutToShow, this, [this] { m_files->fillRecent(m_actions->recent); });
    connect(m_task, &TaskPanel::done, this, [this] { m_pages->current()->setFocus(); });
    connect(m_task, &TaskPanel::refused, this, [this](const QString& why) { m_session->activity().report(why); });
}

void MainWindow::wireHelpers() {
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(m_actions->changeWorkspace, [this] {
        m_pages->setWorkspace(m_pages->workspace() == Page::Workspace::lab ? Page::Workspace::picture
                                                                           : Page::Workspace::lab);
    });
    FilterPage* filter = m_filter;
    connect(filter, &FilterPage::saveWanted, m_actions->saveResult, &QAction::trigger);
    StepsPanel* steps = filter->steps();
    steps->setPresets(*m_presets);
    connect(m_presets, &Presets::changed, steps, [this, steps] { steps->setPresets(*m_presets); });
    connect(m_header, &HeaderBar::workspaceWanted, m_pages, &PageStack::setWorkspace);
    on(m_actions->palette, [this] {
        makeCommandPalette(paletteEntries(m_actions->all(), m_session->request(), m_session->inputs(),
                                          m_session->activity(), *m_presets),
                           this)
            ->show();
    });
    const Cropping crop =
        makeCropping(m_session->work(), m_session->recipe(), m_session->request(), m_session->activity(), this);
    // Where steps are made it is one.
    on(m_actions->cropSeen, [this, crop, filter] {
        filter == m_pages->current() ? filter->addCrop(filter->seen()) : crop.toSeen(*m_pages->current());
    });
    on(m_actions->cropRectangle, [this, crop, filter] {
        filter == m_pages->current() ? filter->addCrop() : crop.toRectangle(*m_pages->current());
    });
    connect(steps, &StepsPanel::batchWanted, m_actions->batch, &QAction::trigger);
    on(m_actions->batch, [this, filter] {
        if (auto* open = findChild<BatchWindow*>()) return open->raise();
        auto* batch =
            new BatchWindow(m_session->control(), m_session->request(), m_session->recipe(), m_settings, this);
        if (filter == m_pages->current())
            batch->setExample(filter->result(), filter->origin().picture.grid, filter->resultName());
        auto* timeline = findChild<TimelinePage*>();
        connect(batch, &BatchWindow::recorded, timeline, &TimelinePage::show);
        connect(batch, &BatchWindow::timelineWanted, this, [this, timeline] { m_pages->setCurrent(timeline); });
        batch->show();
    });
    connect(findChild<TimelinePage*>(), &TimelinePage::folderWanted, m_actions->batch, &QAction::trigger);
    on(m_actions->changeKeys, [this] { makeKeyEditor(*m_keys, this)->show(); });
    on(m_actions->managePresets,
       [this] { makePresetBox(*m_presets, m_session->parameters(), m_session->activity(), this)->show(); });
    auto* variants = m_task->findChild<VariantList*>();
    on(m_actions->goToVariants, [this, variants] {
        m_docks->showTask();
        variants->setFocus(Qt::ShortcutFocusReason);
    });
    wireVariants(*m_actions, m_session->request(), m_session->lookedAt(), variants, [this] { m_docks->showTask(); });
    variants->addActions({m_actions->checkAll, m_actions->checkNone});
    connect(m_actions->checkAll, &QAction::triggered, &m_session->variants(), &VariantListModel::checkAll);
    connect(m_actions->checkNone, &QAction::triggered, &m_session->variants(), &VariantListModel::checkNone);
    on(m_actions->resetParameters, [this] { Preset().apply(m_session->parameters()); });
    connect(m_actions->presets, &QMenu::aboutToShow, this,
            [this] { fillPresets(m_actions->presets, m_session->parameters(), m_session->activity(), *m_presets); });
    connect(m_actions->projector, &QAction::toggled, this, &MainWindow::project);
    auto* reports = new ReportCommands(m_session->request(), m_session->results(), m_session->activity(), *m_pages,
                                       m_settings, m_actions->reportActions, this);
    connect(m_actions->exportReport, &QAction::triggered, reports, &ReportCommands::exportReport);
    connect(m_actions->copyMarkdown, &QAction::triggered, reports, &ReportCommands::copyMarkdown);
    connect(m_actions->reports, &QAction::triggered, reports, &ReportCommands::showReports);
    connect(m_actions->commandLines, &QMenu::aboutToShow, reports,
            [this, reports] { reports->fillCommands(m_actions->commandLines); });
    auto* kept =
        new KeptComparisons(m_session->control(), m_session->results(), m_session->activity(), m_settings, this);
    on(m_actions->preferences, [this, kept] {
        if (auto* open = findChild<Preferences*>()) return open->raise();
        (new Preferences(*m_actions, *kept, m_files->recent(), m_settings, this))->show();
    });
    connect(kept, &KeptComparisons::slowerChanged, m_results, [this, kept] { m_results->setSlower(kept->slower()); });
    wireTimes(*m_actions, m_results, findChild<WhyPage*>()->model(), m_settings);
    connect(m_results, &ResultsPanel::historyWanted, m_actions->keptComparisons, &QAction::trigger);
    on(m_actions->keptComparisons, [this, kept, reports] {
        auto* history = findChild<HistoryWindow*>();
        if (history == nullptr) {
            history = new HistoryWindow(*kept, m_actions->removeKept, this);
            connect(history, &HistoryWindow::opened, reports, &ReportCommands::showKept);
        }
        history->show();
        history->raise();
        history->activateWindow();
    });
    if (!m_presets->problems().isEmpty()) m_session->activity().report(m_presets->problems().front());
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
    const Page* page = m_pages->current();
    m_status->setView(page->viewText());
    for (QAction* action : {m_actions->play, m_actions->step}) action->setEnabled(page->watchable());
    showCancel();
}

void MainWindow::showCancel() {
    const Activity& activity = m_session->activity();
    m_actions->cancel->setEnabled(activity.busy() || activity.noticeIsError() || isFullScreen() ||
                                  m_pages->current()->playing());
}

void MainWindow::project(bool on) {
    const QSize before = size();
    const QScopedValueRollback projecting(m_projecting, true);
    Theme::setProjector(on ? projectorType(before) : 1, this);
    m_lastKey->setOn(on);
    m_docks->retitle();
    adapt();
    layout()->activate();
    resize(before);  // larger type may have pushed the window before it adapted
}

void MainWindow::adapt() {
    if (projector() && !m_projecting && typeScale() != projectorType(size())) {
        project(false);
        project(true);
    }
    const LayoutRules rules = layoutRules((QSizeF(size()) / typeScale()).toSize());  // room for type
    m_session->variants().setIdeasInTooltips(rules.ideasInTooltips);
    m_results->setFewColumns(rules.fewColumns);
    m_header->setDeviceHidden(rules.deviceHidden);
    m_status->setLegendFolded(rules.legendFolded);
    m_docks->adapt(rules);
}

void MainWindow::toggleFullScreen(bool on) {
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    showCancel();
}

void MainWindow::showHelp() {
    makeHelpWindow(m_actions->all(), QString::fromStdString(m_session->devices().list().whyNoCuda), this)->show();
}

/// A laptop is taken from its monitor, or its panel becomes larger: the window stays on the screen.
void MainWindow::followScreens() {
    const auto fit = [this] { QTimer::singleShot(0, this, [this] { WindowPlace::fitToScreen(*this); }); };
    const auto follow = [this, fit](QScreen* screen) {
        connect(screen, &QScreen::availableGeometryChanged, this, fit);
    };
    for (QScreen* screen : QGuiApplication::screens()) follow(screen);
    connect(qGuiApp, &QGuiApplication::screenAdded, this, follow);
    connect(qGuiApp, &QGuiApplication::screenRemoved, this, fit);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_adaptLater.start();  // docks cannot be moved while they are laid out
}

void MainWindow::restore() {
    m_place.restore(*this);
    m_docks->restored();
    setAtOnce(m_settings.value(kAtOnce, false).toBool());
    connect(m_actions->atOnce, &QAction::toggled, this, &MainWindow::setAtOnce);
    m_session->parameters().setLengthsInUnit(m_settings.value(kLengthsInUnit, false).toBool());
    for (Page* page : m_pages->pages()) page->restore(m_settings);
    if (m_settings.value(kWorkspace, kPicture).toString() == kPicture) m_pages->setWorkspace(Page::Workspace::picture);
}

void MainWindow::leaveWork(const QString& title, UnsavedWork::Before before, const std::function<void()>& then) {
    const QString id = QStringLiteral("quit-box"), lost = m_unsaved->what(before);
    if (lost.isEmpty() || qApp->property(kNoQuestions).toBool()) return then();
    if (findChild<QDialog*>(id) != nullptr) return;
    const bool quits = before == UnsavedWork::Before::quit;
    QDialog* box = makeQuestion({.id = id,
                                 .title = title,
                                 .textId = QStringLiteral("quit-text"),
                                 .text = tr("This is not saved: %1.").arg(lost),
                                 .answers = {{"quit-save", savesPicture() ? tr("Save...") : tr("Save the session..."),
                                              [this, then] { saveWork(then); }},
                                             {"quit-anyway", quits ? tr("Quit without saving") : tr("Discard"), then},
                                             {"quit-cancel", tr("Cancel"), [] {}}}},
                                this);
    box->setModal(true);
    box->show();
}

bool MainWindow::savesPicture() const { return qobject_cast<FilterPage*>(m_pages->current()) != nullptr; }

void MainWindow::saveWork(const std::function<void()>& then) {
    savesPicture() ? m_files->saveResult() : m_files->saveSession();
    m_afterSaving = nullptr;
    for (QDialog* asks : findChildren<QDialog*>()) {
        if (asks->objectName() != QStringLiteral("save-box") && qobject_cast<QFileDialog*>(asks) == nullptr) continue;
        m_afterSaving = then;
        connect(asks, &QDialog::rejected, this, [this] { m_afterSaving = nullptr; });
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_unsaved->what().isEmpty() && !qApp->property(kNoQuestions).toBool()) {
        event->ignore();
        return leaveWork(tr("Quit Warplens"), UnsavedWork::Before::quit, [this] {
            m_unsaved->giveUp();
            close();
        });
    }
    m_session->activity().cancel();
    m_actions->projector->setChecked(false);
    if (m_actions->hideDocks->isChecked()) m_actions->hideDocks->setChecked(false);
    for (const Page* page : m_pages->pages()) page->save(m_settings);
    m_settings.setValue(kLengthsInUnit, m_session->parameters().lengthsInUnit());
    m_settings.setValue(kWorkspace, m_pages->workspace() == Page::Workspace::lab ? kLab : kPicture);
    m_place.keepSize(*this);
    m_docks->arrangeFor(m_pages->pages().front(), Page::Workspace::lab);  // what is shown at the next start
    m_place.keepDocks(*this);
    QMainWindow::closeEvent(event);
}

void MainWindow::openInput(const QString& input) { m_files->openInput(input); }

bool MainWindow::offerRecovery() {
    const QString lost = m_keeper->lost();
    if (lost.isEmpty()) return false;
    makeRecoveryBox(*m_keeper, lost, this)->show();
    return true;
}

}  // namespace warplens::gui
