// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/merge/lists.hpp"
#include "gui/kit/paint.hpp"
#include "gui/lenses/merge/merge_path.hpp"
#include "gui/lenses/step_panel.hpp"
#include "gui/session/document.hpp"
#include "gui/session/parameter_state.hpp"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

constexpr Length kBars{26}, kSlot{18}, kPathHeight{260}, kMark{16};
constexpr int kRings = 2;
/// The variant that a round is about.
constexpr auto kRing = gpu::Idea::sharedTileRefined;

QPen pen(const QColor& ink, double width = 1, Qt::PenStyle style = Qt::SolidLine) {
    return {ink, width * lineScale(), style};
}

/// The merge as a path from the top left to the bottom right: a step to the right takes a value of A, a step down one
/// of B. One round of a block is set off, with the search for its end; below, what its two rings hold.
class MergePathView : public Plot {
public:
    explicit MergePathView(QWidget* parent) : Plot(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setWidgetText(this, {.id = "merge-path", .name = tr("Merge path")});
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    void setRound(const MergePath& path, int round) {
        m_path = path;
        m_round = roundOf(path, round);
        update();
    }

    QSize sizeHint() const override { return {288, kPathHeight + kGap + kRings * (kSlot + 4)}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (m_path.fromA.empty()) return;
        const QRectF plot = area();
        painter.setPen(pen(colour(Role::hairline)));
        for (int i = 0; i <= static_cast<int>(m_path.a.size()); i += MergePath::kTile / 2)
            painter.drawLine(QPointF(corner(i, 0).x(), plot.top()), QPointF(corner(i, 0).x(), plot.bottom()));
        for (int j = 0; j <= static_cast<int>(m_path.b.size()); j += MergePath::kTile / 2)
            painter.drawLine(QPointF(plot.left(), corner(0, j).y()), QPointF(plot.right(), corner(0, j).y()));
        paintLists(painter);
        paintPath(painter);
        paintRound(painter);
        paintRings(painter);
    }

    QString tipAt(QPoint place) const override {
        const QRectF plot = area();
        const auto among = [](double share, std::size_t count) {
            return static_cast<int>(std::floor(share * static_cast<double>(count)));
        };
        const int i = among((place.x() - plot.left()) / plot.width(), m_path.a.size());
        const int j = among((place.y() - plot.top()) / plot.height(), m_path.b.size());
        const bool a = i >= 0 && i < static_cast<int>(m_path.a.size()) && place.y() < plot.bottom();
        const bool b = j >= 0 && j < static_cast<int>(m_path.b.size()) && place.x() < plot.right();
        QStringList parts;
        if (a) parts << tr("A %1: %2").arg(i).arg(format::value(m_path.a[static_cast<std::size_t>(i)]));
        if (b) parts << tr("B %1: %2").arg(j).arg(format::value(m_path.b[static_cast<std::size_t>(j)]));
        return parts.join(QStringLiteral(", "));
    }

private:
    QRectF area() const {
        const double side = std::min<double>(width() - kBars - 2, kPathHeight - kBars - 2);
        return {double(kBars), double(kBars), side, side};
    }

    QPointF corner(double a, double b) const {
        const QRectF plot = area();
        return {plot.left() + plot.width() * a / std::max<double>(1, static_cast<double>(m_path.a.size())),
                plot.top() + plot.height() * b / std::max<double>(1, static_cast<double>(m_path.b.size()))};
    }

    /// Each list along its side, as bars between its least and its largest value.
    void paintLists(QPainter& painter) const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto* list : {&m_path.a, &m_path.b})
            for (const double value : *list) {
                if (!std::isfinite(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
        const auto length = [&](double value) {
            const double share = std::isfinite(value) && high > low ? (value - low) / (high - low)
                                 : value <= low                     ? 0
                                                                    : 1;
            return 3 + (kBars - 7) * share;
        };
        const auto ink = [](const RingFill& ring, int i) {
            if (i < ring.first) return colour(Role::hairline);
            if (i >= ring.first + ring.held) return colour(Role::text3);
            return i >= ring.first + ring.held - ring.loaded ? colour(kRing) : colour(Role::text1);
        };
        for (int i = 0; i < static_cast<int>(m_path.a.size()); ++i) {
            const double left = corner(i, 0).x(), h = length(m_path.a[static_cast<std::size_t>(i)]);
            painter.fillRect(QRectF(left + 0.5, kBars - 3 - h, corner(i + 1, 0).x() - left - 1, h), ink(m_round.a, i));
        }
        for (int j = 0; j < static_cast<int>(m_path.b.size()); ++j) {
            const double top = corner(0, j).y(), w = length(m_path.b[static_cast<std::size_t>(j)]);
            painter.fillRect(QRectF(kBars - 3 - w, top + 0.5, w, corner(0, j + 1).y() - top - 1), ink(m_round.b, j));
        }
    }

    /// What the round has at hand, its last diagonal, and where the search looked.
    void paintRound(QPainter& painter) const {
        const RingFill &a = m_round.a, &b = m_round.b;
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(colour(Role::hairline), Qt::BDiagPattern));
        painter.drawRect(QRectF(corner(0, 0), corner(a.first, b.first)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen(colour(kRing), 1, Qt::DashLine));
        painter.drawRect(QRectF(corner(a.first, b.first), corner(a.first + a.held, b.first + b.held)));
        // From where the diagonal enters what is at hand to where it leaves.
        const int end = m_round.count, low = std::max(0, end - b.held), high = std::min(end, a.held);
        painter.setPen(pen(colour(kRing), 1.5));
        painter.drawLine(corner(a.first + low, b.first + end - low), corner(a.first + high, b.first + end - high));
        painter.setFont(textFont(TextSize::caption));
        for (std::size_t n = 0; n < m_round.probes.size(); ++n) {
            const int i = m_round.probes[n] - a.first;
            const QPointF at = corner(a.first + i + 0.5, b.first + end - i - 0.5);
            const QRectF disc(at.x() - kMark / 2.0, at.y() - kMark / 2.0, kMark, kMark);
            painter.setPen(pen(colour(kRing)));
            painter.setBrush(colour(Role::dock));
            painter.drawEllipse(disc);
            writeText(painter, disc, Qt::AlignCenter, QString::number(n + 1), Role::text1);
        }
        painter.setBrush(Qt::NoBrush);
    }

    void paintPath(QPainter& painter) const {
        const auto piece = [&](int from, int to, const QPen& ink) {
            const auto place = [&](int k) {
                const int i = m_path.fromA[static_cast<std::size_t>(k)];
                return corner(i, k - i);
            };
            QPainterPath line(place(from));
            for (int k = from + 1; k <= to; ++k) line.lineTo(place(k));
            painter.setPen(ink);
            painter.drawPath(line);
        };
        const int first = m_round.first, end = first + m_round.count;
        piece(0, first, pen(colour(Role::text2), 1.5));
        piece(end, m_path.outputs(), pen(colour(Role::text2), 1.5));
        piece(first, end, pen(colour(Role::text1), 3));
    }

    /// A place keeps its value until the ring comes round to it: what was loaded for this round is filled.
    void paintRings(QPainter& painter) const {
        painter.setFont(textFont(TextSize::caption));
        const double slot = (width() - double(kSlot)) / MergePath::kTile;
        double top = kPathHeight + kGap;
        const auto row = [&](const QString& name, const RingFill& ring, const std::vector<double>& list) {
            writeText(painter, QRectF(0, top, kSlot, kSlot), Qt::AlignVCenter | Qt::AlignLeft, name, Role::text2);
            for (int i = ring.first; i < ring.first + ring.held; ++i) {
                const QRectF box(kSlot + i % MergePath::kTile * slot + 1, top, slot - 2, kSlot);
                const bool fresh = i >= ring.first + ring.held - ring.loaded;
                painter.setPen(pen(fresh ? colour(kRing) : colour(Role::text3), fresh ? 2 : 1));
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
                const QString text = slotText(list[static_cast<std::size_t>(i)], 2);
                if (painter.fontMetrics().horizontalAdvance(text) > slot - 5) continue;
                writeText(painter, box, Qt::AlignCenter, text, i < ring.first + ring.used ? Role::text1 : Role::text2);
            }
            top += kSlot + 4;
        };
        row(QStringLiteral("A"), m_round.a, m_path.a);
        row(QStringLiteral("B"), m_round.b, m_path.b);
    }

    MergePath m_path;
    MergeRound m_round;
};

/// The merge path of values of the picture that is open, round by round.
class MergePathPanel : public StepPanel<MergePathView> {
public:
    MergePathPanel(ParameterState& state, Document& document, QWidget* parent)
        : StepPanel(
              {.id = "merge-round", .name = tr("Round of a block")}, tr("round "),
              {.id = "merge-lists",
               .tip = tr("Evenly spaced values of the first channel. A, the first list, along the top; B down the "
                         "side. A step to the right takes a value of A, a step down one of B.")},
              {.id = "merge-loads"}, parent),
          m_state(state),
          m_document(document) {
        connect(&m_state, &ParameterState::familyChanged, this, &MergePathPanel::take);
        connect(&m_state, &ParameterState::changed, this, &MergePathPanel::take);
        connect(&m_document, &Document::changed, this, &MergePathPanel::take);
        take();
    }

private:
    void take() {
        const bool shown = m_state.family() != nullptr && m_state.family()->id() == "merge" && !m_document.empty();
        setVisible(shown);
        if (!shown) return;
        try {
            const auto lists = gpu::merge::listsOf(m_document.grid(), gpu::merge::parameters().read(m_state.shaping()));
            m_path = mergePathOf(*lists.values, static_cast<std::int64_t>(lists.first));
        } catch (const gpu::Error&) {
            return setVisible(false);  // the form says why
        }
        m_title->setText(tr("%1 and %2 values of the lists, sorted").arg(m_path.a.size()).arg(m_path.b.size()));
        setSteps(1, m_path.rounds());
        refresh();
    }

    void refresh() override {
        const int round = m_step->value() - 1;
        m_view->setRound(m_path, round);
        const MergeRound now = roundOf(m_path, round);
        const QString loads =
            tr("Outputs %1 to %2, found in %3 steps: %4 of A, %5 of B. A ring loads %6 and keeps %7; a tile "
               "loads all %8.")
                .arg(now.first)
                .arg(now.first + now.count - 1)
                .arg(now.probes.size())
                .arg(now.a.used)
                .arg(now.b.used)
                .arg(now.loaded())
                .arg(now.kept())
                .arg(now.loaded() + now.kept());
        m_text->setText(loads);
        m_view->setAccessibleDescription(loads);
    }

    ParameterState& m_state;
    Document& m_document;
    MergePath m_path;
};

/// Two lists of the picture's own values, and the path that a merge takes through them.
class MergeLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse&, QWidget* parent) const override {
        return {{"task", new MergePathPanel(request.parameters(), request.document(), parent)}};
    }
};

}  // namespace

WARPLENS_LENS_OF(merge, MergeLens)

}  // namespace warplens::gui
