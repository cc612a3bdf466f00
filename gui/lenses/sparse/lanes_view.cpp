// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/lanes_view.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/lenses/sparse/formats_view.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kChartHead{22}, kTicks{18}, kScale{26}, kSide{12};
constexpr int kLaneTicks[] = {0, 8, 16, 24, 31};

const gpu::Variant& variantOf(const char* id) { return *gpu::findVariant("sparse", id); }

}  // namespace

LanesView::LanesView(QWidget* parent) : Plot(parent) {
    setWidgetText(this, {.id = "matrix-lanes", .name = tr("Work per thread")});
}

void LanesView::setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row) {
    m_rows = std::move(rows);
    m_first = first;
    m_count = count;
    m_row = row;
    setAccessibleDescription(spoken());
    update();
}

QSize LanesView::sizeHint() const { return {480, 320}; }

QSize LanesView::minimumSizeHint() const { return {280, 160}; }

std::array<LanesView::Chart, 2> LanesView::charts() const {
    const auto scalar = threadPerRow(*m_rows, m_first, m_count), vector = warpPerRow(*m_rows, m_first, m_count);
    std::array<Chart, 2> made{
        Chart{
            "csr_scalar", tr("one thread per row"), scalar, static_cast<int>(scalar.all / gpu::sparse::kWarp), {}, {}},
        Chart{"csr_vector",
              tr("one warp per row, %1 rows in turn").arg(m_count),
              vector,
              static_cast<int>(vector.all / gpu::sparse::kWarp),
              {},
              {}}};
    const double each = height() / 2.0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const double top = static_cast<double>(i) * each;
        made[i].head = QRectF(kSide, top, width() - 2 * kSide, kChartHead);
        made[i].plot = QRectF(kSide + kScale, top + kChartHead + 2, width() - 2 * kSide - kScale,
                              std::max(8.0, each - kChartHead - kTicks - 6));
    }
    return made;
}

QString LanesView::percentOf(const Chart& chart) const {
    return format::percent(static_cast<double>(chart.steps.working) / static_cast<double>(chart.steps.all));
}

QString LanesView::share(const Chart& chart) const {
    return tr("%1 of %2 lane steps work, %3")
        .arg(format::integer(chart.steps.working), format::integer(chart.steps.all), percentOf(chart));
}

QString LanesView::spoken() const {
    if (m_rows == nullptr) return {};
    QStringList all;
    for (const Chart& chart : charts())
        all << tr("%1, %2: %3 (counted)").arg(QLatin1String(chart.variant), chart.words, share(chart));
    return all.join(u'\n');
}

int LanesView::rowsOfLane(int lane) const {
    int rows = 0;
    for (int i = 0; i < m_count; ++i) rows += length(i) > lane ? 1 : 0;
    return rows;
}

void LanesView::paintHead(QPainter& painter, const Chart& chart) const {
    QRectF rest = chart.head;
    const gpu::Variant& variant = variantOf(chart.variant);
    drawShape(painter, QRectF(rest.left(), rest.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox), variant.idea);
    rest.setLeft(rest.left() + kGlyphBox + 6);
    const QFont bold = boldFont(TextSize::body), plain = textFont(TextSize::caption),
                strong = boldFont(TextSize::caption);
    const QString name = QString::fromStdString(variant.id);
    QString numbers = share(chart);
    writeText(painter, rest, Qt::AlignVCenter | Qt::AlignLeft, name, Role::text1, bold);
    rest.setLeft(rest.left() + QFontMetricsF(bold).horizontalAdvance(name) + 10);
    const QRectF glyph(rest.right() - kGlyphBox, rest.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox);
    drawOriginGlyph(painter, glyph, Origin::counted);
    rest.setRight(glyph.left() - 5);
    // A large type leaves room for the figures alone.
    if (QFontMetricsF(strong).horizontalAdvance(numbers) > rest.width())
        numbers = tr("%1 of %2, %3")
                      .arg(format::integer(chart.steps.working), format::integer(chart.steps.all), percentOf(chart));
    writeText(painter, rest, Qt::AlignVCenter | Qt::AlignRight, numbers, Role::text1, strong);
    rest.setRight(rest.right() - QFontMetricsF(strong).horizontalAdvance(numbers) - 8);
    if (rest.width() >= 24)
        writeText(painter, rest, Qt::AlignVCenter | Qt::AlignLeft,
                  QFontMetricsF(plain).elidedText(chart.words, Qt::ElideRight, rest.width()), Role::text2, plain);
}

void LanesView::paintAxis(QPainter& painter, const Chart& chart) const {
    const double wide = chart.plot.width() / gpu::sparse::kWarp;
    painter.setFont(textFont(TextSize::caption));
    writeText(painter, QRectF(kSide, chart.plot.top() - 4, kScale - 6, Length(16)), Qt::AlignRight | Qt::AlignTop,
              QString::number(chart.most), Role::text2);
    for (const int lane : kLaneTicks)
        writeText(
            painter,
            QRectF(chart.plot.left() + (lane + 0.5) * wide - Length(20), chart.plot.bottom() + 2, Length(40), kTicks),
            Qt::AlignHCenter | Qt::AlignTop, QString::number(lane), Role::text2);
    painter.fillRect(QRectF(chart.plot.left(), chart.plot.bottom(), chart.plot.width(), 1), colour(Role::text3));
}

void LanesView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    if (m_rows == nullptr || m_count == 0) return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Chart& chart : charts()) {
        paintHead(painter, chart);
        paintAxis(painter, chart);
        const bool scalar = &variantOf(chart.variant) == &variantOf("csr_scalar");
        const QColor ink = colour(variantOf(chart.variant).idea);
        const double wide = chart.plot.width() / gpu::sparse::kWarp, high = chart.plot.height() / chart.most;
        for (int lane = 0; lane < gpu::sparse::kWarp; ++lane) {
            const int works = scalar ? (lane < m_count ? length(lane) : 0) : rowsOfLane(lane);
            const QColor own = scalar && m_first + lane == m_row ? colour(Role::accent) : ink;
            const double left = chart.plot.left() + lane * wide;
            const QRectF waits(left, chart.plot.top(), wide - 1, (chart.most - works) * high);
            if (works < chart.most) painter.fillRect(waits, QBrush(colour(Role::text3), Qt::BDiagPattern));
            // Steps are told apart while they are high enough.
            if (high < 4)
                painter.fillRect(QRectF(left, waits.bottom(), wide - 1, works * high), own);
            else
                for (int k = 0; k < works; ++k)
                    painter.fillRect(QRectF(left, chart.plot.bottom() - (k + 1) * high + 1, wide - 1, high - 1), own);
        }
    }
}

QString LanesView::tipAt(QPoint place) const {
    if (m_rows == nullptr || m_count == 0) return {};
    for (const Chart& chart : charts()) {
        if (chart.head.contains(place)) return chart.words + QStringLiteral(": ") + share(chart);
        if (!chart.plot.contains(place)) continue;
        const int lane = static_cast<int>((place.x() - chart.plot.left()) / chart.plot.width() * gpu::sparse::kWarp);
        const bool scalar = &variantOf(chart.variant) == &variantOf("csr_scalar");
        const int works = scalar ? (lane < m_count ? length(lane) : 0) : rowsOfLane(lane);
        return tr("lane %1: multiplies in %2 of %3 steps").arg(lane).arg(works).arg(chart.most);
    }
    return {};
}

}  // namespace warplens::gui
