// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHeaderView>

class QTableWidget;

namespace warplens::gui {

/// Column heads with their marks at the size of the type, as Qt draws a head's icon at one size: an icon before the
/// words, the glyph of the numbers' origin (RunTableModel::CellOriginRole) after them.
class TableHead : public QHeaderView {
    Q_OBJECT
public:
    enum class Room { narrow, wide };
    explicit TableHead(Room room, QWidget* parent = nullptr);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int column) const override;
    QSize sectionSizeFromContents(int column) const override;

private:
    int padding() const;
    Room m_room;
};

/// Makes `table` one to read and to choose a row in: no grid, no numbers of rows, heights of the theme, so many
/// columns.
void makeFigureTable(QTableWidget* table, int columns);

}  // namespace warplens::gui
