// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/session/request_state.hpp"

#include <QStackedWidget>
#include <map>
#include <vector>

namespace warplens::gui {

class CompareSession;
class Document;
class RecipeState;

/// Every page of the window, in the order of the header. The first is shown at start and takes every family.
std::vector<Page*> makePages(CompareSession& session, QWidget* parent);

/// The pages, of which one is shown. The family that was chosen stays: a page that does not take it comes with the one
/// last used on it, which is no choice unless it is looked at on a page that shows whichever is at hand. A family that
/// is chosen and that the page shown does not take brings the first page that does.
class PageStack : public QStackedWidget {
    Q_OBJECT
public:
    explicit PageStack(CompareSession& session, QWidget* parent = nullptr);
    /// Comes before the session's end; no page is shown for a moment while the others go.
    ~PageStack() override;

    /// In the order of the header; only those that take a registered family.
    const std::vector<Page*>& pages() const { return m_pages; }
    Page* current() const { return m_current; }
    /// Where the page does not stand in the present workspace, the other one comes with it.
    void setCurrent(Page* page);
    /// The page shown stands in it.
    Page::Workspace workspace() const { return m_workspace; }
    /// Comes with the page that was shown last in it.
    void setWorkspace(Page::Workspace workspace);
    /// Whether it stands in the workspace for the picture that is open; any is while none is.
    bool offers(Page::Workspace workspace, const Page& page) const;
    /// Shown instead of a page while no picture is open; it is none of pages().
    void setStart(Page* start);
    Page* start() const { return m_start; }
    /// The workspace to come to, with its page, where the start is shown.
    void leaveStart();
    void setWorkspaceToCome(Page::Workspace workspace);
    /// Shows the current variant's source beside that of another, on the page that does so.
    void compareSources(const QString& against);
    /// The page of that id; null when there is none.
    Page* page(const QString& id) const;
    /// The page shown alone: a wide page that is hidden must not keep the window from a small screen.
    QSize minimumSizeHint() const override;

signals:
    void pageChanged(warplens::gui::Page* page);
    /// Before the page does.
    void workspaceChanged();
    /// Of the page shown.
    void viewChanged();
    void primaryChanged();
    void linkedChanged(bool linked);
    void helpWanted();

private:
    Page* lastPage() const;
    /// A view of the workspace Picture shows what all steps make, or the last of them where that is its own.
    void goBehindSteps(const Page& page);
    void familyChanged();
    const gpu::Family* familyFor(const Page& page) const;

    RequestState& m_request;
    RecipeState& m_recipe;
    const Document& m_document;
    std::vector<Page*> m_pages;
    Page *m_current = nullptr, *m_start = nullptr;
    Page::Workspace m_workspace = Page::Workspace::lab;
    std::map<Page::Workspace, Page*> m_lastPage;
    const gpu::Family* m_chosen = nullptr;
    bool m_switching = false;  ///< the family changes because the page does
    bool m_changing = false;   ///< the docks of one page may stand around another, which must not widen the window
    std::map<const Page*, const gpu::Family*> m_lastFamily;
};

}  // namespace warplens::gui
