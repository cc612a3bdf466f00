// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/pane_grid.hpp"

#include "gui/kit/panel.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kSeePixels = 16;  // screen pixels a picture pixel, when a place is gone to

/// Columns for a number of panes: three stand in one row, more in two.
int columnsFor(int panes) { return panes <= 3 ? std::max(1, panes) : panes == 4 ? 2 : 3; }

QSize sizeOf(const io::Shape& shape) { return {static_cast<int>(shape.width), static_cast<int>(shape.height)}; }

}  // namespace

PaneGrid::PaneGrid(QWidget* parent) : QWidget(parent), m_state(new ViewState(this)) {
    setWidgetText(this, {.look = "canvas", .name = tr("Pictures")});
    auto* const layout = new QGridLayout(this);
    layout->setContentsMargins(kGap, kGap, kGap, kGap);
    layout->setSpacing(kGap);
    connect(m_state, &ViewState::displayChanged, this, &PaneGrid::shareDisplay);
    connect(m_state, &ViewState::cursorChanged, this, &PaneGrid::shareDisplay);
}

PaneGrid::~PaneGrid() = default;

ViewState* PaneGrid::currentViewState() const {
    return m_linked || m_current < 0 ? m_state : m_own[static_cast<std::size_t>(m_current)];
}

Pane* PaneGrid::pane(int index) const {
    return index >= 0 && index < static_cast<int>(m_contents.size()) ? m_panes[static_cast<std::size_t>(index)]
                                                                     : nullptr;
}

Pane* PaneGrid::pane(const QString& key) const {
    for (std::size_t i = 0; i < m_contents.size(); ++i)
        if (m_contents[i].key == key) return m_panes[i];
    return nullptr;
}

bool PaneGrid::settled() const {
    return std::all_of(m_panes.begin(), m_panes.begin() + std::ssize(m_contents),
                       [](const Pane* pane) { return pane->view()->settled(); });
}

void PaneGrid::goTo(gpu::PixelPlace place) {
    ViewState* view = currentViewState();
    const QPoint pixel(static_cast<int>(place.x), static_cast<int>(place.y));
    m_state->setSlice(static_cast<int>(place.z));
    if (view->zoom() < kSeePixels) view->setZoom(kSeePixels);
    view->setCentre(QPointF(pixel) + QPointF(0.5, 0.5));
    view->setCursor(pixel);
}

void PaneGrid::setPanes(const std::vector<PaneContent>& contents) {
    const QString kept = m_current >= 0 ? m_contents[static_cast<std::size_t>(m_current)].key : QString();
    m_contents.assign(contents.begin(), contents.begin() + std::min<std::ptrdiff_t>(std::ssize(contents), kMaxPanes));

    while (m_panes.size() < m_contents.size()) {
        const int index = static_cast<int>(m_panes.size());
        auto* const made = new Pane(this);
        auto* const own = new ViewState(this);
        m_panes.push_back(made);
        m_own.push_back(own);
        made->view()->setViewState(m_linked ? m_state : own);
        connect(made, &Pane::focused, this, [this, index] { setCurrent(index); });
        connect(made, &Pane::activated, this, [this, index] {
            setCurrent(index);
            setMaximised(!m_maximised);
        });
        // The pixel under the cursor is shared even while the panes are not linked.
        connect(own, &ViewState::cursorChanged, this, [this, own] {
            if (!m_linked && own->cursor()) m_state->setCursor(own->cursor());
        });
        // So is the slice.
        connect(own, &ViewState::displayChanged, this, [this, own] {
            if (!m_linked) m_state->setSlice(own->slice());
            tellViews();
        });
        connect(own, &ViewState::viewChanged, this, &PaneGrid::tellViews);
        connect(made->view(), &ImageView::picturePainted, this,
                [this, made](double ms) { emit painted(made->content().key, ms); });
        connect(made->view(), &ImageView::wipeMoved, this, &PaneGrid::wipeMoved);
        connect(made->view(), &ImageView::wipeTurned, this, &PaneGrid::wipeTurned);
    }
    // A result may be larger than the input along one axis and smaller along another.
    QSize most(0, 0);
    int depth = 0;
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        if (m_contents[i].picture == nullptr) continue;
        const io::Shape& shape = m_contents[i].picture->shape();
        m_own[i]->setPictureSize(sizeOf(shape), static_cast<int>(shape.depth));
        most = most.expandedTo(sizeOf(shape));
        depth = std::max(depth, static_cast<int>(shape.depth));
    }
    if (depth > 0) m_state->setPictureSize(most, depth);
    for (std::size_t i = 0; i < m_contents.size(); ++i) m_panes[i]->setContent(m_contents[i]);

    placeReference();

    int current = m_contents.empty() ? -1 : 0;
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        if (!kept.isEmpty() && m_contents[i].key == kept) current = static_cast<int>(i);
    }
    const bool changed = current != m_current;
    m_current = current;
    if (m_contents.empty()) m_maximised = false;
    arrange();
    if (changed) emit currentChanged(m_current);
}

void PaneGrid::arrange() {
    auto* const grid = static_cast<QGridLayout*>(layout());
    while (QLayoutItem* item = grid->takeAt(0)) delete item;
    const int count = static_cast<int>(m_contents.size());
    const int columns = m_maximised ? 1 : columnsFor(count);
    for (int i = 0; i < static_cast<int>(m_panes.size()); ++i) {
        Pane* const p = m_panes[static_cast<std::size_t>(i)];
        p->setCurrent(i == m_current && count > 1);
        const bool visible = i < count && (!m_maximised || i == m_current);
        if (visible) m_maximised ? grid->addWidget(p, 0, 0) : grid->addWidget(p, i / columns, i % columns);
        p->setVisible(visible);
    }
    const int rows = m_maximised ? 1 : (count + columns - 1) / std::max(1, columns);
    for (int i = 0; i < 3; ++i) {
        grid->setColumnStretch(i, i < columns ? 1 : 0);
        grid->setRowStretch(i, i < rows ? 1 : 0);
    }
    updateGeometry();
}

void PaneGrid::setCurrent(int index) {
    if (index == m_current || index < 0 || index >= static_cast<int>(m_contents.size())) return;
    m_current = index;
    if (m_maximised) {
        arrange();
    } else {
        for (std::size_t i = 0; i < m_contents.size(); ++i) m_panes[i]->setCurrent(static_cast<int>(i) == index);
    }
    emit currentChanged(index);
}

void PaneGrid::setLinked(bool linked) {
    if (linked == m_linked) return;
    // Linking takes over the view of the current pane; unlinking starts every pane from the shared one.
    if (linked && m_current >= 0) {
        const ViewState* const own = m_own[static_cast<std::size_t>(m_current)];
        if (own->fitted()) {
            m_state->fit();
        } else {
            m_state->setZoom(own->zoom());
            m_state->setCentre(own->centre());
        }
        m_state->setRange(own->range());
        m_state->setColourMap(own->colourMap());
    }
    m_linked = linked;
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        if (!linked && !m_state->fitted()) {
            m_own[i]->setZoom(m_state->zoom());
            m_own[i]->setCentre(m_state->centre());
        }
        m_own[i]->setRange(m_state->range());
        m_own[i]->setColourMap(m_state->colourMap());
        m_panes[i]->view()->setViewState(linked ? m_state : m_own[i]);
    }
    shareDisplay();
    tellViews();
}

void PaneGrid::tellViews() {
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        const ViewState& own = *m_own[i];
        const DisplayRange range = m_panes[i]->view()->range();
        const QString gamma = range.gamma == 1 ? QString() : QStringLiteral(", γ ") + format::value(range.gamma);
        m_panes[i]->caption()->setView(m_linked ? QString()
                                                : tr("not linked, %1, %2 – %3")
                                                          .arg(format::percent(std::round(own.zoom() * 100) / 100),
                                                               format::value(range.low), format::value(range.high)) +
                                                      gamma);
    }
}

void PaneGrid::setRange(DisplayRange range) {
    m_state->setRange(range);
    for (ViewState* own : m_own) own->setRange(range);
}

void PaneGrid::setReference(const PaneContent& reference) {
    m_reference = reference;
    placeReference();
}

void PaneGrid::setWipe(const QString& key, const Wipe& wipe) {
    m_wipeKey = key;
    m_wipe = wipe;
    placeReference();
}

void PaneGrid::placeReference() {
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        Pane& pane = *m_panes[i];
        pane.setReference(m_reference);
        pane.setFlipped(m_flipped);
        std::optional<Wipe> wipe;
        if (m_contents[i].key == m_wipeKey && !m_wipeKey.isEmpty() && pane.comparable() && m_contents[i].picture) {
            wipe = m_wipe;
            wipe->other = m_reference.idea ? m_reference.title : m_reference.title.toLower();
            wipe->own = m_contents[i].idea ? m_contents[i].title : m_contents[i].title.toLower();
        }
        pane.view()->setWipe(wipe);
    }
}

void PaneGrid::setFlipped(bool flipped) {
    if (flipped == m_flipped) return;
    m_flipped = flipped;
    for (std::size_t i = 0; i < m_contents.size(); ++i) m_panes[i]->setFlipped(flipped);
}

void PaneGrid::shareDisplay() {
    if (m_linked) return;
    for (ViewState* own : m_own) {
        own->setSlice(m_state->slice());  // first: any change of the display tells the shared state its slice
        own->setLabelColours(m_state->labelColours());
        own->setMarkOutside(m_state->markOutside());
        own->setPixelValues(m_state->pixelValues());
        own->setCursor(m_state->cursor());
    }
}

void PaneGrid::setMaximised(bool maximised) {
    if (m_contents.empty() || maximised == m_maximised) return;
    m_maximised = maximised;
    arrange();
    if (Pane* const p = pane(m_current)) p->view()->setFocus();
}

QSize PaneGrid::minimumSizeHint() const {
    const int count = m_maximised ? 1 : std::max(1, static_cast<int>(m_contents.size()));
    const int columns = columnsFor(count), rows = (count + columns - 1) / columns;
    // Three in a row, with a panel beside them and the docks, rather cut their captions than force a larger window.
    constexpr int kOfThree = 180;
    const int width = columns < 3 ? paneMinWidth() : std::min(paneMinWidth(), kOfThree);
    return {columns * width + (columns + 1) * kGap, rows * paneMinHeight() + (rows + 1) * kGap};
}

}  // namespace warplens::gui
