// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/report_sheet.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/table.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QMarginsF>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr double kMargin = 24, kRow = 24, kPadding = 8, kTitle = 36, kBars = 340, kBar = 12, kLeast = 760;
constexpr int kScale = 2, kPdfDpi = 96;

QFont font(bool bold = false) {
    // Files are not read across a room: the plain sizes, whatever the window's.
    QFont f = textFont(TextSize::body);
    f.setPixelSize(13);
    f.setBold(bold);
    return f;
}

std::vector<double> widthsOf(const ReportSheet& sheet) {
    const QFontMetricsF metrics(font(true));
    const auto wide = [&](const std::string& text) { return metrics.horizontalAdvance(QString::fromStdString(text)); };
    std::vector<double> widths;
    for (std::size_t i = 0; i < sheet.table.columns.size(); ++i) {
        double width = wide(gpu::headText(sheet.table.columns[i]));
        for (const auto& row : sheet.table.rows) width = std::max(width, wide(row[i]));
        widths.push_back(width + 2 * kPadding);
    }
    return widths;
}

double tableWidth(const ReportSheet& sheet) {
    double sum = 0;
    for (const double width : widthsOf(sheet)) sum += width;
    return sum;
}

bool drawsBars(const ReportSheet& sheet) {
    return std::ranges::any_of(sheet.bars, [](const TimeBar& bar) { return bar.medianMs.has_value(); });
}

void paintBars(QPainter& painter, const ReportSheet& sheet, double left, double top) {
    double longest = 0;
    for (const TimeBar& bar : sheet.bars)
        longest = std::max(longest, std::max(bar.medianMs.value_or(0), bar.q3Ms.value_or(0)));
    if (longest <= 0) return;
    const double room = kBars - 80;  // the number stands behind the bar
    const auto x = [&](double ms) { return left + room * ms / longest; };
    for (std::size_t i = 0; i < sheet.bars.size(); ++i) {
        const TimeBar& bar = sheet.bars[i];
        if (!bar.medianMs) continue;
        const double middle = top + kRow * (static_cast<double>(i) + 0.5);
        painter.fillRect(QRectF(left, middle - kBar / 2, x(*bar.medianMs) - left, kBar),
                         colour(bar.idea, Scheme::light));
        double end = x(*bar.medianMs);
        painter.setPen(QPen(colour(Role::text1, Scheme::light), 1.4));
        if (bar.q1Ms && bar.q3Ms) {
            painter.drawLine(QPointF(x(*bar.q1Ms), middle), QPointF(x(*bar.q3Ms), middle));
            for (const double ms : {*bar.q1Ms, *bar.q3Ms})
                painter.drawLine(QPointF(x(ms), middle - 4), QPointF(x(ms), middle + 4));
            end = std::max(end, x(*bar.q3Ms));
        }
        painter.drawText(QRectF(end + 6, middle - kRow / 2, 80, kRow), Qt::AlignVCenter | Qt::AlignLeft,
                         format::milliseconds(*bar.medianMs) + QStringLiteral(" ms"));
    }
}

TimeBar barOf(const std::string& variant, gpu::Idea idea, const gpu::Timing* time) {
    TimeBar bar;
    bar.name = QString::fromStdString(variant);
    bar.idea = idea;
    if (time != nullptr) bar.setTime(*time);
    return bar;
}

}  // namespace

ReportSheet sheetOf(const gpu::Report& report, const gpu::RecordedRuns* recorded) {
    ReportSheet sheet{.table = gpu::makeTable(report, recorded), .bars = {}};
    sheet.table.notes.insert(sheet.table.notes.begin(), gpu::legend(sheet.table));
    for (const gpu::ReportRun& run : report.runs) {
        gpu::Idea idea = gpu::Idea::plain;
        for (const gpu::Variant& variant : gpu::familyOf(report.family).variants())
            if (variant.id == run.record.variant) idea = variant.idea;
        const bool drawn =
            run.record.status == gpu::Status::ok && run.record.time && run.record.time->clock == gpu::Clock::device;
        sheet.bars.push_back(barOf(run.record.id(), idea, drawn ? &*run.record.time : nullptr));
    }
    return sheet;
}

ReportSheet sheetOf(const ReportSet& set, gpu::Clock clock) {
    const std::vector<ReportSet::Row> rows = set.rows(clock);
    ReportSheet sheet{.table = tableOf(set, rows), .bars = {}};
    sheet.table.title = QCoreApplication::translate("ReportSheet", "%1 reports, clock %2")
                            .arg(set.reports().size())
                            .arg(QString::fromUtf8(gpu::nameOf(clock)))
                            .toStdString();
    for (const ReportSet::Row& row : rows)
        sheet.bars.push_back(barOf(row.variant, row.idea, row.time ? &*row.time : nullptr));
    for (std::size_t i = 0; i < set.reports().size(); ++i) sheet.table.notes.push_back(set.label(i).toStdString());
    for (const QString& note : set.notes()) sheet.table.notes.push_back(note.toStdString());
    return sheet;
}

QSizeF sizeOf(const ReportSheet& sheet) {
    const double width = tableWidth(sheet) + (drawsBars(sheet) ? kPadding + kBars : 0);
    return {std::max(kLeast, width) + 2 * kMargin,
            2 * kMargin + kTitle + kRow * static_cast<double>(sheet.table.rows.size() + 1 + sheet.table.notes.size()) +
                kPadding};
}

void paint(QPainter& painter, const ReportSheet& sheet) {
    const QSizeF size = sizeOf(sheet);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF(QPointF(), size), Qt::white);
    const QColor strong = colour(Role::text1, Scheme::light), weak = colour(Role::text2, Scheme::light);
    const double right = size.width() - kMargin;
    painter.setFont(font(true));
    painter.setPen(strong);
    painter.drawText(QRectF(kMargin, kMargin, right - kMargin, kTitle), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     QString::fromStdString(sheet.table.title));
    const std::vector<double> widths = widthsOf(sheet);
    const auto line = [&](const auto& cells, double top, const auto& textOf) {
        double left = kMargin;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const QRectF box(left + kPadding, top, widths[i] - 2 * kPadding, kRow);
            painter.drawText(box, Qt::AlignVCenter | (i == 0 ? Qt::AlignLeft : Qt::AlignRight),
                             QString::fromStdString(textOf(cells[i])));
            left += widths[i];
        }
    };
    double top = kMargin + kTitle;
    painter.setPen(weak);
    line(sheet.table.columns, top, &gpu::headText);
    top += kRow;
    painter.setPen(QPen(colour(Role::line, Scheme::light), 1));
    painter.drawLine(QPointF(kMargin, top), QPointF(right, top));
    const double first = top;
    painter.setFont(font());
    for (const auto& row : sheet.table.rows) {
        painter.setPen(strong);
        line(row, top, std::identity());
        top += kRow;
    }
    if (drawsBars(sheet)) paintBars(painter, sheet, kMargin + tableWidth(sheet) + kPadding, first);
    painter.setFont(font());
    painter.setPen(weak);
    top += kPadding;
    for (const std::string& note : sheet.table.notes) {
        painter.drawText(QRectF(kMargin + kPadding, top, right - kMargin, kRow), Qt::AlignVCenter | Qt::AlignLeft,
                         QString::fromStdString(note));
        top += kRow;
    }
}

QByteArray encode(const ReportSheet& sheet, const QString& path) {
    const QSizeF size = sizeOf(sheet);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (path.endsWith(QStringLiteral(".png"))) {
        QImage image((size * kScale).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(kScale);
        QPainter painter(&image);
        paint(painter, sheet);
        painter.end();
        image.save(&buffer, "PNG");
    } else if (path.endsWith(QStringLiteral(".svg"))) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(size.toSize());
        svg.setViewBox(QRectF(QPointF(), size));
        svg.setTitle(QString::fromStdString(sheet.table.title));
        QPainter painter(&svg);
        paint(painter, sheet);
    } else if (path.endsWith(QStringLiteral(".pdf"))) {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(kPdfDpi);
        pdf.setPageSize(QPageSize(size * 72 / kPdfDpi, QPageSize::Point));
        pdf.setPageMargins(QMarginsF());
        pdf.setTitle(QString::fromStdString(sheet.table.title));
        QPainter painter(&pdf);
        paint(painter, sheet);
    }
    return bytes;
}

}  // namespace warplens::gui
