// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/compare_page.hpp"

#include "gpu/core/registry.hpp"
#include "gui/compare/difference_panel.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/slice_bar.hpp"
#include "gui/session/layout_rules.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/pane_contents.hpp"

#include <QSettings>
#include <algorithm>

namespace warplens::gui {

namespace {

const QString kPanes = QStringLiteral("window/panes"), kLinked = QStringLiteral("window/linked");
constexpr int kBar = 10, kLeastGrid = 360;  // a scroll bar; panes whose heads still say what they are

bool hasPane(const PageTool* tool) { return tool->panesNeeded() > 0; }

/// Panes in one row, or in two.
QString layoutName(int panes) {
    constexpr const char* kNames[] = {"1", "1 × 2", "1 × 3", "2 × 2", "3 + 2", "2 × 3"};
    return QString::fromUtf8(kNames[panes - 1]);
}

}  // namespace

ComparePage::ComparePage(CompareSession& session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_grid(new PaneGrid(this)),
      m_inspector(new InspectorStrip(this)),
      m_range(new RangeBar(this)),
      m_strip(new ToolStrip(this)),
      m_link(made(new QPushButton(tr("Link"), this),
                  {.id = "link",
                   .look = "flat",
                   .name = tr("Link panes"),
                   .tip = tr("All panes share zoom, position, range and colours (Ctrl+L)."),
                   .checkable = true})),
      m_layoutButton(
          made(new QToolButton(this),
               {.id = "pane-layout", .look = "flat", .tip = tr("How many panes: the input and results beside it.")})),
      m_colours(new ColourMapButton(*m_grid->viewState(), this)),
      m_side(makeScroll(made(new QWidget, {.look = "dock"}), this)) {
    setLook(this, "canvas");
    makeStrip();
    m_inspector->setViewState(m_grid->viewState());
    m_sideColumn = makeColumn(m_side->widget(), {}, 0, {spring(0)});
    m_side->setMaximumWidth(DifferencePanel::kWidth + kBar);
    m_side->hide();
    m_grid->setMinimumWidth(kLeastGrid);
    on(this, {QEvent::Resize}, [this] { showSide(); });
    auto* notice = made(new SessionNotice(session.activity(), this), {.id = "notice"});
    auto* frame = made(new QWidget(this), {.look = "canvas"});
    makeRow(frame, {}, 0, {{m_grid, 3}, {m_side, 1}});  // the grid has its own margins
    m_column =
        makeColumn(this, {}, 0, {m_strip, notice, {frame, 1}, new SliceBar(*m_grid->viewState(), this), m_inspector});

    const auto later = qOverload<>(&QTimer::start);
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &ComparePage::refresh);
    connect(&session.results(), &Results::changed, &m_later, later);
    connect(&session.request(), &RequestState::taskChanged, &m_later, later);
    connect(&session.snapshots(), &Snapshots::changed, &m_later, later);
    connect(&session.document(), &Document::changed, this, [this] {
        m_range->setInput(m_session.document().grid(), m_session.document().derived());
        refresh();
    });
    connect(notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    connect(m_grid, &PaneGrid::currentChanged, this, &ComparePage::chooseByPane);
    connect(m_grid, &PaneGrid::currentChanged, this, &ComparePage::bindDisplay);
    connect(
        m_grid, &PaneGrid::painted, &session.results(),
        [&results = session.results()](const QString& key, double ms) { results.noteDisplay(key.toStdString(), ms); });
    connect(m_range, &RangeBar::defaultSet, m_grid, &PaneGrid::setRange);
    connect(m_grid->viewState(), &ViewState::viewChanged, this, &ComparePage::viewChanged);
    m_range->setSeen([this] {
        const Pane* pane = m_grid->pane(m_grid->current());
        return pane == nullptr ? QRect() : pane->view()->seenPixels();
    });
    m_range->setServe([&session] { return statisticsBy(session); });
}

ComparePage::~ComparePage() { qDeleteAll(m_tools); }  // they know this page

void ComparePage::makeStrip() {
    m_layoutButton->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_layoutButton);
    for (int panes = 1; panes <= PaneGrid::kMaxPanes; ++panes)
        connect(menu->addAction(layoutName(panes)), &QAction::triggered, this, [this, panes] { setPaneCount(panes); });
    menu->addSeparator();
    m_layoutButton->setMenu(menu);
    m_link->setChecked(true);
    connect(m_link, &QPushButton::toggled, this, &ComparePage::setLinked);
    m_range->setViewState(m_grid->viewState());
    for (QWidget* tool : std::initializer_list<QWidget*>{m_layoutButton, m_link}) m_strip->addTool(tool);
    for (QWidget* right : std::initializer_list<QWidget*>{m_range, m_colours}) m_strip->addRight(right);
}

void ComparePage::setTools(const std::vector<PageTool*>& tools, const std::vector<PageTool*>& buttons) {
    m_tools = tools;
    for (PageTool* tool : m_tools) take(*tool);
    for (PageTool* tool : buttons) tool->addTo(*m_strip);
    setPaneCount(m_paneCount);
}

void ComparePage::take(PageTool& tool) {
    if (tool.inLayout()) m_layoutButton->menu()->addAction(tool.action());
    if (QWidget* row = tool.row()) m_column->insertWidget(1, row);  // a later one's is above
    // What comes and goes by itself has the room that is left.
    if (QWidget* side = tool.side())
        m_sideColumn->insertWidget(m_sideColumn->count() - 1, side, tool.action() == nullptr ? 1 : 0);
    connect(&tool, &PageTool::changed, &m_later, qOverload<>(&QTimer::start));
    connect(&tool, &PageTool::contentsWanted, this, &ComparePage::refresh);
    connect(&tool, &PageTool::paneChanged, this, [this, &tool] { makeRoom(tool); });
    connect(&tool, &PageTool::overlaysChanged, this, &ComparePage::placeOverlays);
    connect(&tool, &PageTool::sideChanged, this, &ComparePage::showSide);
    if (tool.takesMouse())
        connect(tool.action(), &QAction::toggled, this, [this, &tool](bool on) {
            for (PageTool* other : m_tools)
                if (on && other != &tool && other->takesMouse()) other->action()->setChecked(false);
        });
}

void ComparePage::makeRoom(const PageTool& tool) {
    const auto before = std::count_if(m_tools.begin(), std::ranges::find(m_tools, &tool), hasPane);
    setPaneCount(hasPane(&tool) ? std::max(m_paneCount, tool.panesNeeded() + static_cast<int>(before)) : m_paneCount);
}

void ComparePage::showSide() {
    bool any = false, wide = false;
    int least = 0;
    for (PageTool* tool : m_tools) {
        const QWidget* side = tool->side();
        if (side == nullptr || side->isHidden()) continue;
        any = true;
        wide = wide || tool->on();
        least = std::max(least, side->minimumWidth());
    }
    // A table alone takes no more than a quarter of a small window from the pictures.
    const int room = width() - kLeastGrid - kBar;
    m_side->setMinimumWidth((wide ? std::clamp(room, least, DifferencePanel::kWidth) : least) + kBar);
    m_side->setVisible(any);
}

void ComparePage::setPaneCount(int count) {
    count = std::clamp(count, 1, PaneGrid::kMaxPanes);
    m_paneCount = count;
    m_inputAlone = false;
    m_layoutButton->setText(layoutName(count));
    m_layoutButton->setAccessibleName(tr("Pane layout %1").arg(layoutName(count)));
    // A single pane shows the result; the input needs a second one, and so do those of tools.
    const auto own = std::ranges::count_if(m_tools, hasPane);
    m_session.lookedAt().setPlaces(static_cast<std::size_t>(count - std::min<std::ptrdiff_t>(count - 1, 1 + own)));
    refresh();
    emit paneCountChanged(count);
}

void ComparePage::refresh() {
    for (PageTool* tool : m_tools) tool->prepare();
    // Tools' own panes come last, the first tool's at the end.
    std::vector<PaneContent> contents, own;
    int left = m_paneCount, wanted = 0;
    for (const PageTool* tool : m_tools) {
        if (hasPane(tool)) ++wanted;
        if (!hasPane(tool) || left < tool->panesNeeded()) continue;
        own.insert(own.begin(), tool->pane());
        --left;
    }
    if (m_paneCount > 1 + wanted || m_inputAlone) contents.push_back(inputContent(m_session));
    int current = -1;
    for (const std::string& id : m_session.lookedAt().shown()) {
        if (m_session.variants().variant(id) == nullptr || m_inputAlone || left == 0) continue;
        if (id == m_session.request().current()) current = static_cast<int>(contents.size());
        contents.push_back(variantContent(m_session, id));
    }
    contents.insert(contents.end(), own.begin(), own.end());
    for (PaneContent& pane : contents)
        for (const PageTool* tool : m_tools) tool->decorate(pane);
    m_showing = true;  // what follows is not the user's choice of a pane
    m_grid->setPanes(contents);
    // A pane chosen by its number stays until another result is chosen.
    if (m_inputChosen && m_paneCount > 1 && !contents.empty())
        m_grid->setCurrent(0);
    else if (current >= 0)
        m_grid->setCurrent(current);
    for (; m_attached < std::ssize(m_grid->panes()); ++m_attached) {
        Pane& pane = *m_grid->pane(m_attached);
        for (const gpu::Family* family : gpu::families()) lensOf(*family).makeLayer(m_session.request(), *pane.view());
        for (PageTool* tool : m_tools) tool->attach(pane);
    }
    placeTools();
    m_inspector->setPanes(contents);
    m_showing = false;
    const gpu::RunRecord* record = m_session.results().of(m_session.request().current());
    const bool shown = record != nullptr && record->result.picture != nullptr && !resultKind(m_session);
    const auto picture = shown ? record->result.picture : m_session.document().grid();
    m_range->setCurrent(picture);
    m_colours->setCurrent(picture.get());
}

void ComparePage::placeTools() {
    for (PageTool* tool : m_tools) tool->place();
    placeOverlays();
}

void ComparePage::placeOverlays() {
    for (int i = 0; i < std::ssize(m_grid->panes()); ++i) {
        std::vector<ImageOverlay*> overlays;
        for (PageTool* tool : m_tools) std::ranges::copy(tool->overlays(i), std::back_inserter(overlays));
        m_grid->pane(i)->view()->setOverlays(std::move(overlays));
    }
    QString inspected;
    for (const PageTool* tool : m_tools) inspected += tool->inspected();
    m_inspector->setExtra(inspected);
}

void ComparePage::bindDisplay() {
    ViewState* state = m_grid->currentViewState();
    m_range->setViewState(state);
    m_range->setShared(m_grid->linked());
    m_colours->setViewState(*state);
    m_inspector->setViewState(m_grid->linked() ? m_grid->viewState() : state);
    if (!m_showing) placeTools();
}

void ComparePage::choose(const QString& key) {
    m_inputChosen = key == kInputKey;
    m_inputAlone = m_inputChosen && m_paneCount == 1;
    if (!m_inputChosen) m_session.request().setCurrent(key.toStdString());
    refresh();
}

void ComparePage::chooseByPane(int index) {
    const Pane* pane = m_grid->pane(index);
    if (m_showing || pane == nullptr) return;
    const QString key = pane->content().key;
    m_inputChosen = key == kInputKey;
    if (m_session.variants().variant(key.toStdString()) != nullptr) m_session.request().setCurrent(key.toStdString());
}

void ComparePage::restore(const QSettings& settings) {
    const int fit = layoutRules(window()->size()).lowResults ? 2 : m_paneCount;
    setPaneCount(settings.value(kPanes, fit).toInt());
    setLinked(settings.value(kLinked, true).toBool());
}

void ComparePage::save(QSettings& settings) const {
    settings.setValue(kPanes, m_paneCount);
    settings.setValue(kLinked, linked());
}

QJsonObject ComparePage::sessionView() const {
    QJsonObject json{{"panes", m_paneCount}, {"linked", linked()}};
    m_grid->viewState()->save(json);
    for (const PageTool* tool : m_tools) tool->save(json);
    return json;
}

void ComparePage::setSessionView(const QJsonObject& json) {
    setLinked(json["linked"].toBool(linked()));
    for (PageTool* tool : m_tools) tool->restore(json);
    setPaneCount(json["panes"].toInt(m_paneCount));  // refreshes
    m_grid->viewState()->restore(json);
    m_grid->setRange(m_grid->viewState()->range());
}

QImage ComparePage::view() { return m_grid->grab().toImage(); }

bool ComparePage::settled() const {
    for (const std::string& id : m_session.lookedAt().shown())
        if (m_session.results().notKept(id) || m_session.results().stale(id)) return false;
    return m_grid->settled();
}

void ComparePage::setLinked(bool linked) {
    if (m_link->isChecked() != linked) m_link->setChecked(linked);
    if (m_grid->linked() == linked) return;
    m_grid->setLinked(linked);
    bindDisplay();
    emit linkedChanged(linked);
    emit viewChanged();
}

}  // namespace warplens::gui
