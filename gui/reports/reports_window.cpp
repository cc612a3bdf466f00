// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/reports_window.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/plot/time_bars.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/reports/class_board.hpp"
#include "gui/reports/report_sheet.hpp"
#include "gui/reports/report_table.hpp"
#include "gui/session/rates.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kWidth{1120}, kHeight{680}, kBarsWidth{300}, kNotesHeight{118};
constexpr int kListRows = 5;

struct Read {
    std::vector<std::pair<gpu::Report, QString>> reports;  ///< and the names of their files
    QStringList problems;
};

Read readReports(const QStringList& paths) {
    Read read;
    for (const QString& path : paths) {
        try {
            read.reports.emplace_back(gpu::loadReport(path.toStdString()), path.section('/', -1));
        } catch (const io::Error& error) {
            read.problems << QString::fromUtf8(error.what());
        }
    }
    return read;
}

}  // namespace

ReportsWindow::ReportsWindow(const ReportActions& actions, QWidget* window)
    : QDialog(window),
      m_list(new QListWidget(this)),
      m_table(new ReportTable(this)),
      m_bars(new TimeBars(this)),
      m_clock(new QComboBox(this)),
      m_notes(new QScrollArea(this)),
      m_said(new QLabel(m_notes)) {
    setObjectName(QStringLiteral("reports-window"));
    setWindowTitle(tr("Reports"));
    setAttribute(Qt::WA_DeleteOnClose);
    takeDroppedFiles(this, [this](const QStringList& paths) { open(paths); });
    const QSize wanted(kWidth, kHeight);
    resize(window != nullptr ? wanted.boundedTo(window->window()->size()) : wanted);
    setWidgetText(m_list, {.id = "report-list", .name = tr("Reports")});
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setFixedHeight(kListRows * kRowHeight + 2 * m_list->frameWidth());
    m_table->setObjectName(QStringLiteral("report-table"));
    m_bars->setMinimumWidth(kBarsWidth);
    setWidgetText(m_clock, {.id = "report-clock", .name = tr("Clock whose times are shown")});
    setWidgetText(m_said, {.id = "report-said", .look = "hint", .wraps = true});
    auto* column = new QVBoxLayout(this);
    fill(column, {makeTools(actions), m_list});
    auto* both = makeRow(nullptr, {}, 0);
    auto* whole = new QVBoxLayout;
    fill(whole, {{m_table, 1}, spring(0)});
    fill(both, {{whole, 1}, m_bars});
    column->addLayout(both, 1);
    m_said->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_notes->setWidgetResizable(true);
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_notes->setAccessibleName(tr("What keeps reports from being compared"));
    m_notes->setWidget(m_said);
    column->addWidget(m_notes);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, m_bars,
            [this] { m_bars->setScrollOffset(m_table->verticalHeader()->offset()); });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) { m_bars->setSelectedRow(row); });
    connect(m_bars, &TimeBars::scrolled, this, [this](int delta) {
        QScrollBar* bar = m_table->verticalScrollBar();
        bar->setValue(bar->value() - delta * 3 * bar->singleStep() / 120);  // three rows a notch
    });
    connect(m_bars, &TimeBars::rowChosen, m_table, &QTableWidget::selectRow);
    connect(m_clock, &QComboBox::currentIndexChanged, this, &ReportsWindow::refresh);
    m_list->addAction(actions.remove);
    connect(actions.remove, &QAction::triggered, this, [this] {
        if (!m_list->hasFocus() || m_list->currentRow() < 0) return;
        m_set.remove(static_cast<std::size_t>(m_list->currentRow()));
        refreshClocks();
    });
    refreshClocks();
    on(this, {QEvent::StyleChange, QEvent::Resize}, [this] { fitNotes(); });
}

QWidget* ReportsWindow::makeTools(const ReportActions& actions) {
    auto* strip = new QWidget(this);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const char* name, const QString& text, const QString& tip, QAction* action, auto&& what) {
        auto* push = made(new QPushButton(text, strip),
                          {.id = name,
                           .tip = action == nullptr ? tip
                                                    : QStringLiteral("%1 (%2)").arg(
                                                          tip, action->shortcut().toString(QKeySequence::NativeText))});
        push->setAutoDefault(false);
        row->addWidget(push);
        connect(push, &QPushButton::clicked, this, what);
        if (action == nullptr) return;
        addAction(action);
        // Another window of reports may hear it, too.
        connect(action, &QAction::triggered, this, [this, what] {
            if (isActiveWindow()) what();
        });
    };
    button("report-add", tr("Add files..."), tr("JSON reports, any number; they may also be dropped here."),
           actions.add, [this] {
               openFilesDialog(this, tr("Add reports"), {tr("Reports (*.json)"), tr("All files (*)")},
                               [this](const QStringList& paths) { open(paths); });
           });
    button("report-recorded", tr("Add recorded runs"),
           tr("Runs of the same work that came with the program, measured on the GPUs they name."), nullptr,
           [this] { addRecorded(); });
    button("report-copy", tr("Copy as Markdown"), tr("The table and what the letters stand for."), actions.copy,
           [this] { QGuiApplication::clipboard()->setText(m_set.markdown(clock())); });
    button("report-export", tr("Export..."), tr("CSV, Markdown, HTML, PNG, SVG or PDF."), actions.exportAll,
           [this] { askForName(); });
    button("report-class", tr("Class board..."), tr("Exercises that were handed in, a row a file."), nullptr,
           [this] { (new ClassBoard(this))->show(); });
    row->addStretch(1);
    auto* label = new QLabel(tr("Clock"), strip);
    label->setBuddy(m_clock);
    fill(row, {label, m_clock});
    return strip;
}

void ReportsWindow::open(const QStringList& paths) {
    m_jobs.start(
        this, [paths](const JobContext&) { return readReports(paths); },
        [this](JobResult<Read> result) {
            if (!result) return say(result.failure().message);
            for (auto& [report, file] : result.value().reports) m_set.add(std::move(report), false, file);
            refreshClocks();
            if (!result.value().problems.isEmpty()) say(result.value().problems.join('\n'));
        });
}

void ReportsWindow::setHere(gpu::Report report) {
    m_set.setHere(std::move(report));
    refreshClocks();
}

void ReportsWindow::addKept(gpu::Report report) {
    m_set.add(std::move(report));
    refreshClocks();
}

void ReportsWindow::addRecorded() {
    if (m_set.reports().empty()) return say(tr("Add a report first; runs of the same work are looked up."));
    const auto before = m_set.reports().size();
    // Each is a report of its own there, with its picture in its name.
    const gpu::RecordedTask task(m_set.reports().front());
    for (const gpu::RecordedSource& source : recordedRuns().of(task, gpu::RecordedFigure::table))
        m_set.add(source.report());
    refreshClocks();
    if (m_set.reports().size() == before) say(tr("No recorded run of this work came with the program."));
}

gpu::Clock ReportsWindow::clock() const { return static_cast<gpu::Clock>(m_clock->currentData().toInt()); }

void ReportsWindow::refreshClocks() {
    const QVariant chosen = m_clock->currentData();
    {
        const QSignalBlocker quiet(m_clock);
        m_clock->clear();
        for (const gpu::Clock clock : m_set.clocks())
            m_clock->addItem(QString::fromUtf8(gpu::nameOf(clock)), static_cast<int>(clock));
        if (const int at = m_clock->findData(chosen); at >= 0) m_clock->setCurrentIndex(at);
    }
    const int row = m_list->currentRow();
    m_list->clear();
    for (std::size_t i = 0; i < m_set.reports().size(); ++i) m_list->addItem(m_set.label(i));
    m_list->setCurrentRow(std::clamp(row, -1, m_list->count() - 1));
    refresh();
}

void ReportsWindow::refresh() {
    const auto rows = m_clock->count() > 0 ? m_set.rows(clock()) : std::vector<ReportSet::Row>();
    const bool ranking = m_clock->count() == 0 || clock() == gpu::Clock::device;
    m_table->setRows(m_set, rows, ranking);
    ReportSheet sheet;
    if (m_clock->count() > 0) sheet = sheetOf(m_set, clock());
    m_bars->setOrigin(m_set.commonOrigin(rows));
    m_bars->setRanking(ranking, ranking ? QString() : tr("CPU ms, ranks nothing"));
    m_bars->setBars(std::move(sheet.bars));
    say(m_set.reports().empty() ? tr("Add JSON reports, or drop them here.") : m_set.notesByReport().join('\n'));
}

void ReportsWindow::say(const QString& words) {
    m_said->setText(words);
    fitNotes();
}

void ReportsWindow::fitNotes() {
    // The notes scroll; the times have the window.
    const int words = std::max<int>(m_said->heightForWidth(m_notes->width()), kRowHeight);
    m_notes->setFixedHeight(std::min<int>(words, kNotesHeight));
    // Whole rows, beside a chart that has the rest.
    QTimer::singleShot(0, this, [this] {
        m_bars->setHeadHeight(kHeadHeight);  // projector mode has other rows
        m_bars->setRowHeight(kRowHeight);
        const int rows = std::max(2, (m_bars->height() - kHeadHeight) / kRowHeight);
        m_table->setMaximumHeight(kHeadHeight + rows * kRowHeight);
    });
}

void ReportsWindow::exportTo(const QString& path) {
    if (m_set.reports().empty() || m_clock->count() == 0) return say(tr("There is nothing to export yet."));
    const ReportSheet sheet = sheetOf(m_set, clock());
    const QByteArray text = path.endsWith(QStringLiteral(".md"))     ? m_set.markdown(clock()).toUtf8()
                            : path.endsWith(QStringLiteral(".csv"))  ? m_set.csv(clock()).toUtf8()
                            : path.endsWith(QStringLiteral(".html")) ? m_set.html(clock()).toUtf8()
                                                                     : QByteArray();
    auto* lane = new JobRunner(this);  // of its own, as no export replaces another
    lane->start(
        this,
        [path, sheet, text](const JobContext&) {
            const QByteArray bytes = text.isEmpty() ? encode(sheet, path) : text;
            if (bytes.isEmpty())
                throw io::Error(
                    io::Error::Kind::unwritable,
                    tr("%1: the name must end in .csv, .md, .html, .png, .svg or .pdf.").arg(path).toStdString());
            io::writeFileAtomically(std::filesystem::path(path.toStdString()), bytes.toStdString());
            return Done();
        },
        [this, lane, path](JobResult<Done> result) {
            lane->deleteLater();
            say(result ? tr("Exported %1").arg(path.section('/', -1)) : result.failure().message);
            if (result) emit exported(path);
        });
}

void ReportsWindow::askForName() {
    openFileDialog(this,
                   {.title = tr("Export the merged reports"),
                    .filters = {tr("CSV, Markdown, HTML, PNG, SVG, PDF (*.csv *.md *.html *.png *.svg *.pdf)")},
                    .suffix = QStringLiteral("pdf"),
                    .name = tr("reports")},
                   this, [this](const QString& path) { exportTo(path); });
}

}  // namespace warplens::gui
