// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/parameter_state.hpp"

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace warplens::gui {

class FilterMatrixView;
class OriginMark;
class StatusMark;

/// The filter as its matrix, with what it amounts to: size, sum, whether it is separable. Editable when it is "custom".
class FilterPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilterPanel(ParameterState& state, QWidget* parent = nullptr);
    FilterMatrixView* matrix() const { return m_matrix; }

signals:
    void refused(const QString& why);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    /// Facts beside the matrix where there is room, else below it.
    void arrange();
    ParameterState& m_state;
    FilterMatrixView* m_matrix;
    QLabel* m_size;
    QLabel* m_sum;
    StatusMark* m_mark;
    QLabel* m_separable;
    QLabel* m_residual;
    OriginMark* m_origin;
    QLabel* m_what;
    QBoxLayout *m_sizes, *m_verdicts;
    QBoxLayout* m_sides;
};

}  // namespace warplens::gui
