// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

class QAbstractSpinBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPushButton;
class QSlider;

namespace warplens::gui {

class ValueSpin;

/// How long a pixel is in the unit that people read, and whether lengths are given in that.
struct FieldLength {
    QString unit{};
    double aPixel = 0;
    bool inUnit = false;

    bool operator==(const FieldLength&) const = default;
};

/// A number as a slider with an exact field beside it. Dragging, arrows and typing all give the same signal.
class NumberField : public QWidget {
    Q_OBJECT
public:
    NumberField(const gpu::Parameter& parameter, QWidget* parent = nullptr);

    void setValue(const gpu::Parameter::Value& value);
    /// With slider and field that go up to `reach`, or to the value where it lies beyond.
    void setValue(const gpu::Parameter::Value& value, double reach);
    /// What the least value stands for ("auto 1.10"), or nothing.
    void setFollowed(std::optional<double> value);
    /// Of a number in pixels: it stands there in the unit as well, and the field takes either. Nothing: pixels alone.
    void setLength(const std::optional<FieldLength>& length);
    QAbstractSpinBox* field() const;
    QSlider* slider() const { return m_slider; }

signals:
    void edited(const gpu::Parameter::Value& value);
    /// What lengths are to be given in.
    void unitChosen(bool inUnit);

private:
    double current() const;
    /// Of what the field shows to the number.
    double scale() const { return m_length && m_length->inUnit ? m_length->aPixel : 1; }
    void show(double number);
    void tellLength();
    void setRanges();
    /// Whether each slider position is one value: integers of a moderate range. Others are spread, so that small values
    /// have room: reals by the square root, integers by the logarithm.
    bool everyValue() const;
    /// Reals over many powers of ten: the slider is spread by the logarithm, the field shows significant digits.
    bool wide() const;
    QDoubleSpinBox* makeField();
    int positionOf(double value) const;
    double valueAt(int position) const;
    void fromSlider(int position);
    void stepped(int action);
    void fromField();

    gpu::Parameter m_parameter;
    QSlider* m_slider;
    QDoubleSpinBox* m_field;
    QPushButton* m_other;  ///< the length in what the field does not take, which it takes after a click
    std::optional<FieldLength> m_length;
    std::optional<double> m_followed;
    bool m_updating = false;
};

/// A number without ends that a slider could have. Words that it may be instead ("auto") are buttons beside it, held
/// down while one stands for it.
class OpenNumberField : public QWidget {
    Q_OBJECT
public:
    OpenNumberField(const gpu::Parameter& parameter, QWidget* parent = nullptr);

    void setValue(const gpu::Parameter::Value& value);
    /// What a word comes to, as far as it is known.
    void setFound(std::optional<double> value) { m_found = value; }
    QWidget* field() const;

signals:
    void edited(const gpu::Parameter::Value& value);

private:
    ValueSpin* m_field;
    std::vector<QPushButton*> m_words;
    std::optional<double> m_found;
};

/// A parameter whose value is a text, in widgets that know what it means.
class TextField : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void setText(const QString& text) = 0;
    /// What a click on the label goes to.
    virtual QWidget* first() const = 0;

signals:
    void edited(const QString& text);
};

/// "LO,HI" as two fields. While it is empty the fields show what it amounts to, and editing either sets both; Auto
/// empties it again.
class RangeField : public TextField {
public:
    explicit RangeField(const gpu::Parameter& parameter, QWidget* parent = nullptr);

    void setText(const QString& text) override;
    QWidget* first() const override;
    /// What an empty text amounts to, as far as it is known.
    void setFollowed(std::optional<std::pair<double, double>> range);

private:
    void show(double low, double high);

    ValueSpin *m_low, *m_high;
    QPushButton* m_auto;
    QString m_text;
    std::optional<std::pair<double, double>> m_followed;
};

/// "X,Y,W,H" as a choice: the whole picture, or a rectangle that is typed here or drawn elsewhere.
class RegionField : public TextField {
public:
    explicit RegionField(const gpu::Parameter& parameter, QWidget* parent = nullptr);

    void setText(const QString& text) override;
    QWidget* first() const override;

private:
    QComboBox* m_choice;
    QLineEdit* m_rectangle;
};

/// A picture: the name it was read from, which opens a dialog, and Clear, which gives an empty name. It reads nothing
/// itself.
class PictureField : public TextField {
public:
    explicit PictureField(const gpu::Parameter& parameter, QWidget* parent = nullptr);

    void setText(const QString& name) override;
    QWidget* first() const override;

private:
    void choose();
    void elide();

    QPushButton *m_choose, *m_clear;
    QString m_title, m_name;
};

}  // namespace warplens::gui
