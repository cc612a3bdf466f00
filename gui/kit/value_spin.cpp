// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/value_spin.hpp"

#include "gui/kit/theme/format.hpp"

#include <limits>

namespace warplens::gui {

namespace {

constexpr int kDigits = 6;

QString plain(QString text, const QString& prefix) {
    if (text.startsWith(prefix)) text.remove(0, prefix.size());
    return text.replace(QChar(0x2212), u'-').remove(u',');
}

}  // namespace

ValueSpin::ValueSpin(QWidget* parent) : QDoubleSpinBox(parent) {
    setRange(-std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    // Enough for the smallest differences of a 0..1 picture; trailing zeros are not shown.
    setDecimals(9);
}

QString ValueSpin::textFromValue(double value) const {
    const QString digits = format::compact(value, kDigits);
    // A power of ten takes the room of digits.
    return digits.contains(u'e') ? format::compact(value, kDigits - 3) : digits;
}

double ValueSpin::valueFromText(const QString& text) const { return plain(text, prefix()).toDouble(); }

QValidator::State ValueSpin::validate(QString& text, int&) const {
    bool number = false;
    plain(text, prefix()).toDouble(&number);
    return number ? QValidator::Acceptable : QValidator::Intermediate;
}

}  // namespace warplens::gui
