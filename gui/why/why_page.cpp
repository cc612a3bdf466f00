// SPDX-License-Identifier: Apache-2.0
#include "gui/why/why_page.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/lesson_words.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/why_text.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/rates.hpp"
#include "gui/why/crossover_panel.hpp"
#include "gui/why/heat_panel.hpp"
#include "gui/why/sources_panel.hpp"
#include "gui/why/warp_panel.hpp"
#include "gui/why/why_panels.hpp"

#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace warplens::gui {

namespace {

constexpr int kRoomy = 700;  // height from which nothing is compact

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
      m_view(new ViewState(this)),
      m_ladder(makeLadderBar(m_model, this)),
      m_notice(new NoticeBar(this)),
      m_picture(new Pane(this)),
      m_heat(new HeatPanel(m_model, m_warp, this)),
      m_warpPanel(new WarpPanel(m_warp, this)),
      m_moved(makeMovedTable(m_model, this)),
      m_text(new WhyText(this)),
      m_roofline(new RooflinePanel(m_model, this)),
      m_occupancy(new OccupancyPanel(m_model, this)),
      m_sources(new SourcesPanel(m_model, this)),
      m_crossover(new CrossoverPanel(request, control, activity, this)),
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
               {m_ladder, m_notice, new SessionNotice(activity, this, false), {m_columns, 1}, {m_crossover, 1}});
    static_cast<QBoxLayout*>(m_ladder->layout())->insertWidget(0, makeParts());
    setPart(Part::picture);

    connect(&m_model, &WhyModel::countsChanged, this, &WhyPage::refreshText);
    connect(&m_model, &WhyModel::countsChanged, this, &WhyPage::refreshTiles);
    connect(&m_model, &WhyModel::mapChanged, this, &WhyPage::refreshPicture);
    connect(&m_model, &WhyModel::busyChanged, this, &WhyPage::refreshText);
    connect(&m_model, &WhyModel::taskChanged, this, [this] {
        m_placed = false;
        refreshPicture();
    });
    connect(&m_model, &WhyModel::busyChanged, this, &Page::primaryChanged);
    connect(&m_crossover->model(), &CrossoverModel::busyChanged, this, &Page::primaryChanged);
    connect(&m_warp, &WarpModel::changed, this, &WhyPage::refreshTiles);
    connect(m_picture->view(), &ImageView::pixelChosen, this,
            [this](QPoint pixel) { m_warp.pick(pixel, m_view->slice()); });
    connect(m_view, &ViewState::viewChanged, this, &Page::viewChanged);
    connect(m_view, &ViewState::cursorChanged, this, &Page::viewChanged);
    connect(m_view, &ViewState::displayChanged, this, &WhyPage::refreshTiles);
    refreshText();
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
    fill(column, {title, {scroll, 1}, {m_roofline, 1}, m_occupancy});
    return side;
}

void WhyPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_occupancy->setCompact(height() < kRoomy * typeScale());
    if (m_sized || width() < 600) return;
    m_sized = true;
    parallelForEach();
}

void WhyPage::parallelForEach() {
    m_columns->setSizes({width() * 37 / 100, width() * 32 / 100, width() * 31 / 100});
    // A low window's warp needs its lines of text.
    const int picture = height() < kRoomy * typeScale() ? 50 : 58;
    m_left->setSizes({height() * picture / 100, height() * (100 - picture) / 100});
    m_middle->setSizes({height() * 66 / 100, height() * 66 / 100, height() * 34 / 100});
}

void WhyPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_crossover->model().busy()) return m_crossover->model().cancel();
    if (event->key() == Qt::Key_Escape && m_model.busy()) return m_model.cancel();
    Page::keyPressEvent(event);
}

Page::Primary WhyPage::primary() const {
    if (m_crossover->model().busy())
        return {tr("Cancel   Esc"), tr("Stops the sweep; cells that are measured are kept.")};
    if (m_model.counting()) return {tr("Cancel   Esc"), tr("Stops counting; counts taken so far stay.")};
    return {tr("Count the ladder   F6"),
            tr("Counts the memory requests and operations of every variant; counts taken before are kept.")};
}

void WhyPage::runPrimary() {
    if (m_crossover->model().busy())
        m_crossover->model().cancel();
    else if (m_model.counting())
        m_model.cancel();
    else
        m_model.explain();
}

QImage WhyPage::view() { return grab().toImage(); }

bool WhyPage::settled() const {
    // Only a kernel of ours has a block that could be shown.
    const gpu::Variant* current = m_request.currentVariant();
    const bool placed = m_placed || (current != nullptr && current->kind != gpu::Variant::Kind::kernel);
    return !m_model.busy() && !m_warp.busy() && m_picture->view()->settled() && placed;
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
    m_roofline->refresh();
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
        return m_text->setMessage(m_model.busy() ? tr("being counted") : tr("Not counted; F6 counts the ladder."));
    auto sentences = foundBy(*record->counters);
    std::ranges::move(m_model.sentences(), std::back_inserter(sentences));
    m_text->setSentences(sentences, note() + wordsOfSentences(sentences));
}

}  // namespace warplens::gui
