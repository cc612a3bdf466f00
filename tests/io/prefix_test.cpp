// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/read.hpp"
#include "tests/io/support/fixtures.hpp"

#include <chrono>

namespace warplens::test {
namespace {

TEST(SmallFiles, EachIsReadAsWhatItIs) {
    for (const auto& seed : smallFiles()) {
        const auto& name = seed.first;
        const auto& file = seed.second;
        const auto grid = io::codecs::decode(file, {}, name);
        const auto ending = name.substr(name.find('.') + 1);
        const auto* codec = io::codecs::identify(file);
        ASSERT_NE(codec, nullptr) << name;
        EXPECT_TRUE(std::any_of(codec->extensions.begin(), codec->extensions.end(), [&](const char* e) {
            return e == ending;
        })) << name;
        EXPECT_EQ(grid.metadata.format, codec->id);
    }
}

TEST(SmallFiles, EveryPrefixIsAnErrorAndQuick) {
    for (const auto& seed : smallFiles()) {
        const auto& name = seed.first;
        const auto& file = seed.second;
        for (std::size_t size = 0; size < file.size(); ++size) {
            // A copy of just that size, so that a sanitizer sees every step beyond it.
            const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            const auto begin = std::chrono::steady_clock::now();
            EXPECT_TRUE(errorOf([&] { io::codecs::decode(prefix, {}, name); }))
                << name << " cut to " << size << " of " << file.size();
            EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
        }
    }
}

TEST(SmallFiles, EverySingleBitFlipIsReadOrRefused) {
    io::Limits limits;
    limits.side = 4096;
    limits.bytes = 64 << 20;
    for (const auto& seed : smallFiles()) {
        const auto& name = seed.first;
        const auto& file = seed.second;
        auto flipped = file;
        for (std::size_t i = 0; i < std::min<std::size_t>(file.size(), 400); ++i) {
            for (int bit = 0; bit < 8; ++bit) {
                flipped[i] = file[i] ^ static_cast<std::byte>(1 << bit);
                errorOf([&] { io::codecs::decode(flipped, limits, name); });
            }
            flipped[i] = file[i];
        }
    }
}

TEST(SmallFiles, SomePrefixesThroughTheProcess) {
    const Folder folder;
    for (const auto& seed : smallFiles()) {
        const auto& name = seed.first;
        const auto& file = seed.second;
        EXPECT_TRUE(sameValues(io::read(folder.write(name, file)), io::codecs::decode(file, {}, name))) << name;
        const auto cut = folder.write(name, std::span(file).first(file.size() * 2 / 3));
        const auto error = errorOf([&] { io::read(cut); });
        ASSERT_TRUE(error) << name;
        EXPECT_NE(std::string(error->what()).find(name), std::string::npos) << error->what();
    }
}

}  // namespace
}  // namespace warplens::test
