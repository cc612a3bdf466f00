// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The elements of a DICOM file that matter to its pixels. Lengths are checked before anything is read or allocated.
namespace warplens::io::codecs {

struct DicomItem;

/// One element: its value as it lies in the file, or the items of a sequence.
struct DicomField {
    std::vector<std::byte> value;
    std::vector<DicomItem> items;
    std::array<char, 2> kind{};  ///< "US", "OW" ...; zeros where the file does not say
};

/// A data set, the whole or an item of a sequence. A number whose bytes are too few is taken for absent.
struct DicomItem {
    std::map<std::uint32_t, DicomField> fields;
    bool big = false;  ///< the byte order of its numbers

    const DicomField* find(std::uint32_t tag) const;
    /// The first item of a sequence; null when there is none.
    const DicomItem* first(std::uint32_t tag) const;
    /// Without the blanks and zeros around it; empty when there is none.
    std::string text(std::uint32_t tag) const;
    /// Decimal numbers in a text, in their order; empty when one of them is none, or not finite.
    std::vector<double> decimals(std::uint32_t tag) const;
    std::optional<double> decimal(std::uint32_t tag) const;
    /// Numbers of 16 bits.
    std::vector<std::uint16_t> words(std::uint32_t tag) const;
    std::optional<std::int64_t> word(std::uint32_t tag) const;
    /// Binary numbers of 64 bits.
    std::vector<std::uint64_t> longs(std::uint32_t tag) const;
    /// A number of 64 bits in floating point.
    std::optional<double> real(std::uint32_t tag) const;
};

/// A part of the file, or of what it holds deflated.
struct DicomPiece {
    std::int64_t begin = 0, bytes = 0;
};

/// The element of the pixels.
struct DicomPixels {
    std::uint32_t tag = 0;  ///< 0: the file has none
    std::array<char, 2> kind{};
    DicomPiece native;                  ///< as the element states it: not all of it may be there
    bool encapsulated = false;          ///< in fragments
    std::vector<DicomPiece> fragments;  ///< the table of offsets first
};

struct DicomDataset {
    std::string kind;    ///< the UID of the class, as "CT image"
    std::string syntax;  ///< the UID of the transfer syntax; guessed where the file has none
    DicomItem root;
    DicomPixels pixels;
    std::unique_ptr<DicomBytes> bytes;  ///< what the pieces are pieces of
};

constexpr std::uint32_t kPixelData = 0x7fe00010;
constexpr std::uint32_t kFloatPixelData = 0x7fe00008;
constexpr std::uint32_t kDoublePixelData = 0x7fe00009;

/// Walks through all elements up to the pixels. `source` outlives the result. Throws Error(unreadable) when a length
/// leads out of the file or an element is none.
DicomDataset readDicomDataset(const std::string& path, const Source& source);

}  // namespace warplens::io::codecs
