// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/dock_section.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/panel.hpp"
#include "gui/lenses/histogram/histogram_chart.hpp"
#include "gui/lenses/histogram/histogram_panels.hpp"
#include "gui/session/rates.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <functional>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Statistics", text); }

constexpr std::size_t kInputs = 2;  // columns of recorded rates that fit the dock
constexpr int kManyLanes = 8;
constexpr int kWholeHead = 10;  // letters

QLabel* label(const QString& text, const char* look, QWidget* parent, Qt::Alignment align = Qt::AlignLeft) {
    auto* made = new QLabel(text, parent);
    setLook(made, look);
    made->setAlignment(align | Qt::AlignVCenter);
    made->setFixedHeight(kRowHeight);
    return made;
}

/// A name, which gives way where a number must not.
ElidedLabel* elided(const QString& text, const char* look, QWidget* parent) {
    auto* made = new ElidedLabel(parent);
    setLook(made, look);
    made->setFixedHeight(kRowHeight);
    made->setFullText(text);
    return made;
}

/// A grid in place of `old`.
QGridLayout* renew(QWidget*& old, DockSection* section) {
    delete old;
    old = new QWidget(section);
    auto* grid = new QGridLayout(old);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(0);
    section->content()->insertWidget(0, old);
    return grid;
}

/// Right dock of the Histogram page: figures of the values, how lanes meet, recorded and measured rates.
class HistogramStatistics : public QWidget {
public:
    HistogramStatistics(RequestState& request, RunTableModel& runs, RunControl& control, HistogramModel& model,
                        QWidget* parent)
        : QWidget(parent), m_request(request), m_runs(runs), m_model(model) {
        setLook(this, "dock");
        m_figures->addToHead(
            made(new QToolButton(m_figures), {.id = "copy-statistics",
                                              .look = "flat",
                                              .name = tr("Copy statistics"),
                                              .focus = true,
                                              .text = tr("Copy"),
                                              .does = [this] { QGuiApplication::clipboard()->setText(text()); }}));
        m_lanes->setObjectName(QStringLiteral("lanes-section"));
        m_rates->setObjectName(QStringLiteral("rates-section"));
        m_lanes->content()->addWidget(m_chart);
        m_lanes->content()->addWidget(m_sentence);

        auto* inside = new QWidget;
        setLook(inside, "dock");
        makeColumn(inside, {}, 0, {m_figures, m_lanes, m_rates, spring()});
        makeColumn(this, {}, 0, {makeScroll(inside, this)});

        connect(&model, &HistogramModel::figuresChanged, this, &HistogramStatistics::refreshFigures);
        connect(&model, &HistogramModel::countsChanged, this, &HistogramStatistics::refreshFigures);
        connect(&model, &HistogramModel::lanesChanged, this, &HistogramStatistics::refreshLanes);
        connect(&control, &RunControl::compared, this, &HistogramStatistics::refreshRates);
        connect(&request.devices(), &DeviceChoice::changed, this, &HistogramStatistics::refreshRates);
        connect(&request.parameters(), &ParameterState::changed, this, &HistogramStatistics::refreshRates);
        connect(&request.parameters(), &ParameterState::familyChanged, this, &HistogramStatistics::refreshRates);
        refreshFigures();
        refreshLanes();
        refreshRates();
        inBackground(
            this, [] { return recordedRuns(); },
            [this](const gpu::RecordedRuns& recorded) {
                m_recorded = recorded;
                refreshRates();
            });
    }

    /// The figures as a table, tab-separated.
    QString text() const {
        const SelectedFigures* figures = m_model.figures();
        if (figures == nullptr) return {};
        QStringList lines;
        QStringList head{tr("counted")};
        for (const ChannelStatistics& channel : figures->channels) head << QString::fromStdString(channel.channel);
        lines << head.join('\t');
        for (const StatisticsRow& row : statisticsRows(figures->channels, m_model.counts().get()))
            lines << row.name + '\t' + row.values.join('\t');
        lines << tr("computed") + '\t' + figures->by;
        return lines.join('\n') + '\n';
    }

    /// The sentence below the chart of lanes, plain.
    QString lanesSentence() const {
        const LaneMap* lanes = m_model.lanes();
        if (lanes == nullptr) return tr("not counted yet");
        if (!lanes->reason.empty()) return QString::fromStdString(lanes->reason);
        if (lanes->counted.count() == 0)
            return tr("The lanes of %1 never meet: no two of them add to the same counter.")
                .arg(QString::fromStdString(lanes->variant));
        const double many = lanes->counted.share(kManyLanes);
        const QString share = format::percent(many);
        return many > 0
                   ? tr("%1 of the warp requests send eight or more lanes to one bin: those are serialised.").arg(share)
                   : tr("No warp request sends eight or more lanes to one bin.");
    }

private:
    void refreshFigures() {
        QGridLayout* grid = renew(m_figureTable, m_figures);
        const SelectedFigures* figures = m_model.figures();
        if (figures == nullptr) return grid->addWidget(label(tr("not counted yet"), "hint", m_figureTable), 0, 0);
        int line = 0;
        if (figures->channels.size() > 1) {
            for (std::size_t c = 0; c < figures->channels.size(); ++c)
                grid->addWidget(label(QString::fromStdString(figures->channels[c].channel), "caption", m_figureTable,
                                      Qt::AlignRight),
                                line, static_cast<int>(c) + 1);
            ++line;
        }
        for (const StatisticsRow& row : statisticsRows(figures->channels, m_model.counts().get())) {
            QLabel* name = label(row.name, figures->channels.size() > 1 ? "caption" : "label", m_figureTable);
            grid->addWidget(name, line, 0);
            for (qsizetype c = 0; c < row.values.size(); ++c) {
                QLabel* value = label(row.values[c], figures->channels.size() > 1 ? "caption" : "body", m_figureTable,
                                      Qt::AlignRight);
                value->setToolTip(row.name + QStringLiteral(": ") + row.values[c]);
                grid->addWidget(value, line, static_cast<int>(c) + 1);
            }
            ++line;
        }
        auto* by =
            made(new QLabel(figures->by, m_figureTable), {.id = "statistics-by", .look = "caption", .wraps = true});
        grid->addWidget(by, line, 0, 1, static_cast<int>(figures->channels.size()) + 1);
        grid->setColumnStretch(0, 1);
    }

    void refreshLanes() {
        const LaneMap* lanes = m_model.lanes();
        const bool counted = lanes != nullptr && lanes->counted.count() > 0;
        m_lanes->setCaption(
            counted ? tr("%1, %2 requests")
                          .arg(QString::fromStdString(lanes->variant), format::integer(lanes->counted.count()))
                    : QString());
        m_chart->setVisible(counted);
        if (counted) m_chart->setRequests(lanes->counted.requests);
        m_sentence->setText(lanesSentence());
    }

    void refreshRates() {
        QGridLayout* grid = renew(m_rateTable, m_rates);
        m_rates->setCaption({});
        const gpu::Family* family = m_request.parameters().family();
        if (family == nullptr || family->id() != "histogram") return;
        const auto picture = m_request.document().grid();
        const auto recorded = picture == nullptr
                                  ? std::nullopt
                                  : recordedRates(m_recorded, *family,
                                                  gpu::RecordedTask(*family, m_request.parameters().values(), *picture,
                                                                    m_request.document().input().toStdString()),
                                                  kInputs);
        const RunTableModel& runs = m_runs;
        const auto measured = [&](const gpu::Variant& variant) -> std::optional<double> {
            const int row = runs.rowOf(variant.id);
            const gpu::Timing* time = row < 0 ? nullptr : runs.time(row);
            if (!runs.ranking() || time == nullptr || time->clock != gpu::Clock::device) return std::nullopt;
            return runs.record(row)->bandwidthGbs;
        };
        std::vector<RateTable::Row> rows = recorded ? recorded->rows : std::vector<RateTable::Row>();
        bool any = false;
        for (const gpu::Variant& variant : family->variants()) {
            if (!measured(variant)) continue;
            any = true;
            const bool there =
                std::ranges::any_of(rows, [&](const RateTable::Row& row) { return row.variant->id == variant.id; });
            if (!there) rows.push_back({&variant, {}});
        }
        if (rows.empty()) {
            auto* none = made(new QLabel(tr("No run on a GPU is recorded for such a picture and these parameters, and "
                                            "none was measured here."),
                                         m_rateTable),
                              {.look = "hint", .wraps = true});
            return grid->addWidget(none, 0, 0);
        }
        const auto head = [&](int column, const QString& text, Origin origin) {
            auto* cell = new QWidget(m_rateTable);
            // The names of the variants give way first; only a long head is cut.
            QLabel* name = text.size() <= kWholeHead ? label(text, "caption", cell, Qt::AlignRight)
                                                     : elided(text, "caption", cell);
            name->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            makeRow(cell, {}, 4, {{name, 1}, new OriginMark(origin, cell)});
            grid->addWidget(cell, 0, column);
        };
        grid->addWidget(label(tr("Variant"), "caption", m_rateTable), 0, 0, 1, 2);
        int columns = 2;
        if (recorded) {
            for (const QString& name : recorded->columns) head(columns++, name, Origin::recorded);
            m_rates->setCaption(QStringLiteral("%1, %2").arg(recorded->device, recorded->size));
        }
        if (any) head(columns, tr("here"), Origin::measured);
        int line = 1;
        for (const RateTable::Row& row : rows) {
            auto* mark = new IdeaMark(m_rateTable);
            mark->setIdea(row.variant->idea);
            grid->addWidget(mark, line, 0);
            grid->addWidget(elided(QString::fromStdString(row.variant->id), "body", m_rateTable), line, 1);
            const auto put = [&](int column, const std::optional<double>& rate) {
                const QString text = rate ? format::integer(std::llround(*rate)) : QStringLiteral("–");
                grid->addWidget(label(text, "body", m_rateTable, Qt::AlignRight), line, column);
            };
            for (std::size_t c = 0; c < row.gbs.size(); ++c) put(2 + static_cast<int>(c), row.gbs[c]);
            if (any) put(columns, measured(*row.variant));
            ++line;
        }
        grid->setColumnStretch(1, 3);
        for (int column = 2; column < columns + (any ? 1 : 0); ++column) grid->setColumnStretch(column, 1);
        if (!recorded) return;
        QString said = tr("Recorded %1.").arg(recorded->date);
        if (recorded->limitGbs)
            said = tr("Limit: %1, %2 GB/s, recorded %3.")
                       .arg(recorded->limit, format::integer(std::llround(*recorded->limitGbs)), recorded->date);
        auto* note = made(new QLabel(said, m_rateTable), {.look = "caption", .wraps = true});
        note->setContentsMargins(0, kGap, 0, 0);
        auto* mark = new OriginMark(Origin::recorded, m_rateTable);
        mark->setContentsMargins(0, kGap, 0, 0);
        grid->addLayout(makeRow(nullptr, {}, -1, {{note, 1}, {mark, 0, Qt::AlignBottom}}), line, 0, 1, columns + 1);
    }

    RequestState& m_request;
    RunTableModel& m_runs;
    HistogramModel& m_model;
    DockSection *m_figures = new DockSection(tr("Statistics"), Origin::counted, this),
                *m_lanes = new DockSection(tr("Lanes sharing a bin"), Origin::counted, this),
                *m_rates = new DockSection(tr("Rate, GB/s"), std::nullopt, this);
    QWidget *m_figureTable = nullptr, *m_rateTable = nullptr;
    LanesChart* m_chart = made(new LanesChart(this), {.id = "lanes"});
    QLabel* m_sentence = made(new QLabel(this), {.id = "lanes-sentence", .wraps = true});
    gpu::RecordedRuns m_recorded;
};

}  // namespace

std::vector<StatisticsRow> statisticsRows(const std::vector<ChannelStatistics>& channels,
                                          const gpu::BinnedCounts* counts) {
    using gpu::histogram::Statistics;
    std::vector<StatisticsRow> rows;
    const auto add = [&](const QString& name, const std::function<QString(const Statistics&)>& text) {
        StatisticsRow row{name, {}};
        for (const ChannelStatistics& channel : channels) row.values << text(channel.figures);
        rows.push_back(std::move(row));
    };
    // Without a finite value there is no least one.
    const auto finite = [](double Statistics::*member) {
        return [member](const Statistics& s) { return s.finite > 0 ? format::value(s.*member) : QStringLiteral("–"); };
    };
    const bool ranked = std::ranges::all_of(channels, &ChannelStatistics::ranked);
    const auto whenRanked = [ranked](double value, const Statistics& s) {
        return !ranked ? QStringLiteral("…") : s.finite > 0 ? format::value(value) : QStringLiteral("–");
    };
    const auto percentile = [whenRanked](std::size_t i) {
        return [i, whenRanked](const Statistics& s) { return whenRanked(s.percentiles[i], s); };
    };
    using Text = std::function<QString(const Statistics&)>;
    const bool pairs = channels.size() == 1;
    const auto addTwo = [&](const QString& first, const Text& a, const QString& second, const Text& b) {
        if (!pairs) {
            add(first, a);
            return add(second, b);
        }
        add(first + QStringLiteral(", ") + second,
            [&](const Statistics& s) { return a(s) + QStringLiteral(";  ") + b(s); });
    };
    add(tr("pixels"), [](const Statistics& s) { return format::integer(s.count); });
    addTwo(tr("minimum"), finite(&Statistics::minimum), tr("maximum"), finite(&Statistics::maximum));
    add(tr("mean"), finite(&Statistics::mean));
    add(tr("standard deviation"), finite(&Statistics::deviation));
    add(tr("median"), [whenRanked](const Statistics& s) { return whenRanked(s.median, s); });
    addTwo(tr("5 %"), percentile(0), tr("95 %"), percentile(3));
    addTwo(tr("25 %"), percentile(1), tr("75 %"), percentile(2));
    bool infinite = false;
    for (const ChannelStatistics& c : channels)
        infinite = infinite || c.figures.positiveInfinity > 0 || c.figures.negativeInfinity > 0;
    add(tr("not a number"), [](const Statistics& s) { return format::integer(s.nan); });
    if (infinite)
        addTwo(
            tr("minus infinity"), [](const Statistics& s) { return format::integer(s.negativeInfinity); },
            tr("infinity"), [](const Statistics& s) { return format::integer(s.positiveInfinity); });
    if (counts != nullptr && counts->channels.size() == channels.size()) {
        StatisticsRow row{tr("below, above the bins"), {}};
        for (const gpu::CountedChannel& channel : counts->channels)
            row.values << format::integer(channel.below) + QStringLiteral(";  ") + format::integer(channel.above);
        rows.push_back(std::move(row));
    }
    return rows;
}

QWidget* makeHistogramStatistics(RequestState& request, RunTableModel& runs, RunControl& control, HistogramModel& model,
                                 QWidget* parent) {
    return new HistogramStatistics(request, runs, control, model, parent);
}

}  // namespace warplens::gui
