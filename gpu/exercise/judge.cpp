// SPDX-License-Identifier: Apache-2.0
#include "gpu/exercise/judge.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/lessons/measure.hpp"
#include "gpu/run/runner.hpp"
#include "io/read.hpp"

#include <algorithm>
#include <cstdio>

namespace warplens::gpu::exercise {
namespace {

/// What the check of a run says that is no matter of values: it did what a kernel must not.
bool isClean(const RunRecord& run) { return run.status == Status::ok || run.verification.has_value(); }

std::string partText(double part) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", part);
    return text;
}

/// Raced with the goal's variant.
GoalState timedState(const Exercise& exercise, const Goal& goal, const std::shared_ptr<const UserKernel>& kernel,
                     Runner& runner, const std::string& device, const std::stop_token& stop) {
    const Case& one = goal.timed ? *goal.timed : exercise.cases.front();
    Request request;
    request.family = exercise.family;
    request.input = std::make_shared<const io::Grid>(io::read(one.input));
    request.inputName = one.input;
    request.parameters = one.parameters;
    request.device = device;
    request.variants = {goal.against};
    request.kernels = {kernel};
    const Comparison comparison = runner.run(request, stop);
    if (comparison.interrupted) throw Error(Error::Kind::cancelled, "stopped");
    const RunRecord &theirs = comparison.runs.at(0), &mine = comparison.runs.at(1);
    if (!theirs.time || !mine.time) return {.now = "no time: " + (mine.time ? theirs : mine).reason};
    const double part = mine.time->medianMs / theirs.time->medianMs;
    return {.reached = part <= *goal.atMost, .value = part, .now = partText(part) + " of " + goal.against + "'s"};
}

GoalState stateOf(const Goal& goal, bool verified, bool clean, const RunRecord& counted) {
    if (goal.metric == Goal::kVerified) return {verified, {}, verified ? "yes" : "wrong"};
    if (goal.metric == Goal::kClean) return {clean, {}, clean ? "yes" : "no"};
    if (!counted.counters) return {false, {}, "not counted"};
    const LessonFigure& figure = *figureOf(goal.metric);
    const double value = figure.counted(counted);
    const bool reached = (!goal.atMost || value <= *goal.atMost) && (!goal.atLeast || value >= *goal.atLeast);
    return {reached, value, figure.format(value)};
}

}  // namespace

bool Judgement::allReached() const { return reached() == judged(); }
int Judgement::reached() const { return static_cast<int>(std::ranges::count(goals, true, &GoalState::reached)); }
int Judgement::judged() const { return static_cast<int>(std::ranges::count(goals, true, &GoalState::judged)); }

std::string timingDevice() {
    const DeviceList list = listDevices();
    const auto gpu = std::ranges::find_if(list.devices, &DeviceInfo::ranks);
    return gpu == list.devices.end() ? std::string() : gpu->id;
}

Judgement judge(const Exercise& exercise, const std::shared_ptr<const UserKernel>& kernel, Runner& runner,
                const std::stop_token& stop, const std::function<void(double, const std::string&)>& progress,
                const std::string& timedOn) {
    Judgement judgement;
    bool verified = true, clean = true;
    Request request;
    request.family = exercise.family;
    request.device = "cpu";
    request.timing = TimingPolicy::once();
    request.kernels = {kernel};
    request.kernelsAlone = true;
    const bool counts = std::ranges::any_of(exercise.goals, &Goal::counted);
    const double steps = static_cast<double>(exercise.cases.size()) + (counts ? 1 : 0);
    double step = 0;
    const auto tell = [&](const std::string& what) {
        if (progress) progress(step++ / steps, what);
    };
    for (const Case& one : exercise.cases) {
        tell(one.input);
        request.input = std::make_shared<const io::Grid>(io::read(one.input));
        request.inputName = one.input;
        request.parameters = one.parameters;
        const Comparison comparison = runner.run(request, stop);
        if (comparison.interrupted) throw Error(Error::Kind::cancelled, "stopped");
        const RunRecord& run = comparison.runs.front();
        if (run.status == Status::failed || run.status == Status::unsupported)
            throw Error(Error::Kind::unsupported, run.reason);
        verified = verified && run.status == Status::ok;
        clean = clean && isClean(run);
        if (judgement.reason.empty() && run.status != Status::ok)
            judgement.reason = (&one == &exercise.cases.front() ? "" : "on " + one.input + ": ") + run.reason;
        if (&one == &exercise.cases.front()) judgement.first = run;
    }
    RunRecord counted = judgement.first;
    if (counts) {
        tell("counting");
        const Case& one = exercise.cases.front();
        request.input = std::make_shared<const io::Grid>(io::read(one.input));
        request.parameters = one.parameters;
        const auto problem = familyOf(exercise.family).pose(request.input, request.parameters);
        kernel->count({*problem, request, DeviceInfo{}}, 0, counted, stop);
        if (counted.counters && !counted.counters->findings.empty()) {
            const TraceFinding& first = counted.counters->findings.front();
            clean = false;
            if (judgement.reason.empty()) judgement.reason = first.check + ": " + first.message;
        }
        judgement.first.counters = counted.counters;
        judgement.first.launch = counted.launch;
    }
    for (const Goal& goal : exercise.goals) {
        if (goal.metric != Goal::kTime)
            judgement.goals.push_back(stateOf(goal, verified, clean, judgement.first));
        else if (timedOn.empty())
            judgement.goals.push_back({.now = "needs a GPU", .judged = false});
        else if (!verified)
            judgement.goals.push_back({.now = "wrong"});
        else
            judgement.goals.push_back(timedState(exercise, goal, kernel, runner, timedOn, stop));
    }
    return judgement;
}

std::string limitOf(const Goal& goal) {
    if (goal.metric == Goal::kTime) return "at most " + partText(*goal.atMost) + " of " + goal.against + "'s";
    if (!goal.counted()) return {};
    const auto& format = figureOf(goal.metric)->format;
    std::string text;
    if (goal.atLeast) text = "at least " + format(*goal.atLeast);
    if (goal.atMost) text += (text.empty() ? "" : ", ") + std::string("at most ") + format(*goal.atMost);
    return text;
}

}  // namespace warplens::gpu::exercise
