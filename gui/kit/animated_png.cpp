// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/animated_png.hpp"

#include <QBuffer>
#include <QRect>
#include <QtEndian>
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace warplens::gui {

namespace {

constexpr int kSignature = 8, kLength = 4, kType = 4, kCrc = 4;
constexpr int kIdat = 0x49444154;

std::array<quint32, 256> crcTable() {
    std::array<quint32, 256> table{};
    for (quint32 i = 0; i < 256; ++i) {
        quint32 value = i;
        for (int bit = 0; bit < 8; ++bit) value = value & 1U ? 0xedb88320U ^ value >> 1 : value >> 1;
        table[i] = value;
    }
    return table;
}

quint32 crcOf(const QByteArray& bytes) {
    static const auto table = crcTable();
    quint32 crc = 0xffffffffU;
    for (const char byte : bytes) crc = table[(crc ^ static_cast<quint8>(byte)) & 0xffU] ^ crc >> 8;
    return ~crc;
}

QByteArray big(quint32 value) {
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

QByteArray chunk(const QByteArray& type, const QByteArray& data) {
    return big(static_cast<quint32>(data.size())) + type + data + big(crcOf(type + data));
}

/// Calls `each` with the type and the data of every chunk of a PNG.
void forChunks(const QByteArray& png, const std::function<void(quint32, const QByteArray&)>& each) {
    for (qsizetype at = kSignature; at + kLength + kType + kCrc <= png.size();) {
        const auto length = qFromBigEndian<quint32>(png.constData() + at);
        each(qFromBigEndian<quint32>(png.constData() + at + kLength), png.mid(at + kLength + kType, length));
        at += kLength + kType + static_cast<qsizetype>(length) + kCrc;
    }
}

QByteArray pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

/// The box outside which both are the same; of two that are the same, one pixel.
QRect differenceOf(const QImage& a, const QImage& b) {
    int left = a.width(), right = -1, top = -1, bottom = -1;
    for (int y = 0; y < a.height(); ++y) {
        const uchar *one = a.constScanLine(y), *other = b.constScanLine(y);
        if (std::memcmp(one, other, static_cast<std::size_t>(a.width()) * 3) == 0) continue;
        if (top < 0) top = y;
        bottom = y;
        int first = 0, last = a.width() - 1;
        while (std::memcmp(one + 3 * first, other + 3 * first, 3) == 0) ++first;
        while (std::memcmp(one + 3 * last, other + 3 * last, 3) == 0) --last;
        left = std::min(left, first);
        right = std::max(right, last);
    }
    return top < 0 ? QRect(0, 0, 1, 1) : QRect(QPoint(left, top), QPoint(right, bottom));
}

}  // namespace

void AnimatedPng::beginFrame(const QRect& box) {
    QByteArray control = big(m_sequence++);
    for (const int value : {box.width(), box.height(), box.x(), box.y()}) control += big(static_cast<quint32>(value));
    // The delay as a fraction of a second; then it stays, and takes the place of what lies below.
    QByteArray delay(4, '\0');
    qToBigEndian(static_cast<quint16>(m_delayMs), delay.data());
    qToBigEndian(quint16{1000}, delay.data() + 2);
    m_file += chunk("fcTL", control + delay + QByteArray(2, '\0'));
}

void AnimatedPng::add(const QImage& frame) {
    const QImage now = frame.convertToFormat(QImage::Format_RGB888);
    const bool first = m_last.isNull();
    const QRect box = first ? now.rect() : differenceOf(m_last, now);
    const QByteArray png = pngOf(now.copy(box));
    if (first) {
        m_file = png.left(kSignature);
        forChunks(png, [&](quint32 type, const QByteArray& data) {
            if (type == 0x49484452) m_file += chunk("IHDR", data);
        });
        m_file += chunk("acTL", big(static_cast<quint32>(m_frames)) + big(0));
    }
    beginFrame(box);
    forChunks(png, [&](quint32 type, const QByteArray& data) {
        if (type != kIdat) return;
        m_file += first ? chunk("IDAT", data) : chunk("fdAT", big(m_sequence++) + data);
    });
    m_last = now;
}

QByteArray AnimatedPng::file() { return m_file + chunk("IEND", {}); }

}  // namespace warplens::gui
