// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/lenses/convolution/filter_facts.hpp"
#include "gui/session/parameter_state.hpp"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QSpinBox;

namespace warplens::gui {

class FilterMatrixView;
class OriginMark;
class StatusMark;

/// The filter as its matrix, with what it amounts to: size, sum, whether it is separable. Editable when it is "custom".
/// One of three dimensions is shown slice by slice.
class FilterPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilterPanel(ParameterState& state, QWidget* parent = nullptr);
    FilterMatrixView* matrix() const { return m_matrix; }

signals:
    void refused(const QString& why);

private:
    void refresh();
    void showSlice();
    /// The user has changed the slice that is shown; its text.
    void takeSlice(const QString& text);
    /// Facts beside the matrix where there is room, else below it.
    void arrange();
    ParameterState& m_state;
    FilterFacts m_facts;
    FilterMatrixView* m_matrix;
    QSpinBox* m_slice;  ///< from 1
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
