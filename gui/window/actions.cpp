// SPDX-License-Identifier: Apache-2.0
#include "gui/window/actions.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/keys.hpp"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

namespace warplens::gui {

Actions::Actions(QWidget* window) : QObject(window), m_window(window), m_pages(new QActionGroup(this)) {
    open = make("open", tr("&Open..."), {QKeySequence::Open});
    openFolder = make("open-folder", tr("Open &DICOM folder..."));
    openSeries = make("open-series", tr("Open &numbered pictures..."));
    openRaw = make("open-raw", tr("Import ra&w data..."));
    start = make("start", tr("Start pa&ge"));
    atOnce = make("at-once", tr("Run and count at once"));
    reload = make("reload", tr("Re&load"), {QKeySequence(Qt::CTRL | Qt::Key_F5)});
    for (const gpu::Family* family : gpu::families())
        for (const Lens::ValuesFile& file : lensOf(*family).valuesFiles())
            openValues.emplace_back(make(file.action, file.text, {file.key}), file);
    saveResult = make("save-result", tr("&Save result..."), {QKeySequence::Save});
    savePicture = make("save-picture", tr("Sa&ve original..."));
    saveSession = make("save-session", tr("Save sess&ion..."), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)});
    exportView = make("export-view", tr("&Export view..."), {QKeySequence(Qt::CTRL | Qt::Key_E)});
    copyCommand =
        make("copy-command", tr("Cop&y equivalent command line"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)});
    copyTable = make("copy-table-action", tr("Copy ta&ble"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
    copyMarkdown =
        make("copy-markdown", tr("Copy report as Markdow&n"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)});
    exportReport = make("export-report", tr("Export &report..."), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)});
    reports = make("reports", tr("Compare re&ports..."), {QKeySequence(Qt::CTRL | Qt::Key_R)});
    printView = make("print-view", tr("Prin&t view..."), {QKeySequence::Print});
    batch = make("batch", tr("&Batch process folder..."), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O)});
    cropSeen = make("crop-seen", tr("Crop to vie&w"), {QKeySequence(Qt::CTRL | Qt::Key_T)});
    cropRectangle =
        make("crop-rectangle", tr("Crop to a rectan&gle"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)});
    preferences = make("preferences-action", tr("Pre&ferences..."), {QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    copyPicture = make("copy-picture", tr("Copy p&icture as shown"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C)});
    pastePicture = make("paste-picture", tr("P&aste picture"), {QKeySequence::Paste});
    keptComparisons = make("history", tr("&History..."), {QKeySequence(Qt::CTRL | Qt::Key_H)});
    removeKept = makeForList("remove-kept", tr("Delete the chosen comparisons of the history"), QKeySequence::Delete);
    removeKept->setProperty(kWindow, QStringLiteral("history"));
    removeKept->setEnabled(false);
    undo = make("undo", tr("&Undo"), {QKeySequence::Undo});
    redo =
        make("redo", tr("&Redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    toFloat = make("to-float", tr("Convert to &32-bit float"));
    quit = make("quit", tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    turns = {
        {make("turn-left", tr("Turn &left"), {QKeySequence(Qt::CTRL | Qt::Key_BracketLeft)}), gpu::Service::turnLeft},
        {make("turn-right", tr("Turn righ&t"), {QKeySequence(Qt::CTRL | Qt::Key_BracketRight)}),
         gpu::Service::turnRight},
        {make("flip-horizontally", tr("Flip &horizontally")), gpu::Service::flipHorizontally},
        {make("flip-vertically", tr("Flip &vertically")), gpu::Service::flipVertically}};
    for (const gpu::Family* family : gpu::families())
        for (const Lens::PictureCommand& command : lensOf(*family).pictureCommands())
            familyWork.push_back({make(command.action, command.text), family, command});
    zoomIn = make("zoom-in", tr("Zoom &in"),
                  {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    zoomOut = make("zoom-out", tr("Zoom &out"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)});
    actualSize = make("actual-size", tr("&100 %"), {QKeySequence(Qt::CTRL | Qt::Key_0)});
    fit = make("fit", tr("&Fit"), {QKeySequence(Qt::Key_F)});
    link = make("link-panes", tr("&Link panes"), {QKeySequence(Qt::CTRL | Qt::Key_L)});
    hideDocks = make("hide-docks", tr("Hid&e docks"), {QKeySequence(Qt::CTRL | Qt::Key_B)});
    allStages = make("all-stages", tr("Times of all &stages"), {QKeySequence(Qt::SHIFT | Qt::Key_T)});
    columns = make("columns", tr("&Columns of the times..."));
    fullScreen = make("full-screen", tr("F&ull screen"), {QKeySequence(Qt::Key_F11)});
    themeSystem = make("theme-system", tr("Like the &desktop"));
    themeDark = make("theme-dark", tr("D&ark"));
    themeLight = make("theme-light", tr("&Light"));
    compare = make("compare", tr("&Compare"), {QKeySequence(Qt::Key_F5)});
    explain = make("explain", tr("Coun&t all variants"), {QKeySequence(Qt::Key_F6)});
    changeWorkspace = make("workspace", tr("&Workspace: Picture or Lab"),
                           {QKeySequence(Qt::Key_F2), QKeySequence(Qt::CTRL | Qt::Key_QuoteLeft)});
    cancel = make("cancel", tr("C&ancel"), {QKeySequence(Qt::Key_Escape)});
    play = make("play", tr("&Play or pause the iteration"), {QKeySequence(Qt::Key_P)});
    step = make("step", tr("&Step of the iteration"), {QKeySequence(Qt::Key_N)});
    guide = make("guide", tr("&User's guide"), {QKeySequence(Qt::Key_F1)});
    help = make("help", tr("&Keys and answers"), {QKeySequence(Qt::Key_Question)});
    glossary = make("glossary", tr("&Glossary"));
    words = make("words-elsewhere", tr("CUDA &terms in other languages"));
    changeKeys = make("change-keys", tr("Change ke&ys..."));
    palette = make("palette", tr("&Commands by name..."),
                   {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), QKeySequence(Qt::CTRL | Qt::Key_K)});
    managePresets =
        make("presets", tr("Save and &manage presets..."), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)});
    resetParameters = make("reset-parameters", tr("All values at their &defaults"));
    goToVariants = make("go-to-variants", tr("Go to the list of &variants"), {QKeySequence(Qt::CTRL | Qt::Key_J)});
    duplicateVariant =
        make("duplicate-variant", tr("Add row with &other launch parameters"), {QKeySequence(Qt::CTRL | Qt::Key_D)});
    changeVariant = make("change-variant", tr("Chan&ge the row's launch parameters"));
    removeVariant = make("remove-variant", tr("&Remove the row"));
    checkAll = makeForList("check-all", tr("Select a&ll variants"), QKeySequence::SelectAll);
    checkNone = makeForList("check-none", tr("Select &no variant"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A));
    reportActions = {.add = makeAside("add-reports", tr("Add report files"), QKeySequence::Open),
                     .copy = makeAside("copy-reports", tr("Copy the reports' table as Markdown"), QKeySequence::Copy),
                     .exportAll = makeAside("export-reports", tr("Export the reports' table"), QKeySequence::Save),
                     .remove = makeForList("remove-report", tr("Remove the chosen report"), QKeySequence::Delete)};
    for (QAction* action : reportActions.all()) {
        action->setProperty(kWindow, QStringLiteral("reports"));
        action->setEnabled(false);
    }
    projector = make("projector", tr("P&rojector mode"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)});
    about = make("about", tr("&About Warplens"));
    for (QAction* toggle :
         {link, hideDocks, fullScreen, allStages, projector, atOnce, themeSystem, themeDark, themeLight})
        toggle->setCheckable(true);
    link->setChecked(true);
    auto* themes = new QActionGroup(this);
    for (QAction* theme : {themeSystem, themeDark, themeLight}) themes->addAction(theme);
    // Only while there is something to stop: Esc means other things elsewhere.
    for (QAction* action : {cancel, play, step, savePicture, cropSeen, cropRectangle}) action->setEnabled(false);
    for (const auto& [action, service] : turns) action->setEnabled(false);
    for (const FamilyCommand& work : familyWork) work.action->setEnabled(false);
    samples = recent = docks = pages = view = presets = commandLines = nullptr;
    new TypingKeys(this);
}

QAction* Actions::make(const char* name, const QString& text, const QList<QKeySequence>& keys) {
    auto* action = new QAction(text, this);
    action->setObjectName(QString::fromUtf8(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    m_window->addAction(action);  // works while the menus are hidden, too
    m_all << action;
    return action;
}

QAction* Actions::makeAside(const char* name, const QString& text, const QKeySequence& key) {
    QAction* action = make(name, text, {key});
    m_window->removeAction(action);
    return action;
}

QAction* Actions::makeForList(const char* name, const QString& text, const QKeySequence& key) {
    QAction* action = makeAside(name, text, key);
    action->setShortcutContext(Qt::WidgetShortcut);
    return action;
}

QAction* Actions::addPage(Page::Workspace workspace, const QString& id, const QString& title) {
    const int number = ++m_pagesOf[workspace];
    const QString name = (workspace == Page::Workspace::lab ? QStringLiteral("page-") : QStringLiteral("view-")) + id;
    QAction* action = make(qPrintable(name), title, {QKeySequence(Qt::CTRL | (Qt::Key_0 + number))});
    action->setCheckable(true);
    m_pages->addAction(action);
    pages->addAction(action);
    return action;
}

void Actions::follow(QUndoStack& stack) {
    undo->setEnabled(stack.canUndo());
    redo->setEnabled(stack.canRedo());
    connect(undo, &QAction::triggered, &stack, &QUndoStack::undo);
    connect(redo, &QAction::triggered, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    const auto name = [](QAction* action, const QString& verb) {
        return
            [action, verb](const QString& change) { action->setText(change.isEmpty() ? verb : verb + ' ' + change); };
    };
    connect(&stack, &QUndoStack::undoTextChanged, undo, name(undo, tr("&Undo")));
    connect(&stack, &QUndoStack::redoTextChanged, redo, name(redo, tr("&Redo")));
}

QAction* Actions::adopt(const QString& title, const QList<QAction*>& commands) {
    auto* menu = new QMenu(title, view);
    menu->addActions(commands);
    m_all << commands;
    return view->insertMenu(hideDocks, menu);
}

void Actions::fill(QMenuBar* bar) {
    QMenu* file = bar->addMenu(tr("&File"));
    file->addActions({start, open, openFolder, openSeries, openRaw});
    samples = file->addMenu(tr("Open s&ample"));
    recent = file->addMenu(tr("Open re&cent"));
    file->addAction(reload);
    for (const auto& [action, values] : openValues) file->addAction(action);
    file->addSeparator();
    file->addActions({saveResult, savePicture, saveSession, exportView, printView, exportReport});
    file->addSeparator();
    file->addActions({batch, reports});
    file->addSeparator();
    file->addAction(quit);
    QMenu* edit = bar->addMenu(tr("&Edit"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addActions({copyPicture, pastePicture});
    edit->addSeparator();
    edit->addActions({cropSeen, cropRectangle, toFloat});
    QMenu* turn = edit->addMenu(tr("&Turn and flip"));
    for (const auto& [action, service] : turns) turn->addAction(action);
    QMenu* whole = edit->addMenu(tr("C&ontrast and projections"));
    for (const FamilyCommand& work : familyWork) whole->addAction(work.action);
    edit->addSeparator();
    presets = edit->addMenu(tr("&Presets"));
    edit->addActions({managePresets, resetParameters});
    edit->addSeparator();
    edit->addActions({copyCommand, copyTable, copyMarkdown});
    commandLines = edit->addMenu(tr("Copy a command line"));
    edit->addSeparator();
    edit->addAction(preferences);
    view = bar->addMenu(tr("&View"));
    view->addAction(changeWorkspace);
    pages = view->addMenu(tr("&Pages"));
    view->addSeparator();
    view->addAction(keptComparisons);
    view->addSeparator();
    view->addActions({zoomIn, zoomOut, actualSize, fit});
    view->addSeparator();
    view->addActions({link, allStages, columns});
    view->addSeparator();
    view->addMenu(tr("&Theme"))->addActions({themeSystem, themeDark, themeLight});
    docks = view->addMenu(tr("&Docks"));
    view->addActions({hideDocks, fullScreen, projector});
    QMenu* run = bar->addMenu(tr("&Run"));
    run->addActions({compare, explain, cancel, play, step});
    run->addSeparator();
    run->addActions({goToVariants, checkAll, checkNone, duplicateVariant, changeVariant, removeVariant});
    bar->addMenu(tr("&Help"))->addActions({palette, guide, help, glossary, words, changeKeys, about});
}

}  // namespace warplens::gui
