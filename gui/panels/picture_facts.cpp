// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/picture_facts.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QLabel>

namespace warplens::gui {

namespace {
constexpr int kThumbnail = 64;
}

PictureFacts::PictureFacts(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_thumbnail(new QLabel(this)),
      m_name(new QLabel(this)),
      m_facts(new QLabel(this)) {
    m_thumbnail->setFixedSize(kThumbnail, kThumbnail);
    m_thumbnail->setAlignment(Qt::AlignCenter);
    m_thumbnail->setAccessibleName(tr("Thumbnail of the input"));
    setLook(m_name, "title");
    setLook(m_facts, "caption");
    m_name->setTextFormat(Qt::PlainText);
    m_facts->setTextFormat(Qt::PlainText);
    m_name->setMinimumWidth(40);
    m_facts->setWordWrap(true);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(0);
    lines->addWidget(m_name);
    lines->addWidget(m_facts);
    lines->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kDockMargin);
    row->addWidget(m_thumbnail, 0, Qt::AlignTop);
    row->addLayout(lines, 1);
    connect(&m_document, &Document::changed, this, &PictureFacts::refresh);
    refresh();
}

void PictureFacts::refresh() {
    m_facts->setText(m_document.empty() ? tr("Open a picture, or drop\none on the window.")
                                        : m_document.facts().join('\n'));
    QStringList tip{m_document.input()};
    tip += m_document.notes();
    m_name->setToolTip(tip.join('\n'));
    m_facts->setToolTip(tip.join('\n'));
    if (!m_document.thumbnail().isNull()) {
        const double ratio = devicePixelRatioF();
        QImage image = m_document.thumbnail().scaled(QSize(kThumbnail, kThumbnail) * ratio, Qt::KeepAspectRatio,
                                                     Qt::SmoothTransformation);
        image.setDevicePixelRatio(ratio);
        m_thumbnail->setPixmap(QPixmap::fromImage(image));
    }
    elide();
}

void PictureFacts::elide() {
    const QString name = m_document.empty() ? tr("No picture") : m_document.name();
    m_name->setText(m_name->fontMetrics().elidedText(name, Qt::ElideMiddle, width() - kThumbnail - kDockMargin));
    m_name->setAccessibleName(name);
}

void PictureFacts::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

}  // namespace warplens::gui
