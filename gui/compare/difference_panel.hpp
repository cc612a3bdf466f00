// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/difference_model.hpp"

#include <QWidget>

class QComboBox;
class QTableWidget;

namespace warplens::gui {

/// Beside the panes while a difference is shown: which metric, against what, where; and its figures, a column a region.
class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int kLeastWidth = 300, kWidth = 392;

    explicit DifferencePanel(DifferenceModel& model, QWidget* parent = nullptr);

    /// Against the baseline (0), the reference (1) or the double reference (2); the names are said in the list.
    void setOperands(const QString& baseline, const QString& reference);
    int operand() const;
    static constexpr int kExactOperand = 2;
    void nextMetric();
    /// All figures as text, tab-separated, for the clipboard.
    QString text() const;

signals:
    void operandChanged();
    /// A first mismatch, or the place of the largest difference, was clicked, or chosen by Enter.
    void placeChosen(warplens::gui::PixelPlace place);

private:
    void refresh();

    DifferenceModel& m_model;
    QComboBox *m_metric, *m_against, *m_region;
    QTableWidget* m_table;
};

}  // namespace warplens::gui
