// SPDX-License-Identifier: Apache-2.0
#include "gui/session/equivalent_command.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/session/document.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace warplens::gui {

QString shellQuoted(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=,@%+-]+$"));
    if (plain.match(word).hasMatch()) return word;
    QString quoted = word;
    return '\'' + quoted.replace('\'', QStringLiteral("'\\''")) + '\'';
}

namespace {

/// A parameter's value that stands in for the present one.
struct Instead {
    std::string parameter, value;
};

/// Which of several is read, and how.
QStringList choiceWords(const ReadChoice& choice) {
    QStringList words;
    if (choice.frame > 0) words << QStringLiteral("--frame") << QString::number(choice.frame);
    if (!choice.series.isEmpty()) words << QStringLiteral("--series") << choice.series;
    if (choice.toFloat) words << QStringLiteral("--as") << QStringLiteral("f32");
    return words;
}

/// "warplens-cli VERB INPUT FAMILY" and the parameters, but for those that a sweep varies.
QStringList wordsOf(const char* verb, const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                    const Instead& instead = {}, const std::vector<gpu::SweepAxis>& without = {}) {
    QStringList words{QStringLiteral("warplens-cli"), QString::fromUtf8(verb), input,
                      QString::fromStdString(parameters.family()->id())};
    words += choiceWords(choice);
    for (const gpu::Parameter& parameter : parameters.parameters()) {
        if (std::ranges::find(without, parameter.id, &gpu::SweepAxis::id) != without.end()) continue;
        if (parameter.id == instead.parameter) {
            words << QStringLiteral("--") + QString::fromStdString(parameter.id)
                  << QString::fromStdString(instead.value);
            continue;
        }
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

QString stemOf(const QString& input) {
    return input.startsWith(QStringLiteral("gen:")) ? QStringLiteral("generated")
                                                    : input.section('/', -1).section('.', 0, 0);
}

/// "all" where it is the ladder as it stands: no variant left out, none again with other tunables.
QString listOf(const std::vector<std::string>& ids, const gpu::Family& family) {
    QStringList list;
    for (const std::string& id : ids) list << QString::fromStdString(id);
    const bool all = std::ranges::equal(ids, gpu::askedRuns(family, {}), {}, {}, &gpu::RunSpec::id);
    return ids.empty() || all ? QStringLiteral("all") : list.join(',');
}

/// The rows, and where they run. Empty where a kernel has no file.
QStringList variantWords(const std::vector<std::string>& variants, const gpu::Family& family, const std::string& device,
                         const KernelPaths& kernels) {
    std::vector<std::string> ladder;
    QStringList files;
    for (const std::string& id : variants) {
        const auto own = kernels.find(id);
        if (own == kernels.end()) {
            ladder.push_back(id);
            continue;
        }
        if (own->second.empty()) return {};
        files << QStringLiteral("--kernel") << QString::fromStdString(own->second);
    }
    const bool alone = ladder.empty() && !files.isEmpty();
    QStringList words{QStringLiteral("--variants"), alone ? QStringLiteral("none") : listOf(ladder, family)};
    words += files;
    if (!device.empty()) words << QStringLiteral("--device") << QString::fromStdString(device);
    return words;
}

QStringList variantWords(const CommandContext& now) {
    return variantWords(now.variants, *now.parameters.family(), now.device, now.kernels);
}

/// "--variant ID" or "--kernel FILE"; empty where a kernel has no file.
QStringList oneWords(const std::string& variant, const KernelPaths& kernels) {
    const auto own = kernels.find(variant);
    if (own == kernels.end()) return {QStringLiteral("--variant"), QString::fromStdString(variant)};
    if (own->second.empty()) return {};
    return {QStringLiteral("--kernel"), QString::fromStdString(own->second)};
}

}  // namespace

QString recipeLine(const QString& input, const ReadChoice& choice, const QString& recipe, const std::string& device) {
    QStringList words{QStringLiteral("warplens-cli"), QStringLiteral("run"), input};
    words << choiceWords(choice) << QStringLiteral("--recipe") << recipe;
    if (!device.empty()) words << QStringLiteral("--device") << QString::fromStdString(device);
    words << QStringLiteral("-o") << stemOf(input) + QStringLiteral("-recipe.npy");
    return lineOf(words);
}

QString compareCommand(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                       const std::vector<std::string>& variants, const std::string& device,
                       const KernelPaths& kernels) {
    if (parameters.family() == nullptr) return {};
    const QStringList rows = variantWords(variants, *parameters.family(), device, kernels);
    return rows.isEmpty() ? QString() : lineOf(wordsOf("compare", input, choice, parameters) + rows);
}

std::vector<NamedCommand> commandsFor(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                                      const std::vector<std::string>& variants, const std::string& current,
                                      const std::string& device, const KernelPaths& kernels) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("NamedCommand", text); };
    if (parameters.family() == nullptr) return {};
    const QString variant = QString::fromStdString(current);
    const QString compare = compareCommand(input, choice, parameters, variants, device, kernels);
    const QString stem = stemOf(input);
    QStringList run = wordsOf("run", input, choice, parameters),
                explain = wordsOf("explain", input, choice, parameters);
    const QStringList one = oneWords(current, kernels);
    run << one;
    if (!device.empty()) run << QStringLiteral("--device") << QString::fromStdString(device);
    run << QStringLiteral("-o") << stem + '-' + variant + QStringLiteral(".npy");
    explain << QStringLiteral("--variants") << variant;
    const auto list = [&](const char* what) {
        return lineOf({QStringLiteral("warplens-cli"), QStringLiteral("list"), QString::fromUtf8(what)});
    };
    std::vector<NamedCommand> commands;
    if (!compare.isEmpty())
        commands = {{tr("Compare"), compare},
                    {tr("Export the report"),
                     compare + QStringLiteral(" --report ") + shellQuoted(stem + QStringLiteral("-report.json"))}};
    if (!one.isEmpty()) commands.push_back({tr("Run %1 and save its result").arg(variant), lineOf(run)});
    if (!kernels.contains(current)) commands.push_back({tr("Explain %1").arg(variant), lineOf(explain)});
    const std::vector<NamedCommand> rest{
        {tr("Compare two reports"), QStringLiteral("warplens-cli diff A.json B.json")},
        {tr("Facts of the picture"), lineOf({QStringLiteral("warplens-cli"), QStringLiteral("info"), input})},
        {tr("Devices"), QStringLiteral("warplens-cli devices")},
        {tr("Variants"), list("variants")},
        {tr("Parameters"), list("parameters")}};
    commands.insert(commands.end(), rest.begin(), rest.end());
    return commands;
}

QString commandRunning(const std::string& variant, const CommandContext& now) {
    if (now.input.isEmpty() || now.parameters.family() == nullptr) return {};
    QStringList words = wordsOf("run", now.input, now.choice, now.parameters);
    const QStringList one = oneWords(variant, now.kernels);
    if (one.isEmpty()) return {};
    words << one;
    if (!now.device.empty()) words << QStringLiteral("--device") << QString::fromStdString(now.device);
    words << QStringLiteral("-o") << stemOf(now.input) + '-' + QString::fromStdString(variant) + QStringLiteral(".npy");
    return lineOf(words);
}

QString commandWith(const std::string& parameter, const std::string& value, const CommandContext& now) {
    if (now.input.isEmpty() || now.parameters.family() == nullptr) return {};
    const QStringList rows = variantWords(now);
    if (rows.isEmpty()) return {};
    return lineOf(wordsOf("compare", now.input, now.choice, now.parameters, {parameter, value}) + rows);
}

QString commandOf(const gpu::Family& family, const std::vector<std::pair<QString, QString>>& values,
                  const CommandContext& now) {
    if (now.input.isEmpty()) return {};
    const QString id = QString::fromStdString(family.id());
    QStringList words{QStringLiteral("warplens-cli"), QStringLiteral("run"), now.input, id};
    words << choiceWords(now.choice);
    for (const auto& [parameter, value] : values) words << QStringLiteral("--") + parameter << value;
    if (!now.device.empty()) words << QStringLiteral("--device") << QString::fromStdString(now.device);
    words << QStringLiteral("-o") << stemOf(now.input) + '-' + id + QStringLiteral(".npy");
    return lineOf(words);
}

QString commandOf(const QString& action, const CommandContext& now) {
    const auto is = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* name) { return action == QLatin1String(name); });
    };
    if (is({"reports"})) return QStringLiteral("warplens-cli diff A.json B.json");
    if (is({"go-to-variants"})) return QStringLiteral("warplens-cli list variants");
    if (now.input.isEmpty() || now.parameters.family() == nullptr) return {};
    const QString compare =
        compareCommand(now.input, now.choice, now.parameters, now.variants, now.device, now.kernels);
    const auto report = [&](const char* ending) {
        return compare.isEmpty() ? QString()
                                 : compare + QStringLiteral(" --report ") +
                                       shellQuoted(stemOf(now.input) + QStringLiteral("-report.") + ending);
    };
    if (is({"open", "open-folder", "open-series", "open-raw", "reload"}))
        return lineOf({QStringLiteral("warplens-cli"), QStringLiteral("info"), now.input});
    if (is({"compare", "page-compare", "copy-table-action", "open-matrix", "copy-command"})) return compare;
    if (is({"export-report"})) return report("json");
    if (is({"copy-markdown"})) return report("md");
    if (is({"save-result", "use-result", "play", "step"})) return commandRunning(now.current, now);
    if (is({"explain", "page-why"})) {
        CommandContext traced = now;
        traced.device.clear();  // counts are of no device
        std::erase_if(traced.variants, [&](const std::string& id) {
            return now.kernels.contains(id) ||
                   std::ranges::any_of(now.parameters.family()->variants(), [&](const gpu::Variant& variant) {
                       return variant.id == id && variant.kind != gpu::Variant::Kind::kernel;
                   });
        });
        return lineOf(wordsOf("explain", now.input, now.choice, now.parameters) + variantWords(traced));
    }
    // What a page shows, by the family that has it alone, or by the first that plays on it.
    for (const gpu::Family* family : gpu::families()) {
        const gpu::FamilyInfo& info = family->info();
        const bool plays = action == QLatin1String("page-volume") && info.iterates && info.volumes;
        const QString id = QString::fromStdString(info.id);
        if (!plays && action != QStringLiteral("page-") + id) continue;
        QStringList words{QStringLiteral("warplens-cli"), QStringLiteral("run"), now.input, id};
        if (!now.device.empty()) words << QStringLiteral("--device") << QString::fromStdString(now.device);
        if (plays) words << QStringLiteral("-o") << stemOf(now.input) + '-' + id + QStringLiteral(".npy");
        return lineOf(words);
    }
    return {};
}

bool variesPicture(const std::vector<gpu::SweepAxis>& axes) {
    return std::ranges::any_of(axes, [](const gpu::SweepAxis& axis) {
        return axis.kind == gpu::SweepAxis::Kind::size || axis.kind == gpu::SweepAxis::Kind::type;
    });
}

QString sweepCommand(const Document& document, const ParameterState& parameters,
                     const std::vector<gpu::SweepAxis>& axes, const std::vector<std::string>& variants,
                     const std::string& device) {
    const bool own = !variesPicture(axes) && !document.empty();
    // The sweep reads a picture as it is: without a choice of frame, series or type.
    if (own && (document.derived() || document.choice() != ReadChoice())) return {};
    QStringList words{QStringLiteral("warplens-cli"), QStringLiteral("sweep"),
                      QString::fromStdString(parameters.family()->id())};
    for (const gpu::SweepAxis& axis : axes) words << QStringLiteral("--over") << QString::fromStdString(textOf(axis));
    if (own) words << QStringLiteral("--input") << document.input();
    QStringList values = wordsOf("sweep", {}, {}, parameters, {}, axes);
    words << values.mid(4);
    QStringList list;
    for (const std::string& id : variants) list << QString::fromStdString(id);
    words << QStringLiteral("--variants") << list.join(',');
    if (!device.empty()) words << QStringLiteral("--device") << QString::fromStdString(device);
    return lineOf(words);
}

}  // namespace warplens::gui
