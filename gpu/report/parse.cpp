// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/counts.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/report/reading.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <type_traits>

namespace warplens::gpu {

namespace {

using fields::Json;
using namespace fields::reading;

std::optional<Specialisation> specialisation(const Json& launch) {
    const auto found = launch.find("instance");  // earlier versions knew it not
    if (found == launch.end() || found->is_null()) return std::nullopt;
    return Specialisation{.used = found->at("kind") == "specialised",
                          .compileMs = real(*found, "compile_ms"),
                          .cached = found->at("cached").get<bool>(),
                          .readyMs = real(*found, "ready_ms"),
                          .reason = text(*found, "reason"),
                          .weights = found->value("weights_as_constants", false)};  // earlier versions knew it not
}

LaunchFacts launch(const Json& json) {
    LaunchFacts facts;
    json.at("grid").get_to(facts.grid);
    json.at("block").get_to(facts.block);
    facts.registers = integer(json, "registers");
    facts.sharedBytes = json.at("shared_bytes").get<std::int64_t>();
    facts.localBytes = optional<std::int64_t>(json, "local_bytes");  // earlier versions knew it not
    facts.occupancy = real(json, "occupancy");
    facts.kernels = json.at("kernels").get<int>();
    facts.special = specialisation(json);
    return facts;
}

Verification verification(const Json& json) {
    // null stands for an error that is not finite, which only a wrong result has.
    return {.maxAbsError = optional<double>(json, "max_abs_error").value_or(HUGE_VAL),
            .bound = real(json, "bound"),
            .checkedShare = real(json, "checked_share"),
            .mismatches = json.at("mismatches").get<std::int64_t>(),
            .firstMismatch = text(json, "first_mismatch"),
            .note = text(json, "note")};
}

/// Absent in reports of earlier versions.
Tables evolution(const Json& json) {
    if (!json.contains("evolution") || json.at("evolution").is_null()) return {};
    const Json& found = json.at("evolution");
    ConvergenceHistory evolution;
    evolution.iterations = found.at("iterations").get<std::int64_t>();
    evolution.stopped = found.at("stopped").get<std::string>();
    for (const Json& point : found.at("residuals")) {
        evolution.residuals.push_back({point.at("iteration").get<std::int64_t>(), real(point, "max_change")});
    }
    return tablesOf(evolution);
}

/// Counts with the outermost edges alone, as a document keeps them for each channel. Empty where there are none.
Tables counts(const Json& result) {
    BinnedCounts counts;
    for (const Json& channel : result) {
        if (!channel.contains("bins")) continue;
        auto bins = channel.at("bins").get<std::vector<std::int64_t>>();
        if (bins.empty()) throw std::runtime_error("result has a channel without bins");
        counts.edges.assign(bins.size() + 1, std::numeric_limits<double>::quiet_NaN());
        counts.edges.front() = real(channel, "low");
        counts.edges.back() = real(channel, "high");
        counts.channels.push_back({text(channel, "channel"), std::move(bins), channel.at("below").get<std::int64_t>(),
                                   channel.at("above").get<std::int64_t>(), channel.at("nan").get<std::int64_t>()});
        if (counts.channels.back().bins.size() != counts.channels.front().bins.size())
            throw std::runtime_error("result has channels with different numbers of bins");
    }
    return counts.channels.empty() ? Tables{} : tablesOf(counts);
}

template <class T>
std::vector<T> cells(const Json& rows, std::size_t column) {
    std::vector<T> values;
    for (const Json& row : rows) {
        const Json& cell = row.at(column);
        if constexpr (std::is_same_v<T, double>)
            values.push_back(cell.is_null() ? std::numeric_limits<double>::quiet_NaN() : cell.get<double>());
        else
            values.push_back(cell.get<T>());
    }
    return values;
}

std::shared_ptr<const Table> table(const Json& json) {
    auto table = std::make_shared<Table>();
    table->id = json.at("id").get<std::string>();
    table->title = text(json, "title");
    for (const Json& found : json.at("columns")) {
        Column column{
            .id = found.at("id").get<std::string>(), .title = text(found, "title"), .unit = text(found, "unit")};
        const std::size_t index = table->columns.size();
        const auto type = found.at("type").get<std::string>();
        if (type == fields::kColumnTypes[0])
            column.values = cells<std::int64_t>(json.at("rows"), index);
        else if (type == fields::kColumnTypes[1])
            column.values = cells<double>(json.at("rows"), index);
        else
            column.values = cells<std::string>(json.at("rows"), index);
        table->columns.push_back(std::move(column));
    }
    const auto total = json.at("total_rows").get<std::size_t>();
    if (total < table->rows())
        throw std::runtime_error("table '" + table->id + "' has more rows than its \"total_rows\" says");
    table->omitted = total - table->rows();
    return table;
}

/// The cut rows of one table, then those that only the other has.
std::shared_ptr<const Table> continued(const Table& cut, const Table& whole) {
    auto table = std::make_shared<Table>(whole);
    for (Column& column : table->columns) {
        const Column* known = cut.find(column.id);
        if (known == nullptr || known->values.index() != column.values.index()) continue;
        std::visit(
            [&](auto& values) {
                const auto& first = std::get<std::decay_t<decltype(values)>>(known->values);
                std::copy_n(first.begin(), std::min(first.size(), values.size()), values.begin());
            },
            column.values);
    }
    return table;
}

/// Those of "tables"; what is missing there, or was cut, from the fields that documents had before there were tables.
Tables tables(const Json& json) {
    Tables tables;
    std::set<std::string> whole;
    if (json.contains("tables")) {
        for (const Json& found : json.at("tables")) {
            tables.push_back(table(found));
            if (tables.back()->omitted == 0) whole.insert(tables.back()->id);
        }
    }
    for (const Tables& earlier : {counts(json.at("result")), evolution(json)}) {
        for (const auto& one : earlier) {
            if (whole.contains(one->id)) continue;
            const auto cut = std::ranges::find(tables, one->id, [](const auto& t) { return t->id; });
            if (cut == tables.end())
                tables.push_back(one);
            else
                *cut = continued(**cut, *one);
        }
    }
    return tables;
}

/// Steps go forward from 0 to those that were done: nothing else may be said of them.
void checkSteps(const Tables& tables) {
    const auto evolution = evolutionOf(tables);
    if (!evolution) return;
    std::int64_t last = 0;
    for (const ResidualPoint& point : evolution->residuals) {
        if (point.iteration < last || point.iteration > evolution->iterations)
            throw std::runtime_error("evolution has a residual of step " + std::to_string(point.iteration) +
                                     " between " + std::to_string(last) + " and " +
                                     std::to_string(evolution->iterations));
        last = point.iteration;
    }
    if (evolution->iterations < 0)
        throw std::runtime_error("evolution has " + std::to_string(evolution->iterations) +
                                 " iterations, and must have 0 or more");
}

/// Copy in reports of earlier versions, which knew no other.
Traffic traffic(const Json& work) {
    return work.contains("traffic") ? named(work, "traffic", {Traffic::copy, Traffic::read, Traffic::write})
                                    : Traffic::copy;
}

RegionErrors regionErrors(const Json& json) {
    RegionErrors errors{.region = json.at("region").get<std::string>(),
                        .pixels = json.at("pixels").get<std::int64_t>(),
                        .notNearest = json.at("not_nearest").get<std::int64_t>(),
                        .maxUlp = real(json, "max_ulp"),
                        .meanUlp = real(json, "mean_ulp"),
                        .rmse = real(json, "rmse")};
    if (const Json& at = json.at("max_at"); !at.is_null()) {
        const auto place = at.get<std::array<std::int64_t, 3>>();
        errors.worst = PixelPlace{place[0], place[1], place[2]};
    }
    return errors;
}

Choice choiceOf(const Json& json) {
    using enum Choice::Source;
    Choice choice{.variant = text(json, "variant"),
                  .source = named(json, "source", {measured, cache, table, order}),
                  .why = text(json, "why")};
    if (!json.contains("race")) return choice;
    const Json& race = json.at("race");
    AutotuneResult& raced = choice.raced.emplace();
    raced.launches = race.at("launches").get<int>();
    raced.kernelMs = real(race, "kernel_ms");
    raced.wallMs = real(race, "wall_ms");
    for (const Json& row : race.at("rows"))
        raced.rows.push_back({.variant = text(row, "variant"),
                              .tunables = {},
                              .ms = real(row, "median_ms"),
                              .samples = row.at("samples").get<int>(),
                              .id = text(row, "id")});
    return choice;
}

SlabMap slabs(const Json& json) {
    SlabMap slabs;
    const auto along = json.at("along").get<std::string>();
    if (along != "x" && along != "y" && along != "z") throw std::runtime_error("slabs lie along \"" + along + "\"");
    slabs.axis = along.front() - 'x';
    slabs.lines = json.at("lines").get<std::int64_t>();
    slabs.each = json.at("each").get<std::int64_t>();
    slabs.halo = json.at("halo").get<std::int64_t>();
    slabs.devices = json.at("devices").get<std::vector<std::string>>();
    if (slabs.lines < 1 || slabs.each < 1 || slabs.each > slabs.lines || slabs.halo < 0 || slabs.devices.empty())
        throw std::runtime_error("slabs of " + std::to_string(slabs.each) + " of " + std::to_string(slabs.lines) +
                                 " lines, halo " + std::to_string(slabs.halo));
    std::int64_t next = 0;
    for (const Json& held : json.at("held")) {
        const SlabMap::Stretch one{held.at("device").get<std::size_t>(), held.at("first").get<std::int64_t>(),
                                   held.at("lines").get<std::int64_t>()};
        if (one.device >= slabs.devices.size() || one.first < next || one.lines < 1 ||
            one.lines > slabs.lines - one.first)
            throw std::runtime_error("slabs: lines " + std::to_string(one.first) + " on are held as " + held.dump());
        next = one.first + one.lines;
        slabs.held.push_back(one);
    }
    return slabs;
}

ReportRun run(const Json& json, const std::string& family) {
    ReportRun run;
    RunRecord& record = run.record;
    record.family = family;
    record.variant = json.at("variant").get<std::string>();
    record.chosen = key(json).chosen;
    record.kind = named(json, "kind", {Variant::Kind::kernel, Variant::Kind::library, Variant::Kind::portable});
    record.runsOn = json.at("runs_on").get<std::string>();
    record.status = named(json, "status", {Status::ok, Status::wrong, Status::failed, Status::unsupported});
    record.reason = text(json, "reason");
    // Absent in reports of earlier versions.
    if (json.contains("choice") && !json.at("choice").is_null()) record.choice = choiceOf(json.at("choice"));
    for (const auto& [id, value] : json.at("tunables").items()) record.tunables[id] = value.get<int>();
    if (const Json& time = json.at("time"); !time.is_null()) record.time = fields::timingOf(time);
    record.uploadMs = amount(json, "upload_ms");
    record.layoutMs = amount(json, "layout_ms");
    record.downloadMs = amount(json, "download_ms");
    record.bandwidthGbs = amount(json, "bandwidth_gbs");
    record.percentOfLimit = amount(json, "percent_of_limit");
    if (const Json& facts = json.at("launch"); !facts.is_null()) record.launch = launch(facts);
    if (const Json& check = json.at("verification"); !check.is_null()) record.verification = verification(check);
    if (const Json& counters = json.at("counters"); !counters.is_null()) record.counters = fields::countersOf(counters);
    for (const Json& channel : json.at("result")) {
        if (channel.contains("bins")) continue;
        run.result.push_back({optional<double>(channel, "min"), optional<double>(channel, "max"),
                              optional<double>(channel, "mean"), channel.at("nonfinite").get<std::int64_t>()});
    }
    // Absent in reports of earlier versions.
    if (json.contains("slabs") && !json.at("slabs").is_null()) record.slabs = slabs(json.at("slabs"));
    if (json.contains("display_ms")) run.displayMs = amount(json, "display_ms");
    if (json.contains("errors"))
        for (const Json& one : json.at("errors")) run.errors.push_back(regionErrors(one));
    record.result.tables = tables(json);
    checkSteps(record.result.tables);
    record.yours = json.contains("yours") && json.at("yours").get<bool>();
    if (json.contains("source")) run.source = json.at("source").get<std::string>();
    return run;
}

InputFacts input(const Json& json) {
    InputFacts facts;
    facts.name = json.at("name").get<std::string>();
    facts.shape = {json.at("width").get<std::int64_t>(), json.at("height").get<std::int64_t>(),
                   json.at("depth").get<std::int64_t>(), json.at("channels").get<int>()};
    facts.type = json.at("type").get<std::string>();
    facts.sourceType = json.at("source_type").get<std::string>();
    facts.format = text(json, "format");
    facts.bytes = json.at("bytes").get<std::int64_t>();
    facts.hash = json.at("hash").get<std::string>();
    // Reports of earlier versions have none.
    if (json.contains("notes")) facts.notes = json.at("notes").get<std::vector<std::string>>();
    return facts;
}

Report report(const Json& json) {
    Report report;
    report.version = json.at("warplens").get<std::string>();
    report.environment = fields::environmentOf(json.at("environment"), report.version);
    report.input = input(json.at("input"));
    report.family = json.at("family").get<std::string>();
    report.parameters = fields::valuesOf(json.at("parameters"));
    report.facts = json.at("facts").get<std::vector<std::string>>();
    report.device = fields::deviceOf(json.at("device"));
    report.limits = fields::limitsOf(json.at("limits"));
    const Json& work = json.at("work");
    report.work = {traffic(work), work.at("bytes_read").get<std::int64_t>(),
                   work.at("bytes_written").get<std::int64_t>(), real(work, "operations")};
    report.work.alongAxes = work.value("operations_along_axes", 0.0);
    report.plan = text(json, "plan");
    report.interrupted = json.at("interrupted").get<bool>();
    for (const Json& one : json.at("runs")) report.runs.push_back(run(one, report.family));
    return report;
}

}  // namespace

ReportRun fields::runOf(const Json& json, const std::string& family) { return run(json, family); }
Report fields::reportOf(const Json& json) { return report(json); }

namespace {

/// Runs `read` on the parsed text; what it throws becomes an io::Error that begins with `where`.
template <class Read>
auto reading(const std::string& json, const std::string& where, Read read) {
    const auto refuse = [&where](const std::string& why) {
        return io::Error(io::Error::Kind::unreadable,
                         where + ": not a Warplens report: " + why + "; give a file that --report NAME.json wrote");
    };
    const Json document = Json::parse(json, nullptr, false);
    if (document.is_discarded()) throw refuse("it is not JSON");
    try {
        return read(document);
    } catch (const Json::exception& error) {
        throw refuse(reasonOf(error));
    } catch (const std::runtime_error& error) {
        throw refuse(error.what());
    }
}

}  // namespace

Report parseReport(const std::string& json, const std::string& where) {
    return reading(json, where, [](const Json& document) { return report(document); });
}

Report loadReport(const std::string& path) { return parseReport(io::readText(path), path); }

std::vector<Report> loadReports(const std::string& path) {
    return reading(io::readText(path), path, [](const Json& document) {
        std::vector<Report> reports;
        if (!document.contains("cases")) return std::vector<Report>{report(document)};
        for (const Json& one : document.at("cases")) {
            if (one.at("report").is_null()) continue;
            reports.push_back(report(one.at("report")));
            std::erase_if(reports.back().runs, [](const ReportRun& run) { return run.record.variant == kAuto; });
        }
        return reports;
    });
}

}  // namespace warplens::gpu
