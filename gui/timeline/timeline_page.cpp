// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/timeline_page.hpp"

#include "gpu/report/movement.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/session/run_control.hpp"
#include "gui/timeline/movement_panel.hpp"
#include "gui/timeline/timeline_view.hpp"
#include "io/file.hpp"
#include "io/write.hpp"

namespace warplens::gui {

namespace {

constexpr double kZoom = 1.5;
constexpr int kFigures = 4;
constexpr Length kStagesWidth{300};  // beside the ways
enum Column { name, workers, busy, exposed, alone, columns };

}  // namespace

TimelinePage::TimelinePage(RequestState& request, RunControl& control, ResultFiles& files, Activity& activity,
                           QWidget* parent)
    : Page(parent),
      m_files(files),
      m_activity(activity),
      m_movement(request, control, activity),
      m_content(made(new QWidget(this), {.id = "timeline-content", .look = "dock"})),
      m_lanes(made(new TimelineView(m_model, m_content), {.id = "timeline-lanes"})),
      m_critical(made(new ElidedLabel(m_content), {.id = "timeline-critical"})),
      m_detail(made(new ElidedLabel(m_content), {.id = "timeline-detail", .look = "caption"})),
      m_ways(made(new MovementPanel(m_content), {.id = "timeline-movement"})),
      m_stages(made(new QTableWidget(m_content), {.id = "timeline-stages", .name = tr("Stages")})) {
    setLook(this, "dock");
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    auto* notice = new SessionNotice(activity, this);
    connect(notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    auto* critical = made(new QWidget(m_content), {.look = "dock"});
    fill(stripRow(critical, kHeadHeight), {{m_critical, 1}});
    auto* detail = made(new QWidget(m_content), {.look = "strip"});
    fill(stripRow(detail, kRowHeight), {{m_detail, 1}});
    makeColumn(m_content, {}, 0,
               {critical,
                {m_lanes, 1},
                detail,
                makeFigures(),
                makeRow(nullptr, {}, kDockMargin, {{m_ways, 3}, {makeStages(), 2, Qt::AlignTop}})});
    makeColumn(this, {}, 0, {makeStrip(), notice, {m_content, 1}});
    connect(&m_model, &TimelineModel::changed, this, &TimelinePage::refresh);
    connect(&m_model, &TimelineModel::seen, this, &Page::viewChanged);
    connect(m_lanes, &TimelineView::lookedChanged, this, &TimelinePage::refreshDetail);
    connect(&m_movement, &MovementModel::measured, this, &TimelinePage::showMovement);
    connect(&m_movement, &MovementModel::taskChanged, this, &TimelinePage::refreshTask);
    connect(&m_movement, &MovementModel::busyChanged, this, &TimelinePage::refreshTask);
    connect(m_ways, &MovementPanel::fitted, this, &TimelinePage::fitBelow);
    connect(m_ways, &MovementPanel::timelineChosen, m_choice, &QComboBox::setCurrentIndex);
    connect(m_choice, &QComboBox::currentIndexChanged, m_ways, &MovementPanel::setTimeline);
    connect(&control, &RunControl::timed, this, &TimelinePage::offerComparison);
    m_ways->hide();
    refreshTask();
    refresh();
    on(this, {QEvent::Resize}, [this] { fitBelow(); });
}

void TimelinePage::refreshTask() {
    m_move->setEnabled(m_movement.ready() && !m_movement.busy());
    m_pictures->setEnabled(m_move->isEnabled());
    m_compared->setEnabled(!m_comparison.stages.empty());
    m_compared->setToolTip(m_compared->isEnabled()
                               ? tr("Timeline of the last comparison: one lane per stage, one bar each time")
                               : tr("No comparison yet: F5 compares the variants."));
    if (m_picturesChosen) return;
    const QSignalBlocker quiet(m_pictures);
    m_pictures->setValue(m_movement.usualPictures());
}

QSpinBox* TimelinePage::makePictures(QWidget* parent) {
    auto* pictures = made(new QSpinBox(parent), {.id = "timeline-pictures",
                                                 .name = tr("Pictures moved"),
                                                 .tip = tr("How many pictures each way moves: the open one, its rows "
                                                           "moved on.")});
    pictures->setRange(1, MovementModel::kMostPictures);
    pictures->setSuffix(tr(" pictures"));
    connect(pictures, &QSpinBox::valueChanged, this, [this] { m_picturesChosen = true; });
    return pictures;
}

QWidget* TimelinePage::makeStrip() {
    auto* strip = new ToolStrip(this);
    const auto tool = [&](const char* id, const QString& text, const QString& tip, auto act) {
        auto* button = made(new QPushButton(text, strip), {.id = id, .look = "flat", .tip = tip});
        connect(button, &QPushButton::clicked, this, act);
        strip->addButton(button);
        return button;
    };
    m_compared = tool("timeline-comparison", tr("Comparison"),
                      tr("Timeline of the last comparison: one lane per stage, one bar each time"),
                      [this] { show(m_comparison, m_comparisonWhat); });
    m_move = tool("timeline-move", tr("Measure transfers"),
                  tr("Runs the open picture through the current variant with every transfer method: pageable, pinned, "
                     "two streams and so on. Esc stops."),
                  [this] { m_movement.start(m_pictures->value()); });
    m_pictures = makePictures(strip);
    strip->addTool(m_pictures);
    tool("timeline-open", tr("Open..."), tr("Opens a timeline that warplens-cli run --timeline wrote."), [this] {
        openFileDialog(this,
                       {.title = tr("Open a timeline"), .filters = {tr("Trace events (*.json)"), tr("All files (*)")}},
                       this, [this](const QString& path) { open(path); });
    });
    m_save = tool("timeline-save", tr("Chrome trace..."),
                  tr("Saves it as trace events, which Perfetto and chrome://tracing open."), [this] {
                      openFileDialog(this,
                                     {.title = tr("Save the timeline as trace events"),
                                      .filters = {tr("Trace events (*.json)")},
                                      .suffix = QStringLiteral("json"),
                                      .name = QStringLiteral("timeline")},
                                     this, [this](const QString& path) { save(path); });
                  });
    m_picture = tool("timeline-picture", tr("PNG..."), tr("Saves the page as it is shown."), [this] {
        openFileDialog(this,
                       {.title = tr("Save the timeline as a picture"),
                        .filters = {tr("PNG (*.png)")},
                        .suffix = QStringLiteral("png"),
                        .name = QStringLiteral("timeline")},
                       this, [this, shown = view()](const QString& path) { m_files.exportView(shown, path); });
    });
    m_choice = made(new QComboBox(strip), {.id = "timeline-choice",
                                           .name = tr("Timeline shown"),
                                           .tip = tr("Which of the timelines recorded on this work is shown.")});
    connect(m_choice, &QComboBox::currentIndexChanged, this, &TimelinePage::choose);
    strip->addRight(m_choice);
    tool("timeline-fit", tr("Fit"), tr("The whole run (F)"), [this] { fit(); });
    auto* hint = made(new ElidedLabel(strip), {.look = "hint"});
    hint->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    hint->setFullText(tr("wheel zooms, drag moves, arrows choose a bar"), {tr("wheel zooms, drag moves"), QString()});
    strip->addRight(hint);
    return strip;
}

QWidget* TimelinePage::makeFigures() {
    auto* row = made(new QWidget(m_content), {.look = "dock"});
    auto* line = stripRow(row, kHeaderHeight, 2 * kGap);
    for (int i = 0; i < kFigures; ++i) {
        auto* figure = new QLabel(row);
        m_figures.push_back(figure);
        m_origins.push_back(new OriginMark(Origin::measured, row));
        fill(line, {makeRow(nullptr, {}, 4, {figure, m_origins.back()})});
    }
    fill(line, {spring()});
    return row;
}

QWidget* TimelinePage::makeStages() {
    makeFigureTable(m_stages, columns);
    m_stages->setHorizontalHeaderLabels(
        {tr("Stage"), tr("Workers"), tr("Busy"), tr("Exposed"), tr("Alone, pictures/s")});
    const QStringList tips{
        QString(), tr("Pictures processed at once"),
        tr("Share of the run in which its workers are busy; the largest share names the critical stage"),
        tr("Time this stage runs while the critical stage is idle"),
        tr("What the stage would deliver if it never had to wait")};
    for (int i = 0; i < columns; ++i) {
        m_stages->horizontalHeaderItem(i)->setToolTip(tips[i]);
        m_stages->horizontalHeaderItem(i)->setTextAlignment((i > 0 ? Qt::AlignRight : Qt::AlignLeft) |
                                                            Qt::AlignVCenter);
    }
    m_stages->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_stages->setTabKeyNavigation(false);
    m_stages->setFrameShape(QFrame::NoFrame);
    m_stages->setSelectionMode(QAbstractItemView::NoSelection);
    m_stages->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_stages->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_stages->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_stages->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return m_stages;
}

TimelinePage::Primary TimelinePage::primary() const {
    return {.text = tr("Run a folder   Ctrl+Alt+O"),
            .tip = tr("The current variant over every picture of a folder; its timeline is shown here.")};
}

void TimelinePage::show(const gpu::Timeline& timeline, const QString& what) {
    showAll({{std::string(), timeline}}, what, Origin::measured);
}

void TimelinePage::showAll(std::vector<gpu::NamedTimeline> timelines, const QString& what, Origin origin) {
    present(std::move(timelines), what, origin, false);
}

void TimelinePage::present(std::vector<gpu::NamedTimeline> timelines, const QString& what, Origin origin, bool moved) {
    m_timelines = std::move(timelines);
    m_moved = moved;
    m_ways->setVisible(moved);
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        for (const auto& [name, timeline] : m_timelines)
            m_choice->addItem(tr("%1, %2").arg(QString::fromStdString(name), TimelineModel::text(timeline.seconds)));
    }
    m_model.show(m_timelines.front().timeline, what, origin);
}

void TimelinePage::showMovement(const gpu::TransferBenchmark& movement) {
    auto timelines = gpu::timelinesOf(movement);
    if (timelines.empty()) return m_activity.report(QString::fromStdString(movement.rows.front().reason));
    m_ways->show(movement);
    present(std::move(timelines), QString::fromStdString(gpu::movementTitle(movement)), Origin::measured, true);
}

void TimelinePage::offerComparison(const gpu::Timeline& timeline, const QString& what) {
    // What is shown of the one before gives way to it.
    const bool seen = m_model.empty() || m_model.timeline().variants;
    m_comparison = timeline;
    m_comparisonWhat = what;
    refreshTask();
    if (seen) show(m_comparison, m_comparisonWhat);
}

void TimelinePage::choose(int timeline) {
    if (timeline < 0) return;
    m_model.show(m_timelines[timeline].timeline, m_model.what(), m_model.origin());
}

void TimelinePage::open(const QString& path) {
    m_jobs.start(
        this,
        [path](const JobContext&) {
            return gpu::fromChromeTrace(io::readText(path.toStdString()), path.toStdString());
        },
        [this, path](JobResult<std::vector<gpu::NamedTimeline>> read) {
            if (!read) {
                m_activity.fail(read.failure());
                return emit refused(read.failure());
            }
            showAll(std::move(read.value()), path.section('/', -1), Origin::recorded);
        });
}

void TimelinePage::save(const QString& path) {
    if (m_model.empty()) return;
    m_jobs.start(
        this,
        [path, timelines = m_timelines](const JobContext&) {
            const bool single = timelines.size() == 1;
            io::writeFileAtomically(path.toStdString(), single ? gpu::toChromeTrace(timelines.front().timeline)
                                                               : gpu::toChromeTrace(timelines));
            return Done{};
        },
        [this, path](JobResult<Done> result) {
            if (!result) return m_activity.fail(result.failure());
            m_activity.note(tr("Saved %1").arg(path.section('/', -1)));
        });
}

QString TimelinePage::viewText() const {
    if (m_model.empty()) return {};
    return tr("%1 to %2").arg(TimelineModel::text(m_model.from()), TimelineModel::text(m_model.to()));
}

QImage TimelinePage::view() { return m_content->grab().toImage(); }

void TimelinePage::zoomIn() { m_model.zoom(kZoom, (m_model.from() + m_model.to()) / 2); }

void TimelinePage::zoomOut() { m_model.zoom(1 / kZoom, (m_model.from() + m_model.to()) / 2); }

void TimelinePage::fit() { m_model.fit(); }

void TimelinePage::refresh() {
    const bool there = !m_model.empty();
    for (QPushButton* button : {m_save, m_picture}) button->setEnabled(there);
    m_choice->setVisible(m_timelines.size() > 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_critical), static_cast<QWidget*>(m_detail), m_figures.front()->parentWidget()})
        widget->setVisible(there);
    fitBelow();
    if (!there) return;
    const gpu::StageShare& stage = m_model.critical();
    const QString limits =
        tr("Critical stage: %1, busy %2 of the time (%3)")
            .arg(QString::fromStdString(stage.name), format::percent(stage.share), originName(m_model.origin()));
    m_critical->setFullText(tr("%1; %2").arg(limits, m_model.what()), {limits});
    refreshFigures();
    refreshStages();
    refreshDetail();
    emit viewChanged();
}

void TimelinePage::fitBelow() {
    // Beside the ways there may be no room for the stages, which the lanes show as well.
    const bool room = !m_moved || width() >= m_ways->neededWidth() + kDockMargin + kStagesWidth;
    m_stages->setVisible(!m_model.empty() && room);
    m_stages->setMaximumWidth(m_moved ? int(kStagesWidth) : QWIDGETSIZE_MAX);
}

void TimelinePage::refreshFigures() {
    const gpu::TimelineRates rates = gpu::ratesOf(m_model.timeline());
    const gpu::Timeline& timeline = m_model.timeline();
    const auto count = [](std::size_t number) { return format::integer(static_cast<std::int64_t>(number)); };
    const QString texts[kFigures] = {
        // Of bands and batches an item is no picture.
        timeline.variants || m_moved ? QString() : tr("<b>%1</b> pictures/s").arg(format::significant(rates.pictures)),
        rates.gigabytes > 0 ? (m_moved ? tr("<b>%1</b> GB/s uploaded") : tr("<b>%1</b> GB/s decoded"))
                                  .arg(format::significant(rates.gigabytes))
                            : QString(),
        m_moved
            ? tr("<b>%1</b> for all pictures, with a clock at every stage").arg(TimelineModel::text(timeline.seconds))
            : (timeline.variants ? tr("<b>%1</b> of %2 variants in %3") : tr("<b>%1</b> of %2 pictures in %3"))
                  .arg(count(timeline.done), count(timeline.items.size()), TimelineModel::text(timeline.seconds)),
        tr("<b>%1</b> exposed").arg(TimelineModel::text(m_model.exposedSeconds()))};
    for (int i = 0; i < kFigures; ++i) {
        m_figures[i]->setText(texts[i]);
        m_figures[i]->setVisible(!texts[i].isEmpty());
        m_origins[i]->setVisible(!texts[i].isEmpty());
        m_origins[i]->setOrigin(m_model.origin());
    }
    m_figures[kFigures - 2]->setToolTip(
        m_moved ? tr("A run whose stages were timed one by one, which takes a little longer than those of the table.")
                : QString());
    m_figures.back()->setToolTip(tr("The critical stage is idle: nothing hides the work of the others."));
}

void TimelinePage::refreshStages() {
    const auto& shares = m_model.shares();
    m_stages->setRowCount(static_cast<int>(shares.size()));
    m_stages->setColumnHidden(alone, m_model.timeline().variants || m_moved);
    m_stages->setColumnHidden(workers, m_moved);
    for (int column = busy; column < columns; ++column)
        m_stages->horizontalHeaderItem(column)->setData(kCellOriginRole, static_cast<int>(m_model.origin()));
    for (int row = 0; row < static_cast<int>(shares.size()); ++row) {
        const gpu::StageShare& share = shares[row];
        const bool critical = &share == &m_model.critical();
        const QString texts[columns] = {QString::fromStdString(share.name), format::integer(share.workers),
                                        format::percent(share.share),
                                        critical ? tr("critical") : TimelineModel::text(share.exposedSeconds),
                                        format::significant(share.aloneRate)};
        for (int column = 0; column < columns; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            QFont font;  // bold alone: its size is the table's
            font.setBold(critical);
            item->setFont(font);
            m_stages->setItem(row, column, item);
        }
    }
    m_stages->updateGeometry();
}

void TimelinePage::refreshDetail() {
    const auto place = m_lanes->looked();
    m_detail->setFullText(
        place ? m_model.describe(*place).join(QStringLiteral(", "))
        : m_model.timeline().variants
            ? tr("Colour and number: the variant. Hatched: exposed. Framed: the critical stage.")
            : tr("Colour and number: the picture. Hatched: exposed. Framed: the critical stage. Dotted: modelled."));
}

}  // namespace warplens::gui
