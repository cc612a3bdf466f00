// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/suite.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace warplens::gpu::bench {
namespace {

using Json = nlohmann::json;

constexpr Metric kMetrics[] = {Metric::medianMs, Metric::stepUs,         Metric::gbs,
                               Metric::gcells,   Metric::percentOfLimit, Metric::timesCase};

Goal goalOf(const Json& json) {
    Goal goal{.what = json.at("what"), .rows = json.value("rows", std::vector<std::string>())};
    const auto metric = json.at("metric").get<std::string>();
    const auto known =
        std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](Metric m) { return metric == nameOf(m); });
    if (known == std::end(kMetrics)) throw std::runtime_error("there is no metric \"" + metric + "\"");
    goal.metric = *known;
    goal.value = json.at(isCeiling(goal.metric) ? "at_most" : "at_least").get<double>();
    goal.other = json.value("case", std::string());
    goal.stretch = json.value("stretch", false);
    if ((goal.metric == Metric::timesCase) == goal.other.empty())
        throw std::runtime_error("times_case alone needs a case");
    return goal;
}

Case caseOf(const Json& json, const Family& family) {
    Case made{.id = json.at("id"),
              .suite = family.id(),
              .title = json.at("title"),
              .input = json.at("input"),
              .family = family.id(),
              .parameters = {},
              .goals = {}};
    const auto& declared = family.parameters();
    const Json given = json.value("parameters", Json::object());
    for (const auto& [id, value] : given.items()) {
        const auto at =
            std::find_if(declared.begin(), declared.end(), [&id = id](const Parameter& p) { return p.id == id; });
        if (at == declared.end()) throw std::runtime_error(made.family + " has no parameter \"" + id + "\"");
        // A picture is made when its case is run.
        if (at->type == Parameter::Type::picture)
            made.parameters[id] = std::make_shared<const NamedGrid>(NamedGrid{value.get<std::string>(), nullptr});
        else
            made.parameters[id] = parse(*at, value.get<std::string>());
    }
    const Json goals = json.value("goals", Json::array());
    for (const Json& goal : goals) made.goals.push_back(goalOf(goal));
    return made;
}

/// A picture that has a name and no values yet; null for all else.
const NamedGrid* namedAlone(const Parameter::Value& value) {
    const auto* picture = std::get_if<std::shared_ptr<const NamedGrid>>(&value);
    return picture != nullptr && *picture != nullptr && (*picture)->grid == nullptr ? picture->get() : nullptr;
}

bool fits(const std::string& pattern, const std::string& id) {
    if (!pattern.ends_with('*')) return id == pattern;
    return id.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

const char* nameOf(Metric metric) {
    switch (metric) {
        case Metric::medianMs: return "median_ms";
        case Metric::stepUs: return "step_us";
        case Metric::gbs: return "gbs";
        case Metric::gcells: return "gcells";
        case Metric::percentOfLimit: return "percent_of_limit";
        case Metric::timesCase: return "times_case";
    }
    return "";
}

const char* unitOf(Metric metric) {
    switch (metric) {
        case Metric::medianMs: return "ms";
        case Metric::stepUs: return "\u00b5s a step";
        case Metric::gbs: return "GB/s";
        case Metric::gcells: return "Gcell/s";
        case Metric::percentOfLimit: return "% of limit";
        case Metric::timesCase: return "\u00d7";
    }
    return "";
}

bool isCeiling(Metric metric) {
    return metric == Metric::medianMs || metric == Metric::stepUs || metric == Metric::timesCase;
}

Suites loadSuites(const std::filesystem::path& families) {
    Suites suites;
    for (const Family* family : gpu::families()) {
        const auto file = families / family->id() / "suite.json";
        if (!std::filesystem::exists(file)) continue;
        std::string at = "the file";
        try {
            const Json json = Json::parse(io::readText(file.string()));
            const auto goalsOn = json.at("goals_on").get<std::string>();
            if (!suites.goalsOn.empty() && suites.goalsOn != goalsOn)
                throw std::runtime_error("its goals are of another device than those of the families before it");
            suites.goalsOn = goalsOn;
            for (std::size_t i = 0; i < json.at("cases").size(); ++i) {
                at = "case " + std::to_string(i + 1);
                suites.cases.push_back(caseOf(json["cases"][i], *family));
            }
        } catch (const std::exception& error) {
            throw Error(Error::Kind::argument,
                        file.string() + ": " + at + ": " + reasonOf(error) + "; install Warplens again");
        }
    }
    if (suites.cases.empty())
        throw Error(Error::Kind::argument, families.string() + ": no family has cases here; install Warplens again");
    return suites;
}

std::vector<Case> choose(const Suites& suites, const std::vector<std::string>& names,
                         const std::vector<std::string>& only) {
    std::set<std::string> known{"all", "limits"};
    for (const Case& one : suites.cases) known.insert(one.suite);
    for (const std::string& name : names) {
        if (known.contains(name)) continue;
        std::string list;
        for (const std::string& suite : known) list += (list.empty() ? "" : ", ") + suite;
        throw Error(Error::Kind::argument, "no suite '" + name + "': choose one of " + list);
    }
    const auto named = [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<Case> chosen;
    for (const Case& one : suites.cases) {
        if (named("all") || named("limits") || named(one.suite)) chosen.push_back(one);
    }
    for (const std::string& pattern : only) {
        const auto matched = [&](const Case& one) { return fits(pattern, one.id); };
        if (std::none_of(chosen.begin(), chosen.end(), matched))
            throw Error(Error::Kind::argument,
                        "no case '" + pattern + "' in these suites: see warplens-cli bench --list");
    }
    if (!only.empty()) std::erase_if(chosen, [&](const Case& one) { return !matches(only, one.id); });
    return chosen;
}

namespace {

/// The description with every extent replaced by what `change` makes of it.
template <class Change>
std::string withExtents(const std::string& description, Change change) {
    // gen:KIND:WxH[xD]:...
    const auto kind = description.find(':');
    const auto begin = kind == std::string::npos ? kind : description.find(':', kind + 1);
    if (begin == std::string::npos) return description;
    const auto end = std::min(description.find(':', begin + 1), description.size());
    std::string extents;
    for (std::size_t at = begin + 1; at < end;) {
        const auto next = std::min(description.find('x', at), end);
        const std::int64_t extent = std::stoll(description.substr(at, next - at));
        extents += (extents.empty() ? "" : "x") + std::to_string(change(extent));
        at = next + 1;
    }
    return description.substr(0, begin + 1) + extents + description.substr(end);
}

}  // namespace

std::string scaledInput(const std::string& description, int scale) {
    constexpr std::int64_t kLeast = 16;
    return withExtents(
        description, [&](std::int64_t extent) { return extent <= kLeast ? extent : std::max(kLeast, extent / scale); });
}

std::string limitedInput(const std::string& description, std::int64_t most) {
    return withExtents(description, [&](std::int64_t extent) { return std::min(extent, most); });
}

ParameterValues scaledPictures(ParameterValues values, int scale) {
    for (auto& [id, value] : values) {
        if (const NamedGrid* picture = namedAlone(value))
            value = std::make_shared<const NamedGrid>(NamedGrid{scaledInput(picture->name, scale), nullptr});
    }
    return values;
}

ParameterValues withPictures(ParameterValues values,
                             const std::function<std::shared_ptr<const io::Grid>(const std::string&)>& make) {
    for (auto& [id, value] : values) {
        if (const NamedGrid* picture = namedAlone(value))
            value = std::make_shared<const NamedGrid>(NamedGrid{picture->name, make(picture->name)});
    }
    return values;
}

bool matches(const std::vector<std::string>& patterns, const std::string& id) {
    bool anyWanted = false, wanted = false;
    for (const std::string& pattern : patterns) {
        if (pattern.starts_with('!')) {
            if (fits(pattern.substr(1), id)) return false;
        } else {
            anyWanted = true;
            wanted = wanted || fits(pattern, id);
        }
    }
    return wanted || !anyWanted;
}

}  // namespace warplens::gpu::bench
