// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/snapshots.hpp"

#include <QJsonObject>
#include <QString>
#include <memory>
#include <optional>

namespace warplens::gui {

/// A snapshot as a session's file has it: what it is, how it was checked, and where its picture lies. Times are not
/// kept: they belong to the run that was.
struct KeptSnapshot {
    QString key;               ///< "snapshot-3"
    QString family, variant;   ///< that made it
    QString madeOf;            ///< input and values, in words
    QString path;              ///< of the picture; empty until it is written
    QString hash;              ///< contentHash() of the picture, or empty until it is written
    QString status, reason;    ///< "ok", or "wrong" and why
    QJsonObject verification;  ///< empty: not verified
    bool operator==(const KeptSnapshot&) const = default;
};

QJsonObject toJson(const KeptSnapshot& snapshot);
/// Reads toJson() back; what lacks is empty.
KeptSnapshot parseSnapshot(const QJsonObject& json);

/// Without path and hash.
KeptSnapshot keptOf(const Snapshot& snapshot);
/// Nothing, and `why` says so, when this version knows no such family or variant.
std::optional<Snapshot> restored(const KeptSnapshot& kept, std::shared_ptr<const io::Grid> picture, QString* why);

}  // namespace warplens::gui
