// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/why/warp_model.hpp"
#include "gui/why/why_panels.hpp"

#include <QKeyEvent>
#include <QResizeEvent>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <optional>

namespace warplens::gui {

namespace {

constexpr int kLanes = 32;
constexpr Length kEdge{16}, kLaneHeight{18}, kUnitHeight{22}, kLabel{17}, kLeastLines{14};
constexpr Length kWordsWidth{84};  // of "24 of 32 bytes"

/// One request of a warp: its 32 lanes above, below the sectors, banks or addresses that they touch, and lines between
/// them. Left and Right ask for the request before and after.
class WarpChart : public Plot {
public:
    explicit WarpChart(QWidget* parent) : Plot(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(tr("One warp"));
    }

    /// `owner`: the lane that was asked for; -1: none.
    void setRequest(const gpu::WarpRequest& request, const gpu::WarpSite& site, int owner) {
        m_request = request;
        m_site = site;
        m_owner = owner;
        m_units = touchedUnits(request, site);
        m_message.clear();
        QStringList parts;
        for (const TouchedUnit& unit : m_units) parts << textOf(unit);
        setAccessibleDescription(parts.join(QStringLiteral("; ")));
        update();
    }

    /// Shows words in place of a request.
    void setMessage(const QString& message) {
        m_request.reset();
        m_units.clear();
        m_message = message;
        setAccessibleDescription(message);
        update();
    }

    QSize sizeHint() const override { return {460, 180}; }

    QSize minimumSizeHint() const override {
        return {320, static_cast<int>(kLabel + 4 + kLaneHeight + kLeastLines + kUnitHeight + kLabel +
                                      4)};  // the second label is for larger ones
    }

    std::function<void(int by)> stepped;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setFont(textFont(TextSize::caption));
        if (!m_request) {
            writeText(painter, QRectF(rect()).adjusted(kEdge, 0, -kEdge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                      m_message, Role::text2, textFont(TextSize::body));
            return;
        }
        const Places at = places();
        paintUnits(painter, at);
        painter.setFont(textFont(TextSize::caption));
        paintLanes(painter, at);
    }

    void keyPressEvent(QKeyEvent* event) override {
        switch (event->key()) {
            case Qt::Key_Left: stepped(-1); return;
            case Qt::Key_Right: stepped(1); return;
            case Qt::Key_PageUp: stepped(-10); return;
            case Qt::Key_PageDown: stepped(10); return;
            default: QWidget::keyPressEvent(event);
        }
    }

    void wheelEvent(QWheelEvent* event) override {
        if (const int notches = event->angleDelta().y() / 120; notches != 0) stepped(-notches);
        event->accept();
    }

    QString tipAt(QPoint place) const override {
        if (!m_request) return {};
        const Places at = places();
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            const bool bank = unitKind(m_site) == UnitKind::banks;
            if (at.unit(bank ? static_cast<std::size_t>(m_units[i].number) : i).contains(place))
                return textOf(m_units[i]);
        }
        return {};
    }

private:
    /// Where everything stands.
    struct Places {
        double laneTop, laneWidth, unitTop, unitWidth, unitGap;
        QRectF lane(int i) const { return QRectF(kEdge + i * laneWidth, laneTop, laneWidth, kLaneHeight); }
        QRectF unit(std::size_t i) const {
            return QRectF(kEdge + static_cast<double>(i) * (unitWidth + unitGap), unitTop, unitWidth, kUnitHeight);
        }
    };

    Places places() const {
        const double room = width() - 2 * kEdge;
        const auto count = static_cast<double>(
            unitKind(m_site) == UnitKind::banks ? std::size_t{kBanks} : std::max<std::size_t>(1, m_units.size()));
        const double gap = count <= 8 ? 8 : count <= 16 ? 4 : 2;
        const double wide = std::min(128.0, (room - gap * (count - 1)) / count);
        // Short of room the lines between give way, not the labels.
        return {kLabel + 4.0, room / kLanes,
                std::max(kLabel + 4.0 + kLaneHeight + kLeastLines, height() - kUnitHeight - 2.0 * kLabel - 4), wide,
                gap};
    }

    void paintLanes(QPainter& painter, const Places& at) const {
        painter.setPen(colour(Role::text2));
        const auto active = m_request->count.lanes;
        const QString size = m_site.bytes == 1 ? tr("1 byte") : tr("%1 bytes").arg(m_site.bytes);
        painter.drawText(QRectF(kEdge, 0, width() - 2 * kEdge, kLabel), Qt::AlignLeft | Qt::AlignVCenter,
                         active == kLanes ? tr("32 lanes, %1 each").arg(size)
                                          : tr("%1 of 32 lanes active, %2 each").arg(active).arg(size));
        // As many of their numbers as stand apart.
        const QFont small = textFont(TextSize::caption);
        const double needed = QFontMetricsF(small).horizontalAdvance(QStringLiteral("88")) + Length(6);
        int every = 1;
        while (every < kLanes / 4 && every * at.laneWidth < needed) every *= 2;
        painter.setFont(small);
        for (int lane = 0; lane < kLanes; ++lane) {
            const QRectF box = at.lane(lane).adjusted(0.5, 0.5, -0.5, -0.5);
            const bool on = m_request->mask >> lane & 1U;
            painter.fillRect(box, on ? colour(lane == m_owner ? Role::accentFill : Role::accent) : colour(Role::field));
            painter.setPen(QPen(colour(Role::line), 1));
            painter.drawRect(box);
            if (lane % every != 0 || at.laneWidth < needed - Length(6)) continue;
            painter.setPen(on ? (lane == m_owner ? colour(Role::onAccent) : colour(Role::field)) : colour(Role::text3));
            painter.drawText(box, Qt::AlignCenter, QString::number(lane));
        }
    }

    void paintUnits(QPainter& painter, const Places& at) const {
        const UnitKind kind = unitKind(m_site);
        const auto place = [&](const TouchedUnit& unit, std::size_t i) {
            return at.unit(kind == UnitKind::banks ? static_cast<std::size_t>(unit.number) : i);
        };
        const double unitBytes = kind == UnitKind::sectors ? kSectorBytes
                                 : kind == UnitKind::banks ? kWordBytes
                                                           : m_site.bytes;
        painter.setRenderHint(QPainter::Antialiasing);
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            const QRectF box = place(m_units[i], i);
            for (std::size_t k = 0; k < m_units[i].lanes.size(); ++k) {
                const auto [first, length] = m_units[i].pieces[k];
                const double x = box.left() + box.width() * (first + length / 2.0) / unitBytes;
                QColor ink = colour(Role::accent);
                ink.setAlpha(m_units[i].lanes[k] == m_owner ? 255 : 130);
                painter.setPen(QPen(ink, (m_units[i].lanes[k] == m_owner ? 2 : 1) * lineScale()));
                const QRectF lane = at.lane(m_units[i].lanes[k]);
                painter.drawLine(QPointF(lane.center().x(), lane.bottom()), QPointF(x, box.top()));
            }
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (kind == UnitKind::banks) {
            painter.setPen(QPen(colour(Role::line), 1));
            for (std::size_t bank = 0; bank < kBanks; ++bank)
                painter.drawRect(at.unit(bank).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            const TouchedUnit& unit = m_units[i];
            const QRectF box = place(unit, i);
            painter.fillRect(box, colour(Role::field));
            for (const auto& [first, length] : unit.pieces) {
                // Whole pixels: two lanes side by side leave no line between them.
                const double from = std::round(box.left() + box.width() * first / unitBytes);
                const double to = std::round(box.left() + box.width() * (first + length) / unitBytes);
                painter.fillRect(QRectF(from, box.top() + 2, to - from, box.height() - 4), colour(Role::accent));
            }
            const bool crowded = kind == UnitKind::banks ? unit.words > 1
                                                         : kind == UnitKind::words && unit.lanes.size() > 1 &&
                                                               m_site.operation == gpu::Operation::atomic;
            painter.setPen(QPen(colour(crowded ? Role::text1 : Role::text3), (crowded ? 2 : 1) * lineScale()));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            const QRectF below(box.center().x() - Length(60), box.bottom() + 2, Length(120), kLabel),
                under = below.translated(0, kLabel - 2);
            if (kind == UnitKind::sectors && at.unitWidth >= kWordsWidth) {
                writeText(painter, below, Qt::AlignCenter, tr("%1 of 32 bytes").arg(unit.bytes),
                          unit.bytes < kSectorBytes ? Role::text1 : Role::text2,
                          unit.bytes < kSectorBytes ? boldFont(TextSize::caption) : textFont(TextSize::caption));
                writeText(painter, under, Qt::AlignCenter, tr("sector %1").arg(format::integer(unit.number)),
                          Role::text3, textFont(TextSize::caption));
            } else if (kind == UnitKind::sectors && at.unitWidth >= Length(15)) {
                writeText(painter, below, Qt::AlignCenter, QString::number(unit.bytes),
                          unit.bytes < kSectorBytes ? Role::text1 : Role::text2);
            } else if (crowded) {
                writeText(painter, below, Qt::AlignCenter,
                          QStringLiteral("×%1").arg(kind == UnitKind::banks ? unit.words
                                                                            : static_cast<int>(unit.lanes.size())),
                          Role::text1);
            }
        }
        painter.setPen(colour(Role::text3));
        const QRectF last(kEdge,
                          at.unitTop + kUnitHeight + 2 +
                              (at.unitWidth >= kWordsWidth && kind == UnitKind::sectors ? 2 : 1) * (kLabel - 2),
                          width() - 2 * kEdge, kLabel);
        if (kind == UnitKind::sectors && at.unitWidth < kWordsWidth && at.unitWidth >= Length(15))
            painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter, tr("bytes used of each sector of 32"));
        else if (kind == UnitKind::banks)
            painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter,
                             tr("32 banks of shared memory, 4 bytes wide; ×n: n-way bank conflict"));
        else if (kind == UnitKind::words)
            painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter,
                             m_site.operation == gpu::Operation::atomic ? tr("addresses; ×n: n lanes add to one")
                                                                        : tr("words of constant memory"));
    }

    QString textOf(const TouchedUnit& unit) const {
        switch (unitKind(m_site)) {
            case UnitKind::sectors:
                return tr("sector %1: %2 of 32 bytes, %3 lanes")
                    .arg(unit.number)
                    .arg(unit.bytes)
                    .arg(unit.lanes.size());
            case UnitKind::banks:
                return tr("bank %1: %2 different words, %3 lanes")
                    .arg(unit.number)
                    .arg(unit.words)
                    .arg(unit.lanes.size());
            case UnitKind::words: return tr("address %1: %2 lanes").arg(unit.number).arg(unit.lanes.size());
        }
        return {};
    }

    std::optional<gpu::WarpRequest> m_request;
    gpu::WarpSite m_site;
    std::vector<TouchedUnit> m_units;
    int m_owner = -1;
    QString m_message;
};

constexpr int kWordGap = 6;

QString each(std::int64_t sum, std::int64_t count) {
    return format::significant(count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0);
}

/// "All 25 requests here: 4.80 sectors each."
QString sumText(const gpu::AccessCount& sum, const gpu::WarpSite& site) {
    if (sum.requests < 2) return {};
    const QString all = format::integer(sum.requests);
    switch (unitKind(site)) {
        case UnitKind::sectors:
            return QObject::tr("All %1 requests of this warp here: %2 sectors each.")
                .arg(all, each(sum.sectors, sum.requests));
        case UnitKind::banks:
            return QObject::tr("All %1 requests of this warp here: %2 wavefronts each.")
                .arg(all, each(sum.wavefronts, sum.requests));
        case UnitKind::words:
            return site.operation == gpu::Operation::atomic
                       ? QObject::tr("All %1 requests of this warp here: %2 lanes per address.")
                             .arg(all, each(sum.lanes, sum.words))
                       : QObject::tr("All %1 requests of this warp here: %2 words each.")
                             .arg(all, each(sum.words, sum.requests));
    }
    return {};
}

/// One warp at the line chosen: which request, its lanes and what they touch, and what that means.
class WarpPanel : public QWidget {
public:
    WarpPanel(WarpModel& model, QWidget* parent) : QWidget(parent), m_model(model) {
        setLook(this, "dock");
        setLook(m_share, "caption");
        m_reason->setMinimumWidth(1);  // it gives way to the figure
        m_share->setWordWrap(true);
        m_share->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_share->setMinimumWidth(1);
        auto* words = new QWidget(this);
        auto* first = makeRow(nullptr, {}, kWordGap, {m_figure, m_origin, {m_reason, 1}});
        auto* both = makeColumn(words, {16, 0, 16, kGap}, 2, {first});
        auto* second = makeRow(nullptr, {}, kWordGap);
        m_shareOrigin = new OriginMark(Origin::counted, words);
        fill(second, {{m_shareOrigin, 0, Qt::AlignTop}, {m_share, 1}});
        both->addLayout(second);
        m_words = words;
        makeColumn(this, {}, 4, {makeHead(), {m_chart, 1}, words});
        connect(&model, &WarpModel::changed, this, &WarpPanel::refresh);
        m_chart->stepped = [&model](int by) { model.step(by); };
        refresh();
        // What was hidden has its type only then, and projector mode has larger words.
        after(this, {QEvent::Show, QEvent::StyleChange}, [this] { fitWords(); });
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        if (event->oldSize().width() != width()) fitWords();
    }

private:
    QWidget* makeHead() {
        auto* head = new QWidget(this);
        head->setFixedHeight(kTitleHeight);
        auto* row = makeRow(head, {kDockMargin, 0, 4, 0}, kGap);
        fill(row, {m_title, {m_detail, 1}});
        for (QPushButton* button : {m_previous, m_next}) {
            setLook(button, "flat");
            row->addWidget(button);
        }
        return head;
    }

    void refresh() {
        const gpu::WarpTrace* trace = m_model.trace();
        const gpu::WarpRequest* request = m_model.request();
        m_title->setText(m_model.line() > 0 ? tr("One warp at line %1").arg(m_model.line()) : tr("One warp"));
        m_previous->setEnabled(m_model.position() > 0);
        m_next->setEnabled(m_model.position() + 1 < m_model.requests());
        for (QWidget* widget : {static_cast<QWidget*>(m_figure), static_cast<QWidget*>(m_reason),
                                static_cast<QWidget*>(m_origin), static_cast<QWidget*>(m_shareOrigin)})
            widget->setVisible(request != nullptr);
        if (request == nullptr) {
            m_detail->setFullText({});
            m_share->clear();
            fitWords();
            QString message = m_model.problem();
            if (message.isEmpty() && trace != nullptr)
                message = tr("This warp makes no request at this line; click another pixel or another line.");
            if (message.isEmpty())
                message =
                    m_model.busy() ? tr("replaying the warp") : tr("Run the count (F6), then click a line or pixel.");
            return m_chart->setMessage(message);
        }
        const gpu::WarpSite& site = *m_model.site();
        const QString which = tr("request %1 of %2").arg(m_model.position() + 1).arg(m_model.requests());
        m_detail->setFullText(
            tr("%1 %2, %3 · warp %4 of block (%5, %6, %7)")
                .arg(QString::fromUtf8(nameOf(site.space)), QString::fromUtf8(nameOf(site.operation)), which)
                .arg(trace->warp)
                .arg(trace->index[0])
                .arg(trace->index[1])
                .arg(trace->index[2]),
            {tr("%1, %2").arg(QString::fromUtf8(nameOf(site.operation)), which), which, QString()});
        m_chart->setRequest(*request, site, trace->lane);
        const WarpText text = warpText(*request, site);
        m_figure->setText(text.figure);
        m_reason->setText(text.reason);
        m_share->setText(QStringList{text.share, sumText(m_model.sum(), site)}.join(u' ').trimmed());
        fitWords();
        QTimer::singleShot(0, this, &WarpPanel::fitWords);  // once more when what was hidden has its type
    }

    void fitWords() {
        // Wrapped words know no height of their own; without room for them the picture of the warp would be cut. Hidden
        // they have no width that counts: a narrow one would ask for height that nothing gives back.
        if (!isVisible()) return;
        const QMargins margins = m_words->layout()->contentsMargins();
        const int room = width() - margins.left() - margins.right();
        m_reason->setMinimumHeight(std::max(0, m_reason->heightForWidth(room - m_figure->sizeHint().width() -
                                                                        m_origin->sizeHint().width() - 2 * kWordGap)));
        m_share->setMinimumHeight(
            std::max(0, m_share->heightForWidth(room - m_shareOrigin->sizeHint().width() - kWordGap)));
        const int words = m_words->minimumSizeHint().height();
        m_words->setMinimumHeight(words);
        setMinimumHeight(kTitleHeight + m_chart->minimumSizeHint().height() + words + 2 * layout()->spacing());
    }

    WarpModel& m_model;
    QLabel *m_title = made(new QLabel(this), {.look = "title"}), *m_figure = made(new QLabel(this), {.look = "figure"}),
           *m_reason = made(new QLabel(this), {.wraps = true}), *m_share = new QLabel(this);
    ElidedLabel* m_detail = made(new ElidedLabel(this), {.look = "caption"});
    OriginMark *m_origin = new OriginMark(Origin::counted, this), *m_shareOrigin = nullptr;
    QWidget* m_words = nullptr;  ///< below the chart
    QPushButton *m_previous =
                    made(new QPushButton(tr("‹ Previous"), this), {.id = "warp-previous",
                                                                   .tip = tr("The request before; Left in the chart."),
                                                                   .does = [this] { m_model.step(-1); }}),
                *m_next = made(new QPushButton(tr("Next ›"), this),
                               {.id = "warp-next", .tip = tr("The request after; Right in the chart."), .does = [this] {
                                    m_model.step(1);
                                }});
    WarpChart* m_chart = made(new WarpChart(this), {.id = "warp-chart"});
};

}  // namespace

QWidget* makeWarpPanel(WarpModel& model, QWidget* parent) { return new WarpPanel(model, parent); }

}  // namespace warplens::gui
