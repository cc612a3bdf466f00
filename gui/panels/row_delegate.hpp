// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace warplens::gui {

/// Rows of a list as high as those of a table, with a second text in a column of its own at the right edge.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// The second text, or nothing.
    static constexpr int kRightRole = Qt::UserRole + 1;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace warplens::gui
