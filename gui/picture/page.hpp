// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <QAction>
#include <QImage>
#include <QJsonObject>
#include <QString>
#include <QWidget>
#include <string>

class QAbstractButton;
class QSettings;

namespace warplens::gui {

class ViewState;

/// One page of the window: what stands in the middle, and what it wants around it. The window shows one at a time and
/// sends the commands of its menus to it.
class Page : public QWidget {
    Q_OBJECT
public:
    /// Docks of the window that belong to a page.
    struct Docks {
        bool results = true, source = true, task = true;
    };

    /// The two halves of the window: one for people who filter, one for people who optimise.
    enum class Workspace { picture, lab };

    using QWidget::QWidget;

    /// Whether the page stands in a workspace's header.
    virtual bool standsIn(Workspace workspace) const { return workspace == Workspace::lab; }

    /// Whether it is offered there for a picture of so many slices.
    virtual bool offeredFor(Workspace, std::int64_t) const { return true; }

    /// The workspace that a page of both is shown in: how something is computed is told in the Lab alone.
    virtual void setWorkspace(Workspace) {}

    /// For settings and --page: "compare".
    virtual QString id() const = 0;
    /// In the header: "Compare".
    virtual QString title() const = 0;
    /// Whether the page has something to show for a family. A page that takes no registered family is not shown.
    virtual bool takes(const gpu::Family& family) const = 0;

    /// Of those it takes, whether this one comes with it as long as none was used on it.
    virtual bool prefers(const gpu::Family& family) const { return takes(family); }

    /// Whether it shows the family at hand, whichever that is; else the one last used on it comes with it.
    virtual bool followsFamily() const { return false; }

    /// What the window's one primary button does here; an empty text: it compares.
    struct Primary {
        QString text, tip;
        bool enabled = true;
        bool shown = true;  ///< false: the page has the button itself
    };
    virtual Primary primary() const { return {}; }
    virtual void runPrimary() {}

    /// In the status line in the place of times and limits while this page is shown; null: none. The page owns it.
    virtual QWidget* statusWidget() { return nullptr; }

    virtual Docks docks() const { return {}; }
    /// Content of a dock on the right while this page is shown, with its own heads; null: no such dock. The dock owns
    /// it.
    virtual QWidget* statistics() { return nullptr; }
    /// A row below the device in the task dock while this page is shown; null: none. The task dock owns it.
    virtual QWidget* taskRow() { return nullptr; }

    /// What zooming acts on; null when there is nothing to zoom.
    virtual ViewState* currentView() const = 0;
    /// Whether zoom and position are shared by the page's panes.
    virtual bool linked() const { return true; }
    virtual void setLinked(bool) {}
    /// In the status line: "200 %, linked".
    virtual QString viewText() const;
    /// The panes with their captions, as they are on the screen; for Export view.
    virtual QImage view() { return grab().toImage(); }
    /// Whether everything is drawn as it will stay; for documentation pictures.
    virtual bool settled() const = 0;
    /// Whether there is an iteration that playOrPause() and step() act on, and whether it is playing.
    virtual bool watchable() const { return false; }
    virtual bool playing() const { return false; }
    /// Shows the current variant's source beside that of another; false: not here.
    virtual bool compareSources(const std::string&) { return false; }
    virtual void restore(const QSettings&) {}
    virtual void save(QSettings&) const {}
    /// How the page looks at the picture, for a session's file, and back; what is absent stays as it is.
    virtual QJsonObject sessionView() const { return {}; }
    virtual void setSessionView(const QJsonObject&) {}

    /// A command of the page, whose key is heard while the page is shown; the window's table takes it from actions().
    QAction* makeAction(const char* name, const QString& text, const QKeySequence& key);

public slots:
    virtual void zoomIn();
    virtual void zoomOut();
    virtual void actualSize();
    virtual void fit();
    virtual void playOrPause() {}
    virtual void step() {}

signals:
    void linkedChanged(bool linked);
    /// viewText() may say something else, as may watchable() and playing().
    void viewChanged();
    /// docks() says something else.
    void docksChanged();
    /// primary() says something else.
    void primaryChanged();
    /// Another page is to be shown, by its id.
    void pageRequested(const QString& id);
    /// "Why?" beside a notice.
    void helpWanted();
};

/// A button that does what an action does: checked as it is, its key in the tooltip.
void followAction(QAbstractButton* button, QAction* action);

}  // namespace warplens::gui
