// SPDX-License-Identifier: Apache-2.0
#include "gui/window/variant_commands.hpp"

#include "gui/compare/results_panel.hpp"
#include "gui/compare/run_table.hpp"
#include "gui/request/launch_fields.hpp"
#include "gui/request/variant_list.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/visible_variants.hpp"
#include "gui/why/why_model.hpp"
#include "gui/window/actions.hpp"

#include <QAction>
#include <QObject>
#include <QSettings>
#include <string>

namespace warplens::gui {

namespace {

/// A variant again with other launch parameters, as a row of its own; other parameters for such a row; its removal. All
/// about the current row.
class VariantCommands : public QObject {
public:
    /// `list` offers them in its context menu, and is where launch parameters are typed; `showList` makes it seen.
    VariantCommands(const Actions& actions, RequestState& request, VisibleVariants& lookedAt, VariantList* list,
                    const std::function<void()>& showList)
        : QObject(list), m_request(request), m_lookedAt(lookedAt) {
        list->setContextMenuPolicy(Qt::ActionsContextMenu);
        list->addActions({actions.duplicateVariant, actions.changeVariant, actions.removeVariant});
        const auto edits = [list, showList](bool instead) {
            return [list, showList, instead] {
                showList();
                list->edit(instead);
            };
        };
        connect(actions.duplicateVariant, &QAction::triggered, this, edits(false));
        connect(actions.changeVariant, &QAction::triggered, this, edits(true));
        const auto takes = [this, list](bool instead) {
            return [this, list, instead](const std::string& id) {
                take(id, instead ? m_request.current() : std::string());
                list->setFocus();
            };
        };
        connect(list->fields(), &LaunchFields::besideWanted, this, takes(false));
        connect(list->fields(), &LaunchFields::insteadWanted, this, takes(true));
        connect(actions.removeVariant, &QAction::triggered, this, [this] {
            const bool yours = m_request.variants().kernel(m_request.current()) != nullptr;
            replace(m_request.current(),
                    yours ? m_request.variants().variant(0)->id : gpu::variantIn(m_request.current()));
        });
        const auto refresh = [this, duplicate = actions.duplicateVariant, change = actions.changeVariant,
                              remove = actions.removeVariant] {
            const gpu::Variant* row = m_request.currentVariant();
            const bool added = row != nullptr && row->id != gpu::variantIn(row->id);
            const bool yours = row != nullptr && m_request.variants().kernel(row->id) != nullptr;
            duplicate->setEnabled(row != nullptr && !row->tunables.empty() && !yours);
            change->setEnabled(added);
            remove->setEnabled(added || yours);
        };
        connect(&request, &RequestState::taskChanged, this, refresh);
        refresh();
    }

private:
    /// Adds a row; in the place of another one where that is named.
    void take(const std::string& id, const std::string& instead) {
        m_request.variants().add(id);
        if (!instead.empty()) replace(instead, id);
        m_request.setCurrent(id);
    }

    /// Whoever was about `old` is about `now` from here on; `old` leaves the list.
    /// `old` by value: it may be the current one, which changes here.
    void replace(std::string old, const std::string& now) {
        if (m_request.current() == old) m_request.setCurrent(now);
        if (m_request.baseline() == old) m_request.setBaseline(now);
        if (m_lookedAt.reference() == old) m_lookedAt.setReference(now);
        m_request.variants().remove(old);
    }

    RequestState& m_request;
    VisibleVariants& m_lookedAt;
};

}  // namespace

void wireVariants(const Actions& actions, RequestState& request, VisibleVariants& lookedAt, VariantList* list,
                  const std::function<void()>& showList) {
    new VariantCommands(actions, request, lookedAt, list, showList);
}

void wireTimes(const Actions& actions, ResultsPanel* panel, WhyModel& why, QSettings& settings) {
    auto* table = panel->findChild<RunTable*>();
    offerColumns(settings, table, actions.columns);
    QObject::connect(actions.allStages, &QAction::triggered, panel, &ResultsPanel::setStages);
    QObject::connect(panel, &ResultsPanel::stagesChanged, actions.allStages, &QAction::setChecked);
    QObject::connect(&why, &WhyModel::countsChanged, panel, [panel, &why] {
        panel->setCounts([&why](const std::string& variant) { return why.counters(variant); });
    });
}

}  // namespace warplens::gui
