// SPDX-License-Identifier: Apache-2.0
#include "app/worker/result_json.hpp"

#include "app/trace/protocol.hpp"
#include "gpu/core/error.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace warplens::worker {
namespace {

using gpu::Column;

/// Reals bit by bit, as JSON knows no infinity.
Json toJson(const Column& column) {
    Json values = Json::array();
    if (const auto* reals = std::get_if<Column::Reals>(&column.values))
        for (const double value : *reals) values.push_back(std::bit_cast<std::uint64_t>(value));
    else
        std::visit([&](const auto& all) { values = all; }, column.values);
    return {{"id", column.id},
            {"title", column.title},
            {"unit", column.unit},
            {"origin", static_cast<int>(column.origin)},
            {"type", column.values.index()},
            {"values", values}};
}

Column columnOf(const Json& json) {
    Column column{.id = json.at("id").get<std::string>(),
                  .title = json.at("title").get<std::string>(),
                  .unit = json.at("unit").get<std::string>(),
                  .origin = static_cast<gpu::Origin>(json.at("origin").get<int>())};
    const Json& values = json.at("values");
    switch (json.at("type").get<int>()) {
        case 0: column.values = values.get<Column::Integers>(); break;
        case 1: {
            Column::Reals reals;
            for (const Json& bits : values) reals.push_back(std::bit_cast<double>(bits.get<std::uint64_t>()));
            column.values = std::move(reals);
            break;
        }
        default: column.values = values.get<Column::Texts>();
    }
    return column;
}

}  // namespace

Json toJson(const gpu::Result& result, std::byte* output, std::size_t bytes) {
    Json json{{"picture", nullptr}, {"tables", Json::array()}};
    if (const io::Grid* picture = result.picture.get()) {
        if (picture->bytes() > bytes)
            throw gpu::Error(gpu::Error::Kind::unsupported,
                             "its result takes " + std::to_string(picture->bytes()) + " bytes, and a kernel of yours " +
                                 std::to_string(bytes) + " here: take a smaller picture");
        std::memcpy(output, picture->data(), picture->bytes());
        json["picture"] = trace_protocol::shapeOf(*picture);
    }
    for (const auto& table : result.tables) {
        Json columns = Json::array();
        for (const Column& column : table->columns) columns.push_back(toJson(column));
        json["tables"].push_back({{"id", table->id}, {"title", table->title}, {"columns", columns}});
    }
    return json;
}

gpu::Result resultOf(const Json& json, const std::byte* output, std::size_t bytes) {
    gpu::Result result;
    if (const Json& shape = json.at("picture"); !shape.is_null()) {
        const auto picture = trace_protocol::emptyGrid(shape);
        if (picture->bytes() > bytes) throw std::runtime_error("a picture that is larger than what was shared");
        std::memcpy(picture->data(), output, picture->bytes());
        result.picture = picture;
    }
    for (const Json& one : json.at("tables")) {
        auto table = std::make_shared<gpu::Table>();
        one.at("id").get_to(table->id);
        one.at("title").get_to(table->title);
        for (const Json& column : one.at("columns")) table->columns.push_back(columnOf(column));
        result.tables.push_back(std::move(table));
    }
    return result;
}

}  // namespace warplens::worker
