// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/frame_store.hpp"

#include "io/error.hpp"
#include "io/write.hpp"

#include <QFileInfo>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace warplens::gui {

namespace {

io::Grid gridOf(const QImage& image) {
    const bool grey = image.allGray();
    io::Grid grid({image.width(), image.height(), 1, grey ? 1 : 3}, io::PixelType::u8);
    auto* out = reinterpret_cast<std::uint8_t*>(grid.data());
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            *out++ = static_cast<std::uint8_t>(qRed(row[x]));
            if (grey) continue;
            *out++ = static_cast<std::uint8_t>(qGreen(row[x]));
            *out++ = static_cast<std::uint8_t>(qBlue(row[x]));
        }
    }
    return grid;
}

}  // namespace

void FrameStore::clear() {
    m_frames.clear();
    m_apart = 1;
}

void FrameStore::add(KeptFrame frame) {
    const std::size_t n = m_frames.size();
    const bool again = n > 0 && m_frames.back().step == frame.step;
    // The newest one so far was there as such only.
    const bool near = n > 1 && m_frames[n - 1].step - m_frames[n - 2].step < m_apart;
    if (again || near) m_frames.pop_back();
    m_frames.push_back(std::move(frame));
    while (bytes() > m_bound && m_frames.size() > 2) thin();
}

void FrameStore::thin() {
    m_apart *= 2;
    std::vector<KeptFrame> left;
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        const bool newest = i + 1 == m_frames.size();
        if (left.empty() || newest || m_frames[i].step - left.back().step >= m_apart)
            left.push_back(std::move(m_frames[i]));
    }
    m_frames = std::move(left);
}

std::size_t FrameStore::nearest(std::int64_t step) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m_frames.size(); ++i)
        if (std::llabs(m_frames[i].step - step) < std::llabs(m_frames[best].step - step)) best = i;
    return best;
}

std::size_t FrameStore::bytes() const {
    std::size_t sum = 0;
    for (const KeptFrame& frame : m_frames) sum += frame.field->bytes();
    return sum;
}

QStringList seriesNames(const QString& path, std::size_t count) {
    const QString stem = path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive) ? path.chopped(4) : path;
    const int digits = std::max(4, static_cast<int>(QString::number(count - 1).size()));
    QStringList names;
    for (std::size_t i = 0; i < count; ++i)
        names << QStringLiteral("%1-%2.png").arg(stem).arg(i, digits, 10, QLatin1Char('0'));
    return names;
}

std::size_t writeFrames(const FrameExport& frames, const JobContext& context) {
    const QStringList names = seriesNames(frames.path, frames.fields.size());
    for (const QString& name : names)
        if (QFileInfo::exists(name))
            throw io::Error(io::Error::Kind::unwritable,
                            name.toStdString() + ": the file exists already; choose another name or folder.");
    std::size_t done = 0;
    for (const QString& name : names) {
        context.progress(static_cast<double>(done) / static_cast<double>(names.size()),
                         QObject::tr("Exporting %1").arg(QFileInfo(name).fileName()));
        if (context.stop().stop_requested())
            throw io::Error(io::Error::Kind::cancelled, "Export stopped after " + std::to_string(done) + " of " +
                                                            std::to_string(names.size()) + " frames.");
        const QImage image = frames.draw(*frames.fields[done]).convertToFormat(QImage::Format_RGB32);
        try {
            io::write(gridOf(image), std::filesystem::path(name.toStdString()));
        } catch (const io::Error& error) {
            throw io::Error(error.kind(), std::string(error.what()) + " (" + std::to_string(done) + " of " +
                                              std::to_string(names.size()) + " frames were written)");
        }
        ++done;
    }
    return done;
}

}  // namespace warplens::gui
