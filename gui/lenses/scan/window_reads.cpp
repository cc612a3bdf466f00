// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/scan/window_reads.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("WindowReads", text); }

constexpr double kModulus = 4294967296;  // 2^32

}  // namespace

BoxReads windowReads(const io::Shape& shape, const io::Grid* integral, double largest, QPoint pixel, std::int64_t slice,
                     int radius) {
    const QRect picture(0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height));
    BoxReads reads;
    reads.box = QRect(pixel - QPoint(radius, radius), pixel + QPoint(radius, radius)).intersected(picture);
    const int left = reads.box.left() - 1, above = reads.box.top() - 1;
    const std::vector<std::pair<QChar, BoxReads::Corner>> corners{
        {u'+', {QStringLiteral("D"), reads.box.bottomRight()}},
        {u'−', {QStringLiteral("B"), {reads.box.right(), above}}},
        {u'−', {QStringLiteral("C"), {left, reads.box.bottom()}}},
        {u'+', {QStringLiteral("A"), {left, above}}}};
    double sum = 0;
    QStringList terms;
    for (const auto& [sign, corner] : corners) {
        if (!picture.contains(corner.at)) continue;
        reads.corners.push_back(corner);
        QString term = reads.corners.size() == 1 ? QString() : sign + QStringLiteral(" ");
        term += corner.name;
        if (integral != nullptr) {
            const double value = integral->value(corner.at.x(), corner.at.y(), slice, 0);
            sum += sign == u'+' ? value : -value;
            term += u' ' + format::value(value);
        }
        terms << term;
    }
    const std::int64_t pixels = std::int64_t{reads.box.width()} * reads.box.height();
    const QString extent = format::extent(reads.box.width(), reads.box.height());
    const QString read = terms.join(u' ');
    if (integral == nullptr) {
        reads.text = terms.size() == 1
                         ? tr("%1 pixels by one read of their integral: %2").arg(extent, read)
                         : tr("%1 pixels by %2 reads of their integral: %3").arg(extent).arg(terms.size()).arg(read);
        return reads;
    }
    // What wrapped around in the integral picture does so once more.
    if (largest > 0) sum -= std::floor(sum / kModulus) * kModulus;
    const bool exact = static_cast<double>(pixels) * largest < kModulus;
    reads.text = tr("%1: %2 = %3").arg(extent, read, format::value(sum));
    reads.text +=
        exact ? tr(", mean %1").arg(format::significant(sum / static_cast<double>(pixels))) : tr(" modulo 2^32");
    if (shape.channels > 1) reads.text = tr("first channel, %1").arg(reads.text);
    return reads;
}

}  // namespace warplens::gui
