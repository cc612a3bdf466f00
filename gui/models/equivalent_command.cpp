// SPDX-License-Identifier: Apache-2.0
#include "gui/models/equivalent_command.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace warplens::gui {

QString shellQuoted(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=,@%+-]+$"));
    if (plain.match(word).hasMatch()) return word;
    QString quoted = word;
    return '\'' + quoted.replace('\'', QStringLiteral("'\\''")) + '\'';
}

namespace {

/// "warplens-cli VERB INPUT FAMILY" and the parameters.
QStringList wordsOf(const char* verb, const QString& input, const ReadChoice& choice, const ParameterState& parameters) {
    QStringList words{QStringLiteral("warplens-cli"), QString::fromUtf8(verb), input,
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
    return words;
}

QString lineOf(QStringList words) {
    for (QString& word : words) word = shellQuoted(word);
    return words.join(' ');
}

}  // namespace

QString compareCommand(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                       const std::vector<std::string>& variants, const std::string& device) {
    if (parameters.family() == nullptr) return {};
    QStringList words = wordsOf("compare", input, choice, parameters);
    const bool all = variants.empty() || variants.size() == parameters.family()->variants().size();
    QStringList ids;
    for (const std::string& id : variants) ids << QString::fromStdString(id);
    words << QStringLiteral("--variants") << (all ? QStringLiteral("all") : ids.join(','));
    if (!device.empty()) words << QStringLiteral("--device") << QString::fromStdString(device);
    return lineOf(words);
}

std::vector<NamedCommand> commandsFor(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                                      const std::vector<std::string>& variants, const std::string& current,
                                      const std::string& device) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("NamedCommand", text); };
    if (parameters.family() == nullptr) return {};
    const QString variant = QString::fromStdString(current);
    const QString compare = compareCommand(input, choice, parameters, variants, device);
    const QString stem = input.startsWith(QStringLiteral("gen:")) ? QStringLiteral("generated")
                                                                  : input.section('/', -1).section('.', 0, 0);
    QStringList run = wordsOf("run", input, choice, parameters), explain = wordsOf("explain", input, choice, parameters);
    run << QStringLiteral("--variant") << variant;
    if (!device.empty()) run << QStringLiteral("--device") << QString::fromStdString(device);
    run << QStringLiteral("-o") << stem + '-' + variant + QStringLiteral(".npy");
    explain << QStringLiteral("--variants") << variant;
    const auto list = [&](const char* what) {
        return lineOf({QStringLiteral("warplens-cli"), QStringLiteral("list"), QString::fromUtf8(what)});
    };
    return {{tr("Compare"), compare},
            {tr("Export the report"),
             compare + QStringLiteral(" --report ") + shellQuoted(stem + QStringLiteral("-report.json"))},
            {tr("Run %1 and save its result").arg(variant), lineOf(run)},
            {tr("Explain %1").arg(variant), lineOf(explain)},
            {tr("Compare two reports"), QStringLiteral("warplens-cli diff A.json B.json")},
            {tr("Facts of the picture"), lineOf({QStringLiteral("warplens-cli"), QStringLiteral("info"), input})},
            {tr("Devices"), QStringLiteral("warplens-cli devices")},
            {tr("Variants"), list("variants")},
            {tr("Parameters"), list("parameters")}};
}

}  // namespace warplens::gui
