// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/listing.hpp"

#include "io/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace warplens::gpu::user {
namespace {

using Kind = InstructionKind;

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

int numberAt(std::string_view text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

bool isFile(std::string_view path, std::string_view file) {
    return path == file ||
           (path.size() > file.size() && path.ends_with(file) && path[path.size() - file.size() - 1] == '/');
}

/// "LDG.E R0, ..." without its guard.
std::string_view unguarded(std::string_view text) {
    if (!text.starts_with('@')) return text;
    const auto space = text.find_first_of(" \t");
    return space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space));
}

Kind kindOfPtx(std::string_view text) {
    const std::string_view all = unguarded(text);
    const std::string_view code = all.substr(0, all.find_first_of(" \t;"));
    const auto begins = [&](const char* with) { return code.starts_with(with); };
    const auto has = [&](const char* part) { return code.find(part) != std::string_view::npos; };
    if (begins("ld.") || begins("ldu.")) {
        if (has(".shared")) return Kind::sharedLoad;
        if (has(".local")) return Kind::localLoad;
        return has(".param") || has(".const") ? Kind::constantLoad : Kind::globalLoad;
    }
    if (begins("st.")) return has(".shared") ? Kind::sharedStore : has(".local") ? Kind::localStore : Kind::globalStore;
    if (begins("atom.") || begins("red.")) return Kind::atomic;
    if (begins("fma.")) return Kind::fma;
    if (code == "bra" || begins("bra.") || begins("brx.") || begins("call")) return Kind::branch;
    if (begins("bar.") || begins("barrier.")) return Kind::barrier;
    return Kind::other;
}

Kind kindOfSass(std::string_view text) {
    const std::string_view all = unguarded(text);
    const std::string_view code = all.substr(0, all.find_first_of(" .;"));
    static const std::map<std::string_view, Kind> kinds{
        {"LDG", Kind::globalLoad},    {"LD", Kind::globalLoad},     {"LDGSTS", Kind::globalLoad},
        {"STG", Kind::globalStore},   {"ST", Kind::globalStore},    {"LDS", Kind::sharedLoad},
        {"LDSM", Kind::sharedLoad},   {"STS", Kind::sharedStore},   {"LDC", Kind::constantLoad},
        {"LDCU", Kind::constantLoad}, {"ULDC", Kind::constantLoad}, {"LDL", Kind::localLoad},
        {"STL", Kind::localStore},    {"ATOM", Kind::atomic},       {"ATOMG", Kind::atomic},
        {"ATOMS", Kind::atomic},      {"RED", Kind::atomic},        {"REDG", Kind::atomic},
        {"FFMA", Kind::fma},          {"FFMA2", Kind::fma},         {"DFMA", Kind::fma},
        {"HFMA2", Kind::fma},         {"BRA", Kind::branch},        {"BRX", Kind::branch},
        {"JMP", Kind::branch},        {"CALL", Kind::branch},       {"BAR", Kind::barrier}};
    const auto found = kinds.find(code);
    if (found == kinds.end()) return Kind::other;
    // A constant is put into a register that way.
    if (code == "HFMA2" && all.find("RZ, RZ") != std::string_view::npos) return Kind::other;
    return found->second;
}

/// An instruction without what differs between two that do the same: numbers of registers, labels, the kernel's name
/// and places of its parameters.
std::string shapeOf(std::string_view text) {
    const auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%'; };
    std::string shape;
    while (!text.empty()) {
        const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, inWord) - text.begin());
        const std::string_view word = text.substr(0, std::max<std::size_t>(size, 1));
        const std::string_view name = word.substr(0, word.find_last_not_of("0123456789") + 1);
        constexpr std::string_view kRegisters[] = {"R", "UR", "P", "UP", "B", "SB"};
        const bool number = name.size() < word.size();
        if (word.starts_with("L__BB") || word.starts_with("L_x_"))
            shape += 'L';
        else if (word.starts_with("_Z") || word.find("_param_") != std::string_view::npos || shape.ends_with("c[0x0]["))
            shape += '_';
        else if (number && (word.front() == '%' || std::ranges::find(kRegisters, name) != std::end(kRegisters)))
            shape += name;
        else if (word == "reuse" && shape.ends_with('.'))  // a hint of the scheduler's
            shape.pop_back();
        else
            shape += word;
        text.remove_prefix(word.size());
    }
    return shape;
}

/// The first place in the user's file of `//## File "A", line 14 inlined at "B", line 29`; absent: none is.
std::optional<int> placeIn(std::string_view comment, const std::string& file) {
    constexpr std::string_view kLine = "\", line ";
    for (std::size_t at = comment.find('"'); at != std::string_view::npos;) {
        const auto end = comment.find('"', at + 1);
        if (end == std::string_view::npos || !comment.substr(end).starts_with(kLine)) return std::nullopt;
        if (isFile(comment.substr(at + 1, end - at - 1), file)) return numberAt(comment.substr(end + kLine.size()));
        at = comment.find('"', end + 1);
    }
    return std::nullopt;
}

/// "0b30" of "/*0b30*/ ...", and what follows.
std::optional<std::pair<std::string, std::string_view>> addressed(std::string_view line) {
    const auto close = line.find("*/");
    if (!line.starts_with("/*") || close == std::string_view::npos) return std::nullopt;
    return std::pair(std::string(line.substr(2, close - 2)), trimmed(line.substr(close + 2)));
}

/// Whether a line of nvdisasm's names the section of the kernel, or of another one.
std::optional<bool> sectionOf(std::string_view line, const std::string& function) {
    constexpr std::string_view kText = ".section\t.text.";
    if (!line.starts_with(kText)) return std::nullopt;
    return line.substr(kText.size()).starts_with(function + ",");
}

/// Registers alive, by address.
std::map<std::string, int> aliveIn(const std::string& text, const std::string& function) {
    std::map<std::string, int> alive;
    bool ours = false;
    for (const auto raw : io::split(text, '\n')) {
        const std::string_view line = trimmed(raw);
        if (const auto section = sectionOf(line, function)) ours = *section;
        const auto at = ours ? addressed(line) : std::nullopt;
        const auto bar = line.find("// |");
        if (at && bar != std::string_view::npos) alive[at->first] = numberAt(trimmed(line.substr(bar + 4)));
    }
    return alive;
}

constexpr std::array<const char*, kInstructionKinds> kNames{
    "other",      "global load", "global store", "shared load", "shared store", "constant load",
    "local load", "local store", "atomic",       "FMA",         "branch",       "barrier"};

}  // namespace

const char* nameOf(InstructionKind kind) { return kNames.at(static_cast<std::size_t>(kind)); }

std::string keyOf(InstructionKind kind) {
    std::string key = kind == Kind::fma ? "fma" : nameOf(kind);
    std::ranges::replace(key, ' ', '_');
    return key;
}

std::array<int, kInstructionKinds> Listing::counts() const {
    std::array<int, kInstructionKinds> counts{};
    for (const Instruction& one : instructions) ++counts[static_cast<std::size_t>(one.kind)];
    return counts;
}

std::vector<std::size_t> Listing::ofLine(int line) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].line == line) places.push_back(i);
    return places;
}

int Listing::mostAlive() const {
    int most = -1;
    for (const Instruction& one : instructions) most = std::max(most, one.alive);
    return most;
}

std::map<int, std::array<int, kInstructionKinds>> Listing::countsByLine() const {
    std::map<int, std::array<int, kInstructionKinds>> lines;
    for (const Instruction& one : instructions)
        if (one.line > 0) ++lines[one.line][static_cast<std::size_t>(one.kind)];
    return lines;
}

std::vector<ListingFigure> figuresOf(const Listing& before, const Listing& now) {
    std::vector<ListingFigure> figures{
        {"instructions", static_cast<int>(before.instructions.size()), static_cast<int>(now.instructions.size())}};
    for (std::size_t i = 1; i < kInstructionKinds; ++i)
        figures.push_back({nameOf(static_cast<InstructionKind>(i)), before.counts()[i], now.counts()[i]});
    if (now.mostAlive() >= 0)
        figures.push_back({"registers alive at most", std::max(before.mostAlive(), 0), now.mostAlive()});
    std::erase_if(figures, [](const ListingFigure& one) { return one.before == 0 && one.now == 0; });
    return figures;
}

std::vector<DifferenceRow> differenceOf(const Listing& before, const Listing& now) {
    const auto shapesOf = [](const Listing& listing) {
        std::vector<std::string> shapes;
        for (const Instruction& one : listing.instructions) shapes.push_back(shapeOf(one.text));
        return shapes;
    };
    return lineDifference(shapesOf(before), shapesOf(now));
}

Instruction sassInstruction(std::string at, std::string text, int line, int alive) {
    const Kind kind = kindOfSass(text);
    return {std::move(at), std::move(text), kind, line, alive};
}

Listing parsePtx(const std::string& text, const std::string& file, const std::string& function) {
    Listing listing;
    const auto lines = io::split(text, '\n');
    std::map<int, bool> ours;  // files by number
    for (const auto raw : lines) {
        const std::string_view line = trimmed(raw);
        constexpr std::string_view kFile = ".file";
        if (!line.starts_with(kFile)) continue;
        const auto open = line.find('"'), close = line.rfind('"');
        if (open < close)
            ours[numberAt(trimmed(line.substr(kFile.size())))] = isFile(line.substr(open + 1, close - open - 1), file);
    }
    // "1 14 5, function_name $L, inlined_at 1 29 13": the first place in the user's file.
    const auto placeOf = [&](std::string_view rest) {
        for (;;) {
            const std::string_view place = trimmed(rest);
            const auto space = place.find(' ');
            if (space == std::string_view::npos) return 0;
            if (ours[numberAt(place)]) return numberAt(place.substr(space + 1));
            constexpr std::string_view kInlined = "inlined_at ";
            const auto at = place.find(kInlined);
            if (at == std::string_view::npos) return 0;
            rest = place.substr(at + kInlined.size());
        }
    };
    bool entry = false, body = false;
    int source = 0, number = 0, depth = 0;
    for (const auto raw : lines) {
        ++number;
        const std::string_view line = trimmed(raw);
        if (line.find(".entry ") != std::string_view::npos) entry = line.find(function + "(") != std::string_view::npos;
        if (line == "{" && entry) {
            body = true;
            ++depth;
        } else if (line == "}" && body) {
            body = --depth > 0;
        } else if (body && line.starts_with(".loc")) {
            source = placeOf(line.substr(4));
        } else if (body && line.ends_with(';') && !line.starts_with('.') && !line.starts_with("//")) {
            std::string shown(line.substr(0, line.size() - 1));
            std::ranges::replace(shown, '\t', ' ');
            listing.instructions.push_back({std::to_string(number), shown, kindOfPtx(line), source, -1});
        }
    }
    return listing;
}

Listing parseSass(const std::string& text, const std::string& registers, const std::string& file,
                  const std::string& function) {
    Listing listing;
    const auto alive = aliveIn(registers, function);
    bool ours = false, told = false;
    int source = 0;
    for (const auto raw : io::split(text, '\n')) {
        const std::string_view line = trimmed(raw);
        if (const auto section = sectionOf(line, function)) ours = *section;
        if (!ours) continue;
        if (line.starts_with("//## File")) {
            // From what was inlined outwards: the first in the user's file.
            const auto place = placeIn(line, file);
            if (!told) source = place.value_or(0);
            told = told || place.has_value();
            continue;
        }
        const auto at = addressed(line);
        if (!at) continue;
        told = false;
        const auto end = at->second.find(';');
        if (end == std::string_view::npos) continue;  // an encoding's second line
        const auto counted = alive.find(at->first);
        const std::string_view shown = trimmed(at->second.substr(0, end));
        listing.instructions.push_back(
            sassInstruction(at->first, std::string(shown), source, counted == alive.end() ? -1 : counted->second));
    }
    // Padding behind the end.
    while (!listing.empty() && listing.instructions.back().text == "NOP") listing.instructions.pop_back();
    return listing;
}

std::vector<std::string> launchedKernels(const Variant& variant, const Counters& counters) {
    const auto plain = [](const std::string& name) {
        std::string letters;
        for (const char c : name.substr(0, name.find_first_of("<@")))
            if (c != '_') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return letters;
    };
    auto kernels = counters.kernels;
    std::ranges::stable_sort(kernels, std::greater{}, [&](const KernelCounters& one) {
        return std::pair(plain(one.kernel) == plain(variant.id), one.blocks);
    });
    std::vector<std::string> names;
    for (const KernelCounters& one : kernels)
        if (std::ranges::find(names, one.kernel) == names.end()) names.push_back(one.kernel);
    return names;
}

}  // namespace warplens::gpu::user
