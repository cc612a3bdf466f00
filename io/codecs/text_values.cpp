// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/text_values.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/volume_header.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace warplens::io::codecs {
namespace {

/// Whole numbers may be written as 1e3 or 7.0, too.
template <class T>
std::optional<T> valueIn(std::string_view word) {
    if (const auto value = parseNumber<T>(word)) return value;
    if constexpr (std::is_integral_v<T>) {
        const auto value = parseNumber<double>(word);
        constexpr auto kPast = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
        if (value && std::trunc(*value) == *value && *value < kPast &&
            *value >= static_cast<double>(std::numeric_limits<T>::min())) {
            return static_cast<T>(*value);
        }
    }
    return std::nullopt;
}

/// Puts one number into `out`; false when it is none of the type.
using Store = bool (*)(std::string_view word, std::byte* out);

template <class T>
bool store(std::string_view word, std::byte* out) {
    const auto value = valueIn<T>(word);
    if (value) std::memcpy(out, &*value, sizeof(T));
    return value.has_value();
}

Store storeOf(std::string_view type) {
    if (type == "u8") return store<std::uint8_t>;
    if (type == "i8") return store<std::int8_t>;
    if (type == "u16") return store<std::uint16_t>;
    if (type == "i16") return store<std::int16_t>;
    if (type == "u32") return store<std::uint32_t>;
    if (type == "i32") return store<std::int32_t>;
    if (type == "u64") return store<std::uint64_t>;
    if (type == "i64") return store<std::int64_t>;
    return type == "f32" ? store<float> : store<double>;
}

std::string textFrom(const std::string& path, std::int64_t begin) {
    InputFile file(path);
    std::string text(static_cast<std::size_t>(std::max<std::int64_t>(file.size() - begin, 0)), '\0');
    if (text.empty()) return text;
    file.seek(begin);
    file.readExactly(std::as_writable_bytes(std::span(text)));
    return text;
}

}  // namespace

void readDecimals(const std::string& path, std::int64_t begin, std::string_view type, std::int64_t skipped,
                  std::span<std::byte> out, const char* title, const Source& source) {
    checkTextEnds(path, title, source);
    const auto text = textFrom(path, begin);
    const auto size = static_cast<std::size_t>(bytesOfType(type));
    const auto put = storeOf(type);
    constexpr std::string_view kBetween = " ,\t\r\n\v\f";
    std::size_t at = 0;
    for (auto number = -skipped; !out.empty(); ++number) {
        const auto first = text.find_first_not_of(kBetween, at);
        if (first == std::string::npos) damaged(source.where, title, "its text ends before all values");
        at = std::min(text.find_first_of(kBetween, first), text.size());
        if (number < 0) continue;
        auto word = std::string_view(text).substr(first, at - first);
        if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
        if (!put(word, out.data()))
            damaged(source.where, title, "its text holds something other than numbers of its type");
        out = out.subspan(size);
    }
}

void readHex(const std::string& path, std::int64_t begin, std::int64_t skipped, std::span<std::byte> out,
             const char* title, const Source& source) {
    const auto text = textFrom(path, begin);
    int half = -1;
    std::size_t filled = 0;
    for (const char c : text) {
        if (filled == out.size()) return;
        if (std::string_view(" \t\r\n\v\f").find(c) != std::string_view::npos) continue;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) damaged(source.where, title, "its text holds something other than hexadecimal digits");
        if (half < 0) {
            half = digit;
            continue;
        }
        if (skipped > 0) {
            --skipped;
        } else {
            out[filled++] = static_cast<std::byte>(half * 16 + digit);
        }
        half = -1;
    }
    if (filled < out.size()) damaged(source.where, title, "its text ends before all values");
}

}  // namespace warplens::io::codecs
