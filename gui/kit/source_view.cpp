// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/source_view.hpp"

#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QDialog>

namespace warplens::gui {

SourceView::SourceView(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel(this)),
      m_mark(new IdeaMark(this)),
      m_head(nullptr),
      m_text(new SourceText(this)) {
    auto* const head = new QWidget(this);
    m_head = stripRow(head, kTitleHeight);
    fill(m_head, {m_mark, {m_name, 1}});
    setLook(m_name, "title");
    m_name->setElideMode(Qt::ElideMiddle);
    makeColumn(this, {}, 0, {head, {m_text, 1}});
    m_mark->setIdea(std::nullopt);
    m_text->setAccessibleName(tr("Kernel source"));
}

void SourceView::setSource(const QString& fileName, const QString& text, std::optional<gpu::Idea> idea) {
    m_name->setFullText(fileName);
    m_mark->setIdea(idea);
    m_text->setSource(text);
    m_text->setAccessibleName(fileName.isEmpty() ? tr("Kernel source") : tr("Source of %1").arg(fileName));
}

void SourceView::setMessage(const QString& fileName, const QString& message, std::optional<gpu::Idea> idea) {
    m_name->setFullText(fileName);
    m_mark->setIdea(idea);
    m_text->setSource(message, false);
    m_text->setAccessibleName(message);
}

void SourceView::addToHead(QWidget* tool) { m_head->addWidget(tool); }

QString SourceView::text() const { return m_text->toPlainText(); }

void SourceView::goToLine(int line) { m_text->markLine(line); }

void openSource(QWidget* parent, const QString& id, const QString& title, const QString& text) {
    constexpr Length kWide{760}, kHigh{560};
    auto* dialog = made(new QDialog(parent), {.id = id});
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(QSize(kWide, kHigh).boundedTo(parent->window()->size()));
    auto* source = new SourceView(dialog);
    source->setSource(title, text, std::nullopt);
    makeColumn(dialog, {}, 0, {source});
    dialog->open();
}

}  // namespace warplens::gui
