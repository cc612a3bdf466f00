// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_page.hpp"

#include "gui/kernel/exercise_panel.hpp"
#include "gui/kernel/kernel_side.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"

#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QSettings>
#include <QShowEvent>
#include <algorithm>
#include <functional>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kBand = 6;
constexpr Length kOneProblemHigh{96}, kProblemsHigh{168};
const QString kKernels = QStringLiteral("CUDA (*.cuh *.cu)");

/// Finds words in the text. Esc closes its row, whatever else that key does in the window.
class FindLine : public QLineEdit {
public:
    FindLine(KernelText* text, Activity& activity, QWidget* row) : QLineEdit(row), m_text(text), m_activity(activity) {
        setWidgetText(this, {.id = "kernel-find", .name = KernelPage::tr("Find in the kernel")});
        setPlaceholderText(KernelPage::tr("Find: Enter goes on, Shift+Enter back, Esc closes"));
        fill(stripRow(row, kTitleHeight), {{this, 1}});
        row->hide();
    }
    void begin() {
        parentWidget()->show();
        if (const QString words = m_text->textCursor().selectedText(); !words.isEmpty()) setText(words);
        selectAll();
        setFocus(Qt::ShortcutFocusReason);
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
            return QLineEdit::event(event);
        event->accept();
        return true;
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Escape) {
            parentWidget()->hide();
            m_text->setFocus();
        } else if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
            QLineEdit::keyPressEvent(event);
        } else if (!m_text->findNext(text(), event->modifiers().testFlag(Qt::ShiftModifier))) {
            m_activity.note(KernelPage::tr("\"%1\" does not stand in the kernel").arg(text()));
        }
    }

private:
    KernelText* m_text;
    Activity& m_activity;
};

/// A hatched band over a picture of an earlier text.
class OlderBand : public QWidget {
public:
    explicit OlderBand(QWidget* parent) : QWidget(parent) {
        setFixedHeight(kBand);
        setAccessibleName(KernelPage::tr("older: of an earlier text"));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), colour(Role::strip));
        painter.fillRect(rect(), QBrush(colour(Role::text2), Qt::BDiagPattern));
    }
};

/// A field for the number of a tunable; `set` hears of another one.
QWidget* tunableField(const gpu::Tunable& tunable, QWidget* parent, const std::function<void(int)>& set) {
    if (tunable.choices.empty()) {
        auto* spin = new QSpinBox(parent);
        spin->setRange(tunable.minimum, tunable.maximum);
        spin->setValue(tunable.fallback);
        spin->setKeyboardTracking(false);
        QObject::connect(spin, &QSpinBox::valueChanged, parent, set);
        return spin;
    }
    auto* box = new QComboBox(parent);
    for (const int choice : tunable.choices) box->addItem(QString::number(choice));
    box->setCurrentText(QString::number(tunable.fallback));
    QObject::connect(box, &QComboBox::textActivated, parent, [set](const QString& text) { set(text.toInt()); });
    return box;
}

}  // namespace

KernelPage::KernelPage(CompareSession& session, ViewState& view, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_file(session.activity()),
      m_model(session.request(), session.control(), m_file, session.activity()),
      m_exercises(session.request(), session.inputs(), session.control(), m_file, m_model, session.activity()),
      m_text(made(new KernelText(this), {.id = "kernel-text"})) {
    setLook(this, "dock");
    auto* notice = new SessionNotice(session.activity(), this);
    connect(notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    connect(&m_exercises, &ExerciseModel::chosen, this, &Page::docksChanged);
    // Lines of 80 letters, where there is room for them beside the task.
    auto* sides = makeSplitter(
        Qt::Horizontal, this,
        {{makeEditor(), 3}, {makePicture(view), 2}, {m_side = new KernelSide(session, m_file, m_text, this), 3}});
    // It takes the place of the picture, for which there is no room beside it.
    connect(m_side, &KernelSide::shown, sides->widget(1), &QWidget::setHidden);
    sides->setSizes({3000, 2000, 3000});
    makeColumn(this, {}, 0,
               {makeStrip(),
                notice,
                {makeRow(nullptr, {}, 0,
                         {makeExercisePanel(
                              m_exercises, [this] { handIn(); }, this),
                          {sides, 1}}),
                 1}});
    makeCommands();
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { m_file.type(m_text->toPlainText()); });
    connect(&m_file, &KernelFile::replaced, this, [this](bool again) {
        // What was changed elsewhere can be taken back; another file begins anew.
        if (again) return m_text->replaceText(m_file.text());
        m_text->setPlainText(m_file.text());
        m_text->setFocus();
    });
    connect(&m_file, &KernelFile::fileChanged, this, &KernelPage::refresh);
    connect(&m_model, &KernelModel::changed, this, &KernelPage::refresh);
    connect(&m_exercises, &ExerciseModel::changed, this, &KernelPage::refreshProblems);
    connect(&session.request(), &RequestState::taskChanged, this, [this] {
        if (isVisible()) QTimer::singleShot(0, this, &KernelPage::beginWhereEmpty);
    });
    refresh();
}

QWidget* KernelPage::makeStrip() {
    auto* strip = new ToolStrip(this);
    const auto button = [&](const char* id, const QString& text, const QString& tip, std::function<void()> does = {}) {
        return made(new QToolButton(strip),
                    {.id = id, .look = "flat", .tip = tip, .text = text, .does = std::move(does)});
    };
    const auto menu = [&](QToolButton* opens) {
        auto* entries = new QMenu(opens);
        opens->setPopupMode(QToolButton::InstantPopup);
        opens->setMenu(entries);
        strip->addTool(opens);
        return entries;
    };
    QMenu* fresh = menu(button("kernel-new", tr("New from..."),
                               tr("Begins another kernel for the current task; the kernel before stays among the "
                                  "versions.")));
    fresh->addAction(tr("The plain kernel of this task"), this, [this] { begin(m_model.startingFile(true)); });
    fresh->addAction(tr("A copy of the input: everything to do"), this, [this] { begin(m_model.startingFile(false)); });
    fresh->addAction(tr("The selected variant: its whole file"), this, [this] { begin(m_model.copyOfVariant()); });
    strip->addButton(button(
        "kernel-open", tr("Open..."),
        tr("Opens a .cuh file. It may be edited elsewhere meanwhile: each time it is saved there it is read again."),
        [this] { open(); }));
    strip->addButton(button("kernel-save", tr("Save"), tr("Saves the kernel's file (Ctrl+S in the text)."),
                            [this] { saveFile(false); }));
    strip->addButton(button("kernel-save-as", tr("Save as..."),
                            tr("Saves the kernel under another name, as a .cuh file."), [this] { saveFile(true); }));
    QMenu* versions = menu(button("kernel-versions", tr("Versions"),
                                  tr("What was written before, each time something came of a run; one is taken up "
                                     "again as a change that can be undone.")));
    connect(versions, &QMenu::aboutToShow, this, [this, versions] { fillVersions(*versions); });
    auto* exercises = button("kernel-exercises", tr("Exercises"),
                             tr("Kernels to write, to repair and to speed up, judged by the reference and by counts: "
                                "no GPU is needed."));
    addExerciseMenu(exercises, m_exercises);
    strip->addTool(exercises);
    m_row = button("kernel-row", tr("In the comparison"),
                   tr("Puts this kernel below the ladder, as a row and a pane of Compare like any variant, or takes it "
                      "out again."),
                   [this] { m_model.toggleComparison(); });
    m_row->setCheckable(true);
    strip->addButton(m_row);
    strip->addButton(m_side->makeButton(strip));
    auto* hint = made(new ElidedLabel(strip), {.look = "hint"});
    hint->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    hint->setFullText(tr("kept with every key; runs 0.4 s after the last one"),
                      {tr("runs 0.4 s after the last key"), QString()});
    strip->addRight(hint);
    return strip;
}

QWidget* KernelPage::makeEditor() {
    auto* side = made(new QWidget(this), {.look = "dock"});
    auto* head = made(new QWidget(side), {.look = "strip"});
    m_name = made(new ElidedLabel(head), {.id = "kernel-name", .look = "title"});
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_name->setElideMode(Qt::ElideMiddle);
    auto* badge = made(new QLabel(tr("yours"), head),
                       {.look = "badge", .tip = tr("A kernel of yours, no variant of the ladder.")});
    fill(stripRow(head, kTitleHeight), {m_name, {badge, 0, Qt::AlignVCenter}, spring()});
    m_tunables = made(new QWidget(side), {.id = "kernel-tunables"});
    stripRow(m_tunables, kTitleHeight);
    m_problems = made(new QListWidget(side), {.id = "kernel-problems", .name = tr("Problems")});
    m_problems->setWordWrap(true);
    m_problems->setIconSize({kGlyphBox, kGlyphBox});
    m_problems->setFrameShape(QFrame::NoFrame);
    m_problems->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_problems->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_problems, &QListWidget::itemClicked, this, &KernelPage::goToLineOf);
    connect(m_problems, &QListWidget::itemActivated, this, &KernelPage::goToLineOf);
    auto* findRow = made(new QWidget(this), {.look = "strip"});
    auto* find = new FindLine(m_text, m_session.activity(), findRow);
    makeColumn(side, {}, 0, {head, m_tunables, findRow, {m_text, 1}, m_problems});
    connect(makeAction("kernel-find-key", tr("&Find in the kernel"), Qt::CTRL | Qt::Key_F), &QAction::triggered, find,
            [find] { find->begin(); });
    connect(makeAction("kernel-find-next", tr("Find the ne&xt place"), Qt::Key_F3), &QAction::triggered, find,
            [this, find] { m_text->findNext(find->text()); });
    connect(m_text, &KernelText::saveWanted, this, [this] { saveFile(false); });
    connect(m_text, &KernelText::left, this, [this] {
        if (m_model.busy())
            m_session.activity().cancel();
        else if (Pane* pane = m_grid->pane(m_grid->current()))
            pane->view()->setFocus();
    });
    return side;
}

QWidget* KernelPage::makePicture(ViewState& view) {
    auto* side = made(new QWidget(this), {.look = "canvas"});
    m_older = made(new OlderBand(side), {.id = "kernel-older"});
    m_grid = new PaneGrid(side);
    m_inspector = new InspectorStrip(side);
    m_inspector->setViewState(m_grid->viewState());
    auto* foot = made(new QWidget(side), {.look = "dock"});
    m_mark = new StatusMark(foot);
    m_state = made(new QLabel(foot), {.id = "kernel-state", .wraps = true});
    m_state->setTextFormat(Qt::RichText);
    m_time = made(new QLabel(foot), {.id = "kernel-time", .look = "figure"});
    m_origin = new OriginMark(Origin::measured, foot);
    connect(m_state, &QLabel::linkActivated, this, [this] {
        if (const auto pixel = m_model.wrongPixel()) m_grid->goTo({pixel->x(), pixel->y(), 0});
    });
    makeRow(foot, {kDockMargin, kGap, kDockMargin, kGap}, kGap,
            {{m_mark, 0, Qt::AlignTop}, {m_state, 1}, m_time, m_origin});
    makeColumn(side, {}, 0, {m_older, {m_grid, 1}, m_inspector, foot, makeExerciseGoals(m_exercises, side)});
    // The slice, range and colours are one wherever the picture is shown.
    ViewState& own = *m_grid->viewState();
    const auto follow = [&view, &own] {
        own.setSlice(view.slice());
        own.setRange(view.range());
        own.setColourMap(view.colourMap());
    };
    connect(&view, &ViewState::displayChanged, this, follow);
    follow();
    connect(&own, &ViewState::displayChanged, this, [this, &view, &own] {
        if (isVisible()) view.setSlice(own.slice());
    });
    connect(&own, &ViewState::viewChanged, this, &Page::viewChanged);
    return side;
}

void KernelPage::makeCommands() {
    const auto command = [this](const char* name, const QString& text, const QKeySequence& key, auto what) {
        connect(makeAction(name, text, key), &QAction::triggered, this, what);
    };
    command("kernel-run", tr("&Compile and run the kernel"), Qt::CTRL | Qt::Key_Return, [this] { m_model.run(); });
    command("kernel-next-problem", tr("&Next problem of the kernel"), Qt::Key_F8, [this] { goToProblem(1); });
    command("kernel-previous-problem", tr("&Previous problem of the kernel"), Qt::SHIFT | Qt::Key_F8,
            [this] { goToProblem(-1); });
    command("kernel-hint", tr("Open the next &hint of the exercise"), Qt::Key_H, [this] { m_exercises.openHint(); });
    command("kernel-hand-in", tr("Han&d in the exercise..."), Qt::CTRL | Qt::SHIFT | Qt::Key_H, [this] { handIn(); });
    command("kernel-write", tr("&Write in the kernel"), Qt::Key_E,
            [this] { m_text->setFocus(Qt::ShortcutFocusReason); });
}

KernelPage::Primary KernelPage::primary() const {
    return {.text = tr("Run   Ctrl+Enter"),
            .tip = tr("Compiles the kernel, runs it on the picture and verifies the result at once; a pause in typing "
                      "does so as well.")};
}

ViewState* KernelPage::currentView() const { return m_grid->currentViewState(); }

bool KernelPage::settled() const {
    return m_grid->settled() && !m_model.busy() && !m_exercises.busy() && !m_side->busy();
}

void KernelPage::restore(const QSettings& settings) {
    m_file.setFolder(QFileInfo(settings.fileName()).dir().filePath(QStringLiteral("kernels")));
    m_exercises.restore(settings);
}

void KernelPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (event->spontaneous()) return;  // the window itself comes and goes
    // The device is this kernel's: nobody looks at variants meanwhile.
    m_places = m_session.lookedAt().places();
    m_session.lookedAt().setPlaces(0);
    m_model.setSeen(true);
    beginWhereEmpty();
}

void KernelPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    if (event->spontaneous()) return;
    m_model.setSeen(false);
    m_model.followComparison();
    m_session.lookedAt().setPlaces(m_places);
    // They may have no result of the task that was changed here.
    const auto lacking = m_session.results().lookedAtAndLacking();
    if (!lacking.empty() && window()->isVisible()) emit m_session.lookedAt().wanted(lacking.front());
}

void KernelPage::begin(const QString& text) {
    if (!text.isEmpty()) m_file.begin(text);
}

void KernelPage::beginWhereEmpty() {
    if (!isVisible() || !m_file.text().isEmpty() || m_file.restore() || !m_session.request().ready()) return;
    begin(m_model.startingFile(true));
}

void KernelPage::open() {
    openFileDialog(
        this, {.title = tr("Open a kernel"), .filters = {kKernels, tr("All files (*)")}, .id = "kernel-open-dialog"},
        this, [this](const QString& path) { m_file.open(path); });
}

void KernelPage::saveFile(bool asAnother) {
    if (!asAnother && !m_file.path().isEmpty()) return m_file.save(m_file.path());
    openFileDialog(this,
                   {.title = tr("Save the kernel"),
                    .filters = {kKernels},
                    .suffix = QStringLiteral("cuh"),
                    .name = QFileInfo(m_file.name()).completeBaseName(),
                    .id = "kernel-save-dialog"},
                   this, [this](const QString& path) { m_file.save(path); });
}

void KernelPage::handIn() {
    if (m_exercises.exercise() == nullptr || !m_exercises.now()) return;
    openFileDialog(this,
                   {.title = tr("Hand in"),
                    .filters = {tr("Handed in (*.json)")},
                    .suffix = QStringLiteral("json"),
                    .name = QString::fromStdString(m_exercises.exercise()->name) + u'-' + QSysInfo::machineHostName(),
                    .id = "exercise-hand-in-dialog"},
                   this, [this](const QString& path) { m_exercises.handIn(path); });
}

void KernelPage::fillVersions(QMenu& menu) {
    menu.clear();
    for (const KernelFile::Version& version : m_file.versions())
        menu.addAction(version.title, this, [this, version] {
            const QString text = KernelFile::textOf(version);
            if (!text.isEmpty()) m_text->replaceText(text);
        });
    if (menu.isEmpty()) menu.addAction(tr("None yet: each run keeps one"))->setEnabled(false);
}

void KernelPage::goToLineOf(const QListWidgetItem* problem) {
    if (const int line = problem->data(Qt::UserRole).toInt(); line > 0) m_text->goToLine(line);
    m_text->setFocus();
}

void KernelPage::goToProblem(int step) {
    const int count = m_problems->count();
    if (count == 0) return;
    const int row = m_problems->currentRow() < 0 ? (step > 0 ? 0 : count - 1) : m_problems->currentRow() + step;
    m_problems->setCurrentRow((row + count) % count);
    goToLineOf(m_problems->currentItem());
}

void KernelPage::refresh() {
    m_name->setFullText(m_file.changed() ? tr("%1, not saved").arg(m_file.name()) : m_file.name());
    m_name->setToolTip(m_file.path());
    m_row->setChecked(m_model.inComparison());
    refreshTunables();
    refreshProblems();
    refreshState();
    emit viewChanged();
}

void KernelPage::refreshTunables() {
    const auto& all = m_model.tunables();
    const auto same = [](const gpu::Tunable& a, const gpu::Tunable& b) {
        return a.id == b.id && a.fallback == b.fallback && a.minimum == b.minimum && a.maximum == b.maximum &&
               a.choices == b.choices;
    };
    // Half a line of the head is no reason to take fields away.
    if (all.empty() || std::ranges::equal(all, m_fields, same)) return;
    m_fields = all;
    const QWidget* before = focusWidget();
    const QString focused = before != nullptr && m_tunables->isAncestorOf(before) ? before->objectName() : QString();
    auto* row = static_cast<QHBoxLayout*>(m_tunables->layout());
    while (QLayoutItem* item = row->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    for (const gpu::Tunable& tunable : all) {
        const QString name = QString::fromStdString(tunable.id), words = QString(name).replace(u'_', u' ');
        QWidget* field = tunableField(tunable, m_tunables, [this, id = tunable.id](int value) {
            m_text->replaceText(m_model.withTunable(id, value));
        });
        setWidgetText(field, {.id = QStringLiteral("kernel-tunable-") + name,
                              .name = words,
                              .tip = tr("Changes the number in the kernel's head.")});
        fill(row, {made(new QLabel(words, m_tunables), {.look = "label", .of = field}), field, spacer(kGap)});
        if (field->objectName() == focused) field->setFocus();
    }
    fill(row, {spring()});
}

void KernelPage::refreshProblems() {
    auto problems = m_model.problems();
    if (const auto other = m_exercises.problem(); other && problems.empty()) problems.push_back(*other);
    std::map<int, KernelMark> marks;
    const int row = m_problems->currentRow();
    m_problems->clear();
    for (const gpu::user::KernelProblem& problem : problems) {
        QString text = QString::fromStdString(problem.message);
        for (const int line : {problem.line, problem.otherLine})
            if (line > 0) marks.try_emplace(line, KernelMark{problem.error, text});
        if (problem.line > 0) text = tr("Line %1: %2").arg(problem.line).arg(text);
        if (!problem.explanation.empty()) text += u'\n' + QString::fromStdString(problem.explanation);
        auto* item =
            new QListWidgetItem(statusIcon(problem.error ? ResultState::failed : ResultState::wrong), text, m_problems);
        item->setData(Qt::UserRole, problem.line);
    }
    if (row < m_problems->count()) m_problems->setCurrentRow(row);
    m_problems->setVisible(!problems.empty());
    m_problems->setFixedHeight(problems.size() == 1 ? kOneProblemHigh : kProblemsHigh);
    m_text->setMarks(std::move(marks));
}

QString KernelPage::stateText() const {
    const auto& record = m_model.record();
    if (!m_model.refusal().isEmpty()) return m_model.refusal().toHtmlEscaped();
    if (m_model.busy()) return tr("compiling, running, verifying");
    if (!m_model.problems().empty()) {
        const auto count = m_model.problems().size();
        if (m_model.problems().front().error)
            return count == 1 ? tr("<b>Does not compile</b>: one problem, below the text.")
                              : tr("<b>Does not compile</b>: %1 problems, below the text.").arg(count);
        return tr("<b>Stopped by the emulator</b>, so there is no result and no time: see below the text.");
    }
    if (!record) return {};
    const auto& verification = record->verification;
    if (record->status == gpu::Status::wrong && verification) {
        const QString place =
            m_model.wrongPixel()
                ? tr("<a href=\"pixel\">x %1 y %2</a>").arg(m_model.wrongPixel()->x()).arg(m_model.wrongPixel()->y())
                : QString();
        return tr("<b>%1 values wrong</b>, the first at %2: %3. Wrong, so no time and no rank.")
            .arg(format::integer(verification->mismatches), place, m_model.wrongValue().toHtmlEscaped());
    }
    QString text = tr("<b>Verified</b> against the double reference");
    if (record->launch) {
        const auto& block = record->launch->block;
        text += tr(", %1 %2 %3 threads per block").arg(block[0]).arg(QChar(0x00D7)).arg(block[1]);
    }
    const auto* shown = m_model.shown();
    if (shown != nullptr && shown->onCpu && shown->input != m_session.document().grid())
        text += tr("; on the CPU a part of %1 of the picture")
                    .arg(format::extent(shown->input->shape().width, shown->input->shape().height));
    else if (shown != nullptr && shown->onCpu)
        text += tr("; a CPU time ranks nothing");
    return text + u'.';
}

void KernelPage::refreshState() {
    const auto* shown = m_model.shown();
    const bool older = m_model.older();
    m_older->setVisible(older);
    std::optional<ResultState> state;
    if (m_model.record() && m_model.refusal().isEmpty() && !m_model.busy())
        state = stateOf(*m_model.record());
    else if (!m_model.problems().empty() && !m_model.busy())
        state = ResultState::failed;
    m_mark->setState(state);
    m_state->setText(stateText());
    m_state->setAccessibleName(m_state->text().remove(QRegularExpression(QStringLiteral("<[^>]*>"))));
    const bool timed = state == ResultState::verified && m_model.record()->time.has_value();
    m_time->setVisible(timed);
    m_origin->setVisible(timed);
    if (timed) m_time->setText(tr("%1 ms").arg(format::milliseconds(m_model.record()->time->medianMs)));

    PaneContent pane;
    pane.key = QStringLiteral("kernel");
    pane.title = tr("Result");
    pane.detail = tr("yours");
    PaneContent input = inputPane(m_session.document().grid(), m_session.document().name());
    if (shown != nullptr) {
        pane.title = QString::fromStdString(shown->record->id());
        pane.picture = shown->record->result.picture;
        input.picture = shown->input;
        if (older)
            pane.hint = tr("older");
        else
            pane.state = stateOf(*shown->record);
    } else {
        pane.message = m_model.busy() ? tr("computing") : tr("No result yet.");
    }
    m_grid->setPanes({pane});
    m_grid->setReference(input);
    m_inspector->setPanes({input, pane});
    const auto wrong = m_model.wrongPixel();
    m_wrong.set(wrong && !older ? QRectF(*wrong, QSizeF(1, 1)) : QRectF(), m_model.wrongValue(), std::nullopt);
    if (Pane* first = m_grid->pane(0)) {
        first->view()->setOverlays({&m_wrong});
        first->view()->update();
    }
}

}  // namespace warplens::gui
