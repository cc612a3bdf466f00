// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/full_form.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>
#include <utility>

namespace warplens::gpu::user {
namespace {

constexpr std::string_view kCopyOf = "// Copy of: ", kIdea = "// Idea: ", kEnding = "_entry";

/// KernelEntry NAME_entry(
std::optional<Token> entryIn(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
        if (tokens[i].text == "KernelEntry" && tokens[i + 1].text.ends_with(kEnding) && tokens[i + 2].text == "(")
            return tokens[i + 1];
    return std::nullopt;
}

/// What follows `namespace warplens::gpu::`, or empty.
std::string familyIn(const std::vector<Token>& tokens) {
    const std::vector<std::string> scope{"namespace", "warplens", "::", "gpu", "::"};
    for (std::size_t i = 0; i + scope.size() < tokens.size(); ++i)
        if (std::equal(scope.begin(), scope.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i),
                       [](const std::string& word, const Token& token) { return token.text == word; }))
            return tokens[i + scope.size()].text;
    return {};
}

struct Head {
    std::string row{}, idea{};
    int line = 1;                                     ///< of the row's
    std::vector<std::pair<int, Tunable>> tunables{};  ///< by their lines
};
Head headOf(const std::string& file, const std::string& text) {
    Head head;
    int line = 0;
    for (const auto raw : io::split(text, '\n')) {
        ++line;
        const std::string_view words = raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw;
        if (!words.starts_with("//")) break;
        if (words.starts_with(kIdea)) head.idea = words.substr(kIdea.size());
        if (auto tunable = words.starts_with("// ") ? tunableOf(file, line, words.substr(3), 0) : std::nullopt)
            head.tunables.emplace_back(line, std::move(*tunable));
        if (!words.starts_with(kCopyOf)) continue;
        head.row = words.substr(kCopyOf.size());
        head.line = line;
    }
    return head;
}

}  // namespace

std::optional<KernelSource> parseFullForm(const std::string& path, const std::string& text,
                                          const std::vector<Token>& tokens) {
    const auto entry = entryIn(tokens);
    KernelSource source = namedSource(path, text);
    const Head head = headOf(source.file, text);
    if (!entry && head.row.empty()) return std::nullopt;
    const auto refuse = [&](int line, const std::string& why) {
        throw Error(Error::Kind::argument, source.file + ":" + std::to_string(line) + ": " + why);
    };
    if (!entry)
        refuse(head.line, "a copy of " + head.row + " ends with KernelEntry NAME_entry(), and this file has none");
    source.family = familyIn(tokens);
    source.entry = entry->text;
    source.line = entry->line;
    source.row = source.entry.substr(0, source.entry.size() - kEnding.size());
    if (!head.row.empty()) {
        const auto slash = head.row.find('/');
        source.row = head.row.substr(slash == std::string::npos ? head.row.size() : slash + 1);
        if (const std::string named = head.row.substr(0, slash); named != source.family)
            refuse(entry->line, "a copy of " + head.row + " defines its entry in namespace warplens::gpu::" + named +
                                    ", not in '" + source.family + "'");
    }
    const Variant* row = findVariant(source.family, source.row);
    if (row == nullptr || row->kind != Variant::Kind::kernel)
        refuse(head.row.empty() ? entry->line : head.line,
               "which kernel of ours is it a copy of? Write '" + std::string(kCopyOf) +
                   "FAMILY/VARIANT' in its head, with an id of list variants");
    const Variant named = std::exchange(source.variant, *row);
    source.variant.id = named.id;
    source.variant.title = named.title;
    source.variant.source = named.source;
    source.variant.predecessor = row->id;
    if (!head.idea.empty()) source.variant.sentence = head.idea;
    source.kernel = named.id;
    for (const auto& [line, own] : head.tunables) {
        const auto tunable = std::ranges::find(source.variant.tunables, own.id, &Tunable::id);
        if (tunable == source.variant.tunables.end()) refuse(line, source.row + " has no tunable '" + own.id + "'");
        tunable->fallback = own.fallback;
        source.declared.push_back(own.id);
        try {
            resolve(*row, {{own.id, own.fallback}});
        } catch (const Error& error) {
            refuse(line, error.what());
        }
    }
    return source;
}

std::string copyOf(const Family& family, const Variant& variant, const std::string& text) {
    if (variant.kind != Variant::Kind::kernel)
        throw Error(Error::Kind::unsupported, variant.id + " is no kernel of ours: there is no file to copy");
    const std::string line = std::string(kCopyOf) + family.id() + "/" + variant.id + "\n";
    const auto first = text.starts_with("// SPDX-") ? text.find('\n') + 1 : 0;
    return text.substr(0, first) + line + text.substr(first);
}

std::string prologueOfFullForm(const std::vector<io::PixelType>& types) {
    const auto takes = [&](io::PixelType type) {
        return types.empty() || std::ranges::find(types, type) != types.end() ? "true" : "false";
    };
    return std::string("namespace warplens::io {\ntemplate <class F>\nstruct TaskTypes {\n    static constexpr bool ") +
           "kBytes = " + takes(io::PixelType::u8) + ", kWords = " + takes(io::PixelType::u16) +
           ", kFloats = " + takes(io::PixelType::f32) + ";\n};\n}\n";
}

std::string callerOfFullForm(const KernelSource& source) {
    const std::string scope = "warplens::gpu::" + source.family + "::";
    return std::string("extern \"C\" const void* ") + kEntry + "() {\n    static const " + scope +
           "KernelEntry entry = " + scope + source.entry + "();\n    return &entry;\n}\n";
}

std::optional<std::string> instanceNamed(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    if (status != 0) return std::nullopt;
    // "void a::user_build::name<T, 2>(arguments)", where a template's begins with what it returns.
    std::string name(text.get());
    constexpr std::string_view kReturned = "void ", kScope = "user_build::";
    if (name.starts_with(kReturned)) name.erase(0, kReturned.size());
    for (auto at = name.find(kScope); at != std::string::npos; at = name.find(kScope)) name.erase(at, kScope.size());
    if (!name.ends_with(')') || name.find("(anonymous namespace)") != std::string::npos ||
        name.find("{lambda") != std::string::npos)
        return std::nullopt;
    int open = 0;
    auto begin = name.size();
    do {
        --begin;
        open += name[begin] == ')' ? 1 : name[begin] == '(' ? -1 : 0;
    } while (open > 0 && begin > 0);
    return name.substr(0, begin);
}

}  // namespace warplens::gpu::user
