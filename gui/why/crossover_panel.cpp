// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/session/request_state.hpp"
#include "gui/why/crossover_chart.hpp"
#include "gui/why/crossover_text.hpp"
#include "gui/why/why_panels.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kButtonsARow = 6, kTimesWidth = 360;

/// Who wins where: a sweep over one axis as curves or over two as a map, the times of the cell chosen, the variants
/// that compete, what is best taken by a click, and a sweep that measures anew.
class CrossoverPanel : public QWidget {
public:
    CrossoverPanel(RequestState& request, CrossoverModel& model, QWidget* parent)
        : QWidget(parent), m_request(request), m_model(model) {
        setWidgetText(this, {.id = "crossover", .look = "dock"});
        m_buttons->setContentsMargins(kDockMargin, 4, kDockMargin, kGap);
        m_buttons->setSpacing(4);
        m_competing->setMinimumWidth(1);  // names give way to the window, not the window to names
        auto* map = makeColumn(nullptr, {}, 0);
        auto* hint = makeRow(nullptr, {kDockMargin, 4, kDockMargin, 4}, -1, {m_hint});
        m_curve->setObjectName(QStringLiteral("sweep-curve"));
        fill(map, {hint, {m_chart, 1}, {m_curve, 1}, m_competing});
        auto* both = makeRow(nullptr, {}, 0, {{map, 1}, makeTimes()});
        makeColumn(this, {}, 0, {makeHead(), makeSweep(), m_notice, {both, 1}});
        connect(&m_model, &CrossoverModel::changed, this, &CrossoverPanel::refresh);
        connect(&m_model, &CrossoverModel::busyChanged, this, &CrossoverPanel::refreshBusy);
        connect(&m_model, &CrossoverModel::progress, this, [this](double fraction, const QString& what) {
            m_bar->setValue(static_cast<int>(1000 * fraction));
            m_bar->setToolTip(what);
        });
        connect(m_chart, &PlotView::picked, this, &CrossoverPanel::refreshTimes);
        connect(m_chart, &PlotView::taken, this, &CrossoverPanel::useBest);
        connect(m_curve, &PlotView::picked, this, &CrossoverPanel::refreshTimes);
        connect(m_curve, &PlotView::taken, this, &CrossoverPanel::useBest);
        refresh();
        refreshBusy();
        on(this, {QEvent::Resize}, [this] { placeCompeting(); });
        on(this, {QEvent::Show}, [this] { refresh(); });
        on(this, {QEvent::PaletteChange}, [this] { refreshTimes(); });
        after(this, {QEvent::StyleChange}, [this] { placeCompeting(); });
    }

private:
    QWidget* makeHead() {
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kStripHeight, tr("Who wins where"));
        setWidgetText(m_save, {.id = "crossover-export",
                               .look = "flat",
                               .tip = tr("Writes the sweep shown as .sweep.json, CSV, Markdown or HTML.")});
        fill(row, {{m_maps, 2}, {m_show, 1}, m_open, m_save});
        connect(m_show, &QComboBox::activated, this,
                [this](int index) { m_model.setShown(m_show->itemData(index).toString().toStdString()); });
        connect(m_save, &QPushButton::clicked, this, &CrossoverPanel::saveFile);
        connect(m_maps, &QComboBox::activated, this,
                [this](int index) { m_model.choose(m_model.entries()[static_cast<std::size_t>(index)]); });
        return head;
    }

    QWidget* makeSweep() {
        auto* part = new QWidget(this);
        QHBoxLayout* row = stripRow(part, kStripHeight);
        for (std::size_t which = 0; which < m_axes.size(); ++which) makeAxis(which, row);
        m_bar->setFixedWidth(96);
        m_bar->setTextVisible(false);
        m_bar->setRange(0, 1000);
        fill(row, {spring(), m_bar, m_start});
        connect(m_start, &QPushButton::clicked, this, [this] {
            if (m_model.busy())
                m_model.cancel();
            else
                m_model.start(axes());
        });
        return part;
    }

    void makeAxis(std::size_t which, QHBoxLayout* row) {
        const bool first = which == 0;
        auto* label = made(new QLabel(first ? tr("New sweep over") : tr("and"), this), {.look = "label"});
        auto* what =
            made(new ElidedBox(this), {.id = first ? "sweep-first" : "sweep-second",
                                       .name = first ? tr("First axis") : tr("Second axis"),
                                       .tip = tr("What is varied: a launch parameter, a parameter, the size or the "
                                                 "type of the picture."),
                                       .focus = true,
                                       .letters = 11});
        auto* values =
            made(new QLineEdit(this), {.id = first ? "sweep-first-values" : "sweep-second-values",
                                       .name = first ? tr("Values of the first axis") : tr("Values of the second axis"),
                                       .tip = tr("Values with commas between them, or FIRST:LAST or "
                                                 "FIRST:LAST:STEP; sizes are sides of squares or WxH.")});
        values->setMinimumWidth(90);
        label->setBuddy(what);
        fill(row, {label, {what, 1}, {values, 2}});
        m_axes[which] = {what, values};
        connect(what, &QComboBox::activated, this, [this, which] { takeAxis(which); });
        connect(values, &QLineEdit::textEdited, this, [this] {
            m_typed = true;
            refreshBusy();
        });
        connect(values, &QLineEdit::returnPressed, m_start, &QPushButton::click);
    }

    /// The axes as they are chosen and typed, as the command line takes them.
    QStringList axes() const {
        QStringList list;
        for (const Axis& axis : m_axes)
            if (const QString id = axis.what->currentData().toString(); !id.isEmpty())
                list << id + u'=' + axis.values->text();
        return list;
    }

    /// Offers what the family has, and begins with what is usual there.
    void refreshAxes() {
        const gpu::Family* family = m_request.parameters().family();
        const bool another = family != m_axesOf;
        m_axesOf = family;
        if (another) m_typed = false;
        if (m_typed || m_model.busy()) return;
        const std::vector<gpu::SweepAxis> all = m_model.axes(), usual = m_model.usualAxes();
        for (std::size_t which = 0; which < m_axes.size(); ++which) {
            const auto& [what, values] = m_axes[which];
            if (another) {
                what->clear();
                if (which == 1) what->addItem(tr("nothing else"), QString());
                for (const gpu::SweepAxis& axis : all) what->addItem(axisName(axis), QString::fromStdString(axis.id));
            }
            const bool there = which < usual.size();
            what->setCurrentIndex(
                std::max(0, what->findData(there ? QString::fromStdString(usual[which].id) : QString())));
            values->setText(there ? QString::fromStdString(textOf(usual[which])).section(u'=', 1) : QString());
            values->setEnabled(there);
        }
    }

    /// Another axis comes with values to begin with.
    void takeAxis(std::size_t which) {
        const Axis& axis = m_axes[which];
        const std::string id = axis.what->currentData().toString().toStdString();
        QString values;
        for (const auto& all : {m_model.usualAxes(), m_model.axes()}) {
            const auto found = std::ranges::find(all, id, &gpu::SweepAxis::id);
            if (found != all.end() && values.isEmpty())
                values = QString::fromStdString(textOf(*found)).section(u'=', 1);
        }
        axis.values->setText(values);
        axis.values->setEnabled(!id.empty());
        m_typed = true;
        refreshBusy();
    }

    /// The cell chosen in curve or map; null: it is not measured.
    const gpu::SweepCell* cell() const {
        if (showsCurve(m_model)) return m_model.cell(static_cast<std::size_t>(std::max(0, m_curve->chosen())));
        const QPoint at = m_chart->chosenCell();
        return m_model.cell(static_cast<std::size_t>(at.y()), static_cast<std::size_t>(at.x()));
    }

    void useBest() {
        const gpu::SweepCell* chosen = cell();
        if (chosen == nullptr) return;
        if (const auto best = m_model.best(*chosen)) m_model.use(*best->cell, best->row->id);
    }

    void useRow() {
        const gpu::SweepCell* chosen = cell();
        const QTableWidgetItem* item = m_times->item(std::max(0, m_times->currentRow()), 0);
        if (chosen != nullptr && item != nullptr) m_model.use(*chosen, item->text().toStdString());
    }

    QWidget* makeTimes() {
        auto* side = new QWidget(this);
        side->setFixedWidth(kTimesWidth);
        auto* column = makeColumn(side, {}, 0);
        m_cell->setFixedHeight(kTitleHeight);
        m_cell->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
        makeFigureTable(m_times, 3);
        setWidgetText(
            m_best,
            {.id = "sweep-use-best",
             .tip = tr("Makes the fastest one current, with the parameters of the cell chosen (Return in the map).")});
        setWidgetText(
            m_use, {.id = "sweep-use-row",
                    .look = "flat",
                    .tip = tr("Makes the row chosen above current, as it was in this cell; without one the first.")});
        auto* buttons = makeRow(nullptr, {kDockMargin, kGap, kDockMargin, kGap}, kGap, {spring(), m_use, m_best});
        fill(column, {m_cell, {m_times, 1}, buttons});
        connect(m_best, &QPushButton::clicked, this, &CrossoverPanel::useBest);
        connect(m_use, &QPushButton::clicked, this, &CrossoverPanel::useRow);
        return side;
    }

    void refresh() {
        refreshAxes();
        refreshMaps();
        refreshCompeting();
        refreshChart();
        refreshTimes();
        refreshBusy();
        m_notice->setNotice(m_model.problem());
    }

    void refreshMaps() {
        const QSignalBlocker silent(m_maps);
        m_maps->clear();
        const auto entries = m_model.entries();
        for (const CrossoverModel::Entry* entry : entries)
            m_maps->addItem(originIcon(entry->origin), CrossoverModel::titleOf(*entry));
        const auto at = std::ranges::find(entries, m_model.current());
        m_maps->setCurrentIndex(at == entries.end() ? -1 : static_cast<int>(at - entries.begin()));
        m_maps->setEnabled(m_maps->count() > 0);
        m_hint->setText(crossoverHint(m_model));
        const QSignalBlocker quiet(m_show);
        m_show->clear();
        m_show->addItem(tr("Fastest variant"), QString());
        if (m_model.current() != nullptr)
            for (const std::string& id : m_model.current()->sweep.variants)
                m_show->addItem(tr("Times of %1").arg(QString::fromStdString(id)), QString::fromStdString(id));
        m_show->setCurrentIndex(std::max(0, m_show->findData(QString::fromStdString(m_model.shown()))));
        m_show->setEnabled(m_show->count() > 1);
        m_save->setEnabled(m_model.current() != nullptr);
    }

    void refreshChart() {
        const gpu::Family* family = m_request.parameters().family();
        const bool curve = family != nullptr && showsCurve(m_model);
        m_chart->setVisible(!curve);
        m_curve->setVisible(curve);
        m_chart->setMap(family == nullptr || curve ? CrossoverChart::Map() : crossoverMap(m_model, *family));
        m_curve->setCurves(curve ? sweepCurves(m_model, *family) : SweepCurve::Curves());
    }

    void refreshTimes() {
        m_times->setRowCount(0);
        const CrossoverModel::Entry* entry = m_model.current();
        m_times->parentWidget()->setVisible(entry != nullptr);
        if (entry == nullptr) return;
        const gpu::SweepCell* cell = this->cell();
        const QString best = cell == nullptr ? QString() : bestText(*cell, m_model);
        m_best->setEnabled(!best.isEmpty());
        m_best->setAccessibleDescription(best);
        m_use->setEnabled(cell != nullptr && !cell->rows.empty());
        for (int column = 0; column < 3; ++column) {
            const QString heads[] = {tr("variant"), tr("ms"), tr("95 % interval")};
            auto* item = new QTableWidgetItem(heads[column]);
            if (column == 1) item->setIcon(originIcon(entry->origin));
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_times->setHorizontalHeaderItem(column, item);
            m_times->horizontalHeader()->setSectionResizeMode(
                column, column == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
        }
        m_cell->setText(cell == nullptr ? tr("not measured") : cellTitle(*cell, entry->sweep));
        m_cell->setToolTip(best);
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

    void refreshCompeting() {
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
            auto* button =
                made(new QPushButton(variant == nullptr ? QIcon() : ideaIcon(variant->idea), name, m_competing),
                     {.id = QStringLiteral("competes-") + name,
                      .look = "flat",
                      .name = tr("%1 competes").arg(name),
                      .tip = tr("Whether %1 competes; left out it wins nowhere.").arg(name),
                      .checkable = true});
            button->setProperty("variant", name);
            m_competitors.push_back(button);
            button->setChecked(m_model.competes(id));
            connect(button, &QPushButton::toggled, this, [this, id](bool on) { m_model.setCompetes(id, on); });
        }
        placeCompeting();
    }

    void placeCompeting() {
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

    void refreshBusy() {
        const bool busy = m_model.busy();
        m_bar->setVisible(busy);
        if (!busy) m_bar->setValue(0);
        m_start->setText(busy ? tr("Cancel") : tr("Sweep"));
        const QString device = m_request.devices().chosen() == nullptr
                                   ? tr("the device")
                                   : QString::fromStdString(m_request.devices().chosen()->name);
        const QString command = busy ? QString() : m_model.command(axes());
        m_start->setToolTip(busy ? tr("Stops the sweep; cells that are measured are kept.")
                                 : tr("Times and checks every checked kernel at every value on %1.").arg(device) +
                                       (command.isEmpty() ? QString() : u'\n' + command));
        m_start->setEnabled(busy || (m_model.refusal().isEmpty() && m_request.devices().chosen() != nullptr));
        for (const Axis& axis : m_axes) {
            axis.what->setEnabled(!busy);
            axis.values->setEnabled(!busy && !axis.what->currentData().toString().isEmpty());
        }
    }

    void openFile() {
        openFileDialog(this, {.title = tr("Open a sweep"), .filters = {tr("Sweeps (*.sweep.json)")}}, &m_model,
                       [this](const QString& path) { m_model.open(path); });
    }

    void saveFile() {
        openFileDialog(
            this,
            {.title = tr("Export the sweep"),
             .filters = {tr("Sweeps (*.sweep.json)"), tr("CSV (*.csv)"), tr("Markdown (*.md)"), tr("HTML (*.html)")},
             .suffix = QStringLiteral("sweep.json"),
             .name = QStringLiteral("sweep"),
             .id = "sweep-export-dialog"},
            &m_model, [this](const QString& path) { m_model.save(path); });
    }

    RequestState& m_request;
    CrossoverModel& m_model;
    QComboBox *m_maps =
                  made(new ElidedBox(this), {.id = "crossover-maps",
                                             .name = tr("Sweep shown"),
                                             .tip = tr("Sweeps recorded on a GPU, and those that were measured here."),
                                             .focus = true,
                                             .letters = 12}),
              *m_show = made(new ElidedBox(this),
                             {.id = "crossover-show",
                              .name = tr("What is shown"),
                              .tip = tr("The fastest variant of each cell, or the times of one variant."),
                              .focus = true,
                              .letters = 14});
    struct Axis {
        QComboBox* what = nullptr;
        QLineEdit* values = nullptr;
    };
    std::array<Axis, 2> m_axes;
    const gpu::Family* m_axesOf = nullptr;  ///< whose axes are offered
    QPushButton *m_start = made(new QPushButton(this), {.id = "crossover-start"}),
                *m_open = made(new QPushButton(tr("Open..."), this),
                               {.id = "crossover-open",
                                .look = "flat",
                                .tip = tr("Opens a file that warplens-cli sweep wrote."),
                                .does = [this] { openFile(); }}),
                *m_save = new QPushButton(tr("Export..."), this), *m_best = new QPushButton(tr("Use the best"), this),
                *m_use = new QPushButton(tr("Use this one"), this);
    QProgressBar* m_bar = made(new QProgressBar(this), {.name = tr("Progress of the sweep")});
    NoticeBar* m_notice = new NoticeBar(this);
    CrossoverChart* m_chart = made(new CrossoverChart(this), {.id = "crossover-chart"});
    SweepCurve* m_curve = new SweepCurve(this);
    QLabel *m_hint = made(new QLabel(this), {.id = "crossover-hint", .look = "caption", .wraps = true}),
           *m_cell = made(new QLabel(this), {.id = "crossover-cell", .look = "title"});
    QTableWidget* m_times =
        made(new QTableWidget(this), {.id = "crossover-times", .name = tr("Times of the cell chosen")});
    QWidget* m_competing = new QWidget(this);
    QGridLayout* m_buttons = new QGridLayout(m_competing);
    std::vector<std::string> m_shown;  ///< variants that have a button
    std::vector<QPushButton*> m_competitors;
    bool m_typed = false;
};

}  // namespace

QWidget* makeCrossoverPanel(RequestState& request, CrossoverModel& model, QWidget* parent) {
    return new CrossoverPanel(request, model, parent);
}

}  // namespace warplens::gui
