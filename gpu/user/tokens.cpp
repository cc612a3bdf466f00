// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace warplens::gpu::user {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Token> tokensOf(const std::string& text) {
    std::vector<Token> tokens;
    int line = 1;
    bool lineBegins = true;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const auto skipTo = [&](std::size_t end) {
            end = std::min(end, text.size());
            line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
            i = end;
        };
        const auto endOf = [&](std::string_view mark, std::size_t from) {
            const auto at = text.find(mark, from);
            return at == std::string::npos ? text.size() : at + mark.size();
        };
        if (c == '\n') {
            lineBegins = true;
            skipTo(i + 1);
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++i;
        } else if (text.compare(i, 2, "//") == 0 || (c == '#' && lineBegins)) {
            auto end = text.find('\n', i);
            while (end != std::string::npos && end > i && text[end - 1] == '\\') end = text.find('\n', end + 1);
            skipTo(end == std::string::npos ? text.size() : end);
        } else if (text.compare(i, 2, "/*") == 0) {
            skipTo(endOf("*/", i + 2));
        } else if (c == '"' || c == '\'') {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
            skipTo(end + 1);
        } else {
            lineBegins = false;
            std::size_t end = i + 1;
            if (isWord(c))
                while (end < text.size() && isWord(text[end])) ++end;
            else if (text.compare(i, 2, "::") == 0)
                end = i + 2;
            tokens.push_back({text.substr(i, end - i), line});
            i = end;
        }
    }
    return tokens;
}

}  // namespace warplens::gpu::user
