// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/range_bar.hpp"

#include "gui/kit/panel.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/picture/value_colours.hpp"
#include "io/crop.hpp"

#include <QGuiApplication>
#include <QPixmap>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr int kFieldWidth = 88, kGammaWidth = 72;

}  // namespace

RangeBar::RangeBar(QWidget* parent)
    : QWidget(parent),
      m_low(made(new ValueSpin(this), {.name = tr("Value shown as black"),
                                       .tip = tr("Stored value shown as black, the same in all panes")})),
      m_high(made(new ValueSpin(this), {.name = tr("Value shown as white"),
                                        .tip = tr("Stored value shown as white, the same in all panes")})),
      m_gamma(made(new ValueSpin(this),
                   {.id = "display-gamma",
                    .name = tr("Display gamma"),
                    .tip = tr("Display gamma: above 1 the shades between black and white are shown brighter, as 2.2 "
                              "does for linear data. "
                              "The stored values stay as they are")})),
      m_label(new QLabel(tr("Range"), this)),
      m_scope(made(new QLabel(this), {.look = "hint"})),
      m_auto(made(new QPushButton(tr("Auto"), this), {.id = "display-range-auto"})),
      m_reset(made(new QPushButton(tr("Reset"), this), {.id = "range-reset",
                                                        .tip = tr("The range with which the picture was opened"),
                                                        .does = [this] { reset(); }})) {
    auto* layout = makeRow(this, {}, 6);
    setWidgetText(m_label, {.look = "caption", .of = m_low});
    auto* const dash = new QLabel(QStringLiteral("–"), this);
    setShared(true);
    fill(layout, {spring(), m_label, m_low, dash, m_high, m_gamma, m_scope, m_auto, m_reset});

    m_gamma->setPrefix(QStringLiteral("γ "));
    m_gamma->setRange(0.1, 10);
    m_gamma->setDecimals(2);
    m_gamma->setStepType(QAbstractSpinBox::DefaultStepType);
    m_gamma->setSingleStep(0.1);
    m_gamma->setFixedWidth(kGammaWidth);
    connect(m_gamma, &QDoubleSpinBox::valueChanged, this, &RangeBar::edited);
    nameAuto({});
    for (QPushButton* button : {m_auto, m_reset}) setLook(button, "flat");
    for (QDoubleSpinBox* spin : {m_low, m_high}) {
        spin->setFixedWidth(kFieldWidth);
        connect(spin, &QDoubleSpinBox::valueChanged, this, &RangeBar::edited);
    }
    connect(m_auto, &QPushButton::clicked, this, [this] {
        if (QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier))
            autoRangeOfSeen();
        else
            autoRange();
    });
    show(DisplayRange{});
    on(this, {QEvent::Resize}, [this] {
        int room = width() - minimumSizeHint().width();
        for (QLabel* words : {m_label, m_scope}) {
            words->setVisible(room >= widthOf(words));
            room -= widthOf(words);
        }
    });
}

RangeBar::~RangeBar() = default;

void RangeBar::setViewState(ViewState* state) {
    if (m_state) m_state->disconnect(this);
    m_state = state;
    if (!state) return;
    connect(state, &ViewState::displayChanged, this, [this] { show(m_state->range()); });
    show(state->range());
}

int RangeBar::widthOf(const QWidget* part) const { return part->sizeHint().width() + layout()->spacing(); }

QSize RangeBar::minimumSizeHint() const {
    QSize least = QWidget::minimumSizeHint();
    for (const QLabel* words : {m_label, m_scope})
        if (!words->isHidden()) least.rwidth() -= widthOf(words);
    return least;
}

QSize RangeBar::sizeHint() const { return minimumSizeHint() + QSize(widthOf(m_label) + widthOf(m_scope), 0); }

void RangeBar::setShared(bool shared) { m_scope->setText(shared ? QString() : tr("this pane")); }

void RangeBar::show(DisplayRange range) {
    const QSignalBlocker quietLow(m_low), quietHigh(m_high), quietGamma(m_gamma);
    m_low->setValue(range.low);
    m_high->setValue(range.high);
    m_gamma->setValue(range.gamma);
    // Rarely wanted, and wide: it is there where it does something, and while it is typed.
    m_gamma->setVisible(range.gamma != 1 || m_gamma->hasFocus());
}

void RangeBar::edited() {
    if (m_state) m_state->setRange({m_low->value(), m_high->value(), m_gamma->value()});
}

void RangeBar::setInput(std::shared_ptr<const io::Grid> input, bool computed) {
    if (input == m_input) return;
    keepChosen();
    const bool follows = computed && m_input != nullptr && m_default.has_value();
    m_input = std::move(input);
    m_current = m_input;
    m_default.reset();
    if (!m_input) return;
    // What scanners and cameras store fills a small part of 16 bits: it would look black over the type's range.
    const bool bytes = m_input->type() == io::PixelType::u8;
    if (bytes && !follows) return takeDefault(defaultRange(m_input->type(), {}));
    inBackground(
        this, [picture = m_input] { return statisticsOf(*picture); },
        [this, bytes, follows, picture = m_input,
         before = m_state ? m_state->range() : DisplayRange()](const auto& statistics) {
            if (picture != m_input) return;
            const DisplayRange own = gui::autoRange(statistics);
            const DisplayRange range = follows && liesAbout(own, before) ? before
                                       : bytes                           ? defaultRange(picture->type(), {})
                                                                         : own;
            // A range that was chosen by now, as a session brings one, stays.
            if (m_state && m_state->range() != before)
                m_default = range;
            else
                takeDefault(range);
        });
}

void RangeBar::keepChosen() {
    constexpr std::size_t kMost = 8;
    if (!m_input || !m_state || !m_default) return;
    std::erase_if(m_chosen, [this](const auto& one) { return one.first.expired() || one.first.lock() == m_input; });
    if (m_state->range() != *m_default) m_chosen.emplace_back(m_input, m_state->range());
    if (m_chosen.size() > kMost) m_chosen.pop_front();
}

void RangeBar::takeDefault(DisplayRange range) {
    m_default = range;
    reset();
    const auto kept = std::ranges::find_if(m_chosen, [this](const auto& one) { return one.first.lock() == m_input; });
    if (kept != m_chosen.end() && m_state) m_state->setRange(range = kept->second);
    emit defaultSet(range);
}

void RangeBar::nameAuto(const QString& by) {
    const QString what =
        tr("Range of the current pane without 0.1 % of its values at each end; NaN and infinities are ignored. With "
           "Shift: only of the part in view");
    m_auto->setToolTip(by.isEmpty() ? what : what + tr(" (the last one: %1)").arg(by));
}

void RangeBar::autoRangeOfSeen() {
    const auto whole = m_current ? m_current : m_input;
    if (!whole || !m_seen) return autoRange();
    const io::Shape& shape = whole->shape();
    const QRect all(0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height));
    const QRect seen = m_seen().intersected(all);
    if (seen.isEmpty() || seen == all) return autoRange();
    autoRangeOf(seen);
}

void RangeBar::autoRangeOf(std::optional<QRect> part) {
    const auto whole = m_current ? m_current : m_input;
    if (!whole) return;
    m_auto->setEnabled(false);
    m_jobs.start(
        this,
        [whole, part, serve = m_offer ? m_offer() : Serve()](const JobContext& context) {
            const auto picture = part ? std::make_shared<const io::Grid>(
                                            io::crop(*whole, part->x(), part->y(), part->width(), part->height()))
                                      : whole;
            const auto served = serve ? serve(picture, context.stop()) : std::nullopt;
            return served ? *served : statisticsOf(*picture);
        },
        [this](const JobResult<PictureStatistics>& result) {
            m_auto->setEnabled(true);
            if (!result) return;
            const PictureStatistics& statistics = result.value();
            if (m_state) m_state->setEnds(gui::autoRange(statistics));
            nameAuto(statistics.by);
            emit autoDone(statistics.nonFinite);
        });
}

void RangeBar::askGamma() {
    m_gamma->show();
    m_gamma->setFocus();
    m_gamma->selectAll();
}

void RangeBar::reset() {
    if (m_state && m_default) m_state->setRange(*m_default);
}

QImage colourStrip(ColourMap map, QSize size) {
    QImage strip(size, QImage::Format_RGB32);
    // Of labels the first few.
    const float last = map == ColourMap::labels ? 12 : 1;
    const ValueColours colours({0, last}, map, surroundColour().rgb());
    for (int x = 0; x < size.width(); ++x) {
        const QRgb ink = colours.one(last * (static_cast<float>(x) + 0.5F) / static_cast<float>(size.width()));
        for (int y = 0; y < size.height(); ++y) strip.setPixel(x, y, ink);
    }
    return strip;
}

ColourMapButton::ColourMapButton(ViewState& state, QWidget* parent)
    : QToolButton(parent), m_state(&state), m_choices(new QActionGroup(this)) {
    setWidgetText(this, {.id = "colour-map", .look = "flat"});
    setPopupMode(QToolButton::InstantPopup);
    setToolTip(tr("Colours of the values, the same in all panes"));
    auto* menu = new QMenu(this);
    for (const ColourMap map : kColourMaps) {
        QAction* action = menu->addAction(QIcon(QPixmap::fromImage(colourStrip(map, {64, 16}))), nameOf(map));
        action->setCheckable(true);
        action->setData(static_cast<int>(map));
        m_choices->addAction(action);
        connect(action, &QAction::triggered, this, [this, map] { choose(map); });
    }
    menu->addSeparator();
    m_labels = menu->addAction(tr("Labels (32-bit integers) in colours of their own"));
    m_labels->setObjectName(QStringLiteral("label-colours"));
    m_labels->setCheckable(true);
    connect(m_labels, &QAction::triggered, this, [this](bool on) { m_state->setLabelColours(on); });
    m_mark = menu->addAction(tr("Mark values outside the range"));
    m_mark->setObjectName(QStringLiteral("mark-outside"));
    m_mark->setCheckable(true);
    connect(m_mark, &QAction::triggered, this, [this](bool on) { m_state->setMarkOutside(on); });
    const std::pair<QRgb, QString> fixed[] = {{kBelowColour, tr("below the range")},
                                              {kAboveColour, tr("above the range")},
                                              {kNanColour, tr("NaN")},
                                              {kPlusInfColour, tr("+∞")},
                                              {kMinusInfColour, tr("−∞")}};
    for (const auto& [ink, name] : fixed) {
        QPixmap swatch(64, 16);
        swatch.fill(QColor::fromRgb(ink));
        QIcon icon;
        icon.addPixmap(swatch, QIcon::Normal);
        icon.addPixmap(swatch, QIcon::Disabled);
        menu->addAction(icon, name)->setEnabled(false);  // says what a colour means
    }
    setMenu(menu);
    setViewState(state);
}

void ColourMapButton::setViewState(ViewState& state) {
    m_state->disconnect(this);
    m_state = &state;
    connect(m_state, &ViewState::displayChanged, this, &ColourMapButton::refresh);
    refresh();
}

void ColourMapButton::setCurrent(const io::Grid* picture) {
    m_ofLabels = picture != nullptr && mapFor(*picture, ColourMap::grey, true) == ColourMap::labels;
    refresh();
}

ColourMap ColourMapButton::shown() const {
    return m_ofLabels && m_state->labelColours() ? ColourMap::labels : m_state->colourMap();
}

void ColourMapButton::choose(ColourMap map) {
    // Labels are shown in a map of their own, which another one that is chosen replaces.
    if (m_ofLabels) m_state->setLabelColours(map == ColourMap::labels);
    m_state->setColourMap(map);
    refresh();
}

void ColourMapButton::refresh() {
    const ColourMap map = shown();
    setText(nameOf(map) + QStringLiteral(" ▾"));
    setAccessibleName(tr("Colour map %1").arg(nameOf(map)));
    m_labels->setChecked(m_state->labelColours());
    m_mark->setChecked(m_state->markOutside());
    for (QAction* action : m_choices->actions()) action->setChecked(action->data().toInt() == static_cast<int>(map));
}

}  // namespace warplens::gui
