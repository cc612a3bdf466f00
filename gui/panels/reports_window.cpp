// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/reports_window.hpp"

#include "gui/charts/report_sheet.hpp"
#include "gui/charts/time_bars.hpp"
#include "gui/models/recorded_rates.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/glyphs.hpp"
#include "gui/theme/metrics.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>

namespace warplens::gui {

namespace {

constexpr Length kWidth{1120}, kHeight{680}, kListHeight{124}, kBarsWidth{340}, kNotesHeight{118};
constexpr int kMedian = 2;

/// Words on the left, numbers on the right.
Qt::Alignment alignment(int column, int columns) {
    return Qt::AlignVCenter | (column < 2 || column == columns - 1 ? Qt::AlignLeft : Qt::AlignRight);
}

struct Read {
    std::vector<gpu::Report> reports;
    QStringList problems;
};

Read readReports(const QStringList& paths) {
    Read read;
    for (const QString& path : paths) {
        try {
            read.reports.push_back(gpu::loadReport(path.toStdString()));
        } catch (const io::Error& error) {
            read.problems << QString::fromUtf8(error.what());
        }
    }
    return read;
}

}  // namespace

ReportsWindow::ReportsWindow(QWidget* window)
    : QDialog(window),
      m_list(new QListWidget(this)),
      m_table(new QTableWidget(0, static_cast<int>(reportHeads().size()), this)),
      m_bars(new TimeBars(this)),
      m_clock(new QComboBox(this)),
      m_notes(new QScrollArea(this)),
      m_said(new QLabel(m_notes)) {
    setObjectName(QStringLiteral("reports-window"));
    setWindowTitle(tr("Reports"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAcceptDrops(true);
    const QSize wanted(kWidth, kHeight);
    resize(window != nullptr ? wanted.boundedTo(window->window()->size()) : wanted);
    m_list->setObjectName(QStringLiteral("report-list"));
    m_list->setAccessibleName(tr("Reports"));
    m_list->setMaximumHeight(kListHeight);
    m_table->setObjectName(QStringLiteral("report-table"));
    m_table->setAccessibleName(tr("Times of the variants in all reports"));
    m_table->setHorizontalHeaderLabels(reportHeads());
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(alignment(column, m_table->columnCount()));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setIconSize(QSize(kGlyphBox, kGlyphBox));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setFixedHeight(kHeadHeight);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_bars->setHeadHeight(kHeadHeight);
    m_bars->setRowHeight(kRowHeight);
    m_bars->setMinimumWidth(kBarsWidth);
    m_clock->setObjectName(QStringLiteral("report-clock"));
    m_clock->setAccessibleName(tr("Clock whose times are shown"));
    setLook(m_said, "hint");
    m_said->setWordWrap(true);
    m_said->setObjectName(QStringLiteral("report-said"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeTools());
    column->addWidget(m_list);
    auto* both = new QHBoxLayout;
    both->setSpacing(0);
    both->addWidget(m_table, 1);
    both->addWidget(m_bars);
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
    connect(m_bars, &TimeBars::rowChosen, m_table, &QTableWidget::selectRow);
    connect(m_clock, &QComboBox::currentIndexChanged, this, &ReportsWindow::refresh);
    auto* remove = new QShortcut(QKeySequence::Delete, m_list);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, [this] {
        if (m_list->currentRow() < 0) return;
        m_set.remove(static_cast<std::size_t>(m_list->currentRow()));
        refreshClocks();
    });
    refreshClocks();
}

QWidget* ReportsWindow::makeTools() {
    auto* strip = new QWidget(this);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                            auto&& what) {
        auto* made = new QPushButton(text, strip);
        made->setObjectName(QString::fromUtf8(name));
        made->setAutoDefault(false);
        made->setToolTip(key.isEmpty() ? tip
                                       : QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
        if (!key.isEmpty()) made->setShortcut(key);
        row->addWidget(made);
        connect(made, &QPushButton::clicked, this, what);
    };
    button("report-add", tr("Add files..."), tr("JSON reports, any number; they may also be dropped here."),
           QKeySequence::Open, [this] { askForFiles(); });
    button("report-recorded", tr("Add recorded runs"),
           tr("Runs of the same work that came with the program, measured on the GPUs they name."), {},
           [this] { addRecorded(); });
    button("report-copy", tr("Copy as Markdown"), tr("The table and what the letters stand for."), QKeySequence::Copy,
           [this] { QGuiApplication::clipboard()->setText(m_set.markdown(clock())); });
    button("report-export", tr("Export..."), tr("CSV, Markdown, PNG, SVG or PDF."), QKeySequence::Save,
           [this] { askForName(); });
    row->addStretch(1);
    auto* label = new QLabel(tr("Clock"), strip);
    label->setBuddy(m_clock);
    row->addWidget(label);
    row->addWidget(m_clock);
    return strip;
}

void ReportsWindow::open(const QStringList& paths) {
    m_jobs.start(
        this, [paths](const JobContext&) { return readReports(paths); },
        [this](JobResult<Read> result) {
            if (!result) return say(result.failure().message);
            for (gpu::Report& report : result.value().reports) m_set.add(std::move(report));
            refreshClocks();
            if (!result.value().problems.isEmpty()) say(result.value().problems.join('\n'));
        });
}

void ReportsWindow::add(gpu::Report report) {
    m_set.add(std::move(report), true);
    refreshClocks();
}

void ReportsWindow::addRecorded() {
    if (m_set.reports().empty()) return say(tr("Add a report first; runs of the same work are looked up."));
    const auto before = m_set.reports().size();
    for (const gpu::Report* report : gpu::recordedLike(recordedRuns(), m_set.reports().front())) m_set.add(*report);
    refreshClocks();
    if (m_set.reports().size() == before) say(tr("No recorded run of this work came with the program."));
}

gpu::Clock ReportsWindow::clock() const {
    return static_cast<gpu::Clock>(m_clock->currentData().toInt());
}

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
    std::vector<TimeBar> bars;
    const auto rows = m_clock->count() > 0 ? m_set.rows(clock()) : std::vector<ReportSet::Row>();
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const QStringList cells = reportCells(m_set, rows[i]);
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(alignment(column, static_cast<int>(cells.size())));
            if (column == 0) item->setIcon(ideaIcon(rows[i].idea));
            if (column == kMedian && rows[i].time) {
                const Origin origin = m_set.origin(rows[i].report);
                item->setIcon(originIcon(origin));
                item->setToolTip(originExplanation(origin));
            }
            m_table->setItem(static_cast<int>(i), column, item);
        }
    }
    ReportSheet sheet;
    if (m_clock->count() > 0) sheet = sheetOf(m_set, clock());
    const bool ranking = m_clock->count() == 0 || clock() == gpu::Clock::cudaEvent;
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
}

void ReportsWindow::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    fitNotes();
}

void ReportsWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_clock->count() > 0) refresh();  // marks have the scheme's colours
}

void ReportsWindow::exportTo(const QString& path) {
    if (m_set.reports().empty() || m_clock->count() == 0) return say(tr("There is nothing to export yet."));
    const ReportSheet sheet = sheetOf(m_set, clock());
    const QByteArray text = path.endsWith(QStringLiteral(".md"))    ? m_set.markdown(clock()).toUtf8()
                            : path.endsWith(QStringLiteral(".csv")) ? m_set.csv(clock()).toUtf8()
                                                                    : QByteArray();
    auto* lane = new JobRunner(this);  // of its own, as no export replaces another
    lane->start(
        this,
        [path, sheet, text](const JobContext&) {
            const QByteArray bytes = text.isEmpty() ? encode(sheet, path) : text;
            if (bytes.isEmpty())
                throw io::Error(io::Error::Kind::unwritable,
                                tr("%1: the name must end in .csv, .md, .png, .svg or .pdf.").arg(path).toStdString());
            io::writeFileAtomically(std::filesystem::path(path.toStdString()), bytes.toStdString());
            return Done();
        },
        [this, lane, path](JobResult<Done> result) {
            lane->deleteLater();
            say(result ? tr("Exported %1").arg(path.section('/', -1)) : result.failure().message);
            if (result) emit exported(path);
        });
}

void ReportsWindow::askForFiles() {
    auto* dialog = new QFileDialog(this, tr("Add reports"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Reports (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &ReportsWindow::open);
    dialog->open();
}

void ReportsWindow::askForName() {
    auto* dialog = new QFileDialog(this, tr("Export the merged reports"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("CSV, Markdown, PNG, SVG, PDF (*.csv *.md *.png *.svg *.pdf)")});
    dialog->setDefaultSuffix(QStringLiteral("pdf"));
    dialog->selectFile(tr("reports"));
    connect(dialog, &QFileDialog::fileSelected, this, &ReportsWindow::exportTo);
    dialog->open();
}

void ReportsWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void ReportsWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    event->acceptProposedAction();
    open(paths);
}

}  // namespace warplens::gui
