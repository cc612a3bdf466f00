// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/number_field.hpp"

#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/value_spin.hpp"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSlider>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kPositions = 1000;
constexpr int kFieldWidth = 96;
constexpr double kWide = 1e5, kLeastOfWide = 1e-6;

double numberOf(const gpu::Parameter::Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return 0;
}

}  // namespace

NumberField::NumberField(const gpu::Parameter& parameter, QWidget* parent)
    : QWidget(parent),
      m_parameter(parameter),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_field(wide() ? new ValueSpin(this) : new QDoubleSpinBox(this)) {
    const bool integer = m_parameter.type == gpu::Parameter::Type::integer;
    const QString title = QString::fromStdString(m_parameter.title);
    const QString help = QString::fromStdString(m_parameter.help);

    m_slider->setObjectName(QString::fromStdString(m_parameter.id) + QStringLiteral("-slider"));
    m_slider->setAccessibleName(tr("%1, slider").arg(title));
    m_slider->setToolTip(help);
    if (everyValue())
        m_slider->setRange(static_cast<int>(m_parameter.minimum), static_cast<int>(m_parameter.maximum));
    else
        m_slider->setRange(0, kPositions);
    m_slider->setPageStep(everyValue() ? 4 : kPositions / 20);

    m_field->setObjectName(QString::fromStdString(m_parameter.id));
    m_field->setAccessibleName(title);
    m_field->setToolTip(help);
    if (!wide()) m_field->setDecimals(integer ? 0 : 2);
    m_field->setRange(m_parameter.minimum, m_parameter.maximum);
    m_field->setSingleStep(m_parameter.step);
    m_field->setFixedWidth(kFieldWidth);
    m_slider->setMinimumWidth(40);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setLocale(QLocale::c());
    m_field->setKeyboardTracking(true);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    row->addWidget(m_slider, 1);
    row->addWidget(m_field);

    for (QWidget* widget : {static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_field)}) {
        widget->setFocusPolicy(Qt::StrongFocus);
        widget->installEventFilter(this);
    }
    connect(m_slider, &QSlider::valueChanged, this, &NumberField::fromSlider);
    connect(m_slider, &QSlider::actionTriggered, this, &NumberField::stepped);
    connect(m_field, &QDoubleSpinBox::valueChanged, this, &NumberField::fromField);
    setValue(m_parameter.fallback);
}

QAbstractSpinBox* NumberField::field() const { return m_field; }

bool NumberField::eventFilter(QObject* watched, QEvent* event) {
    // The wheel scrolls the panel; only a field that was chosen takes it.
    if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

double NumberField::current() const { return m_field->value(); }

bool NumberField::everyValue() const {
    return m_parameter.type == gpu::Parameter::Type::integer && m_parameter.maximum - m_parameter.minimum <= kPositions;
}

bool NumberField::wide() const {
    return m_parameter.type == gpu::Parameter::Type::real && m_parameter.minimum >= 0 && m_parameter.maximum >= kWide;
}

int NumberField::positionOf(double value) const {
    const double low = m_parameter.minimum, high = m_parameter.maximum;
    if (everyValue()) return static_cast<int>(std::lround(value));
    if (m_parameter.type == gpu::Parameter::Type::integer)
        return static_cast<int>(std::lround(kPositions * std::log1p(value - low) / std::log1p(high - low)));
    if (wide()) {
        const double least = std::max(low, kLeastOfWide);
        if (value < least) return 0;
        return static_cast<int>(std::lround(kPositions * std::log(value / least) / std::log(high / least)));
    }
    const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return static_cast<int>(std::lround(kPositions * (low >= 0 ? std::sqrt(share) : share)));
}

double NumberField::valueAt(int position) const {
    const double low = m_parameter.minimum, high = m_parameter.maximum;
    if (everyValue()) return position;
    double share = static_cast<double>(position) / kPositions;
    if (m_parameter.type == gpu::Parameter::Type::integer)
        return std::round(low + std::expm1(share * std::log1p(high - low)));
    if (wide()) {
        if (position == 0) return low;
        const double least = std::max(low, kLeastOfWide);
        // Two digits: nobody means 0.10715193.
        const double value = least * std::pow(high / least, share);
        const double digit = std::pow(10.0, std::floor(std::log10(value)) - 1);
        return std::clamp(std::round(value / digit) * digit, low, high);
    }
    if (low >= 0) share *= share;
    const double step = m_parameter.step > 0 ? m_parameter.step : 1;
    return std::clamp(std::round((low + share * (high - low)) / step) * step, low, high);
}

void NumberField::setValue(const gpu::Parameter::Value& value) {
    m_updating = true;
    const double number = numberOf(value);
    // Typing must not be overwritten by its own echo.
    if (m_field->value() != number) m_field->setValue(number);
    if (!m_slider->isSliderDown()) m_slider->setValue(positionOf(number));
    m_updating = false;
}

void NumberField::setFollowed(std::optional<double> value) {
    const QString text = value ? tr("auto %1").arg(format::significant(*value)) : QString();
    if (m_field->specialValueText() != text) m_field->setSpecialValueText(text);
}

void NumberField::stepped(int action) {
    if (everyValue()) return;
    const bool up = action == QAbstractSlider::SliderSingleStepAdd;
    if (!up && action != QAbstractSlider::SliderSingleStepSub) return;
    // An arrow is one step of the value, wherever the slider stands.
    const double next =
        std::clamp(current() + (up ? 1 : -1) * m_parameter.step, m_parameter.minimum, m_parameter.maximum);
    m_updating = true;
    m_slider->setSliderPosition(positionOf(next));
    m_updating = false;
    m_field->setValue(next);
}

void NumberField::fromSlider(int position) {
    if (!m_updating) m_field->setValue(valueAt(position));
}

void NumberField::fromField(double value) {
    if (m_updating) return;
    m_updating = true;
    if (!m_slider->isSliderDown()) m_slider->setValue(positionOf(value));
    m_updating = false;
    if (m_parameter.type == gpu::Parameter::Type::integer)
        emit edited(static_cast<std::int64_t>(std::llround(value)));
    else
        emit edited(value);
}

}  // namespace warplens::gui
