// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/io/support/files.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

/// The element types of the volume formats, and values of each by arithmetic.
namespace warplens::test {

struct VolumeType {
    const char* ours;
    const char* nrrd;
    const char* meta;
    int nifti;  ///< datatype
    std::size_t size;
    bool isSigned, isFloat;
};
constexpr std::array<VolumeType, 10> kVolumeTypes{{{"u8", "uchar", "MET_UCHAR", 2, 1, false, false},
                                                   {"i8", "int8", "MET_CHAR", 256, 1, true, false},
                                                   {"u16", "ushort", "MET_USHORT", 512, 2, false, false},
                                                   {"i16", "short", "MET_SHORT", 4, 2, true, false},
                                                   {"u32", "uint", "MET_UINT", 768, 4, false, false},
                                                   {"i32", "int", "MET_INT", 8, 4, true, false},
                                                   {"u64", "ulonglong", "MET_ULONG_LONG", 1280, 8, false, false},
                                                   {"i64", "longlong", "MET_LONG_LONG", 1024, 8, true, false},
                                                   {"f32", "float", "MET_FLOAT", 16, 4, true, true},
                                                   {"f64", "double", "MET_DOUBLE", 64, 8, true, true}}};

/// The i-th value, i below 40: exact in its type and as f32, and unlike any other.
inline double volumeValue(const VolumeType& type, int i) {
    if (type.isFloat) return i % 2 == 0 ? -0.375 * i : 1000.25 + i;
    const double magnitude = type.size == 1 ? 3 * i + 1 : 300 * i + 259;
    return type.isSigned && i % 2 == 0 ? -magnitude : magnitude;
}

inline Bytes volumeBytes(const VolumeType& type, double value, bool big) {
    const auto bits = !type.isFloat    ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                      : type.size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                       : std::bit_cast<std::uint64_t>(value);
    auto bytes = little(bits, type.size);
    if (big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

/// The first so many values, as a file holds them.
inline Bytes volumeBytes(const VolumeType& type, int count, bool big) {
    Bytes bytes;
    for (int i = 0; i < count; ++i) {
        const auto one = volumeBytes(type, volumeValue(type, i), big);
        bytes.insert(bytes.end(), one.begin(), one.end());
    }
    return bytes;
}

inline std::string volumeText(const VolumeType& type, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        auto number = std::to_string(volumeValue(type, i));  // with a fraction of zeros
        if (!type.isFloat) number.resize(number.find('.'));
        text += number + (i % 5 == 4 ? "\n" : " ");
    }
    return text + "\n";
}

inline std::string hexOf(const Bytes& bytes) {
    std::string text;
    for (const auto byte : bytes) {
        for (const int digit : {std::to_integer<int>(byte) / 16, std::to_integer<int>(byte) % 16})
            text += "0123456789abcdef"[digit];
        if (text.size() % 7 == 6) text += '\n';
    }
    return text;
}

}  // namespace warplens::test
