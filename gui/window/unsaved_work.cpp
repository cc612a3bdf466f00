// SPDX-License-Identifier: Apache-2.0
#include "gui/window/unsaved_work.hpp"

#include "gui/session/compare_session.hpp"
#include "gui/window/session_keeper.hpp"

#include <QStringList>

namespace warplens::gui {

UnsavedWork::UnsavedWork(CompareSession& session, SessionKeeper& keeper, QObject* parent)
    : QObject(parent), m_session(session) {
    connect(&keeper, &SessionKeeper::saved, this, &UnsavedWork::giveUp);
    connect(&session.outputs(), &ResultFiles::saved, this, &UnsavedWork::giveUp);
    connect(&keeper, &SessionKeeper::opened, this, [this] { m_opening = true; });
    connect(&session.activity(), &Activity::busyChanged, this, [this] {
        if (m_opening && !m_session.activity().busy()) {
            m_opening = false;
            giveUp();
        }
    });
}

UnsavedWork::State UnsavedWork::now() const {
    State state;
    const RecipePlace* place = m_session.recipe().place();
    // What a recipe makes is computed again; without one the picture itself is what was made.
    if (place != nullptr && m_session.recipe().storable()) state.recipe = place->recipe;
    const Document::State& picture = place != nullptr ? place->origin : m_session.document().state();
    if (picture.derived) state.picture = picture.picture.grid;
    if (!m_session.mask().empty()) state.mask = m_session.mask().revision();
    state.snapshots = m_session.snapshots().all().size();
    return state;
}

bool UnsavedWork::same(const State& a, const State& b) {
    return a.picture.lock() == b.picture.lock() && a.recipe == b.recipe && a.mask == b.mask &&
           a.snapshots == b.snapshots;
}

QString UnsavedWork::what(Before before) const {
    const State state = now();
    if (m_opening || same(state, m_saved)) return {};
    QStringList parts;
    const RecipePlace* place = m_session.recipe().place();
    const bool inFile = place != nullptr && !place->file.isEmpty();
    if (const auto steps = state.recipe.steps.size(); steps > 0 && !inFile)
        parts << (steps == 1 ? tr("a step") : tr("%1 steps").arg(steps));
    if (state.picture.lock() != nullptr && state.picture.lock() != m_saved.picture.lock())
        parts << tr("the picture %1").arg(m_session.document().name());
    if (state.mask != 0 && state.mask != m_saved.mask) parts << tr("what is painted");
    if (before == Before::quit && state.snapshots > 0 && state.snapshots != m_saved.snapshots)
        parts << (state.snapshots == 1 ? tr("a result that is kept")
                                       : tr("%1 results that are kept").arg(state.snapshots));
    return parts.join(QStringLiteral(", "));
}

}  // namespace warplens::gui
