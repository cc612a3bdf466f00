// SPDX-License-Identifier: Apache-2.0
#include "gui/session/known_steps.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/frame/shared_parameters.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/presets.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace warplens::gui {

namespace {

/// Nothing where the family does not take a value.
std::optional<gpu::ParameterValues> valuesOf(const gpu::Family& family, const std::map<QString, QString>& texts) {
    gpu::ParameterValues values = usualValues(family);
    for (const auto& [id, text] : texts) {
        const auto parameter = std::ranges::find(family.parameters(), id.toStdString(), &gpu::Parameter::id);
        if (parameter == family.parameters().end()) return {};
        try {
            values[parameter->id] = gpu::parse(*parameter, text.toStdString());
        } catch (const gpu::Error&) {
            return {};
        }
    }
    return values;
}

void addWords(std::vector<KnownStep>& steps) {
    QFile file(QStringLiteral(":/warplens/controls/words.json"));
    if (!file.open(QIODevice::ReadOnly)) return;
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).array()) {
        const QJsonObject one = value.toObject();
        const gpu::Family* family = gpu::findFamily(one["family"].toString().toStdString());
        if (family == nullptr) continue;
        std::map<QString, QString> texts;
        const QJsonObject set = one["values"].toObject();
        for (auto at = set.begin(); at != set.end(); ++at) texts[at.key()] = at.value().toString();
        const auto values = valuesOf(*family, texts);
        if (!values) continue;
        KnownStep step{.words = {},
                       .family = family,
                       .values = *values,
                       .likely = one["likely"].toString(),
                       .view = one["view"].toString()};
        for (const QJsonValue& word : one["words"].toArray()) step.words << word.toString();
        if (one.contains("step")) step.words.prepend(one["step"].toString());
        steps.push_back(step);
    }
}

}  // namespace

gpu::ParameterValues usualValues(const gpu::Family& family) {
    gpu::ParameterValues values;
    const auto prefer = [&](const gpu::Parameter* parameter, const char* choice) {
        if (parameter != nullptr && std::ranges::find(parameter->choices, choice) != parameter->choices.end())
            values[parameter->id] = std::string(choice);
    };
    const auto& all = family.parameters();
    static const std::string kBorder = gpu::borderParameter(gpu::Border::zero).id;
    const auto border = std::ranges::find(all, kBorder, &gpu::Parameter::id);
    // One that belongs to some tasks alone stays what it is: a rotated picture's corners are empty.
    prefer(border == all.end() || !border->visibleWhen.empty() ? nullptr : &*border, "reflect");
    prefer(gpu::findRole(all, gpu::Parameter::Role::outputType), "same");
    return values;
}

std::vector<KnownStep> knownSteps(const Presets* presets) {
    std::vector<KnownStep> steps;
    addWords(steps);
    for (const gpu::Family* family : gpu::families()) {
        const auto there = [&](const QString& name) {
            return std::ranges::any_of(
                steps, [&](const KnownStep& step) { return step.family == family && step.words.front() == name; });
        };
        if (presets != nullptr)
            for (const Preset& preset : presets->of(*family)) {
                std::map<QString, QString> texts;
                for (const auto& [id, text] : preset.values) texts[QString::fromStdString(id)] = text;
                if (const auto values = valuesOf(*family, texts); values && !(preset.shipped && there(preset.name)))
                    steps.push_back({.words = {preset.name, QString::fromStdString(family->title())},
                                     .family = family,
                                     .values = *values,
                                     .shipped = preset.shipped,
                                     .preset = true});
            }
        if (const QString title = QString::fromStdString(family->title()); !there(title))
            steps.push_back({.words = {title, QString::fromStdString(family->info().task)},
                             .family = family,
                             .values = usualValues(*family)});
    }
    std::erase_if(steps, [](const KnownStep& step) {
        return !step.family->info().makesPicture && !step.family->info().makesOtherPicture;
    });
    return steps;
}

StepName nameOf(const gpu::recipe::Step& step, const std::vector<KnownStep>& known) {
    const gpu::Family* family = gpu::findFamily(step.family);
    if (family == nullptr) return {QString::fromStdString(step.family), {}};
    const auto& all = family->parameters();
    const auto has = [&](const auto& one) { return gpu::valueOf(all, step.parameters, one.first) == one.second; };
    // What is chosen by name makes it what it is; numbers are how much of it, but tell between some: 0 and 100 percent.
    const auto agreement = [&](const KnownStep& candidate) {
        return std::ranges::count_if(candidate.values, [&](const auto& one) {
            const bool told =
                one.first != family->info().swept && has(one) && one.second != gpu::valueOf(all, {}, one.first);
            return std::holds_alternative<std::string>(one.second) || told;
        });
    };
    const gpu::ParameterValues usual = usualValues(*family);
    const KnownStep* best = nullptr;
    for (const KnownStep& candidate : known) {
        const auto same = [&](const auto& one) {
            const bool any = usual.contains(one.first) || !std::holds_alternative<std::string>(one.second);
            return (any && !candidate.preset) || has(one);
        };
        if (candidate.family != family || !candidate.shipped || !candidate.view.isEmpty() ||
            !std::ranges::all_of(candidate.values, same))
            continue;
        if (best == nullptr || agreement(candidate) > agreement(*best)) best = &candidate;
    }
    const QString title = QString::fromStdString(family->title());
    StepName name{best != nullptr ? best->words.front() : title, {}};
    name.own = name.title != title;
    QStringList values;
    for (const gpu::Parameter& parameter : all) {
        const bool given = step.parameters.contains(parameter.id), main = parameter.id == family->info().swept;
        const bool asked = !gpu::leftAside(parameter, all, step.parameters);
        if ((!given && !main) || !asked || parameter.type == gpu::Parameter::Type::picture) continue;
        const gpu::Parameter::Value& value = gpu::valueOf(all, step.parameters, parameter.id);
        if (!given && value == gpu::Parameter::Value(std::int64_t{0})) continue;  // something else decides
        if (parameter.role == gpu::Parameter::Role::box) {
            const QRect part = partOf(gpu::format(value));
            if (!part.isEmpty()) values << format::extent(part.width(), part.height());
            continue;
        }
        const bool said = best != nullptr && best->values.contains(parameter.id) &&
                          best->values.at(parameter.id) == value && std::holds_alternative<std::string>(value);
        if (said) continue;
        values << QStringLiteral("%1 %2%3").arg(
            QString::fromStdString(parameter.title).toLower(), QString::fromStdString(gpu::format(value)),
            parameter.unit.empty() ? QString() : ' ' + QString::fromStdString(parameter.unit));
    }
    name.values = values.join(QStringLiteral(", "));
    return name;
}

QRect partOf(const std::string& box) {
    const QStringList numbers = QString::fromStdString(box).split(',');
    if (numbers.size() != 4) return {};
    return {numbers[0].toInt(), numbers[1].toInt(), numbers[2].toInt(), numbers[3].toInt()};
}

std::string boxOf(const QRect& part) {
    return QStringLiteral("%1,%2,%3,%4").arg(part.x()).arg(part.y()).arg(part.width()).arg(part.height()).toStdString();
}

std::vector<const KnownStep*> matchingSteps(const std::vector<KnownStep>& steps, const QString& typed) {
    static const QRegularExpression kBetween(QStringLiteral("\\W+"));
    const QStringList wanted = typed.toLower().split(kBetween, Qt::SkipEmptyParts);
    std::vector<std::pair<int, const KnownStep*>> found;
    for (const KnownStep& step : steps) {
        int best = -1;
        for (qsizetype i = 0; i < step.words.size(); ++i) {
            const QStringList words = step.words[i].toLower().split(kBetween, Qt::SkipEmptyParts);
            const bool all = std::ranges::all_of(wanted, [&](const QString& part) {
                return std::ranges::any_of(words, [&](const QString& word) { return word.startsWith(part); });
            });
            if (!all) continue;
            // A name that begins so before one that holds it, a name before a synonym.
            const bool begins = !wanted.isEmpty() && !words.isEmpty() && words.front().startsWith(wanted.front());
            const int rank = (begins ? 0 : 2) + (i == 0 ? 0 : 1);
            best = best < 0 ? rank : std::min(best, rank);
        }
        if (best >= 0) found.emplace_back(best, &step);
    }
    std::ranges::stable_sort(found, {}, &std::pair<int, const KnownStep*>::first);
    std::vector<const KnownStep*> ordered;
    for (const auto& [rank, step] : found) ordered.push_back(step);
    return ordered;
}

}  // namespace warplens::gui
