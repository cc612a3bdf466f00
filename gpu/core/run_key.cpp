// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/run_key.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <set>

namespace warplens::gpu {
namespace {

[[noreturn]] void refuseKey(const std::string& text) {
    throw Error(Error::Kind::argument,
                "'" + text.substr(0, 120) +
                    "': give VARIANT or VARIANT@TUNABLE=NUMBER, as in tiled_output@block_width=32; a "
                    "further tunable takes an @ of its own");
}

}  // namespace

std::string RunKey::id() const {
    std::string text = variant;
    for (const auto& [tunable, value] : chosen) text += '@' + tunable + '=' + std::to_string(value);
    return text;
}

std::string variantIn(std::string_view id) { return std::string(id.substr(0, id.find('@'))); }

RunKey parseRunKey(const std::string& text) {
    const auto parts = io::split(text, '@');
    RunKey key{.variant = std::string(parts.front()), .chosen = {}};
    if (key.variant.empty()) refuseKey(text);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string_view part = parts[i];
        const auto equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0) refuseKey(text);
        const auto value = io::parseNumber<int>(part.substr(equals + 1));
        if (!value) refuseKey(text);
        const std::string tunable(part.substr(0, equals));
        if (!key.chosen.emplace(tunable, *value).second)
            throw Error(Error::Kind::argument, "'" + text.substr(0, 120) + "': " + tunable + " is given twice");
    }
    return key;
}

std::string RunSpec::id() const { return RunKey{variant->id, chosen}.id(); }

TunableValues RunSpec::over(const TunableValues& all) const {
    TunableValues mine = chosen;
    for (const Tunable& tunable : variant->tunables)
        if (const auto found = all.find(tunable.id); found != all.end()) mine.insert(*found);
    return mine;
}

RunSpec parseRunSpec(const Family& family, const std::string& id) {
    RunKey key = parseRunKey(id);
    if (key.variant == kAuto && !key.chosen.empty())
        throw Error(Error::Kind::argument, id + ": auto chooses the tunables as well; name a variant, or give --set");
    RunSpec run{&variantOf(family, key.variant), std::move(key.chosen)};
    resolve(*run.variant, run.chosen);
    return run;
}

std::vector<RunSpec> askedRuns(const Family& family, const std::vector<std::string>& ids) {
    std::vector<RunSpec> runs;
    if (ids.empty())
        for (const Variant& variant : family.variants())
            if (!isExplicitOnly(variant)) runs.push_back({&variant, {}});
    std::set<std::string> named;
    for (const std::string& id : ids) {
        runs.push_back(parseRunSpec(family, id));
        if (!named.insert(runs.back().id()).second)
            throw Error(Error::Kind::argument,
                        runs.back().id() + " is named twice: leave one out, or choose other tunables for it");
    }
    // The ladder is one vector: its order is that of the addresses.
    std::ranges::stable_sort(runs, std::less(), &RunSpec::variant);
    return runs;
}

}  // namespace warplens::gpu
