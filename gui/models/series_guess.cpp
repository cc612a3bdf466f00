// SPDX-License-Identifier: Apache-2.0
#include "gui/models/series_guess.hpp"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace warplens::gui {

QString seriesOf(const QString& path) {
    const QFileInfo file(path);
    // What stands behind the number may hold digits only as part of the ending: "a7.jp2".
    static const QRegularExpression number(QStringLiteral("^(.*?)([0-9]+)([^0-9]*(\\.[^.]*)?)$"));
    const QRegularExpressionMatch match = number.match(file.fileName());
    if (!match.hasMatch()) return {};
    const QString before = match.captured(1), digits = match.captured(2), behind = match.captured(3);
    const auto padded = [&] {
        if (digits.startsWith('0')) return true;
        const QString beside = QRegularExpression::escape(before) +
                               QStringLiteral("0[0-9]{%1}").arg(digits.size() - 1) + QRegularExpression::escape(behind);
        const QRegularExpression name(QRegularExpression::anchoredPattern(beside));
        const QStringList names = file.dir().entryList(QDir::Files);
        return names.indexOf(name) >= 0;
    };
    const qsizetype width = digits.size() > 1 && padded() ? digits.size() : 1;
    return QStringLiteral("series:") + file.dir().filePath(before + QString(width, '#') + behind);
}

}  // namespace warplens::gui
