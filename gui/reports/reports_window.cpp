// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/reports_window.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/plot/time_bars.hpp"
#include "gui/kit/table.hpp"
#include "gui/reports/class_board.hpp"
#include "gui/reports/report_sheet.hpp"
#include "gui/session/rates.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QTimer>
#include <algorithm>
#include <filesystem>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kPadding = 8;  // as the head has it
constexpr Length kLetter{RowDelegate::kLeadWidth}, kSpace{6};
enum Column { kVariant, kReport, kMedian, kQuartiles, kSamples, kAgainst };
/// The idea of kVariant, the letter of kReport, the origin of kMedian and kQuartiles.
constexpr int kMarkRole = Qt::UserRole, kWeakRole = Qt::UserRole + 1;

bool isText(int column) { return column == kVariant || column == kReport || column == kAgainst; }

/// Cells of that table: the variant's shape, the report's letter in a column of its own, origins beside numbers.
class ReportDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        int width = QFontMetrics(textFont(TextSize::body)).horizontalAdvance(index.data().toString()) + 2 * kPadding;
        if (index.column() == kReport)
            width += kLetter;
        else if (index.data(kMarkRole).isValid())
            width += kGlyphBox + kSpace;
        return {width, kRowHeight};
    }

protected:
    RowCell cell(const QModelIndex& index, bool selected) const override {
        const int column = index.column();
        const QVariant mark = index.data(kMarkRole);
        RowCell cell{.text = index.data().toString(), .side = isText(column) ? Qt::AlignLeft : Qt::AlignRight};
        if (index.data(kWeakRole).toBool()) cell.ink = selected ? Role::text2 : Role::text3;
        if (column == kVariant)
            cell.shape = static_cast<gpu::Idea>(mark.toInt());
        else if (column == kReport)
            cell.lead = mark.toString();
        else if (mark.isValid())
            cell.origin = static_cast<Origin>(mark.toInt());
        return cell;
    }

    bool ruled() const override { return true; }
};

/// Wide enough for head and cells; the last column takes what is left.
void fitColumns(QTableWidget* table) {
    const QAbstractItemView& view = *table;
    const QFontMetrics metrics(textFont(TextSize::caption));
    for (int column = 0; column + 1 < table->columnCount(); ++column) {
        const QTableWidgetItem* head = table->horizontalHeaderItem(column);
        const int glyph = head->data(kCellOriginRole).isValid() ? kGlyphBox + kSpace : 0;
        const int title = std::max(metrics.horizontalAdvance(head->text()) + 2 * kPadding,
                                   table->horizontalHeader()->sectionSizeHint(column));
        table->setColumnWidth(column, std::max(title + glyph, view.sizeHintForColumn(column)));
    }
}

/// Of several reports. Where all times have one origin its glyph stands in the heads, otherwise in the cells.
QTableWidget* makeReportTable(QWidget* parent) {
    auto* table = made(new QTableWidget(parent),
                       {.id = "report-table", .name = ReportsWindow::tr("Times of the variants in all reports")});
    const std::vector<gpu::TextTable::Column> heads = tableOf({}, {}).columns;
    TableHead* head = makeFigureTable(table, static_cast<int>(heads.size()), TableHead::Room::wide);
    head->setSectionResizeMode(QHeaderView::Interactive);
    head->setStretchLastSection(true);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->setItemDelegate(new ReportDelegate(table));
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setTabKeyNavigation(false);
    for (std::size_t column = 0; column < heads.size(); ++column) {
        auto* item = new QTableWidgetItem(QString::fromStdString(heads[column].title));
        item->setTextAlignment(Qt::AlignVCenter | (heads[column].number ? Qt::AlignRight : Qt::AlignLeft));
        table->setHorizontalHeaderItem(static_cast<int>(column), item);
    }
    // Projector mode is larger.
    after(table, {QEvent::StyleChange}, [table] { fitColumns(table); });
    fitColumns(table);
    return table;
}

/// `ranked`: whether these times rank the variants; others are grey.
void setRows(QTableWidget* table, const ReportSet& set, const std::vector<ReportSet::Row>& rows, bool ranked) {
    const std::optional<Origin> common = set.commonOrigin(rows);
    for (const int column : {kMedian, kQuartiles})
        table->horizontalHeaderItem(column)->setData(kCellOriginRole,
                                                     common ? QVariant(static_cast<int>(*common)) : QVariant());
    table->setRowCount(static_cast<int>(rows.size()));
    const gpu::TextTable figures = tableOf(set, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (int column = 0; column < table->columnCount(); ++column) {
            const QString text = QString::fromStdString(figures.rows[i][static_cast<std::size_t>(column)]);
            auto* item = new QTableWidgetItem(text);
            if (column == kVariant) {
                item->setData(kMarkRole, static_cast<int>(rows[i].idea));
            } else if (column == kReport) {
                const QString letter = ReportSet::letter(rows[i].report);
                item->setData(kMarkRole, letter);
                item->setText(text.mid(letter.size()).trimmed());
                item->setData(Qt::AccessibleTextRole, text);
                item->setToolTip(set.label(rows[i].report));
            } else if (column == kMedian || column == kQuartiles) {
                item->setData(kWeakRole, !ranked);
                const Origin origin = set.origin(rows[i].report);
                if (rows[i].time) item->setToolTip(originExplanation(origin));
                if (rows[i].time && !common) item->setData(kMarkRole, static_cast<int>(origin));
            } else if (column == kAgainst) {
                item->setToolTip(text);
            }
            table->setItem(static_cast<int>(i), column, item);
        }
    }
    fitColumns(table);
}

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
      m_list(made(new QListWidget(this), {.id = "report-list", .name = tr("Reports")})),
      m_table(makeReportTable(this)),
      m_bars(new TimeBars(this)),
      m_clock(made(new QComboBox(this), {.id = "report-clock", .name = tr("Clock whose times are shown")})),
      m_notes(made(new QScrollArea(this), {.name = tr("What keeps reports from being compared")})),
      m_said(made(new QLabel(m_notes), {.id = "report-said", .look = "hint", .wraps = true})) {
    setUpDialog(this, "reports-window", tr("Reports"), {kWidth, kHeight});
    takeDroppedFiles(this, [this](const QStringList& paths) { open(paths); });
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setFixedHeight(kListRows * kRowHeight + 2 * m_list->frameWidth());
    m_bars->setMinimumWidth(kBarsWidth);
    auto* whole = makeColumn(nullptr, {}, -1, {{m_table, 1}, spring(0)});
    fill(new QVBoxLayout(this),
         {makeTools(actions), m_list, {makeRow(nullptr, {}, 0, {{whole, 1}, m_bars}), 1}, m_notes});
    m_said->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_notes->setWidgetResizable(true);
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_notes->setWidget(m_said);
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
    auto* row = makeRow(strip, {}, -1);
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
    fill(row, {spring(), made(new QLabel(tr("Clock"), strip), {.of = m_clock}), m_clock});
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
    setRows(m_table, m_set, rows, ranking);
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
