// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"

#include <QString>
#include <functional>

class QObject;
class QWidget;

namespace warplens::gui {

/// A column's head: its title, or else its id, and its unit.
QString titleOf(const gpu::Column& column);

/// For the clipboard: a line of heads, then a line a row, with all digits.
QString tabSeparated(const gpu::Table& table);

/// Asks where to, and writes the table there as CSV. One of both is heard, for as long as `receiver` lives: the path
/// that was written, or why it could not be.
void exportTable(QWidget* window, const QString& title, const gpu::Table& table, QObject* receiver,
                 std::function<void(const QString& path)> done, std::function<void(const QString& why)> failed);

}  // namespace warplens::gui
