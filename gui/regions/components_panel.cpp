// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/components_panel.hpp"

#include "gui/kit/dock_section.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/regions/measure_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

constexpr Length kSwatch{10};
constexpr double kLargest = 1e15;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

QLabel* words(const QString& text, const char* look, QWidget* parent) {
    return made(new QLabel(text, parent), {.look = look});
}

}  // namespace

ComponentsPanel::ComponentsPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new ComponentsModel(this)),
      m_rows(new FiguresRows(this)),
      m_table(new QTableView(this)),
      m_distribution(new DockSection(tr("Distribution"), Origin::counted, this)),
      m_chart(new MeasureChart(this)),
      m_scatter(new MeasureScatter(this)),
      m_count(words({}, "caption", this)) {
    setWidgetText(this, {.id = "components-panel", .look = "dock"});
    makeTable();
    auto* head = new QWidget(this);
    auto* csv = made(new QToolButton(head), {.id = "export-components",
                                             .look = "flat",
                                             .tip = tr("Writes the rows shown, in this order, with all digits (T)."),
                                             .focus = true});
    csv->setText(tr("CSV"));
    connect(csv, &QToolButton::clicked, this, &ComponentsPanel::tableWanted);
    auto* rois = made(new QToolButton(head), {.id = "export-outlines",
                                              .look = "flat",
                                              .tip = tr("Writes the outlines of the regions kept as ImageJ's RoiSet."),
                                              .focus = true,
                                              .text = tr("ROIs")});
    connect(rois, &QToolButton::clicked, this, &ComponentsPanel::outlinesWanted);
    m_count->setObjectName(QStringLiteral("components-count"));
    auto* row = titleRow(head, kTitleHeight, tr("Regions"), 6);
    fill(row, {m_count, new OriginMark(Origin::counted, head), spring(), rois, csv});
    m_distribution->content()->addWidget(m_chart, 1);
    m_distribution->content()->addWidget(m_scatter, 1);
    connect(m_scatter, &PlotView::picked, this, [this](int choice) { choose(m_model->label(m_scatter->row(choice))); });
    connect(this, &ComponentsPanel::chosenChanged, this, &ComponentsPanel::showChosen);
    m_distribution->content()->addWidget(makeKept());
    makeColumn(this, {}, 0, {head, {m_table, 3}, {m_distribution, 2}});
    listMeasures();
    refresh();
    after(this, {QEvent::Resize}, [this] { fitColumns(); });
}

void ComponentsPanel::makeTable() {
    setWidgetText(m_table, {.id = "regions-table", .name = tr("Components")});
    m_rows->setSourceModel(m_model);
    m_table->setModel(m_rows);
    TableHead* head = makeFigureTable(m_table);
    head->setSectionsClickable(true);
    head->setStretchLastSection(true);
    m_table->setIconSize(QSize(kSwatch, kSwatch));
    m_table->setMinimumHeight(kHeadHeight + 2 * kRowHeight);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ComponentsModel::kArea, Qt::DescendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ComponentsPanel::chosenChanged);
    // One that was chosen already is gone to again.
    connect(m_table, &QTableView::clicked, this, &ComponentsPanel::chosenChanged);
}

QWidget* ComponentsPanel::makeKept() {
    auto* below = new QWidget(this);
    auto* limits = new QWidget(below);
    m_least = made(new ValueSpin(limits), {.id = "keep-least", .name = tr("Least value kept")});
    m_most = made(new ValueSpin(limits), {.id = "keep-most", .name = tr("Greatest value kept")});
    for (ValueSpin* spin : {m_least, m_most}) {
        spin->setRange(-kLargest, kLargest);
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
            m_limited = true;
            keep();
        });
    }
    m_by = made(new QComboBox(below),
                {.id = "keep-by",
                 .name = tr("Kept by"),
                 .tip = tr("The measure whose distribution is shown and by which regions are kept.")});
    connect(m_by, &QComboBox::activated, this, [this](int index) {
        m_measure = index == 0 ? QString() : m_by->itemText(index);
        m_limited = false;
        showMeasure();
    });
    m_against =
        made(new QComboBox(below), {.id = "shown-against",
                                    .name = tr("Shown against"),
                                    .tip = tr("A second measure: a point for each region instead of the histogram.")});
    connect(m_against, &QComboBox::activated, this, [this](int index) {
        m_other = index == 0 ? QString() : m_against->itemText(index);
        showMeasure();
    });
    auto* by = new QWidget(below);
    makeRow(by, {}, 6,
            {words(tr("Keep by"), "label", by), {m_by, 1}, words(tr("against"), "label", by), {m_against, 1}});
    makeRow(limits, {}, 6,
            {words(tr("from"), "label", limits), {m_least, 1}, words(tr("to"), "label", limits), {m_most, 1}});
    auto* told = new QWidget(below);
    m_kept = made(words({}, "title", told), {.id = "components-kept"});
    m_mean = made(words({}, "title", told), {.id = "components-mean"});
    makeRow(told, {}, 5,
            {m_kept, new OriginMark(Origin::counted, told), words(tr("kept; average"), "body", told), m_mean,
             new OriginMark(Origin::counted, told), spring()});
    makeColumn(below, {}, 6, {by, limits, told});
    return below;
}

void ComponentsPanel::setTable(const std::shared_ptr<const gpu::Table>& table) {
    if (table == m_model->table()) return;
    m_model->setTable(table);
    listMeasures();
}

void ComponentsPanel::setMeasures(const std::shared_ptr<const gpu::Table>& measures) {
    m_model->setMeasures(measures);
    listMeasures();
}

void ComponentsPanel::listMeasures() {
    QStringList titles{m_model->headerData(ComponentsModel::kArea, Qt::Horizontal, Qt::DisplayRole).toString()};
    for (const gpu::Column* column : m_model->measures()) titles << titleOf(*column);
    m_by->clear();
    m_by->addItems(titles);
    m_by->setCurrentIndex(std::max(0, m_by->findText(m_measure)));
    m_against->clear();
    m_against->addItem(tr("none"));
    m_against->addItems(titles);
    m_against->setCurrentIndex(m_other.isEmpty() ? 0 : std::max(0, m_against->findText(m_other)));
    showMeasure();
    fitColumns();
}

int ComponentsPanel::keptBy() const {
    const int index = m_by->currentIndex();
    return index <= 0 ? int{ComponentsModel::kArea} : ComponentsModel::kColumns + index - 1;
}

void ComponentsPanel::showMeasure() {
    const int column = keptBy();
    const gpu::Column* measure =
        column < ComponentsModel::kColumns
            ? nullptr
            : m_model->measures()[static_cast<std::size_t>(column - ComponentsModel::kColumns)];
    std::vector<double> values = valuesOf(column);
    const QString unit = measure != nullptr  ? QString::fromStdString(measure->unit)
                         : m_model->volume() ? tr("voxels")
                                             : QStringLiteral("px");
    m_chart->setValues(values, unit,
                       measure == nullptr || std::holds_alternative<gpu::Column::Integers>(measure->values));
    m_distribution->setCaption(
        values.empty() ? QString() : tr("bin width %1 %2").arg(format::value(m_chart->binWidth()), unit).trimmed());
    if (!m_limited) {
        std::erase_if(values, [](double value) { return !std::isfinite(value); });
        const QSignalBlocker quietLeast(m_least), quietMost(m_most);
        m_least->setValue(values.empty() || measure == nullptr ? 0 : std::ranges::min(values));
        m_most->setValue(values.empty() ? 0 : std::ranges::max(values));
    }
    keep();
}

std::vector<double> ComponentsPanel::valuesOf(int column) const {
    std::vector<double> values(static_cast<std::size_t>(m_model->rowCount()));
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = m_model->valueOf(row, column);
    return values;
}

void ComponentsPanel::showScatter() {
    const int other = m_against->currentIndex();
    m_chart->setVisible(other <= 0);
    m_scatter->setVisible(other > 0);
    if (other <= 0) return;
    m_distribution->setCaption({});  // there are no bins
    MeasureScatter::Rows rows{.across = m_by->currentText(), .up = m_against->currentText()};
    rows.x = valuesOf(keptBy());
    rows.y = valuesOf(other == 1 ? int{ComponentsModel::kArea} : ComponentsModel::kColumns + other - 2);
    for (std::size_t row = 0; row < rows.x.size(); ++row) {
        rows.labels.push_back(m_model->label(row));
        rows.kept.push_back(keeps(row));
    }
    m_scatter->setRows(rows);
    showChosen();
}

void ComponentsPanel::showChosen() { m_scatter->setChosenRow(chosen()); }

void ComponentsPanel::fitColumns() {
    // Where a region lies, which the exported table has too, gives way to what is measured.
    constexpr std::array kPlaces{ComponentsModel::kCentroid, ComponentsModel::kBox};
    for (const int column : kPlaces) m_table->setColumnHidden(column, false);
    m_table->resizeColumnsToContents();
    for (const int column : kPlaces)
        if (m_table->horizontalHeader()->length() > m_table->viewport()->width())
            m_table->setColumnHidden(column, true);
}

std::pair<double, double> ComponentsPanel::limits() const {
    return m_limited ? std::pair(m_least->value(), m_most->value()) : std::pair(-kInfinite, kInfinite);
}

void ComponentsPanel::keep() {
    const auto [least, most] = limits();
    m_rows->setRange(keptBy(), least, most);
    m_chart->setKept(least, most);
    showScatter();
    refresh();
    emit keptChanged();
}

bool ComponentsPanel::keeps(std::size_t row) const {
    const auto [least, most] = limits();
    const double value = m_model->valueOf(row, keptBy());
    return !m_limited || (value >= least && value <= most);
}

std::set<std::int64_t> ComponentsPanel::keptLabels() const {
    std::set<std::int64_t> labels;
    for (std::size_t row = 0; row < static_cast<std::size_t>(m_model->rowCount()); ++row)
        if (keeps(row)) labels.insert(m_model->label(row));
    return labels;
}

void ComponentsPanel::refresh() {
    const QString of = tr("%1 of %2").arg(format::integer(m_rows->rowCount()), format::integer(m_model->rowCount()));
    m_count->setText(tr("%1 kept").arg(of));
    m_kept->setText(of);
    double sum = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (keeps(static_cast<std::size_t>(row))) sum += m_model->area(static_cast<std::size_t>(row));
    const int kept = m_rows->rowCount();
    const QString mean = kept == 0 ? QStringLiteral("–") : format::integer(std::llround(sum / kept));
    m_mean->setText(m_model->volume() ? tr("%1 voxels").arg(mean) : tr("%1 px").arg(mean));
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
    std::vector<std::size_t> rows, measured;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        rows.push_back(static_cast<std::size_t>(m_rows->mapToSource(m_rows->index(row, 0)).row()));
        if (const auto at = m_model->measuredRow(rows.back())) measured.push_back(*at);
    }
    const auto add = [&](const gpu::Column& column, const std::vector<std::size_t>& from) {
        gpu::Column made = column;
        std::visit(
            [&](const auto& all) {
                std::decay_t<decltype(all)> some;
                for (const std::size_t row : from) some.push_back(all[row]);
                made.values = std::move(some);
            },
            column.values);
        shown.columns.push_back(std::move(made));
    };
    for (const gpu::Column& column : m_model->table()->columns) add(column, rows);
    for (const gpu::Column* column : m_model->measures()) add(*column, measured);
    return shown;
}

}  // namespace warplens::gui
