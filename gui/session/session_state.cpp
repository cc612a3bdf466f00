// SPDX-License-Identifier: Apache-2.0
#include "gui/session/session_state.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/session/history.hpp"
#include "gui/session/reference_model.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <set>

namespace warplens::gui {

namespace {

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

}  // namespace warplens::gui
