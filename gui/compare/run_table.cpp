// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/run_table.hpp"

#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"

#include <QObject>
#include <QPoint>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <array>
#include <utility>

namespace warplens::gui {

namespace {

using gpu::RunColumn;

// By RunColumn's id: name, median, quartiles, n, verdict, upload, layout, kernel, download, GB/s, of limit, registers,
// shared, occupancy, error, recorded, display, total, exposed, check.
constexpr std::array<int, RunTableModel::kColumns> kWidths{176, 98, 114, 48, 122, 118, 116, 104, 138, 68,
                                                           86,  64, 80,  82, 100, 92,  122, 92,  122, 58};

bool dropped(int column) {
    return column == RunColumn::quartiles || column == RunColumn::registers || column == RunColumn::shared ||
           column == RunColumn::occupancy;
}

bool drawnByBars(int column, RunTable::Stages stages) {
    if (column == RunColumn::total) return stages == RunTable::Stages::kernel;
    return stages != RunTable::Stages::all && (column == RunColumn::upload || column == RunColumn::layout ||
                                               column == RunColumn::download || column == RunColumn::display);
}

/// Cells: shape before the name, the median bold, the verdict word before the ratio, a badge at the end.
class RunDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

protected:
    RowCell cell(const QModelIndex& index, bool selected) const override {
        using Model = RunTableModel;
        const int column = index.column();
        const QString value = index.data().toString();
        const auto idea = static_cast<gpu::Idea>(index.data(Model::IdeaRole).toInt());
        if (column == RunColumn::variant)
            return {.text = index.data(Model::IdRole).toString(),
                    .indent = kDockMargin,
                    .shape = idea,
                    .shapeGap = 7,
                    .after = index.data(Model::RunsOnRole).toString()};
        if (column == RunColumn::check) {
            const QVariant state = index.data(Model::StateRole);
            return {.text = {},
                    .state = state.isValid() ? std::optional(static_cast<ResultState>(state.toInt())) : std::nullopt};
        }
        // It spans the row from the first column shown.
        if (const QString reason = index.data(Model::ReasonRole).toString(); !reason.isEmpty())
            return {.text = reason, .ink = Role::text2};
        // The word is weaker than the ratio behind it.
        if (const auto word = value.lastIndexOf(u' ') + 1; column == RunColumn::verdict && value.endsWith(QChar(0xd7)))
            return {.text = value.mid(word), .side = Qt::AlignRight, .before = value.left(word)};
        const bool median = column == RunColumn::median || column == RunColumn::kernel || column == RunColumn::total,
                   ranked = index.data(Model::RankedRole).toBool();
        const bool weak =
            column == RunColumn::quartiles || column == RunColumn::verdict || value == QStringLiteral("–");
        return {.text = value,
                .side = Qt::AlignRight,
                .ink = median && !ranked ? (selected ? Role::text2 : Role::text3)
                       : weak            ? Role::text2
                                         : Role::text1,
                .bold = median && ranked};
    }

    bool ruled() const override { return true; }
};

using gpu::RunColumn;

const QString kKey = QStringLiteral("compare/hidden-columns");

/// The window's own columns have no field.
QString nameOf(int column) {
    const RunColumn& known = gpu::runColumn(static_cast<RunColumn::Id>(column));
    return QString::fromUtf8(*known.field != '\0' ? known.field : known.title);
}

bool alwaysShown(int column) { return column == RunColumn::variant || column == RunColumn::check; }

class ColumnChoice : public QObject {
public:
    /// The settings outlive this object, a child of the table.
    ColumnChoice(QSettings& settings, RunTable* table)
        : QObject(table), m_settings(settings), m_table(table), m_menu(new QMenu(table)) {
        setWidgetText(m_menu, {.id = "columns-menu", .name = tr("Columns of the table of times")});
        m_hidden = settings.value(kKey).toStringList();
        QHeaderView* head = table->horizontalHeader();
        head->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(head, &QWidget::customContextMenuRequested, this,
                [this, head](const QPoint& at) { choose(head->mapToGlobal(at)); });
        apply();
    }

    /// A menu with an entry for each column that says anything now, at a place on the screen.
    void choose(const QPoint& at) {
        m_menu->clear();
        for (int column = 0; column < RunTableModel::kColumns; ++column) {
            if (alwaysShown(column) || !m_table->says(column)) continue;
            QAction* entry = m_menu->addAction(m_table->model()->headerData(column, Qt::Horizontal).toString());
            entry->setCheckable(true);
            entry->setChecked(!m_hidden.contains(nameOf(column)));
            connect(entry, &QAction::toggled, this, [this, column](bool shown) { show(column, shown); });
        }
        m_menu->addSeparator();
        connect(m_menu->addAction(tr("Show all columns")), &QAction::triggered, this, [this] {
            m_hidden.clear();
            keep();
        });
        m_menu->popup(at);
    }

private:
    void show(int column, bool shown) {
        m_hidden.removeAll(nameOf(column));
        if (!shown) m_hidden << nameOf(column);
        keep();
    }

    void keep() {
        if (m_hidden.isEmpty())
            m_settings.remove(kKey);
        else
            m_settings.setValue(kKey, m_hidden);
        apply();
    }

    void apply() {
        std::set<int> columns;
        for (int column = 0; column < RunTableModel::kColumns; ++column)
            if (!alwaysShown(column) && m_hidden.contains(nameOf(column))) columns.insert(column);
        m_table->setHiddenByChoice(std::move(columns));
    }

    QSettings& m_settings;
    RunTable* m_table;
    QMenu* m_menu;
    QStringList m_hidden;  ///< by their fields in CSV, which other versions have too
};

}  // namespace

RunTable::RunTable(RunSortProxy* runs, QWidget* parent) : QTableView(parent), m_runs(runs) {
    setWidgetText(this, {.id = "runs", .name = tr("Times of the variants")});
    TableHead* head = makeFigureTable(this, TableHead::Room::wide);
    head->setSectionsClickable(true);
    head->setMinimumSectionSize(40);
    head->setAccessibleName(tr("Columns"));
    setModel(runs);
    setItemDelegate(new RunDelegate(this));
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);  // no row is cut
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    head->setSectionResizeMode(QHeaderView::Interactive);
    head->setSectionResizeMode(RunColumn::variant, QHeaderView::Stretch);
    setSortingEnabled(true);
    sortByColumn(RunColumn::median, Qt::AscendingOrder);
    head->setSortIndicatorShown(false);

    auto* later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(0);
    connect(later, &QTimer::timeout, this, &RunTable::arrange);
    connect(runs, &QAbstractItemModel::modelReset, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::layoutChanged, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::dataChanged, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::rowsInserted, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::rowsRemoved, later, [later] { later->start(); });
    arrange();
}

void RunTable::setFewColumns(bool few) {
    if (m_few == few) return;
    m_few = few;
    arrange();
}

void RunTable::setHiddenByChoice(std::set<int> columns) {
    m_hidden = std::move(columns);
    arrange();
}

void RunTable::setStages(Stages stages) {
    if (m_stages == stages) return;
    m_stages = stages;
    arrange();
}

void RunTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    // Projector mode is larger. It has scaled every column by now, those that got their widths on the way once too
    // often.
    if (event->type() == QEvent::StyleChange && std::exchange(m_scale, typeScale()) != typeScale()) m_widest = 0;
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        QTimer::singleShot(0, this, [this] { arrange(); });
}

bool RunTable::hides(int column, Stages stages) const {
    return !m_runs->runs()->applies(column) || (m_few && dropped(column)) || m_hidden.contains(column) ||
           drawnByBars(column, stages);
}

int RunTable::neededWidth(Stages stages) const {
    int sum = 0;
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        if (!hides(column, stages)) sum += Length(kWidths[static_cast<std::size_t>(column)]);
    return sum;
}

int RunTable::firstShown() const {
    int column = RunColumn::median;
    while (column < RunColumn::check && isColumnHidden(column)) ++column;
    return std::min<int>(column, RunColumn::check - 1);
}

void RunTable::arrange() {
    bool others = m_widest != Length(kWidths.front());
    for (int column = 0; column < RunTableModel::kColumns; ++column) {
        const bool hide = hides(column, m_stages);
        others = others || hide != isColumnHidden(column);
        setColumnHidden(column, hide);
    }
    // A column that comes back has whatever room was left, not its own width; what a user has dragged stays as long as
    // the columns and the size of the type are the same.
    if (others) {
        m_widest = Length(kWidths.front());
        for (int column = 0; column < RunTableModel::kColumns; ++column)
            horizontalHeader()->resizeSection(column, Length(kWidths[static_cast<std::size_t>(column)]));
    }
    clearSpans();
    for (int row = 0; row < m_runs->rowCount(); ++row) {
        const QString reason = m_runs->index(row, RunColumn::median).data(RunTableModel::ReasonRole).toString();
        const int first = firstShown();
        if (!reason.isEmpty()) setSpan(row, first, 1, RunColumn::check - first);
    }
    if (others) emit columnsChanged();
    emit refreshed();
}

void offerColumns(QSettings& settings, RunTable* table, QAction* command) {
    auto* choice = new ColumnChoice(settings, table);
    QObject::connect(command, &QAction::triggered, choice,
                     [table, choice] { choice->choose(table->mapToGlobal(QPoint())); });
}

}  // namespace warplens::gui
