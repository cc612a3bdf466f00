// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/exponent.hpp"

#include <QRegularExpression>

namespace warplens::gui::format {

namespace {

/// "e-06" says no more than "e-6".
QString dressed(QString text) {
    static const QRegularExpression zeros(QStringLiteral("e([+-])0+(?=\\d)"));
    return text.replace(zeros, QStringLiteral("e\\1")).replace(u'-', QChar(0x2212));
}

}  // namespace

QString compact(double value, int digits) { return dressed(QString::number(value, 'g', digits)); }

QString scientific(double value, int digits) { return dressed(QString::number(value, 'e', digits - 1)); }

}  // namespace warplens::gui::format
