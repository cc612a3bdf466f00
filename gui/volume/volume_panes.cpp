// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_panes.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/volume/ray_view.hpp"
#include "gui/volume/slice_view.hpp"
#include "gui/volume/volume_marks.hpp"

#include <utility>

namespace warplens::gui {

namespace {

QString titleOf(SlicePlane plane) {
    switch (plane) {
        case SlicePlane::axial: return VolumePanes::tr("Axial");
        case SlicePlane::coronal: return VolumePanes::tr("Coronal");
        case SlicePlane::sagittal: return VolumePanes::tr("Sagittal");
    }
    return {};
}

QString titleOf(gpu::render::Mode mode) {
    switch (mode) {
        case gpu::render::Mode::maximum: return VolumePanes::tr("Maximum along the ray");
        case gpu::render::Mode::average: return VolumePanes::tr("Average along the ray");
        case gpu::render::Mode::shaded: return VolumePanes::tr("Shaded");
    }
    return {};
}

constexpr Length kInset{7}, kSpace{6};

}  // namespace

VolumePanes::VolumePanes(VolumeState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_rays(new RayView(state, this)), m_frames(new RayFrames(this)) {
    setWidgetText(this, {.look = "canvas", .name = tr("Slices and 3D view")});
    auto* const grid = new QGridLayout(this);
    grid->setContentsMargins(kGap, kGap, kGap, kGap);
    grid->setSpacing(kGap);
    const auto place = [this](Place p, auto* view) {
        auto* const cell = new QWidget(this);
        auto* column = makeColumn(cell, {}, 0);
        m_captions[p] = new VolumeCaption(cell);
        fill(column, {m_captions[p], {view, 1}});
        m_cells[p] = cell;
        using View = std::remove_pointer_t<decltype(view)>;
        connect(view, &View::focused, this, [this, p] { setCurrent(p); });
        connect(view, &View::activated, this, [this, p] { setAlone(m_alone ? std::nullopt : std::optional(p)); });
    };
    for (const SlicePlane plane : kSlicePlanes) {
        const auto i = static_cast<std::size_t>(plane);
        m_slices[i] = new SliceView(plane, state, this);
        m_slices[i]->setObjectName(
            QStringLiteral("slice-%1").arg(kAxisLetters[static_cast<std::size_t>(axesOf(plane).across)]));
        place(static_cast<Place>(i), m_slices[i]);
    }
    m_rays->setObjectName(QStringLiteral("rays"));
    place(rays, m_rays);
    arrange();

    connect(&state, &VolumeState::crosshairChanged, this, &VolumePanes::refreshCaptions);
    connect(&state, &VolumeState::volumeChanged, this, &VolumePanes::refreshCaptions);
    connect(&state.display(), &ViewState::displayChanged, this, [this] {
        // Another slice changes nothing of the 3D view.
        const ViewState& now = m_state.display();
        if (now.range() == m_drawnRange && now.colourMap() == m_drawnMap) return;
        request(true);
    });
    connect(m_rays, &RayView::viewChanged, this, &VolumePanes::request);
    connect(m_rays, &RayView::resized, this, [this] { request(true); });
    connect(m_frames, &RayFrames::drawn, this, &VolumePanes::take);
    connect(m_frames, &RayFrames::failed, this, [this](const QString& why) {
        m_frameMs.reset();
        m_rays->clear(why);
        refreshCaptions();
    });
    refreshCaptions();
    on(this, {QEvent::Show}, [this] { request(false); });
}

void VolumePanes::setVolume(std::shared_ptr<const io::Grid> volume, std::optional<gpu::Idea> idea,
                            const QString& message) {
    m_idea = idea;
    if (volume == m_volume && volume != nullptr) return refreshCaptions();
    const bool flat = volume != nullptr && volume->shape().depth == 1;
    if (volume != nullptr) m_state.setVolume(volume->shape(), volume->geometry);
    const QString one = tr("A picture has one slice. Open a volume to see the other planes.");
    for (const SlicePlane plane : kSlicePlanes) {
        const bool shown = !flat || plane == SlicePlane::axial;
        slice(plane)->setVolume(shown ? volume : nullptr, flat ? one : message);
    }
    const bool wasFlat = m_flat;
    m_volume = std::move(volume);
    m_flat = flat;
    if (flat != wasFlat) arrange();
    const bool drawn = m_volume != nullptr && !flat;
    if (!drawn) {
        m_frameMs.reset();
        m_rays->clear(flat ? tr("A picture has no depth to look through.") : message);
    }
    m_frames->setVolume(drawn ? m_volume : nullptr);
    refreshCaptions();
}

void VolumePanes::setMode(gpu::render::Mode mode) {
    m_mode = mode;
    refreshCaptions();
    request(false);
}

void VolumePanes::setOpacity(std::vector<gpu::render::OpacityPoint> points, bool moving) {
    m_opacity = std::move(points);
    if (m_mode == gpu::render::Mode::shaded) request(moving);
}

void VolumePanes::request(bool moving) {
    if (!m_rays->isVisible()) return;
    const ViewState& display = m_state.display();
    m_drawnRange = display.range();
    m_drawnMap = display.colourMap();
    RayFrames::Wanted wanted;
    wanted.view = m_rays->view();
    wanted.mode = m_mode;
    wanted.transfer.low = display.range().low;
    wanted.transfer.high = display.range().high;
    const ValueColours colours(display.range(), display.colourMap());
    wanted.transfer.colours.assign(colours.colours().begin(), colours.colours().end());
    wanted.transfer.opacity = m_opacity;
    wanted.size = (QSizeF(m_rays->size()) * m_rays->devicePixelRatioF()).toSize();
    m_frames->request(wanted, moving);
    refreshCaptions();
}

void VolumePanes::take(const RayFrame& frame) {
    m_rays->setFrame(frame);
    m_frameMs = frame.ms;
    m_fineShown = frame.fine;
    refreshCaptions();
}

bool VolumePanes::settled() const { return !m_rays->isVisible() || (m_frames->settled() && !m_frames->held()); }

void VolumePanes::refreshCaptions() {
    const auto& spacing = m_state.spacing();
    for (const SlicePlane plane : kSlicePlanes) {
        const auto axis = static_cast<std::size_t>(axesOf(plane).across);
        const int index = m_state.crosshair()[axis];
        VolumeCaption::Content content;
        content.idea = m_volume != nullptr ? m_idea : std::nullopt;
        content.title = titleOf(plane);
        content.axis = static_cast<int>(axis);
        if (m_volume != nullptr) {
            content.detail =
                tr("%1 %2 of %3")
                    .arg(QString(kAxisLetters[axis]), format::integer(index), format::integer(m_state.extent()[axis]));
            if (!m_what.isEmpty()) content.detail = m_what + QStringLiteral("  ") + content.detail;
            content.tip = tr("Slice %1, counted from 0.").arg(format::integer(index));
            if (m_state.hasGeometry()) {
                const gpu::LengthUnit unit = gpu::lengthUnitOf(*m_volume);
                const QString name = QString::fromUtf8(unit.name);
                content.right = format::significant(index * spacing[axis] / unit.mm) + ' ' + name;
                content.tip = tr("Slice %1, counted from 0, lies %2 × %3 %4 from the first.")
                                  .arg(format::integer(index), format::integer(index),
                                       format::significant(spacing[axis] / unit.mm), name);
            }
        }
        m_captions[static_cast<std::size_t>(plane)]->setContent(content);
        slice(plane)->setAccessibleName(m_captions[static_cast<std::size_t>(plane)]->spoken());
    }
    VolumeCaption::Content content;
    content.idea = m_volume != nullptr ? m_idea : std::nullopt;
    content.title = titleOf(m_mode);
    if (m_volume != nullptr && m_volume->shape().depth > 1) {
        content.right = m_rays->angles();
        content.ms = m_frameMs;
        content.tip = tr("Turned about z and tilted. Time of the rays of the frame shown, %1.")
                          .arg(m_fineShown ? tr("a fine one") : tr("a coarse one"));
        content.detail = m_frames->held() ? tr("waits while variants are timed") : m_what;
    }
    m_captions[rays]->setContent(content);
    m_rays->setAccessibleName(tr("3D view: %1").arg(m_captions[rays]->spoken()));
}

void VolumePanes::setCurrent(Place place) {
    if (place == m_current && m_captions[place] != nullptr) return m_captions[place]->setCurrent(true);
    m_captions[m_current]->setCurrent(false);
    m_current = place;
    m_captions[m_current]->setCurrent(true);
    emit currentChanged();
}

void VolumePanes::setAlone(std::optional<Place> place) {
    if (place == m_alone) return;
    m_alone = place;
    arrange();
    if (place) {
        setCurrent(*place);
        if (*place == rays)
            m_rays->setFocus();
        else
            m_slices[*place]->setFocus();
    }
    emit aloneChanged();
}

void VolumePanes::arrange() {
    auto* const grid = static_cast<QGridLayout*>(layout());
    while (QLayoutItem* item = grid->takeAt(0)) delete item;
    const std::optional<Place> alone = m_alone || !m_flat ? m_alone : std::optional(axial);
    for (int p = 0; p < kPlaces; ++p) {
        QWidget* const cell = m_cells[static_cast<std::size_t>(p)];
        const bool visible = !alone || *alone == p;
        if (visible) alone ? grid->addWidget(cell, 0, 0) : grid->addWidget(cell, p / 2, p % 2);
        cell->setVisible(visible);
    }
    for (int i = 0; i < 2; ++i) {
        grid->setColumnStretch(i, !alone || i == 0 ? 1 : 0);
        grid->setRowStretch(i, !alone || i == 0 ? 1 : 0);
    }
    m_captions[m_current]->setCurrent(true);
    updateGeometry();
}

void VolumePanes::zoomBy(double factor) {
    if (m_current == rays) return m_rays->zoomBy(factor);
    const auto plane = static_cast<SlicePlane>(m_current);
    m_state.setZoom(plane, m_state.zoom(plane) * factor, m_state.centre(plane));
}

void VolumePanes::actualSize() {
    if (m_current == rays) return m_rays->reset();
    const auto plane = static_cast<SlicePlane>(m_current);
    m_state.setZoom(plane, 1, m_state.centre(plane));
}

void VolumePanes::fit() {
    if (m_current == rays) return m_rays->reset();
    m_state.fit(static_cast<SlicePlane>(m_current));
}

QSize VolumePanes::minimumSizeHint() const {
    const int n = m_alone ? 1 : 2;
    return {n * paneMinWidth() + (n + 1) * kGap, n * paneMinHeight() + (n + 1) * kGap};
}

VolumeCaption::VolumeCaption(QWidget* parent) : QWidget(parent) { setFixedHeight(kRowHeight); }

void VolumeCaption::setContent(const Content& content) {
    if (std::exchange(m_content, content) == content) return;
    setWidgetText(this, {.name = spoken(), .tip = content.tip});
    update();
}

void VolumeCaption::setCurrent(bool current) {
    if (std::exchange(m_current, current) != current) update();
}

QString VolumeCaption::spoken() const {
    QStringList parts{m_content.title};
    if (!m_content.detail.isEmpty()) parts << m_content.detail;
    if (!m_content.right.isEmpty()) parts << m_content.right;
    if (m_content.ms) parts << tr("%1 ms, %2").arg(format::milliseconds(*m_content.ms), originName(Origin::measured));
    return parts.join(QStringLiteral(", "));
}

QSize VolumeCaption::sizeHint() const { return {paneMinWidth(), kRowHeight}; }

void VolumeCaption::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::strip));
    if (m_current) painter.fillRect(QRect(0, 0, width(), 2), colour(Role::accent));
    const QFont small = textFont(TextSize::caption);
    const QFontMetricsF metrics(small);
    QRectF line = QRectF(rect()).adjusted(kInset, m_current ? 1 : 0, -kInset, 0);
    const auto glyphAt = [&line](double x) {
        return QRectF(x, line.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox);
    };
    // From the right first: figures are never pushed out by a title.
    const auto fromRight = [&](const QString& text) {
        writeText(painter, line, Qt::AlignRight | Qt::AlignVCenter, text, Role::text2, small);
        line.setRight(line.right() - metrics.horizontalAdvance(text) - kSpace);
    };
    if (m_content.ms) {
        drawOriginGlyph(painter, glyphAt(line.right() - kGlyphBox), Origin::measured, Role::text2, Role::strip);
        line.setRight(line.right() - kGlyphBox - 4);
        fromRight(tr("%1 ms").arg(format::milliseconds(*m_content.ms)));
        line.setRight(line.right() - kSpace);
    }
    if (!m_content.right.isEmpty()) fromRight(m_content.right);

    if (m_content.idea) {
        drawShape(painter, glyphAt(line.left()), *m_content.idea);
        line.setLeft(line.left() + kGlyphBox + kSpace);
    }
    const auto fromLeft = [&](const QString& text, const QFont& f, const QColor& ink) {
        const QString shown = QFontMetricsF(f).elidedText(text, Qt::ElideRight, std::max(0.0, line.width()));
        painter.setFont(f);
        painter.setPen(ink);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shown);
        line.setLeft(line.left() + QFontMetricsF(f).horizontalAdvance(shown) + 8);
    };
    fromLeft(m_content.title, boldFont(TextSize::caption),
             m_content.axis < 0 ? colour(Role::text1) : axisColour(m_content.axis, scheme()));
    // Numbers are shown whole or not at all; they are spoken as well.
    if (metrics.horizontalAdvance(m_content.detail) <= line.width())
        fromLeft(m_content.detail, small, colour(Role::text2));
}

}  // namespace warplens::gui
