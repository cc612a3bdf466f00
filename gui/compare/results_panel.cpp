// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/results_panel.hpp"

#include "gpu/report/table.hpp"
#include "gui/compare/run_table.hpp"
#include "gui/compare/slab_strip.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/plot/time_bars.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {
constexpr int kBarsWidth = 340;
constexpr Length kStackedWidth{260};  ///< that a bar of all stages is read in
}  // namespace

ResultsPanel::ResultsPanel(RequestState& request, RunTableModel& runs, QWidget* parent)
    : QWidget(parent),
      m_request(request),
      m_model(runs),
      m_runs(new RunSortProxy(&runs, this)),
      m_title(made(new QWidget(this), {.look = "dock"})),
      m_table(new RunTable(m_runs, this)),
      m_rows(new QWidget(this)),
      m_slabs(new SlabStrip(this)),
      m_split(makeSplitter(Qt::Horizontal, this)),
      m_bars(made(new TimeBars(this), {.id = "time-bars"})) {
    setLook(this, "dock");
    makeTitle();
    setHeights();

    makeColumn(m_rows, {}, 0, {{m_table, 1}, spring(0)});
    m_split->addWidget(m_rows);
    m_split->addWidget(m_bars);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    m_split->setSizes({900, kBarsWidth});
    makeColumn(this, {}, 0, {m_slabs, m_split});

    connect(m_table, &RunTable::refreshed, this, &ResultsPanel::refresh);
    connect(m_table, &RunTable::columnsChanged, this, &ResultsPanel::fitColumns);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &ResultsPanel::followScroll);
    // Not where the focus stands: a table that gets it while no row is current makes the first one so.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList selected = m_table->selectionModel()->selectedRows();
        if (selected.size() == 1)
            m_request.setCurrent(selected.front().data(RunTableModel::IdRole).toString().toStdString());
    });
    // The chart has no scroll bar of its own: the wheel over it turns the table's, three rows a notch.
    connect(m_bars, &TimeBars::scrolled, this, [this](int delta) {
        QScrollBar* bar = m_table->verticalScrollBar();
        bar->setValue(bar->value() - delta * 3 * bar->singleStep() / 120);
    });
    connect(m_bars, &TimeBars::rowChosen, this, [this](int row) { m_table->selectRow(row); });
    connect(&m_request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (!before.sameCurrent(now)) follow();
    });
    connect(&m_request.devices(), &DeviceChoice::changed, this, &ResultsPanel::refreshTitle);
    refresh();
    // Projector mode has other rows.
    on(this, {QEvent::StyleChange}, [this] { setHeights(); });
    on(this, {QEvent::Resize}, [this] {
        fitRows();
        fitColumns();
        fitTitle();
    });
}

void ResultsPanel::makeTitle() {
    m_trust = made(new ElidedLabel(m_title), {.id = "trust", .look = "caption"});
    m_recorded = made(new QLabel(m_title), {.id = "recorded", .look = "caption"});
    m_origin = made(new OriginMark(Origin::measured, m_title), {.id = "trust-origin"});
    m_slower =
        made(new QToolButton(m_title), {.id = "slower", .look = "flat", .does = [this] { emit historyWanted(); }});
    m_slower->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_slower->hide();
    m_baseline = made(new QToolButton(m_title), {.id = "baseline", .look = "flat"});
    m_baseline->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_baseline);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillBaselines(menu); });
    m_baseline->setMenu(menu);
    const auto segment = [this](const char* id, const QString& text, const QString& tip, bool stages) {
        auto* button = made(new QPushButton(text, m_title),
                            {.id = id, .look = "segment", .tip = tip, .checkable = true, .does = [this, stages] {
                                 setStages(stages);
                             }});
        button->setChecked(stages == m_model.stages());
        return button;
    };
    m_kernels = segment("times-kernel", tr("Kernel"), tr("The kernel's time alone, and what bounds it."), false);
    m_stages =
        segment("times-stages", tr("All stages"),
                tr("Upload, layout, kernel, download and display, stacked; exposed: what no other stage hides."), true);
    auto* copy = made(new QToolButton(m_title), {.id = "copy-table",
                                                 .look = "flat",
                                                 .tip = tr("Copies the table as shown, for a spreadsheet."),
                                                 .text = tr("Copy table"),
                                                 .does = [this] { copyTable(); }});
    QHBoxLayout* row = titleRow(m_title, kTitleHeight, tr("Times"));
    row->addStrut(kTitleHeight);
    row->setContentsMargins(kDockMargin, 0, kGap, 0);
    fill(row, {m_origin, {m_trust, 1}, m_recorded, m_slower, m_kernels, m_stages, m_baseline, copy});
}

void ResultsPanel::setStages(bool stages) {
    m_kernels->setChecked(!stages);
    m_stages->setChecked(stages);
    if (m_model.stages() == stages) return;
    m_model.setStages(stages);
    refresh();
    emit stagesChanged(stages);
}

void ResultsPanel::setSlower(const QString& sentence) {
    m_slower->setIcon(originIcon(Origin::recorded));
    m_slower->setText(sentence.section(':', 0, 0));
    setWidgetText(m_slower, {.name = sentence, .tip = sentence});
    m_slower->setVisible(!sentence.isEmpty());
    fitTitle();
}

void ResultsPanel::fillBaselines(QMenu* menu) {
    menu->clear();
    for (int i = 0; i < m_model.rowCount(); ++i) {
        const gpu::Variant* variant = m_model.variant(i);
        QAction* action = menu->addAction(ideaIcon(variant->idea), QString::fromStdString(variant->id));
        action->setCheckable(true);
        action->setChecked(variant->id == m_request.baseline());
        connect(action, &QAction::triggered, this, [this, id = variant->id] {
            m_request.setBaseline(id);
            refreshTitle();
        });
    }
}

void ResultsPanel::refreshTitle() {
    const RunTableModel& runs = m_model;
    const QString trust = runs.trust();
    const QString order = runs.ranking() ? QString() : tr("ladder order; not ranked by CPU time");
    m_origin->setVisible(!trust.isEmpty());
    QStringList parts;
    if (!trust.isEmpty()) parts << (runs.ranking() ? tr("trust: %1").arg(trust) : trust);
    if (!order.isEmpty()) parts << order;
    if (!runs.plan().isEmpty()) parts << tr("slab by slab: %1").arg(runs.plan());
    m_said = parts.join(QStringLiteral(" · "));
    m_trust->setFullText(m_said, {parts.value(0), QString()});
    m_trust->setToolTip(
        m_said + '\n' + tr("Spread: the widest interquartile range, relative to the median; n: samples per variant.") +
        (runs.ranking()
             ? '\n' +
                   tr("Clock and throttling: what the driver reported meanwhile; a steady clock makes times "
                      "comparable.") +
                   '\n' +
                   tr("Above the limit: faster than a copy of the same bytes, which a cache explains, or an error.")
             : QString()));
    m_baseline->setVisible(runs.ranking() && !runs.stages());
    m_baseline->setText(tr("Baseline %1").arg(QString::fromStdString(runs.baseline())));
    m_baseline->setAccessibleName(m_baseline->text());
    fitTitle();
}

void ResultsPanel::fitTitle() {
    const RunTableModel& runs = m_model;
    const int column = gpu::RunColumn::recorded;
    m_recorded->setText(runs.applies(column) ? runs.headerData(column, Qt::Horizontal, Qt::StatusTipRole).toString()
                                             : QString());
    constexpr Length kOthers{480};  // the title, its glyph, and the tools
    const int slower = m_slower->isHidden() ? 0 : m_slower->sizeHint().width();
    const int words = m_trust->fontMetrics().horizontalAdvance(m_said) + m_recorded->sizeHint().width() + slower;
    m_recorded->setVisible(!m_recorded->text().isEmpty() && width() >= words + kOthers);
}

std::vector<TimeBar> ResultsPanel::barsOf(void (ResultsPanel::*fill)(TimeBar& bar, int run) const) const {
    std::vector<TimeBar> bars;
    for (int row = 0; row < m_runs->rowCount(); ++row) {
        const int run = m_runs->sourceRow(row);
        (this->*fill)(bars.emplace_back(TimeBar::of(*m_model.variant(run))), run);
    }
    return bars;
}

void ResultsPanel::fillMeasured(TimeBar& bar, int run) const {
    const gpu::Timing* time = m_model.time(run);
    if (time == nullptr) return;
    if (time->clock != (m_model.ranking() ? gpu::Clock::device : gpu::Clock::simulated))
        bar.note = m_model.ranking() && time->clock == gpu::Clock::library
                       ? tr("CPU clock: not drawn on this scale")
                       : tr("another clock: not drawn on this scale");
    else if (m_model.stages())
        bar.setTime(*time, TimeBar::piecesOf(*m_model.stagesOf(run)));
    else
        bar.setTime(*time);
}

void ResultsPanel::fillRecorded(TimeBar& bar, int run) const {
    const gpu::Timing* time = m_model.recordedTime(run);
    if (time == nullptr)
        bar.note = tr("not recorded");
    else if (time->clock != gpu::Clock::device)
        bar.note = tr("CPU clock: not drawn on this scale");
    else
        bar.setTime(*time);
}

void ResultsPanel::fillCounted(TimeBar& bar, int run) const {
    constexpr double kSectorMb = 32e-6;
    if (const gpu::Counters* counters = m_counts ? m_counts(m_model.variant(run)->id) : nullptr)
        bar.medianMs = kSectorMb * static_cast<double>(counters->globalLoad.sectors + counters->texture.sectors +
                                                       counters->globalStore.sectors + counters->globalAtomics.sectors);
    else
        bar.note = tr("not counted");
}

void ResultsPanel::setCounts(Counts counts) {
    m_counts = std::move(counts);
    refreshBars();
}

void ResultsPanel::refreshBars() {
    const RunTableModel& runs = m_model;
    const bool measured = runs.ranking() || runs.stages();
    const auto drawn = [](const std::vector<TimeBar>& bars) {
        return std::ranges::any_of(bars, [](const TimeBar& bar) { return bar.medianMs.has_value(); });
    };
    std::vector<TimeBar> bars = barsOf(measured ? &ResultsPanel::fillMeasured : &ResultsPanel::fillRecorded);
    const bool times = measured || drawn(bars);
    if (!times) bars = barsOf(&ResultsPanel::fillCounted);
    const bool counted = !times && drawn(bars);
    // Until a comparison is there again the chart stays as it was: nothing moves while a slider does.
    if (const bool shown = times || counted; m_bars->isHidden() == shown && (shown || runs.compared())) {
        m_bars->setVisible(shown);
        // What a splitter gives a part that comes back is no part of the table's room.
        if (shown) m_split->setSizes({std::max(1, width() - kBarsWidth), kBarsWidth});
        QTimer::singleShot(0, this, &ResultsPanel::fitColumns);
    }
    if (!times && !counted)
        for (TimeBar& bar : bars) bar.note.clear();
    m_bars->setUnit(counted ? tr("MB") : tr("ms"));
    m_bars->setOrigin(measured ? std::nullopt : std::optional(counted ? Origin::counted : Origin::recorded));
    if (measured)
        m_bars->setRanking(runs.ranking(), runs.ranking() ? QString() : tr("CPU ms, ranks nothing"));
    else
        m_bars->setRanking(true, counted ? tr("Global memory: sectors of 32 bytes") : runs.recordedLine());
    m_bars->setLimit(runs.stages() || counted ? std::nullopt : runs.limitMs(),
                     tr("limit = %1, measured on this device").arg(runs.limitFormula()));
    m_bars->setBars(std::move(bars));
}

void ResultsPanel::refresh() {
    refreshBars();
    refreshTitle();
    follow();
    fitRows();
}

void ResultsPanel::showSlabs() {
    const gpu::RunRecord* record = m_model.record(m_model.rowOf(m_request.current()));
    m_slabs->setSlabs(record != nullptr ? record->slabs : std::nullopt);
    fitRows();
}

void ResultsPanel::follow() {
    const int row = m_runs->rowOf(m_request.current());
    showSlabs();
    m_bars->setSelectedRow(row);
    if (row < 0)
        m_table->clearSelection();
    else if (m_table->currentIndex().row() != row)
        m_table->selectRow(row);
}

void ResultsPanel::setHeights() {
    m_bars->setHeadHeight(kHeadHeight);
    m_bars->setRowHeight(kRowHeight);
    QTimer::singleShot(0, this, [this] {
        fitRows();
        fitColumns();
        fitTitle();
    });
}

void ResultsPanel::fitRows() {
    // The strip of slabs gives way before the last whole row does.
    const int room = height() - kHeadHeight, beside = room - m_slabs->sizeHint().height();
    const bool slabs = !m_slabs->empty() && beside >= kRowHeight;
    m_slabs->setVisible(slabs);
    const int rows = slabs ? beside / kRowHeight : std::max(2, room / kRowHeight);
    m_table->setMaximumHeight(kHeadHeight + rows * kRowHeight);
    QTimer::singleShot(0, this, [this] {
        if (m_table->currentIndex().isValid()) m_table->scrollTo(m_table->currentIndex());
        followScroll();  // rows of another height are elsewhere, though as many of them are scrolled away
    });
}

void ResultsPanel::followScroll() { m_bars->setScrollOffset(m_table->verticalHeader()->offset()); }

void ResultsPanel::fitColumns() {
    const int whole = width() - m_split->handleWidth();
    const auto needed = [this](RunTable::Stages stages) {
        return m_table->neededWidth(stages) + m_table->verticalScrollBar()->sizeHint().width();
    };
    // Stacked bars are what all stages are shown for: columns that say the same give way.
    auto stages = RunTable::Stages::all;
    const bool stacked = m_model.stages() && !m_bars->isHidden();
    for (const auto fewer : {RunTable::Stages::total, RunTable::Stages::kernel})
        if (stacked && whole - needed(stages) < kStackedWidth) stages = fewer;
    m_table->setStages(stages);
    if (m_bars->isHidden()) return;
    const int table = needed(stages), bars = whole - table;
    const bool narrow = stacked && m_split->sizes().back() < std::min<int>(kStackedWidth, bars);
    if ((m_split->sizes().front() < table || narrow) && bars >= m_bars->minimumSizeHint().width())
        m_split->setSizes({table, bars});
}

void ResultsPanel::setFewColumns(bool few) { m_table->setFewColumns(few); }

void ResultsPanel::copyTable() {
    // What the numbers are of stands below them, in the same two first columns.
    QString text = m_runs->tsv();
    const auto line = [&](const QString& what, const QString& value) {
        if (!value.isEmpty()) text += what + '\t' + value + '\n';
    };
    const Document& document = m_request.document();
    if (!document.empty()) {
        const io::Shape& shape = document.grid()->shape();
        line(tr("Picture"), tr("%1, %2, %3")
                                .arg(document.name(), QString::fromStdString(gpu::extents(shape)),
                                     QString::fromUtf8(io::nameOf(document.grid()->type()))));
    }
    if (const gpu::DeviceInfo* device = m_request.devices().chosen())
        line(tr("Device"), QString::fromStdString(device->name));
    line(tr("Times"), originName(Origin::measured));
    line(tr("Command"), m_request.command());
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace warplens::gui
