// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/figures_view.hpp"

#include "gpu/render/label_colour.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/value_spin.hpp"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace warplens::gui {

namespace {

QString cellText(const gpu::Column& column, std::size_t row) {
    if (const auto* integers = std::get_if<gpu::Column::Integers>(&column.values))
        return format::integer((*integers)[row]);
    if (std::holds_alternative<gpu::Column::Texts>(column.values)) return QString::fromStdString(column.text(row));
    return format::value(column.number(row));
}

}  // namespace

/// Reads the table where it lies: only what is seen is written out. A few named rows of many figures stand side by
/// side, with a line a figure.
class FiguresModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(std::shared_ptr<const gpu::Table> table) {
        beginResetModel();
        m_table = std::move(table);
        m_aside = m_table != nullptr && m_table->rows() <= kMostAside && m_table->columns.size() > m_table->rows() &&
                  std::holds_alternative<gpu::Column::Texts>(m_table->columns.front().values);
        endResetModel();
    }
    const gpu::Table* table() const { return m_table.get(); }
    bool aside() const { return m_aside; }

    int rowCount(const QModelIndex& parent = {}) const override {
        if (parent.isValid() || m_table == nullptr) return 0;
        return static_cast<int>(m_aside ? m_table->columns.size() - 1 : m_table->rows());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        if (parent.isValid() || m_table == nullptr) return 0;
        return static_cast<int>(m_aside ? m_table->rows() + 1 : m_table->columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const gpu::Column& column = columnAt(m_aside ? index.row() + 1 : index.column());
        if (m_aside && index.column() == 0) {
            if (role == Qt::DisplayRole) return titleOf(column);
            return role == Qt::ToolTipRole ? QString::fromStdString(column.id) : QVariant();
        }
        const auto row = static_cast<std::size_t>(m_aside ? index.column() - 1 : index.row());
        if (role == FiguresRows::kValueRole) {
            if (std::holds_alternative<gpu::Column::Texts>(column.values))
                return QString::fromStdString(column.text(row));
            return column.number(row);
        }
        // As the picture of the labels has it.
        if (role == Qt::DecorationRole && column.id == "label" && placeOf(*m_table, row))
            return QColor::fromRgb(gpu::render::labelColour(static_cast<std::int64_t>(column.number(row))));
        if (role == Qt::DisplayRole) return cellText(column, row);
        if (role == Qt::ToolTipRole) return QString::fromStdString(column.text(row));
        if (role == Qt::TextAlignmentRole) return alignment(column);
        return {};
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal) return {};
        if (m_aside && section > 0) {
            if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
            const auto row = static_cast<std::size_t>(section - 1);
            return role == Qt::DisplayRole ? QString::fromStdString(columnAt(0).text(row)) : QVariant();
        }
        const gpu::Column& column = columnAt(section);
        if (role == Qt::DisplayRole) return titleOf(column);
        if (role == Qt::TextAlignmentRole) return alignment(column);
        if (role == Qt::ToolTipRole) return QString::fromStdString(column.id);
        return {};
    }

private:
    const gpu::Column& columnAt(int column) const { return m_table->columns[static_cast<std::size_t>(column)]; }
    static int alignment(const gpu::Column& column) {
        const bool text = std::holds_alternative<gpu::Column::Texts>(column.values);
        return static_cast<int>((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }

    static constexpr std::size_t kMostAside = 4;
    std::shared_ptr<const gpu::Table> m_table;
    bool m_aside = false;
};

FiguresView::FiguresView(QWidget* parent)
    : QWidget(parent),
      m_model(new FiguresModel(this)),
      m_rows(new FiguresRows(this)),
      m_areas(makeAreas()),
      m_title(made(new ElidedLabel(this), {.look = "caption"})),
      m_choice(made(new QComboBox(this), {.name = tr("Table")})),
      m_table(made(new QTableView(this), {.id = "figures", .name = tr("Table")})) {
    setLook(this, "dock");
    setMinimumSize(paneMinWidth(), paneMinHeight() - kRowHeight);
    m_rows->setSourceModel(m_model);
    m_table->setModel(m_rows);
    makeFigureTable(m_table)->setSectionsClickable(true);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setIconSize({});
    // The column that they are ordered by says so in its head, once they are.
    connect(m_rows, &QAbstractItemModel::layoutChanged, m_table, &QTableView::resizeColumnsToContents);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &FiguresView::rememberOrder);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    setFocusProxy(m_table);
    makeColumn(this, {}, 0, {makeHead(), m_areas, {m_table, 1}});
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row, const QModelIndex& before) {
                if (before.isValid()) choose(row);  // the first one becomes current where the focus comes
            });
    connect(m_table, &QTableView::clicked, this, &FiguresView::choose);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &FiguresView::show);
}

QLayout* FiguresView::makeHead() {
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_copy = made(new QToolButton(this),
                  {.id = "copy-figures",
                   .look = "flat",
                   .name = tr("Copy table"),
                   .tip = tr("Copies the rows shown, in their order, with all digits, for a spreadsheet."),
                   .does = [this] { copy(); }});
    auto* csv = made(new QToolButton(this), {.id = "export-figures",
                                             .look = "flat",
                                             .name = tr("Export the table as CSV"),
                                             .tip = tr("Writes the rows shown, in their order, with all digits to a "
                                                       "file."),
                                             .does = [this] { exportCsv(); }});
    csv->setText(tr("CSV..."));
    return makeRow(nullptr, {kDockMargin, 0, kGap, 0}, kGap, {m_title, m_choice, spring(), csv, m_copy});
}

void FiguresView::setTables(const gpu::Tables& tables) {
    if (tables == m_tables) return;
    const std::string shown = m_model->table() == nullptr ? std::string() : m_model->table()->id;
    m_tables = tables;
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    for (const auto& table : m_tables)
        m_choice->addItem(QString::fromStdString(table->title.empty() ? table->id : table->title));
    m_choice->setVisible(m_tables.size() > 1);
    m_title->setVisible(m_tables.size() == 1);
    // Beside a choice there is no room for both words.
    m_copy->setText(m_tables.size() > 1 ? tr("Copy") : tr("Copy table"));
    const auto same = std::ranges::find(m_tables, shown, [](const auto& table) { return table->id; });
    const int index = same == m_tables.end() ? 0 : static_cast<int>(same - m_tables.begin());
    m_choice->setCurrentIndex(index);
    show(index);
}

void FiguresView::show(int index) {
    const bool any = index >= 0 && index < static_cast<int>(m_tables.size());
    const QScopedValueRollback arranging(m_arranging, true);
    m_model->setTable(any ? m_tables[static_cast<std::size_t>(index)] : nullptr);
    m_title->setFullText(m_choice->itemText(index));
    m_table->setAccessibleName(m_choice->itemText(index));
    const gpu::Table* table = m_model->table();
    const auto kept = table == nullptr ? m_arrangements.end() : m_arrangements.find(table->id);
    const Arrangement arrangement = kept == m_arrangements.end() ? Arrangement() : kept->second;
    putAreas(arrangement);
    putInOrder(arrangement);
    // Where a row lies among slices says nothing of a picture, which has one.
    const auto flat = [](const gpu::Column& column) {
        if (column.id != "z0" && column.id != "z1" && column.id != "cz") return false;
        for (std::size_t row = 0; row < column.size(); ++row)
            if (column.number(row) != 0) return false;
        return true;
    };
    for (int column = 0; column < m_rows->columnCount(); ++column)
        m_table->setColumnHidden(column, !m_model->aside() && flat(table->columns[static_cast<std::size_t>(column)]));
    m_table->resizeColumnsToContents();
}

void FiguresView::putInOrder(const Arrangement& kept) {
    // A few named rows that stand side by side have no order.
    const gpu::Table* table = m_model->table();
    const bool ordered = table != nullptr && !m_model->aside();
    int column = -1;
    if (ordered && table->find(kept.column) != nullptr)
        column = static_cast<int>(table->find(kept.column) - table->columns.data());
    m_table->setSortingEnabled(false);
    m_rows->sort(-1);
    m_table->horizontalHeader()->setSortIndicator(column, column < 0 ? Qt::DescendingOrder : kept.order);
    m_table->setSortingEnabled(ordered);
}

void FiguresView::putAreas(const Arrangement& kept) {
    const gpu::Table* table = m_model->table();
    const gpu::Column* areas = table == nullptr || m_model->aside() ? nullptr : table->find("area");
    m_areas->setVisible(areas != nullptr);
    double most = 0;
    for (std::size_t row = 0; areas != nullptr && row < areas->size(); ++row) most = std::max(most, areas->number(row));
    const QSignalBlocker quietLeast(m_least), quietMost(m_most);
    m_least->setValue(kept.least.value_or(0));
    m_most->setValue(kept.most.value_or(most));
    filter();
}

QWidget* FiguresView::makeAreas() {
    auto* line = new QWidget(this);
    m_least = made(new ValueSpin(line), {.id = "least-area", .name = tr("Least area")});
    m_most = made(new ValueSpin(line), {.id = "most-area", .name = tr("Greatest area")});
    m_kept = made(new QLabel(line), {.id = "rows-kept", .look = "caption"});
    for (ValueSpin* spin : {m_least, m_most}) {
        spin->setRange(0, 1e15);
        spin->setButtonSymbols(QAbstractSpinBox::NoButtons);  // digits need the room
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this, spin](double value) { keepAreas(spin, value); });
    }
    auto* areas = made(new QLabel(tr("Area"), line), {.look = "caption"});
    auto* to = made(new QLabel(tr("to"), line), {.look = "caption"});
    makeRow(line, {kDockMargin, 0, kGap, 4}, 6, {areas, {m_least, 1}, to, {m_most, 1}, m_kept});
    line->hide();
    return line;
}

void FiguresView::rememberOrder(int column, Qt::SortOrder order) {
    const gpu::Table* table = m_model->table();
    if (m_arranging || table == nullptr || column >= static_cast<int>(table->columns.size())) return;
    Arrangement& kept = m_arrangements[table->id];
    kept.column = column < 0 ? std::string() : table->columns[static_cast<std::size_t>(column)].id;
    kept.order = order;
}

void FiguresView::keepAreas(const ValueSpin* end, double value) {
    const gpu::Table* table = m_model->table();
    if (table == nullptr) return;
    // An end that was never moved is that of the table, of the next one as well.
    Arrangement& kept = m_arrangements[table->id];
    (end == m_least ? kept.least : kept.most) = value;
    filter();
}

void FiguresView::filter() {
    const gpu::Table* table = m_model->table();
    if (table == nullptr) return;
    const QScopedValueRollback arranging(m_arranging, true);
    const auto at = std::ranges::find(table->columns, "area", &gpu::Column::id);
    const bool filters = at != table->columns.end() && !m_model->aside();
    m_rows->setRange(filters ? static_cast<int>(at - table->columns.begin()) : -1, m_least->value(), m_most->value());
    m_kept->setText(rowsSeen());
}

QString FiguresView::rowsSeen() const {
    return tr("%1 of %2").arg(format::integer(m_rows->rowCount()), format::integer(m_model->rowCount()));
}

void FiguresView::choose(const QModelIndex& index) {
    const gpu::Table* table = m_model->table();
    if (m_arranging || table == nullptr || !index.isValid() || m_model->aside()) return;
    if (const auto place = placeOf(*table, static_cast<std::size_t>(m_rows->mapToSource(index).row())))
        emit placeChosen(*place);
}

gpu::Table FiguresView::seen() const {
    gpu::Table table = *m_model->table();
    if (m_model->aside()) return table;
    for (gpu::Column& column : table.columns)
        std::visit(
            [this](auto& values) {
                std::remove_reference_t<decltype(values)> kept;
                kept.reserve(static_cast<std::size_t>(m_rows->rowCount()));
                for (int row = 0; row < m_rows->rowCount(); ++row)
                    kept.push_back(values[static_cast<std::size_t>(m_rows->mapToSource(m_rows->index(row, 0)).row())]);
                values = std::move(kept);
            },
            column.values);
    return table;
}

void FiguresView::exportCsv() {
    if (m_model->table() == nullptr) return;
    const bool all = m_rows->rowCount() == m_model->rowCount();
    exportTable(
        window(), all ? tr("Export the table") : tr("Export %1 rows").arg(rowsSeen()), seen(), this,
        [this, rows = rowsSeen()](const QString& path) {
            emit exported(tr("Exported %1, %2 rows").arg(path.section('/', -1), rows));
        },
        [this](const QString& why) { emit failed(why); });
}

void FiguresView::copy() {
    if (m_model->table() == nullptr) return;
    QGuiApplication::clipboard()->setText(tabSeparated(seen()));
}

bool FiguresView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::MouseButtonPress) emit focused();
    if (event->type() == QEvent::MouseButtonDblClick) emit activated();
    if (event->type() == QEvent::KeyPress && watched == m_table) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copy();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            emit activated();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace warplens::gui
