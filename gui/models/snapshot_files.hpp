// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/kept_snapshot.hpp"

#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

namespace warplens::gui {

/// contentHash() of pictures whose snapshots are there.
using SnapshotHashes = std::map<std::shared_ptr<const io::Grid>, QString>;

/// What a session's snapshots were read as.
struct ReadSnapshots {
    std::vector<Snapshot> snapshots;
    SnapshotHashes hashes;
    QStringList missing;  ///< what was left out and why, a sentence each
};

/// Writes the pictures beside the session `path`, each under a name with its hash, so that what an earlier session
/// names is never written over; where `trusting`, a file of that name is taken for it. Hashes that lack are computed,
/// those of others forgotten. Throws io::Error.
std::vector<KeptSnapshot> writeSnapshots(const std::vector<Snapshot>& snapshots, const QString& path,
                                         SnapshotHashes& hashes, bool trusting);

/// Removes the snapshots' pictures beside the session `path` that are not among `kept`.
void removeSnapshots(const QString& path, const std::vector<KeptSnapshot>& kept);

/// Reads the pictures; one that lacks or has another hash is left out.
ReadSnapshots readSnapshots(const std::vector<KeptSnapshot>& kept);

}  // namespace warplens::gui
