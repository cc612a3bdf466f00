// SPDX-License-Identifier: Apache-2.0
// What a device draws of a result that lies on it equals, bit for bit, what the window draws of the downloaded one.
#include "gpu/kernels/transfer.hpp"
#include "gpu/render/display_painter.hpp"
#include "gpu/render/pyramid.hpp"
#include "gui/picture/render.hpp"
#include "tests/gui/views/samples.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace warplens::gui {
namespace {

double topOf(io::PixelType type) {
    return io::isWideInteger(type) ? 2e9 : type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
}

/// Values over the whole range and beyond it, floats with values that are none.
std::shared_ptr<const io::Grid> pictureOf(const io::Shape& shape, io::PixelType type) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    const double top = topOf(type);
    std::uint32_t state = 12345;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c) {
                    state = state * 1664525U + 1013904223U;
                    grid->setValue(x, y, z, c, top * (state >> 8) / double(1 << 24));
                }
    if (type == io::PixelType::f32) {
        constexpr float kInf = std::numeric_limits<float>::infinity();
        const float specials[] = {std::numeric_limits<float>::quiet_NaN(), kInf, -kInf, -0.25F, 1.75F, 1e-42F,
                                  std::numeric_limits<float>::max()};
        std::int64_t at = 0;
        for (const float special : specials)
            for (int k = 0; k < 5; ++k, at += 37)
                grid->setValue(at % shape.width, at / shape.width % shape.height, shape.depth / 2,
                               static_cast<int>(at) % shape.channels, special);
    }
    return grid;
}

class OnDevice {
public:
    OnDevice() : m_device(gpu::openDevice("cpu")), m_painter(*m_device) {}

    /// The screen of `request`, drawn by the device, put into what is around.
    QImage draw(const std::shared_ptr<const io::Grid>& grid, const RenderRequest& request) {
        gpu::keepResident(*m_device, grid, m_resident);
        QImage image(request.size, QImage::Format_RGB32);
        image.fill(request.surround);
        QPoint at;
        const auto display = displayOf(grid->shape(), request, at);
        if (display == nullptr) return image;
        seen = m_painter.paint({&m_resident.planes, grid->shape(), grid->type()}, display);
        for (int y = 0; y < seen.height; ++y)
            for (int x = 0; x < seen.width; ++x)
                image.setPixel(at + QPoint(x, y),
                               seen.pixels.get()[std::size_t(y) * std::size_t(seen.width) + std::size_t(x)]);
        return image;
    }
    gpu::render::Seen seen;

private:
    std::unique_ptr<gpu::Device> m_device;
    gpu::Resident m_resident;
    gpu::render::DisplayPainter m_painter;
};

RenderRequest lookingAt(const io::Shape& shape, double zoom, QPointF off) {
    RenderRequest request;
    request.size = {83, 61};
    request.centre = QPointF(static_cast<double>(shape.width) / 2, static_cast<double>(shape.height) / 2) + off;
    request.zoom = zoom;
    request.slice = shape.depth / 2;
    return request;
}

TEST(Display, EqualsWhatTheWindowDraws) {
    OnDevice device;
    int compared = 0;
    using enum io::PixelType;
    for (const io::PixelType type : {u8, u16, f32, u32, i32})
        for (const int channels : {1, 3, 4})
            for (const io::Shape& shape : {io::Shape{301, 207, 1, channels}, io::Shape{33, 47, 3, channels}}) {
                const auto grid = pictureOf(shape, type);
                const auto pyramid = gpu::render::makePyramid(*grid, shape.depth / 2);
                const double top = topOf(type);
                int turn = 0;
                for (const double zoom : {0.19, 0.3, 0.5, 0.77, 1.0, 3.5})
                    for (const Outside outside : {Outside::clamped, Outside::marked, Outside::blank}) {
                        RenderRequest request = lookingAt(shape, zoom, QPointF(0.37 * turn, -7.3 * turn));
                        request.map = kColourMaps[static_cast<std::size_t>(turn) % kColourMaps.size()];
                        request.outside = outside;
                        request.labelColours = false;  // the map that is asked for
                        request.range =
                            turn % 4 == 3 ? DisplayRange{0.8 * top, 0.1 * top} : DisplayRange{0.1 * top, 0.83 * top};
                        if (turn == 5) request.range = {top / 2, top / 2};
                        EXPECT_EQ(device.draw(grid, request), render(*grid, pyramid.get(), request))
                            << io::nameOf(type) << ", " << channels << " channels, " << shape.width << " wide, zoom "
                            << zoom << ", outside " << static_cast<int>(outside);
                        ++turn;
                        ++compared;
                    }
            }
    EXPECT_EQ(compared, 5 * 3 * 2 * 18);
}

TEST(Display, EveryColourMapIsTheWindows) {
    OnDevice device;
    const auto grid = pictureOf({97, 61, 1, 1}, io::PixelType::f32);
    for (const ColourMap map : kColourMaps)
        for (const double zoom : {0.3, 1.0}) {
            RenderRequest request = lookingAt(grid->shape(), zoom, {});
            request.range = {0, 1};
            request.map = map;
            const auto pyramid = gpu::render::makePyramid(*grid, 0);
            EXPECT_EQ(device.draw(grid, request), render(*grid, pyramid.get(), request)) << nameOf(map).toStdString();
        }
}

TEST(Display, BringsDownWhatIsVisibleAlone) {
    OnDevice device;
    const auto grid = pictureOf({40, 30, 1, 1}, io::PixelType::u8);
    device.draw(grid, lookingAt(grid->shape(), 1, {}));
    EXPECT_EQ(QSize(device.seen.width, device.seen.height), QSize(40, 30));
    const auto held = device.seen.pixels;
    device.draw(grid, lookingAt(grid->shape(), 1, {30, 0}));
    EXPECT_EQ(device.seen.width, 31);
    EXPECT_NE(device.seen.pixels.get(), held.get()) << "a picture that is still looked at was overwritten";
    QPoint at;
    EXPECT_EQ(displayOf(grid->shape(), lookingAt(grid->shape(), 1, {900, 0}), at), nullptr);
}

}  // namespace
}  // namespace warplens::gui
