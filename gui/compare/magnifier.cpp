// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/magnifier.hpp"

#include "gui/compare/tools.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/render.hpp"
#include "gui/picture/value_colours.hpp"

namespace warplens::gui {

namespace {

constexpr Length kCell{13};
constexpr Length kSide{Magnifier::kAcross * kCell.plain()};

class MagnifierTool : public PageTool {
public:
    MagnifierTool(Page& page, PaneGrid& panes) : PageTool(page, panes), m_magnifier(new Magnifier(&page)) {
        makeSwitch({.id = "magnifier",
                    .text = tr("&Magnifier"),
                    .key = Qt::Key_M,
                    .tip = tr("The surroundings of the pixel under the cursor, with its exact values."),
                    .sessionKey = "magnifier"});
        setSide(m_magnifier);
    }

    void place() override {
        m_magnifier->setViewState(panes().currentViewState());
        if (const Pane* pane = panes().pane(panes().current())) m_magnifier->setPane(pane->content());
    }

private:
    Magnifier* m_magnifier;
};

}  // namespace

Magnifier::Magnifier(QWidget* parent) : QWidget(parent) {
    setWidgetText(this, {.id = "magnifier", .name = tr("Magnifier")});
    setFixedHeight(kSide + kTitleHeight + kDockMargin);
}

QSize Magnifier::sizeHint() const { return {2 * kSide, kSide + kTitleHeight + kDockMargin}; }

void Magnifier::setViewState(ViewState* state) {
    if (m_state) m_state->disconnect(this);
    m_state = state;
    connect(m_state, &ViewState::cursorChanged, this, &Magnifier::refresh);
    connect(m_state, &ViewState::displayChanged, this, &Magnifier::refresh);
    refresh();
}

void Magnifier::setPane(const PaneContent& pane) {
    m_pane = pane;
    refresh();
}

void Magnifier::refresh() {
    setAccessibleDescription(lines().join(QStringLiteral(", ")));
    update();
}

OwnDisplay Magnifier::display() const {
    if (m_pane.display) return *m_pane.display;
    return {m_state->range(), mapFor(*m_pane.picture, m_state->colourMap(), m_state->labelColours())};
}

Outside Magnifier::outside() const {
    if (m_pane.display) return m_pane.display->blankBelow ? Outside::blank : Outside::clamped;
    return m_state->markOutside() ? Outside::marked : Outside::clamped;
}

QStringList Magnifier::lines() const {
    if (!m_state || !m_state->cursor() || m_pane.picture == nullptr) return {tr("Point at a picture")};
    const QPoint at = *m_state->cursor();
    const io::Grid& grid = *m_pane.picture;
    const io::Shape& shape = grid.shape();
    if (at.x() >= shape.width || at.y() >= shape.height) return {tr("Point at a picture")};
    const OwnDisplay shownAs = display();
    const ValueColours colours(shownAs.range, shownAs.map, surroundColour().rgb(), outside());
    const std::int64_t slice = m_state->slice();
    const QRgb shown = colours.pixel(grid, at.x(), at.y(), slice);
    const bool grey = qRed(shown) == qGreen(shown) && qGreen(shown) == qBlue(shown);
    return {
        QStringLiteral("x %1 y %2").arg(format::integer(at.x()), format::integer(at.y())) +
            (shape.depth > 1 ? QStringLiteral(" z %1").arg(slice) : QString()),
        tr("stored %1 (%2)").arg(pixelText(grid, at.x(), at.y(), slice), QString::fromUtf8(io::nameOf(grid.type()))),
        grey ? tr("shown %1 of 255").arg(qRed(shown))
             : tr("shown R %1 G %2 B %3").arg(qRed(shown)).arg(qGreen(shown)).arg(qBlue(shown)),
        tr("range %1 – %2").arg(format::value(shownAs.range.low), format::value(shownAs.range.high)),
        tr("colours %1").arg(nameOf(shownAs.map))};
}

void Magnifier::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    painter.fillRect(QRect(0, 0, width(), 1), colour(Role::line));
    writeText(painter, QRect(kDockMargin, 0, width(), kTitleHeight), Qt::AlignVCenter,
              m_pane.title.isEmpty() ? tr("Magnifier") : tr("Magnifier: %1").arg(m_pane.title), Role::text1,
              boldFont(TextSize::title));
    const QRect square(kDockMargin, kTitleHeight, kSide, kSide);
    painter.fillRect(square, surroundColour());
    const QStringList said = lines();
    if (said.size() > 1) {
        RenderRequest request;
        const double dpr = devicePixelRatioF();
        request.size = QSize(kSide, kSide) * dpr;
        request.centre = QPointF(*m_state->cursor()) + QPointF(0.5, 0.5);
        request.zoom = kCell * dpr;
        request.slice = m_state->slice();
        request.range = display().range;
        request.map = display().map;
        request.labelColours = false;  // asked already
        request.outside = outside();
        request.surround = surroundColour().rgb();
        QImage image = gui::render(*m_pane.picture, nullptr, request);
        image.setDevicePixelRatio(dpr);
        painter.drawImage(square.topLeft(), image);
        QRect middle(square.topLeft() + QPoint(kSide / 2 - kCell / 2, kSide / 2 - kCell / 2), QSize(kCell, kCell));
        for (const auto& [ink, grow] : {std::pair{QColor(Qt::black), 1}, std::pair{QColor(Qt::white), 0}}) {
            painter.setPen(ink);
            painter.drawRect(middle.adjusted(-grow, -grow, grow - 1, grow - 1));
        }
    }
    QRect line(square.right() + kDockMargin, kTitleHeight, width() - square.right() - 2 * kDockMargin, kRowHeight);
    for (int i = 0; i < said.size(); ++i, line.translate(0, kRowHeight)) {
        writeText(painter, line, Qt::AlignVCenter | Qt::TextDontClip, said[i], i == 1 ? Role::text1 : Role::text2,
                  textFont(i == 1 ? TextSize::body : TextSize::caption));
    }
}

PageTool* makeMagnifierTool(Page& page, PaneGrid& panes) { return new MagnifierTool(page, panes); }

}  // namespace warplens::gui
