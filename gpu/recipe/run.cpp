// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe/run.hpp"

#include "gpu/core/error.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu::recipe {
namespace {

/// One recipe on one picture.
class Execution {
public:
    Execution(const Recipe& recipe, const Request& base, const Hooks& hooks)
        : m_recipe(recipe), m_base(base), m_hooks(hooks), m_on(stepsOn(recipe)), m_made(recipe.steps.size()) {}

    Outcome run(Runner& runner, const std::stop_token& stop) {
        Outcome outcome;
        for (std::size_t i = 0; i < m_on.size() && !outcome.interrupted && outcome.failed == kNoStep; ++i) {
            const std::size_t step = m_on[i];
            try {
                if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
                outcome = one(runner, step, i, stop);
            } catch (const Error& error) {
                if (error.kind() == Error::Kind::cancelled) return {.interrupted = true};
                throw Error(error.kind(), placeOf(step) + " (" + m_recipe.steps[step].family + "): " + error.what(),
                            error.code());
            } catch (const io::Error& error) {
                throw io::Error(error.kind(), placeOf(step) + ": " + error.what());
            }
            letGo(i);
        }
        return outcome;
    }

private:
    Outcome one(Runner& runner, std::size_t step, std::size_t number, const std::stop_token& stop) {
        if (const auto known = m_hooks.known ? m_hooks.known(step) : nullptr) {
            m_made[step] = known;
            return {.result = {.picture = known}};
        }
        const auto tell = [&](double fraction, const std::string& what) {
            if (m_hooks.progress)
                m_hooks.progress((static_cast<double>(number) + fraction) / static_cast<double>(m_on.size()),
                                 placeOf(step) + ": " + what);
        };
        const Comparison comparison = runner.run(requestOf(step), stop, {.progress = tell, .record = {}});
        if (m_hooks.done) m_hooks.done(step, comparison);
        if (comparison.interrupted) return {.interrupted = true};
        const RunRecord& record = comparison.runs.front();
        if (record.status != Status::ok) return {.failed = static_cast<int>(step)};
        m_made[step] = record.result.picture;
        return {.result = record.result};
    }

    Request requestOf(std::size_t at) const {
        const Step& step = m_recipe.steps[at];
        Request request = m_base;
        request.family = step.family;
        request.variants = {step.variant};
        request.parameters = step.parameters;
        request.keepPictures = true;
        request.input = pictureOf(at, step.input);
        const int from = stepMeant(m_recipe, at, step.input);
        if (from != kNoStep) request.inputName += ", after " + placeOf(static_cast<std::size_t>(from));
        if (step.input.kind == Source::Kind::file) request.inputName = step.input.name;
        for (const auto& [id, source] : step.pictures) {
            request.parameters[id] =
                source.kind == Source::Kind::held
                    ? source.held
                    : std::make_shared<const NamedGrid>(NamedGrid{nameOf(at, source), pictureOf(at, source)});
        }
        return request;
    }

    std::shared_ptr<const io::Grid> pictureOf(std::size_t at, const Source& source) const {
        if (source.kind == Source::Kind::file) return m_hooks.read(source.name);
        if (source.kind == Source::Kind::held) return source.held->grid;
        const int from = stepMeant(m_recipe, at, source);
        if (from == kNoStep) return m_base.input;
        if (m_made[static_cast<std::size_t>(from)] != nullptr) return m_made[static_cast<std::size_t>(from)];
        throw Error(Error::Kind::unsupported,
                    placeOf(static_cast<std::size_t>(from)) +
                        " makes no picture: let this step take another one, or switch one of them off");
    }

    std::string nameOf(std::size_t at, const Source& source) const {
        if (source.kind == Source::Kind::file) return source.name;
        const int from = stepMeant(m_recipe, at, source);
        return from == kNoStep ? m_base.inputName : placeOf(static_cast<std::size_t>(from));
    }

    /// Pictures that no step after the `number`th takes.
    void letGo(std::size_t number) {
        std::vector<bool> wanted(m_made.size());
        for (std::size_t i = number + 1; i < m_on.size(); ++i) {
            const Step& step = m_recipe.steps[m_on[i]];
            const auto want = [&](const Source& source) {
                const int from = stepMeant(m_recipe, m_on[i], source);
                if (from != kNoStep) wanted[static_cast<std::size_t>(from)] = true;
            };
            want(step.input);
            for (const auto& [id, source] : step.pictures) want(source);
        }
        for (std::size_t i = 0; i < m_made.size(); ++i)
            if (!wanted[i]) m_made[i].reset();
    }

    const Recipe& m_recipe;
    const Request& m_base;
    const Hooks& m_hooks;
    std::vector<std::size_t> m_on;
    std::vector<std::shared_ptr<const io::Grid>> m_made;  ///< by step
};

}  // namespace

Outcome run(Runner& runner, const Recipe& recipe, const Request& base, const Hooks& hooks, std::stop_token stop) {
    check(recipe);
    lastOf(recipe);
    return Execution(recipe, base, hooks).run(runner, stop);
}

}  // namespace warplens::gpu::recipe
