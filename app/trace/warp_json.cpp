// SPDX-License-Identifier: Apache-2.0
// One warp, or the film of a block, as a message, and back.
#include "app/trace/protocol.hpp"

#include <bit>
#include <initializer_list>
#include <stdexcept>

namespace warplens::trace_protocol {
namespace {

using gpu::AccessCount;

constexpr std::int64_t AccessCount::*kFields[] = {
    &AccessCount::requests,    &AccessCount::lanes,      &AccessCount::threadBytes, &AccessCount::sectors,
    &AccessCount::usefulBytes, &AccessCount::wavefronts, &AccessCount::words};

/// A request is one array: site, buffer, mask, the counts, then the offsets of the lanes that take part.
Json arrayOf(const gpu::WarpRequest& request) {
    Json array = {request.site, request.buffer, request.mask};
    for (const auto field : kFields) array.push_back(request.count.*field);
    array.push_back(request.count.worst);
    for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
        array.push_back(request.offset[static_cast<std::size_t>(std::countr_zero(left))]);
    }
    return array;
}

gpu::WarpRequest requestOf(const Json& array, std::size_t sites, std::size_t buffers) {
    gpu::WarpRequest request;
    std::size_t at = 0;
    request.site = array.at(at++).get<int>();
    request.buffer = array.at(at++).get<int>();
    request.mask = array.at(at++).get<std::uint32_t>();
    for (const auto field : kFields) request.count.*field = array.at(at++).get<std::int64_t>();
    request.count.worst = array.at(at++).get<int>();
    for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
        request.offset[static_cast<std::size_t>(std::countr_zero(left))] = array.at(at++).get<std::int64_t>();
    }
    const bool sound = request.site >= 0 && static_cast<std::size_t>(request.site) < sites && request.buffer >= -1 &&
                       request.buffer < static_cast<int>(buffers) && array.size() == at;
    if (!sound) throw std::runtime_error("a request of no warp");
    return request;
}

template <class Enum>
Enum named(const Json& json, std::initializer_list<Enum> all) {
    for (const Enum value : all) {
        if (json.get<std::string>() == nameOf(value)) return value;
    }
    throw std::runtime_error("no such access");
}

Json sitesOf(const std::vector<gpu::WarpSite>& all) {
    Json sites = Json::array();
    for (const auto& site : all) {
        sites.push_back({{"space", nameOf(site.space)},
                         {"operation", nameOf(site.operation)},
                         {"bytes", site.bytes},
                         {"file", site.file},
                         {"line", site.line},
                         {"stack", site.stack}});
    }
    return sites;
}

std::vector<gpu::WarpSite> sitesIn(const Json& sites) {
    std::vector<gpu::WarpSite> all;
    for (const Json& site : sites) {
        all.push_back({.space = named(site.at("space"), gpu::kSpaces),
                       .operation = named(site.at("operation"), gpu::kOperations),
                       .bytes = site.at("bytes").get<int>(),
                       .file = site.at("file").get<std::string>(),
                       .line = site.at("line").get<int>(),
                       .stack = site.at("stack").get<std::vector<std::string>>()});
    }
    return all;
}

Json buffersOf(const std::vector<gpu::WarpBuffer>& all) {
    Json buffers = Json::array();
    for (const auto& buffer : all) buffers.push_back({{"bytes", buffer.bytes}, {"value_bytes", buffer.valueBytes}});
    return buffers;
}

std::vector<gpu::WarpBuffer> buffersIn(const Json& buffers) {
    std::vector<gpu::WarpBuffer> all;
    for (const Json& buffer : buffers)
        all.push_back({buffer.at("bytes").get<std::int64_t>(), buffer.at("value_bytes").get<int>()});
    return all;
}

constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;  ///< of a buffer; none comes near it
constexpr int kMostThreads = 1024, kMostArrayBytes = 1 << 20, kMostAccess = 64;

/// What people wrote may have written it. Throws std::runtime_error where a number leads nowhere.
void checkSound(const gpu::Film& film) {
    const auto within = [](std::int64_t at, std::int64_t least, std::int64_t most) {
        if (at < least || at > most) throw std::runtime_error("a film of no block");
    };
    std::int64_t threads = 1, blocks = 1, values = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        within(film.block[i], 1, kMostThreads);
        within(film.grid[i], 1, std::int64_t{1} << 31);
        within(film.index[i], 0, std::int64_t{film.grid[i]} - 1);
        within(film.extent[i], 1, std::int64_t{1} << 31);
        threads *= film.block[i];
        within(blocks, 1, kMostBytes);
        within(values, 1, kMostBytes);
        blocks *= film.grid[i];
        values *= film.extent[i];
    }
    within(threads, 1, kMostThreads);
    for (const auto& site : film.sites) within(site.bytes, 0, kMostAccess);
    for (const auto& buffer : film.buffers) {
        within(buffer.bytes, 0, kMostBytes);
        within(buffer.valueBytes, 0, kMostAccess);
        // Of each value it is kept whether it was read: of a picture that is open.
        if (buffer.valueBytes > 0) within(buffer.bytes / buffer.valueBytes, values, 64 * values);
    }
    for (const auto& array : film.arrays) {
        within(array.bytes, 0, kMostArrayBytes);
        within(array.valueBytes, 1, kMostAccess);
    }
    for (const auto& step : film.steps) {
        within(step.warp, 0, film.warps() - 1);
        within(step.epoch, 0, static_cast<std::int64_t>(film.barriers.size()));
        within(step.array, -1, static_cast<std::int64_t>(film.arrays.size()) - 1);
        within(step.request.mask == 0 ? 0 : 1, 1, 1);
        const std::int64_t bytes = step.array >= 0            ? kMostArrayBytes
                                   : step.request.buffer >= 0 ? film.buffers[std::size_t(step.request.buffer)].bytes
                                                              : kMostBytes;
        for (const std::int64_t offset : step.request.offset) within(offset, 0, bytes);
    }
}

}  // namespace

Json toJson(const gpu::WarpTrace& warp) {
    Json requests = Json::array();
    for (const auto& request : warp.requests) requests.push_back(arrayOf(request));
    return {{"kernel", warp.kernel},
            {"grid", warp.grid},
            {"block", warp.block},
            {"index", warp.index},
            {"warp", warp.warp},
            {"lane", warp.lane},
            {"sites", sitesOf(warp.sites)},
            {"buffers", buffersOf(warp.buffers)},
            {"requests", requests},
            {"left_out", warp.omittedRequests}};
}

gpu::WarpTrace warpOf(const Json& json) {
    gpu::WarpTrace warp;
    warp.kernel = json.at("kernel").get<std::string>();
    json.at("grid").get_to(warp.grid);
    json.at("block").get_to(warp.block);
    json.at("index").get_to(warp.index);
    warp.warp = json.at("warp").get<int>();
    warp.lane = json.at("lane").get<int>();
    warp.sites = sitesIn(json.at("sites"));
    warp.buffers = buffersIn(json.at("buffers"));
    for (const Json& request : json.at("requests"))
        warp.requests.push_back(requestOf(request, warp.sites.size(), warp.buffers.size()));
    warp.omittedRequests = json.at("left_out").get<std::int64_t>();
    return warp;
}

Json toJson(const gpu::Film& film) {
    Json arrays = Json::array(), steps = Json::array();
    for (const auto& array : film.arrays)
        arrays.push_back({{"name", array.name}, {"bytes", array.bytes}, {"value_bytes", array.valueBytes}});
    for (const auto& step : film.steps)
        steps.push_back({step.warp, step.epoch, step.round, step.array, arrayOf(step.request), step.values});
    return {{"kernel", film.kernel},
            {"launch", film.launch},
            {"grid", film.grid},
            {"block", film.block},
            {"index", film.index},
            {"extent", film.extent},
            {"sites", sitesOf(film.sites)},
            {"buffers", buffersOf(film.buffers)},
            {"arrays", arrays},
            {"barriers", sitesOf(film.barriers)},
            {"steps", steps},
            {"left_out", film.omittedSteps}};
}

gpu::Film filmOf(const Json& json) {
    gpu::Film film;
    film.kernel = json.at("kernel").get<std::string>();
    film.launch = json.at("launch").get<int>();
    json.at("grid").get_to(film.grid);
    json.at("block").get_to(film.block);
    json.at("index").get_to(film.index);
    json.at("extent").get_to(film.extent);
    film.sites = sitesIn(json.at("sites"));
    film.buffers = buffersIn(json.at("buffers"));
    for (const Json& array : json.at("arrays"))
        film.arrays.push_back({array.at("name").get<std::string>(), array.at("bytes").get<std::int64_t>(),
                               array.at("value_bytes").get<int>()});
    film.barriers = sitesIn(json.at("barriers"));
    for (const Json& one : json.at("steps")) {
        gpu::FilmStep step{.warp = one.at(0).get<int>(),
                           .epoch = one.at(1).get<int>(),
                           .round = one.at(2).get<int>(),
                           .array = one.at(3).get<int>(),
                           .request = requestOf(one.at(4), film.sites.size(), film.buffers.size()),
                           .values = one.at(5).get<std::vector<std::uint32_t>>()};
        film.steps.push_back(std::move(step));
    }
    film.omittedSteps = json.at("left_out").get<std::int64_t>();
    checkSound(film);
    return film;
}

}  // namespace warplens::trace_protocol
