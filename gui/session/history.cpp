// SPDX-License-Identifier: Apache-2.0
#include "gui/session/history.hpp"

#include "gui/kit/activity.hpp"
#include "gui/session/input_files.hpp"

#include <QElapsedTimer>
#include <QScopedValueRollback>
#include <QUndoCommand>
#include <algorithm>
#include <set>
#include <utility>

namespace warplens::gui {

namespace {
constexpr int kOneValue = 1;
constexpr int kMostLetters = 32;  // menus are as wide as it is

/// Ids of the values that differ, of one family.
std::vector<std::string> differing(const Task& a, const Task& b) {
    std::vector<std::string> ids;
    if (a.family == b.family && a.family != nullptr)
        for (const gpu::Parameter& parameter : a.family->parameters())
            if (!a.sameValue(b, parameter.id)) ids.push_back(parameter.id);
    return ids;
}

bool holdsPicture(const gpu::Parameter::Value& value) {
    return std::holds_alternative<std::shared_ptr<const gpu::NamedGrid>>(value);
}

}  // namespace

/// From one task to another: a picture, or values of the family. The change was made already when the step is pushed.
class TaskStep : public QUndoCommand {
public:
    TaskStep(History& history, Task before, Task after)
        : m_history(history),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_picture(!m_before.samePicture(m_after)),
          m_ids(differing(m_before, m_after)),
          m_left(m_after.family) {
        // Pictures, and masks among the values, are large: it keeps those that it changes.
        for (Task* task : {&m_before, &m_after}) {
            if (!m_picture) task->picture = {};
            std::erase_if(task->values, [this](const auto& value) {
                return (m_picture || holdsPicture(value.second)) &&
                       std::ranges::find(m_ids, value.first) == m_ids.end();
            });
        }
        m_since.start();
        name();
    }
    int id() const override { return !m_picture && m_ids.size() == 1 ? kOneValue : -1; }
    bool mergeWith(const QUndoCommand* newer) override {
        const auto* step = static_cast<const TaskStep*>(newer);
        const bool one =
            step->m_after.family == m_after.family && step->m_ids == m_ids && m_since.elapsed() < History::kOneDragMs;
        if (!one) return false;
        m_after = step->m_after;
        m_since.start();
        name();
        if (m_after.sameValue(m_before, m_ids.front())) setObsolete(true);
        return true;
    }
    void undo() override {
        m_left = m_history.m_request.task().family;
        m_history.replay(m_after, m_before, *m_before.family);
    }
    void redo() override {
        if (m_made) m_history.replay(m_before, m_after, m_picture ? *m_left : *m_after.family);
        m_made = true;
    }
    void states(const std::function<void(Document::State&)>& each) {
        if (!m_picture) return;
        each(m_after.picture);
        each(m_before.picture);
    }

private:
    void name() {
        if (m_picture)
            return setText(History::tr("picture %1").arg(m_after.picture.input.section('/', -1).left(kMostLetters)));
        const auto& list = m_after.family->parameters();
        QStringList words;
        for (const std::string& id : m_ids)
            words << QStringLiteral("%1 %2").arg(
                QString::fromStdString(std::ranges::find(list, id, &gpu::Parameter::id)->title),
                QString::fromStdString(gpu::format(gpu::valueOf(list, m_after.values, id))).left(24));
        setText(words.join(QStringLiteral(", ")));
    }
    History& m_history;
    Task m_before, m_after;
    bool m_picture;
    std::vector<std::string> m_ids;
    const gpu::Family* m_left;  ///< when it was taken back
    QElapsedTimer m_since;
    bool m_made = false;
};

History::History(RequestState& request, InputFiles& inputs, Activity& activity, QObject* parent)
    : QObject(parent),
      m_request(request),
      m_document(request.document()),
      m_parameters(request.parameters()),
      m_inputs(inputs),
      m_activity(activity) {
    m_stack.setUndoLimit(kSteps);
    connect(&request, &RequestState::taskChanged, this, &History::taskChanged);
}

void History::taskChanged(const Task& before, const Task& now) {
    const bool picture = !before.samePicture(now);
    const bool awaited = picture && !m_awaited.isEmpty() && now.picture.input == m_awaited;
    if (picture) m_awaited.clear();
    if (m_replaying || awaited || before.family == nullptr) return;
    const bool another = picture && before.picture.picture.grid != nullptr;
    if (another || (!picture && !differing(before, now).empty())) m_stack.push(new TaskStep(*this, before, now));
    if (another) forgetPictures();
}

void History::replay(const Task& from, const Task& to, const gpu::Family& family) {
    const QScopedValueRollback replaying(m_replaying, true);
    // First: a picture that stands at a step of a recipe brings that step's own.
    m_request.setFamily(family);
    m_request.change([&] {
        std::vector<std::string> ids = differing(from, to);
        // A step of a recipe forgets values that its task does not use, which an earlier task of it did.
        if (to.samePicture(from) && to.family == from.family)
            for (const auto& [id, value] : to.values)
                if (!holdsPicture(value) && m_parameters.value(id) != value) ids.push_back(id);
        for (const std::string& id : ids) {
            QString why;
            if (!m_parameters.set(id, gpu::valueOf(to.family->parameters(), to.values, id), &why))
                m_activity.report(why);
        }
    });
    if (to.samePicture(from)) return;
    const Document::State& state = to.picture;
    if (state.picture.grid != nullptr) {
        m_inputs.restorePicture(state);
        return m_activity.note(tr("The input is now %1").arg(m_document.name()));
    }
    if (state.place != nullptr) return emit placeWanted(state.place);
    m_awaited = state.input;
    m_inputs.openAgain(state.input);
}

void History::quietly(const std::function<void()>& change) {
    const QScopedValueRollback replaying(m_replaying, true);
    change();
}

void History::forgetPictures() {
    std::size_t bytes = 0;
    std::set<const io::Grid*> seen;
    for (int i = m_stack.count() - 1; i >= 0; --i) {
        // The stack gives its steps out as constant; others than these have no pictures.
        auto* step = dynamic_cast<TaskStep*>(const_cast<QUndoCommand*>(m_stack.command(i)));
        if (step == nullptr) continue;
        step->states([&](Document::State& state) {
            const auto& grid = state.picture.grid;
            if (grid == nullptr || grid == m_document.grid()) return;
            if (seen.insert(grid.get()).second) bytes += grid->bytes();
            if (bytes > kPictureBytes && (!state.derived || state.place != nullptr)) state.picture.grid.reset();
        });
    }
}

}  // namespace warplens::gui
