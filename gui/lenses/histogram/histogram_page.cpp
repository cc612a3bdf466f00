// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/histogram_page.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/families/histogram/tone.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/lenses/histogram/histogram_chart.hpp"
#include "gui/lenses/histogram/histogram_panels.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/view_state.hpp"

#include <QFileInfo>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kMarkAlpha = 225;  // the picture shows through
constexpr DisplayRange kLanes{1, 32};

}  // namespace

HistogramPage::HistogramPage(CompareSession& session, ViewState& display, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_model(session.request(), session.results(), session.control().runner()),
      m_display(display),
      m_pictureView(new ViewState(this)),
      m_lanesView(new ViewState(this)),
      m_viewLink(new ViewLink(m_pictureView, m_lanesView, this)),
      m_notice(new SessionNotice(session.activity(), this)),
      m_picture(new Pane(this)),
      m_lanes(new Pane(this)),
      m_chart(new HistogramChart),
      m_legend(ColourMap::cividis, QStringLiteral("1"), tr("lanes in one bin"), QStringLiteral("32")) {
    setLook(this, "canvas");
    m_picture->view()->setObjectName(QStringLiteral("histogram-picture"));
    m_lanes->view()->setObjectName(QStringLiteral("contention-map"));
    m_picture->view()->setViewState(m_pictureView);
    m_lanes->view()->setViewState(m_lanesView);
    m_lanesView->setRange(kLanes);
    m_lanesView->setColourMap(ColourMap::cividis);
    m_picture->view()->setOverlays({&m_marks, &m_region});
    m_lanes->view()->setOverlays({&m_unselected, &m_region, &m_legend});

    auto* panes = made(new QWidget(this), {.look = "canvas"});
    makeRow(panes, {kGap, kGap, kGap, kGap}, kGap, {{m_picture, 1}, {m_lanes, 1}});
    auto* split = makeSplitter(Qt::Vertical, this, {{panes, 3}, {makeCountsPanel(m_model, m_chart, this), 2}});
    split->setSizes({540, 380});
    makeColumn(this, {}, 0, {makeStrip(), m_notice, {split, 1}});

    connect(m_notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    connect(&session.document(), &Document::changed, this, &HistogramPage::refreshPicture);
    connect(&display, &ViewState::displayChanged, this, &HistogramPage::followDisplay);
    connect(m_pictureView, &ViewState::displayChanged, this, [this] {
        if (m_display.depth() == m_pictureView->depth()) m_display.setSlice(m_pictureView->slice());
    });
    connect(&session.parameters(), &ParameterState::changed, this, &HistogramPage::refreshMarks);
    connect(&m_model, &HistogramModel::marksChanged, this, &HistogramPage::refreshMarks);
    connect(&m_model, &HistogramModel::figuresChanged, this, &HistogramPage::refreshMarks);
    connect(&m_model, &HistogramModel::countsChanged, this, &HistogramPage::refreshTools);
    connect(&m_model, &HistogramModel::countsChanged, this, &HistogramPage::followCursor);
    connect(&m_model, &HistogramModel::lanesChanged, this, &HistogramPage::refreshLanes);
    connect(m_pictureView, &ViewState::cursorChanged, this, &HistogramPage::followCursor);
    connect(m_pictureView, &ViewState::viewChanged, this, &Page::viewChanged);
    connect(m_picture->view(), &ImageView::rectangleDrawn, this, &HistogramPage::takeRectangle);
    connect(m_picture, &Pane::focused, this, [this] {
        m_picture->setCurrent(true);
        m_lanes->setCurrent(false);
    });
    connect(m_lanes, &Pane::focused, this, [this] {
        m_lanes->setCurrent(true);
        m_picture->setCurrent(false);
    });
    refreshPicture();
    refreshLanes();
    on(this, {QEvent::Show}, [this] { m_model.setActive(true); });
    on(this, {QEvent::Hide}, [this] { m_model.setActive(false); });
    on(this, {QEvent::PaletteChange}, [this] {
        refreshMarks();  // rules hold colours
        refreshLanes();
    });
}

QWidget* HistogramPage::statistics() {
    if (m_statistics == nullptr)
        m_statistics =
            makeHistogramStatistics(m_session.request(), m_session.runs(), m_session.control(), m_model, this);
    return m_statistics;
}

void HistogramPage::setWorkspace(Workspace workspace) {
    const bool lab = workspace == Workspace::lab;
    for (QWidget* of : {m_map, m_link}) of->setVisible(lab);
    m_lanes->setVisible(lab && m_map->isChecked());
    for (const char* section : {"lanes-section", "rates-section"})
        statistics()->findChild<QWidget*>(section)->setVisible(lab);
    m_model.setLanesWanted(lab);
}

bool HistogramPage::linked() const { return m_viewLink->linked(); }

void HistogramPage::setLinked(bool linked) {
    if (m_link->isChecked() != linked) m_link->setChecked(linked);
    if (m_viewLink->linked() == linked) return;
    m_viewLink->setLinked(linked);
    emit linkedChanged(linked);
    emit viewChanged();
}

bool HistogramPage::settled() const {
    return m_picture->view()->settled() && m_lanes->view()->settled() && !m_model.busy() && !m_model.outdated();
}

QString HistogramPage::viewText() const {
    QStringList parts;
    const auto grid = m_session.document().grid();
    if (const auto at = m_pictureView->cursor(); at && grid != nullptr) {
        parts << tr("x %1 y %2").arg(format::integer(at->x()), format::integer(at->y()));
        parts << tr("value %1").arg(pixelText(*grid, at->x(), at->y(), m_pictureView->slice()));
        QStringList bins;
        for (const int bin : m_model.binsAt(*at, m_pictureView->slice()))
            bins << (bin < 0 ? QStringLiteral("–") : format::integer(bin));
        if (!bins.isEmpty()) parts << tr("bin %1").arg(bins.join(QStringLiteral("; ")));
    }
    if (m_model.pixels() > 0 && !m_model.outdated())
        parts << tr("bins + below + above + not a number = %1").arg(format::integer(m_model.pixels()));
    if (!linked()) parts << tr("panes not linked");
    return parts.join(QStringLiteral("   "));
}

void HistogramPage::refreshPicture() {
    const Document& document = m_session.document();
    const auto grid = document.grid();
    if (grid != nullptr) {
        const QSize size(static_cast<int>(grid->shape().width), static_cast<int>(grid->shape().height));
        const auto depth = static_cast<int>(grid->shape().depth);
        for (ViewState* view : {m_pictureView, m_lanesView}) view->setPictureSize(size, depth);
        const QSignalBlocker quiet(m_slice);
        m_slice->setRange(0, depth - 1);
        m_slice->setVisible(depth > 1);
        followDisplay();
    } else {
        m_slice->hide();
    }
    m_undo->setVisible(document.state().source != nullptr);
    refreshMarks();
    refreshTools();
}

void HistogramPage::followDisplay() {
    // The slice first: whoever changes anything else hands his own on. The pages that share it may hear of another
    // picture later than this one.
    if (m_display.depth() == m_pictureView->depth()) {
        m_pictureView->setSlice(m_display.slice());
        const QSignalBlocker quiet(m_slice);
        m_slice->setValue(m_display.slice());
    }
    m_pictureView->setRange(m_display.range());
    m_pictureView->setColourMap(m_display.colourMap());
}

void HistogramPage::refreshMarks() {
    const Document& document = m_session.document();
    const auto grid = document.grid();
    const SelectedFigures* figures = m_model.figures();
    PaneContent content;
    content.key = QStringLiteral("input");
    content.title = document.empty() ? tr("Picture") : document.name();
    content.picture = grid;
    content.message = tr("Open a picture, or drop one here.");
    const auto rule = m_model.markRule();
    const bool marking = m_mark->isChecked() && rule != nullptr;
    if (m_model.range()) {
        content.detail = tr("marked: %1").arg(rangeText(*m_model.range()));
        if (const auto marked = m_model.markedPixels(); marked && m_model.pixels() > 0) {
            content.hint = tr("%1 pixels, %2")
                               .arg(format::integer(*marked), format::percent(static_cast<double>(*marked) /
                                                                              static_cast<double>(m_model.pixels())));
            content.hintOrigin = Origin::counted;
        }
    }
    m_picture->setContent(content);
    if (marking) {
        QColor accent = colour(Role::accent);
        accent.setAlpha(kMarkAlpha);
        m_marks.setRule([grid, rule, ink = accent.rgba()](std::int64_t x, std::int64_t y, std::int64_t z) {
            return rule->marks(*grid, x, y, z) ? ink : QRgb{0};
        });
    } else {
        m_marks.setRule({});
    }
    QRect region;
    if (figures != nullptr && grid != nullptr && !figures->selection.whole(grid->shape())) {
        const auto& box = figures->selection.box;
        region = QRect(static_cast<int>(box.x), static_cast<int>(box.y), static_cast<int>(box.width),
                       static_cast<int>(box.height));
    }
    m_region.setRectangle(region);
    m_picture->view()->update();
    m_lanes->view()->update();
    emit viewChanged();
}

void HistogramPage::refreshLanes() {
    const LaneMap* lanes = m_model.lanes();
    PaneContent content;
    content.key = QStringLiteral("contention");
    content.title = tr("Contention");
    content.message = tr("counting how lanes meet");
    if (m_session.document().empty()) content.message.clear();
    m_unselected.setRule({});
    if (lanes != nullptr) {
        const QString variant = QString::fromStdString(lanes->variant);
        for (const gpu::Variant& v : gpu::familyOf("histogram").variants())
            if (v.id == lanes->variant) content.idea = v.idea;
        content.detail = lanes->channel == "value"
                             ? tr("%1, a cell is 32 values").arg(variant)
                             : tr("%1, %2, a cell is 32 values").arg(variant, QString::fromStdString(lanes->channel));
        content.picture = lanes->map;
        content.message = QString::fromStdString(lanes->reason);
        if (lanes->map != nullptr) {
            content.hint = tr("mean %1").arg(format::significant(lanes->counted.mean()));
            content.hintOrigin = Origin::counted;
            m_unselected.setRule(
                [map = lanes->map, ink = surroundColour().rgba()](std::int64_t x, std::int64_t y, std::int64_t z) {
                    return std::isnan(map->value(x, y, z)) ? ink : QRgb{0};
                });
        }
    }
    m_lanes->setContent(content);
    m_lanes->view()->update();
}

void HistogramPage::followCursor() {
    const auto at = m_pictureView->cursor();
    m_chart->setMarkedBins(at ? m_model.binsAt(*at, m_pictureView->slice()) : std::vector<int>());
    emit viewChanged();
}

QPushButton* HistogramPage::tool(const char* name, const QString& text, const QString& tip, bool checkable) {
    auto* button = made(new QPushButton(text, this), {.id = name, .look = "flat", .name = text, .tip = tip});
    button->setCheckable(checkable);
    return button;
}

QWidget* HistogramPage::makeStrip() {
    auto* strip = made(new QWidget(this), {.look = "dock"});
    strip->setFixedHeight(kStripHeight);
    auto* row = makeRow(strip, {kGap, 0, kGap, 0}, 4);
    m_mark =
        tool("mark-range", tr("Mark range"), tr("Shows in the picture which pixels have the values selected."), true);
    m_map = tool("contention", tr("Contention map"),
                 tr("How many lanes of a warp meet in the same bin (counted); each cell is the 32 values of a warp."),
                 true);
    m_select = tool("select-region", tr("Select region"),
                    tr("Drag a rectangle in the picture to count only what is inside it."), true);
    m_equalise =
        tool("equalise", tr("Equalise"), tr("Spreads the values so that all become about equally frequent."), false);
    m_stretch = tool("stretch", tr("Stretch"),
                     tr("Stretches the selected range, or that of all values, over the whole scale."), false);
    m_undo = tool("undo-picture", tr("Back"), tr("Back to the picture before, Ctrl+Z."), false);
    m_link = tool("link-histogram", tr("Link"), tr("Zoom and position are linked."), true);
    for (QPushButton* on : {m_mark, m_map, m_link}) on->setChecked(true);
    m_slice = made(new QSpinBox(strip), {.id = "histogram-slice", .name = tr("Slice")});
    m_slice->setPrefix(tr("slice "));
    fill(row, {m_mark, m_map, m_select, m_equalise, m_stretch, m_undo, spring(), m_slice, m_link});
    connect(m_mark, &QPushButton::toggled, this, &HistogramPage::refreshMarks);
    connect(m_map, &QPushButton::toggled, m_lanes, &QWidget::setVisible);
    connect(m_select, &QPushButton::toggled, m_picture->view(), &ImageView::setSelecting);
    connect(m_equalise, &QPushButton::clicked, this, &HistogramPage::equalise);
    connect(m_stretch, &QPushButton::clicked, this, &HistogramPage::stretch);
    connect(m_undo, &QPushButton::clicked, &m_session.inputs(), &InputFiles::undoPicture);
    connect(m_link, &QPushButton::toggled, this, [this](bool on) { setLinked(on); });
    connect(m_slice, &QSpinBox::valueChanged, &m_display, &ViewState::setSlice);
    return strip;
}

QWidget* HistogramPage::taskRow() {
    if (m_taskRow != nullptr) return m_taskRow;
    m_taskRow = new QWidget(this);
    auto* row = makeRow(m_taskRow, {}, kGap);
    auto* label = made(new QLabel(tr("Contention"), m_taskRow), {.look = "label"});
    label->setMinimumWidth(kLabelWidth);
    m_laneVariant = made(new QComboBox(m_taskRow),
                         {.id = "contention-variant", .name = tr("Variant whose contention is shown"), .letters = 8});
    for (const gpu::Variant& variant : gpu::familyOf("histogram").variants())
        if (variant.kind == gpu::Variant::Kind::kernel) m_laneVariant->addItem(QString::fromStdString(variant.id));
    label->setBuddy(m_laneVariant);
    fill(row, {label, {m_laneVariant, 1}});
    connect(m_laneVariant, &QComboBox::currentTextChanged, this,
            [this](const QString& id) { m_model.setLaneVariant(id.toStdString()); });
    m_model.setLaneVariant(m_laneVariant->currentText().toStdString());
    return m_taskRow;
}

void HistogramPage::refreshTools() {
    const bool counted = m_model.counts() != nullptr && !m_model.outdated() && !m_session.document().empty();
    m_equalise->setEnabled(counted);
    m_stretch->setEnabled(counted);
    m_undo->setVisible(m_session.document().state().source != nullptr);
}

void HistogramPage::takeRectangle(QRect pixels) {
    m_select->setChecked(false);
    const QString text =
        QStringLiteral("%1,%2,%3,%4").arg(pixels.x()).arg(pixels.y()).arg(pixels.width()).arg(pixels.height());
    QString why;
    if (!m_session.parameters().set("region", text.toStdString(), &why)) m_session.activity().report(why);
}

QString HistogramPage::derivedName(const QString& what) const {
    const QString name = m_session.document().name();
    const QString stem =
        name.startsWith(QStringLiteral("gen:")) ? name.section(':', 1, 1) : QFileInfo(name).completeBaseName();
    return (stem.isEmpty() ? name : stem) + '-' + what;
}

void HistogramPage::equalise() {
    const auto grid = m_session.document().grid();
    const auto counts = m_model.counts();
    if (grid == nullptr || counts == nullptr) return;
    m_session.inputs().derive(
        derivedName(tr("equalised")), tr("Equalised %1").arg(m_session.document().name()),
        [grid, counts](const std::stop_token&) { return gpu::histogram::equalise(*grid, *counts); });
}

void HistogramPage::stretch() {
    const auto grid = m_session.document().grid();
    const SelectedFigures* figures = m_model.figures();
    if (grid == nullptr || figures == nullptr || figures->channels.empty()) return;
    const ValueRange range = m_model.range() ? *m_model.range() : extremesOf(*figures);
    m_session.inputs().derive(
        derivedName(tr("stretched")), tr("Stretched %1").arg(m_session.document().name()),
        [grid, range](const std::stop_token&) { return gpu::histogram::stretch(*grid, range.low, range.high); });
}

}  // namespace warplens::gui
