// SPDX-License-Identifier: Apache-2.0
#include "gui/models/snapshots.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {
const QString kPrefix = QStringLiteral("snapshot-");
}

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

}  // namespace warplens::gui
