// SPDX-License-Identifier: Apache-2.0
#include "gui/filter/filter_page.hpp"

#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gui/filter/crop_frame.hpp"
#include "gui/filter/steps_panel.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/slice_bar.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/session/live_tool.hpp"
#include "gui/session/pane_contents.hpp"
#include "io/crop.hpp"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QShowEvent>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

const QString kShows = QStringLiteral("picture/shows"), kResultKey = QStringLiteral("result");
constexpr double kWipeStep = 0.02;
constexpr double kLeftOut = 0.001;  ///< of the values at each end of a range, as Auto leaves out
/// Of the page; below it the picture has the margin and the row of its caption, as strip and quiet line say the same.
constexpr Length kCaptionedHeight{720};

/// A mask of 16 bits would have its input shown black: where one range does not do for both, the input has its own.
std::optional<OwnDisplay> ownDisplay(const io::Grid& input, const io::Grid& result, ColourMap map) {
    if (&input == &result || (input.type() == io::PixelType::u8 && result.type() == io::PixelType::u8)) return {};
    const DisplayRange own = sampledRange(input, kLeftOut);
    if (own.low >= own.high || liesAbout(own, sampledRange(result, kLeftOut))) return {};
    return OwnDisplay{.range = input.type() == io::PixelType::u8 ? DisplayRange() : own, .map = map};
}

/// Whether it keeps a part of the picture.
bool crops(const KnownStep& step) {
    const auto& all = step.family->parameters();
    const gpu::Parameter* box = gpu::findRole(all, gpu::Parameter::Role::box);
    return box != nullptr && !box->visibleWhen.empty() && !gpu::leftAside(*box, all, step.values);
}

}  // namespace

FilterPage::FilterPage(CompareSession& session, ViewState& view, QWidget* parent)
    : Page(parent), m_session(session), m_view(view), m_panel(new StepsPanel(session, this)) {
    setLook(this, "canvas");
    connect(m_panel, &StepsPanel::added, this, [this](const KnownStep& step) { m_holdsCrop = crops(step); });
    connect(m_panel, &StepsPanel::pageWanted, this, &Page::pageRequested);
    connect(m_panel, &StepsPanel::done, this, [this] { setFocus(); });
    makeCommands();
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &FilterPage::refresh);
}

void FilterPage::build() {
    m_grid = new PaneGrid(this);
    m_inspector = new InspectorStrip(this);
    m_range = new RangeBar(this);
    m_live = new LiveTool(*this, *m_grid, m_session, [] { return kResultKey; });
    m_inspector->setViewState(m_grid->viewState());
    m_range->setViewState(m_grid->viewState());
    auto* notice = made(new SessionNotice(m_session.activity(), this), {.id = "picture-notice"});
    connect(notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    makeColumn(this, {}, 0, {makeStrip(), notice, {m_grid, 1}, new SliceBar(*m_grid->viewState(), this), m_inspector});
    m_cropForm = makeCrop();

    const auto later = qOverload<>(&QTimer::start);
    connect(&m_session.results(), &Results::changed, &m_later, later);
    connect(&m_session.request(), &RequestState::taskChanged, &m_later, later);
    connect(&m_session.recipe(), &RecipeState::changed, &m_later, later);
    connect(&m_session.activity(), &Activity::busyChanged, &m_later, later);
    connect(&m_session.request(), &RequestState::taskChanged, this, &FilterPage::taskChanged);
    connect(&m_session.recipe(), &RecipeState::changed, this, &FilterPage::followStep);
    connect(&m_session.document(), &Document::changed, this, [this] {
        m_range->setInput(m_session.document().grid(), m_session.document().derived());
        followStep();
    });
    connect(m_range, &RangeBar::defaultSet, m_grid, &PaneGrid::setRange);
    connect(m_grid->viewState(), &ViewState::viewChanged, this, &Page::viewChanged);
    connect(m_grid, &PaneGrid::wipeMoved, this, &FilterPage::moveWipe);
    connect(new ShiftKey(this), &ShiftKey::held, m_grid, &PaneGrid::setFlipped);
    // The slice that is looked at is one wherever the picture is shown.
    ViewState& own = *m_grid->viewState();
    connect(&m_view, &ViewState::displayChanged, this, [this, &own] { own.setSlice(m_view.slice()); });
    connect(&own, &ViewState::displayChanged, this, [this, &own] { m_view.setSlice(own.slice()); });
    m_range->setSeen([this] { return seen(); });
    m_range->setServe([&session = m_session] { return statisticsBy(session); });
    m_range->setInput(m_session.document().grid(), m_session.document().derived());
}

QWidget* FilterPage::makeCrop() {
    m_crop = new CropFrame(this);  // behind the panes, so that it goes after them
    auto* form = made(new QWidget(m_panel), {.id = "crop-form"});
    m_ratio = made(new QComboBox(form), {.id = "crop-ratio", .name = tr("Ratio of width to height")});
    m_ratio->addItem(tr("Free"), 0.0);
    m_ratio->addItem(tr("As the picture"), -1.0);
    for (const auto& [width, height] :
         {std::pair{1, 1}, {3, 2}, {4, 3}, {5, 4}, {16, 9}, {2, 3}, {3, 4}, {4, 5}, {9, 16}})
        m_ratio->addItem(QStringLiteral("%1 : %2").arg(width).arg(height), static_cast<double>(width) / height);
    const auto side = [&](const char* id, const QString& name) {
        auto* spin = made(new QSpinBox(form), {.id = id, .name = name});
        spin->setRange(1, 1 << 20);
        spin->setKeyboardTracking(false);
        connect(spin, &QSpinBox::valueChanged, this, [this] {
            m_crop->setSize({m_cropWidth->value(), m_cropHeight->value()});
        });
        return spin;
    };
    m_cropWidth = side("crop-width", tr("Width in pixels"));
    m_cropHeight = side("crop-height", tr("Height in pixels"));
    auto* hint = made(
        new QLabel(
            tr("Drag over what to keep, the handles, or inside to move it. Arrows move by a pixel, with Shift by ten, "
               "with Ctrl the lower right corner. Enter, or another step, applies it."),
            form),
        {.look = "hint", .wraps = true});
    const auto titled = [&](const QString& title, QWidget* of) {
        return made(new QLabel(title, form), {.look = "label", .of = of});
    };
    makeColumn(form, {}, kGap,
               {makeRow(nullptr, {}, kGap, {titled(tr("Ratio"), m_ratio), {m_ratio, 1}}),
                makeRow(nullptr, {}, kGap,
                        {titled(tr("Size"), m_cropWidth),
                         {m_cropWidth, 1},
                         new QLabel(QStringLiteral("×"), form),
                         {m_cropHeight, 1}}),
                hint});
    const auto keep = [this] {
        const double chosen = m_ratio->currentData().toDouble();
        const io::Shape& whole = m_session.document().grid()->shape();
        m_crop->setRatio(chosen < 0 ? static_cast<double>(whole.width) / static_cast<double>(whole.height) : chosen);
    };
    connect(m_ratio, &QComboBox::activated, this, [this, keep] {
        keep();
        emit m_crop->taken(m_crop->part());
    });
    connect(m_crop, &CropFrame::changed, this, [this] {
        const QSignalBlocker quietWidth(m_cropWidth), quietHeight(m_cropHeight);
        m_cropWidth->setValue(m_crop->part().width());
        m_cropHeight->setValue(m_crop->part().height());
    });
    connect(m_crop, &CropFrame::taken, this, [this](const QRect& part) {
        const gpu::Parameter* box = cropBox();
        const io::Shape& whole = m_session.document().grid()->shape();
        const bool all = part.width() == whole.width && part.height() == whole.height;
        if (box != nullptr) m_session.parameters().set(box->id, all ? std::string() : boxOf(part));
    });
    connect(m_crop, &CropFrame::done, this,
            [this] { m_session.recipe().select(m_session.recipe().place()->recipe.steps.size()); });
    form->hide();
    return form;
}

const gpu::Parameter* FilterPage::cropBox() const {
    const ParameterState& values = m_session.parameters();
    const gpu::Parameter* box = m_panel->hasStep() ? values.findRole(gpu::Parameter::Role::box) : nullptr;
    if (box == nullptr || box->visibleWhen.empty() || !values.family()->info().makesPicture) return nullptr;
    return values.visible(*box) ? box : nullptr;
}

void FilterPage::showCrop(const gpu::Parameter* box) {
    m_panel->setOwnForm(box != nullptr ? m_cropForm : nullptr);
    if (box == nullptr) return m_crop->show(nullptr, {}, {});
    ImageView* view = m_grid->pane(0)->view();
    const io::Shape& whole = m_session.document().grid()->shape();
    m_crop->show(view, {static_cast<int>(whole.width), static_cast<int>(whole.height)},
                 partOf(gpu::format(m_session.parameters().value(box->id))));
    emit m_crop->changed();
    if (std::exchange(m_holdsCrop, false)) view->setFocus(Qt::OtherFocusReason);
}

void FilterPage::addCrop(const QRect& part) {
    const auto known = std::ranges::find_if(m_panel->known(), crops);
    if (known == m_panel->known().end()) return;  // its family is not there
    KnownStep step = *known;
    if (!part.isEmpty())
        step.values[gpu::findRole(step.family->parameters(), gpu::Parameter::Role::box)->id] = boxOf(part);
    m_panel->add(step);
}

QRect FilterPage::seen() const {
    const Pane* pane = m_grid == nullptr ? nullptr : m_grid->pane(m_grid->current());
    return pane == nullptr ? QRect() : pane->view()->seenPixels();
}

QWidget* FilterPage::makeStrip() {
    auto* strip = new ToolStrip(this);
    const auto mode = [&](Shows shows, const char* id, const QString& text, const QString& tip) {
        auto* button = made(
            new QPushButton(text, this),
            {.id = id, .look = "segment", .tip = tip, .checkable = true, .does = [this, shows] { setShows(shows); }});
        button->setAutoExclusive(true);
        button->setChecked(shows == m_shows);
        strip->addTool(button);
        m_modes.push_back(button);
    };
    mode(Shows::input, "shows-input", tr("Input"),
         tr("The picture as it was opened; hold Shift to see it for a moment."));
    mode(Shows::wipe, "shows-wipe", tr("Wipe"),
         tr("A line with the input on its left and the result on its right (W)."));
    mode(Shows::result, "shows-result", tr("Result"), tr("What all steps make."));
    mode(Shows::both, "shows-both", tr("Side by side"), tr("Input and result, linked."));
    strip->addRight(m_range);
    return strip;
}

void FilterPage::makeCommands() {
    const auto on = [this](const char* name, const QString& text, const QKeySequence& key, auto what) {
        connect(makeAction(name, text, key), &QAction::triggered, this, what);
    };
    on("picture-wipe", tr("&Wipe line"), Qt::Key_W,
       [this] { setShows(m_shows == Shows::wipe ? Shows::result : Shows::wipe); });
    on("picture-wipe-back", tr("Wipe line left"), Qt::Key_BracketLeft, [this] { moveWipe(m_wipe.at - kWipeStep); });
    on("picture-wipe-on", tr("Wipe line right"), Qt::Key_BracketRight, [this] { moveWipe(m_wipe.at + kWipeStep); });
    on("picture-input", tr("The &input"), Qt::Key_I,
       [this] { setShows(m_shows == Shows::input ? Shows::result : Shows::input); });
    on("picture-both", tr("Side by &side"), Qt::Key_B,
       [this] { setShows(m_shows == Shows::both ? Shows::result : Shows::both); });
    QAction* add = makeAction("add-step-key", tr("&Add a step"), Qt::Key_Slash);
    connect(add, &QAction::triggered, m_panel, &StepsPanel::typeStep);
    m_panel->addAction(add);  // beside every view, so that each hears the key
}

const Document::State& FilterPage::origin() const {
    const RecipePlace* place = m_session.recipe().place();
    return place != nullptr ? place->origin : m_session.document().state();
}

std::shared_ptr<const io::Grid> FilterPage::result() const {
    const RecipeState& recipe = m_session.recipe();
    if (recipe.goesOn()) {
        bool stale = false;
        const auto whole = recipe.whole(&stale);
        return stale ? nullptr : whole;
    }
    const RecipePlace* place = recipe.place();
    if (!m_panel->hasStep() || !place->recipe.steps[place->at].on) return m_session.document().grid();
    return presentPicture(m_session, m_session.request().current());
}

QString FilterPage::resultName() const {
    static const QRegularExpression kOdd(QStringLiteral("[^\\w.-]+"));
    QStringList words;
    const QString input = origin().name();
    words << (input.startsWith(QStringLiteral("gen:")) ? input.section(':', 1, 1)
                                                       : QFileInfo(input).completeBaseName());
    if (const RecipePlace* place = m_session.recipe().place())
        for (const gpu::recipe::Step& step : place->recipe.steps)
            if (step.on) words << nameOf(step, m_panel->known()).title.toLower();
    return words.join(' ').replace(kOdd, QStringLiteral("-"));
}

PaneContent FilterPage::resultContent() const {
    const RecipeState& recipe = m_session.recipe();
    const RecipePlace* place = recipe.place();
    PaneContent pane;
    if (recipe.goesOn()) {
        bool stale = false;
        pane.picture = recipe.whole(&stale);
        if (stale) pane.hint = tr("earlier values");
        if (pane.picture == nullptr)
            pane.message = recipe.wholeProblem().isEmpty() ? tr("computing") : recipe.wholeProblem();
    } else if (m_panel->hasStep() && place->recipe.steps[place->at].on && !m_session.request().current().empty() &&
               m_session.variants().variant(m_session.request().current()) != nullptr) {
        pane = variantContent(m_session, m_session.request().current());
        pane.timeMs.reset();
        pane.idea.reset();
        pane.detail.clear();
        if (pane.picture == nullptr && m_session.activity().busy()) pane.message = tr("computing");
    } else {
        pane = inputContent(m_session);
    }
    pane.key = kResultKey;
    if (place != nullptr && !place->recipe.steps.empty()) pane.title = tr("Result");
    pane.hint = pane.hint == tr("earlier values") ? pane.hint : QString();
    if (m_session.preview().shown()) {
        pane.state = ResultState::unverified;
        pane.hint.clear();
    }
    return pane;
}

PaneContent FilterPage::before(PaneContent input, const io::Grid* result) {
    const RecipePlace* place = m_session.recipe().place();
    if (place == nullptr || input.picture == nullptr || result == nullptr) return input;
    const io::Shape &whole = input.picture->shape(), &made = result->shape();
    QRect part(0, 0, static_cast<int>(whole.width), static_cast<int>(whole.height));
    for (const gpu::recipe::Step& step : place->recipe.steps) {
        const KnownStep known{.words = {}, .family = gpu::findFamily(step.family), .values = step.parameters};
        if (!step.on || known.family == nullptr || !crops(known)) continue;
        const auto& all = known.family->parameters();
        const QRect kept =
            partOf(gpu::format(gpu::valueOf(all, known.values, gpu::findRole(all, gpu::Parameter::Role::box)->id)));
        if (!kept.isEmpty()) part = kept.translated(part.topLeft()) & part;
    }
    if (whole == made || part.width() != made.width || part.height() != made.height) return input;
    if (std::exchange(m_beforeOf, {input.picture, part}) != m_beforeOf)
        m_before =
            std::make_shared<const io::Grid>(io::crop(*input.picture, part.x(), part.y(), part.width(), part.height()));
    input.picture = m_before;
    return input;
}

void FilterPage::setShows(Shows shows) {
    m_shows = shows;
    if (!m_modes.empty()) m_modes[static_cast<std::size_t>(shows)]->setChecked(true);
    refresh();
}

void FilterPage::moveWipe(double at) {
    m_wipe.at = std::clamp(at, 0.0, 1.0);
    if (m_shows == Shows::wipe) m_grid->setWipe(kResultKey, m_wipe);
}

void FilterPage::taskChanged(const Task& before, const Task& now) {
    // Another family, chosen by name somewhere, is a step here; its values come a moment later.
    const bool chosen = before.family != nullptr && before.family != now.family && before.samePicture(now);
    if (!chosen || !isVisible() || m_panel->hasStep() || m_session.history().replaying() ||
        m_session.document().empty())
        return;
    QTimer::singleShot(0, this, [this, family = now.family] {
        // Another view has a task of its own.
        if (!isVisible() || m_panel->hasStep() || m_session.parameters().family() != family) return;
        gpu::ParameterValues values = m_session.parameters().values();
        std::erase_if(values, [](const auto& one) {  // a step names the pictures it takes
            return std::holds_alternative<std::shared_ptr<const gpu::NamedGrid>>(one.second);
        });
        for (const auto& [id, value] : usualValues(*family)) values.try_emplace(id, value);
        m_session.recipe().insert(*family, values);
    });
}

void FilterPage::followStep() {
    // Without a step nothing is asked for, and nothing runs.
    if (isVisible()) m_session.lookedAt().setPlaces(m_panel->hasStep() ? 1 : 0);
    m_later.start();
}

void FilterPage::refresh() {
    if (!isVisible()) return;
    PaneContent input = inputPane(origin().picture.grid, origin().name()), result = resultContent();
    input.title = tr("Input");
    if (m_session.document().empty()) input.message = tr("Open a picture, or drop one here.");
    const gpu::Parameter* box = cropBox();
    if (box != nullptr) {
        // All of what the step takes, of which it keeps what lies within the frame.
        result = inputContent(m_session);
        result.key = kResultKey;
        result.title = tr("Crop");
        result.hint.clear();
    }
    std::vector<PaneContent> contents;
    if (input.picture != nullptr && result.picture != nullptr)
        input.display = ownDisplay(*input.picture, *result.picture, m_grid->viewState()->colourMap());
    if (box != nullptr)
        contents.push_back(result);
    else if (m_shows == Shows::input || m_shows == Shows::both)
        contents.push_back(input);
    if (box == nullptr && m_shows != Shows::input) contents.push_back(result);
    m_grid->setPanes(contents);
    // Until all steps are done the frame stands for what they make.
    const bool come = result.hint.isEmpty() && result.picture != nullptr;
    if (!m_session.preview().shown() && (come || !m_session.activity().busy())) m_live->release();
    showCrop(box);
    for (int i = 0; box == nullptr && i < std::ssize(contents); ++i) m_grid->pane(i)->view()->setOverlays({&m_scale});
    const PaneContent reference = before(input, result.picture.get());
    const bool noWipe = m_shows == Shows::wipe && box == nullptr && result.picture != nullptr &&
                        reference.picture->shape() != result.picture->shape();
    if (noWipe) {
        contents.back().hint = tr("no wipe: the steps change the size");
        m_grid->setPanes(contents);
    }
    const bool ownRange = m_shows == Shows::wipe && box == nullptr && reference.display && !noWipe;
    if (ownRange) {
        const DisplayRange& range = reference.display->range;
        contents.back().hint = tr("input shown from %1 to %2").arg(format::value(range.low), format::value(range.high));
        m_grid->setPanes(contents);
    }
    const bool low = height() < kCaptionedHeight;
    const int margin = low ? 0 : kGap;
    m_grid->layout()->setContentsMargins(margin, margin, margin, margin);
    m_grid->pane(0)->caption()->setVisible(!low || contents.size() > 1 || noWipe || ownRange || box != nullptr);
    m_grid->setReference(reference);
    m_grid->setWipe(box == nullptr && m_shows == Shows::wipe ? kResultKey : QString(), m_wipe);
    m_inspector->setPanes({input, result});
    m_range->setCurrent(result.picture != nullptr ? result.picture : m_session.document().grid());
    emit primaryChanged();
}

Page::Primary FilterPage::primary() const {
    return {.text = tr("Save as...   Ctrl+S"),
            .tip = tr("Saves what all steps make, in any format; what a format loses is said beside it."),
            .enabled = !m_session.document().empty()};
}

QImage FilterPage::grabPanes() { return m_grid->grab().toImage(); }

void FilterPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (event->spontaneous()) return;  // the window itself comes and goes
    if (m_grid == nullptr) build();
    m_placesBefore = m_session.lookedAt().places();
    m_session.recipe().takeUp();
    m_session.recipe().setWholeWanted(true);
    followStep();
    refresh();
}

void FilterPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_later.start();
}

void FilterPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    if (event->spontaneous()) return;
    m_panel->setOwnForm(nullptr);
    m_session.recipe().setWholeWanted(false);
    m_session.lookedAt().setPlaces(m_placesBefore);  // other pages show what is at hand, asked for or not
}

void FilterPage::restore(const QSettings& settings) {
    setShows(static_cast<Shows>(std::clamp(settings.value(kShows, static_cast<int>(Shows::result)).toInt(), 0, 3)));
}

void FilterPage::save(QSettings& settings) const { settings.setValue(kShows, static_cast<int>(m_shows)); }

}  // namespace warplens::gui
