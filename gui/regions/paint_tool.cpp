// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/paint.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/regions/paint_layer.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/region_tools.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

namespace warplens::gui {

namespace {

constexpr int kVeil = 110;  // of 255: the picture shows through
constexpr double kCorner = 3;

/// Seen on every picture: black around the accent.
void drawTwice(QPainter& painter, const std::function<void()>& draw) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 190), 3));
    draw();
    painter.setPen(QPen(Qt::white, 1.2));
    draw();
}

/// Lies over a picture's view: the mask in a colour that lets the picture through, the polygon under way, the brush's
/// outline as the cursor. While a tool is on, the left button is the tool's; all else reaches the view below.
class PaintLayer : public QWidget {
public:
    PaintLayer(ImageView& view, RegionTools& tools, PaintVeil veil)
        : QWidget(&view), m_view(view), m_tools(tools), m_veil(veil) {
        setObjectName(QStringLiteral("paint-layer"));
        setFocusPolicy(Qt::NoFocus);
        setMouseTracking(true);
        setAttribute(Qt::WA_NoSystemBackground);
        view.installEventFilter(this);
        view.installEventFilter(&tools);  // Enter means another thing to it
        connect(&tools, &RegionTools::changed, this, &PaintLayer::follow);
        connect(&tools.mask(), &Mask::changed, this, &PaintLayer::follow);
        follow();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) setGeometry(m_view.rect());
        if (event->type() == QEvent::PaletteChange) follow();  // the veil's colour
        return QWidget::eventFilter(watched, event);
    }

    void paintEvent(QPaintEvent*) override {
        if (!fits()) return;
        QPainter painter(this);
        m_overlay.paint(painter, m_view);
        painter.setRenderHint(QPainter::Antialiasing);
        if (!m_tools.marked().isEmpty() && m_tools.markedSlice() == m_view.viewState()->slice())
            drawTwice(painter, [&] {
                painter.drawRect(QRectF(m_view.toWidget(m_tools.marked().topLeft()),
                                        m_view.toWidget(m_tools.marked().bottomRight())));
            });
        if (!m_tools.on()) return;
        paintPolygon(painter);
        paintBrush(painter);
    }

    void mousePressEvent(QMouseEvent* event) override {
        if (!m_tools.on() || event->button() != Qt::LeftButton || !fits()) return event->ignore();
        m_view.setFocus(Qt::MouseFocusReason);
        m_down = true;
        m_tools.press(m_view.toPicture(event->position()), m_view.viewState()->slice(),
                      event->modifiers().testFlag(Qt::ShiftModifier));
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        m_at = event->position();
        update();
        if (m_down) return m_tools.drag(m_view.toPicture(event->position()));
        event->ignore();  // the view follows the pixel under the cursor
    }

    void mouseReleaseEvent(QMouseEvent* event) override {
        if (!m_down || event->button() != Qt::LeftButton) return event->ignore();
        m_down = false;
        m_tools.release();
    }

    void mouseDoubleClickEvent(QMouseEvent* event) override {
        if (!m_tools.on() || event->button() != Qt::LeftButton) return event->ignore();
        if (m_tools.tool() == RegionTool::polygon) return m_tools.closePolygon();  // its place was the first click's
        mousePressEvent(event);
    }

    void leaveEvent(QEvent* event) override {
        m_at.reset();
        update();
        QWidget::leaveEvent(event);
    }

private:
    void follow() {
        const bool painted = !m_tools.mask().empty() || m_tools.mask().painting();
        QColor veil = colour(Role::accent);
        veil.setAlpha(kVeil);
        if (painted && m_veil == PaintVeil::shown && m_tools.on())
            m_overlay.setRule(
                [&mask = m_tools.mask(), ink = veil.rgba()](std::int64_t x, std::int64_t y, std::int64_t z) {
                    return mask.at(x, y, z) ? ink : QRgb{0};
                });
        else
            m_overlay.setRule({});
        setGeometry(m_view.rect());
        setAttribute(Qt::WA_TransparentForMouseEvents, !m_tools.on());
        // The veil lies over results as well: once nobody paints, what was made under it is to be seen.
        setVisible(m_tools.on() || !m_tools.marked().isEmpty());
        const bool outline = m_tools.tool() == RegionTool::brush || m_tools.tool() == RegionTool::eraser;
        if (!m_tools.on())
            unsetCursor();
        else
            setCursor(outline ? Qt::BlankCursor : Qt::CrossCursor);
        update();
    }

    /// Whether the view shows a picture as large as the mask.
    bool fits() const {
        const auto picture = m_view.picture();
        if (picture == nullptr) return false;
        io::Shape shape = picture->shape();
        shape.channels = 1;
        return shape == m_tools.mask().shape();
    }

    void paintPolygon(QPainter& painter) const {
        if (m_tools.corners().isEmpty() || m_tools.slice() != m_view.viewState()->slice()) return;
        QPolygonF shown;
        for (const QPointF& corner : m_tools.corners()) shown << m_view.toWidget(corner);
        drawTwice(painter, [&] {
            if (m_at)
                painter.drawPolygon(QPolygonF(shown) << *m_at);
            else
                painter.drawPolygon(shown);
            for (const QPointF& corner : shown) painter.drawEllipse(corner, kCorner, kCorner);
        });
    }

    void paintBrush(QPainter& painter) const {
        if (!m_at || (m_tools.tool() != RegionTool::brush && m_tools.tool() != RegionTool::eraser)) return;
        const double radius = m_tools.size() / 2.0 * m_view.viewState()->zoom() / devicePixelRatioF();
        drawTwice(painter, [&] { painter.drawEllipse(*m_at, std::max(radius, 1.5), std::max(radius, 1.5)); });
    }

    ImageView& m_view;
    RegionTools& m_tools;
    PaintVeil m_veil;
    PixelOverlay m_overlay;
    std::optional<QPointF> m_at;  ///< of the mouse, in the widget
    bool m_down = false;
};

class PaintTool : public PageTool {
public:
    PaintTool(Page& page, PaneGrid& panes, CompareSession& session) : PageTool(page, panes), m_session(session) {
        setRow(new RegionStrip(session, &page));
        RegionTools& tools = session.regions();
        makeSwitch({.id = "paint-mask",
                    .text = tr("&Paint a mask"),
                    .key = Qt::Key_B,
                    .tip = tr("Wand, brush, eraser and polygon: which pixels a task is for."),
                    .button = tr("Mask")});
        connect(action(), &QAction::toggled, &tools, &RegionTools::setOn);
        // Its keys are heard by what the page holds: W is the wand then, and not the wipe.
        connect(action(), &QAction::toggled, this, [this](bool painting) {
            const Pane* pane = this->panes().pane(QString::fromStdString(m_session.request().current()));
            if (painting && pane != nullptr && !this->page().isAncestorOf(QApplication::focusWidget()))
                pane->view()->setFocus();
        });
        connect(&tools, &RegionTools::changed, this, [this, &tools] { action()->setChecked(tools.on()); });
        page.installEventFilter(&tools);
    }

    bool takesMouse() const override { return true; }

    // On top: while a tool is on, the mouse is its own.
    void attach(Pane& pane) override { addPaintLayer(*pane.view(), m_session.regions()); }

private:
    CompareSession& m_session;
};

}  // namespace

void addPaintLayer(ImageView& view, RegionTools& tools, PaintVeil veil) { new PaintLayer(view, tools, veil); }

PageTool* makePaintTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new PaintTool(page, panes, session);
}

}  // namespace warplens::gui
