// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/recorded.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/sweep_document.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
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

double pixels(const Report& report) {
    const io::Shape& shape = report.input.shape;
    return static_cast<double>(shape.width) * static_cast<double>(shape.height) * static_cast<double>(shape.depth);
}

/// A parameter that came after the recording had its default then.
bool sameParameters(const Report& recorded, const Report& report) {
    const auto& declared = familyOf(report.family).parameters();
    const auto known = [&](const std::string& id) { return report.parameters.contains(id); };
    for (const auto& [id, value] : recorded.parameters) {
        if (!known(id)) return false;
    }
    for (const auto& [id, value] : report.parameters) {
        const auto then = recorded.parameters.find(id);
        const bool declaredHere =
            std::any_of(declared.begin(), declared.end(), [&id = id](const Parameter& p) { return p.id == id; });
        if (then == recorded.parameters.end() && !declaredHere) return false;
        const auto& old = then != recorded.parameters.end() ? then->second : valueOf(declared, {}, id);
        if (format(old) != format(value)) return false;
    }
    return true;
}

/// Which values a picture has, without its size and type: "gradient:axis=xy" of "gen:gradient:64x64:u8:axis=xy",
/// "gradient" of "gradient-u8.npy".
std::string kindOfValues(const std::string& name) {
    constexpr std::string_view kGenerated = "gen:";
    if (!name.starts_with(kGenerated)) {
        const std::string file = name.substr(name.rfind('/') + 1);
        return file.substr(0, file.find_first_of("-."));
    }
    std::string kind;
    int part = 0;
    for (std::size_t from = kGenerated.size(); from <= name.size(); ++part) {
        const std::size_t end = std::min(name.find(':', from), name.size());
        if (part != 1 && part != 2) kind += (part == 0 ? "" : ":") + name.substr(from, end - from);
        from = end + 1;
    }
    return kind;
}

/// How far a recorded run is from what is asked, the most telling difference first: a kernel treats a volume otherwise
/// than a picture, and the time of some depends on the values.
std::tuple<bool, bool, bool, double> distance(const Report& recorded, const Report& asked) {
    const bool otherExtent = (recorded.input.shape.depth > 1) != (asked.input.shape.depth > 1);
    const bool otherChannels = recorded.input.shape.channels != asked.input.shape.channels;
    const Family* family = findFamily(asked.family);
    const bool otherValues = family != nullptr && family->info().valuesMatter &&
                             kindOfValues(recorded.input.name) != kindOfValues(asked.input.name);
    return {otherExtent, otherChannels, otherValues,
            std::fabs(std::log(pixels(recorded) / std::max(1.0, pixels(asked))))};
}

}  // namespace

RecordedRuns loadRecorded(const std::filesystem::path& folder) {
    RecordedRuns runs;
    for (const auto& path : jsonFiles(folder)) {
        try {
            for (Report& report : loadReports(path.string())) {
                const bool named =
                    report.device.ranks() && !report.device.name.empty() && report.environment.date.size() >= 10;
                if (named) {
                    runs.reports.push_back(std::move(report));
                } else {
                    runs.problems.push_back(path.string() +
                                            ": a recorded run names its GPU and its date; this report does not");
                }
            }
        } catch (const io::Error& error) {
            runs.problems.emplace_back(error.what());
        }
    }
    return runs;
}

std::vector<const Report*> recordedLike(const RecordedRuns& runs, const Report& report) {
    std::vector<const Report*> like;
    for (const Report& candidate : runs.reports)
        if (candidate.family == report.family && sameParameters(candidate, report)) like.push_back(&candidate);
    std::stable_sort(like.begin(), like.end(), [&](const Report* a, const Report* b) {
        const auto near = distance(*a, report), far = distance(*b, report);
        return near != far ? near < far : a->environment.date > b->environment.date;
    });
    return like;
}

const Report* findRecorded(const RecordedRuns& runs, const Report& report) {
    const auto like = recordedLike(runs, report);
    return like.empty() ? nullptr : like.front();
}

}  // namespace warplens::gpu
