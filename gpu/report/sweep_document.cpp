// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/sweep_document.hpp"

#include "gpu/core/json_reason.hpp"
#include "gpu/report/reading.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <algorithm>

namespace warplens::gpu {

using fields::Json;

namespace {

constexpr auto kReplace = Json::error_handler_t::replace;

using Kind = SweepAxis::Kind;

std::string sizeText(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + "x" + std::to_string(height);
}

/// What versions before 0.2 could sweep: a whole number over the size. They read such a sweep of ours, too.
bool isPlain(const Sweep& sweep) {
    if (sweep.axes.size() != 2 || sweep.axes[0].kind != Kind::parameter || sweep.axes[1].kind != Kind::size)
        return false;
    return std::ranges::all_of(sweep.axes[0].values, [](const std::string& value) {
        return io::parseNumber<std::int64_t>(value).has_value();
    });
}

SweepAxis axisOf(const Json& json) {
    using namespace fields::reading;
    return {named(json, "kind", {Kind::parameter, Kind::tunable, Kind::size, Kind::type}),
            json.at("id").get<std::string>(), json.at("values").get<std::vector<std::string>>()};
}

/// Axes, or the parameter and the sizes of an earlier version.
std::vector<SweepAxis> axesOf(const Json& json) {
    std::vector<SweepAxis> axes;
    if (json.contains("axes")) {
        for (const Json& axis : json.at("axes")) axes.push_back(axisOf(axis));
        if (axes.empty() || axes.size() > 2)
            throw std::runtime_error("it has " + std::to_string(axes.size()) + " axes");
        return axes;
    }
    axes = {{Kind::parameter, json.at("parameter").get<std::string>(), {}}, {Kind::size, "size", {}}};
    for (const Json& value : json.at("values")) axes[0].values.push_back(std::to_string(value.get<std::int64_t>()));
    for (const Json& size : json.at("sizes"))
        axes[1].values.push_back(sizeText(size.at("width").get<std::int64_t>(), size.at("height").get<std::int64_t>()));
    return axes;
}

SweepCell cellOf(const Json& json, const Sweep& sweep) {
    using namespace fields::reading;
    SweepCell cell{{}, json.at("width").get<std::int64_t>(), json.at("height").get<std::int64_t>(), {}};
    if (json.contains("at"))
        json.at("at").get_to(cell.at);
    else
        cell.at = {std::to_string(json.at("value").get<std::int64_t>()), sizeText(cell.width, cell.height)};
    if (cell.at.size() != sweep.axes.size()) throw std::runtime_error("a cell has another number of values than axes");
    for (std::size_t i = 0; i < cell.at.size(); ++i)
        if (sweep.axes[i].kind == Kind::tunable && !io::parseNumber<int>(cell.at[i]))
            throw std::runtime_error(sweep.axes[i].id + " of a cell is no whole number");
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

Json toJson(const SweepCell& cell, bool plain) {
    Json runs = Json::array();
    for (const SweepRow& row : cell.rows) {
        runs.push_back({{"variant", variantIn(row.id)},
                        {"id", row.id},
                        {"status", nameOf(row.status)},
                        {"reason", fields::textOrNull(row.reason)},
                        {"time", row.time ? fields::toJson(*row.time) : Json(nullptr)},
                        {"note", fields::textOrNull(row.note)}});
    }
    Json json{{"at", cell.at}};
    if (plain) json["value"] = *io::parseNumber<std::int64_t>(cell.at.front());
    json.update(Json{{"width", cell.width}, {"height", cell.height}, {"runs", runs}});
    return json;
}

Sweep sweepOf(const Json& json) {
    Sweep sweep;
    json.at("warplens").get_to(sweep.version);
    sweep.environment = fields::environmentOf(json.at("environment"), sweep.version);
    sweep.device = fields::deviceOf(json.at("device"));
    sweep.limits = fields::limitsOf(json.at("limits"));
    json.at("family").get_to(sweep.family);
    sweep.axes = axesOf(json);
    sweep.parameters = fields::valuesOf(json.at("parameters"));
    json.at("input").get_to(sweep.input);
    sweep.type = fields::reading::text(json, "type");
    for (const Json& size : json.at("sizes"))
        sweep.sizes.push_back({size.at("width").get<std::int64_t>(), size.at("height").get<std::int64_t>()});
    json.at("variants").get_to(sweep.variants);
    json.at("interrupted").get_to(sweep.interrupted);
    for (const Json& cell : json.at("cells")) sweep.cells.push_back(cellOf(cell, sweep));
    return sweep;
}

}  // namespace

std::string toJson(const Sweep& sweep) {
    Json sizes = Json::array();
    for (const auto& [width, height] : sweep.sizes) sizes.push_back({{"width", width}, {"height", height}});
    // A line a cell: they are many.
    const bool plain = isPlain(sweep);
    std::string cells;
    for (const SweepCell& cell : sweep.cells)
        cells += (cells.empty() ? "\n    " : ",\n    ") + toJson(cell, plain).dump(-1, ' ', false, kReplace);
    Json axes = Json::array();
    for (const SweepAxis& axis : sweep.axes)
        axes.push_back({{"id", axis.id}, {"kind", nameOf(axis.kind)}, {"values", axis.values}});
    Json json{
        {"warplens", sweep.version},
        {"environment", fields::toJson(sweep.environment)},
        {"device", fields::toJson(sweep.device)},
        {"limits", fields::toJson(sweep.limits)},
        {"origins",
         {{"time", "measured"}, {"limits", "measured"}, {"device", "reported"}, {"environment", "reported"}}},
        {"family", sweep.family},
        {"axes", axes},
    };
    if (plain) {
        json["parameter"] = sweep.axes[0].id;
        json["values"] = Json::array();
        for (const std::string& value : sweep.axes[0].values)
            json["values"].push_back(*io::parseNumber<std::int64_t>(value));
    }
    json.update(Json{{"parameters", fields::toJson(sweep.parameters)},
                     {"input", sweep.input},
                     {"type", fields::textOrNull(sweep.type)},
                     {"sizes", sizes},
                     {"variants", sweep.variants},
                     {"interrupted", sweep.interrupted}});
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
