// SPDX-License-Identifier: Apache-2.0
#include "gui/session/file_jobs.hpp"

#include "gpu/render/label_colour.hpp"
#include "io/error.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <QBuffer>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>

namespace warplens::gui {

namespace {

constexpr int kSamplesPerPixel = 4;  // along each axis; enough for a thumbnail, cheap for a huge picture

struct Range {
    double low = 0, high = 255;
};

/// Mean of a few samples of one thumbnail pixel's box.
double boxMean(const io::Grid& grid, std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1, int channel) {
    double sum = 0;
    int count = 0;
    for (int j = 0; j < kSamplesPerPixel; ++j)
        for (int i = 0; i < kSamplesPerPixel; ++i) {
            const double v = grid.value(x0 + (x1 - x0) * i / kSamplesPerPixel, y0 + (y1 - y0) * j / kSamplesPerPixel,
                                        grid.shape().depth / 2, channel);
            if (!std::isfinite(v)) continue;
            sum += v;
            ++count;
        }
    return count > 0 ? sum / count : 0;
}

/// Labels, sampled and each in its colour.
QImage labelThumbnail(const io::Grid& grid, int width, int height) {
    const io::Shape& shape = grid.shape();
    QImage image(width, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double label = grid.value(shape.width * x / width, shape.height * y / height, shape.depth / 2, 0);
            image.setPixel(x, y, gpu::render::labelColour(static_cast<std::int64_t>(label)));
        }
    return image;
}

}  // namespace

QImage thumbnailOf(const io::Grid& grid, int side) {
    const io::Shape& shape = grid.shape();
    if (grid.empty()) return {};
    const double scale = std::min(1.0, double(side) / double(std::max(shape.width, shape.height)));
    const int width = std::max(1, static_cast<int>(std::lround(double(shape.width) * scale)));
    const int height = std::max(1, static_cast<int>(std::lround(double(shape.height) * scale)));
    const int channels = std::min(shape.channels, 3);
    if (io::isWideInteger(grid.type()) && channels == 1) return labelThumbnail(grid, width, height);

    std::vector<double> values(static_cast<std::size_t>(width) * height * channels);
    Range range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    std::size_t at = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) {
                const double v = boxMean(grid, shape.width * x / width, shape.width * (x + 1) / width,
                                         shape.height * y / height, shape.height * (y + 1) / height, c);
                values[at++] = v;
                range = {std::min(range.low, v), std::max(range.high, v)};
            }
    if (grid.type() == io::PixelType::u8) range = {0, 255};
    const double span = range.high > range.low ? range.high - range.low : 1;

    QImage image(width, height, QImage::Format_RGB32);
    at = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int rgb[3] = {};
            for (int c = 0; c < 3; ++c) {
                const double v = values[at + (channels == 1 ? 0 : c)];
                rgb[c] = std::clamp(static_cast<int>(std::lround(255 * (v - range.low) / span)), 0, 255);
            }
            at += channels;
            image.setPixel(x, y, qRgb(rgb[0], rgb[1], rgb[2]));
        }
    return image;
}

OpenedPicture readPicture(const QString& input, const ReadChoice& choice, const JobContext& context) {
    const QString what = QObject::tr("Reading %1").arg(input.section('/', -1));
    context.progress(0, what);
    io::ReadOptions options;
    options.frame = choice.frame;
    options.series = choice.series.toStdString();
    options.toFloat = choice.toFloat;
    options.stop = context.stop();
    options.progress = [&](double fraction) { context.progress(fraction, what); };
    OpenedPicture opened;
    opened.grid = std::make_shared<const io::Grid>(io::read(input.toStdString(), options));
    opened.thumbnail = thumbnailOf(*opened.grid);
    return opened;
}

Done writePicture(const io::Grid& grid, const QString& path, io::WriteOptions how, const std::stop_token& stop) {
    how.stop = stop;
    io::write(grid, std::filesystem::path(path.toStdString()), how);
    return {};
}

Done writeView(const QImage& view, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!view.save(&buffer, "PNG"))
        throw io::Error(io::Error::Kind::unwritable,
                        path.toStdString() + ": the view could not be encoded as PNG; make the window smaller.");
    io::writeFileAtomically(std::filesystem::path(path.toStdString()),
                            std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    return {};
}

}  // namespace warplens::gui
