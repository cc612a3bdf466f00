// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/matrix_views.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/core/variant.hpp"
#include "gui/kit/panel.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace warplens::gui {

namespace {

using gpu::sparse::Format;

constexpr Length kStripHead{20}, kBetween{7}, kMostLine{20}, kLeastLine{2}, kEdge{12};

struct Kind {
    Format format;
    const char* variant;
};
constexpr Kind kKinds[] = {{Format::coordinates, "coo"}, {Format::rows, "csr_scalar"},
                           {Format::ell, "ell"},         {Format::sliced, "sliced_ell"},
                           {Format::hybrid, "hybrid"},   {Format::diagonals, "diagonals"},
                           {Format::none, "matrix_free"}};

QString nameOf(Format format, const gpu::Variant& variant) {
    return format == Format::rows ? QStringLiteral("csr") : QString::fromStdString(variant.id);
}

/// A box that holds something, or is padding: hatched.
void paintPlace(QPainter& painter, const QRectF& box, const QColor& ink, bool filled) {
    if (filled) return painter.fillRect(box, ink);
    painter.fillRect(box, QBrush(ink, Qt::BDiagPattern));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 1));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

/// Shape and name, then words as far as there is room; at the right end counted numbers, or fewer of them where type is
/// large. Empty numbers: none.
void paintHead(QPainter& painter, QRectF rest, gpu::Idea idea, const QString& name, const QString& words,
               QString numbers, const QString& fewer) {
    const auto width = [](const QFont& font, const QString& text) {
        return QFontMetricsF(font).horizontalAdvance(text);
    };
    const QFont bold = boldFont(TextSize::body), plain = textFont(TextSize::caption),
                strong = boldFont(TextSize::caption);
    drawShape(painter, QRectF(rest.left(), rest.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox), idea);
    rest.setLeft(rest.left() + kGlyphBox + 6);
    writeText(painter, rest, Qt::AlignVCenter | Qt::AlignLeft, name, Role::text1, bold);
    rest.setLeft(rest.left() + width(bold, name) + 10);
    if (!numbers.isEmpty()) {
        const QRectF glyph(rest.right() - kGlyphBox, rest.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox);
        drawOriginGlyph(painter, glyph, Origin::counted);
        rest.setRight(glyph.left() - 5);
        if (width(strong, numbers) > rest.width()) numbers = fewer;
        writeText(painter, rest, Qt::AlignVCenter | Qt::AlignRight, numbers, Role::text1, strong);
        rest.setRight(rest.right() - width(strong, numbers) - 8);
    }
    if (rest.width() < 24) return;
    writeText(painter, rest, Qt::AlignVCenter | Qt::AlignLeft,
              QFontMetricsF(plain).elidedText(words, Qt::ElideRight, rest.width()), Role::text2, plain);
}

/// A warp of rows as each format stores them: a strip a format, places that only fill up hatched, one row in the accent
/// in all of them.
class FormatsView : public WarpRowsView {
public:
    explicit FormatsView(QWidget* parent) : WarpRowsView(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setWidgetText(this, {.id = "matrix-formats", .name = tr("The same matrix, stored")});
    }

    /// What stands above each strip, one line each.
    QString spoken() const override {
        QStringList all;
        for (const Strip& strip : strips()) {
            const QString name = nameOf(strip.format, *strip.variant);
            all << (possible(strip) ? tr("%1: %2; %3 (counted)").arg(name, strip.words, figures(strip))
                                    : tr("%1: %2").arg(name, strip.words));
        }
        return all.join(u'\n');
    }

    QSize sizeHint() const override { return {420, 560}; }
    QSize minimumSizeHint() const override { return {280, 240}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), colour(Role::dock));
        for (const Strip& strip : strips()) {
            painter.setRenderHint(QPainter::Antialiasing);
            paintHead(painter, strip.head, strip.variant->idea, nameOf(strip.format, *strip.variant), strip.words,
                      possible(strip) ? figures(strip) : QString(), bytesOf(strip));
            if (strip.stored.bytes == 0)
                paintNothing(painter, strip);
            else if (strip.format == Format::coordinates || strip.format == Format::rows)
                paintNonzeros(painter, strip);
            else
                paintPlaces(painter, strip);
        }
    }

    void mousePressEvent(QMouseEvent* event) override {
        for (const Strip& strip : strips())
            if (const int row = rowAt(strip, event->position()); row >= 0) return emit rowChosen(row);
    }

    void keyPressEvent(QKeyEvent* event) override {
        const int by = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
        if (by == 0) return QWidget::keyPressEvent(event);
        emit rowChosen(m_row + by);
    }

    QString tipAt(QPoint place) const override {
        for (const Strip& strip : strips()) {
            const int row = rowAt(strip, place);
            if (row >= 0) return tr("row %1: %2 nonzeros").arg(format::integer(row), format::integer(length(row)));
            if (!strip.head.contains(place)) continue;
            const auto all = storedRows(*m_rows, strip.format, 0, m_rows->count());
            return tr("%1: %2.\nThese %3 rows: %4. The whole matrix: %5 (counted).")
                .arg(nameOf(strip.format, *strip.variant), strip.words)
                .arg(m_count)
                .arg(figures(strip), format::bytes(all.bytes));
        }
        return {};
    }

private:
    struct Strip {
        gpu::sparse::Format format;
        const gpu::Variant* variant;  ///< whose idea and name it has
        QString words;
        gpu::sparse::StoredRows stored;
        int lines = 0;
        std::vector<int> offsets{};  ///< of diagonals
        QRectF head{}, cells{};
    };

    std::vector<Strip> strips() const {
        std::vector<Strip> made;
        if (m_rows == nullptr) return made;
        int lines = 0;
        for (const Kind& kind : kKinds) {
            Strip strip{.format = kind.format,
                        .variant = gpu::findVariant("sparse", kind.variant),
                        .words = {},
                        .stored = storedRows(*m_rows, kind.format, m_first, m_count)};
            const QString padded = format::integer(strip.stored.padded);
            switch (kind.format) {
                case Format::coordinates: strip.words = tr("row, column, value of every nonzero"); break;
                case Format::rows: strip.words = tr("row starts, columns, values"); break;
                case Format::ell: strip.words = tr("every row as long as the longest: %1 padded").arg(padded); break;
                case Format::sliced: strip.words = tr("as long as the longest of 32: %1 padded").arg(padded); break;
                case Format::hybrid:
                    strip.words = tr("%1 per row, %2 in a COO tail, %3 padded")
                                      .arg(strip.stored.width)
                                      .arg(format::integer(strip.stored.tail), padded);
                    break;
                case Format::diagonals:
                    strip.offsets = diagonalsOf(m_rows->posed);
                    strip.words =
                        m_rows->posed.masked
                            ? tr("the unknowns of a mask do not lie on a few diagonals")
                            : tr("%1 diagonals without columns: %2 padded").arg(strip.stored.width).arg(padded);
                    break;
                case Format::none: strip.words = tr("rows computed from the pixel's position"); break;
                case Format::columns:
                case Format::jagged:
                case Format::dense: break;  // not among kKinds
            }
            const bool nonzeros = kind.format == Format::coordinates || kind.format == Format::rows;
            strip.lines = nonzeros ? 3 : strip.stored.bytes == 0 ? 2 : std::max(1, strip.stored.width);
            if (strip.stored.tail > 0) ++strip.lines;
            lines += strip.lines;
            made.push_back(strip);
        }
        const double heads = static_cast<double>(made.size()) * (kStripHead + kBetween) + kBetween;
        const double each = std::clamp((height() - heads) / lines, double(kLeastLine), double(kMostLine));
        double top = kBetween;
        for (Strip& strip : made) {
            strip.head = QRectF(kEdge, top, width() - 2 * kEdge, kStripHead);
            strip.cells = QRectF(kEdge, strip.head.bottom() + 1, strip.head.width(), strip.lines * each);
            top = strip.cells.bottom() + kBetween;
        }
        return made;
    }

    QString bytesOf(const Strip& strip) const { return tr("%1 bytes").arg(format::integer(strip.stored.bytes)); }

    QString figures(const Strip& strip) const {
        const QString bytes = bytesOf(strip);
        if (strip.stored.bytes == 0) return bytes;
        const double each = static_cast<double>(strip.stored.bytes) / static_cast<double>(strip.stored.nonzeros);
        return tr("%1 per nonzero, %2").arg(QString::number(each, 'f', 1), bytes);
    }

    bool possible(const Strip& strip) const { return strip.format != Format::diagonals || !m_rows->posed.masked; }

    /// Whether place `k` of a row's column holds a nonzero.
    bool filled(const Strip& strip, int row, int k) const {
        if (row >= m_first + m_count) return false;
        return strip.format == Format::diagonals ? onDiagonal(*m_rows, row, strip.offsets[static_cast<std::size_t>(k)])
                                                 : k < length(row);
    }

    double line(const Strip& strip) const { return strip.cells.height() / strip.lines; }

    /// Coordinates and rows: a column a nonzero, rows told apart by two shades.
    void paintNonzeros(QPainter& painter, const Strip& strip) const {
        const double high = line(strip), each = strip.cells.width() / static_cast<double>(strip.stored.nonzeros);
        const double gap = each >= 4 ? 1 : 0;
        const QColor ink = colour(strip.variant->idea);
        const bool starts = strip.format == Format::rows;
        if (starts) {
            const double wide = strip.cells.width() / (m_count + 1);
            painter.setBrush(Qt::NoBrush);
            for (int i = 0; i <= m_count; ++i) {
                const bool chosen = m_first + i == m_row || m_first + i == m_row + 1;
                painter.setPen(QPen(chosen ? colour(Role::accent) : ink, (chosen ? 2 : 1) * lineScale()));
                painter.drawRect(
                    QRectF(strip.cells.left() + i * wide + 0.5, strip.cells.top() + 0.5, wide - 2, high - 2));
            }
        }
        double left = strip.cells.left();
        for (int row = m_first; row < m_first + m_count; ++row) {
            QColor shade = row == m_row ? colour(Role::accent) : ink;
            if (row != m_row && row % 2 != 0) shade.setAlphaF(0.55F);
            for (int k = 0; k < length(row); ++k, left += each)
                for (int i = starts ? 1 : 0; i < 3; ++i)
                    paintPlace(painter, QRectF(left, strip.cells.top() + i * high, each - gap, high - 1), shade, true);
        }
    }

    /// ELL, its slices and hybrid: a column a row, and the tail below.
    void paintPlaces(QPainter& painter, const Strip& strip) const {
        const double high = line(strip), each = strip.cells.width() / gpu::sparse::kWarp;
        const QColor ink = colour(strip.variant->idea), waiting = colour(Role::text3);
        // A slice of fewer rows is stored whole.
        const int columns = strip.format == Format::sliced ? gpu::sparse::kWarp : m_count;
        for (int i = 0; i < columns; ++i) {
            const int row = m_first + i;
            for (int k = 0; k < strip.stored.width; ++k) {
                const bool holds = filled(strip, row, k);
                const QRectF box(strip.cells.left() + i * each, strip.cells.top() + k * high, each - 1, high - 1);
                paintPlace(painter, box, row == m_row ? colour(Role::accent) : holds ? ink : waiting, holds);
            }
        }
        if (strip.stored.tail == 0) return;
        const double top = strip.cells.bottom() - high;
        const double wide = std::min(each, strip.cells.width() * 0.8 / static_cast<double>(strip.stored.tail));
        const QColor coordinates = colour(gpu::findVariant("sparse", "coo")->idea);
        double left = strip.cells.left();
        for (int row = m_first; row < m_first + m_count; ++row)
            for (int k = strip.stored.width; k < length(row); ++k, left += wide)
                paintPlace(painter, QRectF(left, top + 1, std::max(1.0, wide - 1), high - 1),
                           row == m_row ? colour(Role::accent) : coordinates, true);
        writeText(painter, QRectF(left + 6, top - 2, 120, high + 4), Qt::AlignVCenter | Qt::AlignLeft, tr("tail"),
                  Role::text2, textFont(TextSize::caption));
    }

    void paintNothing(QPainter& painter, const Strip& strip) const {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour(strip.variant->idea), 1.5 * lineScale(), Qt::DashLine));
        painter.drawRect(strip.cells.adjusted(1, 1, -1, -1));
        const QFont font = textFont(TextSize::caption);
        if (possible(strip) && strip.cells.height() >= QFontMetricsF(font).height() + 4)
            writeText(painter, strip.cells, Qt::AlignCenter, tr("nothing stored"), Role::text1, font);
    }

    /// Which row stands at a place of a strip; -1: none.
    int rowAt(const Strip& strip, QPointF place) const {
        if (!strip.cells.contains(place) || strip.stored.bytes == 0) return -1;
        const double share = (place.x() - strip.cells.left()) / strip.cells.width();
        if (strip.format == Format::coordinates || strip.format == Format::rows) {
            auto nonzero = static_cast<std::int64_t>(share * static_cast<double>(strip.stored.nonzeros));
            for (int row = m_first; row < m_first + m_count; ++row)
                if ((nonzero -= length(row)) < 0) return row;
            return -1;
        }
        const int row = m_first + static_cast<int>(share * gpu::sparse::kWarp);
        return row < m_first + m_count ? row : -1;
    }
};

constexpr Length kChartHead{22}, kTicks{18}, kScale{26}, kSide{12};
constexpr int kLaneTicks[] = {0, 8, 16, 24, 31};

const gpu::Variant& variantOf(const char* id) { return *gpu::findVariant("sparse", id); }

/// What the 32 lanes of a warp do for its rows: one thread per row, and one warp per row. Filled: a lane multiplies;
/// hatched: it waits.
class LanesView : public WarpRowsView {
public:
    explicit LanesView(QWidget* parent) : WarpRowsView(parent) {
        setWidgetText(this, {.id = "matrix-lanes", .name = tr("Work per thread")});
    }

    /// Both in words, with their shares.
    QString spoken() const override {
        if (m_rows == nullptr) return {};
        QStringList all;
        for (const Chart& chart : charts())
            all << tr("%1, %2: %3 (counted)").arg(QLatin1String(chart.variant), chart.words, share(chart));
        return all.join(u'\n');
    }

    QSize sizeHint() const override { return {480, 320}; }
    QSize minimumSizeHint() const override { return {280, 160}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), colour(Role::dock));
        if (m_rows == nullptr || m_count == 0) return;
        painter.setRenderHint(QPainter::Antialiasing);
        for (const Chart& chart : charts()) {
            paintHead(
                painter, chart.head, variantOf(chart.variant).idea, QLatin1String(chart.variant), chart.words,
                share(chart),
                tr("%1 of %2, %3")
                    .arg(format::integer(chart.steps.working), format::integer(chart.steps.all), percentOf(chart)));
            paintAxis(painter, chart);
            const bool scalar = &variantOf(chart.variant) == &variantOf("csr_scalar");
            const QColor ink = colour(variantOf(chart.variant).idea);
            const double wide = chart.plot.width() / gpu::sparse::kWarp, high = chart.plot.height() / chart.most;
            for (int lane = 0; lane < gpu::sparse::kWarp; ++lane) {
                const int works = scalar ? (lane < m_count ? length(m_first + lane) : 0) : rowsOfLane(lane);
                const QColor own = scalar && m_first + lane == m_row ? colour(Role::accent) : ink;
                const double left = chart.plot.left() + lane * wide;
                const QRectF waits(left, chart.plot.top(), wide - 1, (chart.most - works) * high);
                if (works < chart.most) painter.fillRect(waits, QBrush(colour(Role::text3), Qt::BDiagPattern));
                // Steps are told apart while they are high enough.
                if (high < 4)
                    painter.fillRect(QRectF(left, waits.bottom(), wide - 1, works * high), own);
                else
                    for (int k = 0; k < works; ++k)
                        painter.fillRect(QRectF(left, chart.plot.bottom() - (k + 1) * high + 1, wide - 1, high - 1),
                                         own);
            }
        }
    }

    QString tipAt(QPoint place) const override {
        if (m_rows == nullptr || m_count == 0) return {};
        for (const Chart& chart : charts()) {
            if (chart.head.contains(place)) return chart.words + QStringLiteral(": ") + share(chart);
            if (!chart.plot.contains(place)) continue;
            const int lane =
                static_cast<int>((place.x() - chart.plot.left()) / chart.plot.width() * gpu::sparse::kWarp);
            const bool scalar = &variantOf(chart.variant) == &variantOf("csr_scalar");
            const int works = scalar ? (lane < m_count ? length(m_first + lane) : 0) : rowsOfLane(lane);
            return tr("lane %1: multiplies in %2 of %3 steps").arg(lane).arg(works).arg(chart.most);
        }
        return {};
    }

private:
    struct Chart {
        const char* variant;
        QString words;
        gpu::sparse::LaneSteps steps;
        int most;  ///< steps of the axis
        QRectF head, plot;
    };

    std::array<Chart, 2> charts() const {
        const auto scalar = threadPerRow(*m_rows, m_first, m_count), vector = warpPerRow(*m_rows, m_first, m_count);
        std::array<Chart, 2> made{Chart{"csr_scalar",
                                        tr("one thread per row"),
                                        scalar,
                                        static_cast<int>(scalar.all / gpu::sparse::kWarp),
                                        {},
                                        {}},
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

    QString percentOf(const Chart& chart) const {
        return format::percent(static_cast<double>(chart.steps.working) / static_cast<double>(chart.steps.all));
    }

    QString share(const Chart& chart) const {
        return tr("%1 of %2 lane steps work, %3")
            .arg(format::integer(chart.steps.working), format::integer(chart.steps.all), percentOf(chart));
    }

    /// Rows with more nonzeros than a lane's number: each is a step of it.
    int rowsOfLane(int lane) const {
        int rows = 0;
        for (int i = 0; i < m_count; ++i) rows += length(m_first + i) > lane ? 1 : 0;
        return rows;
    }

    void paintAxis(QPainter& painter, const Chart& chart) const {
        const double wide = chart.plot.width() / gpu::sparse::kWarp;
        painter.setFont(textFont(TextSize::caption));
        writeText(painter, QRectF(kSide, chart.plot.top() - 4, kScale - 6, Length(16)), Qt::AlignRight | Qt::AlignTop,
                  QString::number(chart.most), Role::text2);
        for (const int lane : kLaneTicks)
            writeText(painter,
                      QRectF(chart.plot.left() + (lane + 0.5) * wide - Length(20), chart.plot.bottom() + 2, Length(40),
                             kTicks),
                      Qt::AlignHCenter | Qt::AlignTop, QString::number(lane), Role::text2);
        painter.fillRect(QRectF(chart.plot.left(), chart.plot.bottom(), chart.plot.width(), 1), colour(Role::text3));
    }
};

}  // namespace

void WarpRowsView::setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row) {
    m_rows = std::move(rows);
    m_first = first;
    m_count = count;
    m_row = row;
    setAccessibleDescription(spoken());
    update();
}

WarpRowsView* makeFormatsView(QWidget* parent) { return new FormatsView(parent); }

WarpRowsView* makeLanesView(QWidget* parent) { return new LanesView(parent); }

}  // namespace warplens::gui
