// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHeaderView>

class QTableWidget;

namespace warplens::gui {

/// Column heads with their marks beside the words, both at the size of the type: Qt draws a head's icon at one size.
class FigureHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit FigureHeader(QWidget* parent = nullptr);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int column) const override;
    QSize sectionSizeFromContents(int column) const override;
};

/// Makes `table` one to read and to choose a row in: no grid, no numbers of rows, heights of the theme, so many
/// columns.
void makeFigureTable(QTableWidget* table, int columns);

}  // namespace warplens::gui
