// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/variant.hpp"

#include <QObject>
#include <QString>
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

}  // namespace warplens::gui
