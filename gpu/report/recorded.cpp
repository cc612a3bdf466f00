// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/recorded.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/sweep_document.hpp"
#include "gpu/report/table.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace warplens::gpu {

namespace {

std::vector<std::filesystem::path> jsonFiles(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    std::error_code failed;
    std::filesystem::recursive_directory_iterator at(folder, failed);
    while (!failed && at != std::filesystem::recursive_directory_iterator()) {
        const bool sweep = at->path().string().ends_with(kSweepEnding);
        if (at->path().extension() == ".json" && !sweep) paths.push_back(at->path());
        at.increment(failed);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

constexpr std::string_view kGenerated = "gen:";

/// Which values a generated picture has, without its size and type: "gradient:axis=xy" of
/// "gen:gradient:64x64:u8:axis=xy".
std::string kindOfValues(const std::string& name) {
    std::string kind;
    int part = 0;
    for (std::size_t from = kGenerated.size(); from <= name.size(); ++part) {
        const std::size_t end = std::min(name.find(':', from), name.size());
        if (part != 1 && part != 2) kind += (part == 0 ? "" : ":") + name.substr(from, end - from);
        from = end + 1;
    }
    return kind;
}

bool isGenerated(const std::string& name) { return name.starts_with(kGenerated); }

/// Two values of a parameter. A picture's name says what is in it only where it is generated.
bool sameValue(const Parameter& parameter, const Parameter::Value& one, const Parameter::Value& other) {
    const std::string text = format(one);
    if (text != format(other)) return false;
    return parameter.type != Parameter::Type::picture || text.empty() || isGenerated(text);
}

bool isRightOnAGpu(const RunRecord& run) {
    // A library that ran on the recorded machine's CPU has no GPU time.
    return run.status == Status::ok && run.time && run.time->clock == Clock::device;
}

/// A tunable that came after the recording had its default then.
bool sameTunables(const Variant& variant, const TunableValues& recorded, const TunableValues& asked) {
    for (const auto& [id, value] : recorded)
        if (const auto now = asked.find(id); now == asked.end() || now->second != value) return false;
    return std::ranges::all_of(variant.tunables, [&](const Tunable& tunable) {
        const auto now = asked.find(tunable.id);
        return now != asked.end() && (recorded.contains(tunable.id) || now->second == tunable.fallback);
    });
}

}  // namespace

RecordedTask::RecordedTask(const Family& family, const ParameterValues& values) : m_family(family.id()) {
    for (const Parameter& p : family.parameters()) m_parameters[p.id] = valueOf(family.parameters(), values, p.id);
}

RecordedTask::RecordedTask(const Report& report) : RecordedTask(familyOf(report.family), report.parameters) {
    m_parameters.insert(report.parameters.begin(), report.parameters.end());  // those that are declared no more
    m_input = report.input.name;
    m_hash = report.input.hash;
    m_type = report.input.type;
    m_shape = report.input.shape;
}

RecordedTask::RecordedTask(const Family& family, const ParameterValues& values, const io::Grid& input,
                           std::string inputName)
    : RecordedTask(family, values) {
    m_input = std::move(inputName);
    m_type = io::nameOf(input.type());
    m_shape = input.shape();
}

RecordedTask::RecordedTask(const Family& family, const ParameterValues& values, std::string recordedInput)
    : RecordedTask(family, values) {
    m_input = std::move(recordedInput);
}

RecordedTask RecordedTask::on(std::string device) const {
    RecordedTask task = *this;
    task.m_device = std::move(device);
    return task;
}

RecordedTask RecordedTask::apartFrom(std::string parameter) const {
    RecordedTask task = *this;
    task.m_apart = std::move(parameter);
    return task;
}

/// A parameter that came after the recording had its default then.
bool RecordedTask::sameParameters(const Report& recorded) const {
    const auto& declared = familyOf(m_family).parameters();
    for (const auto& [id, value] : recorded.parameters)
        if (!m_parameters.contains(id)) return false;
    return std::ranges::all_of(m_parameters, [&](const auto& asked) {
        const auto& [id, value] = asked;
        if (id == m_apart) return true;
        const auto p = std::ranges::find(declared, id, &Parameter::id);
        if (p != declared.end()) return sameValue(*p, valueOf(declared, recorded.parameters, id), value);
        const auto then = recorded.parameters.find(id);
        return then != recorded.parameters.end() && format(then->second) == format(value);
    });
}

bool RecordedTask::sameValues(const Report& recorded) const {
    if (!familyOf(m_family).info().valuesMatter) return true;
    if (!m_hash.empty() && m_hash == recorded.input.hash) return true;
    return isGenerated(m_input) && isGenerated(recorded.input.name) &&
           kindOfValues(m_input) == kindOfValues(recorded.input.name);
}

bool RecordedTask::sameSize(const Report& recorded) const {
    const io::Shape &then = recorded.input.shape, &now = m_shape;
    return m_type.empty() || (then.width == now.width && then.height == now.height && then.depth == now.depth);
}

bool RecordedTask::matches(const Report& recorded, RecordedFigure figure) const {
    if (recorded.family != m_family || (!m_device.empty() && recorded.device.name != m_device)) return false;
    if (m_type.empty()) return recorded.input.name == m_input && sameParameters(recorded);
    const io::Shape& then = recorded.input.shape;
    if (recorded.input.type != m_type || then.channels != m_shape.channels || (then.depth > 1) != (m_shape.depth > 1) ||
        !sameParameters(recorded))
        return false;
    const bool anySize = figure != RecordedFigure::time,
               anyValues = figure == RecordedFigure::launch || figure == RecordedFigure::table;
    return (anySize || sameSize(recorded)) && (anyValues || sameValues(recorded));
}

std::string RecordedSource::label() const {
    return m_report->device.name + ", " + m_report->environment.date.substr(0, 10) + ", " +
           extents(m_report->input.shape) + " " + m_report->input.type;
}

const RunRecord* RecordedSource::run(const std::string& variant, const TunableValues& tunables) const {
    const Variant* declared = findVariant(m_report->family, variant);
    if (declared == nullptr) return nullptr;
    for (const ReportRun& run : m_report->runs)
        if (run.record.variant == variant && !run.record.choice &&
            sameTunables(*declared, run.record.tunables, tunables))
            return &run.record;
    return nullptr;
}

const Timing* RecordedSource::time(const std::string& variant, const TunableValues& tunables) const {
    const RunRecord* found = run(variant, tunables);
    return found != nullptr && isRightOnAGpu(*found) ? &*found->time : nullptr;
}

std::vector<RecordedSource> RecordedRuns::of(const RecordedTask& task, RecordedFigure figure) const {
    std::vector<RecordedSource> found;
    for (const Report& report : m_reports)
        if (task.matches(report, figure)) found.emplace_back(report, task.sameSize(report));
    const auto away = [&](const RecordedSource& source) {
        const double then = static_cast<double>(source.report().input.shape.values());
        return task.m_type.empty()
                   ? 0.0
                   : std::fabs(std::log(then / std::max(1.0, static_cast<double>(task.m_shape.values()))));
    };
    std::ranges::stable_sort(found, [&](const RecordedSource& a, const RecordedSource& b) {
        const double near = away(a), far = away(b);
        return near != far ? near < far : a.report().environment.date > b.report().environment.date;
    });
    return found;
}

const Report* RecordedRuns::withLimits(const std::string& device) const {
    const Report* newest = nullptr;
    for (const Report& report : m_reports)
        if (report.limits && (device.empty() || report.device.name == device) &&
            (newest == nullptr || report.environment.date > newest->environment.date))
            newest = &report;
    return newest;
}

RecordedRuns loadRecorded(const std::filesystem::path& folder) {
    std::vector<Report> reports;
    std::vector<std::string> problems;
    for (const auto& path : jsonFiles(folder)) {
        try {
            for (Report& report : loadReports(path.string())) {
                const bool named =
                    report.device.ranks() && !report.device.name.empty() && report.environment.date.size() >= 10;
                if (named) {
                    reports.push_back(std::move(report));
                } else {
                    problems.push_back(path.string() +
                                       ": a recorded run names its GPU and its date; this report does not");
                }
            }
        } catch (const io::Error& error) {
            problems.emplace_back(error.what());
        }
    }
    return RecordedRuns(std::move(reports), std::move(problems));
}

std::optional<RecordedSource> recordedBeside(const Report& report, const RecordedRuns* runs) {
    if (runs == nullptr || findFamily(report.family) == nullptr) return std::nullopt;
    for (const RecordedSource& source : runs->of(RecordedTask(report), RecordedFigure::time)) {
        const bool any =
            std::ranges::any_of(report.runs, [&](const ReportRun& run) { return source.time(run.record) != nullptr; });
        if (any && source.report().device.name != report.device.name) return source;
    }
    return std::nullopt;
}

}  // namespace warplens::gpu
