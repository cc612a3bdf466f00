// SPDX-License-Identifier: Apache-2.0
#pragma once

class QTableWidget;

namespace warplens::gui {

/// Makes `table` one to read and to choose a row in: no grid, no numbers of rows, heights of the theme, so many columns.
void makeFigureTable(QTableWidget* table, int columns);

}  // namespace warplens::gui
