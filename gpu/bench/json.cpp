// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/result.hpp"
#include "gpu/bench/shares.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/run/tuning/fields.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <functional>

namespace warplens::gpu::bench {
namespace {

using fields::Json;

Json goalJson(const Goal& goal, const CaseResult& one, const Result& all) {
    const Outcome outcome = judge(goal, one, all);
    Json json{{"what", goal.what}, {"rows", goal.rows}, {"metric", nameOf(goal.metric)}};
    json[isCeiling(goal.metric) ? "at_most" : "at_least"] = goal.value;
    if (!goal.other.empty()) json["case"] = goal.other;
    json["stretch"] = goal.stretch;
    json["variant"] = outcome.run == nullptr ? Json(nullptr) : Json(outcome.run->record.variant);
    json["reached"] = fields::number(outcome.reached);
    json["met"] = outcome.met;
    return json;
}

Json rowJson(const Report& report, const ReportRun& run) {
    const Floors floors = floorsOf(report, run);
    const auto share = shareOfLimit(report, run);
    const auto positive = [](double value) { return value > 0 ? fields::number(value) : Json(nullptr); };
    return {{"variant", run.record.variant},
            {"memory_floor_ms", positive(floors.memoryMs)},
            {"compute_floor_ms", positive(floors.arithmeticMs)},
            {"percent", share ? fields::number(share->percent) : Json(nullptr)},
            {"binds", share ? Json(nameOfLimit(report, *share)) : Json(nullptr)},
            {"gcells", fields::number(gcellsOf(report, run))}};
}

Json variantOrNull(const ReportRun* run) { return run == nullptr ? Json(nullptr) : Json(run->record.variant); }

Json caseJson(const CaseResult& one, const Result& all) {
    Json json{{"id", one.what.id},
              {"suite", one.what.suite},
              {"title", one.what.title},
              {"problem", fields::textOrNull(one.problem)},
              {"traits", tuning::toJson(one.traits)},
              {"best", nullptr},
              {"best_peer", nullptr},
              {"auto", nullptr},
              {"goals", Json::array()},
              {"of_limit", Json::array()},
              {"report", nullptr}};
    if (all.hasGoals()) {
        for (const Goal& goal : one.what.goals) json["goals"].push_back(goalJson(goal, one, all));
    }
    if (!one.report) return json;
    if (const ReportRun* chosen = autoRow(*one.report))
        json["auto"] = chosen->record.choice ? Json(chosen->record.choice->variant) : Json(nullptr);
    // CPU time ranks nothing.
    if (all.device.ranks()) json["best"] = variantOrNull(fastest(*one.report, Variant::Kind::kernel));
    json["best_peer"] = variantOrNull(bestPeer(*one.report));
    for (const ReportRun& run : one.report->runs) json["of_limit"].push_back(rowJson(*one.report, run));
    json["report"] = fields::toJson(*one.report);
    return json;
}

Json quartilesJson(const std::optional<Shares::Quartiles>& q) {
    if (!q) return nullptr;
    return {{"tasks", q->tasks}, {"q1", q->q1}, {"median", q->median}, {"q3", q->q3}, {"binds", q->binds}};
}

/// Null where times rank nothing.
Json sharesJson(const Result& result) {
    const auto shares = sharesOf(result);
    if (!shares) return nullptr;
    Json off = Json::array();
    for (const Shares::Off& one : shares->off)
        off.push_back({{"case", one.id}, {"auto", one.chosen}, {"best", one.best}, {"factor", one.factor}});
    Json races = nullptr;
    if (shares->races)
        races = {{"tasks", shares->races->tasks},
                 {"median_kernel_ms", shares->races->medianKernelMs},
                 {"most_kernel_ms", shares->races->mostKernelMs},
                 {"median_wall_ms", shares->races->medianWallMs},
                 {"most_wall_ms", shares->races->mostWallMs}};
    return {{"tasks", shares->tasks},
            {"auto", {{"tasks", shares->withAuto}, {"within_5_percent", shares->near}, {"off", off}, {"races", races}}},
            {"peers",
             {{"tasks", shares->withPeer},
              {"ahead", shares->ahead},
              {"same", shares->same},
              {"behind", shares->behind},
              {"best_peers", shares->peers}}},
            {"percent_of_limit",
             {{"all", quartilesJson(shares->ofLimit)}, {"above_4_mpx", quartilesJson(shares->ofLimitLarge)}}}};
}

Goal goalOf(const Json& json) {
    Goal goal{.what = json.at("what"), .rows = json.at("rows").get<std::vector<std::string>>()};
    const auto metric = json.at("metric").get<std::string>();
    for (const Metric known :
         {Metric::medianMs, Metric::stepUs, Metric::gbs, Metric::gcells, Metric::percentOfLimit, Metric::timesCase}) {
        if (metric == nameOf(known)) goal.metric = known;
    }
    goal.value = json.at(isCeiling(goal.metric) ? "at_most" : "at_least").get<double>();
    goal.other = json.value("case", std::string());
    goal.stretch = json.at("stretch").get<bool>();
    return goal;
}

CaseResult caseOf(const Json& json) {
    CaseResult one;
    one.what.id = json.at("id").get<std::string>();
    one.what.suite = json.at("suite").get<std::string>();
    one.what.title = json.at("title").get<std::string>();
    if (!json.at("problem").is_null()) one.problem = json.at("problem").get<std::string>();
    if (json.contains("traits")) one.traits = tuning::traitsOf(json.at("traits"));
    for (const Json& goal : json.at("goals")) one.what.goals.push_back(goalOf(goal));
    if (json.at("report").is_null()) return one;
    one.report = fields::reportOf(json.at("report"));
    one.what.input = one.report->input.name;
    one.what.family = one.report->family;
    one.what.parameters = one.report->parameters;
    return one;
}

/// Runs `read` on the parsed text; what it throws becomes an io::Error that begins with `where`.
template <class Read>
void reading(const std::string& text, const std::string& where, const std::string& what, Read read) {
    const auto refuse = [&](const std::string& why) {
        return io::Error(io::Error::Kind::unreadable, where + ": not " + what + ": " + why);
    };
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) throw refuse("it is not JSON");
    try {
        read(document);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw refuse(reasonOf(error));
    }
}

}  // namespace

std::string toJson(const Result& result) {
    Json named = Json::object();
    for (const auto& [field, origin] : origins()) named[field] = nameOf(origin);
    named["of_limit"] = nameOf(Origin::modelled);
    if (result.drawn) {
        named["shares"] = nameOf(Origin::measured);
        named["shares.percent_of_limit"] = nameOf(Origin::modelled);
    }
    Json cases = Json::array();
    for (const CaseResult& one : result.cases) cases.push_back(caseJson(one, result));
    Json json{{"warplens", result.version},
              {"environment", fields::toJson(result.environment)},
              {"device", fields::toJson(result.device)},
              {"limits", fields::toJson(result.limits)},
              {"origins", named},
              {"goals_on", result.goalsOn},
              {"scale", result.scale},
              {"peers", result.peers},
              {"interrupted", result.interrupted},
              {"cases", cases}};
    if (result.drawn) {
        json["drawn"] = {
            {"seed", result.drawn->seed}, {"cases", result.drawn->cases}, {"largest_bytes", result.drawn->largest}};
        json["shares"] = sharesJson(result);
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result parseResult(const std::string& text, const std::string& where) {
    Result result;
    reading(text, where, "the JSON of a benchmark (warplens-cli bench --report NAME.json)", [&](const Json& json) {
        result.version = json.at("warplens").get<std::string>();
        result.environment = fields::environmentOf(json.at("environment"), result.version);
        result.device = fields::deviceOf(json.at("device"));
        result.limits = fields::limitsOf(json.at("limits"));
        result.goalsOn = json.at("goals_on").get<std::string>();
        result.scale = json.at("scale").get<int>();
        result.peers = json.at("peers").get<std::vector<std::string>>();
        result.interrupted = json.at("interrupted").get<bool>();
        if (json.contains("drawn")) {
            const Json& drawn = json.at("drawn");
            result.drawn = {.seed = drawn.at("seed").get<std::uint64_t>(),
                            .cases = drawn.at("cases").get<int>(),
                            .largest = drawn.at("largest_bytes").get<std::int64_t>()};
        }
        for (const Json& one : json.at("cases")) result.cases.push_back(caseOf(one));
    });
    return result;
}

void mergePeers(Result& result, const std::string& text, const std::string& where) {
    reading(text, where, "a file of peers (scripts/bench-peers)", [&](const Json& json) {
        const auto gpu = json.at("device").at("name").get<std::string>();
        if (gpu != result.device.name)
            throw Error(Error::Kind::argument, where + ": measured on " + gpu + ", not on " + result.device.name);
        if (const auto scale = json.at("scale").get<int>(); scale != result.scale)
            throw Error(Error::Kind::argument, where + ": measured at scale " + std::to_string(scale) + ", not " +
                                                   std::to_string(result.scale));
        const auto peers = json.at("peers").get<std::string>();
        if (std::ranges::find(result.peers, peers) == result.peers.end()) result.peers.push_back(peers);
        for (const Json& one : json.at("cases")) {
            const auto id = one.at("id").get<std::string>();
            const auto found = std::find_if(result.cases.begin(), result.cases.end(),
                                            [&](const CaseResult& c) { return c.what.id == id; });
            if (found == result.cases.end() || !found->report) continue;
            for (const Json& row : one.at("runs")) {
                ReportRun run = fields::runOf(row, found->report->family);
                if (run.record.kind != Variant::Kind::library)
                    throw std::runtime_error("row " + run.record.variant + " is not a library");
                // Of files that overlap the last one says it.
                std::erase_if(found->report->runs,
                              [&](const ReportRun& r) { return r.record.id() == run.record.id(); });
                found->report->runs.push_back(std::move(run));
            }
        }
    });
}

}  // namespace warplens::gpu::bench
