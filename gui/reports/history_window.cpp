// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/history_window.hpp"

#include "gpu/report/figures.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kHistoryWidth{1120}, kHistoryHeight{620};
constexpr int kPadding = 12, kSpace = 6;
constexpr std::int64_t kMost = 2000;
constexpr int kTypingMs = 150;
enum Column { kWhen, kPicture, kSize, kTask, kDevice, kRuns, kFastest, kMs, kPinned, kColumns };
bool isNumber(int column) { return column == kRuns || column == kMs; }

QString whenOf(const std::string& date) {
    const QDateTime when = QDateTime::fromString(QString::fromStdString(date), Qt::ISODate).toLocalTime();
    return when.isValid() ? QLocale::c().toString(when, QStringLiteral("d MMM yyyy, HH:mm"))
                          : QString::fromStdString(date);
}

QString textOf(const gpu::history::Kept& kept, int column) {
    switch (column) {
        case kWhen: return whenOf(kept.date);
        case kPicture: return QString::fromStdString(kept.input);
        case kSize: return QString::fromStdString(kept.size);
        case kTask: return QString::fromStdString(kept.family + ": " + kept.parameters);
        case kDevice: return QString::fromStdString(kept.device);
        case kRuns: return QString::number(kept.runs);
        case kFastest: return kept.fastest.empty() ? QStringLiteral("–") : QString::fromStdString(kept.fastest);
        case kMs:
            return kept.fastest.empty() ? QStringLiteral("–")
                                        : QString::fromStdString(gpu::threeDigits(kept.fastestMs));
        case kPinned: return kept.pinned ? HistoryWindow::tr("pinned") : QString();
        default: return {};
    }
}

/// What a row says besides: of what its times depend on.
QString tipOf(const gpu::history::Kept& kept) {
    QString tip = HistoryWindow::tr("Warplens %1").arg(QString::fromStdString(kept.build));
    if (!kept.driver.empty())
        tip += HistoryWindow::tr("; driver or processor: %1").arg(QString::fromStdString(kept.driver));
    if (kept.failed > 0) tip += HistoryWindow::tr("; runs that failed or were wrong: %1").arg(kept.failed);
    return tip;
}

/// Cells of the history's table: numbers at the right.
class HistoryDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

protected:
    RowCell cell(const QModelIndex& index, bool) const override {
        return {.text = index.data().toString(), .side = isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft};
    }

    bool ruled() const override { return true; }
};

}  // namespace

HistoryWindow::HistoryWindow(KeptComparisons& kept, QAction* remove, QWidget* window)
    : QDialog(window),
      m_kept(kept),
      m_removal(remove),
      m_text(made(new QLineEdit(this), {.id = "history-text", .name = tr("Search the history")})),
      m_table(made(new QTableWidget(this), {.id = "history-table", .name = tr("Kept comparisons")})),
      m_keep(made(
          new QCheckBox(tr("Keep every comparison that ends"), this),
          {.id = "history-keep", .tip = tr("In a file that only you can read: the newest 2,000 and what is pinned.")})),
      m_said(made(new QLabel(this), {.id = "history-said", .look = "hint", .wraps = true})) {
    setUpDialog(this, "history-window", tr("History"), {kHistoryWidth, kHistoryHeight});
    m_text->setPlaceholderText(tr("Words of picture, task, device or date"));
    m_text->setClearButtonEnabled(true);
    m_keep->setChecked(kept.keeping() && kept.refusal().isEmpty());
    m_keep->setEnabled(kept.refusal().isEmpty());
    makeTable();
    fill(new QVBoxLayout(this), {m_text, {m_table, 1}, makeButtons(), m_said});
    connect(m_keep, &QCheckBox::toggled, &kept, &KeptComparisons::setKeeping);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, &HistoryWindow::search);
    connect(m_text, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(&kept, &KeptComparisons::added, this, &HistoryWindow::search);
    m_table->addAction(remove);
    connect(remove, &QAction::triggered, this, [this] {
        if (m_table->hasFocus()) removeChosen();
    });
    chosenChanged();
    search();
    m_text->setFocus();
    on(this, {QEvent::Resize}, [this] { setColumnWidths(); });
}

HistoryWindow::~HistoryWindow() {
    if (m_removal) m_removal->setEnabled(false);
}

void HistoryWindow::makeTable() {
    TableHead* head = makeFigureTable(m_table, kColumns, TableHead::Room::wide);
    head->setSectionResizeMode(QHeaderView::Interactive);
    head->setStretchLastSection(true);
    m_table->setItemDelegate(new HistoryDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false);
    const QStringList heads{tr("When"), tr("Picture"), tr("Size"), tr("Task"), tr("Device"),
                            tr("Runs"), tr("Fastest"), tr("ms"),   QString()};
    for (int i = 0; i < kColumns; ++i) {
        auto* item = new QTableWidgetItem(heads[i]);
        item->setTextAlignment(Qt::AlignVCenter | (isNumber(i) ? Qt::AlignRight : Qt::AlignLeft));
        if (i == kMs) item->setData(kCellOriginRole, static_cast<int>(Origin::recorded));
        m_table->setHorizontalHeaderItem(i, item);
    }
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &HistoryWindow::chosenChanged);
    connect(m_table, &QTableWidget::activated, this, &HistoryWindow::openChosen);
}

QPushButton* HistoryWindow::addButton(QLayout* row, const char* name, const QString& text, const QString& tip,
                                      void (HistoryWindow::*what)()) {
    auto* push = made(new QPushButton(text, this), {.id = name, .tip = tip});
    push->setAutoDefault(false);
    row->addWidget(push);
    connect(push, &QPushButton::clicked, this, what);
    return push;
}

QWidget* HistoryWindow::makeButtons() {
    auto* strip = new QWidget(this);
    auto* row = makeRow(strip, {}, -1);
    m_open = addButton(row, "history-open", tr("Open"), tr("Opens the chosen comparisons as reports, side by side."),
                       &HistoryWindow::openChosen);
    m_pin = addButton(row, "history-pin", tr("Pin"), tr("What is pinned is never removed to make room."),
                      &HistoryWindow::pinChosen);
    m_remove = addButton(row, "history-remove", tr("Delete"), tr("Removes the chosen comparisons for good."),
                         &HistoryWindow::removeChosen);
    fill(row, {spring(), m_keep});
    return strip;
}

void HistoryWindow::search() {
    if (gpu::history::defaultFile().empty()) return showRows({});
    m_kept.with(
        this, [words = m_text->text().toStdString()](gpu::history::Store& store) { return store.list(words, kMost); },
        [this, asked = ++m_asked](std::vector<gpu::history::Kept> all) {
            if (asked == m_asked) showRows(std::move(all));
        });
}

void HistoryWindow::showRows(std::vector<gpu::history::Kept> all) {
    std::set<std::int64_t> before;
    for (const auto& kept : chosen()) before.insert(kept.id);
    m_all = std::move(all);
    const QSignalBlocker quiet(m_table);
    m_table->clearSelection();
    m_table->setRowCount(static_cast<int>(m_all.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const gpu::history::Kept& kept = m_all[static_cast<std::size_t>(row)];
        for (int column = 0; column < kColumns; ++column) {
            auto* item = new QTableWidgetItem(textOf(kept, column));
            item->setToolTip(column == kTask || column == kPicture ? item->text() : tipOf(kept));
            m_table->setItem(row, column, item);
        }
        if (before.contains(kept.id))
            m_table->selectionModel()->select(m_table->model()->index(row, 0),
                                              QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    setColumnWidths();
    chosenChanged();
    const QString refusal = m_kept.refusal();
    const auto file = QString::fromStdString(gpu::history::defaultFile().string());
    const auto count = static_cast<int>(m_all.size());
    if (!refusal.isEmpty()) return m_said->setText(refusal);
    if (count == 0 && !m_text->text().isEmpty()) return m_said->setText(tr("No comparisons match."));
    m_said->setText(count == 0   ? tr("No comparisons yet. Press F5; results are kept in %1.").arg(file)
                    : count == 1 ? tr("1 comparison, kept in %1.").arg(file)
                                 : tr("%1 comparisons, kept in %2.").arg(count).arg(file));
}

void HistoryWindow::setColumnWidths() {
    const QFontMetrics body(textFont(TextSize::body)), caption(textFont(TextSize::caption));
    const std::array<Length, kColumns> most{Length{180}, Length{200}, Length{180}, Length{330}, Length{170},
                                            Length{60},  Length{150}, Length{90},  Length{90}};
    std::array<int, kColumns> widths{};
    for (int column = 0; column < kColumns; ++column) {
        const auto at = static_cast<std::size_t>(column);
        const QTableWidgetItem* head = m_table->horizontalHeaderItem(column);
        const int glyph = column == kMs ? kGlyphBox + kSpace : 0;
        const int least = caption.horizontalAdvance(head->text()) + 2 * kPadding + glyph;
        int widest = least;
        for (int row = 0; row < m_table->rowCount(); ++row)
            widest = std::max(widest, body.horizontalAdvance(m_table->item(row, column)->text()) + 2 * kPadding);
        widths[at] = std::max(least, std::min<int>(widest, most[at]));
    }
    // Words that end in an ellipsis give way before a column is cut.
    const int room = m_table->width() - 2 * m_table->frameWidth() - m_table->verticalScrollBar()->sizeHint().width();
    int over = std::accumulate(widths.begin(), widths.end(), -room);
    for (const auto& [column, least] : {std::pair{kTask, Length{150}}, {kPicture, Length{110}}, {kSize, Length{90}}}) {
        const int given = std::clamp(over, 0, std::max(0, widths[column] - least));
        widths[column] -= given;
        over -= given;
    }
    for (int column = 0; column < kColumns; ++column)
        m_table->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

std::vector<gpu::history::Kept> HistoryWindow::chosen() const {
    std::vector<gpu::history::Kept> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        if (index.row() < static_cast<int>(m_all.size())) rows.push_back(m_all[static_cast<std::size_t>(index.row())]);
    }
    std::ranges::sort(rows, {}, &gpu::history::Kept::id);
    return rows;
}

void HistoryWindow::chosenChanged() {
    const auto rows = chosen();
    for (QPushButton* button : {m_open, m_pin, m_remove}) button->setEnabled(!rows.empty());
    m_removal->setEnabled(!rows.empty());
    const bool allPinned = !rows.empty() && std::ranges::all_of(rows, &gpu::history::Kept::pinned);
    m_pin->setText(allPinned ? tr("Unpin") : tr("Pin"));
    m_open->setText(rows.size() > 1 ? tr("Compare") : tr("Open"));
}

void HistoryWindow::openChosen() {
    const auto rows = chosen();
    if (rows.empty()) return;
    m_kept.with(
        this,
        [rows](gpu::history::Store& store) {
            std::vector<gpu::Report> reports;
            for (const auto& kept : rows) reports.push_back(store.report(kept.id));
            return reports;
        },
        [this](const std::vector<gpu::Report>& reports) { emit opened(reports); });
}

void HistoryWindow::pinChosen() {
    const auto rows = chosen();
    const bool pin = !std::ranges::all_of(rows, &gpu::history::Kept::pinned);
    m_kept.with(
        this,
        [rows, pin](gpu::history::Store& store) {
            for (const auto& kept : rows) store.pin(kept.id, pin);
            return Done();
        },
        [this](Done) { search(); });
}

void HistoryWindow::removeChosen() {
    m_kept.with(
        this,
        [rows = chosen()](gpu::history::Store& store) {
            for (const auto& kept : rows) store.remove(kept.id);
            return Done();
        },
        [this](Done) { search(); });
}

}  // namespace warplens::gui
