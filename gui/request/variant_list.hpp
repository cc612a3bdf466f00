// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QListView>

namespace warplens::gui {

class LaunchFields;
class VariantDelegate;

/// The ladder. The selected row is the current variant; Space checks it, Ctrl+A all of them or none; its launch
/// parameters stand below it, folded until its arrow is clicked or Right pressed. As high as its rows.
class VariantList : public QListView {
    Q_OBJECT
public:
    VariantList(RequestState& request, const Results& results, QWidget* parent = nullptr);
    LaunchFields* fields() const { return m_fields; }
    /// Unfolds the launch parameters of the current row; it stays so until it is folded again.
    void setOpen(bool open);
    /// Unfolded, the first field ready to be typed in; `instead` as in LaunchFields::focusFirst().
    void edit(bool instead = false);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow();
    /// Puts the fields below the current row.
    void place();
    /// Scrolls the dock to the fields.
    void reveal();
    RequestState& m_request;
    VariantDelegate* m_rows;
    LaunchFields* m_fields;
    bool m_open = false, m_placing = false;
};

}  // namespace warplens::gui
