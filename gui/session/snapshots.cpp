// SPDX-License-Identifier: Apache-2.0
#include "gui/session/snapshots.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/report/report.hpp"
#include "io/error.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace warplens::gui {

namespace {

const QString kPrefix = QStringLiteral("snapshot-");

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

QString hashOf(const io::Grid& grid) { return QString::fromStdString(gpu::contentHash(grid)); }

/// "s.warplens.snapshot-3-1a2b3c4d.npy"; a volume lies in space, of which NPY knows nothing.
QString pictureBeside(const QString& session, const KeptSnapshot& kept, bool volume) {
    return session + '.' + kept.key + '-' + kept.hash.right(8) +
           (volume ? QStringLiteral(".nrrd") : QStringLiteral(".npy"));
}

}  // namespace

const Snapshot& Snapshots::add(const gpu::RunRecord& record, const gpu::Variant& variant, const QString& detail,
                               const std::string& spared) {
    if (std::ssize(m_all) == kMost)
        m_all.erase(std::ranges::find_if(m_all, [&](const Snapshot& s) { return s.key.toStdString() != spared; }));
    ++m_taken;
    m_all.push_back({keyOf(m_taken), titleOf(m_taken, record.id()), detail, variant.idea, record});
    emit changed();
    return m_all.back();
}

void Snapshots::replace(std::vector<Snapshot> all) {
    if (all.empty() && m_all.empty()) return;
    if (std::ssize(all) > kMost) all.erase(all.begin(), all.end() - kMost);
    m_all = std::move(all);
    for (const Snapshot& snapshot : m_all) m_taken = std::max(m_taken, numberOf(snapshot.key));
    emit changed();
}

QString Snapshots::keyOf(int number) { return kPrefix + QString::number(number); }

int Snapshots::numberOf(const QString& key) {
    return key.startsWith(kPrefix) ? std::max(key.mid(kPrefix.size()).toInt(), 0) : 0;
}

QString Snapshots::titleOf(int number, const std::string& variant) {
    return tr("Snapshot %1: %2").arg(number).arg(QString::fromStdString(variant));
}

const Snapshot* Snapshots::find(const std::string& key) const {
    const auto at = std::ranges::find_if(m_all, [&](const Snapshot& s) { return s.key.toStdString() == key; });
    return at == m_all.end() ? nullptr : &*at;
}

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

std::vector<KeptSnapshot> writeSnapshots(const std::vector<Snapshot>& snapshots, const QString& path,
                                         SnapshotHashes& hashes, bool trusting) {
    std::vector<KeptSnapshot> kept;
    SnapshotHashes present;
    for (const Snapshot& snapshot : snapshots) {
        const auto& picture = snapshot.record.result.picture;
        const auto known = hashes.find(picture);
        const QString hash = known != hashes.end() ? known->second : hashOf(*picture);
        present[picture] = hash;
        KeptSnapshot one = keptOf(snapshot);
        one.hash = hash;
        one.path = pictureBeside(path, one, picture->shape().depth > 1);
        if (!trusting || !QFile::exists(one.path)) io::write(*picture, std::filesystem::path(one.path.toStdString()));
        kept.push_back(one);
    }
    hashes = std::move(present);
    return kept;
}

void removeSnapshots(const QString& path, const std::vector<KeptSnapshot>& kept) {
    const QFileInfo file(path);
    const QRegularExpression ours('^' + QRegularExpression::escape(file.fileName()) +
                                  QStringLiteral("\\.snapshot-\\d+-[0-9a-f]{8}\\.(npy|nrrd)$"));
    for (const QString& name : QDir(file.absolutePath()).entryList(QDir::Files)) {
        const auto same = [&](const KeptSnapshot& one) { return QFileInfo(one.path).fileName() == name; };
        if (ours.match(name).hasMatch() && std::ranges::none_of(kept, same))
            QFile::remove(file.absoluteDir().filePath(name));
    }
}

ReadSnapshots readSnapshots(const std::vector<KeptSnapshot>& kept) {
    ReadSnapshots read;
    for (const KeptSnapshot& one : kept) {
        try {
            const auto picture = std::make_shared<const io::Grid>(io::read(one.path.toStdString()));
            if (hashOf(*picture) != one.hash) {
                read.missing << Snapshots::tr("%1 is left out: %2 has changed since the session was saved.")
                                    .arg(one.key, one.path);
                continue;
            }
            QString why;
            if (std::optional<Snapshot> snapshot = restored(one, picture, &why)) {
                read.hashes[picture] = one.hash;
                read.snapshots.push_back(std::move(*snapshot));
            } else {
                read.missing << why;
            }
        } catch (const io::Error& error) {
            read.missing << Snapshots::tr("%1 is left out: %2").arg(one.key, QString::fromUtf8(error.what()));
        }
    }
    return read;
}

}  // namespace warplens::gui
