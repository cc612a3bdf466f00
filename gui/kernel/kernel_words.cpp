// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_words.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <utility>
#include <vector>

// Outside of any namespace, as Qt wants it.
static void initialiseMessages() { Q_INIT_RESOURCE(kernel); }

namespace warplens::gui {

QString explanationOf(const QString& message) {
    static const auto table = [] {
        initialiseMessages();
        std::vector<std::pair<QRegularExpression, QString>> rows;
        QFile file(QStringLiteral(":/warplens/kernel/messages.json"));
        if (file.open(QIODevice::ReadOnly))
            for (const auto& row : QJsonDocument::fromJson(file.readAll()).array())
                rows.emplace_back(QRegularExpression(row[QStringLiteral("when")].toString()),
                                  row[QStringLiteral("say")].toString());
        return rows;
    }();
    for (const auto& [when, say] : table)
        if (when.match(message).hasMatch()) return say;
    return {};
}

KernelProblem problemOf(const QString& sentence, const QString& file, bool error) {
    KernelProblem problem{.message = sentence, .error = error};
    const QRegularExpression place(QRegularExpression::escape(file) + QStringLiteral(":(\\d+)"));
    auto found = place.globalMatch(sentence);
    if (found.hasNext()) problem.line = found.next().captured(1).toInt();
    if (found.hasNext()) problem.otherLine = found.next().captured(1).toInt();
    // The line stands before the words already.
    const QString lead = QStringLiteral("%1:%2: ").arg(file).arg(problem.line);
    if (sentence.startsWith(lead)) problem.message = sentence.mid(lead.size());
    problem.message.replace(place, QStringLiteral("line \\1"));
    problem.explanation = explanationOf(problem.message);
    return problem;
}

}  // namespace warplens::gui
