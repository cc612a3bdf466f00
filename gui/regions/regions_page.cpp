// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/regions_page.hpp"

#include "gpu/report/region_outlines.hpp"
#include "gui/kit/dock_section.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/slice_bar.hpp"
#include "gui/regions/components_panel.hpp"
#include "gui/regions/counts_strip.hpp"
#include "gui/regions/paint_layer.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/propagation_replay.hpp"
#include "io/write.hpp"

#include <QFileInfo>
#include <QScopedValueRollback>
#include <QShowEvent>
#include <QStackedWidget>
#include <limits>

namespace warplens::gui {

RegionsPage::RegionsPage(CompareSession& session, ViewState& view, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_view(view),
      m_notice(new SessionNotice(session.activity(), this)),
      m_panes(new QWidget(this)),
      m_input(new Pane(this)),
      m_result(new Pane(this)),
      m_counts(new CountsStrip(this)),
      m_inspector(new InspectorStrip(this)),
      m_side(new QWidget(this)),
      m_tables(new QStackedWidget(m_side)),
      m_components(new ComponentsPanel(m_tables)),
      m_figures(new FiguresView(m_tables)),
      m_told(made(new QLabel(m_tables), {.id = "regions-told", .look = "dock", .wraps = true})),
      m_measures([this] { refreshMeasures(); }) {
    setLook(this, "canvas");
    makePanes();
    makeSide();
    m_inspector->setViewState(&m_view);
    makeColumn(this, {}, 0, {makeStrip(), m_notice, {m_panes, 1}, new SliceBar(m_view, this), m_counts, m_inspector});
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    wire();
    on(this, {QEvent::PaletteChange}, [this] {
        if (isVisible()) refresh();
    });
}

RegionsPage::~RegionsPage() = default;

void RegionsPage::makePanes() {
    setLook(m_panes, "canvas");
    makeRow(m_panes, {kGap, kGap, kGap, kGap}, kGap, {{m_input, 1}, {m_result, 1}});
    m_input->view()->setObjectName(QStringLiteral("regions-input"));
    m_result->view()->setObjectName(QStringLiteral("regions-result"));
    for (Pane* pane : {m_input, m_result}) pane->view()->setViewState(&m_view);
    m_input->view()->setOverlays({&m_scale, &m_frontier, &m_selected, &m_chosenTag, &m_selectedTag});
    m_result->view()->setOverlays({&m_scale, &m_leftOut, &m_wrong, &m_leftOutlines, &m_chosenTag});
    addPaintLayer(*m_input->view(), m_session.regions(), PaintVeil::none);
    m_result->view()->installEventFilter(&m_session.regions());  // its keys
    installEventFilter(&m_session.regions());
    for (const auto& [one, other] : {std::pair{m_input, m_result}, std::pair{m_result, m_input}})
        connect(one, &Pane::focused, this, [one = one, other = other] {
            one->setCurrent(true);
            other->setCurrent(false);
        });
    m_input->setCurrent(true);
}

QWidget* RegionsPage::makeStrip() {
    auto* strip = new RegionStrip(m_session, this, RegionStrip::Shown::always);
    strip->setObjectName(QStringLiteral("regions-strip"));
    QUndoStack& stack = m_session.history().stack();
    auto* undo =
        strip->addCommand("regions-undo", tr("Undo"), tr("The last step, Ctrl+Z."), [&stack] { stack.undo(); });
    undo->setEnabled(stack.canUndo());
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QPushButton::setEnabled);
    strip->addCommands();
    m_asMask = strip->addCommand("regions-as-mask", tr("As mask"),
                                 tr("Makes the region that was grown from the seeds the mask for tasks."),
                                 [this] { takeAsMask(); });
    return strip;
}

void RegionsPage::makeSide() {
    QWidget* questions = makeRegionQuestions(m_session.request(), m_side,
                                             [this](const QString& why) { m_session.activity().report(why); });
    setLook(m_side, "dock");
    m_tables->addWidget(m_components);
    m_tables->addWidget(m_figures);
    m_told->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* exactness = new DockSection(tr("Exactness"), Origin::measured, m_tables);
    exactness->content()->addWidget(m_told, 1);
    m_tables->addWidget(exactness);
    makeColumn(m_side, {}, 0, {questions, {m_tables, 1}});
}

void RegionsPage::wire() {
    const auto later = qOverload<>(&QTimer::start);
    connect(&m_later, &QTimer::timeout, this, &RegionsPage::refresh);
    connect(&m_session.results(), &Results::changed, &m_later, later);
    connect(&m_session.request(), &RequestState::taskChanged, &m_later, later);
    connect(&m_session.document(), &Document::changed, &m_later, later);
    connect(&m_session.mask(), &Mask::changed, this, &RegionsPage::refreshSelection);
    connect(&m_session.regions(), &RegionTools::changed, this, &RegionsPage::refreshSelection);
    connect(&m_session.regions(), &RegionTools::put, this, [this](QPoint pixel) {
        if (isVisible()) chooseAt(pixel);
    });
    for (Pane* pane : {m_input, m_result}) connect(pane->view(), &ImageView::pixelChosen, this, &RegionsPage::chooseAt);
    connect(m_components, &ComponentsPanel::chosenChanged, this, &RegionsPage::showChosen);
    connect(m_components, &ComponentsPanel::chosenChanged, this, &RegionsPage::goToChosen);
    connect(m_components, &ComponentsPanel::keptChanged, this, &RegionsPage::refreshKept);
    connect(m_components, &ComponentsPanel::outlinesWanted, this, &RegionsPage::saveOutlines);
    connect(m_components, &ComponentsPanel::tableWanted, this, &RegionsPage::saveTable);
    QAction* table = makeAction("save-regions", tr("Save the &table (CSV)..."), Qt::Key_T);
    connect(table, &QAction::triggered, this, &RegionsPage::saveTable);
    connect(m_figures, &FiguresView::failed, &m_session.activity(), &Activity::report);
    connect(m_figures, &FiguresView::exported, &m_session.activity(),
            [this](const QString& what) { m_session.activity().note(what); });
    connect(m_counts, &CountsStrip::stepChanged, this, &RegionsPage::refreshPass);
    connect(m_counts, &CountsStrip::stepChanged, this, &RegionsPage::refreshKept);
    connect(m_counts, &CountsStrip::stepChanged, this, &RegionsPage::refreshSelection);
    connect(m_counts, &CountsStrip::stepChanged, this, &Page::viewChanged);
    connect(m_counts, &CountsStrip::playingChanged, this, &Page::viewChanged);
    connect(m_notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    connect(&m_view, &ViewState::viewChanged, this, &Page::viewChanged);
    connect(&m_view, &ViewState::displayChanged, this, &RegionsPage::showChosen);
    connect(&m_view, &ViewState::displayChanged, this, [this] {
        if (!isVisible() || m_view.depth() == 1) return;
        selectGrown();  // its box in another slice
        refreshSelection();
    });
}

bool RegionsPage::prefers(const gpu::Family& family) const {
    // One that measures regions says more at first sight than one that waits for a seed.
    return family.info().regions == gpu::Regions::labels;
}

QImage RegionsPage::view() { return m_panes->grab().toImage(); }

bool RegionsPage::settled() const {
    const std::string& current = m_session.request().current();
    return !m_later.isActive() && !m_jobs.busy() && !m_measures.busy() && !m_session.results().stale(current) &&
           !m_session.results().notKept(current) && m_input->view()->settled() && m_result->view()->settled();
}

void RegionsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (event->spontaneous()) return;
    // There is one pane: nobody waits for the slow variants.
    m_places = m_session.lookedAt().places();
    m_session.lookedAt().setPlaces(1);
    RegionTools& tools = m_session.regions();
    m_painted = tools.on();
    if (!m_painted) tools.setTool(RegionTool::wand);
    tools.setOn(true);
    refresh();
}

void RegionsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    if (playing()) playOrPause();
    if (event->spontaneous()) return;
    m_session.lookedAt().setPlaces(m_places);
    // Others are looked at again, and may have no result of the picture that was opened here.
    const auto lacking = m_session.results().lookedAtAndLacking();
    if (!lacking.empty() && window()->isVisible()) emit m_session.lookedAt().wanted(lacking.front());
    if (!m_painted) m_session.regions().setOn(false);
}

void RegionsPage::chooseAt(QPoint pixel) {
    const auto picture = m_result->content().picture;
    if (picture == nullptr || m_components->model().table() == nullptr) return;
    const io::Shape& shape = picture->shape();
    if (!QRect(0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height)).contains(pixel)) return;
    const QScopedValueRollback choosing(m_choosing, true);
    m_components->choose(static_cast<std::int64_t>(picture->value(pixel.x(), pixel.y(), m_view.slice(), 0)));
}

QString RegionsPage::fileName(const char* what) const {
    const RecipePlace* place = m_session.recipe().place();
    const Document::State& of = place != nullptr ? place->origin : m_session.document().state();
    return QFileInfo(of.name()).completeBaseName() + QLatin1String(what);
}

void RegionsPage::saveTable() {
    if (m_components->model().table() == nullptr) return;
    gpu::Table table = m_components->shownTable();
    table.id = fileName("-regions").toStdString();
    Activity& activity = m_session.activity();
    exportTable(
        window(), tr("Save the table of regions"), table, this,
        [&activity](const QString& path) { activity.note(tr("Saved %1").arg(QFileInfo(path).fileName())); },
        [&activity](const QString& why) { activity.report(why); });
}

void RegionsPage::saveOutlines() {
    if (m_final == nullptr) return;
    const auto write = [this, labels = m_final, kept = m_components->keptLabels()](const QString& path) {
        m_saves.start(
            this,
            [labels, kept, path](const JobContext& context) {
                const auto outlines = gpu::regionOutlines(
                    *labels, [&](std::int64_t label) { return kept.contains(label); }, context.stop());
                io::writeFileAtomically(path.toStdString(), gpu::toImageJ(outlines, labels->shape()));
                return outlines.size();
            },
            [this, path](const JobResult<std::size_t>& written) {
                Activity& activity = m_session.activity();
                if (written)
                    activity.note(tr("%1 outlines written to %2").arg(written.value()).arg(path));
                else if (!written.cancelled())
                    activity.report(written.failure().message);
            });
    };
    openFileDialog(window(),
                   {.title = tr("Save the outlines"),
                    .filters = {tr("ImageJ regions (*.zip)")},
                    .suffix = QStringLiteral("zip"),
                    .name = fileName("-RoiSet"),
                    .id = "save-outlines"},
                   this, write);
}

bool RegionsPage::watchable() const { return m_counts->playable(); }

bool RegionsPage::playing() const { return m_counts->playing(); }

void RegionsPage::playOrPause() { m_counts->playOrPause(); }

void RegionsPage::step() { m_counts->stepOnce(); }

std::int64_t RegionsPage::lastStep() const {
    return m_counts->step().value_or(std::numeric_limits<std::int64_t>::max());
}

void RegionsPage::refreshPass() {
    const auto step = m_counts->step();
    if (!step || m_counts->levels() || m_final == nullptr || m_final->type() != io::PixelType::u32) {
        m_jobs.discard();
        if (m_passed == nullptr) return;
        m_passed.reset();
        return showResult();
    }
    // A film leaves out what it has no time for, but shows something.
    if (m_counts->playing() && m_jobs.busy()) return;
    if (m_replay == nullptr) {
        const auto* neighbours = m_session.parameters().valueFor<std::string>(gpu::Parameter::Role::connectivity);
        const bool corners = neighbours == nullptr || (*neighbours != "4" && *neighbours != "6");
        m_replay = std::make_shared<PropagationReplay>(m_final, corners);
    }
    const std::int64_t pass = *step + 1;
    m_jobs.start(
        this,
        [replay = m_replay, pass](const JobContext& context) {
            replay->go(pass, context.stop());
            return replay->picture();
        },
        [this, pass](const JobResult<std::shared_ptr<const io::Grid>>& result) {
            if (result) takePass(pass, result.value());
        });
}

void RegionsPage::takePass(std::int64_t pass, const std::shared_ptr<const io::Grid>& picture) {
    const auto step = m_counts->step();
    if (!step) return;
    m_passed = picture;
    m_pass = pass;
    showResult();
    refreshKept();
    if (pass != *step + 1) QMetaObject::invokeMethod(this, &RegionsPage::refreshPass, Qt::QueuedConnection);
}

}  // namespace warplens::gui
