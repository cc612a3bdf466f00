// SPDX-License-Identifier: Apache-2.0
#include "gui/models/equivalent_command.hpp"

#include <QRegularExpression>
#include <QStringList>

namespace warplens::gui {

QString shellQuoted(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=,@%+-]+$"));
    if (plain.match(word).hasMatch()) return word;
    QString quoted = word;
    return '\'' + quoted.replace('\'', QStringLiteral("'\\''")) + '\'';
}

QString compareCommand(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                       const std::vector<std::string>& variants, const std::string& device) {
    if (parameters.family() == nullptr) return {};
    QStringList words{QStringLiteral("warplens-cli"), QStringLiteral("compare"), input,
                      QString::fromStdString(parameters.family()->id())};
    if (choice.frame > 0) words << QStringLiteral("--frame") << QString::number(choice.frame);
    if (!choice.series.isEmpty()) words << QStringLiteral("--series") << choice.series;
    for (const gpu::Parameter& parameter : parameters.parameters()) {
        if (parameters.isDefault(parameter.id) || !parameters.visible(parameter)) continue;
        const QString value = QString::fromStdString(gpu::format(parameters.value(parameter.id)));
        const QString option = QStringLiteral("--") + QString::fromStdString(parameter.id);
        const bool flag = parameter.type == gpu::Parameter::Type::flag;
        // A flag stands alone; a leading minus would read as another option.
        if (flag && std::get<bool>(parameters.value(parameter.id)))
            words << option;
        else if (flag || value.startsWith('-'))
            words << option + '=' + value;
        else
            words << option << value;
    }
    const bool all = variants.empty() || variants.size() == parameters.family()->variants().size();
    QStringList ids;
    for (const std::string& id : variants) ids << QString::fromStdString(id);
    words << QStringLiteral("--variants") << (all ? QStringLiteral("all") : ids.join(','));
    if (!device.empty()) words << QStringLiteral("--device") << QString::fromStdString(device);
    for (QString& word : words) word = shellQuoted(word);
    return words.join(' ');
}

}  // namespace warplens::gui
