// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/core/run_key.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/paint.hpp"
#include "gui/lenses/product/product_tiles.hpp"
#include "gui/lenses/step_panel.hpp"
#include "gui/picture/view_state.hpp"
#include "gui/session/request_state.hpp"

#include <QMouseEvent>
#include <QPointer>
#include <algorithm>
#include <optional>

namespace warplens::gui {

namespace {

constexpr Length kHeight{250}, kApart{18};
constexpr double kLeast = 2;

QString timesText(std::int64_t times) {
    return times == 1 ? QObject::tr("once") : QObject::tr("%1 times").arg(format::integer(times));
}

/// A at the lower left, B at the upper right, C between them, to one scale: a block of C, the rows of A and the columns
/// of B that it needs, and the slices of them that it stages.
class ProductTilesView : public Plot {
public:
    explicit ProductTilesView(QWidget* parent) : Plot(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setWidgetText(this, {.id = "product-tiles", .name = tr("Tiles of a matrix product")});
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    /// `slice` is what the block stages now, of `tiles.slices()`.
    void set(const ProductTiles& tiles, QPoint block, int slice, gpu::Idea idea) {
        m_tiles = tiles;
        m_block = block;
        m_slice = slice;
        m_idea = idea;
        update();
    }

    QSize sizeHint() const override { return {288, kHeight}; }

    /// A click on C, in its rows and columns.
    std::function<void(QPoint output)> outputChosen;

protected:
    void paintEvent(QPaintEvent*) override {
        if (m_tiles.rows == 0) return;
        QPainter painter(this);
        const auto now = m_tiles.staged() ? std::optional(m_slice) : std::nullopt;
        paintMatrix(painter, a, m_tiles.ofA(m_block), now ? m_tiles.ofA(m_block, now) : QRect());
        paintMatrix(painter, b, m_tiles.ofB(m_block), now ? m_tiles.ofB(m_block, now) : QRect());
        paintMatrix(painter, c, m_tiles.outputs(m_block), m_tiles.outputs(m_block));
    }

    void mousePressEvent(QMouseEvent* event) override {
        const QRectF all = area(c);
        if (!all.contains(event->position())) return QWidget::mousePressEvent(event);
        const QPointF at = (event->position() - all.topLeft()) / scale();
        outputChosen({static_cast<int>(at.x()), static_cast<int>(at.y())});
    }

    QString tipAt(QPoint place) const override {
        if (area(a).contains(place)) return tr("A, %1 rows of %2: the picture").arg(m_tiles.rows).arg(m_tiles.inner);
        if (area(b).contains(place))
            return tr("B, %1 rows of %2: the right factor").arg(m_tiles.inner).arg(m_tiles.columns);
        if (area(c).contains(place)) return tr("C, %1 rows of %2: the result").arg(m_tiles.rows).arg(m_tiles.columns);
        return {};
    }

private:
    enum Matrix { a, b, c };

    double scale() const {
        const double across = std::max(1, m_tiles.inner + m_tiles.columns),
                     down = std::max(1, m_tiles.inner + m_tiles.rows);
        return std::min((width() - double(kApart) - 2) / across, (height() - 2 * double(kApart) - 2) / down);
    }

    QRectF area(Matrix matrix) const {
        const double s = scale(), wide = m_tiles.inner * s, high = m_tiles.inner * s;
        // A name stands above each of them.
        const double left = 1 + (matrix == a ? 0 : wide + kApart), top = kApart + (matrix == b ? 0 : high + kApart);
        return {left, top, (matrix == a ? m_tiles.inner : m_tiles.columns) * s,
                (matrix == b ? m_tiles.inner : m_tiles.rows) * s};
    }

    /// Part of a matrix on the widget, at least so large that it is seen.
    QRectF placeOf(Matrix matrix, const QRect& part) const {
        const double s = scale();
        const QRectF all = area(matrix);
        QRectF place(all.x() + part.x() * s, all.y() + part.y() * s, std::max(kLeast, part.width() * s),
                     std::max(kLeast, part.height() * s));
        place.moveRight(std::min(place.right(), all.right()));
        place.moveBottom(std::min(place.bottom(), all.bottom()));
        return place;
    }

    void paintMatrix(QPainter& painter, Matrix matrix, const QRect& band, const QRect& now) const {
        const QRectF all = area(matrix);
        painter.fillRect(all, colour(Role::field));
        QColor faint = colour(m_idea);
        faint.setAlphaF(0.35F);
        painter.fillRect(placeOf(matrix, band), faint);
        if (!now.isEmpty()) painter.fillRect(placeOf(matrix, now), colour(m_idea));
        painter.setPen(QPen(colour(Role::line), lineScale()));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(all);
        constexpr const char* names[] = {"A", "B", "C"};
        const int columns = matrix == a ? m_tiles.inner : m_tiles.columns,
                  rows = matrix == b ? m_tiles.inner : m_tiles.rows;
        painter.setFont(textFont(TextSize::caption));
        QString name = QStringLiteral("%1  %2").arg(QLatin1String(names[matrix]), format::extent(columns, rows));
        if (painter.fontMetrics().horizontalAdvance(name) > std::max(all.width(), double(kApart)) + kApart)
            name = QLatin1String(names[matrix]);
        writeText(painter, QRectF(all.x(), all.y() - kApart, width() - all.x(), kApart),
                  Qt::AlignVCenter | Qt::AlignLeft, name, Role::text2);
    }

    ProductTiles m_tiles;
    QPoint m_block;
    int m_slice = 0;
    gpu::Idea m_idea{};
};

/// Which tiles of A and B the block of the pixel under the cursor stages, slice by slice, and how often a value is
/// read.
class ProductTilesPanel : public StepPanel<ProductTilesView>, public PixelFollower {
public:
    ProductTilesPanel(RequestState& request, QWidget* parent)
        : StepPanel({.id = "product-slice", .name = tr("Slice that the block stages")}, tr("slice "),
                    {.id = "product-block",
                     .tip = tr("The tile of the pixel under the cursor, or of the point clicked in C.")},
                    {.id = "product-staged"}, parent),
          m_request(request) {
        auto* mark = new OriginMark(Origin::modelled, this);
        fill(m_column, {makeRow(nullptr, {}, kGap, {{m_reads, 1}, {mark, 0, Qt::AlignTop}})});
        connect(&m_request, &RequestState::taskChanged, this, &ProductTilesPanel::take);
        m_view->outputChosen = [this](QPoint output) {
            m_output = output;
            refresh();
        };
        take();
    }

    void follow(ViewState* view) override {
        if (m_pane != nullptr) m_pane->disconnect(this);
        m_pane = view;
        if (m_pane == nullptr) return;
        connect(m_pane, &ViewState::cursorChanged, this, &ProductTilesPanel::takePixel);
        takePixel();
    }

private:
    void take() {
        const gpu::Family* family = m_request.parameters().family();
        const gpu::Variant* variant = m_request.currentVariant();
        m_tiles.reset();
        if (family != nullptr && family->id() == "product" && variant != nullptr && !m_request.document().empty() &&
            m_request.variants().kernel(variant->id) == nullptr) {
            const auto [row, chosen] = gpu::parseRunSpec(*family, m_request.current());
            m_tiles = productTiles(*m_request.document().grid(), m_request.parameters().values(), *row,
                                   gpu::resolve(*row, chosen));
        }
        setVisible(m_tiles.has_value());
        if (!m_tiles) return;
        m_step->setVisible(m_tiles->staged());
        setSteps(1, m_tiles->slices());
        refresh();
    }

    void takePixel() {
        if (m_pane == nullptr || !m_pane->cursor()) return;
        m_output = *m_pane->cursor();
        refresh();
    }

    void refresh() override {
        const gpu::Variant* variant = m_request.currentVariant();
        if (!m_tiles || variant == nullptr) return;
        const ProductTiles& t = *m_tiles;
        const QPoint block = t.blockOf(m_output.value_or(QPoint(t.columns / 2, t.rows / 2)));
        const QRect made = t.outputs(block);
        const int slice = m_step->value() - 1;
        m_view->set(t, block, slice, variant->idea);
        m_title->setText(tr("Block %1, %2 makes %3 outputs")
                             .arg(block.x())
                             .arg(block.y())
                             .arg(format::extent(made.width(), made.height())));
        const QRect ofA = t.ofA(block, slice), ofB = t.ofB(block, slice);
        const QString staged =
            t.staged() ? tr("Staged in shared memory: %1 of A and %2 of B.")
                             .arg(format::extent(ofA.width(), ofA.height()), format::extent(ofB.width(), ofB.height()))
                       : tr("Nothing is staged: every output reads its row of A and its column of B.");
        m_text->setText(staged);
        QString reads =
            tr("A value of A is read %1, one of B %2").arg(timesText(t.readsOfA()), timesText(t.readsOfB()));
        reads += t.staged() ? tr("; without tiles %1 and %2.").arg(timesText(t.columns), timesText(t.rows))
                            : tr(", unless a cache has it.");
        m_reads->setText(reads);
        m_view->setAccessibleDescription(m_title->text() + QStringLiteral(". ") + staged + ' ' + reads);
    }

    RequestState& m_request;
    QPointer<ViewState> m_pane;
    std::optional<ProductTiles> m_tiles;
    std::optional<QPoint> m_output;  ///< the last one under the cursor, else the middle
    QLabel* m_reads = made(new QLabel(this), {.id = "product-reads", .look = "caption", .wraps = true});
};

/// The parts of both factors that the block of the pixel under the cursor stages.
class ProductLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse&, QWidget* parent) const override {
        return {{"keep", new ProductTilesPanel(request, parent)}};
    }
};

}  // namespace

WARPLENS_LENS_OF(product, ProductLens)

}  // namespace warplens::gui
