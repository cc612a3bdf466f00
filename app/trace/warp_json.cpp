// SPDX-License-Identifier: Apache-2.0
// One warp as a message, and back.
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

}  // namespace

Json toJson(const gpu::WarpTrace& warp) {
    Json sites = Json::array(), buffers = Json::array(), requests = Json::array();
    for (const auto& site : warp.sites) {
        sites.push_back({{"space", nameOf(site.space)},
                         {"operation", nameOf(site.operation)},
                         {"bytes", site.bytes},
                         {"file", site.file},
                         {"line", site.line},
                         {"stack", site.stack}});
    }
    for (const auto& buffer : warp.buffers)
        buffers.push_back({{"bytes", buffer.bytes}, {"value_bytes", buffer.valueBytes}});
    for (const auto& request : warp.requests) requests.push_back(arrayOf(request));
    return {{"kernel", warp.kernel}, {"grid", warp.grid},
            {"block", warp.block},   {"index", warp.index},
            {"warp", warp.warp},     {"lane", warp.lane},
            {"sites", sites},        {"buffers", buffers},
            {"requests", requests},  {"left_out", warp.omittedRequests}};
}

gpu::WarpTrace warpOf(const Json& json) {
    gpu::WarpTrace warp;
    warp.kernel = json.at("kernel").get<std::string>();
    json.at("grid").get_to(warp.grid);
    json.at("block").get_to(warp.block);
    json.at("index").get_to(warp.index);
    warp.warp = json.at("warp").get<int>();
    warp.lane = json.at("lane").get<int>();
    for (const Json& site : json.at("sites")) {
        warp.sites.push_back({.space = named(site.at("space"), gpu::kSpaces),
                              .operation = named(site.at("operation"), gpu::kOperations),
                              .bytes = site.at("bytes").get<int>(),
                              .file = site.at("file").get<std::string>(),
                              .line = site.at("line").get<int>(),
                              .stack = site.at("stack").get<std::vector<std::string>>()});
    }
    for (const Json& buffer : json.at("buffers")) {
        warp.buffers.push_back({buffer.at("bytes").get<std::int64_t>(), buffer.at("value_bytes").get<int>()});
    }
    for (const Json& request : json.at("requests"))
        warp.requests.push_back(requestOf(request, warp.sites.size(), warp.buffers.size()));
    warp.omittedRequests = json.at("left_out").get<std::int64_t>();
    return warp;
}

}  // namespace warplens::trace_protocol
