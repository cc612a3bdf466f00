// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QWidget>
#include <optional>

class QAbstractSpinBox;
class QDoubleSpinBox;
class QSlider;

namespace warplens::gui {

/// A number as a slider with an exact field beside it. Dragging, arrows and typing all give the same signal.
class NumberField : public QWidget {
    Q_OBJECT
public:
    NumberField(const gpu::Parameter& parameter, QWidget* parent = nullptr);

    void setValue(const gpu::Parameter::Value& value);
    /// What the least value stands for ("auto 1.10"), or nothing.
    void setFollowed(std::optional<double> value);
    QAbstractSpinBox* field() const;
    QSlider* slider() const { return m_slider; }

signals:
    void edited(const gpu::Parameter::Value& value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    double current() const;
    /// Whether each slider position is one value: integers of a moderate range. Others are spread, so that small values
    /// have room: reals by the square root, integers by the logarithm.
    bool everyValue() const;
    /// Reals over many powers of ten: the slider is spread by the logarithm, the field shows significant digits.
    bool wide() const;
    int positionOf(double value) const;
    double valueAt(int position) const;
    void fromSlider(int position);
    void stepped(int action);
    void fromField(double value);

    gpu::Parameter m_parameter;
    QSlider* m_slider;
    QDoubleSpinBox* m_field;
    bool m_updating = false;
};

}  // namespace warplens::gui
