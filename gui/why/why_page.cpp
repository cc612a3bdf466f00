// SPDX-License-Identifier: Apache-2.0
#include "gui/why/why_page.hpp"

#include "gui/kit/lesson_words.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/plot/plot_view.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/why_text.hpp"
#include "gui/request/family_chooser.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/rates.hpp"
#include "gui/why/why_panels.hpp"

#include <QKeyEvent>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace warplens::gui {

namespace {

constexpr int kRoomyParts = 1300;  ///< width from which the buttons of the parts are as wide as others

/// A paragraph for each technical word: the reader may know C alone.
QString wordsOfSentences(const std::vector<gpu::WhySentence>& sentences) {
    QStringList said;
    for (const gpu::WhySentence& sentence : sentences) said << QString::fromStdString(gpu::plainText(sentence));
    QString text;
    for (const LessonWord& word : wordsOf(said.join(u' ')))
        text += QStringLiteral("\n%1: %2.").arg(word.word, word.meaning);
    return text;
}

/// What is wrong comes before why it is fast.
std::vector<gpu::WhySentence> foundBy(const gpu::Counters& counters) {
    constexpr std::size_t kMost = 3;
    std::vector<gpu::WhySentence> sentences;
    for (const gpu::TraceFinding& finding : counters.findings) {
        if (sentences.size() == kMost) break;
        sentences.push_back({gpu::WhyClaim::wastes,
                             {{.text = nameOfCheck(finding.check).toStdString(), .strong = true},
                              {.text = ": " + finding.message + ".", .origin = gpu::Origin::counted}}});
    }
    return sentences;
}

}  // namespace

WhyPage::WhyPage(RequestState& request, Results& results, RunControl& control, Activity& activity,
                 const ViewState& compare, QWidget* parent)
    : Page(parent),
      m_request(request),
      m_compareView(compare),
      m_model(request, results, control, activity, [](const gpu::Family& family) { return lensOf(family).pixelMap(); }),
      m_warp(m_model),
      m_sweeps(request, control, activity),
      m_view(new ViewState(this)),
      m_ladder(makeLadderBar(m_model, this)),
      m_notice(new NoticeBar(this)),
      m_picture(new Pane(this)),
      m_heat(makeHeatPanel(m_model, m_warp, this)),
      m_warpPanel(makeWarpPanel(m_warp, this)),
      m_moved(makeMovedTable(m_model, this)),
      m_text(new WhyText(this)),
      m_film(new FilmPanel(this)),
      m_sources(makeSourcesPanel(m_model, this)),
      m_compiler(makeCompilerPanel(m_model, this)),
      m_crossover(makeCrossoverPanel(request, m_sweeps, this)),
      m_columns(makeSplitter(Qt::Horizontal, this)),
      m_left(makeSplitter(Qt::Vertical, this)),
      m_middle(makeSplitter(Qt::Vertical, this)) {
    setLook(this, "canvas");
    // The range of a new picture is known only once the comparison shows it.
    connect(&m_compareView, &ViewState::displayChanged, this, &WhyPage::refreshPicture);
    m_picture->view()->setObjectName(QStringLiteral("why-picture"));
    m_picture->view()->setViewState(m_view);
    m_text->setObjectName(QStringLiteral("why-text"));
    m_left->addWidget(makePicture());
    m_left->addWidget(m_warpPanel);
    m_middle->addWidget(m_heat);
    m_middle->addWidget(m_sources);
    m_middle->addWidget(m_moved);
    m_columns->addWidget(m_left);
    m_columns->addWidget(m_middle);
    m_columns->addWidget(makeWhy());
    constexpr int kShares[] = {37, 32, 31};  // of the width, also when docks of another page go
    for (int i = 0; i < 3; ++i) m_columns->setStretchFactor(i, kShares[i]);
    makeColumn(this, {}, 1,
               {m_ladder,
                m_notice,
                new SessionNotice(activity, this, false),
                {m_columns, 1},
                {m_film, 1},
                {m_compiler, 1},
                {m_crossover, 1}});
    static_cast<QBoxLayout*>(m_ladder->layout())->insertWidget(0, makeParts());
    makeFilmCommands();
    setPart(Part::picture);

    connect(&m_model, &WhyModel::countsChanged, this, &WhyPage::refreshText);
    connect(&m_model, &WhyModel::countsChanged, this, &WhyPage::refreshTiles);
    connect(&m_model, &WhyModel::countsChanged, this, &WhyPage::refreshFilm);
    // A kernel of the user's may have another text by now.
    connect(&m_request.variants(), &VariantListModel::checkedChanged, this, &WhyPage::refreshFilm);
    connect(&m_model, &WhyModel::mapChanged, this, &WhyPage::refreshPicture);
    connect(&m_model, &WhyModel::busyChanged, this, &WhyPage::refreshText);
    connect(&m_model, &WhyModel::taskChanged, this, [this] {
        m_placed = false;
        refreshPicture();
    });
    connect(&m_model, &WhyModel::busyChanged, this, &Page::primaryChanged);
    connect(&m_sweeps, &CrossoverModel::busyChanged, this, &Page::primaryChanged);
    connect(&m_warp, &WarpModel::changed, this, &WhyPage::refreshTiles);
    connect(m_picture->view(), &ImageView::pixelChosen, this,
            [this](QPoint pixel) { m_warp.pick(pixel, m_view->slice()); });
    connect(m_view, &ViewState::viewChanged, this, &Page::viewChanged);
    connect(m_view, &ViewState::cursorChanged, this, &Page::viewChanged);
    connect(m_view, &ViewState::displayChanged, this, &WhyPage::refreshTiles);
    refreshText();
    after(this, {QEvent::StyleChange}, [this] { fitParts(); });
    on(this, {QEvent::Show}, [this] {
        m_model.setActive(true);
        m_warp.setActive(true);
        refreshPicture();
    });
    on(this, {QEvent::Hide}, [this] {
        m_model.setActive(false);
        m_warp.setActive(false);
    });
}

QWidget* WhyPage::makeWhy() {
    auto* side = made(new QWidget(this), {.look = "dock"});
    auto* column = makeColumn(side, {}, 0);
    auto* title = new QWidget(side);
    titleRow(title, kTitleHeight, tr("Why"))->addStretch(1);
    setLook(m_text, "dock");
    auto* scroll = makeScroll(m_text, side);
    scroll->setFrameShape(QFrame::NoFrame);
    fill(column, {title, {scroll, 1}, {makeRooflinePanel(m_model, side), 1}, makeOccupancyPanel(m_model, this)});
    return side;
}

void WhyPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fitParts();
    if (m_sized || width() < 600) return;
    m_sized = true;
    layOutPicture();
}

void WhyPage::layOutPicture() {
    m_columns->setSizes({width() * 37 / 100, width() * 32 / 100, width() * 31 / 100});
    // A low window's warp needs its lines of text.
    const int picture = height() < kRoomyPage * typeScale() ? 50 : 58;
    m_left->setSizes({height() * picture / 100, height() * (100 - picture) / 100});
    m_middle->setSizes({height() * 66 / 100, height() * 66 / 100, height() * 34 / 100});
}

void WhyPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_sweeps.busy()) return m_sweeps.cancel();
    if (event->key() == Qt::Key_Escape && m_model.busy()) return m_model.cancel();
    Page::keyPressEvent(event);
}

Page::Primary WhyPage::primary() const {
    if (m_sweeps.busy()) return {tr("Cancel   Esc"), tr("Stops the sweep; cells that are measured are kept.")};
    if (m_model.counting()) return {tr("Cancel   Esc"), tr("Stops counting; counts taken so far stay.")};
    return {tr("Count all variants   F6"),
            tr("Counts the memory requests and operations of every variant; counts taken before are kept.")};
}

void WhyPage::runPrimary() {
    if (m_sweeps.busy())
        m_sweeps.cancel();
    else if (m_model.counting())
        m_model.cancel();
    else
        m_model.explain();
}

bool WhyPage::settled() const {
    // Only a kernel of ours has a block that could be shown.
    const gpu::Variant* current = m_request.currentVariant();
    const bool ladder = current != nullptr && m_request.variants().kernel(current->id) == nullptr;
    const bool placed = m_placed || !ladder || current->kind != gpu::Variant::Kind::kernel;
    return !m_model.busy() && !m_warp.busy() && !m_model.listing() && !m_film->model().busy() &&
           m_picture->view()->settled() && placed;
}

QString WhyPage::viewText() const {
    QStringList parts;
    const auto grid = m_request.document().grid();
    if (const auto at = m_view->cursor(); at && grid != nullptr) {
        parts << tr("x %1 y %2").arg(format::integer(at->x()), format::integer(at->y()));
        parts << tr("input %1").arg(pixelText(*grid, at->x(), at->y(), m_view->slice()));
        if (const gpu::LoadMap* map = m_model.map())
            parts << m_model.mapKind().atPixel.arg(format::value(map->loads->value(at->x(), at->y(), m_view->slice())));
    }
    parts << tr("%1 %").arg(format::integer(std::llround(100 * m_view->zoom())));
    return parts.join(QStringLiteral("   "));
}

QString WhyPage::note() const {
    QStringList sentences{tr("Counts: this picture.")};
    const gpu::Variant* current = m_request.currentVariant();
    const auto time = current == nullptr ? std::nullopt : m_model.time(current->id);
    if (const auto recorded = m_model.recordedTimes(); time && time->origin == gpu::Origin::recorded && recorded) {
        const gpu::Report& run = recorded->report();
        const io::Shape& shape = run.input.shape;
        const QString depth = shape.depth > 1 ? QStringLiteral(" × ") + format::integer(shape.depth) : QString();
        sentences.prepend(tr("Times: recorded run, %1, %2, %3 %4 (%5).")
                              .arg(QString::fromStdString(run.device.name), format::date(run.environment.date),
                                   format::extent(shape.width, shape.height) + depth,
                                   QString::fromStdString(run.input.type), inputKind(run)));
    } else if (!time) {
        sentences << tr("There is no time of a GPU for this task: no winner is named.");
    }
    return sentences.join(u' ');
}

void WhyPage::refreshText() {
    m_notice->setNotice(m_model.problem());
    emit viewChanged();
    const gpu::Variant* current = m_request.currentVariant();
    if (current == nullptr || m_request.document().empty())
        return m_text->setMessage(tr("Open a picture; then its ladder is counted."));
    if (current->kind == gpu::Variant::Kind::library)
        return m_text->setMessage(tr("%1 is a library, which cannot be traced. Choose a variant above.")
                                      .arg(QString::fromStdString(current->title)));
    if (current->kind == gpu::Variant::Kind::portable)
        return m_text->setMessage(
            tr("%1 is not CUDA and is not traced. Below, its source stands beside that of %2.")
                .arg(QString::fromStdString(current->title), QString::fromStdString(current->predecessor)));
    const gpu::RunRecord* record = m_model.record(current->id);
    if (record != nullptr && !record->counters) return m_text->setMessage(QString::fromStdString(record->reason));
    if (record == nullptr)
        return m_text->setMessage(m_model.busy() ? tr("being counted") : tr("Not counted; F6 counts all variants."));
    auto sentences = foundBy(*record->counters);
    std::ranges::move(m_model.sentences(), std::back_inserter(sentences));
    m_text->setSentences(sentences, note() + wordsOfSentences(sentences));
}

WhyPage::Tool WhyPage::makeTool(const char* name, const QString& text, const QString& command, const QString& tip,
                                const QKeySequence& key, bool checkable) {
    QAction* action = makeAction(name, command, key);
    action->setToolTip(tip);
    action->setCheckable(checkable);
    auto* button = made(new QPushButton(text, this), {.name = text});
    followAction(button, action);
    return {button, action};
}

QWidget* WhyPage::makeParts() {
    auto* parts = new QWidget(this);
    auto* row = makeRow(parts, {}, 0);
    // The task dock is hidden here.
    FamilyChooser* family = makeFamilyChooser(m_request, parts);
    family->setObjectName(QStringLiteral("why-family"));
    family->hideTask();
    fill(row, {family, spacer(kGap)});
    auto* group = new QActionGroup(this);
    const auto part = [&](Part id, const char* name, const QString& text, const QString& command, const QString& tip,
                          const QKeySequence& key) {
        const auto [button, action] = makeTool(name, text, command, tip, key, true);
        setLook(button, "segment");
        row->addWidget(button);
        group->addAction(action);
        m_partActions[id] = action;
        connect(action, &QAction::triggered, this, [this, id] {
            setPart(id);
            if (id == Part::film) m_film->setFocus(Qt::ShortcutFocusReason);
            if (id != Part::crossover) return;
            // Arrow keys go through the cells then, and Return takes the best.
            for (PlotView* view : m_crossover->findChildren<PlotView*>())
                if (!view->isHidden()) view->setFocus(Qt::ShortcutFocusReason);
        });
    };
    part(Part::picture, "why-part-picture", tr("Picture"), tr("The p&icture and one source"),
         tr("The picture, the source of one variant and one of its warps."), Qt::Key_I);
    part(Part::film, "why-part-film", tr("Film"), tr("The fil&m of a block"),
         tr("One block step by step: what its warps read, keep and write, and where they wait."), Qt::Key_M);
    part(Part::sources, "why-part-sources", tr("Sources"), tr("Two sourc&es side by side"),
         tr("The sources of two variants side by side, with the counts and times that changed."), Qt::Key_E);
    part(Part::compiler, "why-part-compiler", tr("Compiler"), tr("W&hat the compiler made"),
         tr("PTX or SASS of one variant beside its source, with figures beside those of another."), Qt::Key_C);
    part(Part::crossover, "why-part-crossover", tr("Crossover"), tr("&Who wins where"),
         tr("Which variant wins at which radius and picture size."), Qt::Key_X);
    return parts;
}

void WhyPage::makeFilmCommands() {
    const auto command = [this](const char* name, const QString& text, std::function<void()> does) {
        connect(makeAction(name, text, {}), &QAction::triggered, this, [this, does = std::move(does)] {
            setPart(Part::film);
            does();
        });
    };
    command("why-film-both", tr("Film of two &variants"), [this] { m_film->setBoth(!m_film->clock().both()); });
    command("why-film-save", tr("Save the fi&lm..."), [this] { m_film->saveFilm(false); });
    command("why-film-frames", tr("Save the film's &frames..."), [this] { m_film->saveFilm(true); });
}

void WhyPage::fitParts() {
    const bool tight = width() < kRoomyParts * typeScale();
    for (QPushButton* button : m_ladder->findChildren<QPushButton*>(QRegularExpression(QStringLiteral("^why-part-"))))
        button->setStyleSheet(tight ? QStringLiteral("QPushButton { padding: 0 3px; }") : QString());
}

bool WhyPage::compareSources(const std::string& against) {
    emit pageRequested(id());  // first, as the page begins with a variant's predecessor
    m_model.setComparedVariant(against);
    setPart(Part::sources);
    return true;
}

void WhyPage::setPart(Part part) {
    const std::array splitters{m_columns, m_left, m_middle};
    if (m_part == Part::picture && part != m_part && m_sized)
        for (std::size_t i = 0; i < splitters.size(); ++i) m_splits[i] = splitters[i]->sizes();
    m_part = part;
    m_partActions.at(part)->setChecked(true);
    // What goes is hidden before the rest is shown: both at once would need more room than a small window has, and it
    // would grow.
    const bool wide = part == Part::film || part == Part::compiler || part == Part::crossover;
    if (part != Part::film) m_film->hide();
    if (part != Part::compiler) m_compiler->hide();
    if (part != Part::crossover) m_crossover->hide();
    m_left->setVisible(part == Part::picture);
    m_heat->setVisible(part == Part::picture);
    m_sources->setVisible(part == Part::sources);
    m_columns->setVisible(!wide);
    if (part == Part::film) {
        m_film->show();
        refreshFilm();
    }
    if (part == Part::compiler) m_compiler->show();
    if (part == Part::crossover) m_crossover->show();
    // A splitter that was hidden shares out anew, by what its children would like.
    if (part != Part::picture || !m_sized) return;
    layout()->activate();
    if (m_splits.front().isEmpty()) return layOutPicture();
    for (std::size_t i = 0; i < splitters.size(); ++i) splitters[i]->setSizes(m_splits[i]);
}

}  // namespace warplens::gui
