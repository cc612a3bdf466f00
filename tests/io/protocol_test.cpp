// SPDX-License-Identifier: Apache-2.0
#include "io/codec_protocol.hpp"
#include "tests/io/support/files.hpp"

#include <limits>

namespace warplens::test {
namespace {

namespace protocol = io::protocol;
using Kind = io::Error::Kind;

protocol::PictureHeader header() {
    protocol::PictureHeader h{{7, 5, 3, 4}, io::PixelType::f32, {}, {}};
    h.geometry.spacing = {0.5, 0.25, 2};
    h.metadata.format = "tiff";
    h.metadata.sourceType = "i16";
    h.metadata.pages = 3;
    h.metadata.page = 2;
    h.metadata.series = {{"1.2", "head", 7}, {"1.3", "", 1}};
    h.metadata.notes = {"one", "two"};
    h.metadata.iccProfile = bytesOf("profile");
    h.metadata.dpi = {72, 96};
    return h;
}

TEST(Protocol, AHeaderComesBackWhole) {
    const auto h = header();
    const auto back = protocol::unpackPictureHeader(protocol::pack(h));
    EXPECT_EQ(back.shape, h.shape);
    EXPECT_EQ(back.type, h.type);
    EXPECT_EQ(back.geometry, h.geometry);
    EXPECT_EQ(back.metadata.format, "tiff");
    EXPECT_EQ(back.metadata.sourceType, "i16");
    EXPECT_EQ(back.metadata.pages, 3);
    EXPECT_EQ(back.metadata.page, 2);
    EXPECT_EQ(back.metadata.series, h.metadata.series);
    EXPECT_EQ(back.metadata.notes, h.metadata.notes);
    EXPECT_EQ(back.metadata.iccProfile, h.metadata.iccProfile);
    EXPECT_EQ(back.metadata.dpi, h.metadata.dpi);
}

TEST(Protocol, EveryTypeAndNoOtherPasses) {
    using enum io::PixelType;
    auto h = header();
    int passed = 0;
    for (int type = 0; type < 256; ++type) {
        h.type = static_cast<io::PixelType>(type);
        const auto body = protocol::pack(h);
        const bool known = h.type == u8 || h.type == u16 || h.type == f32 || h.type == u32 || h.type == i32;
        if (known) {
            EXPECT_EQ(protocol::unpackPictureHeader(body).type, h.type);
            ++passed;
        } else {
            EXPECT_TRUE(refuses([&] { protocol::unpackPictureHeader(body); }, Kind::unreadable, "an unknown type"));
        }
    }
    EXPECT_EQ(passed, 5);
}

TEST(Protocol, ARequestComesBackWhole) {
    protocol::DecodeRequest request{"a\nb.png", 3, "1.2", {}, 12};
    request.limits.side = 99;
    const auto back = protocol::unpackDecodeRequest(protocol::pack(request));
    EXPECT_EQ(back.path, "a\nb.png") << "a path is taken as it is";
    EXPECT_EQ(back.frame, 3);
    EXPECT_EQ(back.series, "1.2");
    EXPECT_EQ(back.limits.side, 99);
    EXPECT_EQ(back.cpuSeconds, 12U);
}

TEST(Protocol, EveryShorterOrLongerBodyIsRefused) {
    auto body = protocol::pack(header());
    for (std::size_t size = 0; size < body.size(); ++size) {
        EXPECT_TRUE(refuses([&] { protocol::unpackPictureHeader(std::span(body).first(size)); }, Kind::unreadable))
            << size;
    }
    body.push_back({});
    EXPECT_TRUE(refuses([&] { protocol::unpackPictureHeader(body); }, Kind::unreadable, "too long"));
}

TEST(Protocol, NonsenseIsRefused) {
    auto h = header();
    h.type = static_cast<io::PixelType>(9);
    EXPECT_TRUE(refuses([&] { protocol::unpackPictureHeader(protocol::pack(h)); }, Kind::unreadable));
    h = header();
    h.geometry.origin[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(refuses([&] { protocol::unpackPictureHeader(protocol::pack(h)); }, Kind::unreadable));
    h = header();
    h.metadata.pages = 0;
    EXPECT_TRUE(refuses([&] { protocol::unpackPictureHeader(protocol::pack(h)); }, Kind::unreadable));
    EXPECT_TRUE(refuses([] { protocol::unpackHeader(Bytes(protocol::kHeaderBytes)); }, Kind::unreadable));
    const auto lead = protocol::pack(protocol::MessageHeader{protocol::Kind::picture, protocol::kLongestBody + 1});
    EXPECT_TRUE(refuses([&] { protocol::unpackHeader(lead); }, Kind::unreadable, "cap"));
}

TEST(Protocol, TextsBecomeOneHarmlessLine) {
    EXPECT_EQ(protocol::oneLine("a\nb\x1b[31m"), "a?b?[31m");
    EXPECT_EQ(protocol::oneLine(std::string(1000, 'x')).size(), 600U);
    const auto failure = protocol::unpackFailure(protocol::pack(protocol::Failure{Kind::limit, "two\nlines"}));
    EXPECT_EQ(failure.message, "two?lines");
    EXPECT_EQ(failure.kind, Kind::limit);
}

}  // namespace
}  // namespace warplens::test
