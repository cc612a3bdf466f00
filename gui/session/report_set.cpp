// SPDX-License-Identifier: Apache-2.0
#include "gui/session/report_set.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/diff.hpp"
#include "gpu/report/html.hpp"
#include "gpu/report/run_columns.hpp"
#include "gpu/report/table.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <functional>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ReportSet", text); }

/// Every run that some report has, by its id: in ladder order, then what this version does not know.
std::vector<std::pair<std::string, gpu::Idea>> runsOf(const std::vector<gpu::Report>& reports) {
    std::vector<std::pair<std::string, gpu::Idea>> order;
    const auto take = [&](gpu::Idea idea, const std::function<bool(const gpu::RunRecord&)>& wanted) {
        for (const gpu::Report& report : reports)
            for (const gpu::ReportRun& one : report.runs) {
                const gpu::RunRecord& record = one.record;
                const bool known =
                    std::ranges::any_of(order, [&, id = record.id()](const auto& run) { return run.first == id; });
                if (!known && wanted(record)) order.emplace_back(record.id(), idea);
            }
    };
    const gpu::Family* family = reports.empty() ? nullptr : gpu::findFamily(reports.front().family);
    if (family != nullptr)
        for (const gpu::Variant& variant : family->variants())
            take(variant.idea, [&](const gpu::RunRecord& record) { return record.variant == variant.id; });
    take(gpu::Idea::plain, [](const gpu::RunRecord&) { return true; });
    return order;
}

}  // namespace

QString ReportSet::letter(std::size_t index) {
    const QString last(QChar(static_cast<char16_t>(u'A' + index % 26)));
    return index < 26 ? last : letter(index / 26 - 1) + last;
}

QString ReportSet::label(std::size_t index) const {
    const gpu::Report& report = m_reports[index];
    const QString input = QString::fromStdString(report.input.name);
    const QString file = m_files[static_cast<qsizetype>(index)];
    const QString when = QString::fromStdString(report.environment.date), time = when.mid(11, 5);
    return QStringLiteral("%1: %2%3, %4, %5, %6 %7")
        .arg(
            letter(index), file.isEmpty() ? file : file + QStringLiteral(", "),
            QString::fromStdString(report.device.name),
            time.isEmpty() ? format::date(report.environment.date) : format::date(report.environment.date) + ' ' + time,
            input.startsWith(QStringLiteral("gen:")) ? input : input.section('/', -1),
            QString::fromStdString(gpu::extents(report.input.shape)), QString::fromStdString(report.input.type));
}

std::vector<gpu::Clock> ReportSet::clocks() const {
    std::vector<gpu::Clock> found;
    for (const gpu::Clock clock :
         {gpu::Clock::device, gpu::Clock::simulated, gpu::Clock::library, gpu::Clock::opencl, gpu::Clock::openacc}) {
        const bool read = std::ranges::any_of(m_reports, [&](const gpu::Report& report) {
            return std::ranges::any_of(report.runs, [&](const gpu::ReportRun& run) {
                return run.record.time && run.record.time->clock == clock;
            });
        });
        if (read) found.push_back(clock);
    }
    return found;
}

std::vector<ReportSet::Row> ReportSet::rows(gpu::Clock clock) const {
    std::vector<gpu::Diff> diffs;
    for (const gpu::Report& report : m_reports) diffs.push_back(gpu::diff(m_reports.front(), report));
    std::vector<Row> rows;
    for (const auto& [id, idea] : runsOf(m_reports)) {
        for (std::size_t i = 0; i < m_reports.size(); ++i) {
            const auto run =
                std::ranges::find_if(m_reports[i].runs, [&id = id](const auto& r) { return r.record.id() == id; });
            if (run == m_reports[i].runs.end()) continue;
            Row row{id, idea, i, std::nullopt, {}, {}};
            const gpu::RunRecord& record = run->record;
            if (record.status != gpu::Status::ok)
                row.reason = QString::fromStdString(gpu::checkText(record));
            else if (!record.time)
                row.reason = tr("not timed");
            else if (record.time->clock != clock)
                row.reason = tr("another clock: %1").arg(QString::fromUtf8(gpu::nameOf(record.time->clock)));
            else
                row.time = record.time;
            const auto at = std::ranges::find(diffs[i].rows, id, &gpu::DiffRow::id);
            // CPU times rank nothing, so that they get no verdict either.
            if (i > 0 && row.time && at != diffs[i].rows.end() && clock == gpu::Clock::device) {
                row.verdict = QString::fromUtf8(gpu::nameOf(at->verdict));
                if (at->ratio) row.verdict += ' ' + format::ratio(*at->ratio);
                if (!at->reason.empty()) row.verdict += QStringLiteral(" (%1)").arg(QString::fromStdString(at->reason));
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

QStringList ReportSet::notes() const {
    QStringList notes;
    for (std::size_t i = 1; i < m_reports.size(); ++i)
        for (const std::string& note : gpu::diff(m_reports.front(), m_reports[i]).notes)
            notes << QStringLiteral("%1: %2").arg(letter(i), QString::fromStdString(note));
    return notes;
}

std::optional<Origin> ReportSet::commonOrigin(const std::vector<Row>& rows) const {
    std::optional<Origin> common;
    for (const Row& row : rows) {
        if (!row.time) continue;
        if (common && *common != origin(row.report)) return std::nullopt;
        common = origin(row.report);
    }
    return common;
}

QStringList ReportSet::notesByReport() const {
    QStringList lines;
    for (std::size_t i = 1; i < m_reports.size(); ++i) {
        QStringList sentences;
        for (const std::string& note : gpu::diff(m_reports.front(), m_reports[i]).notes)
            sentences << QString::fromStdString(note);
        if (!sentences.empty()) lines << QStringLiteral("%1: %2").arg(letter(i), sentences.join(u' '));
    }
    return lines;
}

gpu::TextTable tableOf(const ReportSet& set, const std::vector<ReportSet::Row>& rows) {
    using gpu::RunColumn;
    const gpu::RunsBeside beside{.baselineName = "A"};
    const auto headOf = [&](RunColumn::Id id) { return gpu::headOf(gpu::runColumn(id), beside); };
    gpu::TextTable table;
    table.columns = {headOf(RunColumn::variant), {tr("Report").toStdString(), {}, false},
                     headOf(RunColumn::median),  headOf(RunColumn::quartiles),
                     headOf(RunColumn::samples), headOf(RunColumn::verdict)};
    for (auto& column : table.columns) column.origin.reset();  // a row's report says it
    for (const ReportSet::Row& row : rows) {
        gpu::RunRecord run;
        run.variant = row.variant;
        run.time = row.time;
        const auto cell = [&](RunColumn::Id id) {
            const std::string text = gpu::runColumn(id).text(run, beside);
            return text.empty() ? std::string("–") : text;
        };
        const QString against = !row.time               ? row.reason
                                : row.report == 0       ? tr("baseline")
                                : row.verdict.isEmpty() ? QStringLiteral("–")
                                                        : row.verdict;
        table.rows.push_back(
            {cell(RunColumn::variant),
             ReportSet::letter(row.report).toStdString() + "  " + set.reports()[row.report].device.name,
             cell(RunColumn::median), cell(RunColumn::quartiles), cell(RunColumn::samples), against.toStdString()});
    }
    return table;
}

QString ReportSet::markdown(gpu::Clock clock) const {
    QString text = QString::fromStdString(gpu::markdownTable(tableOf(*this, rows(clock)))) + '\n';
    for (std::size_t i = 0; i < m_reports.size(); ++i) text += QStringLiteral("- %1\n").arg(label(i));
    for (const QString& note : notes()) text += QStringLiteral("- %1\n").arg(note);
    return text;
}

void ReportSet::setHere(gpu::Report report) {
    const auto at = std::ranges::find(m_here, true);
    if (at == m_here.end()) return add(std::move(report), true);
    m_reports[static_cast<std::size_t>(at - m_here.begin())] = std::move(report);
}

QString ReportSet::html(gpu::Clock clock) const {
    gpu::HtmlSet set{.table = tableOf(*this, rows(clock))};
    set.table.title = tr("Reports compared").toStdString();
    for (std::size_t i = 0; i < m_reports.size(); ++i) {
        set.sentences.push_back(label(i).toStdString());
        set.reports.emplace_back(label(i).toStdString(), &m_reports[i]);
    }
    for (const QString& note : notes()) set.sentences.push_back(note.toStdString());
    return QString::fromStdString(gpu::toHtml(set));
}

QString ReportSet::csv(gpu::Clock clock) const {
    const auto quoted = [](QString text) { return '"' + text.replace('"', QStringLiteral("\"\"")) + '"'; };
    QString text =
        QStringLiteral("variant,report,device,date,input,clock,median_ms,q1_ms,q3_ms,samples,against_a,reason\r\n");
    for (const Row& row : rows(clock)) {
        const gpu::Report& report = m_reports[row.report];
        QStringList cells{
            quoted(QString::fromStdString(row.variant)),        letter(row.report),
            quoted(QString::fromStdString(report.device.name)), quoted(QString::fromStdString(report.environment.date)),
            quoted(QString::fromStdString(report.input.name)),  QString::fromUtf8(gpu::nameOf(clock))};
        for (const auto field : {&gpu::Timing::medianMs, &gpu::Timing::q1Ms, &gpu::Timing::q3Ms})
            cells << (row.time ? QString::number((*row.time).*field, 'g', 12) : QString());
        cells << (row.time ? QString::number(row.time->samples) : QString()) << quoted(row.verdict)
              << quoted(row.reason);
        text += cells.join(',') + QStringLiteral("\r\n");
    }
    return text;
}

}  // namespace warplens::gui
