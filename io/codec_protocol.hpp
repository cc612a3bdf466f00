// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/error.hpp"
#include "io/format.hpp"
#include "io/grid.hpp"
#include "io/limits.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::protocol {

/// Messages to and from warplens-codec: a fixed MessageHeader, then its body; pixels or encoded bytes follow a body
/// raw. Both ends are one build on one machine, yet the reader believes nothing: every length is checked.

enum class Kind : std::uint32_t {
    decode = 1,    ///< request: DecodeRequest
    encode = 2,    ///< request: EncodeRequest, then the pixels
    picture = 3,   ///< reply: PictureHeader, then the pixels
    file = 4,      ///< reply: a 64-bit size, then so many encoded bytes
    failure = 5,   ///< reply: Failure
    progress = 6,  ///< before a reply, any number of times: a double from 0 to 1
    format = 7     ///< before a reply: the title of the format that the file was found to have
};

constexpr std::size_t kHeaderBytes = 16;
/// Bodies hold metadata, never pixels.
constexpr std::uint64_t kLongestBody = 16 << 20;

struct MessageHeader {
    Kind kind = Kind::failure;
    std::uint64_t bodyBytes = 0;
};

struct DecodeRequest {
    std::string path;
    int frame = 0;       ///< as ReadOptions::frame
    std::string series;  ///< as ReadOptions::series
    Limits limits;
    std::uint64_t cpuSeconds = 0;
};

/// Everything about a picture but its pixels.
struct PictureHeader {
    Shape shape;
    PixelType type = PixelType::u8;
    Geometry geometry;
    Metadata metadata;
};

struct EncodeRequest {
    std::string format;  ///< an id or a file extension
    std::string where;   ///< begins the messages
    EncodeOptions options;
    Limits limits;
    std::uint64_t cpuSeconds = 0;
    PictureHeader picture;
};

struct Failure {
    Error::Kind kind = Error::Kind::unreadable;
    std::string message;
};

std::array<std::byte, kHeaderBytes> pack(const MessageHeader& header);
/// Throws Error(unreadable) for anything that is no MessageHeader of ours.
MessageHeader unpackHeader(std::span<const std::byte> bytes);

std::vector<std::byte> pack(const DecodeRequest& request);
std::vector<std::byte> pack(const EncodeRequest& request);
std::vector<std::byte> pack(const PictureHeader& header);
std::vector<std::byte> pack(const Failure& failure);
std::vector<std::byte> pack(std::uint64_t size);
std::vector<std::byte> pack(double fraction);
/// A format's title: "PNG".
std::vector<std::byte> packFormat(const std::string& title);

/// Each throws Error(unreadable) when the body is too short, too long or holds values no sender of ours makes. Texts
/// come out as one line without control characters. Shapes are left for Limits::check.
DecodeRequest unpackDecodeRequest(std::span<const std::byte> body);
EncodeRequest unpackEncodeRequest(std::span<const std::byte> body);
PictureHeader unpackPictureHeader(std::span<const std::byte> body);
Failure unpackFailure(std::span<const std::byte> body);
std::uint64_t unpackSize(std::span<const std::byte> body);
/// 0..1.
double unpackProgress(std::span<const std::byte> body);
std::string unpackFormat(std::span<const std::byte> body);

PictureHeader headerOf(const Grid& grid);

/// Text from outside, fit to be shown: control characters become '?', and it is cut at `longest` characters.
std::string oneLine(const std::string& text, std::size_t longest = 600);

}  // namespace warplens::io::protocol
