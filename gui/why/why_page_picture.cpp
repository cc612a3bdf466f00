// SPDX-License-Identifier: Apache-2.0
// The picture of the Why page: its tools, the map of loads, the marks of blocks and warps.
#include "gui/kit/panel.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/slice_bar.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/session/lens.hpp"
#include "gui/why/why_page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace warplens::gui {

namespace {

constexpr double kHalfOfNames = 92;  ///< of the frames' names, at the right edge
constexpr double kLeastHeight = 24;  ///< of a block that is shown as a whole

/// Least, greatest and mean value of those that are numbers.
struct Spread {
    double low = 0, high = 0, mean = 0;
};

Spread spreadOf(const io::Grid& grid) {
    const auto* values = grid.as<float>();
    const auto count = static_cast<std::size_t>(grid.shape().values());
    Spread spread{std::numeric_limits<double>::max(), 0, 0};
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isnan(values[i])) continue;
        ++numbers;
        spread.low = std::min<double>(spread.low, values[i]);
        spread.high = std::max<double>(spread.high, values[i]);
        spread.mean += values[i];
    }
    if (numbers == 0) return {};
    spread.mean /= static_cast<double>(numbers);
    return spread;
}

/// What to show of a picture that blocks take row by row.
QRectF aroundPixel(const TilesOverlay::Scene& scene) {
    // Lanes that lie apart need more room, as long as each can still be seen.
    double apart = 24;
    for (const QPoint lane : scene.warp)
        if (lane.y() == scene.pixel->y()) apart = std::max(apart, std::abs(lane.x() - scene.pixel->x()) + 1.0);
    apart = std::min(apart, 72.0);
    return QRectF(*scene.pixel, QSizeF(1, 1)).adjusted(-apart, -16, apart, 16);
}

/// The kernels that a counted variant launches, those with the most requests first.
std::vector<FilmPanel::Kernel> kernelsOf(const gpu::RunRecord& record) {
    std::vector<FilmPanel::Kernel> kernels;
    if (!record.counters) return kernels;
    std::map<std::string, std::int64_t> requests;
    for (const gpu::CounterLine& line : record.counters->lines) requests[line.kernel] += line.count.requests;
    for (const gpu::KernelCounters& kernel : record.counters->kernels) {
        const auto same = [&](const FilmPanel::Kernel& known) { return known.name == kernel.kernel; };
        if (const auto known = std::ranges::find_if(kernels, same); known != kernels.end())
            known->launches += static_cast<int>(kernel.launches);
        else
            kernels.push_back({kernel.kernel, static_cast<int>(kernel.launches)});
    }
    std::ranges::stable_sort(kernels, std::greater(), [&](const FilmPanel::Kernel& one) { return requests[one.name]; });
    return kernels;
}

}  // namespace

QWidget* WhyPage::makePicture() {
    auto* both = made(new QWidget(this), {.look = "canvas"});
    makeColumn(both, {}, 0, {makeTools(), {m_picture, 1}, new SliceBar(*m_view, both)});
    return both;
}

QWidget* WhyPage::makeTools() {
    auto* strip = made(new QWidget(this), {.look = "dock"});
    strip->setFixedHeight(kStripHeight);
    auto* row = makeRow(strip, {kGap, 0, kGap, 0}, 4);
    const Tool tiles =
        makeTool("why-tiles", tr("Tiles"), tr("&Tiles over the picture"),
                 tr("The blocks, what one of them writes and stages, and what a pixel reads."), Qt::Key_T, true);
    const Tool map = makeTool("why-reads", tr("Reads"), tr("M&ap of the reads, or of contention"),
                              tr("How often each pixel is read from global memory or, of a histogram, how many lanes "
                                 "of a warp add to its bin; counted."),
                              Qt::Key_A, true);
    const Tool block = makeTool("why-block", tr("Block"), tr("Zoom to the bloc&k of the pixel"),
                                tr("Zooms to the block of the chosen pixel."), Qt::Key_B, false);
    for (const Tool& tool : {tiles, map, block}) {
        setLook(tool.button, "flat");
        row->addWidget(tool.button);
    }
    m_tilesAction = tiles.action;
    m_tilesAction->setChecked(true);
    m_mapButton = map.button;
    row->addStretch(1);
    connect(m_tilesAction, &QAction::toggled, this, &WhyPage::refreshTiles);
    connect(map.action, &QAction::toggled, &m_model, &WhyModel::setMapWanted);
    connect(block.action, &QAction::triggered, this, &WhyPage::showBlock);
    return strip;
}

void WhyPage::refreshPicture() {
    m_mapButton->setText(m_model.mapKind().name);
    m_mapButton->setAccessibleName(m_mapButton->text());
    const Document& document = m_request.document();
    const auto grid = document.grid();
    PaneContent content;
    content.key = QStringLiteral("why");
    content.title = document.empty() ? tr("Picture") : document.name();
    content.message = tr("Open a picture, or drop one here.");
    content.picture = grid;
    if (grid != nullptr) {
        const io::Shape& shape = grid->shape();
        m_view->setPictureSize({static_cast<int>(shape.width), static_cast<int>(shape.height)},
                               static_cast<int>(shape.depth));
        content.detail = format::extent(shape.width, shape.height);
    }
    DisplayRange range = m_compareView.range();
    ColourMap map = m_compareView.colourMap();
    m_legend.reset();
    if (m_model.mapWanted()) {
        const gpu::Variant* current = m_request.currentVariant();
        const PixelMap& kind = m_model.mapKind();
        content.title = kind.name;
        if (current != nullptr) {
            content.idea = current->idea;
            content.detail = kind.detail.arg(QString::fromStdString(current->id));
        }
        content.picture = nullptr;
        content.message = m_model.mapProblem().isEmpty() ? kind.waiting : m_model.mapProblem();
        if (const gpu::LoadMap* loads = m_model.map()) {
            const Spread spread = spreadOf(*loads->loads);
            content.picture = loads->loads;
            content.hint = tr("mean %1").arg(format::significant(spread.mean));
            content.hintOrigin = Origin::counted;
            range = {spread.low, std::max(spread.high, spread.low + 1)};
            map = ColourMap::cividis;
            m_legend =
                std::make_unique<ColourLegend>(map, format::value(range.low), kind.legend, format::value(range.high));
        }
    }
    m_view->setRange(range);
    m_view->setColourMap(map);
    m_picture->setContent(content);
    refreshTiles();
}

void WhyPage::refreshTiles() {
    const gpu::Variant* current = m_request.currentVariant();
    std::optional<TilesOverlay::Scene> scene;
    if (current != nullptr && m_tilesAction->isChecked()) {
        if (const auto footprint = m_model.footprint(current->id)) {
            scene.emplace(*footprint, current->idea);
            scene->taps = lensOf(*m_request.parameters().family()).taps(m_request);
            if (!m_warp.lines().empty() && m_warp.slice() == m_view->slice()) scene->pixel = m_warp.pixel();
            scene->warp = m_warp.pixelsTouched(m_view->slice());
            scene->labels = !m_model.mapWanted();
        }
    }
    m_tiles.setScene(std::move(scene));
    std::vector<ImageOverlay*> overlays{&m_tiles};
    if (m_legend != nullptr) overlays.push_back(m_legend.get());
    m_picture->view()->setOverlays(std::move(overlays));
    if (!m_placed && m_tiles.scene() && m_tiles.scene()->pixel) {
        m_placed = true;
        m_view->setSlice(m_warp.slice());
        showBlock();
    }
}

FilmPanel::Task WhyPage::filmOf(const std::string& id) const {
    FilmPanel::Task task;
    task.request = m_model.asked(id);
    task.variant = m_request.variants().variant(id);
    const gpu::RunRecord* record = m_model.record(id);
    const OwnKernel* own = m_request.variants().kernel(id);
    if (task.variant == nullptr || m_request.document().empty())
        task.why = tr("Open a picture; then a block of it is filmed.");
    else if (task.variant->kind != gpu::Variant::Kind::kernel)
        task.why = tr("%1 cannot be filmed: choose a variant of the ladder that is traced.")
                       .arg(QString::fromStdString(task.variant->title));
    else if (own == nullptr && record != nullptr && !record->counters)
        task.why = QString::fromStdString(record->reason);
    if (task.variant == nullptr) return task;
    task.footprint = m_model.footprint(id);
    task.source = own != nullptr ? QString::fromStdString(own->kernel->source()) : kernelSource(*task.variant);
    return task;
}

void WhyPage::refreshFilm() {
    if (m_part != Part::film) return;
    const std::string current = m_request.current();
    const gpu::RunRecord* record = m_model.record(current);
    m_film->setDisplay(m_compareView.range(), m_compareView.colourMap());
    m_film->setTask(filmOf(current), record == nullptr ? std::vector<FilmPanel::Kernel>() : kernelsOf(*record));
    std::vector<const gpu::Variant*> others;
    for (const gpu::Variant* variant : m_request.variants().rows())
        if (variant->kind == gpu::Variant::Kind::kernel && variant->id != current) others.push_back(variant);
    const gpu::Variant* compared = m_model.comparedVariant();
    m_film->setOthers(others, compared == nullptr ? std::string() : compared->id,
                      [this](const std::string& id) { return filmOf(id); });
}

void WhyPage::showBlock() {
    const auto& scene = m_tiles.scene();
    if (!scene || !scene->pixel) return;
    QRectF box = scene->footprint.staged ? TilesOverlay::stagedOf(scene->footprint, *scene->pixel)
                                         : TilesOverlay::tileOf(scene->footprint, *scene->pixel);
    if (scene->footprint.order == gpu::Order::rows || box.isEmpty()) box = aroundPixel(*scene);
    const double dpr = m_picture->view()->devicePixelRatioF();
    const QSizeF room = QSizeF(m_picture->view()->size()) * dpr;
    // The block takes half of the pane; names stand at its right.
    const auto zoomOf = [&] { return 0.55 * std::min(room.width() / box.width(), room.height() / box.height() * 1.3); };
    // One of few rows would be a bar: the part of it around the pixel shows what it does.
    if (box.height() * zoomOf() < kLeastHeight * dpr) box = aroundPixel(*scene);
    m_view->setZoom(std::clamp(zoomOf(), 1.0, 32.0), box.center());
    const double names = scene->labels ? std::max(0.1 * room.width(), kHalfOfNames * dpr) : 0;
    m_view->setCentre(box.center() + QPointF(names / m_view->zoom(), 0));
}

}  // namespace warplens::gui
