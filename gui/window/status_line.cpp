// SPDX-License-Identifier: Apache-2.0
#include "gui/window/status_line.hpp"

#include "gui/kit/panel.hpp"

namespace warplens::gui {

namespace {
constexpr int kPatienceMs = 400;
constexpr Length kNear{5}, kApart{20};
}  // namespace

StatusLine::StatusLine(RequestState& request, RunTableModel& runs, Results& results, LivePreview& preview,
                       RunControl& control, Activity& activity, QWidget* parent)
    : QStatusBar(parent),
      m_request(request),
      m_runs(runs),
      m_results(results),
      m_preview(preview),
      m_control(control),
      m_activity(activity),
      m_facts(new QWidget(this)),
      m_job(new QLabel(this)),
      m_jobMark(new OriginMark(Origin::measured, this)),
      m_rate(new QLabel(this)),
      m_rateMark(new OriginMark(Origin::measured, this)),
      m_times(new QLabel(this)),
      m_timesMark(new OriginMark(Origin::measured, this)),
      m_limit(new QLabel(this)),
      m_limitMark(new OriginMark(Origin::modelled, this)),
      m_view(new QLabel(this)),
      m_bar(made(new QProgressBar(this), {.name = tr("Progress")})),
      m_legend(new OriginLegend(this)) {
    setSizeGripEnabled(false);
    setFixedHeight(kHeadHeight);
    setContentsMargins(kDockMargin - 4, 0, kDockMargin - 4, 0);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // fit() finds what there is room for
    auto* row = makeRow(m_facts, {}, kNear);
    m_bar->setFixedWidth(160);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->hide();
    fill(row, {m_bar, m_job, m_jobMark, m_rate, m_rateMark, m_times, m_timesMark, m_limit, m_limitMark, m_view});
    // The distance goes with its fact: one that says nothing leaves no gap.
    for (QLabel* label : {m_rate, m_times, m_limit, m_view}) label->setContentsMargins(kApart, 0, 0, 0);
    row->addStretch(1);
    for (QLabel* label : {m_job, m_rate, m_times, m_limit, m_view}) setLook(label, "caption");
    addWidget(m_facts, 1);
    addPermanentWidget(m_legend);

    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { m_bar->setVisible(m_activity.busy()); });
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &StatusLine::sayProgress);
    connect(&activity, &Activity::progress, this, &StatusLine::progressed);
    connect(&activity, &Activity::busyChanged, this, &StatusLine::refresh);
    connect(&activity, &Activity::lastJobChanged, this, &StatusLine::refresh);
    connect(&results, &Results::changed, this, &StatusLine::refresh);
    connect(&request.devices(), &DeviceChoice::changed, this, &StatusLine::refresh);
    refresh();
    on(this, {QEvent::Resize}, [this] { fit(); });
    on(this, m_facts, {QEvent::Resize}, [this] { fit(); });
}

void StatusLine::setLegendFolded(bool folded) { m_legend->setFolded(folded); }

void StatusLine::setLegendShown(bool shown) { m_legend->setVisible(shown); }

void StatusLine::setPageWidget(QWidget* widget) {
    if (m_pageWidget != nullptr && m_pageWidget != widget) m_pageWidget->hide();
    m_pageWidget = widget;
    if (widget != nullptr) {
        qobject_cast<QBoxLayout*>(m_facts->layout())->insertWidget(0, widget);
        widget->setVisible(!widget->accessibleName().isEmpty());
    }
    fit();
}

void StatusLine::setView(const QString& text) {
    m_view->setText(text);
    fit();
}

void StatusLine::fit() {
    // The job and where the cursor is come first; the tooltip has everything.
    int used = 0;
    const auto place = [&](QLabel* label, OriginMark* mark, bool marked) {
        const int wide = label->sizeHint().width() + (marked ? mark->sizeHint().width() + kNear : 0) + kNear;
        const bool fits = label->text().isEmpty() || used + wide <= m_facts->width();
        if (fits) used += wide;
        label->setVisible(fits && !label->text().isEmpty());
        if (mark != nullptr) mark->setVisible(fits && marked);
    };
    if (m_bar->isVisibleTo(m_facts)) used += m_bar->width() + kNear;
    const bool own = m_pageWidget != nullptr;
    if (own && m_pageWidget->isVisibleTo(m_facts)) used += m_pageWidget->sizeHint().width() + kNear;
    place(m_job, m_jobMark, m_marked[0]);
    place(m_view, nullptr, false);
    if (own) used = m_facts->width();
    place(m_rate, m_rateMark, m_marked[1]);
    place(m_times, m_timesMark, m_marked[3]);
    place(m_limit, m_limitMark, m_marked[2]);
    m_facts->setToolTip(text());
}

QString StatusLine::text() const {
    return QStringList{m_job->text(), m_rate->text(), m_times->text(), m_limit->text(), m_view->text()}.join(
        QStringLiteral("  "));
}

void StatusLine::progressed(double fraction, const QString& what) {
    if (!m_activity.busy()) return;
    m_bar->setValue(static_cast<int>(1000 * fraction));
    if (!m_patience.isActive() && !m_bar->isVisible()) m_patience.start();
    // Less than before: something else has begun.
    if (!m_second.isActive() || fraction < m_fraction) m_since.restart();
    m_second.start();
    m_fraction = fraction;
    m_doing = what;
    sayProgress();
}

void StatusLine::sayProgress() {
    const QString times = Activity::timesOf(static_cast<double>(m_since.elapsed()) / 1000, m_fraction);
    const QString doing = m_control.comparing() ? tr("Comparing: %1").arg(m_doing) : m_doing;
    m_job->setText(times.isEmpty() ? doing : tr("%1 (%2)").arg(doing, times));
    m_marked[0] = times.contains(QLatin1Char(','));
    m_jobMark->setOrigin(Origin::modelled);
    fit();
}

void StatusLine::refresh() {
    if (!m_activity.busy()) {
        m_patience.stop();
        m_second.stop();
        m_bar->hide();
        m_bar->setValue(0);
    }
    if (!m_control.comparing()) {
        m_job->setText(m_activity.lastJob());
        m_marked[0] = m_activity.lastJob().endsWith(QStringLiteral(" s"));
        m_jobMark->setOrigin(Origin::measured);
    }
    const QString rate = m_results.rate();
    m_rate->setText(rate);
    m_marked[1] = !rate.isEmpty();
    m_times->setText(m_preview.times());
    m_marked[3] = !m_times->text().isEmpty();
    const auto limit = m_runs.limitMs();
    m_marked[2] = limit.has_value();
    if (limit)
        m_limit->setText(tr("limit %1 ms = %2").arg(format::milliseconds(*limit), m_runs.limitFormula()));
    else
        m_limit->setText(m_request.devices().chosen() != nullptr && !m_request.devices().ranking()
                             ? tr("not ranked on this device")
                             : QString());
    fit();
}

}  // namespace warplens::gui
