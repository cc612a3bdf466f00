// SPDX-License-Identifier: Apache-2.0
// What `auto` takes for a request, and when it races its guesses for that.
#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/auto_selector.hpp"
#include "gpu/run/runner_open.hpp"
#include "gpu/run/task_key.hpp"

#include <algorithm>

namespace warplens::gpu {
namespace {

AutoTask taskOf(const Request& request, const Family& family, const Problem& problem, const Device& device) {
    return {.family = family,
            .problem = problem,
            .device = device.info(),
            .wanted = request.tunables,
            .key = taskKey(family, request.parameters, *request.input, request.tunables, request.memoryCap),
            .input = request.input,
            .hostLibraries = request.hostLibraries && request.tunables.empty() && request.beside.empty() &&
                             request.memoryCap == 0 && request.scheduling.shuffleSeed == 0};
}

}  // namespace

Choice Runner::race(const AutoTask& task, Open& opened, const std::stop_token& stop,
                    std::unique_ptr<Session>& session) {
    if (!m_auto->shouldMeasure(task)) return m_auto->known(task);
    opened.live.drop();  // its memory is needed
    std::string why;
    try {
        session = task.problem.open(*opened.device, opened.resident);
        if (session->plan().empty()) {
            const ScopedInteractiveMode hurried(*opened.device, false);
            const auto turn = StageLog::turn(StageLog::kKernel);
            return m_auto->measured(task, *opened.device, {session.get()}, {}, stop);
        }
    } catch (const Error& error) {
        session.reset();
        if (error.kind() != Error::Kind::outOfMemory) throw;
        why = std::string(": ") + error.what();
    }
    session.reset();
    Choice choice = m_auto->known(task);
    choice.why += "; not raced, as it does not fit as a whole" + why;
    return choice;
}

std::optional<Choice> Runner::choose(Request& request, const Family& family, const Problem& problem, Open& opened,
                                     const std::stop_token& stop, std::unique_ptr<Session>& session) {
    if (request.kernelsAlone || std::erase(request.variants, kAuto) == 0) return std::nullopt;
    const AutoTask task = taskOf(request, family, problem, *opened.device);
    const Choice choice = request.autotune ? race(task, opened, stop, session) : m_auto->known(task);
    // What was named as well is one row.
    if (std::ranges::find(request.variants, choice.variant) == request.variants.end())
        request.variants.push_back(choice.variant);
    return choice;
}

std::optional<Choice> Runner::measureChoice(const Request& request, std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    const Family& family = familyOf(request.family);
    const auto problem = pose(family, request);
    Open& opened = open(request.device);
    const AutoTask task = taskOf(request, family, *problem, *opened.device);
    if (!m_auto->shouldMeasure(task)) return std::nullopt;
    prepare(opened, request, stop);
    std::unique_ptr<Session> session;
    try {
        Choice choice = race(task, opened, stop, session);
        opened.device->setStop({});
        if (choice.source != Choice::Source::measured) return std::nullopt;
        return choice;
    } catch (const Error& error) {
        session.reset();
        opened.device->setStop({});
        if (error.kind() == Error::Kind::fault) forget(opened);
        throw;
    }
}

void Runner::dropIfWrong(const RunRecord& record, const Request& request, const Family& family) {
    const bool known = record.status == Status::ok || record.status == Status::unsupported;
    if (!record.choice || (known && !failedOnHost(record))) return;
    m_auto->reject(taskKey(family, request.parameters, *request.input, request.tunables, request.memoryCap),
                   record.variant);
}

}  // namespace warplens::gpu
