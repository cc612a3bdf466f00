// SPDX-License-Identifier: Apache-2.0
#include "gui/document/batch_window.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/document/format_form.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/session/file_formats.hpp"
#include "gui/session/known_steps.hpp"
#include "gui/session/recipe_state.hpp"
#include "gui/session/task_step.hpp"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QUrl>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kWidth{640}, kHeight{520}, kTitleWidth{FormatForm::kTitleWidth};
const QString kFrom = QStringLiteral("folders/batch-from"), kTo = QStringLiteral("folders/batch-to"),
              kWorkDone = QStringLiteral("folders/batch-work");

QStringList picturesOf(const QString& folder) {
    if (folder.isEmpty() || !QFileInfo(folder).isDir()) return {};
    return QDir(folder).entryList(namePatterns(Readable::inFolders), QDir::Files | QDir::Readable,
                                  QDir::Name | QDir::LocaleAware);
}

/// Where results go as long as nobody says; empty for no folder.
QString resultsOf(const QString& folder) {
    const QString name = folder.size() > 1 && folder.endsWith('/') ? folder.chopped(1) : folder;
    return name.isEmpty() ? name : name + QStringLiteral("-results");
}

/// What tells one work from another; empty where it holds what no text can, as a painted mask.
QString textOf(const gpu::recipe::Recipe& work) try {
    return QString::fromStdString(gpu::recipe::toJson(work, {}, true));
} catch (const gpu::Error&) {
    return {};
}

}  // namespace

BatchWindow::BatchWindow(RunControl& control, RequestState& request, RecipeState& recipe, QSettings& settings,
                         QWidget* window)
    : QDialog(window),
      m_control(control),
      m_request(request),
      m_recipe(recipe),
      m_settings(settings),
      m_from(made(new QLineEdit(this), {.id = "batch-from", .name = tr("Folder of the pictures")})),
      m_to(made(new QLineEdit(this), {.id = "batch-to", .name = tr("Folder of the results")})),
      m_format(new FormatForm(FormatForm::For::many, settings, this)),
      m_work(made(new QComboBox(this), {.id = "batch-work", .name = tr("What is done to each picture")})),
      m_said(made(new QLabel(this), {.id = "batch-said", .look = "hint", .wraps = true})),
      m_origin(new OriginMark(Origin::modelled, this)),
      m_failures(made(new QCheckBox(tr("Failures only"), this), {.id = "batch-failures"})),
      m_progress(made(new QProgressBar(this), {.id = "batch-progress", .name = tr("Pictures done")})),
      m_table(made(new QTableWidget(this), {.id = "batch-table", .name = tr("Pictures and results")})),
      m_start(made(new QPushButton(tr("Start"), this), {.id = "batch-start"})),
      m_stop(made(new QPushButton(tr("Stop"), this), {.id = "batch-stop", .tip = tr("Esc")})),
      m_open(made(new QPushButton(tr("Open folder"), this),
                  {.id = "batch-open", .tip = tr("Shows the results in the desktop's file manager.")})),
      m_timeline(made(new QPushButton(tr("Timeline"), this),
                      {.id = "batch-timeline", .tip = tr("Shows what each stage did when.")})) {
    setUpDialog(this, "batch-window", tr("Batch process a folder"), {kWidth, kHeight});
    // A recipe's steps are no reason for a wider window.
    m_work->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    makeFigureTable(m_table, 2);
    m_table->setHorizontalHeaderLabels({tr("Picture"), tr("Result")});
    m_progress->setTextVisible(false);  // its line says it
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->setTabKeyNavigation(false);
    suggestFolders();
    makeRows();
    connect(m_from, &QLineEdit::textChanged, this, [this, before = m_from->text()](const QString& now) mutable {
        const QString own = resultsOf(std::exchange(before, now));
        if (m_to->text().isEmpty() || m_to->text() == own) m_to->setText(resultsOf(now));  // else it was chosen
        list();
    });
    connect(m_to, &QLineEdit::textChanged, this, &BatchWindow::list);
    connect(m_work, &QComboBox::currentIndexChanged, this, &BatchWindow::list);
    connect(m_start, &QPushButton::clicked, this, &BatchWindow::start);
    connect(m_stop, &QPushButton::clicked, &m_jobs, &JobRunner::cancel);
    connect(m_timeline, &QPushButton::clicked, this, &BatchWindow::timelineWanted);
    connect(m_open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_to->text()).absoluteFilePath())); });
    connect(m_failures, &QCheckBox::toggled, this, &BatchWindow::showFailures);
    connect(&m_request, &RequestState::taskChanged, this, &BatchWindow::listWork);
    connect(&m_recipe, &RecipeState::changed, this, &BatchWindow::listWork);
    for (QPushButton* button : {m_stop, m_timeline}) button->setAutoDefault(false);
    m_start->setDefault(true);
    m_from->selectAll();
    m_timeline->setEnabled(false);
    setRunning(false);
    listWork();
}

void BatchWindow::makeRows() {
    auto* column = makeColumn(this, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap);
    const auto titled = [&](const QString& title, QWidget* of) {
        auto* label = new QLabel(title, this);
        label->setFixedWidth(kTitleWidth);
        label->setBuddy(of);
        return label;
    };
    const auto folder = [&](QLineEdit* edit, const QString& title, const char* id) {
        auto* button = made(new QPushButton(tr("Choose..."), this), {.id = id});
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, edit, title] { choose(edit, title); });
        fill(column, {makeRow(nullptr, {}, kGap, {titled(title, edit), {edit, 1}, button})});
    };
    folder(m_from, tr("Pictures in"), "batch-choose-from");
    folder(m_to, tr("Results to"), "batch-choose-to");
    fill(column, {makeRow(nullptr, {}, kGap, {titled(tr("Do"), m_work), {m_work, 1}}),
                  m_format,
                  {m_table, 1},
                  m_progress,
                  makeRow(nullptr, {}, kGap, {{m_said, 1}, m_origin}),
                  makeRow(nullptr, {}, kGap, {m_open, m_timeline, m_failures, spring(), m_stop, m_start})});
}

void BatchWindow::suggestFolders() {
    const Document::State* open = &m_request.document().state();
    if (m_recipe.place() != nullptr) open = &m_recipe.place()->origin;
    const QFileInfo picture(open->input);
    const QString lastFrom = m_settings.value(kFrom).toString(), lastTo = m_settings.value(kTo).toString();
    const QString from = !open->derived && picture.isFile() ? picture.absolutePath() : lastFrom;
    m_from->setText(from);
    m_to->setText(from == lastFrom || from.isEmpty() ? lastTo : resultsOf(from));
}

void BatchWindow::setExample(const std::shared_ptr<const io::Grid>& result,
                             const std::shared_ptr<const io::Grid>& original, const QString& name) {
    m_format->setPicture(result, original);
    m_example = name;
    list();
}

QStringList BatchWindow::pictures() const {
    QStringList files = picturesOf(m_from->text());
    if (!m_example.isEmpty())
        files.removeIf([this](const QString& file) { return QFileInfo(file).completeBaseName() == m_example; });
    return files;
}

void BatchWindow::reject() {
    if (m_jobs.busy()) return m_jobs.cancel();
    QDialog::reject();
}

void BatchWindow::choose(QLineEdit* into, const QString& title) {
    openFileDialog(this, {.title = title, .folder = into->text(), .id = "batch-folder", .mode = QFileDialog::Directory},
                   into, [into](const QString& path) { into->setText(path); });
}

gpu::recipe::Recipe BatchWindow::steps() const {
    const RecipePlace* place = m_recipe.place();
    const auto does = m_work->currentData().value<Does>();
    if (place == nullptr || does == Does::task) return {};
    return does == Does::steps ? place->recipe : recipeToHere(m_request, *place);
}

QString BatchWindow::refusal() const {
    const gpu::Family* family = m_request.parameters().family();
    if (family == nullptr || m_request.devices().chosen() == nullptr) return tr("No device is there yet.");
    if (const gpu::recipe::Recipe recipe = steps(); !recipe.steps.empty()) {
        if (gpu::recipe::stepsOn(recipe).empty()) return tr("Every step is off; switch one on.");
        family = gpu::findFamily(gpu::recipe::lastOf(recipe).family);
    }
    if (family == nullptr) return tr("No device is there yet.");
    if (!family->info().makesPicture && !family->info().makesOtherPicture)
        return tr("%1 makes no pictures; choose another task.").arg(QString::fromStdString(family->title()));
    if (pictures().isEmpty()) return tr("Choose a folder that holds pictures.");
    if (m_to->text().isEmpty()) return tr("Choose a folder for the results.");
    if (QFileInfo(m_to->text()).absoluteFilePath() == QFileInfo(m_from->text()).absoluteFilePath())
        return tr("Choose an output folder other than the input folder.");
    return {};
}

void BatchWindow::listWork() {
    const QSignalBlocker quiet(m_work);
    const int before = m_work->currentIndex(), count = m_work->count();
    const gpu::Family* family = m_request.parameters().family();
    const bool regions = family != nullptr && family->info().regions == gpu::Regions::labels;
    m_work->clear();
    if (const RecipePlace* place = m_recipe.place(); place != nullptr) {
        QStringList steps;
        static const std::vector<KnownStep> known = knownSteps(nullptr);
        for (const std::size_t step : gpu::recipe::stepsOn(place->recipe)) {
            const StepName name = nameOf(place->recipe.steps[step], known);
            steps << (name.values.isEmpty() ? name.title : name.title + u' ' + name.values);
        }
        const QString all = steps.join(QStringLiteral(" → "));
        m_work->addItem(tr("All steps: %1").arg(all), QVariant::fromValue(Does::steps));
        if (regions && place->behindLast())
            m_work->addItem(tr("All steps, then regions as CSV and ROIs: %1").arg(all),
                            QVariant::fromValue(Does::regions));
    }
    if (family != nullptr)
        m_work->addItem(tr("%1 alone (%2), as it is set in the window")
                            .arg(QString::fromStdString(family->title()), QString::fromStdString(m_request.current())),
                        QVariant::fromValue(Does::task));
    // Where regions are seen they are wanted.
    const int measured = m_work->findData(QVariant::fromValue(Does::regions));
    m_work->setCurrentIndex(m_work->count() == count ? before : std::max(measured, 0));
    m_work->setToolTip(m_work->currentText());
    list();
}

void BatchWindow::list() {
    if (m_jobs.busy()) return;
    const QStringList files = pictures();
    m_failed = m_told = 0;
    m_table->setRowCount(static_cast<int>(files.size()));
    for (int row = 0; row < files.size(); ++row) {
        m_table->setItem(row, 0, new QTableWidgetItem(files[row]));
        m_table->setItem(row, 1, new QTableWidgetItem(QString()));
    }
    showFailures();
    m_progress->setRange(0, std::max(1, static_cast<int>(files.size())));
    m_progress->setValue(0);
    const QString why = refusal();
    m_said->setText(why.isEmpty() ? files.size() == 1 ? tr("1 picture") : tr("%1 pictures").arg(files.size()) : why);
    m_origin->hide();
    m_start->setEnabled(why.isEmpty());
    m_open->setEnabled(QFileInfo(m_to->text()).isDir());
}

void BatchWindow::setRunning(bool running) {
    for (QWidget* widget : std::initializer_list<QWidget*>{m_from, m_to, m_format, m_work, m_start})
        widget->setEnabled(!running);
    m_stop->setEnabled(running);
    if (running) m_stop->setFocus();
}

void BatchWindow::start() {
    if (!refusal().isEmpty()) return list();
    FolderPlan plan{.request = m_request.make({m_request.current()}, false),
                    .recipe = steps(),
                    .devices = {m_request.devices().id()},
                    .from = m_from->text(),
                    .to = m_to->text(),
                    .ending = m_format->ending(),
                    .encode = m_format->encoding(),
                    .type = m_format->fit().type,
                    .files = pictures()};
    // Pictures are shared, and no picture is.
    for (const std::string& id : std::exchange(plan.request.beside, {})) plan.devices.push_back(id);
    plan.request.timing = gpu::TimingPolicy::once();
    plan.request.measureLimits = false;
    plan.request.hostLibraries = true;
    plan.request.input = nullptr;
    // What stands there is left out only where the last run made it, with the same steps.
    const bool whole = !plan.recipe.steps.empty();
    QString work = textOf(whole ? plan.recipe : gpu::recipe::Recipe{{stepOf(m_request)}});
    if (!work.isEmpty())
        work += QStringLiteral(" %1 %2 %3")
                    .arg(plan.encode.quality)
                    .arg(plan.type ? static_cast<int>(*plan.type) : -1)
                    .arg(QString::fromStdString(plan.encode.way));
    plan.resume = !work.isEmpty() && m_settings.value(kWorkDone).toString() == work &&
                  m_settings.value(kFrom).toString() == plan.from && m_settings.value(kTo).toString() == plan.to;
    m_settings.setValue(kFrom, plan.from);
    m_settings.setValue(kTo, plan.to);
    m_settings.setValue(kWorkDone, work);
    list();
    setRunning(true);
    m_since.start();
    const QString folder = QDir(plan.from).dirName();
    const QString what = whole ? tr("the steps on the folder %1").arg(folder)
                               : tr("%1 on the folder %2").arg(QString::fromStdString(m_request.current()), folder);
    m_jobs.start(
        this,
        [this, &runner = m_control.runner(), plan](const JobContext& context) {
            return runFolder(runner, plan, context,
                             [this, &context](const FolderRow& row) { context.deliver([this, row] { tell(row); }); });
        },
        [this, what](JobResult<FolderOutcome> result) {
            setRunning(false);
            if (!result) return m_said->setText(result.failure().message);
            ended(result.value());
            if (result.value().timeline.spans.empty()) return;
            m_timeline->setEnabled(true);
            emit recorded(result.value().timeline, what);
        });
}

void BatchWindow::ended(const FolderOutcome& outcome) {
    const int done = static_cast<int>(outcome.timeline.done), all = done + outcome.before;
    const int left = m_table->rowCount() - all - outcome.failed;
    m_origin->hide();
    const QString failed = tr("%1 failed").arg(outcome.failed);
    m_said->setText((outcome.before > 0 ? tr("%1 done, %2 done before, %3").arg(done).arg(outcome.before).arg(failed)
                                        : tr("%1 done, %2").arg(done).arg(failed)) +
                    (left > 0 ? tr(", %1 not begun: stopped").arg(left) : QString()));
    m_open->setEnabled(all > 0);
    (left == 0 && all > 0 ? m_open : m_start)->setFocus();  // what Enter does next
}

void BatchWindow::tell(const FolderRow& row) {
    const bool failed = row.became == FolderRow::Became::failed;
    QTableWidgetItem* result = m_table->item(row.row, 1);
    result->setText(row.said);
    result->setData(Qt::UserRole, failed);
    result->setToolTip(row.said);
    m_table->scrollToItem(m_table->item(row.row, 0));
    m_progress->setValue(++m_told);
    m_failed += static_cast<int>(failed);
    showFailures();
    const QString times = Activity::timesOf(static_cast<double>(m_since.elapsed()) / 1000, row.fraction);
    m_said->setText(tr("%1 of %2, %3 failed").arg(m_told).arg(m_table->rowCount()).arg(m_failed) +
                    (times.isEmpty() ? QString() : QStringLiteral("; ") + times));
    m_origin->setVisible(times.contains(u','));
}

void BatchWindow::showFailures() {
    m_failures->setEnabled(m_failed > 0);
    for (int row = 0; row < m_table->rowCount(); ++row)
        m_table->setRowHidden(
            row, m_failed > 0 && m_failures->isChecked() && !m_table->item(row, 1)->data(Qt::UserRole).toBool());
}

}  // namespace warplens::gui
