// SPDX-License-Identifier: Apache-2.0
#include "gui/session/session_document.hpp"

#include "gpu/core/error.hpp"
#include "gpu/recipe/file.hpp"
#include "io/error.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

namespace warplens::gui {

namespace {

[[noreturn]] void refuse(const QString& path, const QString& what) {
    throw io::Error(io::Error::Kind::unreadable, (path + ": " + what).toStdString());
}

/// Whether an input is a path alone: not "gen:", "raw:" or "series:" text, which stays as it is.
bool isPath(const QString& input) {
    const auto begins = [&](const char* with) { return input.startsWith(QLatin1String(with)); };
    return !input.isEmpty() && !begins("gen:") && !begins("raw:") && !begins("series:");
}

QString relative(const QString& input, const QString& folder) {
    return isPath(input) ? QDir(folder).relativeFilePath(input) : input;
}

QString absolute(const QString& input, const QString& folder) {
    return isPath(input) ? QDir::cleanPath(QDir(folder).absoluteFilePath(input)) : input;
}

/// A value that is a path starts so, because other values never do.
const QString kFile = QStringLiteral("file:");

void readRecipe(QJsonObject json, const QString& path, const QString& folder, SessionDocument& session) {
    session.at = json.take("at").toInt();
    try {
        const std::string text = QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
        session.recipe = gpu::recipe::parse(text, "recipe", folder.toStdString());
    } catch (const gpu::Error& error) {
        refuse(path, QString::fromUtf8(error.what()));
    }
}

}  // namespace

bool isSession(const QString& path) { return path.endsWith(QStringLiteral(".warplens"), Qt::CaseInsensitive); }

QByteArray toJson(const SessionDocument& session, const QString& folder) {
    QJsonObject families;
    for (const auto& [id, family] : session.families) {
        QJsonObject values;
        for (const auto& [parameter, text] : family.values)
            values[QString::fromStdString(parameter)] =
                text.startsWith(kFile) ? kFile + relative(text.mid(kFile.size()), folder) : text;
        QJsonObject entry{{"values", values}, {"variants", QJsonArray::fromStringList(family.variants)}};
        if (!family.rows.isEmpty()) entry["rows"] = QJsonArray::fromStringList(family.rows);
        QStringList kernels;
        for (const QString& file : family.kernels) kernels << relative(file, folder);
        if (!kernels.isEmpty()) entry["kernels"] = QJsonArray::fromStringList(kernels);
        families[QString::fromStdString(id)] = entry;
    }
    QJsonObject input{{"path", relative(session.input, folder)}, {"hash", session.hash}};
    if (!session.name.isEmpty()) input["computed"] = session.name;
    if (session.choice.frame > 0) input["frame"] = session.choice.frame;
    if (!session.choice.series.isEmpty()) input["series"] = session.choice.series;
    if (session.choice.toFloat) input["as"] = "f32";
    QJsonArray snapshots;
    for (KeptSnapshot snapshot : session.snapshots) {
        snapshot.path = relative(snapshot.path, folder);
        snapshots.append(toJson(snapshot));
    }
    QJsonObject whole{{"schema", SessionDocument::kSchema},
                      {"warplens", QCoreApplication::applicationVersion()},
                      {"input", input},
                      {"family", session.family},
                      {"families", families},
                      {"current", session.current},
                      {"baseline", session.baseline},
                      {"reference", session.reference},
                      {"device", session.device},
                      {"page", session.page},
                      {"view", session.view}};
    if (!session.halos.isEmpty()) whole["halos"] = session.halos;
    if (!snapshots.isEmpty()) whole["snapshots"] = snapshots;
    if (!session.recipe.steps.empty()) {
        const std::string text = gpu::recipe::toJson(session.recipe, folder.toStdString());
        QJsonObject recipe = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        recipe["at"] = session.at;
        whole["recipe"] = recipe;
    }
    if (!session.mask.isEmpty()) whole["mask"] = relative(session.mask, folder);
    return QJsonDocument(whole).toJson();
}

SessionDocument parseSession(const QByteArray& json, const QString& path) {
    QJsonParseError error{};
    const QJsonObject whole = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError)
        refuse(path, QStringLiteral("no session (%1 at byte %2); open another file.")
                         .arg(error.errorString())
                         .arg(error.offset));
    const int schema = whole["schema"].toInt();
    if (schema < 1) refuse(path, QStringLiteral("no session: \"schema\" is missing; open another file."));
    if (schema > SessionDocument::kSchema)
        refuse(path, QStringLiteral("written by a newer Warplens (schema %1, this one reads %2); update the program.")
                         .arg(schema)
                         .arg(SessionDocument::kSchema));
    const QString folder = QFileInfo(path).absolutePath();
    const QJsonObject input = whole["input"].toObject();
    SessionDocument session;
    session.input = absolute(input["path"].toString(), folder);
    session.name = input["computed"].toString();
    session.hash = input["hash"].toString();
    session.choice = {input["frame"].toInt(), input["series"].toString(), input["as"].toString() == "f32"};
    session.family = whole["family"].toString();
    session.current = whole["current"].toString();
    session.baseline = whole["baseline"].toString();
    session.reference = whole["reference"].toString();
    session.device = whole["device"].toString();
    session.halos = whole["halos"].toString();
    session.page = whole["page"].toString();
    session.view = whole["view"].toObject();
    session.mask = absolute(whole["mask"].toString(), folder);
    if (whole.contains("recipe")) readRecipe(whole["recipe"].toObject(), path, folder, session);
    const QJsonObject families = whole["families"].toObject();
    for (auto at = families.begin(); at != families.end(); ++at) {
        SessionDocument::Family& family = session.families[at.key().toStdString()];
        const QJsonObject entry = at.value().toObject(), values = entry["values"].toObject();
        for (auto value = values.begin(); value != values.end(); ++value) {
            const QString text = value.value().toString();
            family.values[value.key().toStdString()] =
                text.startsWith(kFile) ? kFile + absolute(text.mid(kFile.size()), folder) : text;
        }
        for (const QJsonValue& id : entry["variants"].toArray()) family.variants << id.toString();
        for (const QJsonValue& id : entry["rows"].toArray()) family.rows << id.toString();
        for (const QJsonValue& file : entry["kernels"].toArray()) family.kernels << absolute(file.toString(), folder);
    }
    for (const QJsonValue& entry : whole["snapshots"].toArray()) {
        KeptSnapshot snapshot = parseSnapshot(entry.toObject());
        snapshot.path = absolute(snapshot.path, folder);
        session.snapshots.push_back(snapshot);
    }
    if (session.family.isEmpty()) refuse(path, QStringLiteral("no session: \"family\" is missing; open another file."));
    return session;
}

}  // namespace warplens::gui
