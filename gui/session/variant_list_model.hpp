// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/session/kernel_source.hpp"

#include <QAbstractListModel>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

/// A family's ladder as a checkable list: which runs a comparison makes. A variant may stand in it again with tunables
/// of its own; such a row is a Variant called by its run's id, "tiled@block_width=32", so that whoever shows a row, or
/// asks for it by its id, need not know.
class VariantListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole,
        IdeaRole,      ///< int of gpu::Idea
        SentenceRole,  ///< the idea in a few words
    };

    using QAbstractListModel::QAbstractListModel;
    /// Checked as they were left; at first all.
    void setFamily(const gpu::Family& family);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// Stays what it is, even when its row was removed.
    const gpu::Variant* variant(int row) const;
    const gpu::Variant* variant(const std::string& id) const { return variant(rowOf(id)); }
    /// All rows, in order.
    const std::vector<const gpu::Variant*>& rows() const { return m_rows; }
    /// Adds a checked row below those of its variant; one that is there is only checked. Throws gpu::Error(argument):
    /// no run of the family.
    void add(const std::string& id);
    /// Removes a row that was added, or a kernel of the user's.
    void remove(const std::string& id);

    /// Who makes kernels of texts; empty until it was handed in: then none can be run.
    void setMaker(gpu::KernelMaker maker) { m_maker = std::move(maker); }
    const gpu::KernelMaker& maker() const { return m_maker; }
    /// A checked row for a text below the present family's ladder, in the place of the kernel of that name; `path`
    /// names it, and holds the text where it is `saved`. Returns the row's id. Throws gpu::Error(argument): no kernel
    /// stands there, or a variant of the family is called so.
    std::string addKernel(const std::string& path, const std::string& text, bool saved);
    /// Null: no kernel of the user's.
    const OwnKernel* kernel(const std::string& id) const;
    const std::vector<OwnKernel>& kernelsOf(const gpu::Family& family) const;
    void removeKernels();
    /// Of the present family's.
    KernelPaths kernelPaths() const;
    /// Ids of the rows that were added to a family's ladder.
    std::vector<std::string> addedTo(const gpu::Family& family) const;
    /// Exactly these are the rows added to the present family's ladder; what is no run of it is left out.
    void setAdded(const std::vector<std::string>& ids);
    /// Row of an id, or -1.
    int rowOf(const std::string& id) const;
    /// In ladder order.
    std::vector<std::string> checked() const;
    /// Of any family, whether it is shown or was left.
    std::set<std::string> checkedOf(const gpu::Family& family) const;
    /// Checks these and no others; ids that the family lacks are ignored.
    void setChecked(const std::set<std::string>& ids);
    /// Those that run without being named, besides what is checked.
    void checkAll();
    void checkNone() { setChecked({}); }
    int checkedCount() const { return static_cast<int>(m_checked.size()); }
    /// Puts ideas into tooltips (narrow windows) or below the names.
    void setIdeasInTooltips(bool on);
    bool ideasInTooltips() const { return m_ideasInTooltips; }

signals:
    void checkedChanged();

private:
    void arrange();
    /// Tells all of a change of the rows.
    void rearrange(const std::function<void()>& change);
    const gpu::Family* m_family = nullptr;
    std::vector<const gpu::Variant*> m_rows;
    std::map<const gpu::Family*, std::vector<std::string>> m_added;             ///< ids, in order
    std::map<std::pair<const gpu::Family*, std::string>, gpu::Variant> m_made;  ///< of rows that were ever added
    std::map<const gpu::Family*, std::vector<OwnKernel>> m_kernels;
    gpu::KernelMaker m_maker;
    std::set<std::string> m_checked;
    std::map<const gpu::Family*, std::set<std::string>> m_left;  ///< what is checked in the other families
    bool m_ideasInTooltips = false;
};

}  // namespace warplens::gui
