// SPDX-License-Identifier: Apache-2.0
#include "gui/views/wrapped_text.hpp"

#include <QFontMetricsF>
#include <QStringList>

namespace warplens::gui {

QString wrapped(const QString& text, const QFontMetricsF& metrics, double room) {
    QString lines, line;
    for (const QString& word : text.split(u' ')) {
        if (!line.isEmpty() && metrics.horizontalAdvance(line + u' ' + word) > room) {
            lines += line + u'\n';
            line = QStringLiteral("     ") + word;
        } else {
            line += (line.isEmpty() ? QString() : QStringLiteral(" ")) + word;
        }
    }
    return lines + line;
}

}  // namespace warplens::gui
