// SPDX-License-Identifier: Apache-2.0
#include "gui/session/variant_list_model.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <algorithm>
#include <iterator>

namespace warplens::gui {

namespace {

/// The ladder without what runs only where it is named.
std::set<std::string> usual(const gpu::Family& family) {
    std::set<std::string> ids;
    for (const gpu::Variant& variant : family.variants())
        if (!gpu::isExplicitOnly(variant)) ids.insert(variant.id);
    return ids;
}

}  // namespace

void VariantListModel::setFamily(const gpu::Family& family) {
    beginResetModel();
    if (m_family != nullptr) m_left[m_family] = std::move(m_checked);
    m_family = &family;
    m_checked.clear();
    if (const auto left = m_left.find(&family); left != m_left.end())
        m_checked = left->second;
    else
        m_checked = usual(family);
    arrange();
    endResetModel();
    emit checkedChanged();
}

void VariantListModel::arrange() {
    std::vector<const gpu::Variant*> added;
    for (const std::string& id : m_added[m_family]) {
        const auto made = m_made.try_emplace({m_family, id}).first;
        gpu::Variant& row = made->second;
        if (row.id.empty()) {
            row = *gpu::parseRunSpec(*m_family, id).variant;
            row.title += QStringLiteral(" %1").arg(QString::fromStdString(id.substr(row.id.size()))).toStdString();
            row.id = id;
        }
        added.push_back(&row);
    }
    m_rows.clear();
    for (const gpu::Variant& variant : m_family->variants()) {
        m_rows.push_back(&variant);
        std::ranges::copy_if(added, std::back_inserter(m_rows),
                             [&](const gpu::Variant* row) { return gpu::variantIn(row->id) == variant.id; });
    }
    std::erase_if(m_checked, [this](const std::string& id) { return rowOf(id) < 0; });
}

void VariantListModel::setAdded(const std::vector<std::string>& ids) {
    std::vector<std::string> good;
    for (const std::string& id : ids) {
        try {
            const gpu::RunSpec run = gpu::parseRunSpec(*m_family, id);
            const bool known = std::ranges::find(good, run.id()) != good.end();
            if (!run.chosen.empty() && !known) good.push_back(run.id());
        } catch (const gpu::Error&) {  // of another version
        }
    }
    beginResetModel();
    m_added[m_family] = std::move(good);
    arrange();
    endResetModel();
    emit checkedChanged();
}

void VariantListModel::add(const std::string& text) {
    const std::string id = gpu::parseRunSpec(*m_family, text).id();
    m_checked.insert(id);
    std::vector<std::string> ids = m_added[m_family];
    ids.push_back(id);
    beginResetModel();
    if (rowOf(id) < 0) m_added[m_family] = std::move(ids);
    arrange();
    endResetModel();
    emit checkedChanged();
}

void VariantListModel::remove(const std::string& id) {
    std::vector<std::string> ids = m_added[m_family];
    if (std::erase(ids, id) > 0) setAdded(ids);
}

std::vector<std::string> VariantListModel::addedTo(const gpu::Family& family) const {
    const auto at = m_added.find(&family);
    return at == m_added.end() ? std::vector<std::string>() : at->second;
}

int VariantListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant VariantListModel::data(const QModelIndex& index, int role) const {
    const gpu::Variant* v = index.isValid() ? variant(index.row()) : nullptr;
    if (v == nullptr) return {};
    switch (role) {
        case Qt::DisplayRole: return QString::fromStdString(v->id);
        case Qt::DecorationRole: return ideaIcon(v->idea);
        case Qt::CheckStateRole: return m_checked.contains(v->id) ? Qt::Checked : Qt::Unchecked;
        case Qt::AccessibleTextRole: return QString::fromStdString(v->id + ": " + v->sentence);
        case Qt::ToolTipRole: {
            QString tip = QString::fromStdString(v->title + ": " + v->sentence);
            if (!v->range.empty()) tip += '\n' + tr("Supports %1").arg(QString::fromStdString(v->range));
            if (!v->citation.empty()) tip += '\n' + QString::fromStdString(v->citation);
            return tip;
        }
        case IdRole: return QString::fromStdString(v->id);
        case IdeaRole: return static_cast<int>(v->idea);
        case SentenceRole: return QString::fromStdString(v->sentence);
        default: return {};
    }
}

std::set<std::string> VariantListModel::checkedOf(const gpu::Family& family) const {
    if (&family == m_family) return m_checked;
    if (const auto left = m_left.find(&family); left != m_left.end()) return left->second;
    return usual(family);
}

void VariantListModel::setChecked(const std::set<std::string>& ids) {
    m_checked.clear();
    for (const gpu::Variant* row : m_rows)
        if (ids.contains(row->id)) m_checked.insert(row->id);
    emit dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
    emit checkedChanged();
}

bool VariantListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const gpu::Variant* v = index.isValid() ? variant(index.row()) : nullptr;
    if (v == nullptr || role != Qt::CheckStateRole) return false;
    if (value.toInt() == Qt::Checked)
        m_checked.insert(v->id);
    else
        m_checked.erase(v->id);
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit checkedChanged();
    return true;
}

Qt::ItemFlags VariantListModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
}

const gpu::Variant* VariantListModel::variant(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int VariantListModel::rowOf(const std::string& id) const {
    for (int row = 0; row < rowCount(); ++row)
        if (variant(row)->id == id) return row;
    return -1;
}

std::vector<std::string> VariantListModel::checked() const {
    std::vector<std::string> ids;
    for (int row = 0; row < rowCount(); ++row)
        if (m_checked.contains(variant(row)->id)) ids.push_back(variant(row)->id);
    return ids;
}

void VariantListModel::checkAll() {
    std::set<std::string> ids = m_checked;
    for (const gpu::Variant* row : m_rows)
        if (!gpu::isExplicitOnly(*row)) ids.insert(row->id);
    setChecked(ids);
}

void VariantListModel::setIdeasInTooltips(bool on) {
    if (m_ideasInTooltips == on) return;
    m_ideasInTooltips = on;
    emit layoutChanged();
}

}  // namespace warplens::gui
