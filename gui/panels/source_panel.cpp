// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/source_panel.hpp"

#include "gui/panels/kernel_sources.hpp"
#include "gui/views/source_view.hpp"

#include <QVBoxLayout>

namespace warplens::gui {

SourcePanel::SourcePanel(CompareSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_view(new SourceView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    connect(&session, &CompareSession::currentChanged, this, &SourcePanel::refresh);
    refresh();
}

void SourcePanel::refresh() {
    const gpu::Variant* variant = m_session.variant(m_session.current());
    if (variant == nullptr) return;
    if (variant->source.empty())
        m_view->setMessage(
            QString::fromStdString(variant->title),
            tr("%1 is a library; its source is not part of Warplens.").arg(QString::fromStdString(variant->title)),
            variant->idea);
    else
        m_view->setSource(QString::fromStdString(variant->source).section('/', -1), kernelSource(*variant),
                          variant->idea);
}

}  // namespace warplens::gui
