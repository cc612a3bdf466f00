// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"

#include <QObject>
#include <QUndoStack>
#include <functional>

namespace warplens::gui {

class Activity;
class InputFiles;

/// Undo and redo of values and pictures; a picture comes back with the family that it had. It hears of every change of
/// the task; who makes one need not know of it. A slider's drag is one step. Large pictures far back are forgotten when
/// a file, "gen:" text or recipe can bring them again.
class History : public QObject {
    Q_OBJECT
public:
    static constexpr int kSteps = 200;
    static constexpr std::size_t kPictureBytes = std::size_t{1} << 30;  ///< kept by all steps together
    static constexpr int kOneDragMs = 700;  ///< between two changes of one value that are one step

    History(RequestState& request, InputFiles& inputs, Activity& activity, QObject* parent = nullptr);

    QUndoStack& stack() { return m_stack; }
    /// Whether a step is being taken back or again, so that its changes are no new steps.
    bool replaying() const { return m_replaying; }
    /// Makes a change that is no step: it belongs to one of somebody else's.
    void quietly(const std::function<void()>& change);

signals:
    /// A step leads to where the picture is one of a recipe's and was forgotten.
    void placeWanted(const std::shared_ptr<RecipePlace>& place);

private:
    friend class TaskStep;
    void taskChanged(const Task& before, const Task& now);
    /// What differs between two tasks becomes as it is in the other one, with this family at hand.
    void replay(const Task& from, const Task& to, const gpu::Family& family);
    void forgetPictures();

    RequestState& m_request;
    Document& m_document;
    ParameterState& m_parameters;
    InputFiles& m_inputs;
    Activity& m_activity;
    QUndoStack m_stack;
    QString m_awaited;  ///< the input that a step reads again
    bool m_replaying = false;
};

}  // namespace warplens::gui
