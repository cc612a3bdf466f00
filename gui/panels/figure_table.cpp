// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/figure_table.hpp"

#include "gui/theme/metrics.hpp"

#include <QHeaderView>
#include <QTableWidget>

namespace warplens::gui {

void makeFigureTable(QTableWidget* table, int columns) {
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setFixedHeight(kHeadHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->setColumnCount(columns);
    table->setIconSize(QSize(kGlyphBox, kGlyphBox));
}

}  // namespace warplens::gui
