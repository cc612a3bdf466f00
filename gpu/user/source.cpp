// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/source.hpp"

#include "gpu/core/error.hpp"
#include "gpu/user/full_form.hpp"
#include "gpu/user/tokens.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

namespace warplens::gpu::user {
namespace {

constexpr int kBlockWidth = 32, kBlockHeight = 8, kMostThreads = 1024;

[[noreturn]] void refuse(const std::string& file, int line, const std::string& why) {
    throw Error(Error::Kind::argument, file + ":" + std::to_string(line) + ": " + why);
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// "const float*" of const, float, * and __restrict__; named types of a fixed width by what they are.
std::string typeOf(const std::vector<Token>& tokens) {
    std::string text;
    bool constant = false, pointer = false, isUnsigned = false;
    for (const Token& token : tokens) {
        std::string word = token.text;
        if (word == "std" || word == "::" || word == "__restrict__" || word == "__restrict" || word == "restrict")
            continue;
        if (word == "const") {
            constant = constant || !pointer;  // of the pointer itself it says nothing to a caller
        } else if (word == "*") {
            pointer = true;
        } else if (word == "unsigned") {
            isUnsigned = true;
        } else {
            if (word == "uint8_t") word = "unsigned char";
            if (word == "uint16_t") word = "unsigned short";
            if (word == "uint32_t") word = "unsigned int";
            if (word == "int32_t") word = "int";
            text += (text.empty() ? "" : " ") + word;
        }
    }
    if (isUnsigned) text = text.empty() ? "unsigned int" : "unsigned " + text;
    return std::string(constant && pointer ? "const " : "") + text + (pointer ? "*" : "");
}

/// Sentence and tunables of the comment lines that the file opens with.
void readHead(KernelSource& source) {
    int line = 0;
    for (const auto raw : io::split(source.text, '\n')) {
        ++line;
        std::string_view text = trimmed(raw);
        if (!text.starts_with("//")) {
            if (text.empty() || text.starts_with("#pragma once")) continue;
            break;
        }
        text = trimmed(text.substr(2));
        if (auto tunable = tunableOf(source.file, line, text)) {
            source.declared.push_back(tunable->id);
            source.variant.tunables.push_back(std::move(*tunable));
        } else if (source.variant.sentence.empty() && !text.starts_with("SPDX-")) {
            source.variant.sentence = std::string(text);
        }
    }
    const auto add = [&](const char* id, int fallback) {
        if (std::ranges::find(source.variant.tunables, id, &Tunable::id) == source.variant.tunables.end())
            source.variant.tunables.push_back({.id = id, .fallback = fallback, .minimum = 1, .maximum = kMostThreads});
    };
    add("block_width", kBlockWidth);
    add("block_height", kBlockHeight);
}

std::string idOf(const std::string& path) {
    std::string id = std::filesystem::path(path).stem().string();
    std::ranges::transform(id, id.begin(), [](unsigned char c) {
        return isWord(static_cast<char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
    });
    return id;
}

/// The parameters between parentheses; `at` stands behind the opening one.
std::vector<KernelParameter> parametersOf(const KernelSource& source, const std::vector<Token>& tokens,
                                          std::size_t at) {
    std::vector<KernelParameter> all;
    std::vector<Token> one;
    for (int depth = 0; at < tokens.size(); ++at) {
        const Token& token = tokens[at];
        if (depth == 0 && (token.text == "," || token.text == ")")) {
            if (one.size() >= 2) {
                const std::string name = one.back().text;
                one.pop_back();
                if (!isWord(name.front())) refuse(source.file, token.line, "a parameter needs a type and a name");
                all.push_back({typeOf(one), name});
            } else if (!one.empty() || token.text == ",") {
                refuse(source.file, token.line, "a parameter needs a type and a name");
            }
            one.clear();
            if (token.text == ")") return all;
            continue;
        }
        if (token.text == "(" || token.text == "<") ++depth;
        if (token.text == ")" || token.text == ">") --depth;
        one.push_back(token);
    }
    refuse(source.file, source.line, source.kernel + ": its list of parameters does not end");
}

}  // namespace

std::optional<Tunable> tunableOf(const std::string& file, int line, std::string_view text, int least) {
    constexpr std::string_view kWord = "tunable ";
    if (!text.starts_with(kWord)) return std::nullopt;
    const auto wrong = [&] {
        refuse(file, line, "a tunable is written '// tunable NAME = NUMBER (A, B, C)' or '(LEAST..MOST)'");
    };
    text.remove_prefix(kWord.size());
    const auto equals = text.find('='), open = text.find('('), close = text.find(')');
    if (equals == std::string_view::npos || open == std::string_view::npos || close == std::string_view::npos ||
        open < equals || close < open)
        wrong();
    const auto number = [&](std::string_view digits) {
        const auto value = io::parseNumber<int>(trimmed(digits));
        if (!value || *value < least) wrong();
        return value.value_or(least);
    };
    Tunable tunable;
    tunable.id = std::string(trimmed(text.substr(0, equals)));
    if (tunable.id.empty() || !std::ranges::all_of(tunable.id, isWord)) wrong();
    tunable.fallback = number(text.substr(equals + 1, open - equals - 1));
    const std::string_view range = text.substr(open + 1, close - open - 1);
    if (const auto dots = range.find(".."); dots != std::string_view::npos) {
        tunable.minimum = number(range.substr(0, dots));
        tunable.maximum = number(range.substr(dots + 2));
    } else {
        for (const auto choice : io::split(range, ',')) tunable.choices.push_back(number(choice));
        tunable.minimum = *std::ranges::min_element(tunable.choices);
        tunable.maximum = *std::ranges::max_element(tunable.choices);
        if (std::ranges::find(tunable.choices, tunable.fallback) == tunable.choices.end()) wrong();
    }
    if (tunable.fallback < tunable.minimum || tunable.fallback > tunable.maximum) wrong();
    return tunable;
}

KernelSource namedSource(const std::string& path, const std::string& text) {
    KernelSource source;
    source.file = std::filesystem::path(path).filename().string();
    source.text = text;
    source.variant.id = idOf(path);
    source.variant.title = source.file;
    source.variant.devices = Variant::Devices::both;
    source.variant.source = path;
    return source;
}

KernelSource parseSource(const std::string& path, const std::string& text) {
    const auto tokens = tokensOf(text);
    if (auto full = parseFullForm(path, text, tokens)) return std::move(*full);
    KernelSource source = namedSource(path, text);
    readHead(source);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text == "extern" && i + 1 < tokens.size() && tokens[i + 1].text == "__shared__")
            refuse(source.file, tokens[i].line, "shared memory needs a size here: __shared__ float tile[16][16]");
        if (tokens[i].text != "__global__") continue;
        if (!source.kernel.empty())
            refuse(source.file, tokens[i].line,
                   "one __global__ function is launched, and " + source.kernel + " stands in line " +
                       std::to_string(source.line) + " already: make this one a __device__ function");
        if (i > 0 && tokens[i - 1].text == ">")
            refuse(source.file, tokens[i].line, "the kernel is no template here: use pixel_t, the picture's own type");
        // __global__ void [__launch_bounds__(...)] NAME (
        std::size_t at = i + 1;
        while (at < tokens.size() && tokens[at].text != "(" && tokens[at].text != ";") {
            if (tokens[at].text == "__launch_bounds__")
                while (at < tokens.size() && tokens[at].text != ")") ++at;
            ++at;
        }
        if (at >= tokens.size() || tokens[at].text != "(")
            refuse(source.file, tokens[i].line, "a function is expected after __global__");
        source.kernel = tokens[at - 1].text;
        source.line = tokens[at - 1].line;
        source.parameters = parametersOf(source, tokens, at + 1);
        i = at;
    }
    if (source.kernel.empty())
        refuse(source.file, 1,
               "no __global__ function: write one, as in "
               "__global__ void mine(const float* in, float* out, int width, int height)");
    return source;
}

std::string withTunable(std::string text, const Tunable& tunable, int value) {
    for (const auto line : io::split(text, '\n')) {
        // "// tunable NAME = NUMBER (...)"
        std::string_view rest = trimmed(line);
        const auto skip = [&rest](std::string_view word) {
            const bool there = rest.starts_with(word);
            if (there) rest = trimmed(rest.substr(word.size()));
            return there;
        };
        if (skip("//") && skip("tunable ") && skip(tunable.id) && skip("=")) {
            const auto number = static_cast<std::size_t>(rest.data() - text.data());
            const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
            return text.replace(number, digits, std::to_string(value));
        }
    }
    const std::size_t end = text.starts_with("//") ? std::min(text.find('\n'), text.size() - 1) + 1 : 0;
    return text.insert(end, "// tunable " + tunable.id + " = " + std::to_string(value) + " (" +
                                std::to_string(tunable.minimum) + ".." + std::to_string(tunable.maximum) + ")\n");
}

}  // namespace warplens::gpu::user
