// SPDX-License-Identifier: Apache-2.0
#include "gui/window/page_stack.hpp"

#include "gpu/core/registry.hpp"
#include "gui/compare/compare_page.hpp"
#include "gui/compare/difference_tool.hpp"
#include "gui/compare/tools.hpp"
#include "gui/filter/filter_page.hpp"
#include "gui/kernel/kernel_page.hpp"
#include "gui/lessons/lessons_page.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/recipe/recipe_files.hpp"
#include "gui/regions/paint_layer.hpp"
#include "gui/regions/regions_page.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/live_tool.hpp"
#include "gui/timeline/timeline_page.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/why/why_page.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <algorithm>

namespace warplens::gui {

namespace {

/// Gives the Compare page its tools, those of other features among them, once. The session outlives it.
void giveTools(ComparePage& page, CompareSession& session) {
    PaneGrid& panes = *page.panes();
    auto* wipe = makeWipeTool(page, panes, session);
    auto* difference = new DifferenceTool(page, panes, session);
    auto* reference = makeReferenceTool(page, panes, session);
    auto* magnifier = makeMagnifierTool(page, panes);
    auto* paint = makePaintTool(page, panes, session);
    addViewCommands(page, session);
    addChoiceCommands(page, session);
    auto* tiles = makeTilesTool(page, panes, session);
    addResultCommands(page, session);
    auto* profile = makeProfileTool(page, panes, session);
    auto* recipe = makeRecipeTool(page, panes, session);
    auto* live =
        new LiveTool(page, panes, session, [&session] { return QString::fromStdString(session.request().current()); });
    QObject::connect(&session.preview(), &LivePreview::ended, live, &LiveTool::release);
    auto* figures = makeFiguresTool(page, panes, session);
    page.setTools({wipe, difference, reference, magnifier, paint, tiles, profile, recipe, live, figures},
                  {wipe, reference, difference, tiles, paint});
}

}  // namespace

std::vector<Page*> makePages(CompareSession& session, QWidget* parent) {
    auto* compare = new ComparePage(session, parent);
    giveTools(*compare, session);
    // One range, one colour map and one slice, whichever page shows them.
    ViewState& view = *compare->panes()->viewState();
    std::vector<Page*> pages{
        compare, new FilterPage(session, view, parent),
        new WhyPage(session.request(), session.results(), session.control(), session.activity(), view, parent),
        new VolumePage(session.request(), session.recipe(), session.results(), session.control(), session.activity(),
                       view, parent)};
    for (const gpu::Family* family : gpu::families())
        if (Page* own = lensOf(*family).makePage(session, view, parent)) pages.push_back(own);
    pages.push_back(new RegionsPage(session, view, parent));
    pages.push_back(
        new TimelinePage(session.request(), session.control(), session.outputs(), session.activity(), parent));
    auto* kernel = new KernelPage(session, view, parent);
    auto* lessons = new LessonsPage(session.request(), session.inputs(), session.control(), session.activity(), parent);
    QObject::connect(lessons, &LessonsPage::exerciseRequested, kernel,
                     [kernel](const QString& name) { kernel->exercises().choose(name); });
    pages.push_back(kernel);
    pages.push_back(lessons);
    return pages;
}

/// A page that is new to the focus has it in its first field, which would take letters that are commands.
static void leaveField(const Page& page) {
    const QWidget* focus = page.focusWidget();
    const bool typed = qobject_cast<const QComboBox*>(focus) != nullptr ||
                       qobject_cast<const QAbstractSpinBox*>(focus) != nullptr ||
                       qobject_cast<const QLineEdit*>(focus) != nullptr;
    if (!typed) return;
    for (ImageView* view : page.findChildren<ImageView*>())
        if (view->isVisible()) return view->setFocus(Qt::OtherFocusReason);
}

PageStack::PageStack(CompareSession& session, QWidget* parent)
    : QStackedWidget(parent), m_request(session.request()), m_recipe(session.recipe()), m_document(session.document()) {
    for (Page* page : makePages(session, this)) {
        if (familyFor(*page) == nullptr) {
            delete page;
            continue;
        }
        page->setObjectName(QStringLiteral("page-") + page->id());
        m_pages.push_back(page);
        addWidget(page);
        connect(page, &Page::viewChanged, this, [this, page] {
            if (page == m_current) emit viewChanged();
        });
        connect(page, &Page::linkedChanged, this, [this, page](bool linked) {
            if (page == m_current) emit linkedChanged(linked);
        });
        connect(page, &Page::primaryChanged, this, [this, page] {
            if (page == m_current) emit primaryChanged();
        });
        connect(page, &Page::pageRequested, this, [this](const QString& id) {
            Page* wanted = this->page(id.section(u'/', 0, 0));
            if (wanted == nullptr) return;  // a lesson may name one that is not there
            setCurrent(wanted);
            auto* why = qobject_cast<WhyPage*>(wanted);
            if (why != nullptr && id.section(u'/', 1) == QStringLiteral("film")) why->setPart(WhyPage::Part::film);
        });
        connect(page, &Page::helpWanted, this, &PageStack::helpWanted);
    }
    m_current = m_pages.front();
    m_chosen = m_lastFamily[m_current] = session.parameters().family();
    connect(&session.parameters(), &ParameterState::familyChanged, this, &PageStack::familyChanged);
    connect(&session.document(), &Document::changed, this, [this] {
        if (m_current != m_start && !offers(m_workspace, *m_current)) setCurrent(lastPage());
    });
}

PageStack::~PageStack() { hide(); }

Page* PageStack::page(const QString& id) const {
    const auto at = std::ranges::find_if(m_pages, [&](const Page* page) { return page->id() == id; });
    return at == m_pages.end() ? nullptr : *at;
}

bool PageStack::offers(Page::Workspace workspace, const Page& page) const {
    if (!page.standsIn(workspace)) return false;
    return m_document.empty() || page.offeredFor(workspace, m_document.grid()->shape().depth);
}

QSize PageStack::minimumSizeHint() const { return m_changing ? QSize() : m_current->minimumSizeHint(); }

void PageStack::compareSources(const QString& against) {
    for (Page* page : m_pages)
        if (page->compareSources(against.toStdString())) return setCurrent(page);
}

const gpu::Family* PageStack::familyFor(const Page& page) const {
    if (const auto last = m_lastFamily.find(&page); last != m_lastFamily.end()) return last->second;
    const auto& families = gpu::families();
    auto at = std::ranges::find_if(families, [&](const gpu::Family* family) { return page.prefers(*family); });
    if (at == families.end())
        at = std::ranges::find_if(families, [&](const gpu::Family* family) { return page.takes(*family); });
    return at == families.end() ? nullptr : *at;
}

void PageStack::setCurrent(Page* page) {
    if (page == nullptr || page == m_current) return;
    if (page != m_start && !offers(m_workspace, *page)) {
        m_workspace = m_workspace == Page::Workspace::lab ? Page::Workspace::picture : Page::Workspace::lab;
        emit workspaceChanged();
    }
    if (page != m_start) m_lastPage[m_workspace] = page;
    if (m_workspace == Page::Workspace::picture && !page->followsFamily()) goBehindSteps(*page);
    const gpu::Family* present = m_request.parameters().family();
    m_current = page;
    if (page->followsFamily()) {
        m_chosen = present;
    } else if (present != nullptr) {
        // What the user chose comes back after a page that had nothing to show for it.
        const gpu::Family* family = page->takes(*m_chosen) ? m_chosen : familyFor(*page);
        const QScopedValueRollback switching(m_switching, true);
        if (family != nullptr) m_request.setFamily(*family);
        m_lastFamily[page] = family;
    }
    m_changing = true;
    const bool first = page->focusWidget() == nullptr;
    setCurrentWidget(page);
    if (first) leaveField(*page);
    emit pageChanged(page);
    m_changing = false;
    updateGeometry();
    emit viewChanged();
}

void PageStack::goBehindSteps(const Page& page) {
    const RecipePlace* place = m_recipe.place();
    if (place == nullptr || place->recipe.steps.empty()) return;
    const auto& steps = place->recipe.steps;
    const gpu::Family* last = steps.back().on ? gpu::findFamily(steps.back().family) : nullptr;
    m_recipe.select(last != nullptr && page.takes(*last) ? steps.size() - 1 : steps.size());
}

void PageStack::setStart(Page* start) {
    m_start = start;
    addWidget(start);
}

void PageStack::leaveStart() {
    if (m_current == m_start) setCurrent(lastPage());
}

void PageStack::setWorkspaceToCome(Page::Workspace workspace) {
    if (workspace == m_workspace) return;
    m_workspace = workspace;
    emit workspaceChanged();
}

Page* PageStack::lastPage() const {
    const auto last = m_lastPage.find(m_workspace);
    if (last != m_lastPage.end() && offers(m_workspace, *last->second)) return last->second;
    return *std::ranges::find_if(m_pages, [this](const Page* page) { return offers(m_workspace, *page); });
}

void PageStack::setWorkspace(Page::Workspace workspace) {
    setWorkspaceToCome(workspace);
    setCurrent(lastPage());
}

void PageStack::familyChanged() {
    const gpu::Family* family = m_request.parameters().family();
    if (family == nullptr || m_switching) return;
    m_chosen = family;
    if (m_current->takes(*family)) {
        m_lastFamily[m_current] = family;
        return;
    }
    const auto at = std::ranges::find_if(
        m_pages, [&](const Page* page) { return offers(m_workspace, *page) && page->takes(*family); });
    if (at != m_pages.end()) setCurrent(*at);
}

}  // namespace warplens::gui
