// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/meta_values.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/codecs/inflate.hpp"
#include "io/codecs/packed_values.hpp"
#include "io/text.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
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

std::vector<std::byte> readText(const MetaHeader& header, std::size_t needed, const Source& source) {
    checkTextEnds(header.dataPath, "MetaImage", source);
    InputFile file(header.dataPath);
    std::string text(static_cast<std::size_t>(header.dataBytes), '\0');
    file.seek(header.dataBegin);
    file.readExactly(std::as_writable_bytes(std::span(text)));
    const auto size = static_cast<std::size_t>(bytesOfType(header.type));
    const auto put = storeOf(header.type);
    std::vector<std::byte> values(needed);
    std::size_t at = 0;
    for (std::size_t filled = 0; filled < needed; filled += size) {
        constexpr std::string_view kBlanks = " \t\r\n\v\f";
        const auto begin = text.find_first_not_of(kBlanks, at);
        if (begin == std::string::npos) damaged(source.where, "MetaImage", "its text ends before all values");
        at = text.find_first_of(kBlanks, begin);
        if (!put(std::string_view(text).substr(begin, at - begin), &values[filled])) {
            damaged(source.where, "MetaImage", "its text holds something other than numbers of its type");
        }
    }
    return values;
}

}  // namespace

std::vector<std::byte> readMetaValues(const MetaHeader& header, const Source& source) {
    const auto size = static_cast<std::size_t>(bytesOfType(header.type));
    const auto needed = static_cast<std::size_t>(valuesOf(header, "MetaImage", source.where)) * size;
    if (header.packing == Packing::text) return readText(header, needed, source);
    InflatedFile stream(header.dataPath, header.dataBegin, Wrapping::zlibOrGzip, "MetaImage", source);
    auto values = readNeeded(stream, needed, "MetaImage", source);
    if (size > 1 && header.bigEndian) swapBytes(values, size);
    return values;
}

}  // namespace warplens::io::codecs
