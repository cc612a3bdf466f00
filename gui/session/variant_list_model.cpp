// SPDX-License-Identifier: Apache-2.0
#include "gui/session/variant_list_model.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/user/row_kernel.hpp"
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
    for (const OwnKernel& own : kernelsOf(*m_family))
        m_rows.push_back(&m_made.at({m_family, own.kernel->variant().id}));
    std::erase_if(m_checked, [this](const std::string& id) { return rowOf(id) < 0; });
}

void VariantListModel::rearrange(const std::function<void()>& change) {
    beginResetModel();
    change();
    arrange();
    endResetModel();
    emit checkedChanged();
}

std::string VariantListModel::addKernel(const std::string& path, const std::string& text, bool saved) {
    if (!m_maker) throw gpu::Error(gpu::Error::Kind::unsupported, "this build runs no kernels of yours");
    const auto kernel = m_maker(path, text);
    const std::string id = kernel->variant().id;
    const auto& ladder = m_family->variants();
    if (std::ranges::find(ladder, id, &gpu::Variant::id) != ladder.end())
        throw gpu::Error(gpu::Error::Kind::argument,
                         id + " is a variant of " + m_family->id() + ": save the kernel under another name");
    rearrange([&] {
        // Whoever points to the row still does.
        m_made[{m_family, id}] = kernel->variant();
        m_checked.insert(id);
        std::vector<OwnKernel>& all = m_kernels[m_family];
        const auto same = [&](const OwnKernel& own) { return own.kernel->variant().id == id; };
        const auto at = std::ranges::find_if(all, same);
        OwnKernel own{gpu::user::asRow(kernel), saved ? path : std::string()};
        if (at == all.end())
            all.push_back(std::move(own));
        else if (at->kernel->source() == text)
            at->path = own.path;  // its result holds
        else
            *at = std::move(own);
    });
    return id;
}

const OwnKernel* VariantListModel::kernel(const std::string& id) const {
    if (m_family == nullptr) return nullptr;
    const auto& all = kernelsOf(*m_family);
    const auto at = std::ranges::find_if(all, [&](const OwnKernel& own) { return own.kernel->variant().id == id; });
    return at == all.end() ? nullptr : &*at;
}

const std::vector<OwnKernel>& VariantListModel::kernelsOf(const gpu::Family& family) const {
    static const std::vector<OwnKernel> none;
    const auto at = m_kernels.find(&family);
    return at == m_kernels.end() ? none : at->second;
}

void VariantListModel::removeKernels() {
    if (!kernelsOf(*m_family).empty()) rearrange([this] { m_kernels.erase(m_family); });
}

KernelPaths VariantListModel::kernelPaths() const {
    KernelPaths paths;
    if (m_family != nullptr)
        for (const OwnKernel& own : kernelsOf(*m_family)) paths[own.kernel->variant().id] = own.path;
    return paths;
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
    rearrange([&] { m_added[m_family] = std::move(good); });
}

void VariantListModel::add(const std::string& text) {
    const std::string id = gpu::parseRunSpec(*m_family, text).id();
    m_checked.insert(id);
    std::vector<std::string> ids = m_added[m_family];
    ids.push_back(id);
    rearrange([&] {
        if (rowOf(id) < 0) m_added[m_family] = std::move(ids);
    });
}

void VariantListModel::remove(const std::string& id) {
    std::vector<std::string> ids = m_added[m_family];
    if (std::erase(ids, id) > 0) return setAdded(ids);
    if (kernel(id) == nullptr) return;
    rearrange([&] {
        std::erase_if(m_kernels[m_family], [&](const OwnKernel& own) { return own.kernel->variant().id == id; });
    });
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
        case SentenceRole: {
            const QString sentence = QString::fromStdString(v->sentence);
            if (kernel(v->id) == nullptr) return sentence;
            return sentence.isEmpty() ? tr("yours") : tr("yours: %1").arg(sentence);
        }
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
