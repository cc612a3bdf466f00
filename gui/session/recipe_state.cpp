// SPDX-License-Identifier: Apache-2.0
#include "gui/session/recipe_state.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/session/history.hpp"
#include "gui/session/known_steps.hpp"
#include "gui/session/result_files.hpp"
#include "gui/session/run_control.hpp"
#include "gui/session/task_step.hpp"
#include "io/error.hpp"
#include "io/read.hpp"

#include <QScopedValueRollback>
#include <QStringList>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

namespace recipe = gpu::recipe;

/// The step's name; a new one where it has none.
std::string nameStep(recipe::Recipe& steps, std::size_t at) {
    std::string& name = steps.steps[at].name;
    for (int number = 1; name.empty(); ++number) {
        const std::string tried = steps.steps[at].family + (number > 1 ? " " + std::to_string(number) : "");
        if (std::ranges::find(steps.steps, tried, &recipe::Step::name) == steps.steps.end()) name = tried;
    }
    return name;
}

/// What the steps before `at` make of a picture called so.
QString nameAfter(const QString& origin, const recipe::Recipe& steps, std::size_t at) {
    static const std::vector<KnownStep> known = knownSteps(nullptr);
    QStringList words{origin};
    for (std::size_t i = 0; i < at; ++i)
        if (steps.steps[i].on) words << nameOf(steps.steps[i], known).title.toLower();
    return words.join(QStringLiteral(", "));
}

auto stepAt(recipe::Recipe& steps, std::size_t at) { return steps.steps.begin() + static_cast<std::ptrdiff_t>(at); }

/// A picture that was made of an origin.
Document::State madeOf(const Document::State& origin, const QString& name, const OpenedPicture& picture) {
    return {name, picture, {}, true, std::make_shared<const Document::State>(origin), {}};
}

/// The default, unless another value that is given decides, as coefficients do without a stencil.
gpu::Parameter::Value defaultBeside(const gpu::Family& family, const recipe::Step& step,
                                    const gpu::Parameter& parameter) {
    const std::string comesTo = gpu::effective(family.parameters(), step.parameters, parameter.id);
    return comesTo == gpu::format(parameter.fallback) ? parameter.fallback : gpu::parse(parameter, comesTo);
}

}  // namespace

RecipeState::RecipeState(RunControl& control, RequestState& request, ResultFiles& outputs, History& history,
                         Activity& activity, QObject* parent)
    : QObject(parent),
      m_control(control),
      m_request(request),
      m_outputs(outputs),
      m_history(history),
      m_activity(activity),
      m_whole([this] {
          if (const RecipeMade* made = m_whole.value())
              m_results.take(made->steps, {m_whole.key()->of.origin, made->device}, atHand());
          emit changed();
      }) {
    for (JobRunner* lane : {&m_jobs, &m_timeJobs, &m_whole.jobs()}) {
        activity.watch(*lane);
        connect(&activity, &Activity::cancelled, lane, &JobRunner::cancel);
    }
    connect(&request, &RequestState::taskChanged, this, &RecipeState::taskChanged);
    connect(&history, &History::placeWanted, this, &RecipeState::returnTo);
    connect(&outputs, &ResultFiles::presentChanged, this, &RecipeState::askWhole);
    connect(this, &RecipeState::changed, this, &RecipeState::askWhole);
}

void RecipeState::taskChanged(const Task& before, const Task& now) {
    if (!before.samePicture(now)) {
        for (JobRunner* lane : {&m_jobs, &m_timeJobs}) lane->discard();
        m_wanted.reset();
        return takePlace();
    }
    // Times are of one device.
    if (before.family != now.family || !before.sameDevices(now)) return emit changed();
    if (!before.sameValues(now) || before.chosen != now.chosen || before.current != now.current) followTask();
}

bool RecipeState::storable() const {
    const auto held = [](const auto& picture) { return picture.second.kind == recipe::Source::Kind::held; };
    return m_place != nullptr && std::ranges::none_of(m_place->recipe.steps, [&](const recipe::Step& step) {
               return std::ranges::any_of(step.pictures, held);
           });
}

Document::State RecipeState::origin() const {
    return m_place != nullptr ? m_place->origin : m_request.document().state();
}

StepResults::Of RecipeState::resultsOf(const Document::State& origin) const {
    return {origin.picture.grid, m_request.devices().id()};
}

const StepResult* RecipeState::result(std::size_t step) const {
    return m_place == nullptr ? nullptr : m_results.find(m_place->recipe, resultsOf(m_place->origin), step);
}

const StepMeasured* RecipeState::measured(std::size_t step) const {
    const StepResult* found = result(step);
    return found != nullptr && found->measured ? &*found->measured : nullptr;
}

std::optional<std::size_t> RecipeState::ranWithin(std::size_t step) const {
    const StepResult* found = result(step);
    return found != nullptr ? found->within : std::nullopt;
}

RecipeState::Kept RecipeState::kept() const {
    Kept kept{.mostBytes = m_results.mostBytes()};
    for (std::size_t i = 0; const StepResult* step = result(i); ++i) {
        kept.made += static_cast<std::size_t>(step->madePicture);
        kept.pictures += static_cast<std::size_t>(step->picture != nullptr);
    }
    return kept;
}

void RecipeState::setMostBytes(std::size_t bytes) {
    m_results.setMostBytes(bytes, atHand());
    emit changed();
}

std::size_t RecipeState::atHand() const {
    const auto now = latest();
    return now == nullptr ? 0 : now->at;
}

gpu::Request RecipeState::base(const Document::State& origin) const {
    gpu::Request request;
    request.input = origin.picture.grid;
    request.inputName = origin.input.toStdString();
    request.device = m_request.devices().id();
    request.timing = gpu::TimingPolicy::once();
    request.measureLimits = false;
    request.hostLibraries = true;
    return request;
}

void RecipeState::learnTask(const recipe::Recipe& steps, std::size_t step) {
    const auto of = resultsOf(origin());
    auto known = m_results.first(steps, of);
    const gpu::RunRecord* record = m_outputs.present();
    if (known.size() != step || record == nullptr || !record->time) return;
    // What the Lab has of `auto` by emulation is not what steps make.
    if (!m_request.filtering() && !m_request.devices().ranking() && steps.steps[step].variant == gpu::kAuto) return;
    known.push_back({.step = steps.steps[step]});
    known.back().take(*record);
    m_results.take(std::move(known), of, atHand());
}

void RecipeState::append() {
    const gpu::RunRecord* record = m_outputs.presentPicture();
    if (record == nullptr) return;
    const bool its = m_place != nullptr && isItsStep(m_request, *m_place);
    recipe::Recipe steps = m_place == nullptr ? recipe::Recipe() : m_place->recipe;
    const std::size_t at = m_place == nullptr ? 0 : std::min(m_place->at, steps.steps.size());
    if (!its) steps.steps.insert(stepAt(steps, at), stepOf(m_request));
    learnTask(steps, at);
    go(steps, at + 1);
}

void RecipeState::add() {
    if (m_place != nullptr && isItsStep(m_request, *m_place)) return select(m_place->recipe.steps.size());
    append();
}

void RecipeState::select(std::size_t at) {
    const auto now = latest();
    if (now == nullptr || at > now->recipe.steps.size() || at == now->at) return;
    if (m_place != nullptr && isItsStep(m_request, *m_place)) learnTask(m_place->recipe, m_place->at);
    go(now->recipe, at, now->file);
}

void RecipeState::move(std::size_t from, std::size_t to) {
    const auto now = latest();
    if (now == nullptr || from == to || std::max(from, to) >= now->recipe.steps.size()) return;
    recipe::Recipe steps = now->recipe;
    if (from < to)
        std::rotate(stepAt(steps, from), stepAt(steps, from + 1), stepAt(steps, to + 1));
    else
        std::rotate(stepAt(steps, to), stepAt(steps, from), stepAt(steps, from + 1));
    // The task stays the step that it is.
    std::size_t at = now->at;
    if (at == from)
        at = to;
    else if (at < steps.steps.size())
        at += static_cast<std::size_t>(to <= at && from > at) - static_cast<std::size_t>(from < at && to >= at);
    go(steps, at);
}

void RecipeState::setOn(std::size_t step, bool on) {
    const auto now = latest();
    if (now == nullptr || step >= now->recipe.steps.size() || now->recipe.steps[step].on == on) return;
    recipe::Recipe steps = now->recipe;
    steps.steps[step].on = on;
    go(steps, now->at);
}

void RecipeState::remove(std::size_t step) {
    const auto now = latest();
    if (now == nullptr || step >= now->recipe.steps.size()) return;
    recipe::Recipe steps = now->recipe;
    steps.steps.erase(stepAt(steps, step));
    go(steps, now->at > step ? now->at - 1 : now->at);
}

void RecipeState::takePicture(std::size_t step, const std::string& parameter, From from, std::size_t earlier) {
    const auto now = latest();
    if (now == nullptr || step >= now->recipe.steps.size() || (from == From::step && earlier >= step)) return;
    recipe::Recipe steps = now->recipe;
    auto& pictures = steps.steps[step].pictures;
    if (from == From::nothing)
        pictures.erase(parameter);
    else if (from == From::input)
        pictures[parameter] = {recipe::Source::Kind::input, {}, {}};
    else
        pictures[parameter] = {recipe::Source::Kind::step, nameStep(steps, earlier), {}};
    if (steps == now->recipe) return;
    go(steps, now->at);
}

void RecipeState::open(const QString& path) {
    if (m_request.document().empty()) return m_activity.report(tr("Open a picture first, for the recipe to work on."));
    try {
        const recipe::Recipe steps = recipe::load(path.toStdString());
        go(steps, steps.steps.size(), path);
    } catch (const gpu::Error& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    } catch (const io::Error& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    }
}

void RecipeState::save(const QString& path) {
    if (m_place == nullptr) return m_activity.report(tr("There is no recipe yet; use a result as the next input."));
    try {
        recipe::save(m_place->recipe, path.toStdString());
        m_place->file = path;
        m_activity.note(tr("Saved %1").arg(path.section('/', -1)));
        emit changed();
    } catch (const gpu::Error& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    } catch (const io::Error& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    }
}

bool RecipeState::changeInput(std::function<io::Grid(const io::Grid& input)> work, const QString& done) {
    const auto now = latest();
    if (now == nullptr || now->recipe.steps.empty() || m_request.devices().chosen() == nullptr) return false;
    const io::Shape &input = now->origin.picture.grid->shape(), &open = m_request.document().grid()->shape();
    if (input.width != open.width || input.height != open.height || input.depth != open.depth) return false;
    m_control.cancelLive();
    m_jobs.start(
        this,
        [input = now->origin.picture.grid, work = std::move(work)](const JobContext&) {
            const auto made = std::make_shared<const io::Grid>(work(*input));
            return OpenedPicture{made, thumbnailOf(*made)};
        },
        [this, now, done](JobResult<OpenedPicture> result) {
            if (!result) {
                m_activity.fail(result.failure());
                return m_control.resumeLive();
            }
            const QString name = QStringLiteral("%1, %2").arg(now->origin.name(), done);
            goFrom(madeOf(now->origin, name, result.value()), now->recipe, now->at, now->file, Undo::step);
        });
    return true;
}

bool RecipeState::continueWith(const gpu::Family& family, const gpu::ParameterValues& values) {
    const auto now = latest();
    if (now == nullptr || now->recipe.steps.empty() || m_request.devices().chosen() == nullptr) return false;
    recipe::Recipe steps = now->recipe;
    const std::size_t at = std::min(now->at, steps.steps.size());
    steps.steps.insert(stepAt(steps, at), {.family = family.id(), .parameters = values});
    go(steps, at + 1);
    return true;
}

void RecipeState::insert(const gpu::Family& family, const gpu::ParameterValues& values) {
    const auto now = latest();
    recipe::Recipe steps = now == nullptr ? recipe::Recipe() : now->recipe;
    const std::size_t at = now == nullptr || now->behindLast() ? steps.steps.size() : now->at + 1;
    if (m_place != nullptr && isItsStep(m_request, *m_place)) learnTask(m_place->recipe, m_place->at);
    steps.steps.insert(stepAt(steps, at), {.family = family.id(), .parameters = values});
    go(steps, at);
}

void RecipeState::duplicate(std::size_t step) {
    const auto now = latest();
    if (now == nullptr || step >= now->recipe.steps.size()) return;
    recipe::Recipe steps = now->recipe;
    recipe::Step copy = steps.steps[step];
    copy.name.clear();
    steps.steps.insert(stepAt(steps, step + 1), copy);
    go(steps, step + 1);
}

void RecipeState::takeUp() {
    if (m_place == nullptr || m_place->behindLast() || isItsStep(m_request, *m_place)) return;
    loadTask();
    emit changed();
}

bool RecipeState::goesOn() const {
    if (m_place == nullptr || m_place->behindLast()) return false;
    const auto& steps = m_place->recipe.steps;
    return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(m_place->at + 1), steps.end(),
                       [](const recipe::Step& step) { return step.on; });
}

void RecipeState::setWholeWanted(bool wanted) {
    m_wholeWanted = wanted;
    askWhole();
}

std::shared_ptr<const io::Grid> RecipeState::whole(bool* stale) const {
    const RecipeMade* made = goesOn() ? m_whole.latest() : nullptr;
    if (made == nullptr) return nullptr;
    if (stale != nullptr)
        *stale = m_whole.value() == nullptr || m_whole.key()->recipe != m_place->recipe ||
                 m_whole.key()->of != resultsOf(m_place->origin);
    return made->picture.grid;
}

void RecipeState::askWhole() {
    if (!m_wholeWanted || !goesOn() || m_request.devices().chosen() == nullptr) return m_whole.drop();
    const bool on = m_place->recipe.steps[m_place->at].on && isItsStep(m_request, *m_place);
    // The task's own result comes first: it is what is seen first, and is not computed twice.
    if (on && m_outputs.present() == nullptr) return m_whole.drop();
    if (on) learnTask(m_place->recipe, m_place->at);
    const auto of = resultsOf(m_place->origin);
    const auto place = std::make_shared<RecipePlace>(*m_place);
    place->at = place->recipe.steps.size();
    m_whole.ask({place->recipe, of}, [&runner = m_control.runner(), place, request = base(place->origin),
                                      known = m_results.first(place->recipe, of)](const JobContext& context) {
        return makeStep(runner, place->recipe, place->at, request, known, context);
    });
}

void RecipeState::take(const recipe::Recipe& steps, std::size_t at) {
    m_place.reset();
    go(steps, std::min(at, steps.steps.size()), {}, Undo::none);
}

void RecipeState::go(const recipe::Recipe& steps, std::size_t at, const QString& file, Undo undo) {
    if (m_request.document().empty()) return;
    if (m_request.devices().chosen() == nullptr) {  // at the start
        connect(
            &m_request.devices(), &DeviceChoice::changed, this,
            [this, steps, at, file, undo] { go(steps, at, file, undo); }, Qt::SingleShotConnection);
        return;
    }
    goFrom(origin(), steps, at, file, undo);
}

void RecipeState::goFrom(const Document::State& first, const recipe::Recipe& steps, std::size_t at, const QString& file,
                         Undo undo) {
    try {
        recipe::check(steps);
    } catch (const gpu::Error& error) {
        emit changed();  // what was switched is as it was
        return m_activity.report(QString::fromUtf8(error.what()));
    }
    const auto known = m_results.first(steps, resultsOf(first));
    const auto place = std::make_shared<RecipePlace>(RecipePlace{first, steps, at, {}, file});
    m_wanted = place;
    m_control.cancelLive();  // it would be of a picture that is left
    m_jobs.start(
        this,
        [&runner = m_control.runner(), place, request = base(first), known](const JobContext& context) {
            return makeStep(runner, place->recipe, place->at, request, known, context);
        },
        [this, place, undo](JobResult<RecipeMade> made) {
            if (made) return arrive(place, made.value(), undo);
            m_wanted.reset();
            m_activity.fail(made.failure());
            // A session keeps its steps, though one of them does not run on this picture.
            if (undo == Undo::none && place->at > 0) return go(place->recipe, place->at - 1, place->file, undo);
            m_control.resumeLive();
            emit changed();
        });
}

void RecipeState::arrive(const std::shared_ptr<RecipePlace>& place, const RecipeMade& made, Undo undo) {
    m_results.take(made.steps, {place->origin.picture.grid, made.device}, atHand());
    place->pictures = made.pictures;
    Document::State state = place->origin;
    if (made.picture.grid != place->origin.picture.grid)
        state = madeOf(place->origin, nameAfter(place->origin.name(), place->recipe, place->at), made.picture);
    if (!place->recipe.steps.empty()) state.place = place;
    const auto restore = [&] { m_request.document().restore(state); };
    if (undo == Undo::none)
        m_history.quietly(restore);
    else
        restore();
}

void RecipeState::returnTo(const std::shared_ptr<RecipePlace>& place) {
    m_place = place;
    go(place->recipe, place->at, place->file, Undo::none);
}

void RecipeState::takePlace() {
    const bool same = m_place == m_request.document().state().place;
    m_place = m_request.document().state().place;
    if (m_place != nullptr && !same) loadTask();
    emit changed();
}

void RecipeState::loadTask() {
    if (m_place->behindLast()) return;
    const QScopedValueRollback loading(m_loading, true);
    const recipe::Step step = m_place->recipe.steps[m_place->at];
    const gpu::Family* family = gpu::findFamily(step.family);
    if (family == nullptr) return;
    m_history.quietly([&] {
        m_request.setFamily(*family);
        for (const gpu::Parameter& parameter : family->parameters()) {
            const auto value = step.parameters.find(parameter.id);
            const auto picture = m_place->pictures.find(parameter.id);
            if (parameter.type != gpu::Parameter::Type::picture)
                m_request.parameters().set(parameter.id, value != step.parameters.end()
                                                             ? value->second
                                                             : defaultBeside(*family, step, parameter));
            else if (!step.pictures.contains(parameter.id))
                m_request.parameters().set(parameter.id, parameter.fallback);
            else if (picture != m_place->pictures.end())
                m_request.parameters().set(parameter.id, picture->second);
        }
        if (step.variant != gpu::kAuto) m_request.setCurrent(step.variant);
    });
}

void RecipeState::followTask() {
    if (m_loading || m_place == nullptr || !isItsStep(m_request, *m_place)) return;
    recipe::Step& step = m_place->recipe.steps[m_place->at];
    recipe::Step now = stepOf(m_request);
    now.name = step.name;
    now.input = step.input;
    now.on = step.on;
    // A picture that the recipe itself gave comes from where it came from.
    for (auto& [id, source] : now.pictures) {
        const auto given = m_place->pictures.find(id);
        const auto& value = m_request.parameters().value(id);
        if (given != m_place->pictures.end() && step.pictures.contains(id) &&
            value == gpu::Parameter::Value(given->second))
            source = step.pictures[id];
    }
    if (!m_request.currentChosen()) now.variant = step.variant;
    if (now == step) return;
    step = now;
    m_place->file.clear();
    emit changed();
}

void RecipeState::time(std::size_t number) {
    if (m_place == nullptr || number >= m_place->recipe.steps.size() || m_request.devices().chosen() == nullptr) return;
    const auto place = std::make_shared<RecipePlace>(*m_place);
    place->at = number;
    m_timeJobs.start(
        this,
        [&runner = m_control.runner(), place, request = base(place->origin),
         known = m_results.first(place->recipe, resultsOf(place->origin))](const JobContext& context) {
            return timeStep(runner, place->recipe, place->at, request, known, context);
        },
        [this, place](JobResult<RecipeMade> made) {
            if (!made) return m_activity.fail(made.failure());
            auto timed = made.value().steps;
            const StepResults::Of of{place->origin.picture.grid, made.value().device};
            const auto more = m_results.first(place->recipe, of);
            for (std::size_t i = timed.size(); i < more.size(); ++i) timed.push_back(more[i]);
            m_results.take(std::move(timed), of, atHand());
            m_activity.note(tr("Timed step %1").arg(place->at + 1));
            emit changed();
        });
}

}  // namespace warplens::gui
