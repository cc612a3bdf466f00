// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/io/support/files.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// DICOM pictures of every layout, byte by byte as the standard says.
namespace warplens::test {

/// Writes elements in one transfer syntax.
struct DicomSyntax {
    bool isExplicit = true;
    bool big = false;

    Bytes number(std::uint64_t value, std::size_t size) const;
    Bytes tag(unsigned group, unsigned number16) const { return join({number(group, 2), number(number16, 2)}); }
    Bytes lead(unsigned group, unsigned number16, const std::string& kind, std::uint32_t size) const;
    Bytes element(unsigned group, unsigned number16, const std::string& kind, Bytes value) const;
    Bytes text(unsigned group, unsigned number16, const std::string& kind, const std::string& value) const {
        return element(group, number16, kind, bytesOf(value));
    }
    Bytes word(unsigned group, unsigned number16, int value) const {
        return element(group, number16, "US", number(static_cast<std::uint64_t>(value), 2));
    }
    Bytes words(unsigned group, unsigned number16, const std::string& kind, const std::vector<int>& values) const;
    Bytes item(const Bytes& value) const { return join({tag(0xfffe, 0xe000), number(value.size(), 4), value}); }
    Bytes end(unsigned number16) const { return join({tag(0xfffe, number16), number(0, 4)}); }
    /// Of items without their leads.
    Bytes sequence(unsigned group, unsigned number16, const std::vector<Bytes>& items) const;
};

enum class DicomCoding { explicitLittle, implicitLittle, explicitBig, deflated, rle };

struct DicomPicture {
    int width = 0, height = 0;
    int samples = 1;  ///< 3: RGB
    int bits = 16;    ///< a sample takes: 8, 16 or 32
    int stored = 0;   ///< of them are its value; 0: all
    int highest = 0;  ///< the highest of these; 0: the one that puts the lowest at 0
    int frames = 1;
    bool byPlane = false;  ///< the planar configuration
    bool isSigned = false;
    DicomCoding coding = DicomCoding::explicitLittle;
    bool sequence = false;      ///< a sequence without a stated length, with an icon in it, stands before the pixels
    std::string photometric{};  ///< RGB or MONOCHROME2 unless said
    std::string slope{}, intercept{};
    /// Elements before the pixels, in this syntax; none unless said.
    std::function<Bytes(const DicomSyntax&)> more{};
    /// The element of the pixels, in the place of the one that holds the values.
    std::function<Bytes(const DicomSyntax&)> pixels{};
    std::string syntax{};  ///< the UID of the transfer syntax, in the place of the coding's
};

constexpr std::uint32_t kNoLength = 0xffffffff;

/// The values in the order in which a Grid holds them: all bits that they take, whatever of them is stored.
Bytes dicomFile(const DicomPicture& picture, const std::vector<std::uint32_t>& values);

}  // namespace warplens::test
