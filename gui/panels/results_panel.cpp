// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/results_panel.hpp"

#include "gui/charts/time_bars.hpp"
#include "gui/panels/run_table.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/marks.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>

namespace warplens::gui {

namespace {
constexpr int kBarsWidth = 340;
}

ResultsPanel::ResultsPanel(CompareSession& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_runs(new RunSortProxy(&session.runs(), this)),
      m_title(new QWidget(this)),
      m_table(new RunTable(m_runs, this)),
      m_bars(new TimeBars(this)) {
    setLook(this, "dock");
    makeTitle();
    m_bars->setObjectName(QStringLiteral("time-bars"));
    setHeights();

    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setHandleWidth(1);
    split->addWidget(m_table);
    split->addWidget(m_bars);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 0);
    split->setSizes({900, kBarsWidth});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(split);

    connect(m_table, &RunTable::refreshed, this, &ResultsPanel::refresh);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, m_bars, &TimeBars::setScrollOffset);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) m_session.setCurrent(now.data(RunTableModel::IdRole).toString().toStdString());
    });
    // The chart has no scroll bar of its own: the wheel over it turns the table's, three rows a notch.
    connect(m_bars, &TimeBars::scrolled, this, [this](int delta) {
        QScrollBar* bar = m_table->verticalScrollBar();
        bar->setValue(bar->value() - delta * 3 * bar->singleStep() / 120);
    });
    connect(m_bars, &TimeBars::rowChosen, this, [this](int row) { m_table->selectRow(row); });
    connect(&m_session, &CompareSession::currentChanged, this, &ResultsPanel::follow);
    connect(&m_session, &CompareSession::deviceChanged, this, &ResultsPanel::refreshTitle);
    refresh();
}

void ResultsPanel::makeTitle() {
    setLook(m_title, "dock");
    m_title->setFixedHeight(kTitleHeight);
    auto* row = new QHBoxLayout(m_title);
    row->addStrut(kTitleHeight);
    row->setContentsMargins(kDockMargin, 0, kGap, 0);
    row->setSpacing(kGap);
    auto* name = new QLabel(tr("Times"), m_title);
    setLook(name, "title");
    m_trust = new QLabel(m_title);
    m_trust->setObjectName(QStringLiteral("trust"));
    setLook(m_trust, "caption");
    m_trust->setMinimumWidth(0);
    m_trust->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_origin = new OriginMark(Origin::measured, m_title);
    m_origin->setObjectName(QStringLiteral("trust-origin"));
    m_baseline = new QToolButton(m_title);
    m_baseline->setObjectName(QStringLiteral("baseline"));
    setLook(m_baseline, "flat");
    m_baseline->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_baseline);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillBaselines(menu); });
    m_baseline->setMenu(menu);
    auto* copy = new QToolButton(m_title);
    copy->setObjectName(QStringLiteral("copy-table"));
    setLook(copy, "flat");
    copy->setText(tr("Copy table"));
    copy->setToolTip(tr("Copies the table as shown, for a spreadsheet."));
    connect(copy, &QToolButton::clicked, this, &ResultsPanel::copyTable);
    row->addWidget(name);
    row->addWidget(m_origin);
    row->addWidget(m_trust, 1);
    row->addWidget(m_baseline);
    row->addWidget(copy);
}

void ResultsPanel::fillBaselines(QMenu* menu) {
    menu->clear();
    for (int i = 0; i < m_session.runs().rowCount(); ++i) {
        const gpu::Variant* variant = m_session.runs().variant(i);
        QAction* action = menu->addAction(ideaIcon(variant->idea), QString::fromStdString(variant->id));
        action->setCheckable(true);
        action->setChecked(variant->id == m_session.runs().baseline());
        connect(action, &QAction::triggered, this, [this, id = variant->id] {
            m_session.setBaseline(id);
            refreshTitle();
        });
    }
}

void ResultsPanel::refreshTitle() {
    const RunTableModel& runs = m_session.runs();
    const QString trust = runs.trust();
    const QString order = runs.ranking() ? QString() : tr("order of the ladder; CPU times rank nothing");
    m_origin->setVisible(!trust.isEmpty());
    QStringList parts;
    if (!trust.isEmpty()) parts << (runs.ranking() ? tr("trust: %1").arg(trust) : trust);
    if (!order.isEmpty()) parts << order;
    m_trust->setText(parts.join(QStringLiteral(" · ")));
    m_trust->setToolTip(
        m_trust->text() + '\n' +
        tr("Spread: the widest distance of the quartiles, as a share of the median; n: samples a variant.") +
        (runs.ranking() ? '\n' + tr("Clock and throttling: what the driver reported meanwhile; a steady clock makes times comparable.") +
                              '\n' + tr("Above the limit: faster than a copy of the same bytes, which a cache explains, or an error.")
                        : QString()));
    m_baseline->setVisible(runs.ranking());
    m_baseline->setText(tr("Baseline %1").arg(QString::fromStdString(runs.baseline())));
    m_baseline->setAccessibleName(m_baseline->text());
}

void ResultsPanel::refreshBars() {
    const RunTableModel& runs = m_session.runs();
    std::vector<TimeBar> bars;
    for (int row = 0; row < m_runs->rowCount(); ++row) {
        const int source = m_runs->sourceRow(row);
        const gpu::Variant* variant = runs.variant(source);
        TimeBar bar;
        bar.name = QString::fromStdString(variant->id);
        bar.idea = variant->idea;
        if (const gpu::Timing* time = runs.time(source)) {
            if (time->clock != (runs.ranking() ? gpu::Clock::cudaEvent : gpu::Clock::cpuSimt)) {
                bar.note = runs.ranking() ? tr("CPU clock: not drawn on this scale")
                                          : tr("another clock: not drawn on this scale");
            } else {
                bar.medianMs = time->medianMs;
                if (time->samples > 1) {
                    bar.q1Ms = time->q1Ms;
                    bar.q3Ms = time->q3Ms;
                }
            }
        }
        bars.push_back(std::move(bar));
    }
    m_bars->setRanking(runs.ranking(), runs.ranking() ? QString() : tr("CPU ms, ranks nothing"));
    m_bars->setLimit(runs.limitMs(), tr("limit = %1, measured on this device").arg(runs.limitFormula()));
    m_bars->setBars(std::move(bars));
}

void ResultsPanel::refresh() {
    refreshBars();
    refreshTitle();
    follow();
}

void ResultsPanel::follow() {
    const int row = m_runs->rowOf(m_session.current());
    m_bars->setSelectedRow(row);
    if (row < 0)
        m_table->clearSelection();
    else if (m_table->currentIndex().row() != row)
        m_table->selectRow(row);
}

void ResultsPanel::changeEvent(QEvent* event) {
    // Projector mode has other rows.
    if (event->type() == QEvent::StyleChange && m_bars != nullptr) setHeights();
    QWidget::changeEvent(event);
}

void ResultsPanel::setHeights() {
    m_bars->setHeadHeight(kHeadHeight);
    m_bars->setRowHeight(kRowHeight);
}

void ResultsPanel::setFewColumns(bool few) {
    m_table->setFewColumns(few);
}

void ResultsPanel::copyTable() {
    QGuiApplication::clipboard()->setText(m_runs->tsv());
}

}  // namespace warplens::gui
