// SPDX-License-Identifier: Apache-2.0
#include "gui/why/warp_panel.hpp"

#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/why/warp_chart.hpp"
#include "gui/why/warp_text.hpp"

#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QTimer>
#include <algorithm>

namespace warplens::gui {

namespace {

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
            return WarpPanel::tr("All %1 requests of this warp here: %2 sectors each.")
                .arg(all, each(sum.sectors, sum.requests));
        case UnitKind::banks:
            return WarpPanel::tr("All %1 requests of this warp here: %2 wavefronts each.")
                .arg(all, each(sum.wavefronts, sum.requests));
        case UnitKind::words:
            return site.operation == gpu::Operation::atomic
                       ? WarpPanel::tr("All %1 requests of this warp here: %2 lanes per address.")
                             .arg(all, each(sum.lanes, sum.words))
                       : WarpPanel::tr("All %1 requests of this warp here: %2 words each.")
                             .arg(all, each(sum.words, sum.requests));
    }
    return {};
}

}  // namespace

WarpPanel::WarpPanel(WarpModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_title(new QLabel(this)),
      m_figure(new QLabel(this)),
      m_reason(new QLabel(this)),
      m_share(new QLabel(this)),
      m_detail(new ElidedLabel(this)),
      m_origin(new OriginMark(Origin::counted, this)),
      m_previous(new QPushButton(tr("‹ Previous"), this)),
      m_next(new QPushButton(tr("Next ›"), this)),
      m_chart(new WarpChart(this)) {
    setLook(this, "dock");
    m_chart->setObjectName(QStringLiteral("warp-chart"));
    setLook(m_figure, "figure");
    setLook(m_share, "caption");
    m_reason->setWordWrap(true);
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
    connect(m_chart, &WarpChart::stepped, &model, &WarpModel::step);
    refresh();
    // What was hidden has its type only then, and projector mode has larger words.
    after(this, {QEvent::Show, QEvent::StyleChange}, [this] { fitWords(); });
}

QWidget* WarpPanel::makeHead() {
    auto* head = new QWidget(this);
    head->setFixedHeight(kTitleHeight);
    auto* row = makeRow(head, {kDockMargin, 0, 4, 0}, kGap);
    setLook(m_title, "title");
    setLook(m_detail, "caption");
    fill(row, {m_title, {m_detail, 1}});
    for (QPushButton* button : {m_previous, m_next}) {
        setLook(button, "flat");
        row->addWidget(button);
    }
    m_previous->setObjectName(QStringLiteral("warp-previous"));
    m_next->setObjectName(QStringLiteral("warp-next"));
    m_previous->setToolTip(tr("The request before; Left in the chart."));
    m_next->setToolTip(tr("The request after; Right in the chart."));
    connect(m_previous, &QPushButton::clicked, this, [this] { m_model.step(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { m_model.step(1); });
    return head;
}

void WarpPanel::refresh() {
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
            message = m_model.busy() ? tr("replaying the warp")
                                     : tr("Count the ladder first (F6); then click a line or a pixel.");
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

void WarpPanel::fitWords() {
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

void WarpPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width()) fitWords();
}

QString WarpPanel::text() const {
    return QStringList{m_title->text(), m_detail->toolTip(), m_figure->text(), m_reason->text(), m_share->text()}.join(
        u' ');
}

}  // namespace warplens::gui
