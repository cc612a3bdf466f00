// SPDX-License-Identifier: Apache-2.0
#include "gui/session/equivalent_command.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/session/request_state.hpp"

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

QString lineOf(const char* verb, const QStringList& words) {
    QString line = QStringLiteral("warplens-cli ") + QLatin1String(verb);
    for (const QString& word : words) line += u' ' + shellQuoted(word);
    return line;
}

/// "--name value"; nothing without a value.
QStringList option(const QString& name, const QString& value) {
    return value.isEmpty() ? QStringList() : QStringList{QStringLiteral("--") + name, value};
}
QStringList option(const char* name, const std::string& value) {
    return option(QString::fromUtf8(name), QString::fromStdString(value));
}

/// Which of several is read, and how.
QStringList choiceWords(const ReadChoice& choice) {
    return option(QStringLiteral("frame"), choice.frame > 0 ? QString::number(choice.frame) : QString()) +
           option(QStringLiteral("series"), choice.series) +
           option(QStringLiteral("as"), choice.toFloat ? QStringLiteral("f32") : QString());
}

/// The parameters that are not at their defaults, but for those that a sweep varies.
QStringList valueWords(const ParameterState& parameters, const Instead& instead = {},
                       const std::vector<gpu::SweepAxis>& without = {}) {
    QStringList words;
    for (const gpu::Parameter& parameter : parameters.parameters()) {
        if (std::ranges::find(without, parameter.id, &gpu::SweepAxis::id) != without.end()) continue;
        const QString name = QStringLiteral("--") + QString::fromStdString(parameter.id);
        if (parameter.id == instead.parameter) {
            words << name << QString::fromStdString(instead.value);
            continue;
        }
        if (parameters.isDefault(parameter.id) || !parameters.visible(parameter)) continue;
        const QString value = QString::fromStdString(gpu::format(parameters.value(parameter.id)));
        const bool flag = parameter.type == gpu::Parameter::Type::flag;
        // A flag stands alone; a leading minus would read as another option.
        if (flag && std::get<bool>(parameters.value(parameter.id)))
            words << name;
        else if (flag || value.startsWith('-'))
            words << name + '=' + value;
        else
            words << name << value;
    }
    return words;
}

/// The picture, the family and its values; empty without them.
QStringList taskWords(const CommandContext& now, const Instead& instead = {}) {
    if (now.input.isEmpty() || now.parameters.family() == nullptr) return {};
    return QStringList{now.input, QString::fromStdString(now.parameters.family()->id())} + choiceWords(now.choice) +
           valueWords(now.parameters, instead);
}

/// Where the result of `what` is saved.
QStringList resultWords(const QString& input, const QString& what) {
    const QString stem = input.startsWith(QStringLiteral("gen:")) ? QStringLiteral("generated")
                                                                  : input.section('/', -1).section('.', 0, 0);
    return {QStringLiteral("-o"), stem + '-' + what + QStringLiteral(".npy")};
}

QString reportOption(const CommandContext& now, const char* ending) {
    const QString result = resultWords(now.input, QStringLiteral("report")).back();
    return QStringLiteral(" --report ") + shellQuoted(result.section('.', 0, -2) + '.' + QLatin1String(ending));
}

/// "all" where it is the ladder as it stands: no variant left out, none again with other tunables.
QString listOf(const std::vector<std::string>& ids, const gpu::Family& family) {
    QStringList list;
    for (const std::string& id : ids) list << QString::fromStdString(id);
    const bool all = std::ranges::equal(ids, gpu::askedRuns(family, {}), {}, {}, &gpu::RunSpec::id);
    return ids.empty() || all ? QStringLiteral("all") : list.join(',');
}

/// The rows, and where they run. Empty where a kernel has no file.
QStringList variantWords(const CommandContext& now) {
    std::vector<std::string> ladder;
    QStringList files;
    for (const std::string& id : now.variants) {
        const auto own = now.kernels.find(id);
        if (own == now.kernels.end())
            ladder.push_back(id);
        else if (own->second.empty())
            return {};
        else
            files += option("kernel", own->second);
    }
    const bool alone = ladder.empty() && !files.isEmpty();
    return option(QStringLiteral("variants"),
                  alone ? QStringLiteral("none") : listOf(ladder, *now.parameters.family())) +
           files + option("device", now.device);
}

QString compareLine(const CommandContext& now, const Instead& instead = {}) {
    const QStringList task = taskWords(now, instead), rows = task.isEmpty() ? task : variantWords(now);
    return rows.isEmpty() ? QString() : lineOf("compare", task + rows);
}

/// Of checked kernels alone: counts are of no device.
QString explainLine(CommandContext now) {
    const QStringList task = taskWords(now);
    if (task.isEmpty()) return {};
    now.device.clear();
    std::erase_if(now.variants, [&](const std::string& id) {
        return now.kernels.contains(id) ||
               std::ranges::any_of(now.parameters.family()->variants(), [&](const gpu::Variant& variant) {
                   return variant.id == id && variant.kind != gpu::Variant::Kind::kernel;
               });
    });
    return lineOf("explain", task + variantWords(now));
}

}  // namespace

CommandContext contextOf(const RequestState& request) {
    const Document& document = request.document();
    const bool made = document.empty() || document.derived();
    return {made ? QString() : document.input(), document.choice(), request.parameters(),
            request.variants().checked(),        request.current(), request.devices().names(),
            request.variants().kernelPaths()};
}

QString recipeLine(const QString& input, const ReadChoice& choice, const QString& recipe, const std::string& device) {
    return lineOf("run", QStringList{input} + choiceWords(choice) + option(QStringLiteral("recipe"), recipe) +
                             option("device", device) + resultWords(input, QStringLiteral("recipe")));
}

std::vector<NamedCommand> commandsFor(const CommandContext& now) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("NamedCommand", text); };
    if (now.parameters.family() == nullptr) return {};
    const QString variant = QString::fromStdString(now.current);
    std::vector<NamedCommand> commands;
    if (const QString compare = compareLine(now); !compare.isEmpty())
        commands = {{tr("Compare"), compare}, {tr("Export the report"), compare + reportOption(now, "json")}};
    if (const QString run = commandRunning(now.current, now); !run.isEmpty())
        commands.push_back({tr("Run %1 and save its result").arg(variant), run});
    if (!now.kernels.contains(now.current))
        commands.push_back({tr("Explain %1").arg(variant),
                            lineOf("explain", taskWords(now) + option(QStringLiteral("variants"), variant))});
    const std::vector<NamedCommand> rest{{tr("Compare two reports"), lineOf("diff", {"A.json", "B.json"})},
                                         {tr("Facts of the picture"), lineOf("info", {now.input})},
                                         {tr("Devices"), lineOf("devices", {})},
                                         {tr("Variants"), lineOf("list", {"variants"})},
                                         {tr("Parameters"), lineOf("list", {"parameters"})}};
    commands.insert(commands.end(), rest.begin(), rest.end());
    return commands;
}

QString commandRunning(const std::string& variant, const CommandContext& now) {
    const auto own = now.kernels.find(variant);
    const QStringList task = taskWords(now),
                      one = own == now.kernels.end() ? option("variant", variant) : option("kernel", own->second);
    if (task.isEmpty() || one.isEmpty()) return {};
    return lineOf("run",
                  task + one + option("device", now.device) + resultWords(now.input, QString::fromStdString(variant)));
}

QString commandWith(const std::string& parameter, const std::string& value, const CommandContext& now) {
    return compareLine(now, {parameter, value});
}

QString commandOf(const gpu::Family& family, const std::vector<std::pair<QString, QString>>& values,
                  const CommandContext& now) {
    if (now.input.isEmpty()) return {};
    const QString id = QString::fromStdString(family.id());
    QStringList words = QStringList{now.input, id} + choiceWords(now.choice);
    for (const auto& [parameter, value] : values) words << QStringLiteral("--") + parameter << value;
    return lineOf("run", words + option("device", now.device) + resultWords(now.input, id));
}

QString commandOf(const QString& action, const CommandContext& now) {
    const auto is = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* name) { return action == QLatin1String(name); });
    };
    if (is({"reports"})) return lineOf("diff", {"A.json", "B.json"});
    if (is({"go-to-variants"})) return lineOf("list", {"variants"});
    if (now.input.isEmpty() || now.parameters.family() == nullptr) return {};
    if (is({"open", "open-folder", "open-series", "open-raw", "reload"})) return lineOf("info", {now.input});
    if (is({"save-result", "use-result", "play", "step"})) return commandRunning(now.current, now);
    if (is({"explain", "page-why"})) return explainLine(now);
    const QString compare = compareLine(now);
    if (is({"compare", "page-compare", "copy-table-action", "open-matrix", "copy-command"})) return compare;
    if (is({"export-report", "copy-markdown"}))
        return compare.isEmpty() ? compare : compare + reportOption(now, is({"copy-markdown"}) ? "md" : "json");
    // What a page shows, by the family that has it alone, or by the first that plays on it.
    for (const gpu::Family* family : gpu::families()) {
        const gpu::FamilyInfo& info = family->info();
        const bool plays = action == QLatin1String("page-volume") && info.iterates && info.volumes;
        const QString id = QString::fromStdString(info.id);
        if (!plays && action != QStringLiteral("page-") + id) continue;
        return lineOf("run", QStringList{now.input, id} + option("device", now.device) +
                                 (plays ? resultWords(now.input, id) : QStringList()));
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
    QStringList words{QString::fromStdString(parameters.family()->id())}, list;
    for (const gpu::SweepAxis& axis : axes) words += option("over", textOf(axis));
    if (own) words += option(QStringLiteral("input"), document.input());
    for (const std::string& id : variants) list << QString::fromStdString(id);
    words << valueWords(parameters, {}, axes) << QStringLiteral("--variants") << list.join(',');
    return lineOf("sweep", words + option("device", device));
}

}  // namespace warplens::gui
