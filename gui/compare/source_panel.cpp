// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/source_panel.hpp"

#include "gui/kit/panel.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <utility>

namespace warplens::gui {

namespace {

/// Right dock: the current variant's own kernel file, and the way to what changed since the baseline's.
class SourcePanel : public QWidget {
public:
    SourcePanel(RequestState& request, Results& results, DifferenceWanted wanted, QWidget* parent)
        : QWidget(parent), m_request(request) {
        makeColumn(this, {}, -1, {m_view});
        m_view->addToHead(m_difference);
        connect(m_difference, &QPushButton::clicked, this,
                [this, wanted = std::move(wanted)] { wanted(QString::fromStdString(m_request.baseline())); });
        connect(&results, &Results::changed, this, &SourcePanel::refreshDifference);
        connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
            if (!before.sameCurrent(now) || before.kernels != now.kernels) refresh();
        });
        refresh();
    }

private:
    void refresh() {
        refreshDifference();
        const gpu::Variant* variant = m_request.currentVariant();
        if (variant == nullptr) return;
        const OwnKernel* yours = m_request.variants().kernel(variant->id);
        if (variant->source.empty())
            m_view->setMessage(
                QString::fromStdString(variant->title),
                tr("%1 is a library; its source is not part of Warplens.").arg(QString::fromStdString(variant->title)),
                variant->idea);
        else
            m_view->setSource(
                QString::fromStdString(variant->source).section('/', -1),
                yours != nullptr ? QString::fromStdString(yours->kernel->source()) : kernelSource(*variant),
                variant->idea);
    }

    void refreshDifference() {
        const gpu::Variant* variant = m_request.currentVariant();
        const gpu::Variant* baseline = m_request.variants().variant(m_request.baseline());
        const bool both = variant != nullptr && baseline != nullptr && variant != baseline &&
                          !variant->source.empty() && !baseline->source.empty();
        m_difference->setVisible(both);
        if (!both) return;
        const QString name = QString::fromStdString(baseline->id);
        m_difference->setText(tr("Diff with %1").arg(name));
        m_difference->setToolTip(tr("Both sources side by side, on the Why page."));
    }

    RequestState& m_request;
    SourceView* m_view = new SourceView(this);
    QPushButton* m_difference = made(new QPushButton(this), {.id = "source-difference", .look = "flat"});
};

}  // namespace

QWidget* makeSourcePanel(RequestState& request, Results& results, DifferenceWanted wanted, QWidget* parent) {
    return new SourcePanel(request, results, std::move(wanted), parent);
}

}  // namespace warplens::gui
