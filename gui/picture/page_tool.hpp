// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/pane_content.hpp"

#include <QAction>
#include <QJsonObject>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <vector>

namespace warplens::gui {

class ImageOverlay;
class Page;
class Pane;
class PaneGrid;
class ToolStrip;

/// One thing that a page of panes offers: its commands, and as far as it needs them a button, a row above the panes, a
/// panel beside them, overlays, a pane of its own. Tools know no other tool; the page gives each its place, and of
/// those that take the mouse switches off the others.
class PageTool : public QObject {
    Q_OBJECT
public:
    /// A child of the page, which outlives `panes`.
    PageTool(Page& page, PaneGrid& panes);

    /// What switches it on; null: nothing does.
    QAction* action() const { return m_action; }
    bool on() const { return m_action != nullptr && m_action->isChecked(); }

    /// Adds its button; by default one that does what action() does, where it was given a text for it.
    virtual void addTo(ToolStrip& strip);
    /// A row above the panes, a panel beside them: each shown or hidden by the tool. Null: none. The page owns them.
    QWidget* row() const { return m_row; }
    QWidget* side() const { return m_side; }
    /// Whether dragging over a picture is the tool's while it is on.
    virtual bool takesMouse() const { return false; }

    /// Of how many panes one would be the tool's own: 1 even where it is the only one, 2 beside another; 0: none.
    virtual int panesNeeded() const { return 0; }
    virtual PaneContent pane() const { return {}; }
    /// Whether action() stands in the menu of the panes' layout.
    virtual bool inLayout() const { return false; }

    /// The page asks for contents next; asked in the order of its tools.
    virtual void prepare() {}
    /// Adds to what a pane says.
    virtual void decorate(PaneContent&) const {}
    /// A pane that is shown for the first time; panes are reused.
    virtual void attach(Pane&) {}
    /// The panes show other contents, or another one is current.
    virtual void place() {}
    /// Over the pane of that index, the lowest first; owned by the tool.
    virtual std::vector<ImageOverlay*> overlays(int) { return {}; }
    /// For the inspector, of the pixel under the cursor.
    virtual QString inspected() const { return {}; }

    /// For a session's file, and back. By default whether it is on, where it was given a key.
    virtual void save(QJsonObject& view) const;
    virtual void restore(const QJsonObject& view);

signals:
    /// The page asks for contents again soon.
    void changed();
    /// It does so before this returns.
    void contentsWanted();
    /// panesNeeded() is another.
    void paneChanged();
    /// Overlays are others, or are to be drawn again.
    void overlaysChanged();
    /// The panel beside the panes is shown or hidden.
    void sideChanged();

protected:
    struct Switch {
        const char* id;  ///< of the action
        QString text;
        QKeySequence key;
        QString tip;
        QString button{};  ///< its text on a strip; empty: none
        const char* sessionKey = nullptr;
    };
    void setRow(QWidget* row) { m_row = row; }
    /// It is shown while the tool is on, or where nothing switches that by showSide().
    void setSide(QWidget* side);
    void showSide(bool shown);
    /// Gives it action(), checkable.
    QAction* makeSwitch(const Switch& made);
    template <class What>
    QAction* makeCommand(const char* id, const QString& text, const QKeySequence& key, What&& what) {
        QAction* made = makeCommand(id, text, key);
        connect(made, &QAction::triggered, this, std::forward<What>(what));
        return made;
    }
    QAction* makeCommand(const char* id, const QString& text, const QKeySequence& key);
    /// place(), and the overlays.
    void placeAgain();
    Page& page() const { return m_page; }
    PaneGrid& panes() const { return m_panes; }

private:
    Page& m_page;
    PaneGrid& m_panes;
    QAction* m_action = nullptr;
    QWidget *m_row = nullptr, *m_side = nullptr;
    QString m_button;
    const char* m_sessionKey = nullptr;
};

}  // namespace warplens::gui
