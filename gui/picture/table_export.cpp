// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/table_export.hpp"

#include "gui/kit/files.hpp"
#include "io/write.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <exception>
#include <filesystem>
#include <utility>

namespace warplens::gui {

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
    openFileDialog(window,
                   {.title = title,
                    .filters = {QCoreApplication::translate("FiguresView", "CSV (*.csv)")},
                    .suffix = QStringLiteral("csv"),
                    .name = QString::fromStdString(table.id),
                    .id = "export-table"},
                   receiver, [table, done = std::move(done), failed = std::move(failed)](const QString& path) {
                       try {
                           io::writeFileAtomically(std::filesystem::path(path.toStdString()), toCsv(table));
                       } catch (const std::exception& error) {
                           return failed(QString::fromUtf8(error.what()));
                       }
                       done(path);
                   });
}

}  // namespace warplens::gui
