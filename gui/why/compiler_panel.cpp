// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/listing.hpp"
#include "gui/kit/cuda_highlighter.hpp"
#include "gui/kit/derived.hpp"
#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/listing_table.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/why/source_texts.hpp"
#include "gui/why/why_panels.hpp"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

namespace {

using gpu::user::InstructionKind;
using gpu::user::Listing;
using gpu::user::Listings;

constexpr std::size_t kKept = 16;
constexpr int kShares[] = {42, 40, 18};  // of the width

/// How many instructions each source line became, and of which kinds.
std::map<int, HeatText::Line> linesOf(const Listing& listing) {
    std::map<int, std::map<InstructionKind, int>> kinds;
    for (const gpu::user::Instruction& one : listing.instructions)
        if (one.line > 0) ++kinds[one.line][one.kind];
    std::map<int, HeatText::Line> lines;
    for (const auto& [number, counts] : kinds) {
        HeatText::Line& line = lines[number];
        for (const auto& [kind, count] : counts) {
            line.count += count;
            line.details << QStringLiteral("%1: %2").arg(QString::fromLatin1(nameOf(kind)), format::integer(count));
        }
    }
    return lines;
}

/// PTX or SASS beside the source. Nothing is compiled while it is hidden.
class CompilerPanel : public QWidget {
public:
    CompilerPanel(WhyModel& model, QWidget* parent)
        : QWidget(parent),
          m_model(model),
          m_file(new ElidedLabel(this)),
          m_source(new HeatText(this)),
          m_highlighter(new CudaHighlighter(m_source->document())),
          m_table(made(new ListingTable(this), {.id = "compiler-listing", .name = tr("Instructions")})),
          m_said(made(new QLabel(this), {.id = "compiler-said", .look = "hint", .wraps = true})),
          m_against(made(new QLabel(this), {.id = "compiler-against", .look = "caption"})),
          m_figures(made(new QLabel(this), {.id = "compiler-figures", .wraps = true})),
          m_now([this] { refresh(); }, kKept),
          m_before([this] { refresh(); }, kKept) {
        setLook(this, "dock");
        m_figures->setContentsMargins(kDockMargin, 2, kDockMargin, 2);
        m_figures->setAlignment(Qt::AlignTop);
        setLook(m_figures, "dock");
        setWidgetText(m_source, {.id = "compiler-source", .name = tr("Source with the instructions of each line")});
        auto* columns = makeSplitter(Qt::Horizontal, this);
        columns->addWidget(makeSide(m_file, m_source));
        columns->addWidget(m_table);
        columns->addWidget(makeSide(m_against, makeScroll(m_figures, this)));
        for (int i = 0; i < 3; ++i) columns->setStretchFactor(i, kShares[i]);
        makeColumn(this, {}, 0,
                   {makeHead(), makeRow(nullptr, {kDockMargin, 2, kDockMargin, 2}, 0, {m_said}), {columns, 1}});
        connect(m_source, &HeatText::lineChosen, m_table, &ListingTable::markLine);
        connect(m_table, &ListingTable::lineChosen, m_source, &HeatText::setChosen);
        connect(&model, &WhyModel::countsChanged, this, &CompilerPanel::demand);
        connect(&model, &WhyModel::busyChanged, this, &CompilerPanel::demand);
        connect(&model.request(), &RequestState::taskChanged, this, &CompilerPanel::demand);
        connect(&model.request().devices(), &DeviceChoice::changed, this, &CompilerPanel::demand);
        on(this, {QEvent::Show}, [this] { demand(); });
        on(this, {QEvent::PaletteChange}, [this] { m_highlighter->retint(); });
    }

private:
    struct Key {
        std::string source;
        std::vector<std::string> kernels;
        int capability = 0;
        bool operator==(const Key&) const = default;
    };
    using Listed = Derived<Key, Listings>;

    QWidget* makeHead() {
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kStripHeight, tr("What the compiler made"), 0);
        row->addSpacing(kGap);
        auto* group = new QButtonGroup(this);
        const auto add = [&](bool sass, const char* id, const QString& text, const QString& tip) {
            auto* button =
                made(new QPushButton(text, head), {.id = id, .look = "segment", .tip = tip, .checkable = true});
            button->setChecked(sass == m_sass);
            group->addButton(button);
            row->addWidget(button);
            connect(button, &QPushButton::clicked, this, [this, sass] {
                m_sass = sass;
                refresh();
            });
        };
        add(false, "compiler-ptx", tr("PTX"), tr("What NVRTC writes, for any GPU from this capability on."));
        add(true, "compiler-sass", tr("SASS"), tr("What the GPU executes, where nvdisasm is found."));
        row->addStretch(1);
        row->addWidget(new OriginMark(Origin::reported, head));
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
        if (record == nullptr) return m_model.busy() ? tr("being counted") : tr("Not counted; F6 counts the ladder.");
        return record->counters ? QString() : QString::fromStdString(record->reason);
    }

    void ask(Listed& listed, const gpu::Variant* variant) {
        if (!problemOf(variant).isEmpty()) return listed.drop();
        const Key key{.source = variant->source,
                      .kernels = gpu::user::launchedKernels(*variant, *m_model.counters(variant->id)),
                      .capability = ListingTable::capability(m_model.request().devices().chosen())};
        listed.ask(key, [lister = m_model.lister(), key, variant = *variant](const JobContext& context) {
            return lister(variant, key.kernels, key.capability, context.stop());
        });
    }

    void demand() {
        if (!isVisible()) return;
        ask(m_now, m_model.request().currentVariant());
        ask(m_before, m_model.comparedVariant());
        refresh();
    }

    /// A problem, or whose listing this is.
    QString said() const {
        const QString problem = problemOf(m_model.request().currentVariant());
        if (!problem.isEmpty()) return problem;
        if (!m_now.problem().isEmpty()) return m_now.problem();
        const Listings* all = m_now.value();
        if (all == nullptr) return tr("compiling");
        const gpu::DeviceInfo* device = m_model.request().devices().chosen();
        const QString capability = QString::number(m_now.key()->capability / 10.0, 'f', 1);
        const QString of = device != nullptr && device->ranks()
                               ? tr("%1 for compute capability %2, that of this GPU. ")
                               : tr("%1 for compute capability %2, as no GPU is chosen. ");
        return of.arg(QString::fromStdString(all->kernel), capability) + ListingTable::origin(*all, m_sass);
    }

    void refresh() {
        const auto of = [this](const Listed& listed) -> const Listing* {
            const Listings* all = listed.value();
            const Listing* listing = all == nullptr ? nullptr : m_sass ? &all->sass : &all->ptx;
            return listing == nullptr || listing->empty() ? nullptr : listing;
        };
        const Listing *now = of(m_now), *before = of(m_before);
        m_model.setListing(m_now.busy() || m_before.busy());
        m_said->setText(said());
        refreshSource(now);
        if (m_table->setListing(now)) m_table->markLine(m_source->chosen());
        const gpu::Variant* compared = m_model.comparedVariant();
        m_against->setText(before == nullptr
                               ? tr("The whole kernel")
                               : tr("The whole kernel, after %1").arg(QString::fromStdString(compared->id)));
        m_figures->setText(ListingTable::figures(before, now));
    }

    void refreshSource(const Listing* listing) {
        const gpu::Variant* variant = m_model.request().currentVariant();
        const std::string source = variant == nullptr ? std::string() : variant->source;
        if (std::exchange(m_shown, source) != source) {
            QString text = variant == nullptr ? QString() : kernelSource(*variant);
            if (text.endsWith(u'\n')) text.chop(1);
            m_source->setSource(text);
            m_file->setFullText(QString::fromStdString(source).section('/', -1));
        }
        m_source->setLines(listing == nullptr ? std::map<int, HeatText::Line>() : linesOf(*listing),
                           variant == nullptr ? gpu::Idea::plain : variant->idea);
    }

    WhyModel& m_model;
    ElidedLabel* m_file;
    HeatText* m_source;
    CudaHighlighter* m_highlighter;
    ListingTable* m_table;
    QLabel *m_said, *m_against, *m_figures;
    std::string m_shown;  ///< whose source
    bool m_sass = false;
    Listed m_now, m_before;  ///< last
};

}  // namespace

QWidget* makeCompilerPanel(WhyModel& model, QWidget* parent) { return new CompilerPanel(model, parent); }

}  // namespace warplens::gui
