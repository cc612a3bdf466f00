// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/reports/report_actions.hpp"
#include "gui/session/lens.hpp"

#include <QAction>
#include <QList>
#include <QObject>
#include <map>
#include <utility>
#include <vector>

class QActionGroup;
class QMenu;
class QMenuBar;
class QUndoStack;

namespace warplens::gui {

/// Every command of the window, once: menus, keys and the key sheet come from here.
class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QWidget* window);
    /// Fills the menu bar. The submenus for samples and recent files are filled by who knows them.
    void fill(QMenuBar* bar);
    /// A page's entry in the menu, Ctrl+1 and so on in each workspace; after fill().
    QAction* addPage(Page::Workspace workspace, const QString& id, const QString& title);
    /// Undo and redo act on this stack and name its steps.
    void follow(QUndoStack& stack);
    /// Takes the commands of a page into the table and the View menu; after fill(). Returns the menu's entry: while it
    /// is disabled, the keys of its commands are not heard.
    QAction* adopt(const QString& title, const QList<QAction*>& commands);
    QList<QAction*> all() const { return m_all; }
    /// Property of an action: the other window that its key is heard in; absent: the main window.
    static constexpr const char* kWindow = "window";

    QAction *start, *atOnce, *open, *openFolder, *openSeries, *openRaw, *reload, *saveResult, *savePicture,
        *saveSession, *exportView, *printView, *batch;
    std::vector<std::pair<QAction*, Lens::ValuesFile>> openValues;
    QAction *copyCommand, *copyTable, *copyMarkdown, *exportReport, *reports, *keptComparisons, *removeKept, *quit;
    QAction *undo, *redo, *toFloat, *copyPicture, *pastePicture, *cropSeen, *cropRectangle;
    std::vector<std::pair<QAction*, gpu::Service>> turns;  ///< enabled while there is a picture
    struct FamilyCommand {
        QAction* action;
        const gpu::Family* family;
        Lens::PictureCommand command;
    };
    std::vector<FamilyCommand> familyWork;  ///< likewise, where there is something to do
    QAction *zoomIn, *zoomOut, *actualSize, *fit, *link, *hideDocks, *fullScreen, *allStages, *columns;
    QAction *themeSystem, *themeDark, *themeLight;
    QAction *changeWorkspace, *compare, *explain, *cancel, *play, *step;
    QAction *guide, *help, *glossary, *words, *changeKeys, *palette, *about, *preferences;
    QAction *managePresets, *resetParameters, *projector;
    QAction *goToVariants, *duplicateVariant, *changeVariant, *removeVariant;
    QAction *checkAll, *checkNone;
    ReportActions reportActions;
    QMenu *samples, *recent, *docks, *pages, *view, *presets, *commandLines;

private:
    QAction* make(const char* name, const QString& text, const QList<QKeySequence>& keys = {});
    /// Its key is heard in the window that it was added to.
    QAction* makeAside(const char* name, const QString& text, const QKeySequence& key);
    /// Its key is heard while a list that it was added to has the focus.
    QAction* makeForList(const char* name, const QString& text, const QKeySequence& key);
    QWidget* m_window;
    QActionGroup* m_pages;
    std::map<Page::Workspace, int> m_pagesOf;
    QList<QAction*> m_all;
};

}  // namespace warplens::gui
