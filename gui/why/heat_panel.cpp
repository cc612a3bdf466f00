// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/panel.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/why/source_texts.hpp"
#include "gui/why/why_panels.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

/// The current variant's source with the counts of each line, or that of a file it includes; a line chosen shows one
/// warp there.
class HeatPanel : public QWidget {
public:
    HeatPanel(WhyModel& why, WarpModel& warp, QWidget* parent) : QWidget(parent), m_why(why), m_warp(warp) {
        setLook(this, "dock");
        m_found->setIcon(statusIcon(ResultState::wrong));
        connect(m_found, &QPushButton::clicked, this, &HeatPanel::nextFound);
        makeColumn(this, {}, 0, {makeHead(), m_found, {m_text, 1}, makeFoot()});
        connect(&why, &WhyModel::countsChanged, this, &HeatPanel::refresh);
        connect(&warp, &WarpModel::lineChanged, this, &HeatPanel::refresh);
        connect(m_file, &QComboBox::activated, this,
                [this](int index) { m_warp.setFile(m_file->itemData(index).toString().toStdString()); });
        connect(m_text, &HeatText::lineChosen, &warp, &WarpModel::chooseLine);
        refresh();
        // The colours of the text are in its formats, so a new scheme has to write them anew.
    }

private:
    QWidget* makeHead() {
        auto* head = new QWidget(this);
        QHBoxLayout* row = stripRow(head, kStripHeight, 0);
        fill(row, {m_mark, spacer(6), {m_file, 1}, spacer(kGap)});
        for (const Heat heat : gpu::kHeats) {
            auto* button =
                made(new QPushButton(nameOf(heat), head), {.id = QStringLiteral("heat-%1").arg(static_cast<int>(heat)),
                                                           .look = "segment",
                                                           .tip = tipOf(heat),
                                                           .checkable = true});
            button->setChecked(heat == m_heat);
            m_heats->addButton(button, static_cast<int>(heat));
            row->addWidget(button);
        }
        connect(m_heats, &QButtonGroup::idClicked, this, [this](int id) {
            m_heat = static_cast<Heat>(id);
            refreshHeat();
        });
        return head;
    }

    QWidget* makeFoot() {
        auto* foot = new QWidget(this);
        QHBoxLayout* row = stripRow(foot, kHeadHeight, 5);
        fill(row, {m_legend, m_origin, spring(), m_share});
        return foot;
    }

    void refresh() {
        const gpu::Variant* variant = m_why.request().currentVariant();
        if (variant == nullptr) return;
        refreshFiles();
        const std::string file = m_warp.files().empty() ? variant->source : m_warp.file();
        if (m_shown != file + variant->id) {
            m_shown = file + variant->id;
            m_mark->setIdea(variant->idea);
            const bool library = variant->source.empty();
            const QString text = library ? tr("%1 is a library; its source is not part of Warplens.")
                                               .arg(QString::fromStdString(variant->title))
                                         : sourceOf(file);
            m_text->setLines({}, variant->idea);
            m_text->setSource(text, !library);
            m_text->setAccessibleName(tr("Source of %1 with counts").arg(m_file->currentText()));
        }
        refreshHeat();
    }

    void refreshHeat() {
        const gpu::Variant* variant = m_why.request().currentVariant();
        const gpu::Counters* counters = variant == nullptr ? nullptr : m_why.counters(variant->id);
        m_origin->setVisible(counters != nullptr);
        refreshFound(counters);
        if (counters == nullptr) {
            m_legend->setText(m_why.counting() ? tr("being counted") : QString());
            m_share->clear();
            return m_text->setLines({}, gpu::Idea::plain);
        }
        std::map<int, HeatText::Line> lines;
        auto counted = m_warp.lines();
        addBranches(counted, *counters, m_warp.file(), m_heat == Heat::divergence);
        for (const auto& [number, counts] : counted) lines[number] = {counts.heat(m_heat), textsOf(counts)};
        for (const auto& [number, sentences] : findingsIn(*counters, m_warp.file())) {
            HeatText::Line& line = lines[number];
            line.details = sentences + line.details;
            line.found = true;
        }
        m_text->setLines(std::move(lines), variant->idea);
        m_text->setChosen(m_warp.line());
        m_legend->setText(m_text->highest() > 0
                              ? tr("full cell: %1 %2").arg(format::integer(m_text->highest()), unitOf(m_heat))
                              : tr("no %1").arg(unitOf(m_heat)));
        m_share->setText(tr("%1 of blocks traced").arg(format::percent(counters->tracedShare)));
    }

    void refreshFiles() {
        const QSignalBlocker silent(m_file);
        m_file->clear();
        for (const std::string& file : m_warp.files()) {
            const QString path = QString::fromStdString(file);
            m_file->addItem(path.section('/', -1), path);
            m_file->setItemData(m_file->count() - 1, path, Qt::ToolTipRole);
        }
        const gpu::Variant* variant = m_why.request().currentVariant();
        if (m_file->count() == 0 && variant != nullptr)
            m_file->addItem(variant->source.empty() ? QString::fromStdString(variant->title)
                                                    : QString::fromStdString(variant->source).section('/', -1));
        m_file->setCurrentIndex(std::max(0, m_file->findData(QString::fromStdString(m_warp.file()))));
        m_file->setEnabled(m_file->count() > 1);
    }

    void refreshFound(const gpu::Counters* counters) {
        const auto count = counters == nullptr ? 0 : std::ssize(counters->findings);
        m_found->setVisible(count > 0);
        if (count == 0) return;
        QStringList sentences;
        for (const gpu::TraceFinding& finding : counters->findings)
            sentences << nameOfCheck(finding.check) + QStringLiteral(": ") + QString::fromStdString(finding.message);
        const gpu::TraceFinding& first = counters->findings.front();
        const QString where = first.line > 0 ? tr(", line %1").arg(first.line) : QString();
        m_found->setText(count == 1 ? nameOfCheck(first.check) + where
                                    : tr("%1 defects found: %2%3").arg(count).arg(nameOfCheck(first.check), where));
        m_found->setToolTip(sentences.join(u'\n'));
        m_found->setAccessibleDescription(sentences.join(u' '));
    }

    /// Goes to what was found after the line chosen, in this file and then in the others.
    void nextFound() {
        const gpu::Variant* variant = m_why.request().currentVariant();
        const gpu::Counters* counters = variant == nullptr ? nullptr : m_why.counters(variant->id);
        if (counters == nullptr) return;
        const std::vector<std::string>& files = m_warp.files();
        const auto here = std::ranges::find(files, m_warp.file()) - files.begin();
        for (std::size_t i = 0; i <= files.size(); ++i) {
            const std::string& file = files[(static_cast<std::size_t>(here) + i) % files.size()];
            const auto lines = findingsIn(*counters, file);
            const auto at = i == 0 ? lines.upper_bound(m_text->chosen()) : lines.begin();
            if (at == lines.end()) continue;
            m_warp.setFile(file);
            m_warp.chooseLine(at->first);
            return m_text->setChosen(at->first);
        }
    }

    WhyModel& m_why;
    WarpModel& m_warp;
    Heat m_heat = Heat::sectors;
    std::string m_shown;
    IdeaMark* m_mark = new IdeaMark(this);
    QComboBox* m_file =
        made(new ElidedBox(this), {.id = "heat-file",
                                   .name = tr("File"),
                                   .tip = tr("The kernel's own file, or one it includes that accesses memory."),
                                   .focus = true,
                                   .letters = 6});
    QLabel *m_legend = made(new QLabel(this), {.look = "caption"}), *m_share = made(new QLabel(this), {.look = "hint"});
    QPushButton* m_found =
        made(new QPushButton(this), {.id = "findings", .look = "flat"});  ///< hidden where nothing was found
    OriginMark* m_origin = new OriginMark(Origin::counted, this);
    QButtonGroup* m_heats = new QButtonGroup(this);
    HeatText* m_text = made(new HeatText(this), {.id = "heat-source"});
};

}  // namespace

QWidget* makeHeatPanel(WhyModel& why, WarpModel& warp, QWidget* parent) { return new HeatPanel(why, warp, parent); }

}  // namespace warplens::gui
