// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/exponent.hpp"

#include <QRegularExpression>

namespace warplens::gui::format {

QString compact(double value, int digits) {
    // "e-06" says no more than "e-6".
    static const QRegularExpression zeros(QStringLiteral("e([+-])0+(?=\\d)"));
    QString text = QString::number(value, 'g', digits).replace(zeros, QStringLiteral("e\\1"));
    return text.replace(u'-', QChar(0x2212));
}

}  // namespace warplens::gui::format
