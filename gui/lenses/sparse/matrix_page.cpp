// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/matrix_page.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/lenses/sparse/matrix_views.hpp"
#include "gui/lenses/sparse/products_view.hpp"
#include "gui/lenses/sparse/solve_chart.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/picture/why_text.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/rates.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

using gpu::sparse::Format;

constexpr double kMostAcross = 14, kFewestAcross = 7;  // pixels of the picture, in the pane at first
constexpr int kShares[] = {37, 33, 30};
constexpr int kProductsFrom = 540;  // px of the page's height that leaves formats and products legible
constexpr int kBothPanes = 1500;    // px of the page from which the unknowns have a pane beside the result

gpu::WhyPiece words(const QString& text) { return {.text = text.toStdString()}; }

gpu::WhyPiece counted(const QString& figure) {
    return {.text = figure.toStdString(), .origin = Origin::counted, .strong = true};
}

QString percentOf(const gpu::sparse::LaneSteps& steps) {
    return format::percent(static_cast<double>(steps.working) / static_cast<double>(steps.all));
}

}  // namespace

MatrixPage::MatrixPage(CompareSession& session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_model(session.request(), session.results(), session.control(), session.activity()),
      m_near(new ViewState(this)),
      m_far(new ViewState(this)),
      m_notice(new SessionNotice(session.activity(), this)),
      m_picture(new Pane(this)),
      m_mask(new Pane(this)),
      m_result(new Pane(this)),
      m_lanes(makeLanesView(this)),
      m_formats(makeFormatsView(this)),
      m_products(new ProductsView(this)),
      m_chart(new SolveChart(this)),
      m_text(made(new WhyText(this), {.id = "matrix-why", .look = "dock"})),
      m_columns(makeSplitter(Qt::Horizontal, this)) {
    setLook(this, "canvas");
    m_picture->view()->setObjectName(QStringLiteral("matrix-picture"));
    m_picture->view()->setViewState(m_near);
    m_picture->view()->setOverlays({&m_rows});
    m_near->setPixelValues(false);  // numbers are those of the rows
    for (Pane* pane : {m_mask, m_result}) pane->view()->setViewState(m_far);
    m_mask->view()->setOverlays({&m_unknowns});
    m_columns->addWidget(makeRows());
    m_columns->addWidget(makeFormats());
    m_columns->addWidget(makeWhy());
    connect(m_columns, &QSplitter::splitterMoved, this, [this] { m_moved = true; });
    makeColumn(this, {}, 0, {m_notice, {m_columns, 1}});

    connect(m_notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    connect(&session.document(), &Document::changed, this, &MatrixPage::refreshPictures);
    connect(&session.results(), &Results::changed, this, &MatrixPage::refreshPictures);
    connect(&m_model, &MatrixModel::rowsChanged, this, &MatrixPage::refreshPictures);
    connect(&m_model, &MatrixModel::rowsChanged, this, &MatrixPage::lookAtRow);
    connect(&m_model, &MatrixModel::rowChanged, this, &MatrixPage::refreshRows);
    connect(&m_model, &MatrixModel::curvesChanged, this, &MatrixPage::refreshCurves);
    connect(&m_model, &MatrixModel::busyChanged, this, &Page::primaryChanged);
    connect(&session.parameters(), &ParameterState::changed, this, &Page::primaryChanged);
    connect(m_near, &ViewState::cursorChanged, this, [this] {
        if (const auto at = m_near->cursor()) m_model.pick(*at, m_near->slice());
        emit viewChanged();
    });
    connect(m_near, &ViewState::viewChanged, this, &Page::viewChanged);
    for (Pane* pane : {m_mask, m_result})
        connect(pane->view(), &ImageView::pixelChosen, this, [this](QPoint pixel) {
            m_model.pick(pixel, m_far->slice());
            lookAtRow();
        });
    connect(m_formats, &WarpRowsView::rowChosen, &m_model, &MatrixModel::setRow);
    connect(m_chart, &SolveChart::stepChosen, &m_model, &MatrixModel::showStep);
    refreshPictures();
    refreshCurves();
    on(this, {QEvent::Show}, [this] {
        m_model.setActive(true);
        refreshPictures();
        refreshCurves();
    });
    on(this, {QEvent::Hide}, [this] { m_model.setActive(false); });
    on(this, {QEvent::PaletteChange}, [this] {
        if (m_text->isVisible()) refreshPictures();  // the veil's colour
    });
}

QWidget* MatrixPage::head(const QString& title, ElidedLabel*& label, Origin origin, QWidget* parent) {
    auto* head = new QWidget(parent);
    QHBoxLayout* row = titleRow(head, kTitleHeight, title, 5);
    label = made(new ElidedLabel(head), {.look = "caption"});
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    fill(row, {{label, 1}, new OriginMark(origin, head)});
    return head;
}

QWidget* MatrixPage::makeRows() {
    auto* lanes = made(new QWidget(this), {.look = "dock"});
    makeColumn(lanes, {}, 0,
               {head(tr("Work per thread"), m_lanesLabel, Origin::counted, lanes), {m_lanes, 1}, spacer(4)});
    auto* column = makeSplitter(Qt::Vertical, this, {{m_picture, 1}, {lanes, 1}});
    column->setSizes({500, 500});
    return column;
}

QWidget* MatrixPage::makeFormats() {
    auto* side = made(new QWidget(this), {.look = "dock"});
    m_none = made(new QLabel(side), {.id = "matrix-none", .look = "label", .wraps = true});
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    m_measured = new QWidget(side);
    makeColumn(m_measured, {}, 0,
               {head(tr("Product with the matrix"), m_productsLabel, Origin::recorded, m_measured), m_products});
    makeColumn(side, {}, 0,
               {head(tr("The same matrix, stored"), m_formatsLabel, Origin::counted, side),
                {m_none, 1},
                {m_formats, 1},
                m_measured});
    return side;
}

QWidget* MatrixPage::makeWhy() {
    auto* side = made(new QWidget(this), {.look = "dock"});
    auto* title = new QWidget(side);
    titleRow(title, kTitleHeight, tr("Why"))->addStretch(1);
    auto* scroll = makeScroll(m_text, side);
    scroll->setFrameShape(QFrame::NoFrame);
    m_solving = new QWidget(side);
    auto* panes = new QWidget(m_solving);
    makeRow(panes, {kGap, 0, kGap, 0}, kGap, {{m_mask, 1}, {m_result, 1}});
    makeColumn(m_solving, {}, 0,
               {{panes, 1}, head(tr("Residual"), m_solveLabel, Origin::measured, m_solving), {m_chart, 1}});
    makeColumn(side, {}, 0, {title, {scroll, 1}, {m_solving, 2}});
    return side;
}

void MatrixPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_mask->setVisible(width() >= kBothPanes * typeScale());
    refreshProducts();
    if (m_moved || width() < 600) return;
    m_columns->setSizes({width() * kShares[0] / 100, width() * kShares[1] / 100, width() * kShares[2] / 100});
}

Page::Primary MatrixPage::primary() const {
    if (m_model.solving()) return {tr("Cancel   Esc"), tr("Stops the solvers; curves drawn so far stay.")};
    return {tr("Solve by all three   F6"), tr("Runs the current variant with each solver, for its curve."),
            m_model.solves()};
}

void MatrixPage::runPrimary() {
    if (m_model.solving())
        m_model.cancel();
    else
        m_model.solveAll();
}

bool MatrixPage::settled() const {
    return !m_model.busy() && m_picture->view()->settled() && m_result->view()->settled();
}

QString MatrixPage::viewText() const {
    const auto& rows = m_model.rows();
    QStringList parts;
    if (rows != nullptr) {
        const QPoint at = m_model.place(m_model.row());
        parts << tr("row %1 at x %2 y %3")
                     .arg(format::integer(m_model.row()), format::integer(at.x()), format::integer(at.y()));
        parts << tr("selected row %1").arg(format::integer(m_model.row()));
    }
    parts << tr("%1 %").arg(format::integer(std::llround(100 * m_near->zoom())));
    return parts.join(QStringLiteral("   "));
}

/// The row's pixel in the middle, as large as its neighbourhood needs.
void MatrixPage::lookAtRow() {
    if (m_model.rows() == nullptr || m_picture->view()->width() < 40) return;
    m_near->setSlice(m_model.sliceOf(m_model.row()));
    const QPoint at = m_model.place(m_model.row());
    // Numbers are to be read.
    const QString longest = QString::number(m_model.rows()->count() - 1);
    const int number = QFontMetrics(textFont(TextSize::caption)).horizontalAdvance(longest) + 6;
    const double across =
        std::clamp(static_cast<double>(m_picture->view()->width()) / number, kFewestAcross, kMostAcross);
    m_near->setZoom(m_picture->view()->width() * devicePixelRatioF() / across);
    m_near->setCentre(QPointF(at) + QPointF(0.5, 0.5));
}

void MatrixPage::refreshPictures() {
    if (!isVisible()) return;
    const Document& document = m_session.document();
    const auto grid = document.grid();
    const auto& rows = m_model.rows();
    if (grid != nullptr) {
        const QSize size(static_cast<int>(grid->shape().width), static_cast<int>(grid->shape().height));
        const DisplayRange range =
            grid->type() == io::PixelType::f32 ? sampledRange(*grid) : defaultRange(grid->type(), {});
        for (ViewState* view : {m_near, m_far}) {
            view->setPictureSize(size, static_cast<int>(grid->shape().depth));
            view->setRange(range);
        }
    }
    PaneContent content = inputPane(grid, document.name());
    content.message = tr("Open a picture, or drop one here.");
    content.hint = rows == nullptr ? QString() : tr("%1 rows").arg(format::integer(rows->count()));
    if (rows != nullptr) content.hintOrigin = Origin::counted;
    m_picture->setContent(content);
    const bool solves = m_model.solves();
    m_solving->setVisible(solves);
    content.title = tr("Unknowns");
    content.detail.clear();
    content.key = QStringLiteral("unknowns");
    m_mask->setContent(content);
    QColor veil = colour(Role::accent);
    veil.setAlpha(150);
    m_unknowns.setRule({});
    if (rows != nullptr)
        m_unknowns.setRule([rows, ink = veil.rgba()](std::int64_t x, std::int64_t y, std::int64_t z) {
            const auto& of = rows->posed;
            return rows->rowAt((z * of.height + y) * of.width + x) >= 0 ? ink : QRgb{0};
        });
    PaneContent result;
    result.message = tr("not solved yet");
    const std::string& current = m_session.request().current();
    if (const gpu::RunRecord* record = m_session.results().of(current); record != nullptr && solves) {
        result = resultPane(*record, *m_session.request().currentVariant(), false);
        if (m_session.results().stale(current)) result.state.reset();
    }
    m_result->setContent(result);
    m_mask->view()->update();
    refreshRows();
}

/// Of the matrix at hand: what solvers multiply by is the Laplacian.
void MatrixPage::refreshProducts() {
    const gpu::Family& family = gpu::familyOf("sparse");
    gpu::ParameterValues values = m_session.request().parameters().valuesOf(family);
    if (gpu::format(gpu::valueOf(family.parameters(), values, "task")) != "product")
        values = {{"task", std::string("product")}, {"matrix", std::string("laplacian")}};
    const Document& document = m_session.document();
    const gpu::Report* report =
        document.grid() == nullptr
            ? nullptr
            : recordedProducts(recordedRuns(),
                               gpu::RecordedTask(family, values, *document.grid(), document.input().toStdString()));
    m_products->setReport(report);
    m_productsLabel->setFullText(m_products->source());
    m_measured->setVisible(report != nullptr && height() >= kProductsFrom * typeScale());
}

void MatrixPage::refreshRows() {
    refreshProducts();
    const auto& rows = m_model.rows();
    const int first = m_model.first(), count = m_model.count(), row = m_model.row();
    m_rows.setRows(rows, first, count, row);
    m_picture->view()->update();
    m_lanes->setRows(rows, first, count, row);
    m_formats->setRows(rows, first, count, row);
    m_formats->setVisible(rows != nullptr);
    m_none->setVisible(rows == nullptr);
    m_none->setText(m_model.problem().isEmpty() ? tr("counting the rows") : m_model.problem());
    if (rows == nullptr) {
        for (ElidedLabel* label : {m_formatsLabel, m_lanesLabel}) label->setFullText({});
        m_text->setMessage(m_none->text());
        return emit viewChanged();
    }
    const auto stored = storedRows(*rows, Format::rows, first, count);
    const QString range = tr("rows %1 to %2").arg(format::integer(first), format::integer(first + count - 1));
    m_formatsLabel->setFullText(tr("%1, %2 nonzeros").arg(range, format::integer(stored.nonzeros)), {range, QString()});
    m_lanesLabel->setFullText(tr("filled: multiplies; hatched: idle; one warp, 32 lanes"));
    m_text->setSentences(sentences(),
                         tr("Counts: the %1 rows of the warp that the chosen row is in, of %2 rows with %3 nonzeros.")
                             .arg(count)
                             .arg(format::integer(rows->count()), format::integer(rows->nonzeros)));
    emit viewChanged();
}

void MatrixPage::refreshCurves() {
    const auto& curves = m_model.curves();
    const auto own = curves.find(m_model.solver());
    std::optional<std::int64_t> at;
    if (own != curves.end() && m_model.iterations() < own->second.points.back().step) at = m_model.iterations();
    m_chart->setCurves(curves, m_model.solver(), at);
    if (own == curves.end()) {
        m_solveLabel->setFullText(tr("relative to the first, log scale"));
        return;
    }
    const SolveCurve::Point& last = own->second.points.back();
    m_solveLabel->setFullText(
        tr("%1: %2 steps, %3 products")
            .arg(QString::fromStdString(m_model.solver()), format::integer(last.step), format::integer(last.products)));
}

std::vector<gpu::WhySentence> MatrixPage::sentences() const {
    const gpu::sparse::MatrixRows& rows = *m_model.rows();
    const int first = m_model.first(), count = m_model.count();
    const auto of = [&](Format format) { return storedRows(rows, format, first, count); };
    const auto number = [](std::int64_t value) { return counted(format::integer(value)); };
    const auto ell = of(Format::ell), sliced = of(Format::sliced), hybrid = of(Format::hybrid);
    std::vector<gpu::WhySentence> made;
    made.push_back(
        {.claim = gpu::WhyClaim::wastes,
         .pieces = {words(tr("ELL pads these rows by ")), number(ell.padded), words(tr(" places, slices of 32 by ")),
                    number(sliced.padded), words(tr("; hybrid pads ")), number(hybrid.padded),
                    words(tr(" and leaves ")), number(hybrid.tail), words(tr(" to its tail."))}});
    const auto scalar = threadPerRow(rows, first, count), vector = warpPerRow(rows, first, count);
    made.push_back({.claim = gpu::WhyClaim::wastes,
                    .pieces = {words(tr("One thread per row keeps ")), counted(percentOf(scalar)),
                               words(tr(" of the lane steps busy, one warp per row ")), counted(percentOf(vector)),
                               words(tr(". One warp per row leaves lanes idle in short rows; one thread per row waits "
                                        "for the longest row of its warp."))}});
    const auto all = storedRows(rows, Format::rows, 0, rows.count());
    made.push_back(
        {.claim = gpu::WhyClaim::saves,
         .pieces = {words(tr("A stored matrix has to be read for every product: ")), counted(format::bytes(all.bytes)),
                    words(tr(" in rows. The best sparse matrix is the one you do not store."))}});
    return made;
}

}  // namespace warplens::gui
