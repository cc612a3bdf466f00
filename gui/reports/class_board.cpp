// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/class_board.hpp"

#include "gpu/core/error.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/write.hpp"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

using gpu::exercise::HandIn;

constexpr Length kWide{960}, kHigh{520}, kSourceWide{760}, kSourceHigh{560};

struct Read {
    std::vector<HandIn> all;
    QStringList problems;
};

Read readFiles(const QStringList& paths) {
    Read read;
    for (const QString& path : paths) {
        try {
            read.all.push_back(gpu::exercise::parseHandIn(io::readText(path.toStdString()), path.toStdString()));
        } catch (const std::exception& error) {
            read.problems << QString::fromUtf8(error.what());
        }
    }
    return read;
}

}  // namespace

ClassBoard::ClassBoard(QWidget* window)
    : QDialog(window), m_table(new QTableWidget(this)), m_reached(new QLabel(this)), m_said(new QLabel(this)) {
    setUpDialog(this, "class-board", tr("Class board"), {kWide, kHigh});
    takeDrops(this, [this](const QStringList& paths) { open(paths); });
    setWidgetText(m_table, {.id = "class-table", .name = tr("What was handed in")});
    setWidgetText(m_reached, {.id = "class-reached", .look = "label", .wraps = true});
    setWidgetText(m_said, {.id = "class-said", .look = "hint", .wraps = true});
    const auto button = [this](const char* id, const QString& text, const QString& tip, auto does) {
        auto* made = gui::made(new QPushButton(text, this), {.id = id, .tip = tip});
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, does);
        return made;
    };
    auto* add =
        button("class-add", tr("Add files..."), tr("What was handed in; files may also be dropped here."), [this] {
            openFilesDialog(this, tr("Add what was handed in"), tr("Handed in (*.json)"), this,
                            [this](const QStringList& paths) { open(paths); });
        });
    auto* save = button("class-save", tr("Save table..."), tr("As CSV, a line a goal."), [this] {
        openFileDialog(this,
                       {.title = tr("Save the table"),
                        .filters = {tr("CSV (*.csv)")},
                        .suffix = QStringLiteral("csv"),
                        .name = tr("class")},
                       this, [this](const QString& path) { saveTable(path); });
    });
    makeColumn(this, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
               {makeRow(nullptr, {}, kGap, {add, save, spring()}), {m_table, 1}, m_reached, m_said});
    makeFigureTable(m_table, 1);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int) { showSource(row); });
    refresh();
}

void ClassBoard::open(const QStringList& paths) {
    m_jobs.start(
        this, [paths](const JobContext&) { return readFiles(paths); },
        [this](JobResult<Read> result) {
            if (!result) return m_said->setText(result.failure().message);
            for (HandIn& one : result.value().all) {
                // A file that is added again takes its own place.
                std::erase_if(m_all, [&](const HandIn& known) { return known.file == one.file; });
                m_all.push_back(std::move(one));
            }
            std::ranges::stable_sort(m_all, {}, [](const HandIn& one) { return std::pair(one.exercise, one.file); });
            refresh();
            if (!result.value().problems.isEmpty()) m_said->setText(result.value().problems.join(u'\n'));
        });
}

void ClassBoard::refresh() {
    const gpu::TextTable board = gpu::exercise::boardOf(m_all);
    m_table->setColumnCount(static_cast<int>(board.columns.size()));
    QStringList heads;
    for (const auto& column : board.columns) heads << QString::fromStdString(column.title).replace(u'_', u' ');
    m_table->setHorizontalHeaderLabels(heads);
    m_table->setRowCount(static_cast<int>(board.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row)
        for (int column = 0; column < m_table->columnCount(); ++column) {
            const auto& text = board.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            m_table->setItem(row, column, new QTableWidgetItem(QString::fromStdString(text)));
        }
    m_table->resizeColumnsToContents();
    // How many reached each goal, for those of one exercise.
    QStringList reached, changed;
    const bool one = std::ranges::all_of(m_all, [&](const HandIn& h) { return h.exercise == m_all[0].exercise; });
    for (std::size_t goal = 0; one && !m_all.empty() && goal < m_all[0].goals.size(); ++goal) {
        const auto count = std::ranges::count_if(
            m_all, [goal](const HandIn& h) { return goal < h.goals.size() && h.goals[goal].reached; });
        reached
            << tr("%1: %2 of %3").arg(QString::fromStdString(m_all[0].goals[goal].text)).arg(count).arg(m_all.size());
    }
    m_reached->setText(reached.join(u'\n'));
    for (const HandIn& h : m_all)
        if (!h.intact) changed << QString::fromStdString(h.file);
    m_said->setText(m_all.empty() ? tr("Add what was handed in, or drop it here. Nothing leaves this machine.")
                    : changed.empty()
                        ? tr("Enter shows the source of a row.")
                        : tr("Changed after it was handed in: %1").arg(changed.join(QStringLiteral(", "))));
}

void ClassBoard::showSource(int row) {
    if (row < 0 || row >= static_cast<int>(m_all.size())) return;
    const HandIn& one = m_all[static_cast<std::size_t>(row)];
    auto* dialog = new QDialog(this);
    setUpDialog(dialog, "class-source",
                tr("%1, %2").arg(QString::fromStdString(one.file), QString::fromStdString(one.title)),
                QSize(kSourceWide, kSourceHigh).boundedTo(size()));
    auto* text = new QPlainTextEdit(QString::fromStdString(one.source), dialog);
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(sourceFont());
    makeColumn(dialog, {}, 0, {text});
    dialog->open();
}

void ClassBoard::saveTable(const QString& path) {
    try {
        io::writeFileAtomically(path.toStdString(), gpu::exercise::boardCsv(m_all));
        m_said->setText(tr("Saved %1").arg(path.section(u'/', -1)));
    } catch (const io::Error& error) {
        m_said->setText(QString::fromUtf8(error.what()));
    }
}

}  // namespace warplens::gui
