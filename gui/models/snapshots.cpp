// SPDX-License-Identifier: Apache-2.0
#include "gui/models/snapshots.hpp"

#include <algorithm>

namespace warplens::gui {

const Snapshot& Snapshots::add(const gpu::RunRecord& record, const gpu::Variant& variant, const QString& detail,
                               const std::string& spared) {
    if (std::ssize(m_all) == kMost)
        m_all.erase(std::ranges::find_if(m_all, [&](const Snapshot& s) { return s.key.toStdString() != spared; }));
    ++m_taken;
    m_all.push_back({QStringLiteral("snapshot-%1").arg(m_taken),
                     tr("Snapshot %1: %2").arg(m_taken).arg(QString::fromStdString(variant.id)), detail, variant.idea,
                     record});
    emit changed();
    return m_all.back();
}

const Snapshot* Snapshots::find(const std::string& key) const {
    const auto at = std::ranges::find_if(m_all, [&](const Snapshot& s) { return s.key.toStdString() == key; });
    return at == m_all.end() ? nullptr : &*at;
}

}  // namespace warplens::gui
