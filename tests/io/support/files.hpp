// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/error.hpp"
#include "io/grid.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

/// What the tests of io share.
namespace warplens::test {

using Bytes = std::vector<std::byte>;

inline Bytes bytesOf(const std::string& text) {
    const auto span = std::as_bytes(std::span(text));
    return {span.begin(), span.end()};
}

/// A temporary folder that files can be put into.
class Folder : public TemporaryFolder {
public:
    std::string write(const std::string& name, std::span<const std::byte> bytes) const {
        const auto file = path() / name;
        // As a new one: a file that is cut to nothing and written again goes to the disk before it is closed.
        std::filesystem::remove(file);
        std::ofstream out(file, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return file.string();
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()), {}));
    }
};

inline Bytes readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return bytesOf(text);
}

/// Every bit pattern is likely, NaN and infinity included.
inline io::Grid randomGrid(const io::Shape& shape, io::PixelType type, unsigned seed = 1) {
    io::Grid grid(shape, type);
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < grid.bytes(); ++i) grid.data()[i] = static_cast<std::byte>(random());
    return grid;
}

/// Equal in shape, type and every bit of every value.
inline ::testing::AssertionResult sameValues(const io::Grid& a, const io::Grid& b) {
    if (!(a.shape() == b.shape())) return ::testing::AssertionFailure() << "shapes differ";
    if (a.type() != b.type()) return ::testing::AssertionFailure() << nameOf(a.type()) << " and " << nameOf(b.type());
    const auto [x, y] = std::mismatch(a.data(), a.data() + a.bytes(), b.data());
    if (x == a.data() + a.bytes()) return ::testing::AssertionSuccess();
    const auto at = static_cast<std::size_t>(x - a.data());
    return ::testing::AssertionFailure() << "byte " << at << ": " << std::to_integer<int>(*x) << " and "
                                         << std::to_integer<int>(*y);
}

/// The Error a call throws, or none. Any other exception goes on and fails the test.
template <class Function>
std::optional<io::Error> errorOf(Function function) {
    try {
        function();
    } catch (const io::Error& error) {
        return error;
    }
    return std::nullopt;
}

/// Throws an Error of this kind, in one line, with this text in it.
template <class Function>
::testing::AssertionResult refuses(Function function, io::Error::Kind kind, const std::string& text = "") {
    const auto error = errorOf(function);
    if (!error) return ::testing::AssertionFailure() << "no error";
    const std::string what = error->what();
    if (error->kind() != kind) {
        return ::testing::AssertionFailure() << "kind " << static_cast<int>(error->kind()) << ": " << what;
    }
    if (what.find('\n') != std::string::npos) return ::testing::AssertionFailure() << "several lines: " << what;
    if (what.find(text) == std::string::npos) return ::testing::AssertionFailure() << "message is: " << what;
    return ::testing::AssertionSuccess();
}

inline Bytes little(std::uint64_t value, std::size_t size) {
    Bytes bytes;
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(i < 8 ? value >> (8 * i) : 0));
    return bytes;
}

inline Bytes join(std::initializer_list<Bytes> parts) {
    Bytes all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace warplens::test
