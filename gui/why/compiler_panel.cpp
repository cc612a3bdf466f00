// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/panel.hpp"
#include "gui/picture/listing_table.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/why/source_texts.hpp"
#include "gui/why/why_panels.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

namespace {

using gpu::user::Listing;

/// How many instructions each source line became, and of which kinds.
std::map<int, HeatText::Line> linesOf(const Listing& listing) {
    std::map<int, HeatText::Line> lines;
    for (const auto& [number, counts] : listing.countsByLine())
        for (std::size_t kind = 0; kind < counts.size(); ++kind) {
            if (counts[kind] == 0) continue;
            lines[number].count += counts[kind];
            lines[number].details << QStringLiteral("%1: %2").arg(
                QString::fromLatin1(nameOf(static_cast<gpu::user::InstructionKind>(kind))),
                format::integer(counts[kind]));
        }
    return lines;
}

/// PTX or SASS beside the source. Nothing is compiled while it is hidden.
class CompilerPanel : public QWidget {
public:
    /// Its command is made by `page`, which outlives it.
    CompilerPanel(WhyModel& model, Page* page)
        : QWidget(page),
          m_model(model),
          m_difference(page->makeAction("compiler-difference", tr("&Difference of two listings"), Qt::Key_D)),
          m_pair([this] { refresh(); }) {
        setLook(this, "dock");
        m_figures->setContentsMargins(kDockMargin, 2, kDockMargin, 2);
        m_figures->setAlignment(Qt::AlignTop);
        setLook(m_figures, "dock");
        setWidgetText(m_source, {.id = "compiler-source", .name = tr("Source with the instructions of each line")});
        auto* columns = makeSplitter(
            Qt::Horizontal, this,
            {{makeSide(m_file, m_source), 42}, {m_table, 40}, {makeSide(m_against, makeScroll(m_figures, this)), 18}});
        makeColumn(this, {}, 0,
                   {makeHead(), makeRow(nullptr, {kDockMargin, 2, kDockMargin, 2}, 0, {m_said}), {columns, 1}});
        connect(m_source, &HeatText::lineChosen, m_table, &ListingTable::markLine);
        connect(m_table, &ListingTable::lineChosen, m_source, &HeatText::setChosen);
        connect(&model, &WhyModel::countsChanged, this, &CompilerPanel::demand);
        connect(&model, &WhyModel::busyChanged, this, &CompilerPanel::demand);
        connect(&model.request(), &RequestState::taskChanged, this, &CompilerPanel::demand);
        connect(&model.request().devices(), &DeviceChoice::changed, this, &CompilerPanel::demand);
        connect(m_difference, &QAction::toggled, this, [this](bool shown) {
            m_pair.difference = shown;
            refresh();
        });
        on(this, {QEvent::Show, QEvent::Hide}, [this] {
            m_difference->setEnabled(isVisible());
            demand();
        });
    }

private:
    QWidget* makeHead() {
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kStripHeight, tr("What the compiler made"), 0);
        row->addSpacing(kGap);
        const auto add = [&](bool sass, const char* id, const QString& text, const QString& tip) {
            auto* button = made(new QPushButton(text, head),
                                {.id = id, .look = "segment", .tip = tip, .checkable = true, .does = [this, sass] {
                                     m_pair.sass = sass;
                                     refresh();
                                 }});
            button->setAutoExclusive(true);
            button->setChecked(sass == m_pair.sass);
            row->addWidget(button);
        };
        add(false, "compiler-ptx", tr("PTX"), tr("What NVRTC writes, for any GPU from this capability on."));
        add(true, "compiler-sass", tr("SASS"), tr("What the GPU executes, where nvdisasm is found."));
        m_difference->setCheckable(true);
        m_difference->setEnabled(false);
        m_difference->setToolTip(
            tr("Both listings in one column: minus stands in that of the variant compared with alone, plus in this one "
               "alone. Registers and addresses make no difference."));
        auto* both = made(new QPushButton(tr("Diff"), head), {.look = "segment"});
        followAction(both, m_difference);
        fill(row, {both, spring(), m_origin = new OriginMark(Origin::reported, head)});
        return head;
    }

    QWidget* makeSide(QWidget* title, QWidget* below) {
        auto* side = made(new QWidget(this), {.look = "dock"});
        auto* head = new QWidget(side);
        fill(stripRow(head, kRowHeight), {{title, 1}});
        makeColumn(side, {}, 0, {head, {below, 1}});
        return side;
    }

    /// Why there is nothing to list of a variant yet, or ever; empty: there is.
    QString problemOf(const gpu::Variant* variant) const {
        if (!m_model.lister()) return tr("This build lists no kernels.");
        if (variant == nullptr || m_model.request().document().empty())
            return tr("Open a picture; then what its kernels became is listed.");
        if (m_model.request().variants().kernel(variant->id) != nullptr)
            return tr("This kernel is yours: the page Kernel lists it.");
        if (variant->kind != gpu::Variant::Kind::kernel)
            return tr("%1 is no kernel of Warplens in CUDA. Choose a variant above.")
                .arg(QString::fromStdString(variant->title));
        const gpu::RunRecord* record = m_model.record(variant->id);
        // The count says which instance the task launches.
        if (record == nullptr) return m_model.busy() ? tr("being counted") : tr("Not counted; F6 counts all variants.");
        return record->counters ? QString() : QString::fromStdString(record->reason);
    }

    void ask(ListingPair::Listed& listed, const gpu::Variant* variant) {
        if (!problemOf(variant).isEmpty()) return listed.drop();
        const ListingPair::Key key{
            .source = variant->source,
            .what = gpu::user::launchedKernels(*variant, *m_model.counters(variant->id)),
            .task = {.capability = ListingPair::capability(m_model.request().devices().chosen())}};
        listed.ask(key, [lister = m_model.lister(), key, variant = *variant](const JobContext& context) {
            return lister(variant, key.what, key.task.capability, context.stop());
        });
    }

    void demand() {
        if (!isVisible()) return;
        ask(m_pair.now, m_model.request().currentVariant());
        ask(m_pair.before, m_model.comparedVariant());
        refresh();
    }

    /// A problem, or whose listing this is.
    QString said() const {
        const QString problem = problemOf(m_model.request().currentVariant());
        if (!problem.isEmpty()) return problem;
        const gpu::user::Listings* all = m_pair.now.value();
        if (all == nullptr) return m_pair.said();
        const gpu::DeviceInfo* device = m_model.request().devices().chosen();
        const QString capability = QString::number(m_pair.now.key()->task.capability / 10.0, 'f', 1);
        const QString of = device != nullptr && device->ranks()
                               ? tr("%1 for compute capability %2, that of this GPU. ")
                               : tr("%1 for compute capability %2, as no GPU is chosen. ");
        return of.arg(QString::fromStdString(all->kernel), capability) + m_pair.said();
    }

    void refresh() {
        m_model.setListing(m_pair.busy());
        const gpu::user::Listings* all = m_pair.now.value();
        m_origin->setOrigin(all != nullptr && !all->shipped.empty() ? Origin::recorded : Origin::reported);
        m_said->setText(said());
        refreshSource(m_pair.of(m_pair.now));
        if (m_pair.show(m_table, nullptr, m_figures)) m_table->markLine(m_source->chosen());
        m_against->setText(
            m_pair.of(m_pair.before) == nullptr
                ? tr("The whole kernel")
                : tr("The whole kernel, after %1").arg(QString::fromStdString(m_model.comparedVariant()->id)));
    }

    void refreshSource(const Listing* listing) {
        const gpu::Variant* variant = m_model.request().currentVariant();
        const std::string source = variant == nullptr ? std::string() : variant->source;
        if (std::exchange(m_shown, source) != source) {
            m_source->setSource(variant == nullptr ? QString() : kernelSource(*variant));
            m_file->setFullText(QString::fromStdString(source).section('/', -1));
        }
        m_source->setLines(listing == nullptr ? std::map<int, HeatText::Line>() : linesOf(*listing),
                           variant == nullptr ? gpu::Idea::plain : variant->idea);
    }

    WhyModel& m_model;
    ElidedLabel* m_file = new ElidedLabel(this);
    HeatText* m_source = new HeatText(this);
    ListingTable* m_table = made(new ListingTable(this), {.id = "compiler-listing", .name = tr("Instructions")});
    QLabel *m_said = made(new QLabel(this), {.id = "compiler-said", .look = "hint", .wraps = true}),
           *m_against = made(new QLabel(this), {.id = "compiler-against", .look = "caption"}),
           *m_figures = made(new QLabel(this), {.id = "compiler-figures", .wraps = true});
    QAction* m_difference;
    OriginMark* m_origin = nullptr;
    std::string m_shown;  ///< whose source
    ListingPair m_pair;   ///< last
};

}  // namespace

QWidget* makeCompilerPanel(WhyModel& model, Page* page) { return new CompilerPanel(model, page); }

}  // namespace warplens::gui
