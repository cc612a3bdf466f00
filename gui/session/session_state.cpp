// SPDX-License-Identifier: Apache-2.0
#include "gui/session/session_state.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/session/history.hpp"
#include "gui/session/reference_model.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <set>

namespace warplens::gui {

namespace {

/// A value that is a path starts so, because other values never do.
const QString kFile = QStringLiteral("file:");

const gpu::Family* familyNamed(const QString& id) {
    const auto& families = gpu::families();
    const auto at = std::ranges::find_if(families, [&](const gpu::Family* f) { return f->id() == id.toStdString(); });
    return at == families.end() ? nullptr : *at;
}

/// Files with kernels of the user's; what cannot be had, a sentence each.
QStringList takeKernels(const QStringList& paths, VariantListModel& variants) {
    constexpr std::int64_t kMostBytes = 1 << 20;
    QStringList missing;
    variants.removeKernels();
    for (const QString& path : paths) {
        try {
            variants.addKernel(path.toStdString(), io::readText(path.toStdString(), kMostBytes), true);
        } catch (const std::exception& error) {
            missing << QString::fromUtf8(error.what());
        }
    }
    return missing;
}

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

const Document::State& keptPicture(CompareSession& session) {
    return session.recipe().storable() ? session.recipe().place()->origin : session.document().state();
}

SessionDocument capture(CompareSession& session) {
    SessionDocument document;
    const Document::State& state = keptPicture(session);
    if (session.recipe().storable()) {
        document.recipe = session.recipe().place()->recipe;
        document.at = static_cast<int>(session.recipe().place()->at);
    }
    document.input = state.input;
    document.choice = state.choice;
    if (state.derived) document.name = state.input;
    document.family = QString::fromStdString(session.parameters().family()->id());
    document.current =
        QString::fromStdString(session.request().standsIn() ? session.request().chosen() : session.request().current());
    document.baseline = QString::fromStdString(session.request().baseline());
    document.reference = QString::fromStdString(session.lookedAt().reference());
    if (session.devices().chosen() != nullptr) document.device = QString::fromStdString(session.devices().names());
    if (const auto way = session.devices().halos(); way != gpu::HaloExchangeMode::overlapped)
        document.halos = gpu::nameOf(way);
    for (const gpu::Family* family : gpu::families()) {
        SessionDocument::Family& kept = document.families[family->id()];
        for (const auto& [id, value] : session.parameters().valuesOf(*family)) {
            if (value == gpu::valueOf(family->parameters(), {}, id)) continue;
            const auto* named = std::get_if<std::shared_ptr<const gpu::NamedGrid>>(&value);
            const bool picture = named != nullptr;
            if (picture && *named != nullptr && (*named)->name == Mask::kName) continue;  // kept once for all
            kept.values[id] = (picture ? kFile : QString()) + QString::fromStdString(gpu::format(value));
        }
        for (const std::string& id : session.variants().checkedOf(*family)) kept.variants << QString::fromStdString(id);
        for (const std::string& id : session.variants().addedTo(*family)) kept.rows << QString::fromStdString(id);
        for (const OwnKernel& own : session.variants().kernelsOf(*family))
            if (!own.path.empty()) kept.kernels << QString::fromStdString(own.path);
    }
    // Until it is written it has no file, but each change is one.
    if (!session.mask().empty()) document.mask = QString::number(session.mask().revision());
    for (const Snapshot& snapshot : session.snapshots().all()) document.snapshots.push_back(keptOf(snapshot));
    return document;
}

QStringList apply(const SessionDocument& document, CompareSession& session) {
    QStringList missing;
    const gpu::Family* last = familyNamed(document.family);
    if (last == nullptr) return {QObject::tr("There is no family %1 in this version.").arg(document.family)};
    std::vector<const gpu::Family*> order;
    for (const gpu::Family* family : gpu::families())
        if (family != last && document.families.contains(family->id())) order.push_back(family);
    order.push_back(last);
    session.request().change([&] {
        for (const gpu::Family* family : order) {
            session.request().setFamily(*family);
            ParameterState& parameters = session.parameters();
            const auto at = document.families.find(family->id());
            if (at == document.families.end()) continue;
            for (const gpu::Parameter& parameter : family->parameters()) {
                const auto value = at->second.values.find(parameter.id);
                QString why;
                if (value == at->second.values.end())
                    parameters.set(parameter.id, parameter.fallback);
                else if (value->second.startsWith(kFile))
                    session.inputs().openParameter(parameter.id, value->second.mid(kFile.size()));
                else if (!parameters.setText(parameter.id, value->second, &why))
                    missing << why;
            }
            std::vector<std::string> rows;
            for (const QString& id : at->second.rows) {
                rows.push_back(id.toStdString());
                try {
                    gpu::parseRunSpec(*family, rows.back());
                } catch (const gpu::Error& error) {
                    missing << QString::fromStdString(error.what());
                }
            }
            session.variants().setAdded(rows);
            missing += takeKernels(at->second.kernels, session.variants());
            std::set<std::string> checked;
            for (const QString& id : at->second.variants) checked.insert(id.toStdString());
            session.variants().setChecked(checked);
        }
        session.devices().setHalos(
            gpu::haloWayOf(document.halos.toStdString()).value_or(gpu::HaloExchangeMode::overlapped));
        const auto& devices = session.devices().list().devices;
        if (session.devices().there(document.device.toStdString()))
            session.devices().choose(document.device.toStdString());
        else if (!document.device.isEmpty() && !devices.empty())
            missing << QObject::tr("There is no device %1 here; %2 is used.")
                           .arg(document.device, QString::fromStdString(devices.front().id));
        session.request().setCurrent(document.current.toStdString());
        if (session.variants().variant(document.baseline.toStdString()) != nullptr)
            session.request().setBaseline(document.baseline.toStdString());
    });
    const std::string reference = document.reference.toStdString();
    const bool known = session.variants().variant(reference) != nullptr || reference == kExactKey.toStdString() ||
                       session.snapshots().find(reference) != nullptr;
    session.lookedAt().setReference(known ? reference : "input");
    session.history().stack().clear();
    if (!document.recipe.steps.empty())
        session.recipe().take(document.recipe, static_cast<std::size_t>(std::max(document.at, 0)));
    return missing;
}

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
