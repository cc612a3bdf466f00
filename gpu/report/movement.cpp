// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/movement.hpp"

#include "gpu/report/fields.hpp"
#include "gpu/report/figures.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu {
namespace {

using fields::Json;

const std::string& titleOf(const MovementRow& row) {
    return std::ranges::find(movementWays(), row.way, &TransferStrategy::id)->title;
}

/// Of both directions together: what did not hide behind the busiest engine.
double exposedMs(const TransferBenchmark& movement, const MovementRow& row) {
    double sum = 0;
    for (const StageShare& stage : stageShares(timelineOf(movement, row))) sum += stage.exposedSeconds;
    return sum * 1e3;
}

double rate(double gigabytes, double ms) { return ms > 0 ? gigabytes / ms * 1e3 : 0; }

std::string resultOf(const MovementRow& row) {
    return row.status == Status::ok ? "bits equal" : std::string(nameOf(row.status)) + ": " + row.reason;
}

Json rowJson(const TransferBenchmark& movement, const MovementRow& row) {
    const bool ok = row.status == Status::ok;
    Json json{{"way", row.way}, {"status", nameOf(row.status)}, {"reason", fields::textOrNull(row.reason)}};
    json["samples_ms"] = row.ms;
    json["median_ms"] = ok ? Json(row.medianMs) : Json(nullptr);
    json["upload_gbs"] = ok ? Json(rate(movement.gigabytes(movement.sentBytes), row.medianMs)) : Json(nullptr);
    json["download_gbs"] = ok ? Json(rate(movement.gigabytes(movement.madeBytes), row.medianMs)) : Json(nullptr);
    json["exposed_ms"] = ok ? Json(exposedMs(movement, row)) : Json(nullptr);
    Json stages = Json::array();
    if (ok) {
        for (const StageShare& stage : stageShares(timelineOf(movement, row)))
            stages.push_back({{"name", stage.name},
                              {"workers", stage.workers},
                              {"busy_ms", stage.busySeconds * 1e3},
                              {"exposed_ms", stage.exposedSeconds * 1e3}});
    }
    json["stages"] = stages;
    return json;
}

}  // namespace

std::string movementTitle(const TransferBenchmark& movement) {
    return std::to_string(movement.pictures) + (movement.pictures == 1 ? " picture of " : " pictures of ") +
           byteSize(movement.sentBytes) + " through " + movement.family + ", " + movement.variant + ", on " +
           movement.device.name;
}

TextTable movementTable(const TransferBenchmark& movement) {
    const double floor = floorOf(movement);
    TextTable table{.title = movementTitle(movement),
                    .columns = {{"Way", {}, false},
                                {"Total ms", Origin::measured, true},
                                {"Up GB/s", Origin::measured, true},
                                {"Down GB/s", Origin::measured, true},
                                {"Exposed ms", Origin::measured, true},
                                {"Of the floor", Origin::modelled, true},
                                {"Result", {}, false}},
                    .rows = {},
                    .notes = {}};
    for (const MovementRow& row : movement.rows) {
        const bool ok = row.status == Status::ok;
        table.rows.push_back({row.way, ok ? threeDigits(row.medianMs) : "",
                              ok ? threeDigits(rate(movement.gigabytes(movement.sentBytes), row.medianMs)) : "",
                              ok ? threeDigits(rate(movement.gigabytes(movement.madeBytes), row.medianMs)) : "",
                              ok ? threeDigits(exposedMs(movement, row)) : "",
                              ok && floor > 0 ? threeDigits(row.medianMs / floor) : "", resultOf(row)});
    }
    table.notes.push_back(
        "Total: the median from the first call until every result is on the host, by the host's "
        "steady clock. Exposed: an engine works while the busiest one does not, in a further run whose "
        "stages are timed one by one, which takes a little longer.");
    if (floor > 0) {
        const LinkRates link = linkOf(movement);
        table.notes.push_back("Floor (modelled): " + threeDigits(floor) +
                              " ms, the busier direction at the fastest copy seen, " + threeDigits(link.up) +
                              " GB/s up and " + threeDigits(link.down) + " GB/s down.");
    }
    if (!movement.device.ranks())
        table.notes.push_back(
            "On the CPU device all memory is the same and copies are the CPU's own: what wins here says "
            "nothing about a GPU.");
    return table;
}

std::string movementText(const TransferBenchmark& movement) { return toText(movementTable(movement)); }

Timeline timelineOf(const TransferBenchmark& movement, const MovementRow& row) {
    Timeline timeline{.seconds = row.seconds,
                      .done = row.items.size(),
                      .clock = movement.device.ranks() ? "the device's events" : "host's steady clock"};
    for (const MovementItem& item : row.items) {
        timeline.items.push_back(item.name);
        timeline.bytes.push_back(item.bytes);
    }
    for (const MovementEngine engine : {MovementEngine::upload, MovementEngine::kernel, MovementEngine::download,
                                        MovementEngine::graph, MovementEngine::hostReads}) {
        int lanes = 0;
        for (const MovementSpan& span : row.spans) {
            if (span.engine != engine) continue;
            timeline.spans.push_back({span.item, timeline.stages.size(), span.lane, span.begin, span.end});
            lanes = std::max(lanes, span.lane + 1);
        }
        if (lanes > 0) timeline.stages.push_back({nameOf(engine), lanes});
    }
    return timeline;
}

std::vector<NamedTimeline> timelinesOf(const TransferBenchmark& movement) {
    std::vector<NamedTimeline> list;
    for (const MovementRow& row : movement.rows)
        if (row.status == Status::ok) list.push_back({titleOf(row), timelineOf(movement, row)});
    return list;
}

std::string toJson(const TransferBenchmark& movement) {
    const LinkRates link = linkOf(movement);
    const auto known = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
    Json rows = Json::array();
    for (const MovementRow& row : movement.rows) rows.push_back(rowJson(movement, row));
    const Json document{{"warplens", movement.environment.version},
                        {"environment", fields::toJson(movement.environment)},
                        {"device", fields::toJson(movement.device)},
                        {"origins",
                         {{"samples_ms", "measured"},
                          {"median_ms", "measured"},
                          {"upload_gbs", "measured"},
                          {"download_gbs", "measured"},
                          {"exposed_ms", "measured"},
                          {"busy_ms", "measured"},
                          {"link", "measured"},
                          {"floor_ms", "modelled"}}},
                        {"family", movement.family},
                        {"parameters", fields::toJson(movement.parameters)},
                        {"variant", movement.variant},
                        {"tunables", movement.tunables},
                        {"input", movement.inputName},
                        {"pictures", movement.pictures},
                        {"sent_bytes", movement.sentBytes},
                        {"made_bytes", movement.madeBytes},
                        {"link", {{"upload_gbs", known(link.up)}, {"download_gbs", known(link.down)}}},
                        {"floor_ms", known(floorOf(movement))},
                        {"interrupted", movement.interrupted},
                        {"rows", rows}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warplens::gpu
