// SPDX-License-Identifier: Apache-2.0
#include "gui/window/report_commands.hpp"

#include "gpu/report/html.hpp"
#include "gpu/report/table.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/reports/report_sheet.hpp"
#include "gui/reports/reports_window.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/rates.hpp"
#include "gui/window/page_stack.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QSettings>
#include <filesystem>

namespace warplens::gui {

namespace {

const QString kSaveFolder = QStringLiteral("folders/save");

/// The page as it is seen, for the HTML report.
gpu::ReportPicture pictureOf(const QImage& view, const QString& caption) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    view.save(&buffer, "PNG");
    const auto* first = reinterpret_cast<const std::byte*>(bytes.constData());
    return {caption.toStdString(), {first, first + bytes.size()}};
}

/// The report as the ending of `path` wants it; empty for another ending. For any thread.
std::string bytesFor(const QString& path, const gpu::Report& report, const QImage& view, const QString& caption) {
    const gpu::RecordedRuns* recorded = &recordedRuns();
    if (path.endsWith(QStringLiteral(".json"))) return gpu::toJson(report);
    if (path.endsWith(QStringLiteral(".csv"))) return gpu::toCsv(report);
    if (path.endsWith(QStringLiteral(".md"))) return gpu::toMarkdown(report, recorded);
    if (path.endsWith(QStringLiteral(".html"))) {
        gpu::HtmlExtras extras;
        extras.pictures.push_back(pictureOf(view, caption));
        extras.recorded = recorded;
        return gpu::toHtml(report, extras);
    }
    return encode(sheetOf(report, recorded), path).toStdString();
}

}  // namespace

ReportCommands::ReportCommands(RequestState& request, Results& results, Activity& activity, PageStack& pages,
                               QSettings& settings, const ReportActions& reportActions, QWidget* window)
    : QObject(window),
      m_request(request),
      m_results(results),
      m_activity(activity),
      m_pages(pages),
      m_settings(settings),
      m_reportActions(reportActions),
      m_window(window) {
    for (QAction* action : reportActions.all())
        connect(qApp, &QApplication::focusChanged, action, [action](const QWidget*, const QWidget* now) {
            action->setEnabled(now != nullptr &&
                               (now->actions().contains(action) || now->window()->actions().contains(action)));
        });
}

void ReportCommands::exportTo(const QString& path) {
    const gpu::Report* report = m_results.report();
    if (report == nullptr) return m_activity.report(tr("There is no comparison to export; compare first (F5)."));
    // What is shown is taken here; the rest goes on elsewhere, in a lane of its own, as no export replaces another.
    QImage view;
    if (path.endsWith(QStringLiteral(".html"))) view = m_pages.current()->view();
    const QString caption = tr("The page %1 as shown").arg(m_pages.current()->title());
    auto* lane = new JobRunner(this);
    lane->start(
        this,
        [path, caption, view, report = *report](const JobContext&) {
            const std::string bytes = bytesFor(path, report, view, caption);
            if (bytes.empty())
                throw io::Error(io::Error::Kind::unwritable,
                                tr("%1: the name must end in .json, .csv, .md, .html, .png, .svg or .pdf.")
                                    .arg(path)
                                    .toStdString());
            io::writeFileAtomically(std::filesystem::path(path.toStdString()), bytes);
            return Done();
        },
        [this, lane, path](JobResult<Done> result) {
            lane->deleteLater();
            if (!result) return m_activity.report(result.failure().message);
            m_activity.note(tr("Exported %1").arg(path.section('/', -1)));
            emit exported(path);
        });
}

void ReportCommands::exportReport() {
    if (m_results.report() == nullptr)
        return m_activity.report(tr("There is no comparison to export; compare first (F5)."));
    openFileDialog(
        m_window,
        {.title = tr("Export the report"),
         .filters = {tr("Report, data (*.json)"), tr("Table, numbers (*.csv)"), tr("Table, text (*.md)"),
                     tr("Report, page (*.html)"), tr("Picture (*.png)"), tr("Drawing (*.svg)"), tr("Paper (*.pdf)")},
         .suffix = QStringLiteral("json"),
         .name = QFileInfo(m_request.document().name()).baseName() + QStringLiteral("-report"),
         .id = "export-report-dialog"},
        this, m_settings, kSaveFolder, [this](const QString& path) { exportTo(path); });
}

void ReportCommands::copyMarkdown() {
    const gpu::Report* report = m_results.report();
    if (report == nullptr) return m_activity.report(tr("There is no comparison to copy; compare first (F5)."));
    QGuiApplication::clipboard()->setText(QString::fromStdString(gpu::toMarkdown(*report, &recordedRuns())));
}

void ReportCommands::showReports() {
    // One window, which keeps the files that were added when it is closed.
    if (m_reports == nullptr) {
        m_reports = new ReportsWindow(m_reportActions, m_window);
        m_reports->setAttribute(Qt::WA_DeleteOnClose, false);
    }
    if (const gpu::Report* report = m_results.report()) m_reports->setHere(*report);
    m_reports->show();
    m_reports->raise();
    m_reports->activateWindow();
}

void ReportCommands::showKept(const std::vector<gpu::Report>& reports) {
    auto* window = new ReportsWindow(m_reportActions, m_window);
    for (const gpu::Report& report : reports) window->addKept(report);
    window->show();
}

void ReportCommands::fillCommands(QMenu* menu) {
    menu->clear();
    const Document& document = m_request.document();
    if (document.empty() || document.derived()) {
        menu->addAction(tr("Save the picture first: no command line makes it"))->setEnabled(false);
        return;
    }
    for (const NamedCommand& command : commandsFor(contextOf(m_request))) {
        QAction* action = menu->addAction(command.what);
        action->setToolTip(command.line);
        connect(action, &QAction::triggered, this,
                [line = command.line] { QGuiApplication::clipboard()->setText(line); });
    }
}

}  // namespace warplens::gui
