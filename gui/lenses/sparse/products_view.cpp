// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/products_view.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/panel.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kRow{18}, kEdge{12}, kName{100}, kTime{88};

/// Which format a row's kernel multiplies by; every library's is one.
QString formatOf(const gpu::Variant& variant) {
    if (variant.kind != gpu::Variant::Kind::kernel) return QStringLiteral("cuSPARSE");
    const bool rows = variant.id.starts_with("csr_") || variant.id == "merge_path";
    return rows ? QStringLiteral("csr") : QString::fromStdString(variant.id);
}

}  // namespace

const gpu::Report* recordedProducts(const gpu::RecordedRuns& runs, const gpu::RecordedTask& task) {
    const auto order = [](const gpu::Report& report) {
        return std::pair(report.input.shape.values(), report.environment.date);
    };
    const gpu::Report* best = nullptr;
    for (const gpu::RecordedSource& source : runs.of(task, gpu::RecordedFigure::table))
        if (best == nullptr || order(*best) < order(source.report())) best = &source.report();
    return best;
}

ProductsView::ProductsView(QWidget* parent) : Plot(parent) {
    setWidgetText(this, {.id = "matrix-products", .name = tr("Product with the matrix")});
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProductsView::setReport(const gpu::Report* report) {
    if (std::exchange(m_report, report) == report) return;
    m_rows.clear();
    m_floor.reset();
    if (report != nullptr) {
        for (const gpu::ReportRun& run : report->runs) {
            const gpu::RunRecord& record = run.record;
            const gpu::Variant* variant = gpu::findVariant("sparse", record.variant);
            if (variant == nullptr || record.status != gpu::Status::ok || !record.time ||
                record.time->clock != gpu::Clock::device)
                continue;
            const QString format = formatOf(*variant);
            // A format looks as it does above, whichever of its rows is fastest.
            const gpu::Variant* mark = format == "csr" ? gpu::findVariant("sparse", "csr_scalar") : variant;
            const Row row{format, variant, mark->idea, record.time->medianMs, record.percentOfLimit};
            const auto same = std::ranges::find(m_rows, row.format, &Row::format);
            if (same == m_rows.end())
                m_rows.push_back(row);
            else if (row.ms < same->ms)
                *same = row;
        }
        if (report->limits && report->limits->copyGbs > 0)
            m_floor = static_cast<double>(report->work.bytesRead + report->work.bytesWritten) /
                      report->limits->copyGbs * 1e-6;
    }
    setAccessibleDescription(spoken());
    updateGeometry();
    update();
}

QString ProductsView::source() const {
    if (m_report == nullptr) return {};
    const io::Shape& shape = m_report->input.shape;
    return tr("%1, %2 %3, %4")
        .arg(QString::fromStdString(m_report->device.name), format::extent(shape.width, shape.height),
             QString::fromStdString(m_report->input.type), format::date(m_report->environment.date));
}

QString ProductsView::spoken() const {
    QStringList all;
    for (const Row& row : m_rows)
        all << tr("%1 by %2: %3 ms (recorded)")
                   .arg(row.format, QString::fromStdString(row.variant->id), format::milliseconds(row.ms));
    if (m_floor)
        all << tr("the picture read once and written once: %1 ms (modelled)").arg(format::milliseconds(*m_floor));
    return all.join(u'\n');
}

double ProductsView::high() const { return kRow; }

QSize ProductsView::sizeHint() const {
    const auto lines = static_cast<double>(m_rows.size() + (m_floor ? 1 : 0));
    return {280, static_cast<int>(lines * high() + kEdge)};
}

void ProductsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    painter.setRenderHint(QPainter::Antialiasing);
    double most = m_floor.value_or(0);
    for (const Row& row : m_rows) most = std::max(most, row.ms);
    if (most <= 0) return;
    const double left = kEdge, bars = left + kGlyphBox + 6 + kName + kTime + 10, room = width() - kEdge - bars;
    const QFont plain = textFont(TextSize::caption), strong = boldFont(TextSize::caption);
    double top = 0;
    const auto line = [&](const QString& name, double ms, Origin origin) {
        const QRectF words(left + kGlyphBox + 6, top, kName, high());
        writeText(painter, words, Qt::AlignVCenter | Qt::AlignLeft, name, Role::text1, plain);
        const QRectF time(words.right(), top, kTime - kGlyphBox - 4, high());
        writeText(painter, time, Qt::AlignVCenter | Qt::AlignRight, tr("%1 ms").arg(format::milliseconds(ms)),
                  Role::text1, strong);
        drawOriginGlyph(painter, QRectF(time.right() + 4, top + (high() - kGlyphBox) / 2.0, kGlyphBox, kGlyphBox),
                        origin);
    };
    for (const Row& row : m_rows) {
        drawShape(painter, QRectF(left, top + (high() - kGlyphBox) / 2.0, kGlyphBox, kGlyphBox), row.idea);
        line(row.format, row.ms, Origin::recorded);
        if (room > 8)
            painter.fillRect(QRectF(bars, top + 3, std::max(2.0, room * row.ms / most), high() - 6), colour(row.idea));
        top += high();
    }
    if (!m_floor) return;
    line(tr("read and write"), *m_floor, Origin::modelled);
    if (room <= 8) return;
    const double x = bars + room * *m_floor / most;
    painter.setPen(QPen(colour(Role::text1), 1.5 * lineScale(), Qt::DashLine));
    painter.drawLine(QPointF(x, 0), QPointF(x, top + high() - 3));
}

QString ProductsView::tipAt(QPoint place) const {
    const auto at = static_cast<std::size_t>(std::max(0.0, place.y() / high()));
    if (at == m_rows.size() && m_floor)
        return tr("One read and one write of the picture at the speed of a copy (modelled).");
    if (at >= m_rows.size()) return {};
    const Row& row = m_rows[at];
    QString text =
        tr("%1, the fastest of %2: %3 ms, recorded on %4.")
            .arg(QString::fromStdString(row.variant->title), row.format, format::milliseconds(row.ms), source());
    if (row.percentOfLimit) text += tr(" %1 of the copy limit.").arg(format::percent(*row.percentOfLimit / 100));
    return text;
}

}  // namespace warplens::gui
