// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPen>
#include <QPixmap>
#include <QWidget>
#include <algorithm>
#include <map>
#include <vector>

namespace warplens::gui::test {

/// A text as a widget painted it.
struct PaintedText {
    QString text;
    QFont font;
    QColor colour;
    QRectF box;  ///< in the widget, logical pixels
};

/// Takes down every text that is painted, and nothing else.
class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size) : m_engine(m_texts, m_lines), m_size(size) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const std::vector<PaintedText>& texts() const { return m_texts; }
    /// The widths of the lines drawn: polylines, curves and outlines, but not of marks.
    const std::vector<double>& lines() const { return m_lines; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth: return m_size.width();
            case PdmHeight: return m_size.height();
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY: return 96;
            case PdmDepth: return 32;
            case PdmDevicePixelRatio: return 1;
            default: return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        Engine(std::vector<PaintedText>& texts, std::vector<double>& lines)
            : QPaintEngine(AllFeatures), m_texts(texts), m_lines(lines) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState& now) override {
            if (now.state() & DirtyPen) m_pen = now.pen();
            if (now.state() & DirtyTransform) m_transform = now.transform();
        }
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            if (item.text().trimmed().isEmpty()) return;
            const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
            m_texts.push_back({item.text(), item.font(), m_pen.color(), m_transform.mapRect(box)});
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override { draw(); }
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override { draw(); }
        void drawLines(const QLineF*, int) override { draw(); }
        void drawEllipse(const QRectF&) override { draw(); }
        void drawRects(const QRectF*, int) override {}

    private:
        void draw() {
            // A mark's shape is drawn in a box of its own and grows with the type, its outline too.
            if (m_pen.style() != Qt::NoPen && m_transform.isIdentity()) m_lines.push_back(m_pen.widthF());
        }
        std::vector<PaintedText>& m_texts;
        std::vector<double>& m_lines;
        QPen m_pen;
        QTransform m_transform;
    };
    std::vector<PaintedText> m_texts;
    std::vector<double> m_lines;
    mutable Engine m_engine;
    QSize m_size;
};

/// The texts that a widget paints itself, without its children's.
inline std::vector<PaintedText> textsOf(QWidget* widget) {
    TextRecorder recorder(widget->size());
    widget->render(&recorder, QPoint(), QRegion(), QWidget::DrawWindowBackground);
    return recorder.texts();
}

/// The widest line that a widget draws itself.
inline double widestLineOf(QWidget* widget) {
    TextRecorder recorder(widget->size());
    widget->render(&recorder, QPoint(), QRegion(), QWidget::DrawWindowBackground);
    return recorder.lines().empty() ? 0 : *std::max_element(recorder.lines().begin(), recorder.lines().end());
}

/// The colour that most of an area of a picture has: what a text there stands on.
inline QColor groundOf(const QImage& image, const QRect& area) {
    std::map<QRgb, int> counts;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) ++counts[image.pixel(x, y) | 0xff000000];
    QRgb most = 0;
    int highest = 0;
    for (const auto& [colour, count] : counts)
        if (count > highest) {
            highest = count;
            most = colour;
        }
    return QColor::fromRgb(most);
}

}  // namespace warplens::gui::test
