// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/families/rank/problem.hpp"
#include "gui/kit/paint.hpp"
#include "gui/lenses/rank/rank_network.hpp"
#include "gui/lenses/step_panel.hpp"
#include "gui/picture/view_state.hpp"
#include "gui/session/document.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/request_state.hpp"

#include <QPoint>
#include <QPointer>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace warplens::gui {

namespace {

constexpr Length kValueWidth{40}, kRoomyWire{20}, kDenseWire{15}, kDot{3};
constexpr int kFewWires = 9;
/// The variant that a network is about.
constexpr auto kExchange = gpu::Idea::registersAlone;

QPen inkOf(const QColor& ink, double width) { return {ink, width * lineScale()}; }

/// Wires from the left to the right, a value on each, and the exchanges between them up to the present one. At the
/// left what came in, at the right what is there now.
class RankNetworkView : public Plot {
public:
    explicit RankNetworkView(QWidget* parent) : Plot(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setWidgetText(this, {.id = "rank-network", .name = tr("Sorting network")});
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    /// `steps` exchanges are made, the last of them is the present one.
    void set(const RankNetwork& network, std::vector<double> values, int steps) {
        const bool resized = network.wires != m_network.wires;
        m_network = network;
        m_values = std::move(values);
        m_now = flowThrough(m_network, m_values, steps);
        m_steps = steps;
        if (resized) updateGeometry();
        update();
    }

    QSize sizeHint() const override {
        return {288, m_network.wires * (m_network.wires <= kFewWires ? kRoomyWire : kDenseWire)};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (m_values.size() != static_cast<std::size_t>(m_network.wires) || m_values.empty()) return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintWires(painter);
        paintExchanges(painter);
    }

    QString tipAt(QPoint place) const override {
        if (m_now.empty()) return {};
        const int wire =
            std::clamp(static_cast<int>(place.y() * m_network.wires / std::max(1, height())), 0, m_network.wires - 1);
        const auto i = static_cast<std::size_t>(wire);
        QString text =
            tr("Wire %1: %2 came in, %3 now").arg(wire).arg(format::value(m_values[i]), format::value(m_now[i]));
        return wire == m_network.result ? text + tr("; the median leaves here") : text;
    }

private:
    double wireAt(int wire) const { return height() * (wire + 0.5) / std::max(1, m_network.wires); }

    double columnAt(int column) const {
        return kValueWidth + (width() - 2.0 * kValueWidth) * (column + 0.5) / std::max(1, m_network.columnCount);
    }

    void paintWires(QPainter& painter) const {
        const gpu::rank::Exchange* now =
            m_steps > 0 ? &m_network.exchanges[static_cast<std::size_t>(m_steps) - 1] : nullptr;
        const double row = height() / static_cast<double>(m_network.wires);
        for (int wire = 0; wire < m_network.wires; ++wire) {
            const double y = wireAt(wire);
            const bool touched = now != nullptr && (now->low == wire || now->high == wire);
            const bool result = wire == m_network.result;
            painter.setPen(inkOf(colour(result ? Role::text1 : Role::line), result ? 2 : 1));
            painter.drawLine(QPointF(kValueWidth, y), QPointF(width() - kValueWidth, y));
            const auto i = static_cast<std::size_t>(wire);
            const QRectF left(0, y - row / 2, kValueWidth - 4, row);
            const QRectF right(width() - kValueWidth + 4, y - row / 2, kValueWidth - 4, row);
            painter.setFont(textFont(TextSize::caption));
            writeText(painter, left, Qt::AlignVCenter | Qt::AlignRight, slotText(m_values[i], 3), Role::text2);
            if (touched || result) painter.setFont(boldFont(TextSize::caption));
            writeText(painter, right, Qt::AlignVCenter | Qt::AlignLeft, slotText(m_now[i], 3),
                      touched || result ? Role::text1 : Role::text3);
        }
    }

    /// Those that were made strong, those to come faint, the present one in its variant's colour.
    void paintExchanges(QPainter& painter) const {
        const auto draw = [&](int step, const QColor& ink, double width) {
            const auto i = static_cast<std::size_t>(step);
            const double x = columnAt(m_network.columns[i]);
            const QPointF low(x, wireAt(m_network.exchanges[i].low)), high(x, wireAt(m_network.exchanges[i].high));
            painter.setPen(inkOf(ink, width));
            painter.drawLine(low, high);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            const double dot = kDot * (width > 2 ? 1.5 : m_network.wires <= kFewWires ? 1 : 0.6);
            painter.drawEllipse(low, dot, dot);
            painter.drawEllipse(high, dot, dot);
        };
        for (int step = m_steps; step < m_network.steps(); ++step) draw(step, colour(Role::line), 1);
        for (int step = 0; step + 1 < m_steps; ++step) draw(step, colour(Role::text2), 1.4);
        if (m_steps > 0) draw(m_steps - 1, colour(kExchange), 3);
    }

    RankNetwork m_network;
    std::vector<double> m_values, m_now;
    int m_steps = 0;
};

/// The sorting network of the present window with the values of the window under the cursor, exchange by exchange.
class RankNetworkPanel : public StepPanel<RankNetworkView>, public PixelFollower {
public:
    RankNetworkPanel(ParameterState& state, Document& document, QWidget* parent)
        : StepPanel({.id = "rank-exchange", .name = tr("Exchange of the network")}, tr("exchange "),
                    {.id = "rank-window",
                     .tip = tr("The values of the first channel, row by row from the top left. Comparisons that the "
                               "median does not depend on are left out.")},
                    {.id = "rank-words"}, parent),
          m_state(state),
          m_document(document) {
        connect(&m_state, &ParameterState::familyChanged, this, &RankNetworkPanel::take);
        connect(&m_state, &ParameterState::changed, this, &RankNetworkPanel::take);
        connect(&m_document, &Document::changed, this, &RankNetworkPanel::take);
        take();
    }

    void follow(ViewState* view) override {
        if (m_pane != nullptr) m_pane->disconnect(this);
        m_pane = view;
        if (m_pane == nullptr) return;
        connect(m_pane, &ViewState::cursorChanged, this, &RankNetworkPanel::takePixel);
        connect(m_pane, &ViewState::displayChanged, this, &RankNetworkPanel::takePixel);
        takePixel();
    }

    /// What the present variant does is said where no network is drawn. Null: there is none.
    void setVariant(const gpu::Variant* variant) {
        m_variant = variant == nullptr ? QString()
                                       : QStringLiteral("%1: %2").arg(QString::fromStdString(variant->id),
                                                                      QString::fromStdString(variant->sentence));
        take();
    }

private:
    void take() {
        const bool shown = m_state.family() != nullptr && m_state.family()->id() == "rank" && !m_document.empty();
        setVisible(shown);
        if (!shown) return;
        const bool network = drawn();
        m_view->setVisible(network);
        m_step->setVisible(network);
        m_title->setVisible(network);
        if (!network) {
            m_values.clear();
            const QString what = tr("Networks are drawn for medians of 3 × 3 and 5 × 5.");
            m_text->setText(m_variant.isEmpty() ? what : tr("%1 Here %2.").arg(what, m_variant));
            return;
        }
        const auto radius = static_cast<int>(std::get<std::int64_t>(m_state.value("radius")));
        const int wires = m_network.wires;
        m_network = rankNetwork(radius);
        if (wires != m_network.wires) {
            const QSignalBlocker quiet(m_step);
            setSteps(0, m_network.steps());
            m_step->setValue(m_network.steps());
        }
        takePixel();
    }

    void takePixel() {
        if (m_view->isHidden() || isHidden()) return;
        const io::Shape& shape = m_document.grid()->shape();
        const QRect all(0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height));
        if (m_pane != nullptr && m_pane->cursor() && all.contains(*m_pane->cursor())) m_pixel = *m_pane->cursor();
        if (!m_pixel || !all.contains(*m_pixel)) m_pixel = all.center();
        const std::int64_t slice = m_pane != nullptr ? m_pane->slice() : shape.depth / 2;
        const gpu::rank::RankProblem problem(m_document.grid(), m_state.values());
        m_values = gpu::rank::windowAt(*m_document.grid(), problem.posed(), m_pixel->x(), m_pixel->y(),
                                       std::min(slice, shape.depth - 1), 0);
        m_title->setText(tr("Window of pixel %1, %2").arg(m_pixel->x()).arg(m_pixel->y()));
        refresh();
    }

    void refresh() override {
        if (m_values.size() != static_cast<std::size_t>(m_network.wires)) return;
        const int steps = m_step->value();
        m_view->set(m_network, m_values, steps);
        const QString said = words(flowThrough(m_network, m_values, steps));
        m_text->setText(said);
        m_view->setAccessibleDescription(said);
    }

    /// Whether a network is drawn of what is asked for.
    bool drawn() const {
        try {
            const gpu::rank::RankProblem problem(m_document.grid(), m_state.values());
            const gpu::rank::Case& posed = problem.posed();
            return posed.square() && posed.median() && posed.then < 0 && posed.window.radius <= kLargestDrawnRadius;
        } catch (const gpu::Error&) {  // said where it is typed
            return false;
        }
    }

    /// What happened at the present exchange.
    QString words(const std::vector<double>& now) const {
        const int step = m_step->value();
        if (step == 0) return tr("The values as they come in, row by row.");
        const gpu::rank::Exchange& exchange = m_network.exchanges[static_cast<std::size_t>(step) - 1];
        const auto before = flowThrough(m_network, m_values, step - 1);
        const auto low = static_cast<std::size_t>(exchange.low), high = static_cast<std::size_t>(exchange.high);
        const bool moved = !(before[low] == now[low] || (std::isnan(before[low]) && std::isnan(now[low])));
        QString text = moved ? tr("Wires %1 and %2: %3 and %4 change places.") : tr("Wires %1 and %2: %3 and %4 stay.");
        text = text.arg(exchange.low).arg(exchange.high).arg(format::value(before[low]), format::value(before[high]));
        if (step == m_network.steps())
            text += tr(" The median, %1, leaves on wire %2.")
                        .arg(format::value(now[static_cast<std::size_t>(m_network.result)]))
                        .arg(m_network.result);
        return text;
    }

    ParameterState& m_state;
    Document& m_document;
    QPointer<ViewState> m_pane;
    std::optional<QPoint> m_pixel;  ///< the last one under the cursor, else the middle
    RankNetwork m_network;
    std::vector<double> m_values;
    QString m_variant;
};

/// The network that sorts the window of the pixel under the cursor; the window itself is among tiles and halos.
class RankLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse&, QWidget* parent) const override {
        auto* panel = new RankNetworkPanel(request.parameters(), request.document(), parent);
        const auto tell = [panel, &request] { panel->setVariant(request.currentVariant()); };
        QObject::connect(&request, &RequestState::taskChanged, panel, tell);
        tell();
        return {{"border", panel}};
    }
};

}  // namespace

WARPLENS_LENS_OF(rank, RankLens)

}  // namespace warplens::gui
