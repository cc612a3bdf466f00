// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_panel.hpp"

#include "gpu/core/registry.hpp"
#include "gui/compare/run_control.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/elided.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/request/request_state.hpp"
#include "gui/why/crossover_chart.hpp"
#include "gui/why/crossover_text.hpp"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QTimer>
#include <algorithm>
#include <iterator>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kButtonsARow = 6, kTimesWidth = 360;

}  // namespace

CrossoverPanel::CrossoverPanel(RequestState& request, RunControl& control, Activity& activity, QWidget* parent)
    : QWidget(parent),
      m_request(request),
      m_model(request, control, activity),
      m_maps(new ElidedBox(this)),
      m_values(new QLineEdit(this)),
      m_sizes(new QLineEdit(this)),
      m_start(new QPushButton(this)),
      m_open(new QPushButton(tr("Open..."), this)),
      m_bar(new QProgressBar(this)),
      m_notice(new NoticeBar(this)),
      m_chart(new CrossoverChart(this)),
      m_hint(new QLabel(this)),
      m_cell(new QLabel(this)),
      m_times(new QTableWidget(this)),
      m_competing(new QWidget(this)),
      m_buttons(new QGridLayout(m_competing)) {
    setLook(this, "dock");
    m_chart->setObjectName(QStringLiteral("crossover-chart"));
    setWords(m_hint, {.id = "crossover-hint", .look = "caption"});
    m_hint->setWordWrap(true);
    m_buttons->setContentsMargins(kDockMargin, 4, kDockMargin, kGap);
    m_buttons->setSpacing(4);
    m_competing->setMinimumWidth(1);  // names give way to the window, not the window to names
    auto* map = makeColumn(nullptr, {}, 0);
    auto* hint = new QHBoxLayout;
    hint->setContentsMargins(kDockMargin, 4, kDockMargin, 4);
    hint->addWidget(m_hint);
    fill(map, {hint, {m_chart, 1}, m_competing});
    auto* both = makeRow(nullptr, {}, 0, {{map, 1}, makeTimes()});
    makeColumn(this, {}, 0, {makeHead(), m_notice, {both, 1}});
    connect(&m_model, &CrossoverModel::changed, this, &CrossoverPanel::refresh);
    connect(&m_model, &CrossoverModel::busyChanged, this, &CrossoverPanel::refreshBusy);
    connect(&m_model, &CrossoverModel::progress, this, [this](double fraction, const QString& what) {
        m_bar->setValue(static_cast<int>(1000 * fraction));
        m_bar->setToolTip(what);
    });
    connect(m_chart, &CrossoverChart::cellChosen, this, &CrossoverPanel::refreshTimes);
    m_built = true;
    refresh();
    refreshBusy();
}

QWidget* CrossoverPanel::makeHead() {
    auto* head = new QWidget(this);
    QHBoxLayout* row = titleRow(head, kStripHeight, tr("Who wins where"));
    setWords(m_maps, {.id = "crossover-maps",
                      .name = tr("Map shown"),
                      .tip = tr("Maps recorded on a GPU, and those that were measured here.")});
    m_maps->setFocusPolicy(Qt::StrongFocus);
    m_maps->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_maps->setMinimumContentsLength(12);
    setWords(m_open,
             {.id = "crossover-open", .look = "flat", .tip = tr("Opens a file that warplens-cli sweep wrote.")});
    fill(row, {{m_maps, 1}, m_open, makeSweep()});
    connect(m_maps, &QComboBox::activated, this,
            [this](int index) { m_model.choose(m_model.entries()[static_cast<std::size_t>(index)]); });
    connect(m_open, &QPushButton::clicked, this, &CrossoverPanel::openFile);
    return head;
}

QWidget* CrossoverPanel::makeSweep() {
    auto* part = new QWidget(this);
    auto* row = makeRow(part, {}, kGap);
    const auto field = [&](QLineEdit* edit, const QString& name, const char* id, const QString& tip, int width) {
        auto* label = made(new QLabel(name, part), {.look = "label"});
        label->setBuddy(edit);
        setWords(edit, {.id = id, .name = name, .tip = tip});
        edit->setFixedWidth(width);
        fill(row, {label, edit});
        connect(edit, &QLineEdit::textEdited, this, [this] { m_typed = true; });
        connect(edit, &QLineEdit::returnPressed, m_start, &QPushButton::click);
    };
    field(m_values, tr("Radii"), "crossover-radii", tr("Radii to sweep over, with commas between them."), 100);
    field(m_sizes, tr("Sizes"), "crossover-sizes", tr("Sides of square pictures, or WxH, with commas between them."),
          190);
    m_start->setObjectName(QStringLiteral("crossover-start"));
    m_bar->setFixedWidth(96);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->setAccessibleName(tr("Progress of the sweep"));
    fill(row, {m_bar, m_start});
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_model.busy())
            m_model.cancel();
        else
            m_model.start(m_values->text(), m_sizes->text());
    });
    return part;
}

QWidget* CrossoverPanel::makeTimes() {
    auto* side = new QWidget(this);
    side->setFixedWidth(kTimesWidth);
    auto* column = makeColumn(side, {}, 0);
    setWords(m_cell, {.id = "crossover-cell", .look = "title"});
    m_cell->setFixedHeight(kTitleHeight);
    m_cell->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    setWords(m_times, {.id = "crossover-times", .name = tr("Times of the cell chosen")});
    makeFigureTable(m_times, 3);
    fill(column, {m_cell, {m_times, 1}});
    return side;
}

void CrossoverPanel::refresh() {
    refreshMaps();
    refreshCompeting();
    refreshChart();
    refreshTimes();
    refreshBusy();
    m_notice->setNotice(m_model.problem());
}

void CrossoverPanel::refreshMaps() {
    const QSignalBlocker silent(m_maps);
    m_maps->clear();
    const auto entries = m_model.entries();
    for (const CrossoverModel::Entry* entry : entries)
        m_maps->addItem(originIcon(entry->origin), CrossoverModel::titleOf(*entry));
    const auto at = std::ranges::find(entries, m_model.current());
    m_maps->setCurrentIndex(at == entries.end() ? -1 : static_cast<int>(at - entries.begin()));
    m_maps->setEnabled(m_maps->count() > 0);
    m_hint->setText(crossoverHint(m_model));
}

void CrossoverPanel::refreshCompeting() {
    const CrossoverModel::Entry* entry = m_model.current();
    const std::vector<std::string> variants = entry == nullptr ? std::vector<std::string>() : entry->sweep.variants;
    m_competing->setVisible(!variants.empty() && entry->sweep.device.ranks());
    if (variants == m_shown) {
        for (auto* button : m_competing->findChildren<QPushButton*>())
            button->setChecked(m_model.competes(button->property("variant").toString().toStdString()));
        return;
    }
    m_shown = variants;
    m_competitors.clear();
    qDeleteAll(m_competing->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    for (const std::string& id : variants) {
        const gpu::Variant* variant = m_request.variants().variant(id);
        const QString name = QString::fromStdString(id);
        auto* button = made(new QPushButton(variant == nullptr ? QIcon() : ideaIcon(variant->idea), name, m_competing),
                            {.id = QStringLiteral("competes-") + name,
                             .look = "flat",
                             .name = tr("%1 competes").arg(name),
                             .tip = tr("Whether %1 competes; left out it wins nowhere.").arg(name)});
        button->setProperty("variant", name);
        m_competitors.push_back(button);
        button->setCheckable(true);
        button->setChecked(m_model.competes(id));
        connect(button, &QPushButton::toggled, this, [this, id](bool on) { m_model.setCompetes(id, on); });
    }
    placeCompeting();
}

void CrossoverPanel::placeCompeting() {
    // Beside the map the table of times names every shape, so that in a narrow window shapes do.
    int widest[kButtonsARow] = {};
    for (std::size_t i = 0; i < m_competitors.size(); ++i) {
        QPushButton* button = m_competitors[i];
        button->setText(button->property("variant").toString());
        widest[i % kButtonsARow] = std::max(widest[i % kButtonsARow], button->sizeHint().width());
    }
    const int needed = std::accumulate(std::begin(widest), std::end(widest), 0) + 2 * kDockMargin +
                       (kButtonsARow - 1) * m_buttons->spacing();
    const bool names = width() - m_times->parentWidget()->maximumWidth() >= needed;
    const int columns = names ? kButtonsARow : static_cast<int>(m_competitors.size());
    int place = 0;
    for (QPushButton* button : m_competitors) {
        if (!names) button->setText({});
        m_buttons->addWidget(button, place / columns, place % columns);
        ++place;
    }
}

void CrossoverPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeCompeting();
}

void CrossoverPanel::refreshChart() {
    const gpu::Family* family = m_request.parameters().family();
    m_chart->setMap(family == nullptr ? CrossoverChart::Map() : crossoverMap(m_model, *family));
}

void CrossoverPanel::refreshTimes() {
    m_times->setRowCount(0);
    const CrossoverModel::Entry* entry = m_model.current();
    m_times->parentWidget()->setVisible(entry != nullptr);
    if (entry == nullptr) return;
    const QPoint at = m_chart->chosen();
    const gpu::SweepCell* cell = m_model.cell(static_cast<std::size_t>(at.y()), static_cast<std::size_t>(at.x()));
    for (int column = 0; column < 3; ++column) {
        const QString heads[] = {tr("variant"), tr("ms"), tr("95 % interval")};
        auto* item = new QTableWidgetItem(heads[column]);
        if (column == 1) item->setIcon(originIcon(entry->origin));
        item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        m_times->setHorizontalHeaderItem(column, item);
        m_times->horizontalHeader()->setSectionResizeMode(
            column, column == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
    m_cell->setText(cell == nullptr ? tr("not measured") : cellTitle(*cell, entry->sweep.parameter));
    if (cell == nullptr) return;
    for (const CellTime& time : cellTimes(*cell, m_model)) {
        const int row = m_times->rowCount();
        m_times->insertRow(row);
        int column = 0;
        for (const QString& text : {time.variant, time.median, time.interval}) {
            auto* item = new QTableWidgetItem(text);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            item->setToolTip(time.reason);
            if (!time.counts) item->setForeground(colour(Role::text3));
            if (const gpu::Variant* variant = m_request.variants().variant(time.variant.toStdString());
                column == 0 && variant != nullptr)
                item->setIcon(ideaIcon(variant->idea));
            m_times->setItem(row, column++, item);
        }
    }
}

void CrossoverPanel::refreshBusy() {
    const bool busy = m_model.busy();
    m_bar->setVisible(busy);
    if (!busy) m_bar->setValue(0);
    m_start->setText(busy ? tr("Cancel") : tr("Sweep"));
    m_start->setToolTip(
        busy ? tr("Stops the sweep; cells that are measured are kept.")
             : tr("Times every variant at every radius and size on %1, with the present filter and border.")
                   .arg(m_request.devices().chosen() == nullptr
                            ? tr("the device")
                            : QString::fromStdString(m_request.devices().chosen()->name)));
    m_start->setEnabled(busy || (m_model.refusal().isEmpty() && m_request.devices().chosen() != nullptr));
    for (QLineEdit* edit : {m_values, m_sizes}) edit->setEnabled(!busy);
    if (m_typed || busy) return;
    m_values->setText(m_model.usualValues());
    m_sizes->setText(m_model.usualSizes());
}

void CrossoverPanel::openFile() {
    askForFile(this, {.title = tr("Open a sweep"), .filters = {tr("Sweeps (*.sweep.json)")}}, &m_model,
               [this](const QString& path) { m_model.open(path); });
}

void CrossoverPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void CrossoverPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // The look is set while the panel is made, before there is a table to fill.
    if (event->type() == QEvent::PaletteChange && m_built) refreshTimes();
    if (event->type() == QEvent::StyleChange && m_built) QTimer::singleShot(0, this, &CrossoverPanel::placeCompeting);
}

}  // namespace warplens::gui
