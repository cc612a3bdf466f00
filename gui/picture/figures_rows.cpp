// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/figures_rows.hpp"

#include "gpu/report/unit_heads.hpp"
#include "gui/kit/files.hpp"
#include "io/write.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>
#include <exception>
#include <filesystem>
#include <utility>

namespace warplens::gui {

std::optional<RowPlace> placeOf(const gpu::Table& table, std::size_t row) {
    const auto number = [&](const char* column) -> std::optional<double> {
        const gpu::Column* found = table.find(column);
        if (found == nullptr || row >= found->size() || !std::isfinite(found->number(row))) return std::nullopt;
        return found->number(row);
    };
    const auto x0 = number("x0"), y0 = number("y0"), x1 = number("x1"), y1 = number("y1");
    const auto cx = number("cx"), cy = number("cy");
    RowPlace place;
    if (x0 && y0 && x1 && y1)
        place.box = QRectF(*x0, *y0, *x1 - *x0 + 1, *y1 - *y0 + 1);
    else if (cx && cy)
        place.box = QRectF(std::floor(*cx), std::floor(*cy), 1, 1);
    else
        return std::nullopt;
    const auto z0 = number("z0"), z1 = number("z1"), cz = number("cz");
    if (cz)
        place.slice = static_cast<int>(std::lround(*cz));
    else if (z0 && z1)
        place.slice = static_cast<int>((*z0 + *z1) / 2);
    return place;
}

void FiguresRows::setRange(int column, double least, double most) {
    if (column == m_column && least == m_least && most == m_most) return;
    m_column = column;
    m_least = least;
    m_most = most;
    invalidateFilter();
}

QVariant FiguresRows::headerData(int section, Qt::Orientation orientation, int role) const {
    const QVariant own = QSortFilterProxyModel::headerData(section, orientation, role);
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section != sortColumn()) return own;
    return own.toString() + (sortOrder() == Qt::AscendingOrder ? QStringLiteral(" ▴") : QStringLiteral(" ▾"));
}

bool FiguresRows::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(kValueRole), b = right.data(kValueRole);
    if (a.typeId() == QMetaType::QString) return a.toString() < b.toString();
    return a.toDouble() < b.toDouble();
}

bool FiguresRows::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_column < 0) return true;
    if (std::isinf(m_least) && std::isinf(m_most)) return true;
    const double value = sourceModel()->index(row, m_column, parent).data(kValueRole).toDouble();
    return value >= m_least && value <= m_most;
}

QString titleOf(const gpu::Column& column) {
    const QString title = QString::fromStdString(column.title.empty() ? column.id : column.title);
    return column.unit.empty() ? title : title + u' ' + QString::fromStdString(column.unit);
}

QString tabSeparated(const gpu::Table& table) {
    QStringList heads;
    for (const gpu::Column& column : table.columns) heads << titleOf(column);
    QStringList lines{heads.join(u'\t')};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        QStringList cells;
        for (const gpu::Column& column : table.columns) cells << QString::fromStdString(column.text(row));
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

void exportTable(QWidget* window, const QString& title, const gpu::Table& table, QObject* receiver,
                 std::function<void(const QString& path)> done, std::function<void(const QString& why)> failed) {
    const QString plain = QCoreApplication::translate("FiguresView", "CSV, names alone, for programs (*.csv)");
    openFileDialog(window,
                   {.title = title,
                    .filters = {QCoreApplication::translate("FiguresView", "CSV, units in the heads (*.csv)"), plain},
                    .suffix = QStringLiteral("csv"),
                    .name = QString::fromStdString(table.id),
                    .id = "export-table"},
                   receiver,
                   [window, plain, table, done = std::move(done), failed = std::move(failed)](const QString& path) {
                       const auto* dialog = window->findChild<QFileDialog*>(QStringLiteral("export-table"));
                       const bool names = dialog != nullptr && dialog->selectedNameFilter() == plain;
                       try {
                           io::writeFileAtomically(std::filesystem::path(path.toStdString()),
                                                   toCsv(names ? table : gpu::withUnitHeads(table)));
                       } catch (const std::exception& error) {
                           return failed(QString::fromUtf8(error.what()));
                       }
                       done(path);
                   });
}

}  // namespace warplens::gui
