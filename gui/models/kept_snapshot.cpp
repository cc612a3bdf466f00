// SPDX-License-Identifier: Apache-2.0
#include "gui/models/kept_snapshot.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

QJsonObject toJson(const gpu::Verification& check) {
    QJsonObject json{{"bound", check.bound},
                     {"checked_share", check.checkedShare},
                     {"mismatches", static_cast<qint64>(check.mismatches)}};
    // JSON knows no infinity: an error beyond all bounds has no number.
    if (std::isfinite(check.maxAbsError)) json["max_abs_error"] = check.maxAbsError;
    if (!check.firstMismatch.empty()) json["first_mismatch"] = QString::fromStdString(check.firstMismatch);
    if (!check.note.empty()) json["note"] = QString::fromStdString(check.note);
    return json;
}

gpu::Verification parseVerification(const QJsonObject& json) {
    return {json["max_abs_error"].toDouble(std::numeric_limits<double>::infinity()),
            json["bound"].toDouble(),
            json["checked_share"].toDouble(),
            json["mismatches"].toInteger(),
            json["first_mismatch"].toString().toStdString(),
            json["note"].toString().toStdString()};
}

}  // namespace

QJsonObject toJson(const KeptSnapshot& snapshot) {
    QJsonObject json{{"key", snapshot.key},        {"family", snapshot.family}, {"variant", snapshot.variant},
                     {"made_of", snapshot.madeOf}, {"picture", snapshot.path},  {"hash", snapshot.hash},
                     {"status", snapshot.status}};
    if (!snapshot.reason.isEmpty()) json["reason"] = snapshot.reason;
    if (!snapshot.verification.isEmpty()) json["verification"] = snapshot.verification;
    return json;
}

KeptSnapshot parseSnapshot(const QJsonObject& json) {
    return {.key = json["key"].toString(),
            .family = json["family"].toString(),
            .variant = json["variant"].toString(),
            .madeOf = json["made_of"].toString(),
            .path = json["picture"].toString(),
            .hash = json["hash"].toString(),
            .status = json["status"].toString(),
            .reason = json["reason"].toString(),
            .verification = json["verification"].toObject()};
}

KeptSnapshot keptOf(const Snapshot& snapshot) {
    const gpu::RunRecord& record = snapshot.record;
    return {.key = snapshot.key,
            .family = QString::fromStdString(record.family),
            .variant = QString::fromStdString(record.id()),
            .madeOf = snapshot.detail,
            .path = {},
            .hash = {},
            .status = QString::fromUtf8(gpu::nameOf(record.status)),
            .reason = QString::fromStdString(record.reason),
            .verification = record.verification ? toJson(*record.verification) : QJsonObject()};
}

std::optional<Snapshot> restored(const KeptSnapshot& kept, std::shared_ptr<const io::Grid> picture, QString* why) {
    const std::string id = kept.variant.toStdString();
    const gpu::Variant* variant = nullptr;
    for (const gpu::Family* family : gpu::families())
        if (family->id() == kept.family.toStdString()) {
            const auto& all = family->variants();
            const auto at = std::ranges::find(all, gpu::variantIn(id), &gpu::Variant::id);
            if (at != all.end()) variant = &*at;
        }
    const int number = Snapshots::numberOf(kept.key);
    gpu::TunableValues chosen;
    try {
        chosen = gpu::parseRunKey(id).chosen;
    } catch (const gpu::Error&) {
        variant = nullptr;
    }
    if (variant == nullptr || number == 0) {
        *why =
            Snapshots::tr("%1 is left out: this version knows no %2 of %3.").arg(kept.key, kept.variant, kept.family);
        return std::nullopt;
    }
    Snapshot snapshot{kept.key, Snapshots::titleOf(number, id), kept.madeOf, variant->idea, {}};
    snapshot.record.family = kept.family.toStdString();
    snapshot.record.variant = variant->id;
    snapshot.record.chosen = chosen;
    snapshot.record.kind = variant->kind;
    snapshot.record.status = kept.status == QLatin1String("ok") ? gpu::Status::ok : gpu::Status::wrong;
    snapshot.record.reason = kept.reason.toStdString();
    if (!kept.verification.isEmpty()) snapshot.record.verification = parseVerification(kept.verification);
    snapshot.record.result.picture = std::move(picture);
    return snapshot;
}

}  // namespace warplens::gui
