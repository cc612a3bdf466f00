// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/class_board.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/kit/table.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

namespace warplens::gui {

namespace {

using gpu::exercise::HandIn;

constexpr Length kWide{960}, kHigh{520};

}  // namespace

ClassBoard::ClassBoard(QWidget* window)
    : QDialog(window), m_table(new QTableWidget(this)), m_reached(new QLabel(this)), m_said(new QLabel(this)) {
    setUpDialog(this, "class-board", tr("Class board"), {kWide, kHigh});
    setWidgetText(m_table, {.id = "class-table", .name = tr("What was handed in")});
    setWidgetText(m_reached, {.id = "class-reached", .look = "label", .wraps = true});
    setWidgetText(m_said, {.id = "class-said", .look = "hint", .wraps = true});
    const auto button = [this](const char* id, const QString& text, const QString& tip, std::function<void()> does) {
        auto* push = made(new QPushButton(text, this), {.id = id, .tip = tip, .does = std::move(does)});
        push->setAutoDefault(false);
        return push;
    };
    const auto take = [this](const QStringList& paths) { open(paths); };
    takeDroppedFiles(this, take);
    auto* add = button(
        "class-add", tr("Add files..."), tr("What was handed in; files may also be dropped here."), [this, take] {
            openFilesDialog(this, tr("Add what was handed in"), {tr("Handed in (*.json)"), tr("All files (*)")}, take);
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
    std::vector<std::string> files;
    for (const QString& path : paths) files.push_back(path.toStdString());
    m_jobs.start(
        this, [files](const JobContext&) { return gpu::exercise::readHandIns(files); },
        [this](JobResult<gpu::exercise::HandIns> result) {
            if (!result) return m_said->setText(result.failure().message);
            m_all.add(std::move(result.value()));
            refresh();
            m_table->setCurrentCell(0, 0);
            m_table->setFocus();
            QStringList problems;
            for (const std::string& problem : m_all.problems) problems << QString::fromStdString(problem);
            if (!problems.isEmpty()) m_said->setText(problems.join(u'\n'));
        });
}

void ClassBoard::refresh() {
    const gpu::TextTable board = gpu::exercise::boardOf(m_all.list);
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
    QStringList notes, changed;
    for (const std::string& note : board.notes) notes << QString::fromStdString(note);
    m_reached->setText(notes.join(u'\n'));
    for (const HandIn& h : m_all.list)
        if (!h.intact) changed << QString::fromStdString(h.file);
    m_said->setText(m_all.list.empty() ? tr("Add what was handed in, or drop it here. Nothing leaves this machine.")
                    : changed.empty()
                        ? tr("Enter shows the source of a row.")
                        : tr("Changed after it was handed in: %1").arg(changed.join(QStringLiteral(", "))));
}

void ClassBoard::showSource(int row) {
    if (row < 0 || row >= static_cast<int>(m_all.list.size())) return;
    const HandIn& one = m_all.list[static_cast<std::size_t>(row)];
    openSource(this, QStringLiteral("class-source"),
               tr("%1, %2").arg(QString::fromStdString(one.file), QString::fromStdString(one.title)),
               QString::fromStdString(one.source));
}

void ClassBoard::saveTable(const QString& path) {
    try {
        io::writeFileAtomically(path.toStdString(), gpu::exercise::boardCsv(m_all.list));
        m_said->setText(tr("Saved %1").arg(path.section(u'/', -1)));
    } catch (const io::Error& error) {
        m_said->setText(QString::fromUtf8(error.what()));
    }
}

}  // namespace warplens::gui
