// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/sweep_document.hpp"

#include "gpu/core/json_reason.hpp"
#include "gpu/report/reading.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>

namespace warplens::gpu {

using fields::Json;

namespace {

constexpr auto kReplace = Json::error_handler_t::replace;

SweepCell cellOf(const Json& json) {
    using namespace fields::reading;
    SweepCell cell{json.at("value").get<std::int64_t>(),
                   json.at("width").get<std::int64_t>(),
                   json.at("height").get<std::int64_t>(),
                   {}};
    for (const Json& run : json.at("runs")) {
        SweepRow row;
        row.id = key(run).id();
        row.status = named(run, "status", {Status::ok, Status::wrong, Status::failed, Status::unsupported});
        row.reason = text(run, "reason");
        row.note = text(run, "note");
        if (const Json& time = run.at("time"); !time.is_null()) row.time = fields::timingOf(time);
        cell.rows.push_back(std::move(row));
    }
    return cell;
}

Json toJson(const SweepCell& cell) {
    Json runs = Json::array();
    for (const SweepRow& row : cell.rows) {
        runs.push_back({{"variant", variantIn(row.id)},
                        {"id", row.id},
                        {"status", nameOf(row.status)},
                        {"reason", fields::textOrNull(row.reason)},
                        {"time", row.time ? fields::toJson(*row.time) : Json(nullptr)},
                        {"note", fields::textOrNull(row.note)}});
    }
    return {{"value", cell.value}, {"width", cell.width}, {"height", cell.height}, {"runs", runs}};
}

Sweep sweepOf(const Json& json) {
    Sweep sweep;
    json.at("warplens").get_to(sweep.version);
    sweep.environment = fields::environmentOf(json.at("environment"), sweep.version);
    sweep.device = fields::deviceOf(json.at("device"));
    sweep.limits = fields::limitsOf(json.at("limits"));
    json.at("family").get_to(sweep.family);
    json.at("parameter").get_to(sweep.parameter);
    sweep.parameters = fields::valuesOf(json.at("parameters"));
    json.at("input").get_to(sweep.input);
    json.at("type").get_to(sweep.type);
    json.at("values").get_to(sweep.values);
    for (const Json& size : json.at("sizes"))
        sweep.sizes.push_back({size.at("width").get<std::int64_t>(), size.at("height").get<std::int64_t>()});
    json.at("variants").get_to(sweep.variants);
    json.at("interrupted").get_to(sweep.interrupted);
    for (const Json& cell : json.at("cells")) sweep.cells.push_back(cellOf(cell));
    return sweep;
}

}  // namespace

std::string toJson(const Sweep& sweep) {
    Json sizes = Json::array();
    for (const auto& [width, height] : sweep.sizes) sizes.push_back({{"width", width}, {"height", height}});
    // A line a cell: they are many.
    std::string cells;
    for (const SweepCell& cell : sweep.cells)
        cells += (cells.empty() ? "\n    " : ",\n    ") + toJson(cell).dump(-1, ' ', false, kReplace);
    const Json json{
        {"warplens", sweep.version},
        {"environment", fields::toJson(sweep.environment)},
        {"device", fields::toJson(sweep.device)},
        {"limits", fields::toJson(sweep.limits)},
        {"origins",
         {{"time", "measured"}, {"limits", "measured"}, {"device", "reported"}, {"environment", "reported"}}},
        {"family", sweep.family},
        {"parameter", sweep.parameter},
        {"parameters", fields::toJson(sweep.parameters)},
        {"input", sweep.input},
        {"type", sweep.type},
        {"values", sweep.values},
        {"sizes", sizes},
        {"variants", sweep.variants},
        {"interrupted", sweep.interrupted},
    };
    std::string text = json.dump(2, ' ', false, kReplace);
    text.resize(text.size() - 2);  // the line break and the brace
    return text + ",\n  \"cells\": [" + cells + "\n  ]\n}\n";
}

Sweep parseSweep(const std::string& json, const std::string& where) {
    const auto refuse = [&where](const std::string& why) {
        return io::Error(io::Error::Kind::unreadable,
                         where + ": not a sweep of Warplens: " + why + "; give a file that warplens-cli sweep wrote");
    };
    const Json document = Json::parse(json, nullptr, false);
    if (document.is_discarded()) throw refuse("it is not JSON");
    try {
        return sweepOf(document);
    } catch (const Json::exception& error) {
        throw refuse(reasonOf(error));
    } catch (const std::runtime_error& error) {
        throw refuse(error.what());
    }
}

Sweep loadSweep(const std::string& path) { return parseSweep(io::readText(path), path); }

std::vector<StoredSweep> loadSweeps(const std::filesystem::path& folder, std::vector<std::string>& problems) {
    std::vector<StoredSweep> sweeps;
    std::error_code failed;
    std::filesystem::recursive_directory_iterator at(folder, failed);
    while (!failed && at != std::filesystem::recursive_directory_iterator()) {
        if (const std::filesystem::path& path = at->path(); path.string().ends_with(kSweepEnding)) {
            try {
                sweeps.push_back({path, loadSweep(path.string())});
            } catch (const io::Error& error) {
                problems.emplace_back(error.what());
            }
        }
        at.increment(failed);
    }
    std::ranges::sort(sweeps, {}, &StoredSweep::path);
    return sweeps;
}

}  // namespace warplens::gpu
