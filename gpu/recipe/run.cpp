// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe/run.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/core/step_fusion.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warplens::gpu::recipe {
namespace {

/// One recipe on one picture.
class Execution {
public:
    Execution(const Recipe& recipe, const Request& base, const Hooks& hooks)
        : m_recipe(recipe), m_base(base), m_hooks(hooks), m_on(stepsOn(recipe)), m_made(recipe.steps.size()) {}

    Outcome run(Runner& runner, const std::stop_token& stop) {
        findNeeded();
        Outcome outcome;
        for (std::size_t i = 0; i < m_on.size() && !outcome.interrupted && outcome.failed == kNoStep; ++i) {
            const std::size_t step = m_on[i];
            if (!m_needed[step]) continue;
            try {
                if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
                outcome = one(runner, i, stop);
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
    std::shared_ptr<const io::Grid> known(std::size_t step) const {
        return m_hooks.known ? m_hooks.known(step) : nullptr;
    }

    bool wanted(std::size_t step) const { return m_hooks.wanted && m_hooks.wanted(step); }

    /// Calls `each` with every step whose picture `step` takes.
    template <class F>
    void forSources(std::size_t step, F each) const {
        const auto one = [&](const Source& source) {
            if (const int from = stepMeant(m_recipe, step, source); from != kNoStep)
                each(static_cast<std::size_t>(from));
        };
        one(m_recipe.steps[step].input);
        for (const auto& [id, source] : m_recipe.steps[step].pictures) one(source);
    }

    /// The last step, what never ran, and what these take.
    void findNeeded() {
        m_needed.assign(m_recipe.steps.size(), false);
        m_needed[m_on.back()] = true;
        for (auto step = m_on.rbegin(); step != m_on.rend(); ++step) {
            const bool there = known(*step) != nullptr;
            if (!there && (wanted(*step) || !(m_hooks.ran && m_hooks.ran(*step)))) m_needed[*step] = true;
            if (!there && m_needed[*step]) forSources(*step, [this](std::size_t from) { m_needed[from] = true; });
        }
    }

    /// What the step and the next one on are as one run; absent where they are two.
    std::optional<FusedStep> fusedWithNext(std::size_t number, const Request& request) const {
        if (!m_hooks.fused || number + 1 >= m_on.size() || wanted(m_on[number])) return std::nullopt;
        const std::size_t next = m_on[number + 1];
        const Step &a = m_recipe.steps[m_on[number]], &b = m_recipe.steps[next];
        const auto* family = familyOf(a.family).fuses();
        if (family == nullptr || a.family != b.family || !a.pictures.empty() || !b.pictures.empty())
            return std::nullopt;
        if (!m_needed[next] || known(next) != nullptr ||
            stepMeant(m_recipe, next, b.input) != static_cast<int>(m_on[number]))
            return std::nullopt;
        for (std::size_t i = number + 2; i < m_on.size(); ++i) {
            bool taken = false;
            forSources(m_on[i], [&](std::size_t from) { taken = taken || from == m_on[number]; });
            if (taken) return std::nullopt;
        }
        auto both = family->fused(*request.input, request.parameters, b.parameters);
        if (!both) return std::nullopt;
        // A variant that was asked for may not take what both are together.
        const bool kept =
            both->sameVariant ? a.variant == b.variant && a.variant != kAuto : a.variant == kAuto && b.variant == kAuto;
        return kept ? both : std::nullopt;
    }

    /// The step on of this number, and those that can be one run with it: then the number is the last one's.
    Outcome one(Runner& runner, std::size_t& number, const std::stop_token& stop) {
        if (const auto picture = known(m_on[number])) {
            m_made[m_on[number]] = picture;
            return {.result = {.picture = picture}};
        }
        Request request = requestOf(m_on[number]);
        std::vector<std::size_t> within;
        std::string words;
        while (const auto both = fusedWithNext(number, request)) {
            within.push_back(m_on[number++]);
            request.parameters = both->parameters;
            request.variants = {m_recipe.steps[m_on[number]].variant};
            words = both->words;
        }
        const std::size_t step = m_on[number];
        const auto tell = [&](double fraction, const std::string& what) {
            if (m_hooks.progress)
                m_hooks.progress((static_cast<double>(number) + fraction) / static_cast<double>(m_on.size()),
                                 placeOf(step) + ": " + what);
        };
        Comparison comparison = runner.run(request, stop, {.progress = tell, .record = {}});
        if (!within.empty())
            comparison.facts.push_back("fused: " + placeOf(within.front()) + " to " + std::to_string(step + 1) +
                                       " as one run, " + words);
        for (const std::size_t first : within) m_hooks.fused(first, step);
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
        const FamilyInfo& info = familyOf(step.family).info();
        request.hostLibraries = m_base.hostLibraries && (info.makesPicture || info.makesOtherPicture);
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
        for (std::size_t i = number + 1; i < m_on.size(); ++i)
            forSources(m_on[i], [&](std::size_t from) { wanted[from] = true; });
        for (std::size_t i = 0; i < m_made.size(); ++i)
            if (!wanted[i]) m_made[i].reset();
    }

    const Recipe& m_recipe;
    const Request& m_base;
    const Hooks& m_hooks;
    std::vector<std::size_t> m_on;
    std::vector<std::shared_ptr<const io::Grid>> m_made;  ///< by step
    std::vector<bool> m_needed;                           ///< the same
};

}  // namespace

Outcome run(Runner& runner, const Recipe& recipe, const Request& base, const Hooks& hooks, std::stop_token stop) {
    check(recipe);
    lastOf(recipe);
    return Execution(recipe, base, hooks).run(runner, stop);
}

}  // namespace warplens::gpu::recipe
