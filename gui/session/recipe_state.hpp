// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/derived.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/recipe_work.hpp"
#include "gui/session/step_results.hpp"

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

class Activity;
class History;
class RequestState;
struct Task;
class ResultFiles;
class RunControl;

/// The recipe that the picture belongs to, and what is done with its steps. It is a part of the document's state, so
/// that undo and redo bring it back with its picture. A step that the task stands at follows the task's values.
class RecipeState : public QObject {
    Q_OBJECT
public:
    RecipeState(RunControl& control, RequestState& request, ResultFiles& outputs, History& history, Activity& activity,
                QObject* parent = nullptr);

    /// Null: there is no recipe.
    const RecipePlace* place() const { return m_place.get(); }
    /// Whether a file can hold all steps: none has a picture that lies in none.
    bool storable() const;
    /// How a step went when it ran last, with the steps before it as they are; null when it did not.
    const StepMeasured* measured(std::size_t step) const;
    /// The step that it ran within as one run; absent when it ran by itself, or not.
    std::optional<std::size_t> ranWithin(std::size_t step) const;

    /// How many pictures of steps are kept, of how many that were made.
    struct Kept {
        std::size_t pictures = 0, made = 0;
        std::size_t mostBytes = 0;  ///< that are kept together
    };
    Kept kept() const;
    void setMostBytes(std::size_t bytes);

    /// The present result becomes the picture, and what made it a step of the recipe.
    void append();
    /// Adds the task as append() does; where it is a step already, begins a new one behind the last.
    void add();
    /// The task becomes this step, on the picture that those before it make; behind the last one it stays as it is.
    void select(std::size_t at);
    void move(std::size_t from, std::size_t to);
    void setOn(std::size_t step, bool on);
    void remove(std::size_t step);
    /// A parameter that is a picture, as a mask, takes what an earlier step makes; the recipe's input; or nothing.
    enum class From { step, input, nothing };
    void takePicture(std::size_t step, const std::string& parameter, From from, std::size_t earlier = 0);
    /// Measures a step anew, several times.
    void time(std::size_t step);
    void open(const QString& path);
    void save(const QString& path);
    /// Has the steps done on another picture, which `work` makes of the recipe's input on another thread; `done` is
    /// what that is then: "cropped". False: there is no recipe, or its input does not lie as the picture that is open
    /// does.
    bool changeInput(std::function<io::Grid(const io::Grid& input)> work, const QString& done);
    /// What a family does to the picture that is open, as a step behind those that made it. False: no step made it.
    bool continueWith(const gpu::Family& family, const gpu::ParameterValues& values);
    /// A family with these values becomes a step behind the one at hand, and the task; the first one begins the recipe.
    void insert(const gpu::Family& family, const gpu::ParameterValues& values);
    /// Another step like this one, behind it.
    void duplicate(std::size_t step);

    /// What all steps make: computed behind the task's own result as long as somebody wants it, where a step behind the
    /// one at hand is on. Nothing: that result, or the picture that is open, is all there is.
    bool goesOn() const;
    void setWholeWanted(bool wanted);
    /// Null while it is not known; of earlier values where `stale`.
    std::shared_ptr<const io::Grid> whole(bool* stale = nullptr) const;
    const QString& wholeProblem() const { return m_whole.problem(); }

    /// The step at hand becomes the task again, after another one was looked at.
    void takeUp();
    /// Takes a session's; no step of undo.
    void take(const gpu::recipe::Recipe& recipe, std::size_t at);

signals:
    void changed();

private:
    enum class Undo { step, none };
    struct WholeKey {
        gpu::recipe::Recipe recipe;
        StepResults::Of of;
        bool operator==(const WholeKey&) const = default;
    };
    /// What was asked for last: it may be on its way.
    std::shared_ptr<const RecipePlace> latest() const { return m_wanted != nullptr ? m_wanted : m_place; }
    Document::State origin() const;
    gpu::Request base(const Document::State& origin) const;
    StepResults::Of resultsOf(const Document::State& origin) const;
    const StepResult* result(std::size_t step) const;
    std::size_t atHand() const;
    /// Keeps the present result of the step that the task is.
    void learnTask(const gpu::recipe::Recipe& recipe, std::size_t step);
    void go(const gpu::recipe::Recipe& recipe, std::size_t at, const QString& file = {}, Undo undo = Undo::step);
    void goFrom(const Document::State& first, const gpu::recipe::Recipe& recipe, std::size_t at, const QString& file,
                Undo undo);
    void arrive(const std::shared_ptr<RecipePlace>& place, const RecipeMade& made, Undo undo);
    void returnTo(const std::shared_ptr<RecipePlace>& place);
    void taskChanged(const Task& before, const Task& now);
    void takePlace();
    void loadTask();
    void followTask();
    void askWhole();

    RunControl& m_control;
    RequestState& m_request;
    ResultFiles& m_outputs;
    History& m_history;
    Activity& m_activity;
    std::shared_ptr<RecipePlace> m_place;
    std::shared_ptr<const RecipePlace> m_wanted;  ///< while it is being computed
    StepResults m_results;
    bool m_loading = false;
    bool m_wholeWanted = false;
    JobRunner m_jobs, m_timeJobs;
    Derived<WholeKey, RecipeMade> m_whole;
};

}  // namespace warplens::gui
