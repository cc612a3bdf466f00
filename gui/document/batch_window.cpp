// SPDX-License-Identifier: Apache-2.0
#include "gui/document/batch_window.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QVBoxLayout>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kWidth{640}, kHeight{520}, kTitleWidth{90};
const QString kFrom = QStringLiteral("folders/batch-from"), kTo = QStringLiteral("folders/batch-to");

QStringList picturesOf(const QString& folder) {
    if (folder.isEmpty() || !QFileInfo(folder).isDir()) return {};
    QStringList patterns;
    for (const char* ending : {"png", "jpg", "jpeg", "tif",  "tiff", "exr", "hdr", "bmp", "tga",    "pgm",
                               "ppm", "pnm", "npy",  "nrrd", "nhdr", "mha", "mhd", "nii", "nii.gz", "dcm"})
        patterns << QStringLiteral("*.") + QLatin1String(ending);
    return QDir(folder).entryList(patterns, QDir::Files | QDir::Readable, QDir::Name | QDir::LocaleAware);
}

}  // namespace

BatchWindow::BatchWindow(RunControl& control, RequestState& request, QSettings& settings, QWidget* window)
    : QDialog(window),
      m_control(control),
      m_request(request),
      m_settings(settings),
      m_from(made(new QLineEdit(this), {.id = "batch-from", .name = tr("Folder of the pictures")})),
      m_to(made(new QLineEdit(this), {.id = "batch-to", .name = tr("Folder of the results")})),
      m_ending(made(new QComboBox(this), {.id = "batch-ending", .name = tr("Format of the results")})),
      m_what(made(new QLabel(this), {.id = "batch-what"})),
      m_said(made(new QLabel(this), {.id = "batch-said", .look = "hint"})),
      m_progress(made(new QProgressBar(this), {.id = "batch-progress", .name = tr("Pictures done")})),
      m_table(made(new QTableWidget(this), {.id = "batch-table", .name = tr("Pictures and what became of them")})),
      m_start(made(new QPushButton(tr("Start"), this), {.id = "batch-start"})),
      m_stop(made(new QPushButton(tr("Stop"), this), {.id = "batch-stop"})),
      m_timeline(made(new QPushButton(tr("Timeline"), this),
                      {.id = "batch-timeline", .tip = tr("Shows what each stage did when.")})) {
    setObjectName(QStringLiteral("batch-window"));
    setWindowTitle(tr("A folder of pictures"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (const char* ending : {"tif", "png", "exr", "npy", "nrrd"}) m_ending->addItem(QLatin1String(ending));
    makeFigureTable(m_table, 2);
    m_table->setHorizontalHeaderLabels({tr("Picture"), tr("Result")});
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->setTabKeyNavigation(false);
    m_what->setWordWrap(true);
    m_said->setWordWrap(true);
    auto* column = makeColumn(this, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap);
    const auto folder = [&](QLineEdit* edit, const QString& title, const char* id, const QString& key) {
        auto* label = new QLabel(title, this);
        label->setFixedWidth(kTitleWidth);
        label->setBuddy(edit);
        auto* button = made(new QPushButton(tr("Choose..."), this), {.id = id});
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, edit, title] { choose(edit, title); });
        connect(edit, &QLineEdit::textChanged, this, &BatchWindow::list);
        edit->setText(settings.value(key).toString());
        fill(column, {makeRow(nullptr, {}, kGap, {label, {edit, 1}, button})});
    };
    folder(m_from, tr("Pictures in"), "batch-choose-from", kFrom);
    folder(m_to, tr("Results to"), "batch-choose-to", kTo);
    auto* format = new QLabel(tr("Format"), this);
    format->setFixedWidth(kTitleWidth);
    format->setBuddy(m_ending);
    fill(column, {makeRow(nullptr, {}, kGap, {format, m_ending, {m_what, 1}}),
                  {m_table, 1},
                  m_progress,
                  makeRow(nullptr, {}, kGap, {{m_said, 1}, m_timeline, m_stop, m_start})});
    connect(m_start, &QPushButton::clicked, this, &BatchWindow::start);
    connect(m_stop, &QPushButton::clicked, &m_jobs, &JobRunner::cancel);
    connect(m_timeline, &QPushButton::clicked, this, &BatchWindow::timelineWanted);
    connect(&m_request, &RequestState::currentChanged, this, &BatchWindow::list);
    m_timeline->setAutoDefault(false);
    m_timeline->setEnabled(false);
    resize(kWidth, kHeight);
    setRunning(false);
    list();
}

void BatchWindow::choose(QLineEdit* into, const QString& title) {
    askForFile(this, {.title = title, .folder = into->text(), .id = "batch-folder", .mode = QFileDialog::Directory},
               into, [into](const QString& path) { into->setText(path); });
}

QString BatchWindow::refusal() const {
    const gpu::Family* family = m_request.parameters().family();
    if (family == nullptr || m_request.devices().chosen() == nullptr) return tr("No device is there yet.");
    if (!family->info().makesPicture && !family->info().makesOtherPicture)
        return tr("%1 makes no pictures; choose another task.").arg(QString::fromStdString(family->title()));
    if (picturesOf(m_from->text()).isEmpty()) return tr("Choose a folder that holds pictures.");
    if (m_to->text().isEmpty()) return tr("Choose a folder for the results.");
    if (QFileInfo(m_to->text()).absoluteFilePath() == QFileInfo(m_from->text()).absoluteFilePath())
        return tr("Results go to another folder than the pictures'.");
    return {};
}

void BatchWindow::list() {
    if (m_jobs.busy()) return;
    const QStringList files = picturesOf(m_from->text());
    m_table->setRowCount(static_cast<int>(files.size()));
    for (int row = 0; row < files.size(); ++row) {
        m_table->setItem(row, 0, new QTableWidgetItem(files[row]));
        m_table->setItem(row, 1, new QTableWidgetItem(QString()));
    }
    m_what->setText(m_request.parameters().family() == nullptr
                        ? QString()
                        : tr("%1 of %2, as it is set in the window")
                              .arg(QString::fromStdString(m_request.current()),
                                   QString::fromStdString(m_request.parameters().family()->title())));
    m_progress->setRange(0, std::max(1, static_cast<int>(files.size())));
    m_progress->setValue(0);
    const QString why = refusal();
    m_said->setText(why.isEmpty() ? tr("%n picture(s)", nullptr, static_cast<int>(files.size())) : why);
    m_start->setEnabled(why.isEmpty());
}

void BatchWindow::setRunning(bool running) {
    for (QWidget* widget : std::initializer_list<QWidget*>{m_from, m_to, m_ending, m_start})
        widget->setEnabled(!running);
    m_stop->setEnabled(running);
}

void BatchWindow::start() {
    if (!refusal().isEmpty()) return list();
    FolderPlan plan{.request = m_request.make({m_request.current()}, false),
                    .from = m_from->text(),
                    .to = m_to->text(),
                    .ending = m_ending->currentText(),
                    .files = picturesOf(m_from->text())};
    plan.request.timing = gpu::TimingPolicy::once();
    plan.request.measureLimits = false;
    plan.request.input = nullptr;
    m_settings.setValue(kFrom, plan.from);
    m_settings.setValue(kTo, plan.to);
    list();
    setRunning(true);
    const QString what =
        tr("%1 on the folder %2").arg(QString::fromStdString(m_request.current()), QDir(plan.from).dirName());
    m_jobs.start(
        this,
        [this, &runner = m_control.runner(), plan](const JobContext& context) {
            return runFolder(runner, plan, context, [this, &context](int row, const QString& said, bool failed) {
                context.deliver([this, row, said, failed] { tell(row, said, failed); });
            });
        },
        [this, what](JobResult<FolderOutcome> result) {
            setRunning(false);
            if (!result) return m_said->setText(result.failure().message);
            const auto& [failed, timeline] = result.value();
            const int done = static_cast<int>(timeline.done), left = m_table->rowCount() - done - failed;
            m_said->setText(tr("%1 done, %2 failed").arg(done).arg(failed) +
                            (left > 0 ? tr(", %1 not begun: stopped").arg(left) : QString()));
            if (timeline.spans.empty()) return;
            m_timeline->setEnabled(true);
            emit recorded(timeline, what);
        });
}

void BatchWindow::tell(int row, const QString& said, bool failed) {
    m_table->item(row, 1)->setText(said);
    m_table->item(row, 1)->setData(Qt::UserRole, failed);
    m_table->scrollToItem(m_table->item(row, 0));
    m_progress->setValue(row + 1);
}

}  // namespace warplens::gui
