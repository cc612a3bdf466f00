// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/components_panel.hpp"

#include "gui/kit/dock_section.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/picture/table_export.hpp"
#include "gui/regions/areas_chart.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kSwatch{10};
constexpr double kLargestArea = 1e15;

QLabel* words(const QString& text, const char* look, QWidget* parent) {
    return made(new QLabel(text, parent), {.look = look});
}

}  // namespace

ComponentsPanel::ComponentsPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new ComponentsModel(this)),
      m_rows(new FiguresRows(this)),
      m_table(new QTableView(this)),
      m_areas(new DockSection(tr("Areas"), Origin::counted, this)),
      m_chart(new AreasChart(this)),
      m_count(words({}, "caption", this)) {
    setWidgetText(this, {.id = "components-panel", .look = "dock"});
    makeTable();
    auto* head = new QWidget(this);
    auto* csv = made(new QToolButton(head), {.id = "export-components",
                                             .look = "flat",
                                             .tip = tr("Writes the rows shown, in this order, with all digits."),
                                             .focus = true});
    csv->setText(tr("Export CSV"));
    connect(csv, &QToolButton::clicked, this, &ComponentsPanel::exportCsv);
    m_count->setObjectName(QStringLiteral("components-count"));
    auto* row = titleRow(head, kTitleHeight, tr("Components"), 6);
    fill(row, {m_count, new OriginMark(Origin::counted, head), spring(), csv});
    m_areas->content()->addWidget(m_chart, 1);
    m_areas->content()->addWidget(makeAreas());
    makeColumn(this, {}, 0, {head, {m_table, 3}, {m_areas, 2}});
    refresh();
    after(this, {QEvent::Resize}, [this] { fitColumns(); });
}

void ComponentsPanel::makeTable() {
    setWidgetText(m_table, {.id = "regions-table", .name = tr("Components")});
    m_rows->setSourceModel(m_model);
    m_table->setModel(m_rows);
    m_table->setHorizontalHeader(new TableHead(TableHead::Room::narrow, m_table));
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->setIconSize(QSize(kSwatch, kSwatch));
    m_table->setMinimumHeight(kHeadHeight + 2 * kRowHeight);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ComponentsModel::kArea, Qt::DescendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ComponentsPanel::chosenChanged);
    // One that was chosen already is gone to again.
    connect(m_table, &QTableView::clicked, this, &ComponentsPanel::chosenChanged);
}

QWidget* ComponentsPanel::makeAreas() {
    auto* below = new QWidget(this);
    auto* limits = new QWidget(below);
    m_least = made(new ValueSpin(limits), {.id = "keep-least", .name = tr("Least area kept")});
    m_most = made(new ValueSpin(limits), {.id = "keep-most", .name = tr("Greatest area kept")});
    for (ValueSpin* spin : {m_least, m_most}) {
        spin->setRange(0, kLargestArea);
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
            m_limited = true;
            keep();
        });
    }
    makeRow(limits, {}, 6,
            {words(tr("Keep areas"), "label", limits), {m_least, 1}, words(tr("to"), "label", limits), {m_most, 1}});
    auto* told = new QWidget(below);
    m_kept = made(words({}, "title", told), {.id = "components-kept"});
    m_mean = made(words({}, "title", told), {.id = "components-mean"});
    makeRow(told, {}, 5,
            {m_kept, new OriginMark(Origin::counted, told), words(tr("kept, mean area"), "body", told), m_mean,
             new OriginMark(Origin::counted, told), spring()});
    makeColumn(below, {}, 6, {limits, told});
    return below;
}

void ComponentsPanel::setTable(const std::shared_ptr<const gpu::Table>& table) {
    if (table == m_model->table()) return;
    m_model->setTable(table);
    const std::size_t rows = table == nullptr ? 0 : table->rows();
    std::vector<double> areas(rows);
    for (std::size_t row = 0; row < rows; ++row) areas[row] = m_model->area(row);
    m_chart->setAreas(areas);
    m_areas->setCaption(rows == 0 ? QString() : tr("bin width %1 px").arg(format::value(m_chart->binWidth())));
    if (!m_limited) {
        const QSignalBlocker quietLeast(m_least), quietMost(m_most);
        m_least->setValue(0);
        m_most->setValue(rows == 0 ? 0 : std::ranges::max(areas));
    }
    keep();
    fitColumns();
}

void ComponentsPanel::fitColumns() {
    // The centroid, which the exported table has too, is shown whole or not at all.
    m_table->setColumnHidden(ComponentsModel::kCentroid, false);
    m_table->resizeColumnsToContents();
    if (m_table->horizontalHeader()->length() > m_table->viewport()->width())
        m_table->setColumnHidden(ComponentsModel::kCentroid, true);
}

void ComponentsPanel::keep() {
    m_rows->setAreas(ComponentsModel::kArea, m_least->value(), m_most->value());
    m_chart->setKept(m_least->value(), m_most->value());
    refresh();
    emit keptChanged();
}

bool ComponentsPanel::keeps(std::size_t row) const {
    const double area = m_model->area(row);
    return area >= m_least->value() && area <= m_most->value();
}

void ComponentsPanel::refresh() {
    const QString of = tr("%1 of %2").arg(format::integer(m_rows->rowCount()), format::integer(m_model->rowCount()));
    m_count->setText(tr("%1 kept").arg(of));
    m_kept->setText(of);
    double sum = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (keeps(static_cast<std::size_t>(row))) sum += m_model->area(static_cast<std::size_t>(row));
    const int kept = m_rows->rowCount();
    m_mean->setText(kept == 0 ? QStringLiteral("–") : format::integer(std::llround(sum / kept)));
}

void ComponentsPanel::choose(std::int64_t label) {
    const auto row = m_model->rowOf(label);
    const QModelIndex at = row ? m_rows->mapFromSource(m_model->index(static_cast<int>(*row), 0)) : QModelIndex();
    if (!at.isValid()) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
        return;
    }
    m_table->setCurrentIndex(at);
    m_table->scrollTo(at);
}

std::optional<std::size_t> ComponentsPanel::chosen() const {
    const QModelIndex at = m_rows->mapToSource(m_table->currentIndex());
    return at.isValid() ? std::optional(static_cast<std::size_t>(at.row())) : std::nullopt;
}

gpu::Table ComponentsPanel::shownTable() const {
    gpu::Table shown{.id = m_model->table()->id, .title = m_model->table()->title, .columns = {}};
    for (const gpu::Column& column : m_model->table()->columns) {
        gpu::Column made = column;
        std::visit(
            [&](const auto& all) {
                std::decay_t<decltype(all)> some;
                for (int row = 0; row < m_rows->rowCount(); ++row)
                    some.push_back(all[static_cast<std::size_t>(m_rows->mapToSource(m_rows->index(row, 0)).row())]);
                made.values = std::move(some);
            },
            column.values);
        shown.columns.push_back(std::move(made));
    }
    return shown;
}

void ComponentsPanel::exportCsv() {
    if (m_model->table() == nullptr) return;
    exportTable(
        window(), tr("Export the components"), shownTable(), this, [](const QString&) {},
        [this](const QString& why) { emit failed(why); });
}

}  // namespace warplens::gui
