// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/draw.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/fnv.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "io/error.hpp"
#include "io/generate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace warplens::gpu::bench {
namespace {

constexpr std::int64_t kMostSide = 16384, kMostVolumeSide = 1024, kMostAny = 4096;
constexpr std::int64_t kMillion = 1000000;

/// The draws of one attempt, by name.
class Draws {
public:
    Draws(std::uint64_t seed, std::uint64_t number, std::uint64_t attempt)
        : m_key(io::randomBits(seed, number << 16U | attempt)) {}

    std::uint64_t bits(const std::string& name) const { return io::randomBits(m_key, fnv1a(name)); }
    /// 0 to count - 1.
    std::int64_t even(const std::string& name, std::size_t count) const {
        return static_cast<std::int64_t>(bits(name) % count);
    }
    template <class T>
    const T& of(const std::string& name, const std::vector<T>& list) const {
        return list[static_cast<std::size_t>(even(name, list.size()))];
    }
    /// From 1 or more to `most`: an octave is as likely as another.
    std::int64_t octave(const std::string& name, std::int64_t least, std::int64_t most) const {
        const auto octaveOf = [](std::int64_t n) {
            return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
        };
        const int first = octaveOf(least), last = octaveOf(most);
        for (int again = 0;; ++again) {
            const std::string now = name + "#" + std::to_string(again);
            const auto low = std::int64_t{1} << (first + even(now, static_cast<std::size_t>(last - first + 1)));
            const std::int64_t value = low + even(now + " in", static_cast<std::size_t>(low));
            if (value >= least && value <= most) return value;
        }
    }
    std::int64_t within(const std::string& name, std::int64_t least, std::int64_t most) const {
        return least + even(name, static_cast<std::size_t>(most - least + 1));
    }

private:
    std::uint64_t m_key;
};

bool isPrime(std::int64_t n) {
    for (std::int64_t d = 2; d * d <= n; ++d) {
        if (n % d == 0) return false;
    }
    return n > 1;
}

std::int64_t sideOf(const Draws& draws, const std::string& name, std::int64_t least, std::int64_t most) {
    std::int64_t side = draws.octave(name, least, most);
    const std::int64_t kind = draws.even(name + " kind", 8);
    if (kind < 2) {
        while (side > 2 && !isPrime(side)) --side;
    } else if (kind == 2 && side >= 16) {
        side -= side % 16;
    } else if (kind == 3) {
        side = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(side)));
    }
    return side;
}

/// Millionths as a decimal number: no floating point, so that every machine writes the same.
std::string decimal(std::int64_t millionths) {
    const std::int64_t size = std::abs(millionths);
    std::string fraction = std::to_string(kMillion + size % kMillion).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return std::string(millionths < 0 ? "-" : "") + std::to_string(size / kMillion) +
           (fraction.empty() ? "" : "." + fraction);
}

std::int64_t millionths(double value) { return std::llround(value * kMillion); }

/// A number of a range as text, in steps of a thousandth of it; ranges that span decades by octaves.
std::string realOf(const Draws& draws, const std::string& name, double least, double most) {
    const std::int64_t low = millionths(least), high = millionths(most);
    if (low > 0 && high / low >= 100) return decimal(draws.octave(name, low, high));
    return decimal(low + (high - low) * draws.even(name, 1001) / 1000);
}

std::string integerOf(const Draws& draws, const std::string& name, double least, double most) {
    const auto low = static_cast<std::int64_t>(least), high = static_cast<std::int64_t>(most);
    if (low < 0) return std::to_string(draws.within(name, low, high));
    const std::int64_t zero = low == 0 ? 1 : 0;  // octaves begin at 1
    return std::to_string(draws.octave(name, low + zero, high + zero) - zero);
}

/// A task while it is drawn.
struct Task {
    io::Shape shape{};
    std::string type, kind, keys;
    ParameterValues parameters{};

    std::string size() const {
        return std::to_string(shape.width) + "x" + std::to_string(shape.height) +
               (shape.depth > 1 ? "x" + std::to_string(shape.depth) : "");
    }
    std::string channels() const { return shape.channels > 1 ? ":c=" + std::to_string(shape.channels) : ""; }
    std::string input() const { return "gen:" + kind + ":" + size() + ":" + type + channels() + keys; }
    std::int64_t fullScale() const { return type == "u8" ? 255 : type == "u16" ? 65535 : 1; }
};

Task pictureOf(const Draws& draws, const DrawEntry& entry) {
    Task task;
    const std::string shape = draws.of("shape", entry.shapes);
    const auto side = [&](const char* name, std::int64_t least, std::int64_t most) {
        return sideOf(draws, name, least, most);
    };
    if (shape == "volume") {
        task.shape = {side("width", 4, kMostVolumeSide), side("height", 4, kMostVolumeSide),
                      side("depth", 4, kMostVolumeSide), 1};
    } else {
        const std::int64_t least = shape == "picture" ? 64 : 1;
        task.shape = {side("width", least, kMostSide), side("height", least, kMostSide), 1, 1};
        if (shape == "thin") {
            const std::int64_t thin = draws.octave("thin", 1, 15);
            (draws.even("thin side", 2) == 0 ? task.shape.width : task.shape.height) = thin;
        }
    }
    task.type = draws.of("type", entry.types);
    task.shape.channels = draws.of("channels", entry.channels);
    const std::string& input = draws.of("input", entry.inputs);
    const auto keys = std::min(input.find(':'), input.size());
    task.kind = input.substr(0, keys);
    task.keys = input.substr(keys);
    return task;
}

std::string filled(const Draws& draws, const std::string& name, std::string text, const Task& task) {
    const std::pair<std::string, std::string> words[] = {
        {"{width}", std::to_string(task.shape.width)},
        {"{height}", std::to_string(task.shape.height)},
        {"{depth}", std::to_string(task.shape.depth)},
        {"{size}", task.size()},
        {"{type}", task.type},
        {"{channels}", task.channels()},
        {"{any}", std::to_string(sideOf(draws, name + " any", 1, kMostAny))}};
    for (const auto& [word, value] : words) {
        for (auto at = text.find(word); at != text.npos; at = text.find(word)) text.replace(at, word.size(), value);
    }
    return text;
}

std::string numbersOf(const Draws& draws, const std::string& name, const DrawRule& rule) {
    const auto odd = [&](const std::string& side, const std::int64_t(&span)[2]) {
        return span[0] + 2 * draws.even(name + side, static_cast<std::size_t>((span[1] - span[0]) / 2 + 1));
    };
    const std::int64_t columns = odd(" columns", rule.columns), rows = odd(" rows", rule.rows);
    std::string text;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
        if (i > 0) text += i % columns == 0 ? ";" : ",";
        text += realOf(draws, name + std::to_string(i), rule.least, rule.most);
    }
    return text;
}

/// What its rule gives, or its declaration where it has none; nothing where it stays at its default.
std::optional<std::string> textFor(const Draws& draws, const Parameter& p, const DrawRule* rule, const Task& task) {
    using Kind = DrawRule::Kind;
    using Type = Parameter::Type;
    const std::string name = "parameter " + p.id;
    const bool whole = p.type == Type::integer;
    if (rule != nullptr) {
        switch (rule->kind) {
            case Kind::fallback: return std::nullopt;
            case Kind::range: return (whole ? integerOf : realOf)(draws, name, rule->least, rule->most);
            case Kind::ofFullScale: {
                const std::int64_t low = millionths(rule->least), high = millionths(rule->most);
                const std::int64_t share = (low + (high - low) * draws.even(name, 1001) / 1000) * task.fullScale();
                return whole || task.type != "f32" ? std::to_string(share / kMillion) : decimal(share);
            }
            case Kind::oneOf: return filled(draws, name, draws.of(name, rule->texts), task);
            case Kind::numbers: return numbersOf(draws, name, *rule);
        }
    }
    if (p.advanced && draws.even(name + " advanced", 8) != 0) return std::nullopt;
    if (p.type == Type::choice) return draws.of(name, p.choices);
    if (p.type == Type::flag) return draws.even(name, 2) == 0 ? "false" : "true";
    if (!whole) return std::nullopt;
    const auto usual = static_cast<double>(std::get<std::int64_t>(p.fallback));
    return integerOf(draws, name, p.minimum, usual > 0 ? std::min(p.maximum, 16 * usual) : p.maximum);
}

ParameterValues parametersOf(const Draws& draws, const Family& family, const DrawEntry& entry, const Task& task) {
    ParameterValues values;
    for (const Parameter& p : family.parameters()) {
        if (leftAside(p, family.parameters(), values)) continue;
        const auto rule = entry.parameters.find(p.id);
        const auto text = textFor(draws, p, rule == entry.parameters.end() ? nullptr : &rule->second, task);
        if (!text) continue;
        if (p.type == Parameter::Type::picture)
            values[p.id] = std::make_shared<const NamedGrid>(NamedGrid{*text, nullptr});
        else
            values[p.id] = parse(p, *text);
    }
    return values;
}

const std::string* nameOfPicture(const Parameter::Value& value) {
    const auto* picture = std::get_if<std::shared_ptr<const NamedGrid>>(&value);
    return picture != nullptr && *picture != nullptr ? &(*picture)->name : nullptr;
}

/// Of a generated picture.
double bytesOf(const std::string& description) {
    std::vector<std::string> parts{""};
    for (const char c : description) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    double bytes = parts.at(3) == "u8" ? 1 : parts.at(3) == "u16" ? 2 : 4;
    for (std::size_t at = 0; at < parts[2].size(); at = std::min(parts[2].find('x', at), parts[2].size() - 1) + 1)
        bytes *= static_cast<double>(std::stoll(parts[2].substr(at)));
    for (const std::string& key : parts) {
        if (key.starts_with("c=")) bytes *= static_cast<double>(std::stoll(key.substr(2)));
    }
    return bytes;
}

double bytesOf(const Case& one) {
    double bytes = bytesOf(one.input);
    for (const auto& [id, value] : one.parameters) {
        if (const std::string* name = nameOfPicture(value)) bytes += bytesOf(*name);
    }
    return bytes;
}

/// Whether its family takes it. What it takes is a matter of types, channels, axes and values, so that larger pictures
/// are asked about with at most 64 values a side: a task of a gigabyte costs no gigabyte before it is run.
bool isTaken(const Family& family, const Case& one) {
    const auto make = [](const std::string& name) {
        return std::make_shared<const io::Grid>(io::generate(limitedInput(name, 64)));
    };
    try {
        family.pose(make(one.input), withPictures(one.parameters, make));
        return true;
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::argument || error.kind() == Error::Kind::unsupported) return false;
        throw;
    } catch (const io::Error&) {
        return false;  // a picture that cannot be made: a maze of one room
    }
}

std::string titleOf(const Task& task, const Family& family, const ParameterValues& values) {
    constexpr std::size_t kMostLetters = 32;
    std::string size = task.size();
    for (auto at = size.find('x'); at != size.npos; at = size.find('x', at + 3)) size.replace(at, 1, " x ");
    const char* colours = task.shape.channels == 3 ? "RGB " : task.shape.channels == 4 ? "RGBA " : "";
    std::string title = family.id() + ": " + colours + task.type + " " + size + " " + task.kind;
    for (const Parameter& p : family.parameters()) {
        const auto at = values.find(p.id);
        if (at == values.end()) continue;
        std::string text = format(at->second);
        if (&p != &family.parameters().front() && text == format(p.fallback)) continue;
        if (text.size() > kMostLetters) text = text.substr(0, kMostLetters) + "\u2026";
        title += ", " + p.id + " " + (text.empty() ? "none" : text);
    }
    return title;
}

const FamilyDraws& familyFor(const std::vector<FamilyDraws>& draws, std::uint64_t seed, int number) {
    const auto count = static_cast<int>(draws.size());
    const Draws turn(seed, static_cast<std::uint64_t>((number - 1) / count), 0xffffU);
    std::vector<const FamilyDraws*> order;
    for (const FamilyDraws& one : draws) order.push_back(&one);
    std::ranges::stable_sort(order, {}, [&](const FamilyDraws* one) { return turn.bits(one->family->id()); });
    return *order[static_cast<std::size_t>((number - 1) % count)];
}

const DrawEntry& entryFor(const Draws& draws, const FamilyDraws& family) {
    std::vector<const DrawEntry*> all;
    for (const DrawEntry& entry : family.entries) all.insert(all.end(), static_cast<std::size_t>(entry.weight), &entry);
    return *draws.of("entry", all);
}

}  // namespace

Case drawCase(const std::vector<FamilyDraws>& draws, const Drawing& drawing, int number) {
    constexpr std::uint64_t kMostAttempts = 20000;
    const FamilyDraws& family = familyFor(draws, drawing.seed, number);
    const std::string id =
        "random-" + std::to_string(drawing.seed) + "-" + std::to_string(number) + "-" + std::to_string(drawing.largest);
    for (std::uint64_t attempt = 0; attempt < kMostAttempts; ++attempt) {
        const Draws now(drawing.seed, static_cast<std::uint64_t>(number), attempt);
        const DrawEntry& entry = entryFor(now, family);
        const Task task = pictureOf(now, entry);
        if (entry.mostPixels > 0 && task.shape.pixels() > entry.mostPixels) continue;
        Case one{.id = id,
                 .suite = "random",
                 .title = {},
                 .input = task.input(),
                 .family = family.family->id(),
                 .parameters = {},
                 .goals = {}};
        if (bytesOf(one) > static_cast<double>(drawing.largest)) continue;
        one.parameters = parametersOf(now, *family.family, entry, task);
        if (bytesOf(one) > static_cast<double>(drawing.largest) || !isTaken(*family.family, one)) continue;
        one.title = titleOf(task, *family.family, one.parameters);
        return one;
    }
    throw Error(Error::Kind::argument, "no task of " + family.family->id() + " fits " +
                                           std::to_string(drawing.largest) + " bytes: allow more with --largest");
}

std::vector<Case> drawCases(const std::vector<FamilyDraws>& draws, const Drawing& drawing) {
    std::vector<Case> cases;
    for (int number = 1; number <= drawing.cases; ++number) cases.push_back(drawCase(draws, drawing, number));
    return cases;
}

std::string casesJson(const std::vector<Case>& cases) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Case& one : cases) {
        nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
        for (const auto& [id, value] : one.parameters) parameters[id] = format(value);
        list.push_back({{"family", one.family},
                        {"id", one.id},
                        {"title", one.title},
                        {"input", one.input},
                        {"parameters", parameters}});
    }
    return nlohmann::ordered_json{{"cases", list}}.dump(1) + "\n";
}

}  // namespace warplens::gpu::bench
