// SPDX-License-Identifier: Apache-2.0
#include "gui/models/snapshot_files.hpp"

#include "gpu/report/report.hpp"
#include "io/error.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <filesystem>

namespace warplens::gui {

namespace {

QString hashOf(const io::Grid& grid) { return QString::fromStdString(gpu::contentHash(grid)); }

/// "s.warplens.snapshot-3-1a2b3c4d.npy"; a volume lies in space, of which NPY knows nothing.
QString pictureBeside(const QString& session, const KeptSnapshot& kept, bool volume) {
    return session + '.' + kept.key + '-' + kept.hash.right(8) +
           (volume ? QStringLiteral(".nrrd") : QStringLiteral(".npy"));
}

}  // namespace

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
