// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/report/reading.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <stdexcept>

namespace warplens::gpu {

namespace {

using fields::Json;
using namespace fields::reading;

LaunchFacts launch(const Json& json) {
    LaunchFacts facts;
    json.at("grid").get_to(facts.grid);
    json.at("block").get_to(facts.block);
    facts.registers = integer(json, "registers");
    facts.sharedBytes = json.at("shared_bytes").get<std::int64_t>();
    facts.occupancy = real(json, "occupancy");
    facts.kernels = json.at("kernels").get<int>();
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
std::shared_ptr<const Evolution> evolution(const Json& json) {
    if (!json.contains("evolution") || json.at("evolution").is_null()) return nullptr;
    const Json& found = json.at("evolution");
    auto evolution = std::make_shared<Evolution>();
    evolution->iterations = found.at("iterations").get<std::int64_t>();
    evolution->stopped = found.at("stopped").get<std::string>();
    for (const Json& point : found.at("residuals")) {
        evolution->residuals.push_back({point.at("iteration").get<std::int64_t>(), real(point, "max_change")});
    }
    return evolution;
}

/// Copy in reports of earlier versions, which knew no other.
Traffic traffic(const Json& work) {
    return work.contains("traffic") ? named(work, "traffic", {Traffic::copy, Traffic::read, Traffic::write})
                                    : Traffic::copy;
}

ReportRun run(const Json& json, const std::string& family) {
    ReportRun run;
    RunRecord& record = run.record;
    record.family = family;
    record.variant = json.at("variant").get<std::string>();
    record.kind = json.at("kind").get<std::string>() == "library" ? Variant::Kind::library : Variant::Kind::kernel;
    record.runsOn = json.at("runs_on").get<std::string>();
    record.status = named(json, "status", {Status::ok, Status::wrong, Status::failed, Status::unsupported});
    record.reason = text(json, "reason");
    // Absent in reports of earlier versions.
    if (json.contains("choice") && !json.at("choice").is_null()) {
        const Json& choice = json.at("choice");
        record.choice = Choice{
            .variant = text(choice, "variant"),
            .source = named(choice, "source", {Choice::Source::cache, Choice::Source::table, Choice::Source::order}),
            .why = text(choice, "why")};
    }
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
    std::shared_ptr<HistogramResult> histogram;
    for (const Json& channel : json.at("result")) {
        if (channel.contains("bins")) {
            if (histogram == nullptr) histogram = std::make_shared<HistogramResult>();
            histogram->edges = {real(channel, "low"), real(channel, "high")};
            histogram->channels.push_back(
                {text(channel, "channel"), channel.at("bins").get<std::vector<std::int64_t>>(),
                 channel.at("below").get<std::int64_t>(), channel.at("above").get<std::int64_t>(),
                 channel.at("nan").get<std::int64_t>()});
            continue;
        }
        run.result.push_back({optional<double>(channel, "min"), optional<double>(channel, "max"),
                              optional<double>(channel, "mean"), channel.at("nonfinite").get<std::int64_t>()});
    }
    record.result.histogram = std::move(histogram);
    record.result.evolution = evolution(json);
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
