// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/figures_view.hpp"

#include "gpu/render/label_colour.hpp"
#include "gui/compare/run_table_model.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/value_spin.hpp"
#include "io/write.hpp"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QStringList>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <filesystem>
#include <utility>

namespace warplens::gui {

namespace {

QString titleOf(const gpu::Column& column) {
    const QString title = QString::fromStdString(column.title.empty() ? column.id : column.title);
    return column.unit.empty() ? title : title + u' ' + QString::fromStdString(column.unit);
}

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
      m_title(new QLabel(this)),
      m_choice(new QComboBox(this)),
      m_table(new QTableView(this)) {
    setLook(this, "dock");
    setMinimumSize(paneMinWidth(), paneMinHeight() - kRowHeight);
    setLook(m_title, "caption");
    m_choice->setAccessibleName(tr("Table"));
    auto* copy = made(
        new QToolButton(this),
        {.id = "copy-figures", .look = "flat", .tip = tr("Copies the table with all its digits, for a spreadsheet.")});
    copy->setText(tr("Copy table"));
    m_table->setObjectName(QStringLiteral("figures"));
    m_table->setAccessibleName(tr("Table"));
    auto* csv = made(new QToolButton(this), {.id = "export-figures",
                                             .look = "flat",
                                             .name = tr("Export the table as CSV"),
                                             .tip = tr("Writes the table with all its rows and digits to a file.")});
    csv->setText(tr("CSV..."));
    m_rows->setSourceModel(m_model);
    m_table->setModel(m_rows);
    m_table->setHorizontalHeader(new TableHead(TableHead::Room::narrow, m_table));
    m_table->horizontalHeader()->setSectionsClickable(true);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, m_table,
            &QTableView::resizeColumnsToContents);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    setFocusProxy(m_table);

    auto* head = makeRow(nullptr, {kDockMargin, 0, kGap, 0}, kGap, {m_title, m_choice, spring(), csv, copy});
    makeColumn(this, {}, 0, {head, m_areas, {m_table, 1}});
    connect(csv, &QToolButton::clicked, this, &FiguresView::exportCsv);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FiguresView::choose);
    connect(m_table, &QTableView::clicked, this, &FiguresView::choose);
    connect(copy, &QToolButton::clicked, this, &FiguresView::copy);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &FiguresView::show);
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
    const auto same = std::ranges::find(m_tables, shown, [](const auto& table) { return table->id; });
    const int index = same == m_tables.end() ? 0 : static_cast<int>(same - m_tables.begin());
    m_choice->setCurrentIndex(index);
    show(index);
}

void FiguresView::show(int index) {
    const bool any = index >= 0 && index < static_cast<int>(m_tables.size());
    m_model->setTable(any ? m_tables[static_cast<std::size_t>(index)] : nullptr);
    m_title->setText(m_choice->itemText(index));
    // A few named rows that stand side by side have no order.
    m_table->setSortingEnabled(false);
    m_rows->sort(-1);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    m_table->setSortingEnabled(any && !m_model->aside());
    const gpu::Column* areas = any ? m_model->table()->find("area") : nullptr;
    m_areas->setVisible(areas != nullptr && !m_model->aside());
    double most = 0;
    for (std::size_t row = 0; areas != nullptr && row < areas->size(); ++row) most = std::max(most, areas->number(row));
    const QSignalBlocker quietLeast(m_least), quietMost(m_most);
    m_least->setValue(0);
    m_most->setValue(most);
    filter();
    m_table->setAccessibleName(m_title->text());
    m_table->resizeColumnsToContents();
}

QWidget* FiguresView::makeAreas() {
    auto* line = new QWidget(this);
    m_least = made(new ValueSpin(line), {.id = "least-area", .name = tr("Least area")});
    m_most = made(new ValueSpin(line), {.id = "most-area", .name = tr("Greatest area")});
    m_kept = made(new QLabel(line), {.id = "rows-kept", .look = "caption"});
    for (ValueSpin* spin : {m_least, m_most}) {
        spin->setRange(0, 1e15);
        connect(spin, &QDoubleSpinBox::valueChanged, this, &FiguresView::filter);
    }
    auto* areas = made(new QLabel(tr("Area"), line), {.look = "caption"});
    auto* to = made(new QLabel(tr("to"), line), {.look = "caption"});
    makeRow(line, {kDockMargin, 0, kGap, 4}, 6, {areas, {m_least, 1}, to, {m_most, 1}, m_kept});
    line->hide();
    return line;
}

void FiguresView::filter() {
    const gpu::Table* table = m_model->table();
    if (table == nullptr) return;
    const auto at = std::ranges::find(table->columns, "area", &gpu::Column::id);
    const bool filters = at != table->columns.end() && !m_model->aside();
    m_rows->setAreas(filters ? static_cast<int>(at - table->columns.begin()) : -1, m_least->value(), m_most->value());
    m_kept->setText(tr("%1 of %2").arg(format::integer(m_rows->rowCount()), format::integer(m_model->rowCount())));
}

void FiguresView::choose(const QModelIndex& index) {
    const gpu::Table* table = m_model->table();
    if (table == nullptr || !index.isValid() || m_model->aside()) return;
    if (const auto place = placeOf(*table, static_cast<std::size_t>(m_rows->mapToSource(index).row())))
        emit placeChosen(*place);
}

void FiguresView::exportCsv() {
    const gpu::Table* shown = m_model->table();
    if (shown == nullptr) return;
    askForFile(window(),
               {.title = tr("Export the table"),
                .filters = {tr("CSV (*.csv)")},
                .suffix = QStringLiteral("csv"),
                .name = QString::fromStdString(shown->id),
                .id = "export-table"},
               this, [this, table = *shown](const QString& path) {
                   try {
                       io::writeFileAtomically(std::filesystem::path(path.toStdString()), toCsv(table));
                   } catch (const std::exception& error) {
                       emit failed(QString::fromUtf8(error.what()));
                   }
               });
}

void FiguresView::copy() {
    const gpu::Table* table = m_model->table();
    if (table == nullptr) return;
    QStringList lines{QString()};
    for (const gpu::Column& column : table->columns)
        lines.back() += (lines.back().isEmpty() ? QString() : QStringLiteral("\t")) + titleOf(column);
    for (std::size_t row = 0; row < table->rows(); ++row) {
        QStringList cells;
        for (const gpu::Column& column : table->columns) cells << QString::fromStdString(column.text(row));
        lines << cells.join(u'\t');
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
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
