// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/notice_bar.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTextDocumentFragment>

namespace warplens::gui {

namespace {

constexpr Length kGlyph{18};

}  // namespace

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), m_text(new QLabel(this)), m_action(new QPushButton(this)) {
    setMinimumHeight(kStripHeight);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    // Room on the left for the glyph, which is painted.
    makeRow(this, {kDockMargin.plain() + kGlyph.plain() + 10, 4, kDockMargin.plain(), 4}, -1, {{m_text, 1}, m_action});
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    setLook(m_action, "flat");
    m_action->hide();
    connect(m_action, &QPushButton::clicked, this, &NoticeBar::actionTriggered);
    hide();
}

void NoticeBar::setNotice(const QString& text) {
    m_text->setText(text);
    setAccessibleName(tr("Notice: %1").arg(this->text()));
    setVisible(!text.isEmpty());
}

void NoticeBar::setAction(const QString& text, const QString& shortcut) {
    m_action->setText(shortcut.isEmpty() ? text : text + QStringLiteral("  ") + shortcut);
    m_action->setAccessibleName(text);
    m_action->setVisible(!text.isEmpty());
}

QString NoticeBar::text() const { return QTextDocumentFragment::fromHtml(m_text->text()).toPlainText(); }

void NoticeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::strip));
    painter.fillRect(QRect(0, height() - 1, width(), 1), colour(Role::line));
    drawInfoGlyph(painter, QRectF(kDockMargin, (height() - kGlyph) / 2.0, kGlyph, kGlyph), colour(Role::text1));
}

SessionNotice::SessionNotice(Activity& activity, QWidget* parent, bool standing)
    : NoticeBar(parent), m_activity(activity), m_standing(standing) {
    connect(&activity, &Activity::noticeChanged, this, &SessionNotice::refresh);
    connect(this, &NoticeBar::actionTriggered, this, [this] {
        if (m_activity.noticeIsError() || m_activity.noticeIsInstruction())
            m_activity.dismissNotice();
        else
            emit helpWanted();
    });
    refresh();
}

void SessionNotice::refresh() {
    const bool passing = m_activity.noticeIsError() || m_activity.noticeIsInstruction();
    const QString text = passing || m_standing ? m_activity.notice() : QString();
    setNotice(text);
    if (m_activity.noticeIsError())
        setAction(tr("Dismiss"), tr("Esc"));
    else if (m_activity.noticeIsInstruction())
        setAction(tr("Dismiss"));
    else
        setAction(text.isEmpty() ? QString() : tr("Why?"), QStringLiteral("?"));
    setAccessibleName(this->text());
}

}  // namespace warplens::gui
