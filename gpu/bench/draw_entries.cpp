// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/draw_entries.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warplens::gpu::bench {
namespace {

void readSpan(const nlohmann::json& json, std::int64_t (&span)[2]) {
    json.at(0).get_to(span[0]);
    json.at(1).get_to(span[1]);
    if (span[0] < 1 || span[1] < span[0]) throw std::runtime_error("sides have to be 1 or more, the least first");
}

DrawRule ruleOf(const nlohmann::json& json) {
    DrawRule rule;
    if (json == "default") return rule;
    if (json.contains("one_of")) {
        rule.kind = DrawRule::Kind::oneOf;
        json.at("one_of").get_to(rule.texts);
        if (rule.texts.empty()) throw std::runtime_error("one_of has nothing to draw from");
        return rule;
    }
    if (json.contains("of_full_scale")) {
        rule.kind = DrawRule::Kind::ofFullScale;
        rule.least = json.at("of_full_scale").at(0).get<double>();
        rule.most = json.at("of_full_scale").at(1).get<double>();
    } else {
        rule.kind = json.contains("columns") ? DrawRule::Kind::numbers : DrawRule::Kind::range;
        if (rule.kind == DrawRule::Kind::numbers) {
            readSpan(json.at("columns"), rule.columns);
            readSpan(json.at("rows"), rule.rows);
        }
        rule.least = json.at("least").get<double>();
        rule.most = json.at("most").get<double>();
    }
    if (!(rule.least <= rule.most)) throw std::runtime_error("the least is above the most");
    return rule;
}

template <class T>
void take(const nlohmann::json& json, const char* name, std::vector<T>& list) {
    if (!json.contains(name)) return;
    json.at(name).get_to(list);
    if (list.empty()) throw std::runtime_error(std::string(name) + " is empty");
}

DrawEntry entryOf(const nlohmann::json& json, const Family& family) {
    DrawEntry entry;
    entry.weight = json.value("weight", 1);
    if (entry.weight < 1) throw std::runtime_error("a weight is 1 or more");
    take(json, "shapes", entry.shapes);
    take(json, "types", entry.types);
    take(json, "channels", entry.channels);
    take(json, "inputs", entry.inputs);
    entry.mostPixels = json.value("most_pixels", std::int64_t{0});
    for (const std::string& shape : entry.shapes) {
        if (shape != "picture" && shape != "any" && shape != "thin" && shape != "volume")
            throw std::runtime_error("there is no shape \"" + shape + "\"");
    }
    const nlohmann::json rules = json.value("parameters", nlohmann::json::object());
    for (const auto& [id, rule] : rules.items()) {
        if (std::ranges::find(family.parameters(), id, &Parameter::id) == family.parameters().end())
            throw std::runtime_error(family.id() + " has no parameter \"" + id + "\"");
        entry.parameters[id] = ruleOf(rule);
    }
    return entry;
}

}  // namespace

std::vector<FamilyDraws> loadDraws(const std::filesystem::path& families) {
    std::vector<FamilyDraws> all;
    for (const Family* family : gpu::families()) {
        FamilyDraws draws{.family = family};
        const auto file = families / family->id() / "suite.json";
        if (std::filesystem::exists(file)) {
            std::string at = "the file";
            try {
                const nlohmann::json json = nlohmann::json::parse(io::readText(file.string()));
                const nlohmann::json entries = json.value("random", nlohmann::json::array());
                for (const nlohmann::json& entry : entries) {
                    at = "entry " + std::to_string(draws.entries.size() + 1) + " of random";
                    draws.entries.push_back(entryOf(entry, *family));
                }
            } catch (const std::exception& error) {
                throw Error(Error::Kind::argument,
                            file.string() + ": " + at + ": " + reasonOf(error) + "; install Warplens again");
            }
        }
        if (draws.entries.empty()) draws.entries.emplace_back();
        all.push_back(std::move(draws));
    }
    return all;
}

}  // namespace warplens::gpu::bench
