// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/glyphs.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <optional>

namespace warplens::gui {

/// Role of a head or cell: int of Origin, where it differs from the column's.
constexpr int kCellOriginRole = Qt::UserRole + 100;

/// Column heads with their marks at the size of the type, as Qt draws a head's icon at one size: an icon before the
/// words, the glyph of the numbers' origin (kCellOriginRole) after them.
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

/// Makes `table` one to read and to choose a row in: no grid, no numbers of rows, heights of the theme.
TableHead* makeFigureTable(QTableView* table, TableHead::Room room = TableHead::Room::narrow);
/// The same with so many columns.
TableHead* makeFigureTable(QTableWidget* table, int columns, TableHead::Room room = TableHead::Room::narrow);

/// What stands in a cell, from left to right. Text that has no room ends in an ellipsis, a number never does.
struct RowCell {
    QString text;
    Qt::Alignment side = Qt::AlignLeft;
    Role ink = Role::text1;
    bool bold = false;
    int indent = 8;                    ///< from the edges
    std::optional<gpu::Idea> shape{};  ///< before the text
    int shapeGap = 6;
    QString lead{};                      ///< before the text, in a column of its own
    QString before{};                    ///< weaker, right before the text
    QString after{};                     ///< weaker and smaller, right after the text
    QString right{};                     ///< weaker, at the right edge
    std::optional<Origin> origin{};      ///< at the right edge
    std::optional<ResultState> state{};  ///< the same
};

/// The one painter of rows in lists and tables, as high as the rows of a table. Those who show more than a text and one
/// at the right edge say what their cells hold.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// The second text, or nothing.
    static constexpr int kRightRole = Qt::UserRole + 1;
    static constexpr int kLeadWidth = 22;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    virtual RowCell cell(const QModelIndex& index, bool selected) const;
    /// Whether a line is drawn below each row.
    virtual bool ruled() const { return false; }
};

}  // namespace warplens::gui
