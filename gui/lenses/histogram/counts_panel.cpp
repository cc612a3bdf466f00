// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/panel.hpp"
#include "gui/lenses/histogram/histogram_chart.hpp"
#include "gui/lenses/histogram/histogram_panels.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QIcon>
#include <QPainter>

namespace warplens::gui {

namespace {

constexpr Length kRoomForLabels{880};

/// A short stroke of the channel's line.
QIcon lineIcon(const std::string& channel) {
    QPixmap pixmap(24, 12);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QPen pen = channelPen(channel);
    pen.setWidthF(2.4);
    painter.setPen(pen);
    painter.drawLine(0, 6, 24, 6);
    return pixmap;
}

/// "linear | log", of which one is down. `toggled` hears whether it is log.
template <class Toggled>
QWidget* scaleSwitch(const QString& axis, const char* name, bool logarithmic, QWidget* parent, Toggled toggled) {
    auto* both = new QWidget(parent);
    auto* row = makeRow(both, {}, 0);
    auto* group = new QButtonGroup(both);
    for (const bool log : {false, true}) {
        auto* button = made(new QPushButton(log ? QObject::tr("log") : QObject::tr("linear"), both),
                            {.id = QString::fromUtf8(name) + (log ? QStringLiteral("-log") : QStringLiteral("-linear")),
                             .look = "segment",
                             .checkable = true});
        button->setChecked(log == logarithmic);
        button->setAccessibleName(QStringLiteral("%1, %2").arg(axis, button->text()));
        group->addButton(button);
        row->addWidget(button);
        if (log) QObject::connect(button, &QPushButton::toggled, both, toggled);
    }
    return both;
}

/// The chart of counts with its head: what was counted and whether it was checked, axes, channels, Copy.
class CountsPanel : public QWidget {
public:
    CountsPanel(HistogramModel& model, HistogramChart* chart, QWidget* parent)
        : QWidget(parent), m_model(model), m_chart(chart) {
        setWidgetText(this, {.id = "counts-panel", .look = "dock"});
        m_chart->setObjectName(QStringLiteral("counts"));
        m_chart->setLogCounts(true);
        m_chart->setMessage(tr("Counting starts with a picture."));
        makeColumn(this, {}, 0, {makeHead(), m_channels, {m_chart, 1}});

        connect(&model, &HistogramModel::countsChanged, this, &CountsPanel::refresh);
        connect(&model, &HistogramModel::channelsChanged, this, &CountsPanel::refreshChannels);
        connect(&model, &HistogramModel::rangeChanged, m_chart, [this] { m_chart->setSelection(m_model.range()); });
        connect(m_chart, &HistogramChart::selectionEdited, &model, [this] { m_model.setRange(m_chart->selection()); });
        refreshChannels();
        refresh();
        on(this, {QEvent::PaletteChange}, [this] {
            for (QPushButton* button : m_channels->findChildren<QPushButton*>())
                button->setIcon(lineIcon(button->text().toStdString()));
        });
        on(this, {QEvent::Resize}, [this] {
            const bool roomy = width() >= kRoomForLabels;
            m_countLabel->setText(roomy ? tr("Count axis") : tr("Count"));
            m_valueLabel->setText(roomy ? tr("Value axis") : tr("Value"));
        });
    }

private:
    QWidget* makeHead() {
        auto* head = made(new QWidget(this), {.look = "dock"});
        QHBoxLayout* row = titleRow(head, kStripHeight, tr("Counts"));
        for (QLabel* label : {static_cast<QLabel*>(m_caption), m_countLabel, m_valueLabel}) setLook(label, "caption");
        auto* cumulative = made(new QPushButton(tr("Cumulative"), head),
                                {.id = "cumulative",
                                 .look = "flat",
                                 .tip = tr("Share of the numbers below each edge, of the channels shown."),
                                 .checkable = true});
        cumulative->setChecked(true);
        connect(cumulative, &QPushButton::toggled, m_chart, &HistogramChart::setCumulative);
        auto* copy = made(new QPushButton(tr("Copy"), head), {.id = "copy-counts",
                                                              .look = "flat",
                                                              .name = tr("Copy counts"),
                                                              .tip = tr("Edges and counts of every bin, as a table.")});
        connect(copy, &QPushButton::clicked, this, [this] {
            if (m_model.counts() != nullptr) QGuiApplication::clipboard()->setText(countsTable(*m_model.counts()));
        });
        fill(
            row,
            {m_state,
             {m_caption, 1},
             m_countLabel,
             scaleSwitch(tr("Count axis"), "count-axis", true, head, [this](bool log) { m_chart->setLogCounts(log); }),
             m_valueLabel,
             scaleSwitch(tr("Value axis"), "value-axis", false, head, [this](bool log) { m_chart->setLogValues(log); }),
             cumulative,
             copy});
        return head;
    }

    void refresh() {
        const auto& counts = m_model.counts();
        m_chart->setHistogram(counts, m_model.outdated());
        m_chart->setShown(m_model.shownChannels());
        const gpu::RunRecord* record = m_model.record();
        const bool checked = record != nullptr && !m_model.outdated();
        m_state->setState(checked ? std::optional(stateOf(*record)) : std::nullopt);
        m_state->setVisible(checked);
        if (counts == nullptr || counts->edges.size() < 2) return m_caption->setFullText({});
        QString text = tr("%1 bins of %2")
                           .arg(format::integer(binsOf(*counts)), format::value(counts->edges[1] - counts->edges[0]));
        const QString bins = text;
        if (m_model.outdated())
            text += tr(", of earlier values");
        else if (record != nullptr)
            text += tr(", by %1").arg(QString::fromStdString(record->id()));
        m_caption->setFullText(text, {m_model.outdated() ? tr("earlier values") : bins, QString()});
    }

    void refreshChannels() {
        m_chart->setShown(m_model.shownChannels());
        const auto& counts = m_model.counts();
        const std::size_t channels = counts == nullptr ? 0 : counts->channels.size();
        m_channels->setVisible(channels > 1);
        auto buttons = m_channels->findChildren<QPushButton*>();
        if (buttons.size() == static_cast<qsizetype>(channels)) {
            bool same = true;
            for (std::size_t c = 0; c < channels; ++c)
                same = same && buttons[static_cast<qsizetype>(c)]->text().toStdString() == counts->channels[c].name;
            for (std::size_t c = 0; same && c < channels; ++c)
                buttons[static_cast<qsizetype>(c)]->setChecked(m_model.shownChannels()[c]);
            if (same) return;
        }
        qDeleteAll(m_channels->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
        delete m_channels->layout();
        auto* row = makeRow(m_channels, {kDockMargin, 0, kGap, 0}, 4);
        for (std::size_t c = 0; c < channels; ++c) {
            const std::string& name = counts->channels[c].name;
            auto* button = new QPushButton(lineIcon(name), QString::fromStdString(name), m_channels);
            button->setIconSize(QSize(24, 12));
            setWidgetText(button, {.id = QStringLiteral("channel-") + button->text(),
                                   .name = tr("Channel %1").arg(button->text()),
                                   .checkable = true});
            button->setChecked(m_model.shownChannels()[c]);
            setLook(button, "flat");
            row->addWidget(button);
            connect(button, &QPushButton::toggled, this, [this, c](bool on) { m_model.setChannelShown(c, on); });
        }
        row->addStretch(1);
    }

    HistogramModel& m_model;
    HistogramChart* m_chart;
    ElidedLabel* m_caption = new ElidedLabel(this);
    QLabel *m_countLabel = new QLabel(this), *m_valueLabel = new QLabel(this);
    StatusMark* m_state = new StatusMark(this);
    QWidget* m_channels = new QWidget(this);
};

}  // namespace

QWidget* makeCountsPanel(HistogramModel& model, HistogramChart* chart, QWidget* parent) {
    return new CountsPanel(model, chart, parent);
}

}  // namespace warplens::gui
