// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/compare_page.hpp"

#include "gui/compare/difference_panel.hpp"
#include "gui/compare/magnifier.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/colour_map_button.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/profile_panel.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/slice_bar.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/session/result_kind.hpp"
#include "gui/session/shown_variants.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplens::gui {

namespace {

const QString kPanes = QStringLiteral("window/panes"), kLinked = QStringLiteral("window/linked");

}  // namespace

ComparePage::ComparePage(CompareSession& session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_grid(new PaneGrid(this)),
      m_notice(new SessionNotice(session.activity(), this)),
      m_inspector(new InspectorStrip(this)),
      m_range(new RangeBar(this)),
      m_link(new QPushButton(tr("Link"), this)),
      m_layoutButton(new QToolButton(this)),
      m_colours(new ColourMapButton(*m_grid->viewState(), this)),
      m_exact(session.request(), session.results(), session.control()),
      m_differencePanel(new DifferencePanel(m_difference, this)),
      m_magnifier(new Magnifier(this)),
      m_profile(new ProfilePanel(this)),
      m_figures(new FiguresView(this)) {
    setLook(this, "canvas");
    makeActions();
    makeResultActions();
    makeProfileActions();
    makeRecipeActions();
    m_range->setViewState(m_grid->viewState());
    m_inspector->setViewState(m_grid->viewState());
    m_notice->setObjectName(QStringLiteral("notice"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeStrip());
    column->addWidget(makeRecipeStrip());
    column->addWidget(makeRegionStrip());
    column->addWidget(m_notice);
    auto* frame = new QWidget(this);
    setLook(frame, "canvas");
    auto* around = new QHBoxLayout(frame);
    around->setContentsMargins(0, 0, 0, 0);  // the grid has its own
    around->setSpacing(0);
    around->addWidget(m_grid, 3);
    around->addWidget(makeSide(), 1);
    column->addWidget(frame, 1);
    column->addWidget(new SliceBar(*m_grid->viewState(), this));
    column->addWidget(m_inspector);

    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &ComparePage::refresh);
    connect(&session.results(), &Results::changed, &m_later, qOverload<>(&QTimer::start));
    connect(&session.request(), &RequestState::currentChanged, &m_later, qOverload<>(&QTimer::start));
    connect(&session.document(), &Document::changed, this, [this] {
        m_range->setInput(m_session.document().grid(), m_session.document().derived());
        refresh();
    });
    connect(m_notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    connect(m_grid, &PaneGrid::currentChanged, this, &ComparePage::chooseByPane);
    connect(m_grid, &PaneGrid::currentChanged, this, &ComparePage::bindDisplay);
    connect(
        m_grid, &PaneGrid::painted, &session.results(),
        [&results = session.results()](const QString& key, double ms) { results.noteDisplay(key.toStdString(), ms); });
    connect(m_grid, &PaneGrid::wipeMoved, this, &ComparePage::moveWipe);
    connect(m_grid, &PaneGrid::wipeTurned, this, &ComparePage::turnWipe);
    connect(m_range, &RangeBar::defaultSet, m_grid, &PaneGrid::setRange);
    connect(&session.lookedAt(), &LookedAt::referenceChanged, this, &ComparePage::refresh);
    connect(&session.variants(), &VariantListModel::checkedChanged, this, &ComparePage::nameChoices);
    connect(&session.request(), &RequestState::currentChanged, this, &ComparePage::nameChoices);
    connect(new ShiftKey(this), &ShiftKey::held, m_grid, &PaneGrid::setFlipped);
    connect(m_grid->viewState(), &ViewState::viewChanged, this, &ComparePage::viewChanged);
    session.preview().frames().setLook([page = QPointer(this)] { return page ? page->lookedAt() : nullptr; });
    const auto lookAgain = [this] {
        if (m_session.preview().shown()) m_session.preview().frames().askLook();
    };
    connect(m_grid->viewState(), &ViewState::viewChanged, this, lookAgain);
    connect(m_grid->viewState(), &ViewState::displayChanged, this, lookAgain);
    connect(&session.preview().frames(), &LiveFrames::drawn, this, &ComparePage::showFrame);
    connect(&session.preview(), &LivePreview::ended, this, &ComparePage::releaseFrame);
    connect(&m_difference, &DifferenceModel::changed, &m_later, qOverload<>(&QTimer::start));
    connect(&m_exact, &ReferenceModel::changed, &m_later, qOverload<>(&QTimer::start));
    connect(&m_difference, &DifferenceModel::failed, &session.activity(), &Activity::report);
    followDevice();
    connect(&session.devices(), &DeviceChoice::switched, this, &ComparePage::followDevice);
    connect(&session.devices(), &DeviceChoice::listChanged, this, &ComparePage::followDevice);
    connect(m_differencePanel, &DifferencePanel::operandChanged, this, &ComparePage::refresh);
    connect(m_differencePanel, &DifferencePanel::placeChosen, this, &ComparePage::goTo);
    nameChoices();
    setPaneCount(m_paneCount);
}

ComparePage::~ComparePage() = default;

void ComparePage::setPaneCount(int count) {
    count = std::clamp(count, 1, PaneGrid::kMaxPanes);
    m_paneCount = count;
    m_inputAlone = false;
    m_layoutButton->setText(layoutName(count));
    m_layoutButton->setAccessibleName(tr("Pane layout %1").arg(layoutName(count)));
    // A single pane shows the result; the input needs a second one, and so do the difference and the double reference.
    const int others = std::min(count - 1, 1 + m_differenceAction->isChecked() + m_exactAction->isChecked());
    m_session.lookedAt().setPlaces(static_cast<std::size_t>(count - others));
    refresh();
    emit paneCountChanged(count);
}

std::optional<ResultKind> ComparePage::resultKind() const {
    const gpu::Family* family = m_session.parameters().family();
    return family == nullptr ? std::nullopt : resultKindOf(*family, m_session.parameters().values());
}

PaneContent ComparePage::content(const std::string& id) const {
    const gpu::Variant* variant = m_session.variants().variant(id);
    const gpu::RunRecord* record = m_session.results().of(id);
    const bool baseline = id == m_session.request().baseline();
    PaneContent pane;
    if (record != nullptr) {
        pane = resultPane(*record, *variant, baseline);
        if (m_session.results().notKept(id))
            pane.message =
                m_session.activity().busy() ? tr("computing its picture again") : tr("its picture was not kept");
        if (m_session.results().stale(id)) {
            pane.state.reset();
            pane.timeMs.reset();
            pane.message.clear();
            pane.hint = tr("earlier values");
        }
        if (m_session.preview().shown() && id == m_session.request().current()) {
            pane.state = ResultState::unverified;
            pane.timeMs.reset();
        }
    } else {
        pane.key = QString::fromStdString(id);
        pane.idea = variant->idea;
        pane.message = m_session.document().empty()      ? QString()
                       : m_session.control().comparing() ? tr("waiting for its turn")
                                                         : tr("not run yet");
        if (baseline) pane.detail = tr("baseline");
    }
    if (const auto kind = resultKind(); kind && pane.picture != nullptr) {
        pane.display = ownDisplayOf(*kind, *pane.picture);
        pane.legend = kind->values;
    }
    pane.title = QString::fromStdString(id);
    if (id == m_session.request().current() && m_session.request().standsIn()) {
        if (!pane.detail.isEmpty()) pane.detail += QStringLiteral(", ");
        pane.detail += tr("in place of %1").arg(QString::fromStdString(m_session.request().chosen()));
    }
    if (id == m_session.lookedAt().reference()) {
        if (!pane.detail.isEmpty()) pane.detail += QStringLiteral(", ");
        pane.detail += tr("reference");
    }
    return pane;
}

PaneContent ComparePage::inputContent() const {
    PaneContent pane = inputPane(m_session.document().grid(), m_session.document().name());
    if (m_session.document().empty()) pane.message = tr("Open a picture, or drop one here.");
    const bool reference = m_session.lookedAt().reference() == kInputKey.toStdString();
    pane.hint = reference ? tr("reference  Shift+1") : tr("Shift+1");
    return pane;
}

PaneContent ComparePage::referenceContent() const {
    const std::string& key = m_session.lookedAt().reference();
    if (key == kExactKey.toStdString()) return exactContent();
    if (const Snapshot* snapshot = m_session.snapshots().find(key)) {
        const gpu::Variant* variant = m_session.variants().variant(snapshot->record.variant);
        PaneContent pane;
        if (variant != nullptr) pane = resultPane(snapshot->record, *variant, false);
        pane.key = snapshot->key;
        pane.title = snapshot->title;
        pane.detail = snapshot->detail;
        pane.idea = snapshot->idea;
        pane.picture = snapshot->record.result.picture;
        return pane;
    }
    if (m_session.variants().variant(key) == nullptr) return inputContent();
    PaneContent pane = content(key);
    if (m_session.results().stale(key)) pane.picture.reset();  // earlier values are no measure of the present ones
    return pane;
}

void ComparePage::refresh() {
    std::vector<PaneContent> contents;
    const bool difference = m_differenceAction->isChecked(), exact = m_exactAction->isChecked();
    const bool differenceAlone = difference && m_paneCount == 1;
    if (m_paneCount > 1 + difference + exact || m_inputAlone) contents.push_back(inputContent());
    int current = -1;
    for (const std::string& id : m_session.lookedAt().shown()) {
        if (m_session.variants().variant(id) == nullptr || m_inputAlone || differenceAlone) continue;
        if (id == m_session.request().current()) current = static_cast<int>(contents.size());
        contents.push_back(content(id));
    }
    m_exact.setWanted(exactWanted());
    feedDifference();
    showFigures();
    if (exact && m_paneCount > 1 + difference) contents.push_back(exactContent());
    if (difference) contents.push_back(differenceContent());
    m_showing = true;  // what follows is not the user's choice of a pane
    m_grid->setReference(referenceContent());
    m_grid->setPanes(contents);
    // A pane chosen by its number stays until another result is chosen.
    const bool inputChosen = m_inputChosen && m_paneCount > 1 && !contents.empty();
    if (inputChosen)
        m_grid->setCurrent(0);
    else if (current >= 0)
        m_grid->setCurrent(current);
    placeWipe();
    placeTiles();
    placePaint();
    placeProfile();
    m_inspector->setPanes(contents);
    if (Pane* pane = m_grid->pane(m_grid->current())) m_magnifier->setPane(pane->content());
    m_showing = false;
    const gpu::RunRecord* record = m_session.results().of(m_session.request().current());
    const bool shown = record != nullptr && record->result.picture != nullptr && !resultKind();
    const auto picture = shown ? record->result.picture : m_session.document().grid();
    m_range->setCurrent(picture);
    m_colours->setCurrent(picture.get());
}

void ComparePage::chooseByPane(int index) {
    if (m_showing || index < 0 || index >= static_cast<int>(m_grid->panes().size())) return;
    const QString key = m_grid->panes()[static_cast<std::size_t>(index)].key;
    m_inputChosen = key == kInputKey;
    if (m_session.variants().variant(key.toStdString()) != nullptr) m_session.request().setCurrent(key.toStdString());
}

QString ComparePage::id() const { return QStringLiteral("compare"); }

QString ComparePage::title() const { return tr("Compare"); }

void ComparePage::restore(const QSettings& settings) {
    setPaneCount(settings.value(kPanes, m_paneCount).toInt());
    setLinked(settings.value(kLinked, true).toBool());
}

void ComparePage::save(QSettings& settings) const {
    settings.setValue(kPanes, m_paneCount);
    settings.setValue(kLinked, linked());
}

QImage ComparePage::view() { return m_grid->grab().toImage(); }

bool ComparePage::settled() const {
    for (const std::string& id : m_session.lookedAt().shown())
        if (m_session.results().notKept(id) || m_session.results().stale(id)) return false;
    for (int i = 0; i < static_cast<int>(m_grid->panes().size()); ++i)
        if (!m_grid->pane(i)->view()->settled()) return false;
    return true;
}

ViewState* ComparePage::currentView() const {
    const int index = m_grid->current();
    return m_grid->linked() || index < 0 ? m_grid->viewState() : m_grid->pane(index)->view()->viewState();
}

bool ComparePage::linked() const { return m_grid->linked(); }

void ComparePage::setLinked(bool linked) {
    if (m_link->isChecked() != linked) m_link->setChecked(linked);
    if (m_grid->linked() == linked) return;
    m_grid->setLinked(linked);
    bindDisplay();
    emit linkedChanged(linked);
    emit viewChanged();
}

}  // namespace warplens::gui
