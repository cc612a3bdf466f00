// SPDX-License-Identifier: Apache-2.0
#include "app/trace/protocol.hpp"

#include "io/limits.hpp"

#include <stdexcept>

namespace warplens::trace_protocol {
namespace {

using Picture = std::shared_ptr<const gpu::NamedGrid>;

constexpr std::pair<Question, const char*> kQuestions[] = {
    {Question::counters, "counters"}, {Question::warp, "warp"}, {Question::loads, "loads"}, {Question::film, "film"}};

}  // namespace

Json toJson(const gpu::FilmQuery& query) {
    Json json{{"kernel", query.kernel}, {"launch", query.launch}};
    if (query.block) json["block"] = *query.block;
    if (query.pixel) json["pixel"] = *query.pixel;
    return json;
}

gpu::FilmQuery filmQueryOf(const Json& json) {
    gpu::FilmQuery query{.kernel = json.at("kernel").get<std::string>(), .launch = json.at("launch").get<int>()};
    if (json.contains("block")) query.block = json.at("block").get<std::array<unsigned, 3>>();
    if (json.contains("pixel")) query.pixel = json.at("pixel").get<std::array<std::int64_t, 3>>();
    return query;
}

Json shapeOf(const io::Grid& grid) {
    const auto& s = grid.shape();
    return {{"width", s.width},
            {"height", s.height},
            {"depth", s.depth},
            {"channels", s.channels},
            {"type", io::nameOf(grid.type())}};
}

std::shared_ptr<io::Grid> emptyGrid(const Json& json) {
    const io::Shape shape{json.at("width").get<std::int64_t>(), json.at("height").get<std::int64_t>(),
                          json.at("depth").get<std::int64_t>(), json.at("channels").get<int>()};
    using enum io::PixelType;
    for (const auto type : {u8, u16, f32, u32, i32}) {
        if (json.at("type").get<std::string>() != io::nameOf(type)) continue;
        io::Limits().check(shape, type, "the picture");
        return std::make_shared<io::Grid>(shape, type);
    }
    throw std::runtime_error("no such type of pixels");
}

std::string packed(const Json& message) {
    const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string bytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i) bytes.push_back(static_cast<char>(text.size() >> (8 * i) & 0xffU));
    return bytes + text;
}

std::uint64_t lengthOf(std::span<const std::byte> bytes) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) length |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    if (length > kLongest) throw std::runtime_error("a message of impossible length");
    return length;
}

std::vector<const io::Grid*> picturesOf(const Job& job) {
    std::vector<const io::Grid*> pictures{job.input.get()};
    for (const auto& [id, value] : job.parameters) {
        if (const auto* picture = std::get_if<Picture>(&value); picture != nullptr && *picture != nullptr)
            pictures.push_back((*picture)->grid.get());
    }
    return pictures;
}

Json toJson(const Job& job) {
    Json parameters = Json::object(), runs = Json::array();
    for (const auto& [id, value] : job.parameters) {
        if (const auto* picture = std::get_if<Picture>(&value)) {
            if (*picture != nullptr)
                parameters[id] = {{"picture", (*picture)->name}, {"shape", shapeOf(*(*picture)->grid)}};
        } else {
            std::visit(
                [&, &name = id](const auto& held) {
                    if constexpr (std::is_constructible_v<Json, decltype(held)>) parameters[name] = held;
                },
                value);
        }
    }
    for (const auto& [id, tunables] : job.runs) {
        Json chosen = Json::object();
        for (const auto& [name, value] : tunables) chosen[name] = value;
        runs.push_back({{"id", id}, {"tunables", chosen}});
    }
    const char* question = "";
    for (const auto& [value, name] : kQuestions) question = value == job.question ? name : question;
    return {{"question", question},
            {"warp", {{"kernel", job.query.kernel}, {"x", job.query.x}, {"y", job.query.y}, {"z", job.query.z}}},
            {"block", toJson(job.block)},
            {"family", job.family},
            {"parameters", parameters},
            {"input", shapeOf(*job.input)},
            {"runs", runs},
            {"sample_words", job.sampleWords}};
}

Job jobOf(const Json& json, std::vector<std::shared_ptr<io::Grid>>& pictures) {
    Job job;
    bool known = false;
    for (const auto& [value, name] : kQuestions) {
        if (json.at("question").get<std::string>() != name) continue;
        job.question = value;
        known = true;
    }
    if (!known) throw std::runtime_error("no such question");
    const Json& warp = json.at("warp");
    job.query = {warp.at("kernel").get<std::string>(), warp.at("x").get<std::int64_t>(),
                 warp.at("y").get<std::int64_t>(), warp.at("z").get<std::int64_t>()};
    job.block = filmQueryOf(json.at("block"));
    job.family = json.at("family").get<std::string>();
    pictures.push_back(emptyGrid(json.at("input")));
    job.input = pictures.back();
    for (const auto& [id, value] : json.at("parameters").items()) {
        if (value.is_object()) {
            pictures.push_back(emptyGrid(value.at("shape")));
            job.parameters[id] = std::make_shared<const gpu::NamedGrid>(
                gpu::NamedGrid{value.at("picture").get<std::string>(), pictures.back()});
        } else if (value.is_boolean()) {
            job.parameters[id] = value.get<bool>();
        } else if (value.is_number_integer()) {
            job.parameters[id] = value.get<std::int64_t>();
        } else if (value.is_number()) {
            job.parameters[id] = value.get<double>();
        } else {
            job.parameters[id] = value.get<std::string>();
        }
    }
    for (const Json& one : json.at("runs")) {
        gpu::TunableValues tunables;
        for (const auto& [name, value] : one.at("tunables").items()) tunables[name] = value.get<int>();
        job.runs.emplace_back(one.at("id").get<std::string>(), std::move(tunables));
    }
    job.sampleWords = json.at("sample_words").get<std::int64_t>();
    return job;
}

}  // namespace warplens::trace_protocol
