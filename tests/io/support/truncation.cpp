// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/truncation.hpp"

#include "io/codecs/codec.hpp"
#include "tests/io/support/fixtures.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace warplens::test {

using io::PixelType;
using Kind = io::Error::Kind;

namespace {

/// Every size of a small file; of a larger one the beginning, the end, and some between.
std::set<std::size_t> sizesBelow(std::size_t size, std::size_t most) {
    std::set<std::size_t> sizes;
    const auto step = std::max<std::size_t>(size / most, 1);
    for (std::size_t at = 0; at < size; at += step) sizes.insert(at);
    const auto ends = std::min(size, most / 4);
    for (std::size_t i = 0; i < ends; ++i) {
        sizes.insert(i);
        sizes.insert(size - 1 - i);
    }
    return sizes;
}

}  // namespace

void checkCut(const std::function<io::Grid()>& reading, const io::Grid& whole, const std::string& what) {
    io::Grid grid;
    if (const auto error = errorOf([&] { grid = reading(); })) {
        // Every kind but these two ends the program with status 3.
        EXPECT_TRUE(error->kind() != Kind::argument && error->kind() != Kind::cancelled) << what << error->what();
    } else {
        EXPECT_TRUE(sameValues(grid, whole)) << what;
    }
}

std::string cutTo(const std::string& name, std::size_t size, std::size_t whole) {
    return name + " cut to " + std::to_string(size) + " of " + std::to_string(whole);
}

void checkInMemory(const std::string& name, const Bytes& file, const std::function<io::Grid(const Bytes&)>& decode,
                   std::size_t most) {
    io::Grid whole;
    ASSERT_FALSE(errorOf([&] { whole = decode(file); })) << name << ": " << errorOf([&] { decode(file); })->what();
    for (const auto size : sizesBelow(file.size(), most)) {
        const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        checkCut([&] { return decode(prefix); }, whole, cutTo(name, size, file.size()));
    }
}

void checkInMemory(const Files& files, std::size_t most) {
    for (const auto& [name, file] : files) {
        checkInMemory(
            name, file, [&, where = name](const Bytes& bytes) { return io::codecs::decode(bytes, {}, where); }, most);
    }
}

void checkFile(const Folder& folder, const std::string& name, const Bytes& file, const std::string& input,
               std::size_t most) {
    const auto path = folder.write(name, file);
    const auto reading = [&] { return decodeFile((folder.path() / input).string()); };
    io::Grid whole;
    ASSERT_FALSE(errorOf([&] { whole = reading(); })) << name << ": " << errorOf(reading)->what();
    const auto sizes = sizesBelow(file.size(), most);
    // From the longest on, as that is only a cut.
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        std::filesystem::resize_file(path, *size);
        checkCut(reading, whole, cutTo(name, *size, file.size()));
    }
    folder.write(name, file);
}

void checkFiles(const Files& files, std::size_t most) {
    const Folder folder;
    for (const auto& [name, file] : files) checkFile(folder, name, file, name, most);
}

io::Grid busyGrid(const io::Shape& shape, PixelType type) {
    io::Grid grid(shape, type);
    std::mt19937 random(7);
    const auto values = static_cast<std::size_t>(shape.values());
    for (std::size_t i = 0; i < values; ++i) {
        const auto value = static_cast<int>(random() % 250 + 1);
        if (type == PixelType::u8) grid.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
        if (type == PixelType::u16) grid.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(257 * value);
        if (type == PixelType::f32) grid.as<float>()[i] = static_cast<float>(value) + 0.5F;
    }
    return grid;
}

Bytes storedValues(const io::Grid& grid) { return {grid.data(), grid.data() + grid.bytes()}; }

}  // namespace warplens::test
