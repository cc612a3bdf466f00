// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <QAbstractListModel>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplens::gui {

/// A family's ladder as a checkable list: which variants a comparison runs.
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

    const gpu::Variant* variant(int row) const;
    /// Row of an id, or -1.
    int rowOf(const std::string& id) const;
    /// In ladder order.
    std::vector<std::string> checked() const;
    /// Of any family, whether it is shown or was left.
    std::set<std::string> checkedOf(const gpu::Family& family) const;
    /// Checks these and no others; ids that the family lacks are ignored.
    void setChecked(const std::set<std::string>& ids);
    int checkedCount() const { return static_cast<int>(m_checked.size()); }
    /// Puts ideas into tooltips (narrow windows) or below the names.
    void setIdeasInTooltips(bool on);
    bool ideasInTooltips() const { return m_ideasInTooltips; }

signals:
    void checkedChanged();

private:
    const gpu::Family* m_family = nullptr;
    std::set<std::string> m_checked;
    std::map<const gpu::Family*, std::set<std::string>> m_left;  ///< what is checked in the other families
    bool m_ideasInTooltips = false;
};

}  // namespace warplens::gui
