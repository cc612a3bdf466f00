// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDoubleSpinBox>

namespace warplens::gui {

/// A stored value of any size: six significant digits shown, three beside a power of ten, steps that follow the value's
/// size, a true minus.
class ValueSpin : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit ValueSpin(QWidget* parent = nullptr);
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
};

}  // namespace warplens::gui
