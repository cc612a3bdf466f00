// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_side.hpp"

#include "gui/film/film_lanes.hpp"
#include "gui/film/film_memory.hpp"
#include "gui/film/film_overview.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/image_view.hpp"

#include <QLabel>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kLabelled = 720;       ///< width of a picture that has room for names beside the block
constexpr Length kLeastPicture{40};  ///< height of one of two
constexpr int kOverviewEdge = 8;

QString textOf(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

FilmSide::FilmSide(FilmModel& model, FilmClock& clock, ViewState& view, bool second, QWidget* parent)
    : QObject(parent),
      m_model(model),
      m_clock(clock),
      m_view(view),
      m_box(new QWidget(parent)),
      m_picture(new ImageView(m_box)),
      m_overview(new FilmOverview(m_picture)),
      m_title(made(new QLabel(m_box), {.id = "film-title", .look = "caption"})),
      m_sentence(made(new QLabel(m_box), {.id = "film-sentence", .look = "title", .wraps = true})),
      m_cost(made(new QLabel(m_box), {.id = "film-cost", .wraps = true})),
      m_memory(new FilmMemory(model, parent)),
      m_lanes(new FilmLanes(model, clock, parent)) {
    m_picture->setObjectName(QStringLiteral("film-picture"));
    m_overview->setObjectName(QStringLiteral("film-overview"));
    m_overview->move(kOverviewEdge, kOverviewEdge);
    m_picture->setViewState(&m_view);
    m_picture->setOverlays({&m_unread, &m_tiles});
    m_picture->setMinimumHeight(kLeastPicture);
    for (QLabel* said : {m_title, m_sentence, m_cost}) said->setMinimumWidth(1);
    auto* title = new QWidget(m_box);
    stripRow(title, kRowHeight)->addWidget(m_title, 1);
    auto* said = new QWidget(m_box);
    makeColumn(said, {kDockMargin, kGap / 2, kDockMargin, kGap / 2}, 2, {m_sentence, m_cost});
    makeColumn(m_box, {}, 0, {title, {m_picture, 1000}, said, spring()});
    if (second)
        for (QWidget* one :
             std::initializer_list<QWidget*>{m_picture, m_overview, m_title, m_sentence, m_cost, m_memory, m_lanes})
            one->setObjectName(one->objectName() + QStringLiteral("-2"));
    connect(&model, &FilmModel::filmChanged, this, &FilmSide::refreshFilm);
    connect(&model, &FilmModel::stepChanged, this, &FilmSide::refreshStep);
    connect(m_picture, &ImageView::pixelChosen, this, &FilmSide::choosePixel);
    connect(m_overview, &FilmOverview::pixelChosen, this,
            [this](QPoint pixel) { emit blockWanted(pixel.x(), pixel.y(), m_view.slice()); });
}

QWidget* FilmSide::memory() const { return m_memory; }
QWidget* FilmSide::lanes() const { return m_lanes; }

void FilmSide::setTask(std::optional<gpu::Request> request, const gpu::Variant* variant,
                       const std::optional<gpu::Footprint>& footprint, const QString& why) {
    m_known = footprint;
    const auto grid = request ? request->input : nullptr;
    if (grid != m_picture->picture()) {
        m_picture->setPicture(grid);
        m_overview->setPicture(grid);
        if (grid != nullptr)
            m_view.setPictureSize({static_cast<int>(grid->shape().width), static_cast<int>(grid->shape().height)},
                                  static_cast<int>(grid->shape().depth));
    }
    m_model.setTask(std::move(request), variant, why);
    refreshFilm();
}

void FilmSide::setRange(const DisplayRange& range) { m_memory->setRange(range); }

void FilmSide::setDense(bool dense) {
    m_dense = dense;
    refreshStep();
}

bool FilmSide::keeps() const {
    const gpu::Film* film = m_model.film();
    return film == nullptr || !film->arrays.empty() || !film->barriers.empty();
}

bool FilmSide::onPicture() const {
    const gpu::Film* film = m_model.film();
    return film == nullptr || std::ranges::any_of(film->steps, [&](const auto& step) { return film->onPicture(step); });
}

QString FilmSide::title() const {
    const gpu::Film* film = m_model.film();
    if (film == nullptr) return {};
    const QString block = tr("%1, block (%2, %3, %4) of %5 × %6 × %7")
                              .arg(textOf(film->kernel))
                              .arg(film->index[0])
                              .arg(film->index[1])
                              .arg(film->index[2])
                              .arg(film->grid[0])
                              .arg(film->grid[1])
                              .arg(film->grid[2]);
    if (!m_dense) return block;
    const QString steps = format::integer(m_model.steps());
    return m_model.over() ? tr("%1: done after %2 steps").arg(block, steps)
                          : tr("%1: step %2 of %3").arg(block, format::integer(m_model.at() + 1), steps);
}

void FilmSide::refreshFilm() {
    m_footprint = m_known;
    // Of a kernel of the user's its launch tells.
    if (const gpu::Film* film = m_model.film(); film != nullptr && !m_footprint && m_model.own())
        m_footprint = gpu::footprintOf(film->grid, film->block, film->extent);
    m_memory->setTileWidth(m_footprint && m_footprint->staged
                               ? m_footprint->tileWidth + m_footprint->stagedLeft + m_footprint->stagedRight
                               : 0);
    m_overview->setBlock(blockBox());
    m_picture->setVisible(onPicture());
    zoomToBlock();
    refreshStep();
}

void FilmSide::refreshStep() {
    refreshOverlays();
    m_title->setText(title());
    m_cost->setVisible(!m_dense);
    const gpu::FilmStep* step = m_model.step();
    if (step == nullptr) {
        m_sentence->setText(!m_model.problem().isEmpty() ? m_model.problem()
                            : m_model.busy()             ? tr("filming the block")
                                                         : tr("The block does nothing that is traced."));
        return m_cost->clear();
    }
    const gpu::Film& film = *m_model.film();
    const QString sentence = textOf(sentenceOf(film, *step)) + u'.', cost = textOf(costOf(film, *step));
    m_sentence->setText(m_model.over()               ? tr("All its warps have ended.")
                        : m_dense && !cost.isEmpty() ? tr("%1 %2.").arg(sentence, cost)
                                                     : sentence);
    m_cost->setText(cost);
}

std::optional<QPoint> FilmSide::blockPixel() const {
    const gpu::Film* film = m_model.film();
    if (film == nullptr || !m_footprint) return {};
    if (m_footprint->order != gpu::Order::rows && m_footprint->tileWidth > 0 && film->grid[1] * film->grid[2] > 1)
        return QPoint(static_cast<int>(film->index[0]) * m_footprint->tileWidth + m_footprint->tileWidth / 2,
                      static_cast<int>(film->index[1]) * m_footprint->tileHeight + m_footprint->tileHeight / 2);
    for (const gpu::FilmStep& step : film->steps)
        for (const std::int64_t value : valuesTouched(*film, step))
            return QPoint(static_cast<int>(value % film->extent[0]),
                          static_cast<int>(value / film->extent[0] % film->extent[1]));
    return {};
}

QRectF FilmSide::blockBox() const {
    const auto at = blockPixel();
    if (!at) return {};
    const QRectF box =
        m_footprint->staged ? TilesOverlay::stagedOf(*m_footprint, *at) : TilesOverlay::tileOf(*m_footprint, *at);
    return box.isEmpty() || m_footprint->order == gpu::Order::rows ? QRectF(at->x() - 4, at->y() - 12, 72, 24) : box;
}

void FilmSide::refreshOverlays() {
    const gpu::Film* film = m_model.film();
    m_unread.setRule({});
    TilesOverlay::Scene scene;
    bool drawn = false;
    if (const auto at = blockPixel(); film != nullptr && at && m_model.step() != nullptr) {
        drawn = true;
        scene.footprint = *m_footprint;
        scene.idea = m_model.variant()->idea;
        scene.pixel = *at;
        const std::int64_t width = film->extent[0], plane = width * film->extent[1];
        if (!m_model.over())
            for (const std::int64_t value : m_model.pixels())
                scene.warp.emplace_back(static_cast<int>(value % width), static_cast<int>(value % plane / width));
        const QRectF own =
            m_footprint->staged ? TilesOverlay::stagedOf(*m_footprint, *at) : TilesOverlay::tileOf(*m_footprint, *at);
        scene.reads = false;
        // Along rows they tell of one thread.
        scene.labels =
            !m_dense && m_footprint->order != gpu::Order::rows && m_picture->width() >= kLabelled * typeScale();
        if (m_footprint->order != gpu::Order::rows)
            m_unread.setRule([this, own, width, plane](std::int64_t x, std::int64_t y, std::int64_t z) -> QRgb {
                const std::int64_t value = z * plane + y * width + x;
                const bool seen = m_model.film() == nullptr || m_model.state().read(value) ||
                                  m_model.state().written(value) ||
                                  !own.contains(QPointF(double(x) + 0.5, double(y) + 0.5));
                return seen ? qRgba(0, 0, 0, 0) : qRgba(40, 40, 40, 150);
            });
    }
    drawn ? m_tiles.setScene(scene) : m_tiles.setScene(std::nullopt);
    m_picture->update();
}

void FilmSide::zoomToBlock() {
    const QRectF box = blockBox();
    if (box.isEmpty() || !m_picture->isVisible()) return;
    const double dpr = m_picture->devicePixelRatioF();
    const QSizeF room = QSizeF(m_picture->size()) * dpr;
    m_view.setSlice(static_cast<int>(m_model.film()->extent[2] > 1 ? m_model.film()->index[2] : 0));
    m_view.setZoom(
        std::clamp((m_dense ? 0.9 : 0.62) * std::min(room.width() / box.width(), room.height() / box.height()), 1.0,
                   32.0),
        box.center());
    m_view.setCentre(box.center());
}

void FilmSide::choosePixel(QPoint pixel) {
    const gpu::Film* film = m_model.film();
    const std::int64_t x = pixel.x(), y = pixel.y(), z = m_view.slice();
    if (film == nullptr) return;
    const std::int64_t value = (z * film->extent[1] + y) * film->extent[0] + x;
    for (int by = 1; by <= m_model.steps(); ++by) {
        const int i = (m_model.at() + by) % m_model.steps();
        if (std::ranges::count(valuesTouched(*film, film->steps[static_cast<std::size_t>(i)]), value) > 0)
            return m_model.goTo(i);
    }
    emit blockWanted(pixel.x(), pixel.y(), m_view.slice());
}

}  // namespace warplens::gui
