// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/request/request_state.hpp"

#include <QListView>
#include <QStyledItemDelegate>

namespace warplens::gui {

/// A variant's row: checkbox, shape, name, and the idea below it (or in the tooltip).
class VariantDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

private:
    QRect box(const QStyleOptionViewItem& option) const;
};

/// The ladder. The selected row is the current variant; Space checks it, Ctrl+A all of them or none. As high as its
/// rows.
class VariantList : public QListView {
    Q_OBJECT
public:
    explicit VariantList(RequestState& request, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void follow();
    RequestState& m_request;
};

}  // namespace warplens::gui
