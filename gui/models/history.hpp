// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/document.hpp"
#include "gui/models/parameter_state.hpp"

#include <QObject>
#include <QUndoStack>
#include <functional>
#include <map>
#include <string>

namespace warplens::gui {

/// Undo and redo of parameters and inputs. It listens to both; what changes them needs not know of it. A slider's drag
/// is one step. Large pictures far back are forgotten when a file or "gen:" text can bring them again.
class History : public QObject {
    Q_OBJECT
public:
    static constexpr int kSteps = 200;
    static constexpr std::size_t kPictureBytes = std::size_t{1} << 30;  ///< kept by all steps together
    static constexpr int kOneDragMs = 700;  ///< between two changes of one value that are one step

    /// How a step is taken back: by whom the family, the picture and files are brought.
    struct Doors {
        std::function<void(const gpu::Family&)> setFamily;
        std::function<void(const Document::State&)> restore;  ///< a picture that is still in memory
        std::function<void(const QString&)> open;             ///< one that must be read again; ends later
        std::function<void(const QString&)> report;
    };
    History(Document& document, ParameterState& parameters, Doors doors, QObject* parent = nullptr);

    QUndoStack& stack() { return m_stack; }
    /// Whether a step is being taken back or again, so that its changes are no new steps.
    bool replaying() const { return m_replaying; }

private:
    friend class ParameterStep;
    friend class PictureStep;
    void parameterChanged(const std::string& id);
    void documentChanged();
    void replay(const gpu::Family& family, const std::string& id, const gpu::Parameter::Value& value);
    void replay(const Document::State& state);
    void forgetPictures();

    Document& m_document;
    ParameterState& m_parameters;
    Doors m_doors;
    QUndoStack m_stack;
    std::map<const gpu::Family*, gpu::ParameterValues> m_values;  ///< as they were before the next change
    Document::State m_picture;
    QString m_awaited;  ///< the input that a step reads again
    bool m_replaying = false;
};

}  // namespace warplens::gui
