// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_panel.hpp"

#include "gui/film/film_lanes.hpp"
#include "gui/film/film_memory.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/image_view.hpp"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTextCursor>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kRoomyWidth = 1400;  ///< from which the source stands beside the memory
constexpr int kLabelled = 720;     ///< width of a picture that has room for names beside the block
constexpr int kMostSpeed = 30;

QString words(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

FilmPanel::FilmPanel(QWidget* parent)
    : QWidget(parent),
      m_view(new ViewState(this)),
      m_picture(new ImageView(this)),
      m_title(made(new QLabel(this), {.look = "caption"})),
      m_sentence(made(new QLabel(this), {.id = "film-sentence", .look = "title", .wraps = true})),
      m_cost(made(new QLabel(this), {.id = "film-cost", .wraps = true})),
      m_where(made(new QLabel(this), {.id = "film-where"})),
      m_memory(new FilmMemory(m_model, this)),
      m_source(new SourceView(this)),
      m_lanes(new FilmLanes(m_model, this)),
      m_columns(makeSplitter(Qt::Horizontal, this)) {
    setLook(this, "dock");
    setFocusPolicy(Qt::StrongFocus);
    m_picture->setObjectName(QStringLiteral("film-picture"));
    m_picture->setViewState(m_view);
    m_picture->setOverlays({&m_unread, &m_tiles});
    m_columns->addWidget(makePicture());
    m_columns->addWidget(m_memory);
    m_columns->addWidget(m_source);
    for (int i = 0; i < 3; ++i) m_columns->setStretchFactor(i, i == 0 ? 36 : 32);
    makeColumn(this, {}, 0, {{m_columns, 1}, makeTransport(), m_lanes});
    connect(&m_model, &FilmModel::filmChanged, this, &FilmPanel::refreshFilm);
    connect(&m_model, &FilmModel::stepChanged, this, &FilmPanel::refreshStep);
    connect(&m_model, &FilmModel::playingChanged, this,
            [this] { m_play->setText(m_model.playing() ? tr("Pause") : tr("Play")); });
    connect(m_picture, &ImageView::pixelChosen, this, &FilmPanel::choosePixel);
    connect(m_source->editor(), &QTextEdit::cursorPositionChanged, this, [this] {
        if (m_source->editor()->hasFocus()) m_model.goToLine(m_source->editor()->textCursor().blockNumber() + 1);
    });
    after(this, {QEvent::Show}, [this] { zoomToBlock(); });
}

QWidget* FilmPanel::makePicture() {
    auto* both = new QWidget(this);
    m_cost->setMinimumWidth(1);
    m_sentence->setMinimumWidth(1);
    auto* title = new QWidget(both);
    stripRow(title, kRowHeight)->addWidget(m_title, 1);
    auto* said = new QWidget(both);
    makeColumn(said, {kDockMargin, kGap, kDockMargin, kGap}, 2, {m_sentence, m_cost});
    makeColumn(both, {}, 0, {title, {m_picture, 1}, said});
    return both;
}

QWidget* FilmPanel::makeTransport() {
    auto* strip = new QWidget(this);
    auto* row = stripRow(strip, kHeaderHeight);
    const auto button = [&](const char* id, const QString& text, const QString& name, std::function<void()> does) {
        auto* one = made(new QPushButton(text, strip), {.id = id, .name = name, .tip = name, .does = std::move(does)});
        one->setFocusPolicy(Qt::NoFocus);
        row->addWidget(one);
        return one;
    };
    button("film-first", QStringLiteral("|◂"), tr("The first step (Home)"), [this] { m_model.goTo(0); });
    button("film-back", QStringLiteral("◂"), tr("The step before (Left; with Shift the phase before)"),
           [this] { m_model.goTo(m_model.at() - 1); });
    m_play = button("film-play", tr("Play"), tr("Plays the film, or holds it (Space)"),
                    [this] { m_model.setPlaying(!m_model.playing()); });
    button("film-next", QStringLiteral("▸"), tr("The next step (Right; with Shift the next phase)"),
           [this] { m_model.goTo(m_model.at() + 1); });
    button("film-last", QStringLiteral("▸|"), tr("The last step (End)"), [this] { m_model.goTo(m_model.steps() - 1); });
    fill(row, {spacer(kGap), {m_where, 1}});
    m_kernel = made(new QComboBox(strip),
                    {.id = "film-kernel", .name = tr("Kernel"), .tip = tr("Which of its kernels."), .letters = 12});
    connect(m_kernel, &QComboBox::activated, this, &FilmPanel::chooseLaunch);
    m_launch = made(new QSpinBox(strip), {.id = "film-launch",
                                          .name = tr("Launch"),
                                          .tip = tr("Which launch of this kernel; those before it "
                                                    "are run.")});
    m_launch->setPrefix(tr("launch "));
    m_launch->setKeyboardTracking(false);
    connect(m_launch, &QSpinBox::valueChanged, this, &FilmPanel::chooseLaunch);
    for (QWidget* choice : {static_cast<QWidget*>(m_kernel), static_cast<QWidget*>(m_launch)}) {
        choice->hide();
        row->addWidget(choice);
    }
    m_sourceButton =
        made(new QPushButton(tr("Source"), strip),
             {.id = "film-source", .tip = tr("The source in place of the shared memory."), .checkable = true});
    m_sourceButton->setFocusPolicy(Qt::NoFocus);
    connect(m_sourceButton, &QPushButton::toggled, this, &FilmPanel::layOut);
    auto* speed = made(new QSlider(Qt::Horizontal, strip), {.id = "film-speed", .name = tr("Speed, steps per second")});
    speed->setRange(1, kMostSpeed);
    speed->setFixedWidth(Length(96));
    auto* told = new QLabel(strip);
    const auto follow = [this, told](int value) {
        m_model.setSpeed(value);
        told->setText(tr("%1 steps per second").arg(value));
    };
    connect(speed, &QSlider::valueChanged, this, follow);
    speed->setValue(4);
    fill(row, {m_sourceButton, speed, told});
    return strip;
}

void FilmPanel::setTask(std::optional<gpu::Request> request, const gpu::Variant* variant,
                        const std::vector<Kernel>& kernels, const std::optional<gpu::Footprint>& footprint,
                        const QString& source, const QString& why) {
    m_footprint = footprint;
    const auto grid = request ? request->input : nullptr;
    if (grid != m_picture->picture()) {
        m_picture->setPicture(grid);
        if (grid != nullptr)
            m_view->setPictureSize({static_cast<int>(grid->shape().width), static_cast<int>(grid->shape().height)},
                                   static_cast<int>(grid->shape().depth));
    }
    if (variant != nullptr && variant != m_model.variant())
        m_source->setSource(words(variant->source).section(u'/', -1), source, variant->idea);
    m_memory->setTileWidth(
        footprint && footprint->staged ? footprint->tileWidth + footprint->stagedLeft + footprint->stagedRight : 0);
    setKernels(kernels);
    m_model.setTask(std::move(request), variant, why);
}

void FilmPanel::setDisplay(const DisplayRange& range, ColourMap map) {
    m_view->setRange(range);
    m_view->setColourMap(map);
    m_memory->setRange(range);
}

void FilmPanel::setKernels(const std::vector<Kernel>& kernels) {
    if (std::exchange(m_kernels, kernels) == kernels) return;
    const QSignalBlocker quiet(m_kernel);
    m_kernel->clear();
    for (const Kernel& kernel : m_kernels) m_kernel->addItem(words(kernel.name));
    m_kernel->setVisible(m_kernels.size() > 1);
    chooseLaunch();
}

void FilmPanel::chooseLaunch() {
    const int index = m_kernel->currentIndex();
    const Kernel kernel = index < 0 ? Kernel() : m_kernels[static_cast<std::size_t>(index)];
    const QSignalBlocker quiet(m_launch);
    m_launch->setRange(1, std::max(1, kernel.launches));
    m_launch->setVisible(kernel.launches > 1);
    m_launch->setSuffix(tr(" of %1").arg(kernel.launches));
    m_model.setLaunch(kernel.name, m_launch->value() - 1);
}

void FilmPanel::refreshFilm() {
    const gpu::Film* film = m_model.film();
    m_title->setText(film == nullptr ? QString()
                                     : tr("%1, block (%2, %3, %4) of %5 × %6 × %7")
                                           .arg(words(film->kernel))
                                           .arg(film->index[0])
                                           .arg(film->index[1])
                                           .arg(film->index[2])
                                           .arg(film->grid[0])
                                           .arg(film->grid[1])
                                           .arg(film->grid[2]));
    layOut();
    zoomToBlock();
}

void FilmPanel::refreshStep() {
    refreshOverlays();
    const gpu::FilmStep* step = m_model.step();
    if (step == nullptr) {
        m_sentence->setText(!m_model.problem().isEmpty() ? m_model.problem()
                            : m_model.busy()             ? tr("filming the block")
                                                         : tr("The block does nothing that is traced."));
        m_cost->clear();
        m_where->clear();
        return;
    }
    const gpu::Film& film = *m_model.film();
    m_sentence->setText(words(sentenceOf(film, *step)) + u'.');
    m_cost->setText(words(costOf(film, *step)));
    const gpu::FilmPhase* phase = m_model.phase();
    m_where->setText(tr("Step %1 of %2  %3, warp %4, %5")
                         .arg(format::integer(m_model.at() + 1), format::integer(m_model.steps()),
                              QString::fromLatin1(phase == nullptr ? "" : nameOf(phase->kind)))
                         .arg(step->warp)
                         .arg(words(accessOf(film.siteOf(*step)))));
    m_source->goToLine(m_model.line());
}

std::optional<QPoint> FilmPanel::blockPixel() const {
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

void FilmPanel::refreshOverlays() {
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
        for (const std::int64_t value : m_model.pixels())
            scene.warp.emplace_back(static_cast<int>(value % width), static_cast<int>(value % plane / width));
        const QRectF own =
            m_footprint->staged ? TilesOverlay::stagedOf(*m_footprint, *at) : TilesOverlay::tileOf(*m_footprint, *at);
        scene.reads = false;
        // Along rows they tell of one thread.
        scene.labels = m_footprint->order != gpu::Order::rows && m_picture->width() >= kLabelled * typeScale();
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

void FilmPanel::zoomToBlock() {
    const auto at = blockPixel();
    if (!at || !isVisible()) return;
    QRectF box =
        m_footprint->staged ? TilesOverlay::stagedOf(*m_footprint, *at) : TilesOverlay::tileOf(*m_footprint, *at);
    if (box.isEmpty() || m_footprint->order == gpu::Order::rows) box = QRectF(at->x() - 4, at->y() - 12, 72, 24);
    const double dpr = m_picture->devicePixelRatioF();
    const QSizeF room = QSizeF(m_picture->size()) * dpr;
    m_view->setSlice(static_cast<int>(m_model.film()->extent[2] > 1 ? m_model.film()->index[2] : 0));
    m_view->setZoom(std::clamp(0.62 * std::min(room.width() / box.width(), room.height() / box.height()), 1.0, 32.0),
                    box.center());
    m_view->setCentre(box.center());
}

void FilmPanel::choosePixel(QPoint pixel) {
    const gpu::Film* film = m_model.film();
    const std::int64_t x = pixel.x(), y = pixel.y(), z = m_view->slice();
    if (film == nullptr) return;
    const std::int64_t value = (z * film->extent[1] + y) * film->extent[0] + x;
    for (int by = 1; by <= m_model.steps(); ++by) {
        const int i = (m_model.at() + by) % m_model.steps();
        if (std::ranges::count(valuesTouched(*film, film->steps[static_cast<std::size_t>(i)]), value) > 0)
            return m_model.goTo(i);
    }
    m_model.pick(x, y, z);
}

void FilmPanel::layOut() {
    const bool roomy = width() >= kRoomyWidth * typeScale();
    const gpu::Film* film = m_model.film();
    const bool keeps = film == nullptr || !film->arrays.empty() || !film->barriers.empty();
    const bool source = roomy || !keeps || m_sourceButton->isChecked();
    m_sourceButton->setVisible(!roomy && keeps);
    m_memory->setVisible(keeps && (roomy || !source));
    m_source->setVisible(source);
    const int picture = roomy ? 36 : 45;
    m_columns->setSizes({width() * picture / 100, width() * (97 - picture) / 200, width() * (97 - picture) / 200});
}

void FilmPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void FilmPanel::keyPressEvent(QKeyEvent* event) {
    const bool phases = event->modifiers() & Qt::ShiftModifier;
    const int warp = m_model.step() == nullptr ? 0 : m_model.step()->warp;
    const int column = m_model.step() == nullptr ? 0 : m_model.columnOf(m_model.at());
    switch (event->key()) {
        case Qt::Key_Space: return m_model.setPlaying(!m_model.playing());
        case Qt::Key_Left: return phases ? m_model.goByPhase(-1) : m_model.goTo(m_model.at() - 1);
        case Qt::Key_Right: return phases ? m_model.goByPhase(1) : m_model.goTo(m_model.at() + 1);
        case Qt::Key_Up: return m_model.chooseWarp(warp - 1, column);
        case Qt::Key_Down: return m_model.chooseWarp(warp + 1, column);
        case Qt::Key_Home: return m_model.goTo(0);
        case Qt::Key_End: return m_model.goTo(m_model.steps() - 1);
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace warplens::gui
