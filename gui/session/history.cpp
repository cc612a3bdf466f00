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
constexpr int kParameterStep = 1;
}

/// One value of one family. The change was made already when the step is pushed, as is a picture's.
class ParameterStep : public QUndoCommand {
public:
    ParameterStep(History& history, const gpu::Family& family, const gpu::Parameter& parameter,
                  gpu::Parameter::Value before, gpu::Parameter::Value after)
        : m_history(history),
          m_family(family),
          m_id(parameter.id),
          m_title(QString::fromStdString(parameter.title)),
          m_before(std::move(before)),
          m_after(std::move(after)) {
        m_since.start();
        name();
    }
    int id() const override { return kParameterStep; }
    bool mergeWith(const QUndoCommand* newer) override {
        const auto* step = static_cast<const ParameterStep*>(newer);
        const bool one = &step->m_family == &m_family && step->m_id == m_id && m_since.elapsed() < History::kOneDragMs;
        if (!one) return false;
        m_after = step->m_after;
        m_since.start();
        name();
        if (m_after == m_before) setObsolete(true);
        return true;
    }
    void undo() override { m_history.replay(m_family, m_id, m_before); }
    void redo() override {
        if (m_made) m_history.replay(m_family, m_id, m_after);
        m_made = true;
    }

private:
    void name() {
        setText(QStringLiteral("%1 %2").arg(m_title, QString::fromStdString(gpu::format(m_after)).left(24)));
    }
    History& m_history;
    const gpu::Family& m_family;
    std::string m_id;
    QString m_title;
    gpu::Parameter::Value m_before, m_after;
    QElapsedTimer m_since;
    bool m_made = false;
};

/// Another picture, and the task that was at hand then: a step back is one of the whole work.
class PictureStep : public QUndoCommand {
public:
    PictureStep(History& history, Document::State before, Document::State after, const gpu::Family* task)
        : m_history(history), m_before(std::move(before)), m_after(std::move(after)), m_task(task), m_left(task) {
        setText(History::tr("picture %1").arg(m_after.input.section('/', -1).left(kMostLetters)));
    }
    void undo() override {
        m_left = m_history.m_parameters.family();
        m_history.replay(m_before, m_task);
    }
    void redo() override {
        if (m_made) m_history.replay(m_after, m_left);
        m_made = true;
    }
    void states(const std::function<void(Document::State&)>& each) {
        each(m_after);
        each(m_before);
    }

private:
    static constexpr int kMostLetters = 32;  // menus are as wide as it is
    History& m_history;
    Document::State m_before, m_after;
    const gpu::Family *m_task, *m_left;  ///< when it was made, and when it was taken back
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
    connect(&m_parameters, &ParameterState::changed, this, &History::parameterChanged);
    connect(&m_document, &Document::changed, this, &History::documentChanged);
}

void History::parameterChanged(const std::string& id) {
    const gpu::Family* family = m_parameters.family();
    gpu::ParameterValues& known = m_values[family];
    const auto& list = m_parameters.parameters();
    const gpu::Parameter::Value before = gpu::valueOf(list, known, id);
    known = m_parameters.values();
    if (m_replaying) return;
    const auto declared = std::ranges::find(list, id, &gpu::Parameter::id);
    m_stack.push(new ParameterStep(*this, *family, *declared, before, m_parameters.value(id)));
}

void History::documentChanged() {
    const Document::State before = std::exchange(m_picture, m_document.state());
    const bool awaited = !m_awaited.isEmpty() && m_picture.input == m_awaited;
    m_awaited.clear();
    if (m_replaying || awaited || before.picture.grid == nullptr) return;
    m_stack.push(new PictureStep(*this, before, m_picture, m_parameters.family()));
    forgetPictures();
}

void History::replay(const gpu::Family& family, const std::string& id, const gpu::Parameter::Value& value) {
    const QScopedValueRollback replaying(m_replaying, true);
    m_request.setFamily(family);
    QString why;
    if (!m_parameters.set(id, value, &why)) m_activity.report(why);
}

void History::replay(const Document::State& state, const gpu::Family* task) {
    const QScopedValueRollback replaying(m_replaying, true);
    // First: a picture that stands at a step of a recipe brings that step's own.
    if (task != nullptr) m_request.setFamily(*task);
    if (state.picture.grid != nullptr) {
        m_inputs.restorePicture(state);
        return m_activity.note(tr("The input is now %1").arg(m_document.name()));
    }
    if (state.place != nullptr) return emit placeWanted(state.place);
    m_awaited = state.input;
    m_inputs.open(state.input);
}

void History::quietly(const std::function<void()>& change) {
    const QScopedValueRollback replaying(m_replaying, true);
    change();
}

void History::forgetPictures() {
    std::size_t bytes = 0;
    std::set<const io::Grid*> seen;
    for (int i = m_stack.count() - 1; i >= 0; --i) {
        // Steps are made here alone, and the stack gives them out as constant.
        auto* step = dynamic_cast<PictureStep*>(const_cast<QUndoCommand*>(m_stack.command(i)));
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
