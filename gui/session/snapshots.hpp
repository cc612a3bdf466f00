// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/variant.hpp"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// A result as it was, to flip to, to wipe against and to subtract later.
struct Snapshot {
    QString key;     ///< "snapshot-3"; never used twice
    QString title;   ///< "Snapshot 3: naive"
    QString detail;  ///< the picture and the values that made it: "camera.png, radius 4"
    gpu::Idea idea = gpu::Idea::plain;
    gpu::RunRecord record;  ///< with its picture
};

/// The snapshots, the oldest first. When there are kMost, the oldest that is not spared leaves for a new one.
class Snapshots : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 10;

    using QObject::QObject;
    /// Keeps a record with a picture; `spared` is the key of one that must stay, or empty.
    const Snapshot& add(const gpu::RunRecord& record, const gpu::Variant& variant, const QString& detail,
                        const std::string& spared);
    /// Those of a session take the place of all; the newest kMost, the oldest first. Later keys follow theirs.
    void replace(std::vector<Snapshot> all);
    const std::vector<Snapshot>& all() const { return m_all; }
    /// Null when there is none of that key.
    const Snapshot* find(const std::string& key) const;

    /// "snapshot-3" of 3, and back; 0 of what is no key.
    static QString keyOf(int number);
    static int numberOf(const QString& key);
    /// "Snapshot 3: naive"
    static QString titleOf(int number, const std::string& variant);

signals:
    void changed();

private:
    std::vector<Snapshot> m_all;
    int m_taken = 0;
};

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
