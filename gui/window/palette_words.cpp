// SPDX-License-Identifier: Apache-2.0
#include "gui/window/palette_words.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/keys.hpp"
#include "gui/window/actions.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace warplens::gui {

namespace {

const QJsonArray& words() {
    static const QJsonArray list = [] {
        QFile file(QStringLiteral(":/warplens/controls/words.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
    }();
    return list;
}

void choose(RequestState& request, Activity& activity, const gpu::Family& family, const QJsonObject& values) {
    request.setFamily(family);
    QString why;
    for (auto at = values.begin(); at != values.end(); ++at)
        if (!request.parameters().setText(at.key().toStdString(), at.value().toString(), &why))
            return activity.report(why);
}

}  // namespace

std::vector<PaletteEntry> entriesOfOtherFamilies(RequestState& request, const CommandContext& now) {
    std::vector<PaletteEntry> entries;
    for (const gpu::Family* family : gpu::families()) {
        const auto& all = family->parameters();
        const auto first = std::ranges::find(all, gpu::Parameter::Type::choice, &gpu::Parameter::type);
        if (family == request.parameters().family() || first == all.end()) continue;
        for (const std::string& choice : first->choices)
            entries.push_back(
                {QString::fromStdString(first->title),
                 QString::fromStdString(choice + ": " + family->title()),
                 {},
                 [&request, family, id = first->id, choice] {
                     request.setFamily(*family);
                     request.parameters().set(id, choice);
                 },
                 commandOf(*family, {{QString::fromStdString(first->id), QString::fromStdString(choice)}}, now)});
    }
    return entries;
}

std::vector<PaletteEntry> entriesOfWords(const QList<QAction*>& actions, RequestState& request, Activity& activity,
                                         const CommandContext& now) {
    std::vector<PaletteEntry> entries;
    for (const QJsonValue& value : words()) {
        const QJsonObject one = value.toObject();
        PaletteEntry entry;
        QString stands;
        if (const gpu::Family* family = gpu::findFamily(one["family"].toString().toStdString())) {
            entry.group = QObject::tr("Family");
            stands = QString::fromStdString(family->title());
            const QJsonObject values = one["values"].toObject();
            entry.run = [&request, &activity, family, values] { choose(request, activity, *family, values); };
            std::vector<std::pair<QString, QString>> words;
            for (auto at = values.begin(); at != values.end(); ++at)
                words.emplace_back(at.key(), at.value().toString());
            entry.command = commandOf(*family, words, now);
        } else {
            const auto at = std::ranges::find(actions, one["action"].toString(), &QAction::objectName);
            if (at == actions.end() || !(*at)->isEnabled()) continue;
            entry.group = QObject::tr("Action");
            stands = plainText(**at);
            entry.keys = QKeySequence::listToString((*at)->shortcuts(), QKeySequence::NativeText);
            entry.run = [action = *at] { action->trigger(); };
            entry.command = commandOf((*at)->objectName(), now);
        }
        if (one.contains("as")) stands = one["as"].toString();
        for (const QJsonValue& word : one["words"].toArray()) {
            entry.text = word.toString() + QStringLiteral(": ") + stands;
            entries.push_back(entry);
        }
    }
    return entries;
}

}  // namespace warplens::gui
