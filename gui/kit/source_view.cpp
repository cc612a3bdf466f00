// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/source_view.hpp"

#include "gui/kit/cuda_highlighter.hpp"
#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

namespace warplens::gui {

SourceView::SourceView(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel(this)),
      m_mark(new IdeaMark(this)),
      m_head(nullptr),
      m_text(new SourceText(this)),
      m_highlighter(new CudaHighlighter(m_text->document())) {
    auto* const head = new QWidget(this);
    m_head = stripRow(head, kTitleHeight);
    fill(m_head, {m_mark, {m_name, 1}});
    setLook(m_name, "title");
    m_name->setElideMode(Qt::ElideMiddle);
    makeColumn(this, {}, 0, {head, {m_text, 1}});
    m_mark->setIdea(std::nullopt);
    m_text->setAccessibleName(tr("Kernel source"));
    // The colours of the text are in its formats, so a new scheme has to write them anew.
    on(this, {QEvent::PaletteChange}, [this] { m_highlighter->retint(); });
}

void SourceView::setSource(const QString& fileName, const QString& text, std::optional<gpu::Idea> idea) {
    m_name->setFullText(fileName);
    m_mark->setIdea(idea);
    // Given the document that it has it would go over all lines once more.
    if (m_highlighter->document() == nullptr) m_highlighter->setDocument(m_text->document());
    m_text->setSource(text.endsWith(u'\n') ? text.chopped(1) : text);
    m_text->setAccessibleName(fileName.isEmpty() ? tr("Kernel source") : tr("Source of %1").arg(fileName));
}

void SourceView::setMessage(const QString& fileName, const QString& message, std::optional<gpu::Idea> idea) {
    // Plain words are not code.
    m_highlighter->setDocument(nullptr);
    m_name->setFullText(fileName);
    m_mark->setIdea(idea);
    m_text->setSource(message);
    m_text->setAccessibleName(message);
}

void SourceView::addToHead(QWidget* tool) { m_head->addWidget(tool); }

QString SourceView::text() const { return m_text->toPlainText(); }

void SourceView::goToLine(int line) { m_text->markLine(line); }

}  // namespace warplens::gui
