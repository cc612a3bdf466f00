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

std::vector<PaletteEntry> entriesOfWords(const QList<QAction*>& actions, RequestState& request, Activity& activity) {
    std::vector<PaletteEntry> entries;
    for (const QJsonValue& value : words()) {
        const QJsonObject one = value.toObject();
        PaletteEntry entry;
        QString stands;
        if (const gpu::Family* family = gpu::findFamily(one["family"].toString().toStdString())) {
            entry.group = CommandPalette::tr("Family");
            stands = QString::fromStdString(family->title());
            entry.run = [&request, &activity, family, values = one["values"].toObject()] {
                choose(request, activity, *family, values);
            };
        } else {
            const auto at = std::ranges::find(actions, one["action"].toString(), &QAction::objectName);
            if (at == actions.end() || !(*at)->isEnabled()) continue;
            entry.group = CommandPalette::tr("Action");
            stands = plainText(**at);
            entry.keys = QKeySequence::listToString((*at)->shortcuts(), QKeySequence::NativeText);
            entry.run = [action = *at] { action->trigger(); };
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
